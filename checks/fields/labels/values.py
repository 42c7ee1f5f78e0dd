"""The values of labels as fields: names, numbers, dates, addresses and the seat."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from checks.fields import tunables
from checks.fields.addresses.postal import Address
from checks.fields.addresses.whole import address_of_lines
from checks.fields.dates import DateOrder, find_dates
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import Jurisdiction, place_named
from checks.fields.labels.pairs import Pair
from checks.fields.layout.label_cells import labels
from checks.fields.names.companies import clean, is_plausible
from checks.fields.names.soundness import without_notes
from checks.fields.registration_numbers import is_year
from checks.text.characters import count_digits
from checks.text.folding import folded
from checks.text.words import Span

# A value that begins like this is the rest of a sentence or of a heading, so that its label is
# none.
NO_VALUE = re.compile(
    r"^(?:of|and|or|und|et|y|e|en|i|og|och|ja|in|as|is|are|was|shall|may|must|can|for|to|the (?!\w+ )|if|not|listed|"
    r"per|ist|wird|est|es|será|è|é|jest|är|er|on|by|at|with|which|that|this|any|no(?!\.? ?\d)|none|n/?a|nil|[-\u2013—.]+)(?:\W|$)",
    re.IGNORECASE,
)
# “Firma, Sitz, Dauer und Zweck”: the heading of an article about several things.
HEADING = re.compile(
    r"^(?:sitz|siège|sede|domicilio|zetel|dauer|durée|duración|durata|zweck|objet|objeto|oggetto|capital|history)(?:,|$| und | et | y | e | en )",
    re.IGNORECASE,
)
# The office that somebody holds, in a column that a word such as “Designation” heads.
OF_OFFICER = re.compile(
    r"(?:(?:managing|company|joint|alternate|nominee) )?(?:directors?|secretary|shareholders?|managers?|members?|partners?|president|treasurer|chair(?:man|woman|person)?|auditors?)",
    re.IGNORECASE,
)
# “1: ALFA S.A. (wykreślono) 2: BETA S.A.”: the history of the entry.
HISTORY = re.compile(
    r"^\d{1,2}[:.)] .+ \d{1,2}[:.)] |\((?:wykreślono|gelöscht|radiée?|cancelled|deleted|cancelad[oa]|zrušeno|törölve)\)",
    re.IGNORECASE,
)
# “Former name if any”: the label of another row.
OF_FORMER = re.compile(
    r"^(?:former|previous|old|past|prior)(?: \w+)? names?\b", re.IGNORECASE
)
# “idCIF: 1804”: the value is a number with its own label.
ANOTHER_LABEL = re.compile(r"\w: ?\d")
# A business may trade under another name than that of the company.
OF_TRADE = frozenset({"trade name", "commercial name", "business name", "nome"})
# “Naam in het Nederlands, sinds 12 maart 2020”: a remark on the language of a name, and since when
# it is valid. An address has such a remark, too.
NOTE_BEHIND = re.compile(
    r"\s+(?:\(?(?:naam|name|dénomination|bezeichnung) (?:in|en|auf)\b[^\n]{3,40}?,? )?\(?(?:sinds|since|depuis|seit|desde|dal)\s[^\d]{0,3}[\s\S]{0,20}?(?:19|20)\d\d\)?$",
    re.IGNORECASE | re.MULTILINE,
)
LEADERS_WITHIN = re.compile(r"(?:[._…] ?){4,}")
NUMBER = re.compile(
    r"[^\w\n]*(?P<number>(?:[A-Z]{1,6}[ ./-]{0,2}|(?:[A-Z]{1,6}/){2,3})?\d[\dA-Z]*(?:[ ./\uff0d\u2010\u2013-]{1,3}[\dA-Z]{1,10}(?!\w)){0,6})"
)
# “812 345 678 R.C.S. Paris”: the register follows the number. One letter alone belongs to it: “18842/B”.
LETTERS_BEHIND = re.compile(r"(?<=\d)[ ./-]+[A-Z](?:[. ]+[A-Z]{1,3})+$")
# A word in capitals behind the number is the label of the next one, or the rest of a sentence.
WORD_BEHIND = re.compile(r"(?<=\d) +(?:[A-Z]{3,}|IS|IN|ON|TO|BY|AT|AS|OF)$")
# “20604188205 - ALPACAS DEL LAGO”: words behind a number, of which none has a digit.
WORDS_BEHIND_NUMBER = re.compile(r"(?<=\d)[ ./\uff0d\u2010\u2013-]+(?=[A-Z]{4})[^\d]*$")
# The rest of a number below a hyphen, alone on its line.
REST_OF_NUMBER = re.compile(r"\s*[\dA-Z]{1,8}\s*(?=\n|$)")
# “901418822 6. DV 1 12. Dirección”: the next numbered field of a form in the same cell. The last digits of a
# number that is written in groups may end a sentence, too: “41 88 27 04. Hovedkontor i Aarhus”.
NEXT_FIELD = re.compile(
    r"(?:(?<=\d{5})|(?<=\.\d{3})|(?<=-\d))\s+\d{1,2}\.\s+(?=[^\W\d]{2}).*$"
)
MISREAD_STROKE = re.compile(r"^(?P<number>\d+ ?/ ?\d+) ?\| ?(?P<end>\d{2})\b")
A_DATE = re.compile(r"^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$")


def _values(pairs: Sequence[Pair], *fields: str) -> Iterator[Pair]:
    for pair in pairs:
        if pair.field in fields and not NO_VALUE.match(pair.value):
            yield pair


def labelled_names(pairs: Sequence[Pair]) -> list[ExtractedValue[str]]:
    """Return the names behind labels, the most trusted first.

    Of labels of a single word only the first counts.
    """
    names: list[ExtractedValue[str]] = []
    has_weak = False
    for pair in _values(pairs, "name"):
        # On a form the first “Name” is that of the company; later ones are those of officers and
        # signatories.
        if pair.weak and (has_weak or not pair.sure):
            continue
        name = without_notes(clean(NOTE_BEHIND.sub("", pair.value)))
        if not _may_be_name(pair, name):
            continue
        has_weak = has_weak or pair.weak
        how = f"labelled “{pair.label}”"
        names.append(ExtractedValue(name, pair.span, how, _confidence(pair)))
    return sorted(names, key=lambda name: -name.confidence)


def _confidence(pair: Pair) -> float:
    confidence = tunables.LABELLED
    if pair.weak:
        confidence -= tunables.LESS_IF_WEAK
    if not pair.sure:
        confidence -= tunables.LESS_IF_NOT_PARTED
    if pair.apart:
        confidence -= tunables.LESS_IF_APART
    if pair.label in OF_TRADE:
        confidence -= tunables.LESS_IF_OF_TRADE
    return round(confidence, 2)


def _may_be_name(pair: Pair, name: str) -> bool:
    if (
        not is_plausible(name)
        or ANOTHER_LABEL.search(name)
        or HEADING.match(name)
        or OF_OFFICER.fullmatch(name)
        or OF_FORMER.match(name)
        or HISTORY.search(" ".join(pair.value.split()))
        or LEADERS_WITHIN.search(pair.value)
    ):
        return False
    if len(name.split()) > tunables.NAME_WORDS or folded(name) in labels():
        return False
    # A value that ends with a label has run into the next field.
    last_words = folded(name).split()
    for count in (2, 3):
        if " ".join(last_words[-count:]) in labels():
            return False
    first = next(filter(str.isalnum, name), "")
    return pair.sure or not first.islower()


def _may_be_of_another(pair: Pair) -> bool:
    """Whether a label is a short single word without a separator, which may be any word of a
    sentence.
    """
    return pair.weak and not pair.sure and len(pair.label) < tunables.LONG_LABEL


def labelled_numbers(
    pairs: Sequence[Pair], *fields: str
) -> list[ExtractedValue[tuple[str, str]]]:
    """Return labels with their numbers, in the order of the text."""
    numbers: list[ExtractedValue[tuple[str, str]]] = []
    for pair in pairs:
        if pair.field not in fields or _may_be_of_another(pair):
            continue
        line = _whole_number(pair.value)
        match = NUMBER.match(line)
        if not match:
            continue
        number = match["number"].rstrip(" ./-")
        digits = count_digits(number)
        # Chinese and Japanese papers write digits of full width.
        number = unicodedata.normalize("NFKC", number)
        number = WORDS_BEHIND_NUMBER.sub("", number)
        number = LETTERS_BEHIND.sub("", number)
        number = WORD_BEHIND.sub("", number)
        is_short = digits < tunables.NUMBER_DIGITS
        # Too few digits for a number of a register, or mostly letters.
        if is_short or digits < len(re.sub(r"\W", "", number)) / 3:
            continue
        if A_DATE.match(number) or is_year(number):
            continue
        start = pair.span.start + match.start("number")
        span = Span.of(start, number)
        how = f"labelled “{pair.label}”"
        value = (pair.label, number)
        numbers.append(ExtractedValue(value, span, how, _confidence(pair)))
    return numbers


def _whole_number(value: str) -> str:
    """The first line, with the second one where the number is broken behind a hyphen or a stroke."""
    first, _, rest = value.partition("\n")
    end = REST_OF_NUMBER.match(rest)
    if end and first.rstrip()[-1:] in {"-", "/"}:
        return f"{first.rstrip()}{end[0].strip()}"
    first = NEXT_FIELD.sub("", first)
    # OCR may read a stroke within spaces as the line of a table: “2021 / 588412 | 07”.
    return MISREAD_STROKE.sub(r"\g<number>/\g<end>", first)


def labelled_dates(
    pairs: Sequence[Pair],
    order: DateOrder,
    field: str = "date",
    *,
    latest: date,
) -> list[ExtractedValue[date]]:
    """Return the dates behind labels of an incorporation or a registration.

    These days are past: a year of two digits is never behind `latest`.
    """
    dates: list[ExtractedValue[date]] = []
    for pair in pairs:
        if pair.field != field:
            continue
        for fact in find_dates(pair.value, order, latest)[:1]:
            # A date far behind its label belongs to a sentence.
            if fact.value is None or fact.span.start > tunables.DATE_BEHIND_LABEL:
                continue
            how = f"labelled “{pair.label}”"
            dates.append(ExtractedValue(fact.value, pair.span, how, _confidence(pair)))
    return dates


def _with_town(pairs: Sequence[Pair]) -> Iterator[Pair]:
    """Yield the addresses. If the line of the town has a label of its own, it is added."""
    own = [pair for pair in pairs if pair.field in {"address", "postcode_city"}]
    for index, pair in enumerate(own):
        if pair.field != "address" or NO_VALUE.match(pair.value):
            continue
        following = own[index + 1] if index + 1 < len(own) else None
        if following and following.field == "postcode_city":
            pair = replace(pair, value=f"{pair.value}\n{following.value}")
        yield pair


def labelled_addresses(
    pairs: Sequence[Pair], country: str
) -> list[ExtractedValue[Address]]:
    """Return the addresses behind the labels of an office or a seat, in the order of the text."""
    addresses: list[ExtractedValue[Address]] = []
    for pair in _with_town(pairs):
        if not pair.sure:
            continue
        address = address_of_lines(NOTE_BEHIND.sub("", pair.value), country)
        if address is not None:
            how = f"labelled “{pair.label}”"
            addresses.append(ExtractedValue(address, pair.span, how, _confidence(pair)))
    return addresses


def labelled_seat(pairs: Sequence[Pair]) -> ExtractedValue[Jurisdiction] | None:
    """Return the country or state behind a label such as “place of incorporation”."""
    for pair in _values(pairs, "seat"):
        place = place_named(pair.value.split("\n")[0])
        if pair.sure and place is not None:
            how = f"labelled “{pair.label}”"
            return ExtractedValue(place, pair.span, how, _confidence(pair))
    return None
