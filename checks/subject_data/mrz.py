"""The machine-readable zone of ICAO 9303: TD1, TD2, TD3, MRV-A, MRV-B, with check digits.

It also reads the zone of French identity cards from 1988 to 2021, which has its own format: the
second line has the month of issue, the given names and the date of birth, and there is no date of
expiry.
"""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import cycle

from checks.subject_data import tunables
from checks.text.characters import only_letters_and_digits

# The value of a character in a check digit: a digit is itself, A is 10, Z is 35, the filler is 0.
_VALUES = {
    character: int(character, 36)
    for character in string.digits + string.ascii_uppercase
} | {"<": 0}
# Characters that OCR confuses, for places that allow only digits, and for places that allow only
# letters.
_TO_DIGITS = str.maketrans("OQDILZSBG", "000112586")
_TO_LETTERS = str.maketrans("012568", "OIZSGB")

# What each check digit covers, in words for pages.
DIGIT_NAMES = {
    "number": "number",
    "birth": "date of birth",
    "expiry": "date of expiry",
    "optional": "optional data",
    "composite": "number and dates together",
}

_Place = tuple[int, int, int]  # line, start, end

OLD_FRENCH = "French card before 2021"
START_OF_OLD_FRENCH = "IDFRA"
# Spanish cards that never expire have this date in the zone, and 01-01-9999 on the front.
SPANISH_FOREVER = ("ESP", "990101")
FOREVER = date(9999, 1, 1)


@dataclass(frozen=True, slots=True)
class _Layout:
    lines: int
    width: int
    fields: dict[str, _Place]
    # The place of each check digit, and the places that it covers.
    digits: dict[str, tuple[_Place, tuple[_Place, ...]]]


# Of a zone of two lines: what does not depend on its width.
_FIELDS_OF_TWO_LINES: dict[str, _Place] = {
    "code": (0, 0, 2),
    "issuer": (0, 2, 5),
    "number": (1, 0, 9),
    "nationality": (1, 10, 13),
    "birth": (1, 13, 19),
    "sex": (1, 20, 21),
    "expiry": (1, 21, 27),
}
_DIGITS_OF_TWO_LINES: dict[str, tuple[_Place, tuple[_Place, ...]]] = {
    "number": ((1, 9, 10), ((1, 0, 9),)),
    "birth": ((1, 19, 20), ((1, 13, 19),)),
    "expiry": ((1, 27, 28), ((1, 21, 27),)),
}


def _second_line(width: int, optional: int, *, composite: bool) -> _Layout:
    fields = {
        **_FIELDS_OF_TWO_LINES,
        "names": (0, 5, width),
        "optional": (1, 28, optional),
    }
    digits = dict(_DIGITS_OF_TWO_LINES)
    if width == 44 and composite:
        digits["optional"] = ((1, 42, 43), ((1, 28, 42),))
    if composite:
        last = width - 1
        parts = ((1, 0, 10), (1, 13, 20), (1, 21, last))
        digits["composite"] = ((1, last, width), parts)
    return _Layout(2, width, fields, digits)


_LAYOUTS = {
    "TD3": _second_line(44, 42, composite=True),
    "TD2": _second_line(36, 35, composite=True),
    "MRV-A": _second_line(44, 44, composite=False),
    "MRV-B": _second_line(36, 36, composite=False),
    "TD1": _Layout(
        3, 30,
        {"code": (0, 0, 2), "issuer": (0, 2, 5), "number": (0, 5, 14), "optional": (0, 15, 30),
         "birth": (1, 0, 6), "sex": (1, 7, 8), "expiry": (1, 8, 14), "nationality": (1, 15, 18),
         "names": (2, 0, 30)},
        {"number": ((0, 14, 15), ((0, 5, 14),)), "birth": ((1, 6, 7), ((1, 0, 6),)),
         "expiry": ((1, 14, 15), ((1, 8, 14),)),
         "composite": ((1, 29, 30), ((0, 5, 30), (1, 0, 7), (1, 8, 15), (1, 18, 29)))},
    ),
    OLD_FRENCH: _Layout(
        2, 36,
        {"code": (0, 0, 2), "issuer": (0, 2, 5), "names": (0, 5, 30), "number": (1, 0, 12),
         "given names": (1, 13, 27), "birth": (1, 27, 33), "sex": (1, 34, 35)},
        {"number": ((1, 12, 13), ((1, 0, 12),)), "birth": ((1, 33, 34), ((1, 27, 33),)),
         "composite": ((1, 35, 36), ((0, 0, 36), (1, 0, 35)))},
    ),
}  # fmt: skip


# The rest of a long number at the beginning of the optional data, with its check digit.
REST_OF_NUMBER = re.compile(r"([A-Z0-9]+)([0-9])(?:<|$)")
LETTERS = string.ascii_uppercase + "<"
ANY = string.digits + LETTERS
# The allowed characters of a field. Fields that are not listed allow any character.
_ALLOWED = {
    "code": LETTERS, "issuer": LETTERS, "nationality": LETTERS, "names": LETTERS,
    "given names": LETTERS, "birth": string.digits + "<", "expiry": string.digits + "<", "sex": "MFX<",
}  # fmt: skip


def format_of(width: int, start: str) -> str:
    """Return the format of a zone by the width of its lines and the beginning of the first line.

    Only old French cards have lines of 36 characters with this beginning; French cards since 2021
    have 30.
    """
    if width == 36 and start.startswith(START_OF_OLD_FRENCH):
        return OLD_FRENCH
    is_visa = start.startswith("V")
    for name, layout in _LAYOUTS.items():
        if layout.width == width and is_visa == name.startswith("MRV"):
            return name
    return "TD1"


def allowed_characters(name: str) -> list[list[str]]:
    """Return the allowed characters for each position of each line in this format."""
    layout = _LAYOUTS[name]
    lines: list[list[str]] = []
    for _ in range(layout.lines):
        lines.append([ANY] * layout.width)
    for field, (line, start, end) in layout.fields.items():
        for place in range(start, end):
            lines[line][place] = _ALLOWED.get(field, ANY)
    for (line, start, _), _ in layout.digits.values():
        lines[line][start] = string.digits + "<"
    lines[0][0] = "PIAC"
    if name.startswith("MRV"):
        lines[0][0] = "V"
    return lines


def places_of_names(name: str) -> list[_Place]:
    """Return the places of names in a format: the line, counted from 0, and the cells."""
    fields = _LAYOUTS[name].fields
    places = [fields["names"]]
    if "given names" in fields:
        places.append(fields["given names"])
    return places


@dataclass(frozen=True, slots=True)
class Digit:
    """A check digit: `actual` is in the zone, `expected` is the right one."""

    field: str
    of: str
    expected: str
    actual: str

    @property
    def holds(self) -> bool:
        return self.actual in {
            self.expected,
            "<" if self.expected == "0" else self.expected,
        }


@dataclass(frozen=True, slots=True)
class Zone:
    """A zone that was read. An invalid date is None. `repaired` names corrected fields.

    `issued` is the first day of the month of issue, which only old French cards state.
    `expiry_date` is `FOREVER` if a document never expires.
    """

    format: str
    fields: dict[str, str]
    surname: str
    given_names: str
    birth_date: date | None
    expiry_date: date | None
    digits: Sequence[Digit]
    repaired: Sequence[str]
    issued: date | None = None


def digit_of(text: str) -> str:
    total = 0
    for character, weight in zip(text, cycle((7, 3, 1)), strict=False):
        total += _VALUES[character] * weight
    return str(total % 10)


def lines_of(texts: Sequence[str]) -> list[str]:
    """Return the zone among lines of text, each in the width of its format; empty if there
    is none.
    """
    plain = []
    for line in texts:
        capitals = line.upper().replace("«", "<<")
        plain.append(re.sub(r"[^A-Z0-9<]", "", capitals))
    # The shortest zone has lines of 30 characters, and OCR may lose two.
    plain = [line for line in plain if len(line) >= 28]
    for count, width in ((3, 30), (2, 44), (2, 36)):
        for start in range(len(plain) - count + 1):
            some = plain[start : start + count]
            if all(abs(len(line) - width) <= 2 for line in some):
                return [(line + "<" * width)[:width] for line in some]
    return []


def read(lines: Sequence[str], *, today: date) -> Zone | None:
    """Read a zone; None if the lines are none."""
    layout_name = _format(lines)
    if layout_name is None:
        return None
    layout = _LAYOUTS[layout_name]
    corrected, repaired = _corrected(lines, layout)
    fields = {}
    for name, place in layout.fields.items():
        fields[name] = _at(corrected, place)
    digits = [_digit(name, corrected, layout, fields) for name in layout.digits]
    issued = None
    if layout_name == OLD_FRENCH:
        fields = _as_others(fields)
        issued = _issued(fields["number"])
    else:
        fields = _with_long_number(fields, layout, corrected)
    surname, _, given_names = fields["names"].rstrip("<").partition("<<")
    expires = _expiry(fields["expiry"])
    bound = issued
    # The expiry limits the possible centuries of the birth, but only if its check digit is right.
    if any(digit.field == "expiry" and digit.holds for digit in digits):
        bound = expires
    born = _birth(fields["birth"], bound, today)
    if (fields["issuer"], fields["expiry"]) == SPANISH_FOREVER and _is_old(born, today):
        expires = FOREVER
    return Zone(
        format=layout_name,
        fields={
            name: text.strip("<").replace("<", " ") for name, text in fields.items()
        },
        surname=surname.replace("<", " ").strip(),
        given_names=" ".join(given_names.replace("<", " ").split()),
        birth_date=born,
        expiry_date=expires,
        digits=digits,
        repaired=repaired,
        issued=issued,
    )


def _as_others(fields: dict[str, str]) -> dict[str, str]:
    """Return the fields of an old French card under the names of the other formats."""
    surname = fields["names"].rstrip("<")
    given_names = re.sub("<+", "<", fields["given names"].rstrip("<"))
    same = {key: fields[key] for key in ("code", "issuer", "number", "birth", "sex")}
    # Only citizens have such a card, so the nationality is known.
    return same | {
        "names": f"{surname}<<{given_names}",
        "nationality": fields["issuer"],
        "expiry": "",
        "optional": "",
    }


def _issued(number: str) -> date | None:
    """Return the month of issue, with which the number of an old French card begins."""
    if not re.fullmatch(r"\d\d(0[1-9]|1[0-2])\d*", number):
        return None
    year = _from(tunables.FIRST_ZONES, int(number[:2]))
    return date(year, int(number[2:4]), 1)


def _with_long_number(
    fields: dict[str, str], layout: _Layout, lines: Sequence[str]
) -> dict[str, str]:
    """Complete a number of more than nine characters, which continues in the optional data."""
    place, _ = layout.digits["number"]
    more = None
    if layout.width in {30, 36} and _at(lines, place) == "<":
        more = REST_OF_NUMBER.match(fields["optional"])
    if more is None:
        return fields
    rest = fields["optional"][more.end() :]
    return fields | {"number": fields["number"] + more[1], "optional": rest}


def _format(lines: Sequence[str]) -> str | None:
    # All lines of a zone have the same width.
    widths = {len(line) for line in lines}
    if len(widths) != 1:
        return None
    name = format_of(widths.pop(), lines[0])
    layout = _LAYOUTS[name]
    if len(lines) == layout.lines and len(lines[0]) == layout.width:
        return name
    return None


def _corrected(lines: Sequence[str], layout: _Layout) -> tuple[list[str], list[str]]:
    """Correct characters where only digits or only letters are allowed."""
    places: list[tuple[str, _Place, dict[int, int]]] = []
    tables = {
        "birth": _TO_DIGITS,
        "expiry": _TO_DIGITS,
        "issuer": _TO_LETTERS,
        "nationality": _TO_LETTERS,
    }
    for name, table in tables.items():
        if name in layout.fields:
            places.append((name, layout.fields[name], table))
    for name, (place, _) in layout.digits.items():
        places.append((f"{name} digit", place, _TO_DIGITS))
    corrected = list(lines)
    repaired = []
    for name, (line, start, end), table in places:
        text = corrected[line]
        better = text[start:end].translate(table)
        if better != text[start:end]:
            repaired.append(name)
            corrected[line] = text[:start] + better + text[end:]
    return corrected, repaired


def _digit(
    name: str, lines: Sequence[str], layout: _Layout, fields: dict[str, str]
) -> Digit:
    place, parts = layout.digits[name]
    of = "".join(_at(lines, part) for part in parts)
    digit = _at(lines, place)
    if name == "number" and digit == "<" and layout.width in {30, 36}:
        # A number of more than nine characters continues in the optional data.
        more = REST_OF_NUMBER.match(fields["optional"])
        if more:
            of = of + more[1]
            digit = more[2]
    return Digit(name, of, digit_of(of), digit)


def _at(lines: Sequence[str], place: _Place) -> str:
    line, start, end = place
    return lines[line][start:end]


def _expiry(text: str) -> date | None:
    """Return a date of expiry.

    Zones exist only since `FIRST_ZONES`, so that only one century fits.
    """
    if not _is_date(text):
        return None
    return _date(text, _from(tunables.FIRST_ZONES, int(text[:2])))


def _birth(text: str, bound: date | None, today: date) -> date | None:
    """Return the latest date with these digits that is not in the future and not after the
    document's bound.

    The bound is the date of expiry or issue.
    """
    if not _is_date(text):
        return None
    latest = today
    if bound is not None:
        latest = min(today, bound)
    # The zone has two digits of the year, so the latest possible century is used.
    for century in range(today.year // 100, 17, -1):
        born = _date(text, century * 100 + int(text[:2]))
        if born is None or born <= latest:
            return born
    return None


def has_right_digit(zone: Zone, field: str) -> bool:
    """Whether the field has a check digit of its own, and it is right."""
    for digit in zone.digits:
        if digit.field == field and digit.holds:
            return True
    return False


def states_number(zone: Zone, number: str) -> bool:
    """Whether the zone holds the number. Some cards have the personal number in the optional field."""
    plain = only_letters_and_digits(number.upper())
    if plain == only_letters_and_digits(zone.fields["number"]):
        return True
    # A few characters are in the optional field by chance.
    if len(plain) < tunables.SHORTEST_NUMBER:
        return False
    return plain in only_letters_and_digits(zone.fields.get("optional", ""))


def may_be(day: date, other: date) -> bool:
    """Whether two days differ by whole centuries at most: a year of two digits may mean both."""
    same_day = (day.month, day.day) == (other.month, other.day)
    return same_day and (day.year - other.year) % 100 == 0


def a_century_before(day: date) -> date | None:
    """Return the same day a hundred years earlier; None if there is none: 1900 had no 29 February."""
    return _date(f"{day:%y%m%d}", day.year - 100)


def _is_old(born: date | None, today: date) -> bool:
    return born is not None and today.year - born.year >= tunables.FOREVER_AGE


def _is_date(text: str) -> bool:
    return re.fullmatch(r"\d{6}", text) is not None


def _from(first: int, year: int) -> int:
    """Return the year with these two digits in the hundred years from `first`."""
    return first + (year - first) % 100


def _date(text: str, year: int) -> date | None:
    try:
        return date(year, int(text[2:4]), int(text[4:]))
    except ValueError:
        return None
