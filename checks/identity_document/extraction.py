"""The fields of passports, visas and identity cards, from their machine-readable zone."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import replace
from datetime import date

from rapidfuzz import fuzz

from checks.base import Outcome
from checks.comparisons import Comparison, absent
from checks.data_check import id_data, texts
from checks.driving_licence.front import front_of
from checks.driving_licence.reading import read_licence
from checks.evidence import Evidence
from checks.extraction.tool import Extraction, Fact, Reading
from checks.fields.extracted import ExtractedValue
from checks.fields.names.people import attested_person, compare_people
from checks.identity_document import tunables
from checks.identity_document.card_front import card_front_of
from checks.identity_document.card_reading import print_agrees, read_card
from checks.identity_document.mrz import ReadZone, zone_of
from checks.identity_document.zone_names import Names, spellings
from checks.subject_data import mrz
from checks.text.folding import folded
from checks.text.plurals import counted
from checks.text.words import Span
from papers import countries, sexes

HOW = "from the machine-readable zone"
NOTHING = "the machine-readable zone has none that could be read"
NOT_COVERED = "from the machine-readable zone; no check digit covers it"
NO_EXPIRY = "the zone of this card states none"
UNSURE = "read by one engine only, and no check digit covers it: unsure"
CUT = (
    "the names fill the zone to its end, so that a longer name is cut off there: unsure"
)
CONTINUES = "the attested name begins so; the zone has no room for more"
# A document that never expires is attested with different days of this year.
FOREVER = str(mrz.FOREVER.year)
NAMES = ("name", "first_name", "last_name")
NO_NAME = "what was read cannot be a name"
UNREADABLE_NAME = f"The name could not be read: {NO_NAME}."
SEVERAL_NAMES = (
    "OCR may have taken fillers for letters, and no check digit covers it: unsure"
)
SEVERAL_NUMBERS = (
    "its check digit is wrong, and several changes or several characters make it right"
)
LOST = "One line of the zone was not read: that of the names."
CENTURY = "a zone has two digits of the year, and the holder may be a child or a hundred years old"
COUNTRIES = {"issuing_country", "nationality"}
UNKNOWN_VALUE = "the attested value has no meaning that is known"
SEXES = {"M", "F", "X"}
KINDS = {"P": "passport", "V": "visa", "I": "identity card", "A": "identity card", "C": "identity card"}  # fmt: skip


class IdentityDocumentExtraction(Extraction):
    """Reads the machine-readable zone of ICAO 9303 on a picture of a passport, visa or card.

    Every check digit is computed anew. Characters that OCR mistakes for one another are mended
    where only a digit or only a letter can stand, and in the number where all digits hold then;
    `mended` names such fields. A number that could be mended in several ways is not. Names have no
    check digit: their last words may be filler that was misread, and such words are left away. A name
    that only one engine read, and that is not the attested one, is given as unsure and not compared;
    what cannot be a name, a sex or a state is not given.

    A driving licence has no zone: its front is read by the numbers of its fields. The front of an identity
    card is read by the labels of its fields. Where a passport has both, labelled names that are those of
    the zone make its name sure.
    """

    id = "kyc.identity_document_extraction_tool"

    def run(self, evidence: Evidence) -> Outcome:
        if not evidence.problem and self.is_blank(evidence):
            return self._without_zone(evidence)
        return super().run(evidence)

    def is_blank(self, evidence: Evidence) -> bool:
        readers = (zone_of, front_of, card_front_of)
        return all(evidence.once(reader) is None for reader in readers)

    def read(self, evidence: Evidence) -> Reading:
        read = evidence.once(zone_of)
        front = evidence.once(front_of)
        if read is None and front is not None:
            return read_licence(evidence, front)
        card = evidence.once(card_front_of)
        if read is None and card is not None:
            return read_card(evidence, card)
        assert read  # noqa: S101 - `run` asks first
        read = _with_century(evidence, _held_against_print(evidence, read))
        zone = read.zone
        kind = KINDS.get(zone.fields["code"][:1], "identity document")
        facts = _facts(read, evidence.today)
        comparisons = _comparisons(facts, evidence.attested, read)
        expired = _expired(read, evidence)
        # A name has no check digit. It is sure if two engines agree, or if it is the attested one.
        is_sure = read.names_agree
        for row in comparisons:
            # An equal attested name counts as a second reading.
            if row.field == "name" and row.state == "equal":
                is_sure = True
        unsure = [] if is_sure else list(NAMES)
        unsure += [
            key for key, fact in facts.items() if fact.candidates and key not in unsure
        ]
        article = "a"
        if kind.startswith("identity"):
            article = "an"
        return Reading(
            text=read.text,
            kind=f"This is the machine-readable zone of {article} {kind} ({zone.format}).",
            facts=facts,
            comparisons=comparisons,
            complaints=[*_complaints(read), *expired],
            failures=expired,
            notes=_notes(read, is_sure=is_sure),
            data={
                "document_type": "identity_document",
                "mrz": list(read.lines),
                "mrz_format": zone.format,
                "check_digits": list(map(_digit_to_wire, zone.digits)),
                "mended": list(read.mended),
                "unsure": unsure,
                "expired": next(iter(expired), None),
            },
        )

    def _without_zone(self, evidence: Evidence) -> Outcome:
        """Return "not applicable". The front of a card has no zone, so this is no fault of the
        document.
        """
        outcome = self._unread(evidence)
        sentences = [
            "Not checked: no machine-readable zone could be read.",
            *evidence.reading_notes,
        ]
        analysis = " ".join(sentences)
        data = outcome.payload[self.payload_key] | {
            "analysis": analysis,
            "summary": analysis,
        }
        return Outcome(
            passed=None,
            verdict="not_applicable",
            explanation=analysis,
            payload={**outcome.payload, self.payload_key: data | {"alerts": None}},
        )


def _digit_to_wire(digit: mrz.Digit) -> dict[str, object]:
    return {
        "field": digit.field,
        "found": digit.actual,
        "expected": digit.expected,
        "holds": digit.holds,
    }


def names_of(read: ReadZone) -> Names:
    """Return given names and surname, without words behind them that are no names; empty ones if there are none."""
    if read.names:
        return read.names
    several = spellings(read.zone.fields["names"])
    return several[0] if several else ("", "")


def _held_against_print(evidence: Evidence, read: ReadZone) -> ReadZone:
    """Return the zone with what makes its names sure: its letters, or the same names printed above it.

    Of several spellings the printed or the attested one counts.
    """
    if read.names_agree and not _may_be_cut(read):
        return read
    several = spellings(read.zone.fields["names"])
    for names in several:
        if print_agrees(evidence, *names):
            return replace(read, names_agree=True, names=names)
    for given_names, surname in several[1:]:
        match = compare_people(evidence.attested, f"{given_names} {surname}".strip())
        if match.state == "equal":
            return replace(read, names_agree=False, names=(given_names, surname))
    return replace(read, names_agree=False)


def _with_century(evidence: Evidence, read: ReadZone) -> ReadZone:
    """Return the zone with the date of birth in the century that the print or the attestation states."""
    card = evidence.once(card_front_of)
    days = [card.born] if card and card.born else []
    attested = str(evidence.attested.get("date_of_birth") or "")
    with suppress(ValueError):
        days.append(date.fromisoformat(attested))
    born = read.zone.birth_date
    for day in days:
        if born and mrz.may_be(day, born):
            zone = replace(read.zone, birth_date=day)
            return replace(read, zone=zone, knows_century=True)
    return read


def _may_be_cut(read: ReadZone) -> bool:
    """Whether the names fill their places to the end: there a longer name is cut off."""
    places = mrz.places_of_names(read.zone.format)
    return any(read.lines[line][end - 1] != "<" for line, _, end in places)


Part = Callable[[Names], str]


def _whole(names: Names) -> str:
    return " ".join(filter(None, names))


def _given(names: Names) -> str:
    return names[0]


def _surname(names: Names) -> str:
    return names[1]


def _facts(read: ReadZone, today: date) -> dict[str, Fact]:
    zone = read.zone
    issuer = zone.fields["issuer"]
    nation = zone.fields["nationality"]
    sex = zone.fields["sex"]
    is_issuer = countries.of_zone(issuer) is not None
    is_nation = countries.of_zone(nation) is not None
    # A card has three lines, with the names on the last one. Other documents have two lines.
    name_line, number_line = 0, 1
    if len(read.lines) == 3:
        name_line, number_line = 2, 0
    return {
        "name": _name_fact(read, _whole, name_line),
        "date_of_birth": _birth_fact(read, today),
        "document_number": _number_fact(read, number_line),
        "expiration_date": _expiry_fact(read),
        "first_name": _name_fact(read, _given, name_line),
        "last_name": _name_fact(read, _surname, name_line),
        "issuing_country": _code_fact(read, issuer, 0, is_known=is_issuer),
        "nationality": _code_fact(read, nation, 1, is_known=is_nation),
        "sex": _code_fact(read, sex, 1, is_known=sex in SEXES),
    }


def _name_fact(read: ReadZone, part: Part, line: int) -> Fact:
    """Return a name or a part of it; candidates if OCR may have read it otherwise.

    No value if the text cannot be a name.
    """
    if not names_of(read)[1]:
        return Fact(None, None, NO_NAME)
    span = _line(read, line)
    several = [names_of(read)]
    if not read.names_agree and read.names is None:
        several = spellings(read.zone.fields["names"])
    if len(several) > 1 or _is_mended_name(read):
        # A dict drops what two spellings share, and keeps the order.
        values = dict.fromkeys(map(part, several))
        candidates = []
        for value in filter(None, values):
            candidate = ExtractedValue(value, span, SEVERAL_NAMES, 0.4)
            candidates.append(candidate)
        return Fact(None, None, SEVERAL_NAMES, candidates=candidates)
    how, confidence = _doubt(read), 0.4
    if read.names_agree:
        how, confidence = NOT_COVERED, 0.8
    value = part(several[0])
    return Fact(value or None, ExtractedValue(value, span, how, confidence))


def _is_mended_name(read: ReadZone) -> bool:
    """Whether the only name that is possible has a letter in the place of a digit that was read."""
    if read.names is not None:
        return False
    printed = read.zone.fields["names"]
    return bool(re.search(r"\d", printed))


def _number_fact(read: ReadZone, line: int) -> Fact:
    """Return the number; candidates if its check digit is wrong, and more than one change mends it."""
    if not read.numbers:
        return _covered_fact(read, read.zone.fields["number"], line, "number")
    candidates = []
    for number in read.numbers:
        span = _line(read, line)
        candidates.append(ExtractedValue(number, span, SEVERAL_NUMBERS, 0.4))
    return Fact(None, None, SEVERAL_NUMBERS, candidates=candidates)


def _birth_fact(read: ReadZone, today: date) -> Fact:
    """Return the date of birth; both days where the year may be of either century."""
    born = read.zone.birth_date
    fact = _covered_fact(read, _day(born), 1, "birth")
    if born is None or fact.extracted is None or read.knows_century:
        return fact
    earlier = mrz.a_century_before(born)
    if earlier is None or today.year - earlier.year > tunables.OLDEST_OF_ZONE:
        return fact
    candidates = []
    for day in (born, earlier):
        candidates.append(replace(fact.extracted, value=_day(day), how=CENTURY))
    return Fact(None, None, CENTURY, candidates=candidates)


def _doubt(read: ReadZone) -> str:
    return CUT if _may_be_cut(read) else UNSURE


def _covered_fact(read: ReadZone, value: str, line: int, field: str) -> Fact:
    """Return a field that has its own check digit."""
    if not value:
        return Fact(None, None, NOTHING)
    if any(digit.field == field for digit in read.broken):
        return Fact(None, None, "its check digit is wrong")
    return Fact(value, ExtractedValue(value, _line(read, line), HOW, 0.95))


def _expiry_fact(read: ReadZone) -> Fact:
    if read.zone.format == mrz.OLD_FRENCH:
        return Fact(None, None, NO_EXPIRY)
    return _covered_fact(read, _day(_expiry(read.zone)), 1, "expiry")


def _code_fact(read: ReadZone, value: str, line: int, *, is_known: bool) -> Fact:
    """Return a code of the standard, which no check digit covers."""
    if not value:
        return Fact(None, None, NOTHING)
    if not is_known:
        return Fact(None, None, "what was read is not a code of the standard")
    return Fact(value, ExtractedValue(value, _line(read, line), NOT_COVERED, 0.7))


def _expiry(zone: mrz.Zone) -> date | None:
    """Return the date of expiry; None if it would be before the birth of the holder."""
    born = zone.birth_date
    expires = zone.expiry_date
    if born and expires and expires <= born:
        return None
    return expires


def _line(read: ReadZone, number: int) -> Span:
    start = sum(len(line) + 1 for line in read.lines[:number])
    return Span.of(start, read.lines[number])


def _day(day: date | None) -> str:
    if day is None:
        return ""
    return day.isoformat()


def _complaints(read: ReadZone) -> list[str]:
    complaints = []
    for digit in read.broken:
        complaints.append(
            f"Wrong check digit of {mrz.DIGIT_NAMES[digit.field]}: {digit.actual} instead of {digit.expected}."
        )
    if not names_of(read)[1] or _is_mended_name(read):
        complaints.append(UNREADABLE_NAME)
    if read.zone.birth_date is None:
        complaints.append("Its date of birth could not be read.")
    states_expiry = not read.zone.format.startswith(("MRV", mrz.OLD_FRENCH))
    if _expiry(read.zone) is None and states_expiry:
        complaints.append("Its date of expiry could not be read.")
    return complaints


def _expired(read: ReadZone, evidence: Evidence) -> list[str]:
    """Return a complaint if the document has expired.

    A date with a wrong check digit does not count.
    """
    if read.zone.issued:
        return _expired_at_the_latest(read, evidence.today)
    expires = _expiry(read.zone)
    is_wrong = any(digit.field == "expiry" for digit in read.broken)
    if expires is None or is_wrong or expires >= evidence.today:
        return []
    days = counted((evidence.today - expires).days, "day")
    return [f"It expired on {expires.isoformat()}, {days} ago."]


def _expired_at_the_latest(read: ReadZone, today: date) -> list[str]:
    """Return a complaint if even the longest validity of an old French card is over.

    The card states no date of expiry. Its number, which contains the month of issue, has a check
    digit.
    """
    issued = read.zone.issued
    is_wrong = any(digit.field == "number" for digit in read.broken)
    if issued is None or is_wrong:
        return []
    # The zone states the month of issue but not the day, so the card may be valid until the end of
    # the month.
    years = today.year - issued.year
    months = years * 12 + today.month - issued.month
    if months <= tunables.OLD_FRENCH_MONTHS:
        return []
    return [f"It was issued in {issued:%Y-%m}, and cards of its form have expired."]


def _notes(read: ReadZone, *, is_sure: bool) -> list[str]:
    notes = []
    if read.is_partial:
        notes.append(LOST)
    if not read.broken:
        mended = ", once misread characters are corrected" if read.mended else ""
        covered = ", ".join(mrz.DIGIT_NAMES[digit.field] for digit in read.zone.digits)
        notes.append(
            f"The check digits are right ({covered}){mended}. None covers the name, sex or countries."
        )
    if names_of(read)[1] and not is_sure:
        notes.append(f"Name: {_doubt(read)}.")
    if read.zone.issued:
        notes.append(
            f"It was issued in {read.zone.issued:%Y-%m}; its zone states no date of expiry."
        )
    if read.mended:
        notes.append(
            f"Corrected, as OCR mistakes such characters: {', '.join(dict.fromkeys(read.mended))}."
        )
    return notes


def _comparisons(
    facts: Mapping[str, Fact], attested: Mapping[str, object], read: ReadZone
) -> list[Comparison]:
    card = id_data(attested)
    person = attested_person(attested)
    compared = [_compare_names(facts["name"], attested, person, read)]
    for key, label, attested_value in (
        ("date_of_birth", "Date of birth", attested.get("date_of_birth")),
        ("document_number", "Number of the document", card.get("document_number")),
        ("expiration_date", "Valid until", card.get("expiration_date")),
        ("issuing_country", "Issued by", card.get("issuing_country")),
        ("nationality", "Nationality", attested.get("country_of_nationality")),
    ):
        compared.append(_compare(key, label, attested_value, facts[key], read))
    # Many forms do not ask for it, and a row for nothing would stand on every passport.
    if attested.get("sex"):
        compared.append(_compare("sex", "Sex", attested["sex"], facts["sex"], read))
    return [row for row in compared if row.attested or row.extracted]


def _compare_names(
    name: Fact, attested: Mapping[str, object], person: str, read: ReadZone
) -> Comparison:
    gap = absent("name", "Name", person, name.wire)
    if gap or name.extracted is None:
        return gap or Comparison(
            "name", "Name", person, None, "cannot_compare", name.how
        )
    match = compare_people(attested, str(name.wire))
    boxes = read.text.boxes(name.extracted.span)
    # The name agrees, or two engines read the same other name.
    if match.state == "equal" or read.names_agree:
        return Comparison(
            "name", "Name", person, name.wire, match.state, match.how, boxes
        )
    if _may_be_cut(read) and _begins(attested, str(name.wire)):
        return Comparison("name", "Name", person, name.wire, "close", CONTINUES, boxes)
    if not _may_be_misread(attested, str(name.wire)):
        how = f"{match.how}; {_doubt(read)}"
        return Comparison("name", "Name", person, name.wire, match.state, how, boxes)
    # A name in which OCR misread a letter also differs, so a difference says nothing about the
    # person.
    return Comparison(
        "name", "Name", person, name.wire, "cannot_compare", _doubt(read), boxes
    )


def _begins(attested: Mapping[str, object], extracted: str) -> bool:
    """Whether each word of the name is attested, or the beginning of an attested word."""
    words = folded(attested_person(attested)).split()
    return all(
        any(word.startswith(part) for word in words)
        for part in folded(extracted).split()
    )


def _may_be_misread(attested: Mapping[str, object], extracted: str) -> bool:
    """Whether each attested name is in the text that was read, apart from confused letters."""
    parts = []
    for key in ("first_name", "last_name"):
        parts.append(folded(str(attested.get(key) or "")))
    read = folded(extracted)
    return all(
        fuzz.partial_ratio(part, read) >= tunables.MISREAD for part in parts if part
    )


def _compare(
    key: str, label: str, attested: object, fact: Fact, read: ReadZone
) -> Comparison:
    gap = absent(key, label, attested, fact.wire)
    if gap or fact.extracted is None:
        return gap or Comparison(key, label, attested, None, "cannot_compare", fact.how)
    boxes = read.text.boxes(fact.extracted.span)
    if _is_same(key, attested, str(fact.wire)):
        return Comparison(key, label, attested, fact.wire, "equal", "the same", boxes)
    if not _is_known(key, attested):
        return Comparison(
            key, label, attested, fact.wire, "cannot_compare", UNKNOWN_VALUE, boxes
        )
    if key == "document_number" and _is_personal_number(read, str(attested)):
        of_holder = read.zone.fields["optional"]
        return Comparison(key, label, attested, of_holder, "equal", "the same", boxes)
    return Comparison(key, label, attested, fact.wire, "differs", "different", boxes)


def _is_personal_number(read: ReadZone, attested: str) -> bool:
    """Whether a check digit covers the attested number in the optional data: the Spanish DNI stands there."""
    covered = ("composite", "optional")
    is_sure = any(mrz.has_right_digit(read.zone, field) for field in covered)
    return is_sure and mrz.states_number(read.zone, attested)


def _is_known(key: str, attested: object) -> bool:
    """Whether the value can be compared: “British” is no country, and “diverse” no letter of a zone."""
    if key in COUNTRIES:
        return any(map(_country, _several(attested)))
    if key == "sex":
        return bool(_sex(str(attested)))
    return True


def _several(attested: object) -> list[str]:
    """Return the values of a list or of a text such as “US / GB”, as people with two nationalities write."""
    values = []
    for value in texts(attested):
        values += [value, *re.split(r"[,;/]", value)]
    return values


def _country(value: str) -> str:
    return (
        countries.code(value.strip()) or countries.of_zone(value.strip().upper()) or ""
    )


def _sex(value: str) -> str:
    upper = value.strip().upper()
    return sexes.letter(value).upper() or (upper if upper in SEXES else "")


def _is_same(key: str, stated: object, read: str) -> bool:
    if key in COUNTRIES:
        # A code that is known to nobody is the same where it is written alike.
        of_zone = _country(read) or read.upper()
        return of_zone in {_country(part) or part.upper() for part in _several(stated)}
    attested = str(stated)
    if _plain(key, attested) == _plain(key, read):
        return True
    if key != "date_of_birth":
        return False
    try:
        days = date.fromisoformat(attested), date.fromisoformat(read)
    except ValueError:
        return False
    # A zone has two digits of the year, which do not tell 1925 from 2025.
    return mrz.may_be(*days)


def _plain(key: str, value: str) -> str:
    upper = value.upper()
    if key == "expiration_date" and upper.startswith(FOREVER):
        return FOREVER
    if key == "sex":
        return _sex(value)
    return re.sub(r"[^A-Z0-9]", "", upper)
