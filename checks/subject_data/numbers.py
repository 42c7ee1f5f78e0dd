"""Rules of python-stdnum: their names and mistakes in words for pages, and what personal numbers state."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from stdnum import exceptions
from stdnum.cz import rc
from stdnum.util import get_cc_module

if TYPE_CHECKING:
    from stdnum.util import NumberValidationModule

MISTAKES: dict[type[exceptions.ValidationError], str] = {
    exceptions.InvalidLength: "wrong number of characters",
    exceptions.InvalidFormat: "wrong format",
    exceptions.InvalidChecksum: "wrong check digit",
    exceptions.InvalidComponent: "a part of it is not possible",
}


def format_name(module: ModuleType | NumberValidationModule) -> str:
    """The name of the number that a module of python-stdnum validates: EIN, SIREN, Aadhaar."""
    first_line, _, _ = (module.__doc__ or "").strip().partition("\n")
    title = first_line.rstrip(".")
    short = title.partition(" (")[0].partition(",")[0].strip()
    return short or str(getattr(module, "__name__", "")).removeprefix("stdnum.")


def mistake(exc: exceptions.ValidationError) -> str:
    """Return what is wrong with a number, in words."""
    return MISTAKES.get(type(exc), "not valid")


Sex = Literal["M", "F", ""]
# The number without marks between its digits.
_MARKS = re.compile(r"[\s./-]")
# Finnish signs of the century, and the last digit of Icelandic numbers.
_CENTURIES_OF_FINLAND = {
    "+": 1800,
    **dict.fromkeys("-YXWVU", 1900),
    **dict.fromkeys("ABCDEF", 2000),
}
_CENTURIES_OF_ICELAND = {"8": 1800, "9": 1900, "0": 2000}


def birth_date_in(country: str, module: object, number: str) -> date | None:
    """Return the date of birth within a valid personal number; None if there is none."""
    read: Callable[[str], object] | None = _BIRTH_DATES.get(country) or getattr(
        module, "get_birth_date", None
    )
    if read is None:
        return None
    try:
        born = read(number)
    except (exceptions.ValidationError, ValueError, AttributeError, KeyError):
        return None
    return born if isinstance(born, date) else None


def _of_finland(number: str) -> date:
    day, month, year = int(number[:2]), int(number[2:4]), int(number[4:6])
    return date(_CENTURIES_OF_FINLAND[number[6].upper()] + year, month, day)


def _of_iceland(number: str) -> date:
    plain = _MARKS.sub("", number)
    day, month, year = int(plain[:2]), int(plain[2:4]), int(plain[4:6])
    return date(_CENTURIES_OF_ICELAND[plain[9]] + year, month, day)


# Countries of whose numbers python-stdnum reads no date.
_BIRTH_DATES: Mapping[str, Callable[[str], date]] = {
    "FI": _of_finland,
    "IS": _of_iceland,
    "SK": rc.get_birth_date,
}


def sex_in(country: str, number: str) -> Sex:
    """Return the sex within a valid personal number; "" if it states none.

    A digit that is odd for men in most countries, and for women in some; or a day or a month with a
    number added for women.
    """
    plain = _MARKS.sub("", number)
    if country in _ODD_FOR_MEN:
        return "M" if int(plain[_ODD_FOR_MEN[country]]) % 2 else "F"
    if country in _ODD_FOR_WOMEN:
        return "F" if int(plain[_ODD_FOR_WOMEN[country]]) % 2 else "M"
    if country in _ADDED_FOR_WOMEN:
        start, least = _ADDED_FOR_WOMEN[country]
        return "F" if int(plain[start : start + 2]) > least else "M"
    # In Romania 9 is for foreigners of both sexes; in France numbers from 3 are temporary.
    if country in {"FR", "RO"}:
        return _OF_FIRST_DIGIT[country].get(plain[0], "")
    return _by_rule(country, number)


# The place of the digit, by country.
_ODD_FOR_MEN = {"CN": 16, "DK": 9, "FI": -2, "KR": 6, "LT": 0, "MY": 11}
_ODD_FOR_WOMEN = {"BG": 8}
# Where the day or the month stands, and the highest of a man.
_ADDED_FOR_WOMEN = {"CZ": (2, 32), "ID": (6, 31), "SK": (2, 32)}
_OF_FIRST_DIGIT: Mapping[str, Mapping[str, Sex]] = {
    "FR": {"1": "M", "2": "F"},
    "RO": {**dict.fromkeys("1357", "M"), **dict.fromkeys("2468", "F")},
}
# The other numbers that state a sex, with their rules of python-stdnum.
_BY_RULE = {
    "BE": "nn", "CU": "ni", "EE": "ik", "GR": "amka", "IT": "codicefiscale", "MX": "curp", "NO": "fodselsnummer",
    "PK": "cnic", "PL": "pesel", "SE": "personnummer", "SI": "emso", "ZA": "idnr",
}  # fmt: skip


def _by_rule(country: str, number: str) -> Sex:
    if country not in _BY_RULE:
        return ""
    module = get_cc_module(country.lower(), _BY_RULE[country])
    read: Callable[[str], object] | None = getattr(module, "get_gender", None)
    if read is None:
        return ""
    try:
        letter = str(read(number))[:1].upper()
    except (exceptions.ValidationError, ValueError):
        return ""
    letters: Mapping[str, Sex] = {"M": "M", "F": "F"}
    return letters.get(letter, "")
