"""Postal addresses, read backwards from their postal code, with the role that the text
gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass

from checks.data import table
from checks.fields import tunables
from checks.fields.addresses.continental import find_places
from checks.fields.addresses.lines import (
    IN_SENTENCE,
    STREET_TYPES,
    parts_of,
    without_place_phrases,
)
from checks.fields.dates import MONTHS
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import states
from checks.fields.layout.cells import cells_of
from checks.text.characters import has_digit
from checks.text.flow import flowing
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

STATE_NAMES = "|".join(sorted(states(), key=len, reverse=True)).replace(" ", r"\s+")
STATE_CODES = "|".join(row["code"] for row in table("us_states"))
US_CODE = re.compile(
    rf"(?:\b(?P<state>(?i:{STATE_NAMES})|{STATE_CODES})\b\.?,?[ \n]+)"
    r"(?:(?:USA?|U\.S\.(?:A\.)?|United States(?: of America)?),?[ \n]+)?(?:(?i:zip(?:[ \n]code)?):?[ \n]+)?"
    r"(?P<code>\d{5}(?:-\d{4})?)\b"
)
# Statutory wordings name the state before the address and do not repeat it, so that only “zip code”
# introduces the code.
US_ZIP = re.compile(r"\b(?i:zip(?:[ \n]code)?):?[ \n]+(?P<code>\d{5}(?:-\d{4})?)\b")
# “in the City of Wilmington, County of New Castle, 19801”
US_COUNTY = re.compile(r"\bCounty of [A-Z][\w ]{2,25},?[ \n]+(?P<code>\d{5})\b")
US_STATE_BEFORE = re.compile(rf"\b(?P<state>(?i:{STATE_NAMES}))\b")
UK_CODE = re.compile(r"\b(?P<code>[A-Z]{1,2}\d[A-Z\d]?[ \n]?\d[A-Z]{2})\b")
CANADIAN_CODE = re.compile(
    r"\b(?P<state>[A-Z]{2}|Alberta|British Columbia|Manitoba|New Brunswick|Newfoundland and Labrador|Nova Scotia|Ontario"
    r"|Prince Edward Island|Qu[eé]bec|Saskatchewan),?[ \n]+(?:Canada,?[ \n]+)?(?P<code>[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d)\b"
)
INDIAN_STATES = "|".join(row["name"] for row in table("indian_states")).replace(
    " ", r"\s+"
)
INDIAN_CODE = re.compile(
    rf"\b(?P<state>{INDIAN_STATES})[ ,\n]*(?:India,?[ \n]*)?(?:[-\u2013]|PIN(?: Code)?:?)?[ \n]*"
    r"(?P<code>[1-9]\d{2} ?\d{3})\b",
    re.IGNORECASE,
)
INDIAN_CODE_FIRST = re.compile(
    rf"[-\u2013, ]+(?P<code>[1-9]\d{{2}} ?\d{{3}}),?\s+(?P<state>{INDIAN_STATES})\b",
    re.IGNORECASE,
)
AUSTRALIAN_CODE = re.compile(
    r"\b(?P<state>NSW|VIC|QLD|WA|SA|TAS|ACT|NT)[ \n]+(?P<code>\d{4})\b"
)
SINGAPORE_CODE = re.compile(r"\b(?:SINGAPORE|Singapore) \(?(?P<code>\d{6})\)?")
CODES = (
    ("US", US_CODE),
    ("US", US_ZIP),
    ("US", US_COUNTY),
    ("GB", UK_CODE),
    ("CA", CANADIAN_CODE),
    ("AU", AUSTRALIAN_CODE),
    ("SG", SINGAPORE_CODE),
    ("IN", INDIAN_CODE),
    ("IN", INDIAN_CODE_FIRST),
)
START = re.compile(
    r"(?i:\bP\.? ?O\.? ?BOX \d+)|(?i:\b(?:flat|unit|suite|plot|shop|floor|level|no\.?|door)[- ]?\w{0,5},? ?\d)"
    r"|(?<![-$/.,\d(])\b\d{1,6}[A-Z]?(?:[/-]\d{1,5}[A-Z]?){0,3},? +(?:[NSEW]\.? )?(?=[A-Z0-9])"
    # A line may end after the house number.
    rf"|(?<![-$/.,\d(])\b\d{{1,6}}\n(?=(?:[A-Z][\w'\u2019.]*[ \n]){{1,3}}(?=[A-Z])(?i:{STREET_TYPES})\b)"
)
# “April 12” is a date and not house number 12.
MONTH_BEHIND = re.compile(rf"\d{{1,2}} (?:{'|'.join(MONTHS)})\b", re.IGNORECASE)
MONTH_BEFORE = re.compile(rf"\b(?:{'|'.join(MONTHS)})\.?\s*$", re.IGNORECASE)
BLOCK_BEFORE = re.compile(r"(?:[A-Z]{1,2}[- ]?\d{0,4}[,/ -]+){1,3}")
SENTENCE = re.compile(
    r"\.\s+[A-Z][a-z]+ [a-z]+|[;:]\s|\b(?:is|are|was|shall|the|and address)\b"
)
LABEL = re.compile(r"(?i)\b(?:office|address|seat|place of business)\b[^:\n]{0,60}:\s*")
ROLES = (
    (
        "registered_office",
        Phrase(
            r"registered office|address of (?:the )?(?:company|corporation)|siège|statutory seat|geschäftsanschrift|domicilio social|sede (?:legale|social)|statutaire zetel"
        ),
    ),
    (
        "principal_office",
        Phrase(
            r"principal (?:office|place)|place of business|business address|principal executive office|head office|office of (?:the|this) corporation|street address of (?:the|this) (?:company|corporation)"
        ),
    ),
    ("mailing_address", Phrase(r"mailing address")),
    (
        "registered_agent",
        Phrase(
            r"(?:registered|statutory|resident|commercial|initial) agent|agent for service|agent in"
        ),
    ),
    ("incorporator", Phrase(r"incorporators?\b|organizers?\b|subscribers?\b")),
    ("director", Phrase(r"\bdirectors?\b|\bmanagers?\b|\bmembers?\b")),
    ("service_address", Phrase(r"service address")),
)
OWN_ROLES = ("registered_office", "principal_office", "mailing_address")


@dataclass(frozen=True, slots=True)
class Address:
    street_1: str = ""
    street_2: str | None = None
    city: str = ""
    state: str = ""
    country_code: str = ""
    postal_code: str = ""

    def to_wire(self) -> dict[str, object]:
        return {"type": "Address", **asdict(self)}

    def __str__(self) -> str:
        code = f"{self.state} {self.postal_code}".strip()
        parts = (self.street_1, self.street_2, self.city, code)
        return ", ".join(filter(None, parts))


@dataclass(frozen=True, slots=True)
class PlacedAddress:
    role: str
    address: Address


def find_addresses(text: Text) -> list[ExtractedValue[PlacedAddress]]:
    """Return every address of the text, each once in each of its roles."""
    # A line feed ends the last cell of a row.
    ends = [cell.span.end for cell in cells_of(text)]
    gaps = []
    for end in ends:
        if text.value[end : end + 1] == " ":
            gaps.append(end)
    return find_in(text.value, flowing(text), gaps)


def find_in(
    value: str, joined: str | None = None, gaps: Sequence[int] = ()
) -> list[ExtractedValue[PlacedAddress]]:
    """Return the addresses of a string, such as the lines of a cell.

    `joined` is the same text with the lines of running text joined. It must have the same length,
    because the positions of both are compared. `gaps` are the places where a cell of a row ends.
    """
    addresses: dict[str, ExtractedValue[PlacedAddress]] = {}
    for placed in _before_codes(value):
        addresses.setdefault(_key(placed.value), placed)
    # Addresses of the second form are accepted only where the first form found none: “12345” may
    # look like a code on either side of a town.
    for placed in _with_code_before_town(joined or value, gaps):
        if not _overlaps(placed.span, addresses.values()):
            addresses.setdefault(_key(placed.value), placed)
    return list(addresses.values())


def _key(placed: PlacedAddress) -> str:
    return folded(f"{placed.role} {placed.address}")


def _overlaps(span: Span, addresses: Iterable[ExtractedValue[PlacedAddress]]) -> bool:
    for address in addresses:
        other = address.span
        if other.start < span.end and span.start < other.end:
            return True
    return False


def _before_codes(value: str) -> Iterator[ExtractedValue[PlacedAddress]]:
    """Yield the addresses that end with a postal code, read backwards from it."""
    codes = sorted(_codes(value), key=lambda code: code[1].start())
    previous_end = 0
    for country, match in codes:
        start = _start(value, match, country, previous_end)
        previous_end = match.end()
        if start is None:
            continue
        before = value[max(0, start - 60) : start]
        in_sentence = bool(IN_SENTENCE.search(before))
        parts = parts_of(value[start : match.start()], in_sentence=in_sentence)
        state = _state(value[:start], match, country)
        address = _parse(parts, state, match, country)
        if address is not None:
            how = "read back from its postal code; its role from the words before it"
            span = Span(start, match.end())
            yield _placed(value, address, span, how, 0.9)


def _with_code_before_town(
    value: str, gaps: Sequence[int]
) -> Iterator[ExtractedValue[PlacedAddress]]:
    """Yield addresses of continental Europe, with the postal code before the town."""
    for place in find_places(value, gaps):
        address = Address(place.street, None, place.town, "", place.country, place.code)
        how = "a street, a postal code and a town; its role from the words before it"
        yield _placed(value, address, Span(place.start, place.end), how, 0.85)


def _placed(
    value: str, address: Address, span: Span, how: str, confidence: float
) -> ExtractedValue[PlacedAddress]:
    role = _role(value, span.start)
    if role == "other":
        # An address without introducing words may belong to anyone.
        confidence -= 0.15
    return ExtractedValue(PlacedAddress(role, address), span, how, round(confidence, 2))


def _codes(value: str) -> Iterator[tuple[str, re.Match[str]]]:
    starts: set[int] = set()
    for country, pattern in CODES:
        for match in pattern.finditer(value):
            if match.end() not in starts:
                starts.add(match.end())
                yield country, match


# What a post office prints above the window: “004482.448207 1 AB 0.507 540”.
OF_THE_POST = re.compile(r"[^\n]*\b[A-Z]{2} \d\.\d{3}\b[^\n]*\n")


def _start(value: str, match: re.Match[str], country: str, previous: int) -> int | None:
    """Return where the street begins: the first number before the code with no end of a sentence
    between. None if there is none.
    """
    # No address continues over the end of a page or a block.
    page = value.rfind("\f", 0, match.start()) + 1
    floor = max(previous, page, match.start() - tunables.REACH)
    lines = value[floor : match.start()].split("\n")[-5:]
    window = "\n".join(lines)
    window = OF_THE_POST.split(window)[-1]
    floor = match.start() - len(window)
    # A label with a colon is the best evidence for the beginning, so it is tried first.
    label = _after_label(window)
    if label is not None:
        return floor + label
    for start in START.finditer(window):
        is_date = MONTH_BEHIND.match(window, start.start())
        if is_date or MONTH_BEFORE.search(window[: start.start()]):
            continue
        street = window[start.start() :]
        if len(street) > 5 and not SENTENCE.search(without_place_phrases(street)):
            return floor + _with_prefix(window, start.start())
    if country == "GB" and len(lines) >= 3:
        # British houses may have a name and no number: accept a block of short lines, at most three
        # before the code.
        block = lines[-4:]
        if all(map(_may_be_part, block)):
            return match.start() - len("\n".join(block))
    return None


def _may_be_part(line: str) -> bool:
    """Whether a line is short enough to be a part of an address, and not a sentence."""
    return len(line) <= 40 and not SENTENCE.search(line)


def _with_prefix(window: str, start: int) -> int:
    """Return the start of the line if only letters of a block precede the number: `B 10, 10/3/1,
    Sector 4`.
    """
    line = window.rfind("\n", 0, start) + 1
    if BLOCK_BEFORE.fullmatch(window[line:start]):
        return line
    return start


def _after_label(window: str) -> int | None:
    """Return where the block behind the last label with a colon begins, or None.

    The first line is skipped if it has no digit but the next one has: it is the name of whoever is
    there.
    """
    labels = list(LABEL.finditer(window))
    if not labels:
        return None
    start = labels[-1].end()
    first, _, rest = window[start:].partition("\n")
    if not _has_digit(first) and re.match(r"[^\n]*\d", rest):
        start += len(first) + 1
    block = window[start:]
    if SENTENCE.search(block) or not _has_digit(block):
        return None
    # An address has at most five lines.
    if block.count("\n") > 4:
        return None
    return start


def _has_digit(text: str) -> bool:
    return has_digit(text)


def _state(before: str, match: re.Match[str], country: str) -> str:
    """Return the state beside the code.

    For a US address without one, return the last state that is named before it.
    """
    beside = match.groupdict().get("state") or ""
    if beside or country != "US":
        return " ".join(beside.split())
    last = ""
    for state in US_STATE_BEFORE.finditer(before[-tunables.REACH :]):
        last = state["state"]
    return " ".join(last.split())


def _parse(
    parts: list[str], state: str, match: re.Match[str], country: str
) -> Address | None:
    code = " ".join(match["code"].split())
    if country == "GB" and " " not in code:
        # OCR often loses the space before the last three characters.
        code = f"{code[:-3]} {code[-3:]}"
    if country == "SG":
        parts.append("Singapore")
    # Without separators it is not known where the street ends and the town begins.
    if len(parts) < 2:
        return _parse_unseparated(parts, state, code, country)
    city = parts.pop()
    street, *rest = parts
    return Address(
        street_1=street,
        street_2=", ".join(rest) or None,
        city=city,
        state=_state_code(state, country),
        country_code=country,
        postal_code=code,
    )


def _parse_unseparated(
    parts: list[str], state: str, code: str, country: str
) -> Address | None:
    """Return a line without commas as a whole: nothing shows where its street ends."""
    if not parts:
        return None
    return Address(parts[0], None, "", _state_code(state, country), country, code)


def _state_code(state: str, country: str) -> str:
    if country == "US":
        return states().get(state.lower(), state.upper())
    return state


def _role(value: str, start: int) -> str:
    """Return the role that is named last before the address, or "other"."""
    before = value[max(0, start - 170) : start]
    roles = [(-1, "other")]
    for role, pattern in ROLES:
        for match in pattern.finditer(before):
            roles.append((match.start(), role))
    _, last_role = max(roles)
    return last_role


def address_from_wire(value: object) -> Address | None:
    if not isinstance(value, dict):
        return None
    texts = {}
    for key in Address.__slots__:
        texts[key] = str(value.get(key) or "")
    street_2 = texts.pop("street_2") or None
    address = Address(street_2=street_2, **texts)
    if address.street_1 or address.postal_code:
        return address
    return None
