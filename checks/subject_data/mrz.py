"""The machine-readable zone of ICAO 9303: TD1, TD2, TD3, MRV-A, MRV-B, with its check digits."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from itertools import cycle

# What a character counts for: a digit itself, A is 10, Z is 35, the filler nothing.
_VALUES = {
    character: int(character, 36)
    for character in string.digits + string.ascii_uppercase
} | {"<": 0}
# What OCR takes for a digit where only a digit can stand, and the other way round.
_TO_DIGITS = str.maketrans("OQDILZSBG", "000112586")
_TO_LETTERS = str.maketrans("012568", "OIZSGB")

# What each check digit covers, as pages call it.
DIGIT_NAMES = {
    "number": "number",
    "birth": "date of birth",
    "expiry": "date of expiry",
    "optional": "optional data",
    "composite": "number and dates together",
}

_Place = tuple[int, int, int]  # line, start, end


@dataclass(frozen=True, slots=True)
class _Layout:
    lines: int
    width: int
    fields: dict[str, _Place]
    # Where a check digit stands, and what it is of.
    digits: dict[str, tuple[_Place, tuple[_Place, ...]]]


def _second_line(width: int, optional: int, *, composite: bool) -> _Layout:
    fields: dict[str, _Place] = {
        "code": (0, 0, 2), "issuer": (0, 2, 5), "names": (0, 5, width), "number": (1, 0, 9),
        "nationality": (1, 10, 13), "birth": (1, 13, 19), "sex": (1, 20, 21),
        "expiry": (1, 21, 27), "optional": (1, 28, optional),
    }  # fmt: skip
    digits: dict[str, tuple[_Place, tuple[_Place, ...]]] = {
        "number": ((1, 9, 10), ((1, 0, 9),)),
        "birth": ((1, 19, 20), ((1, 13, 19),)),
        "expiry": ((1, 27, 28), ((1, 21, 27),)),
    }
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
}  # fmt: skip


LETTERS = string.ascii_uppercase + "<"
ANY = string.digits + LETTERS
# What may stand in a field; where nothing is said, any character.
_ALLOWED = {
    "code": LETTERS, "issuer": LETTERS, "nationality": LETTERS, "names": LETTERS,
    "birth": string.digits + "<", "expiry": string.digits + "<", "sex": "MFX<",
}  # fmt: skip


def allowed_characters(width: int, *, is_visa: bool) -> list[list[str]]:
    """For each place of each line of a zone: the characters that can stand there."""
    layout = _LAYOUTS[_name_of(width, is_visa=is_visa)]
    lines: list[list[str]] = []
    for _ in range(layout.lines):
        lines.append([ANY] * layout.width)
    for field, (line, start, end) in layout.fields.items():
        for place in range(start, end):
            lines[line][place] = _ALLOWED.get(field, ANY)
    for (line, start, _), _ in layout.digits.values():
        lines[line][start] = string.digits + "<"
    lines[0][0] = "PIAC"
    if is_visa:
        lines[0][0] = "V"
    return lines


def place_of_names(width: int) -> _Place:
    """The line of the names, counted from 0, and where they begin and end in it."""
    return _LAYOUTS[_name_of(width, is_visa=False)].fields["names"]


def _name_of(width: int, *, is_visa: bool) -> str:
    for name, layout in _LAYOUTS.items():
        if layout.width == width and is_visa == name.startswith("MRV"):
            return name
    return "TD1"


@dataclass(frozen=True, slots=True)
class Digit:
    """A check digit: what stands there, and what would have to."""

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
    """A zone as read. Dates are None where they are none; `repaired` names corrected fields."""

    format: str
    fields: dict[str, str]
    surname: str
    given_names: str
    birth_date: date | None
    expiry_date: date | None
    digits: Sequence[Digit]
    repaired: Sequence[str]


def digit_of(text: str) -> str:
    total = 0
    for character, weight in zip(text, cycle((7, 3, 1)), strict=False):
        total += _VALUES[character] * weight
    return str(total % 10)


def lines_of(texts: Sequence[str]) -> list[str]:
    """The zone among lines of text, each as wide as its format wants; empty where there is none."""
    plain = []
    for line in texts:
        plain.append(re.sub(r"[^A-Z0-9<]", "", line.upper().replace("«", "<<")))
    plain = [line for line in plain if len(line) >= 28]
    for count, width in ((3, 30), (2, 44), (2, 36)):
        for start in range(len(plain) - count + 1):
            some = plain[start : start + count]
            if all(abs(len(line) - width) <= 2 for line in some):
                return [(line + "<" * width)[:width] for line in some]
    return []


def read(lines: Sequence[str], *, today: date) -> Zone | None:
    """Read a zone; None where the lines are none."""
    layout_name = _format(lines)
    if layout_name is None:
        return None
    layout = _LAYOUTS[layout_name]
    corrected, repaired = _corrected(lines, layout)
    fields = {}
    for name, place in layout.fields.items():
        fields[name] = _at(corrected, place)
    surname, _, given_names = fields["names"].rstrip("<").partition("<<")
    return Zone(
        format=layout_name,
        fields={
            name: text.strip("<").replace("<", " ") for name, text in fields.items()
        },
        surname=surname.replace("<", " ").strip(),
        given_names=" ".join(given_names.replace("<", " ").split()),
        birth_date=_date(fields["birth"], today, ahead=False),
        expiry_date=_date(fields["expiry"], today, ahead=True),
        digits=[_digit(name, corrected, layout, fields) for name in layout.digits],
        repaired=repaired,
    )


def _format(lines: Sequence[str]) -> str | None:
    visa = bool(lines) and lines[0].startswith("V")
    for name, layout in _LAYOUTS.items():
        fits = len(lines) == layout.lines and {len(line) for line in lines} == {
            layout.width
        }
        if fits and (visa == name.startswith("MRV")):
            return name
    return None


def _corrected(lines: Sequence[str], layout: _Layout) -> tuple[list[str], list[str]]:
    """Digits where only digits can stand, letters where only letters can."""
    places: list[tuple[str, _Place, dict[int, int]]] = []
    for name in ("birth", "expiry"):
        places.append((name, layout.fields[name], _TO_DIGITS))
    for name in ("issuer", "nationality"):
        places.append((name, layout.fields[name], _TO_LETTERS))
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
        # A number of more than nine characters goes on among the optional data.
        more = re.match(r"([A-Z0-9]+)([0-9])(?:<|$)", fields["optional"])
        if more:
            of = of + more[1]
            digit = more[2]
    return Digit(name, of, digit_of(of), digit)


def _at(lines: Sequence[str], place: _Place) -> str:
    line, start, end = place
    return lines[line][start:end]


def _date(text: str, today: date, *, ahead: bool) -> date | None:
    if not re.fullmatch(r"\d{6}", text):
        return None
    year = today.year // 100 * 100 + int(text[:2])
    # No document is valid for half a century.
    if ahead and year > today.year + 50:
        year -= 100
    elif ahead and year < today.year - 50:
        year += 100
    elif not ahead and (year, int(text[2:4]), int(text[4:])) > (
        today.year, today.month, today.day
    ):  # fmt: skip
        year -= 100
    try:
        return date(year, int(text[2:4]), int(text[4:]))
    except ValueError:
        return None
