"""The fields of a document of incorporation, each with its evidence."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property
from operator import attrgetter

from checks.evidence import Evidence
from checks.extraction.whole_names import is_before_colon, whole_name
from checks.fields.addresses.postal import PlacedAddress
from checks.fields.dates import FoundDate, words_before
from checks.fields.document_types import OF_REGISTER, DocumentType
from checks.fields.extracted import ExtractedValue
from checks.fields.general import (
    dates_of,
    issue_date_of,
    seat_of,
    type_of,
)
from checks.fields.jurisdictions import (
    Jurisdiction,
    find_by_weak_signs,
    read_jurisdiction,
)
from checks.fields.labels.values import labelled_seat
from checks.fields.layout.cells import cells_of
from checks.fields.layout.label_cells import label_of
from checks.fields.names.parties import is_of_party
from checks.fields.registration_numbers import RegistrationNumber
from checks.incorporation_document import tunables
from checks.incorporation_document.addresses import own_address, read_addresses
from checks.incorporation_document.dates import (
    beside_words,
    labelled_reading,
    settled,
    with_labels,
)
from checks.incorporation_document.layout import is_behind_caption, pairs_of
from checks.incorporation_document.names import (
    LABELLED_FIELD,
    is_at_another,
    is_label,
    names_of,
)
from checks.incorporation_document.numbers import read_numbers
from checks.incorporation_document.readings import Candidate, FieldReading, read_clearly
from checks.text.phrases import Pattern, Phrase
from checks.text.words import (
    Span,
    Text,
)

# Each row: a pattern for the words directly before a date, the weight, and a description of the
# rule. A date takes the highest weight that matches. Roughly, 8 and 9 mean that a formation is
# stated, 6 and 7 a filing or an entry, and 5 or less the date of the document itself.
OF_FILING = "labelled as the date of filing"
FILED_HERE = "“filed in this office on”"
GIVEN = "“given under my hand … this day”"
LABELS: tuple[tuple[Pattern, int, str], ...] = (
    (
        Phrase(
            r"(?:date of (?:the )?(?:deed of )?(?:incorporation|formation|organi[sz]ation|registration)|(?:incorporation|formation|registration|inception) date|date d'immatriculation|fecha de constituci[óo]n|(?<!letzten.)(?<!letzte.)eintragung)[^a-z]{0,6}(?:of (?:the )?[a-z]+)?(?: ?\([^)]{0,16}\))?[^a-z]{0,6}$"
        ),
        8,
        "labelled as the date of incorporation",
    ),
    (
        Phrase(
            r"(?:incorporated|formed|organi[sz]ed|registered|constituted)(?: (?:under|pursuant to) [^.]{0,60}?)?,?(?: with effect)? (?:on|from|as of)(?: and from)?(?: this| the)? ?$"
        ),
        8,
        "“incorporated on”",
    ),
    (
        Phrase(r"with effect from(?: the)? ?$|on and from(?: the)? ?$"),
        7,
        "“with effect from”",
    ),
    (Phrase(r"\bfiling #:? ?\d+ ?$"), 6, OF_FILING),
    (
        Phrase(
            r"filed (?:in|with|by) (?:this|the|my) (?:office|department)(?: of [^.\n]{0,40})?,? on(?: the)? ?$|filed (?:the |on |in this office |in accordance with [^.]{0,60} on )?$|articles are effective on ?$|filed in (?:this|the) office(?: of)?[^.]{0,60} on(?: the)? ?$"
        ),
        7,
        FILED_HERE,
    ),
    (
        Phrase(
            r"\b(?:date filed|filed(?: date| on)?|filing date|file date|effective(?: date)?(?: of)?(?: filing)?)\b[^a-z]{0,8}(?:\d{1,2}:\d{2}(?::\d{2})? ?(?:[ap]\.?m\.?)?\s*)?$|\bdate (?:and|&) time:? ?$|\bdin data de:? ?$"
        ),
        6,
        OF_FILING,
    ),
    (
        Phrase(
            r"(?<!last.)(?:incorporated|registered|formed|organi[sz]ed|constituted|established)\b"
            r"(?:(?!(?<!as.)amend|chang|\bissued|\bgiven|\bdated|dissol|ceased|certif)(?:[^.;]|(?<=cap)\.|(?<=no)\.|(?<=art)\.|(?<=ltd)\.)){0,150}?,? on(?: the)? ?$"
        ),
        8,
        "“incorporated … on”",
    ),
    (
        Phrase(
            r"certif(?:y|ies) that,? on(?: the)? ?$|existence (?:commenced|began) on(?: the)? ?$|filed with me on:? ?$"
        ),
        9,
        "“certify that on”",
    ),
    (
        Phrase(
            r"(?:entreront|entrent|entre) en vigueur[^.\d]{0,12}$|articles are effective on[^.\d]{0,100}$"
        ),
        7,
        "“these articles are effective on”",
    ),
    (
        Phrase(
            r"(?:registrad[ao]|inscrit[ao]|constitu[íi]d[ao]|matriculad[ao])\b[^.;]{0,90}? (?:desde|el|em|en fecha|con fecha|em data de)(?: el)?(?: [a-zé]+,)? ?$"
        ),
        8,
        "“registrada … desde el”",
    ),
    (
        Phrase(
            r"(?:date|day) of (?:commencement of )?(?:incorporation|organi[sz]ation|formation|registration)(?: or \w+)?(?: of [^.\n]{0,40})? (?:is|was):?(?: the)? ?$"
        ),
        9,
        "“its date of incorporation is”",
    ),
    (Phrase(r"\b(?:act|loi)\b[^\n]{0,60} - ?$"), 6, "behind the law of the company"),
    (
        Phrase(r"(?:\bnr\.? ?1|(?:^|\n)1) eingetragen am ?$"),
        7,
        "the first entry",
    ),
    (
        Phrase(r"satzung (?:ist |wurde )?[^.\n]{0,20}errichtet am ?$"),
        7,
        "the day of the statutes",
    ),
    (Phrase(r"\binsc(?:ri[çc][ãa]o|\.)? ?1\b[^\n]{0,12}$"), 6, "the first entry"),
    (
        Phrase(
            r"atribuit[ăe]? [îi]n data de ?$|(?:assigned|assegnato|asignado|zugeteilt|nadany) (?:on|am|el|in data|w dniu) ?$"
        ),
        7,
        "the day on which the number was given",
    ),
    (
        Phrase(r"registrul comer[țţt]ului[^\n]{0,40}\bdin ?$"),
        8,
        "behind the number of the register",
    ),
    (Phrase(r"(?:did|was|were),? on(?: the)? ?$"), 4, "“did, on …, file”"),
    (
        Phrase(r"\bfiled (?:in|at) [^.;]{2,60}? (?:this|on)(?: the)? ?$"),
        6,
        "“filed in … this”",
    ),
    (
        Phrase(
            r"given (?:at|under|on this)[^.]{0,90}$|done at[^.]{0,90}$|sealed at[^.]{0,60}$"
        ),
        5,
        GIVEN,
    ),
    (
        Phrase(
            r"(?:witness|testimony) whereof[^;]{0,160}$|(?:dated|signed|executed|issued|certified)(?: (?:at|in) [^\n]{0,40})?(?: on)?(?: this)?(?: the)?:? ?$"
        ),
        2,
        "date of the signing",
    ),
    (Phrase(r"\b(?:on|this) (?:this |the )?$"), 1, "“on”"),
)
# A paper about a change, or a report of a year, is filed long after the formation.
OF_A_CHANGE = Phrase(
    r"^[^\n.]{0,30}(?:statement of (?:information|change)|(?:annual|biennial) (?:report|return|statement)|confirmation statement"
    r"|(?:appointment|termination|resignation|change) of [^\n.]{0,40})[^\n.]{0,30}$"
)
# These rules alone say only when the paper was signed.
OF_SIGNING = frozenset({"“on”", "date of the signing", GIVEN})
OF_A_LAW = Phrase(r"\b(?:took effect|effective|in force|into force|approved)\b")
ANOTHER_DAY = "another day of the text"
THIS_DAY = Phrase(
    r"\b(?:this day|on this date)\b[^.;]{0,40}\b(?:incorporated|registered|formed)|\b(?:incorporated|registered|formed)\b[^.;]{0,40}\bthis day\b"
)
# Words around a date that raise its weight: the sentence states a formation.
CONTEXT: tuple[tuple[Pattern, int], ...] = (
    (
        Phrase(
            r"(?:is|was|has been|are)(?: on)?(?: this day)?,?(?: duly)? (?:incorporated|registered|formed|organi[sz]ed)"
        ),
        3,
    ),
    (Phrase(r"is a registered company|taken to be registered"), 3),
)
# Words directly before a date that lower its weight: it is an expiry, a birth, or the year of a
# law. -6 takes most labels below the threshold.
AGAINST: tuple[tuple[Pattern, int], ...] = (
    (
        Phrase(
            r"expir|eingelangt am\s*$|event date|last (?:event|filed|filing|updated?|changed?)|letzten? |derni[èe]re? |[úu]ltim[ao] |laatste |valid (?:until|to)|renew|due|birth|born|print(?:ed|ing| date)|date of print|profile?\b|extract|udskrev|utskrift|abruf|ausdruck|impress|emiss|emiti|expedi|generat|fiscal|financial year|amend|rev(?:ised|\.)|form \w+|verif"
        ),
        -6,
    ),
    (Phrase(r"\bact,? (?:of )?(?:the )?$"), -6),
)
CERTIFICATE = "certificate_of_incorporation"
# A sentence that says when the company was entered in a register. German and Dutch may have the verb
# behind the day: “ist am … in das Handelsregister eingetragen”.
ENTERED_ON = Phrase(
    r"\b(?:immatricul[ée]e?|enregistr[ée]e?|inscrite?|constitu[ée]e?|registad[ao]|iscritt[ao]|registrat[ao]|costituit[ao]"
    r"|ingeschreven|geregistreerd|opgericht|eingetragen|registreret|registrerad|zarejestrowan[aey]|wpisan[aey]"
    r"|entered in (?:the|this) [^.;]{0,40}?register)\b[^.;]{0,60}? "
    r"(?:le|depuis le|em|dal|il|in data|op|sinds|seit|am|den|dnia|w dniu|on)(?: the)? ?$"
)
ON_DAY = Phrase(r"\b(?:am|seit dem|op|sinds) $")
ENTERED = Phrase(
    r"(?:[^.;]|(?<=nr)\.){0,90}?\b(?:eingetragen|registriert|gegründet|errichtet|ingeschreven|geregistreerd|opgericht)\b"
)
# Where a clause ends: a full stop, a semicolon, an empty line, or the heading of the next article.
CLAUSE_END = r"(?:\.(?=\s|$)|;|\n\n|\n(?=article|section)|\Z)"
CONDUCTED = r"(?: to be (?:conducted|carried on|transacted)(?: (?:or|and) (?:promoted|conducted|carried on|transacted))?(?: by (?:this|the) \w+)?)?"
# Clauses about the purpose, in the order of their certainty.
PURPOSES = (
    Phrase(
        r"(?:specific|primary|general)? ?(?<!place.of.)(?<!places.of.)\b(?:purposes?|objects?|business)(?: or purposes?)?(?: of (?:this|the) (?:corporation|company|limited liability company)| for which [^.;]{3,80}?)?"
        + CONDUCTED
        + r"(?: is| are| shall be)(?: formed)?(?: primarily)?:? (?:to )?(?P<value>(?!formed|organi[sz]ed|construed|deemed|limited|restricted|set forth|as follows|not )[^;]{20,400}?)"
        + CLAUSE_END
    ),
    Phrase(
        r"(?:formed|organi[sz]ed|incorporated|established)(?: exclusively| solely| primarily)? for (?:the|its) (?:\w+ )?purposes? of:? (?P<value>[^;]{8,400}?)"
        + CLAUSE_END
    ),
    Phrase(
        r"(?:^|\n|\.\s)[^\w\n]*(?:purposes?|objects?)[.:\n]+ ?(?:the (?:corporation|company) (?:shall|will|is to) |to )(?P<value>[^;]{8,400}?)"
        + CLAUSE_END
    ),
    Phrase(
        r"(?:principal|main) (?:business )?activit(?:y|ies) of (?:the|this) (?:company|corporation|business) (?:is|are) (?P<value>[^.;]{8,200}?)"
        + CLAUSE_END
    ),
    Phrase(
        r"(?:principal|main|nature of(?: the)?) (?:business )?(?:activit(?:y|ies)|business|objects?)(?: of the company)?(?: is| are)?:? (?P<value>(?!or purposes?)[^\n.;]{8,200})"
    ),
)
# The word that follows the date of the first entry in a German extract.
FIRST_ENTRY = re.compile(
    r"[^\n]{0,50}\n?[^\n]{0,20}\b(?:Ersteintragung|Neueintragung einer Firma)\b"
)
# Certificates of a current state (good standing, registered office) and certificates of a
# formation. The former are issued whenever someone asks for one, so that their own date says
# nothing about the formation.
OF_A_STATE = Phrase(
    r"certificate of (?:the )?(?:registered office|good standing|status|existence|fact|incumbency|compliance|directors|shareholders|secretary"
    r"|subsistence|solvency|authori[sz]ation|no record)|certificado de vigencia|letter of good standing|certificate of current"
)
OF_A_BIRTH = Phrase(
    r"certificat(?:e|ion) of (?:incorporation|formation|organi[sz]ation|registration)"
)
ANY_PURPOSE = Phrase(r"any lawful (?:act|activity|business|purpose)")


@dataclass(frozen=True)
class IncorporationFields:
    """The fields of one document. Each field is read when it is first used."""

    evidence: Evidence

    @property
    def text(self) -> Text:
        return self.evidence.text

    @property
    def document_type(self) -> ExtractedValue[DocumentType] | None:
        return self.evidence.once(type_of)

    @property
    def kind(self) -> str:
        """The code of the type of document; empty if the type was not recognised."""
        if self.document_type is None:
            return ""
        return self.document_type.value.code

    @property
    def jurisdiction(self) -> ExtractedValue[Jurisdiction] | None:
        return next(iter(self.jurisdiction_reading.values), None)

    @cached_property
    def jurisdiction_reading(self) -> FieldReading[Jurisdiction]:
        """The jurisdiction: from laws and registers, else from a label, else from the clause about
        the seat.

        Where several countries are as likely, the label or the seat decides between them.
        """
        # The number of an owner tells nothing of the company.
        reading = read_jurisdiction(self.text, is_of_party, self._is_at_another)
        if reading.place:
            return FieldReading([reading.place])
        place = labelled_seat(self.evidence.once(pairs_of))
        place = place or self.evidence.once(seat_of)
        place = place or find_by_weak_signs(self.text, is_of_party)
        several = list(reading.candidates)
        countries = {item.value.country_code for item in several}
        if place and (not several or place.value.country_code in countries):
            return FieldReading([place])
        if place:
            several.append(place)
        return FieldReading(candidates=several[: tunables.CANDIDATES])

    def _is_at_another(self, text: Text, span: Span) -> bool:
        return is_at_another(self.evidence, span)

    @cached_property
    def name_reading(self) -> FieldReading[str]:
        reading = self.evidence.once(names_of)
        reading = _only_if_whole(self.text, reading)
        return read_clearly(self.evidence, reading, str)

    @property
    def names(self) -> Sequence[ExtractedValue[str]]:
        return self.name_reading.values

    @cached_property
    def number_reading(self) -> FieldReading[RegistrationNumber]:
        code = self.jurisdiction.value.code if self.jurisdiction else ""
        reading = read_numbers(self.evidence, self.kind, code)
        return read_clearly(self.evidence, reading, lambda _: None)

    @property
    def numbers(self) -> Sequence[ExtractedValue[RegistrationNumber]]:
        """The numbers whose check digits are not wrong. The fraud check reports the others."""
        return self.number_reading.values

    @cached_property
    def addresses(self) -> list[ExtractedValue[PlacedAddress]]:
        return read_addresses(self.evidence)

    @cached_property
    def address_reading(self) -> FieldReading[PlacedAddress]:
        if self.names:
            name = self.names[0].value
        else:
            name = ""
        reading = own_address(self.evidence, self.addresses, name, self.kind)
        return read_clearly(self.evidence, reading, lambda place: str(place.address))

    @property
    def business_address(self) -> ExtractedValue[PlacedAddress] | None:
        """The company's own address, never that of an agent or an incorporator."""
        return next(iter(self.address_reading.values), None)

    def candidates(self, field: str) -> list[Candidate]:
        """Return the possible values of a field of the attested data whose readings differ."""
        if field in {"business_name", "registered_business_name"}:
            return self.name_reading.written(str)
        if field == "incorporation_date":
            return self.date_reading.written(date.isoformat)
        if field == "business_registration_number":
            return self.number_reading.written(attrgetter("number"))
        if field == "jurisdiction":
            return self.jurisdiction_reading.written(str)
        if field == "address_of_incorporation":
            return self.address_reading.written(lambda place: str(place.address))
        return []

    @property
    def dates(self) -> list[FoundDate]:
        return self.evidence.once(dates_of)

    @cached_property
    def date_reading(self) -> FieldReading[date]:
        weighed = []
        for fact in self.dates:
            if is_behind_caption(self.evidence, fact.span):
                continue
            item = self._weigh(fact)
            if item:
                weighed.append(item)
        reading = with_labels(self.evidence, weighed, self._threshold)
        reading = self._with_other_days(reading)
        if not reading.values and not reading.candidates:
            reading = self._of_entry()
        if not reading.values and not reading.candidates:
            days = beside_words(self.evidence)
            reading = FieldReading(candidates=days[: tunables.CANDIDATES])
        reading = settled(self.evidence, reading)
        return read_clearly(self.evidence, reading, lambda _: None)

    def _with_other_days(self, reading: FieldReading[date]) -> FieldReading[date]:
        """The reading as it is, unless it is the day of the signing and the text has another day, too.

        A certificate says “this day incorporated” where both are one.
        """
        first = next(iter(reading.values), None)
        if first is None or first.how not in OF_SIGNING:
            return reading
        if THIS_DAY.search(self.text.value):
            return reading
        labelled = labelled_reading(self.evidence)
        if labelled.values or labelled.candidates:
            return labelled
        others: dict[date, ExtractedValue[date]] = {}
        for fact in self.dates:
            before = words_before(self.text.value, fact.span.start, tunables.NEAR)
            is_against = any(pattern.search(before) for pattern, _ in AGAINST)
            is_against = is_against or bool(OF_A_LAW.search(before))
            if fact.value and fact.value != first.value and not is_against:
                item = ExtractedValue(fact.value, fact.span, ANOTHER_DAY, 0.5)
                others.setdefault(fact.value, item)
        if not others:
            return reading
        several = [first, *others.values()]
        return FieldReading(candidates=several[: tunables.CANDIDATES])

    def _of_entry(self) -> FieldReading[date]:
        """The day on which a sentence says that the company was entered in a register.

        Such a sentence may be about another party, so it counts only where nothing else gives a day. An
        extract has one for each change.
        """
        if self.kind != CERTIFICATE:
            return FieldReading()
        value = self.text.value
        days: dict[date, ExtractedValue[date]] = {}
        for fact in self.dates:
            before = words_before(value, fact.span.start, tunables.BEFORE)
            is_entry = bool(ENTERED_ON.search(before)) or (
                bool(ON_DAY.search(before))
                and bool(ENTERED.match(value, fact.span.end))
            )
            if fact.value and is_entry:
                how = "“was entered in the register on”"
                day = ExtractedValue(fact.value, fact.span, how, tunables.OF_ENTRY)
                days.setdefault(fact.value, day)
        if len(days) == 1:
            return FieldReading([*days.values()])
        return FieldReading(candidates=[*days.values()][: tunables.CANDIDATES])

    @property
    def incorporation_date(self) -> ExtractedValue[date] | None:
        return next(iter(self.date_reading.values), None)

    @property
    def _threshold(self) -> int:
        """The weight that a date needs.

        The single date of a register document is often the day of formation, so it needs less.
        Articles are signed before that day. A certificate of a current state is issued whenever
        someone asks for one, so its dates need more.
        """
        if self._is_of_a_state:
            return tunables.OF_A_STATE
        if self.kind in OF_REGISTER:
            return tunables.MIN_WEIGHT - 2
        return tunables.MIN_WEIGHT

    @cached_property
    def _is_of_a_state(self) -> bool:
        head = self.text.value[: tunables.HEAD]
        return bool(OF_A_STATE.search(head)) and not OF_A_BIRTH.search(head)

    @cached_property
    def _is_of_a_change(self) -> bool:
        head = self.text.value[: tunables.LETTERHEAD]
        return any(OF_A_CHANGE.search(line) for line in head.split("\n")) and (
            not OF_A_BIRTH.search(head)
        )

    def _weigh(self, fact: FoundDate) -> tuple[int, ExtractedValue[date]] | None:
        # An ambiguous date cannot be weighed.
        if fact.value is None:
            return None
        value = self.text.value
        before = words_before(value, fact.span.start, tunables.BEFORE)
        # The wider context also includes a few words after the date.
        wide = value[
            max(0, fact.span.start - 4 * tunables.BEFORE) : fact.span.end
            + tunables.AFTER
        ]
        weight, how = 0, "date without a label"
        for pattern, of_label, rule in LABELS:
            label = pattern.search(before)
            if label is None or of_label <= weight:
                continue
            start = fact.span.start - len(before) + label.start()
            if not self._is_separated(start, fact.span.start):
                weight, how = of_label, rule
        if how in {OF_FILING, FILED_HERE} and self._is_of_a_change:
            weight = 0
        if not weight and FIRST_ENTRY.match(value, fact.span.end):
            weight, how = 7, "the first entry of the extract"
        # Context alone is not enough: a date without a label stays without weight.
        if weight:
            weight += sum(extra for pattern, extra in CONTEXT if pattern.search(wide))
        weight += sum(
            less
            for pattern, less in AGAINST
            if pattern.search(before[-tunables.NEAR :])
        )
        confidence = min(0.5 + 0.06 * weight, 0.97)
        return weight, ExtractedValue(fact.value, fact.span, how, confidence)

    def _is_separated(self, start: int, end: int) -> bool:
        """Whether another date or label stands between a label and its date, so that they do not belong together.

        OCR reads a table column by column: then a label is followed by the next ones, and not by its value.
        """
        for other in self.dates:
            if other.value and start <= other.span.start and other.span.end <= end:
                return True
        lines = self.text.value[self.text.line_start(start) : end]
        first, *whole_lines = lines.split("\n")
        # “Registered” alone on its line is the state of a company.
        is_state = len(whole_lines) > 1 and len(first.split()) == 1
        return is_state or any(map(is_label, whole_lines[:-1]))

    @property
    def document_date(self) -> ExtractedValue[date] | None:
        return self.evidence.once(issue_date_of) or self.incorporation_date

    @cached_property
    def activity(self) -> ExtractedValue[str] | None:
        """What the company does according to the document.

        A clause about “any lawful business” is returned only if there is no other clause.
        """
        matches: list[re.Match[str]] = []
        for pattern in PURPOSES:
            matches += pattern.finditer(self.text.value)
        stated = [match for match in matches if not ANY_PURPOSE.search(match["value"])]
        best = next(iter(stated or matches), None)
        if best is None:
            return None
        value = " ".join(best["value"].split())
        if stated:
            how = "the clause of its purposes"
        else:
            how = "the clause of its purposes: any lawful one"
        return ExtractedValue(value, Span(*best.span("value")), how, 0.8)


def _cell_with_words_before(text: Text, name: ExtractedValue[str]) -> str:
    """Return the cell that ends with a labelled name, where it has other words before it and no label."""
    if name.how != LABELLED_FIELD:
        return ""
    for cell in cells_of(text):
        if cell.span.start < name.span.start and name.span.end == cell.span.end:
            words = text.value[cell.span.start : name.span.start]
            is_label = ":" in words or label_of(cell) is not None
            has_cell_before = text.value[cell.span.start - 1 : cell.span.start] == " "
            return cell.text if has_cell_before and not is_label else ""
    return ""


def _only_if_whole(text: Text, reading: FieldReading[str]) -> FieldReading[str]:
    """Return the reading, but only as candidates if the name may go on in the line below."""
    first = next(iter(reading.values), None)
    if first is None:
        return reading
    cell = _cell_with_words_before(text, first)
    if cell:
        # “ROBOTICS INC.” of “BOREAL ROBOTICS INC.”: the rule took the first words for those of the label.
        several = [replace(first, value=cell), *reading.values]
        return FieldReading(candidates=several[: tunables.CANDIDATES])
    whole = whole_name(text, first.span, first.value)
    if whole == first.value and not is_before_colon(text, first.span):
        return reading
    several = [*reading.values]
    if whole != first.value:
        several.insert(0, replace(first, value=whole))
    return FieldReading(candidates=several[: tunables.CANDIDATES])
