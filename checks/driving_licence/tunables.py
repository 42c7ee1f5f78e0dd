"""Thresholds for reading the front of a driving licence, each with its reason."""

from __future__ import annotations

from checks.tunables import Table

TABLE = Table()
_declare = TABLE.declare

MIN_AGE = _declare(
    "min_age",
    14,
    "Years: no state gives a licence of any category to a younger person.",
)
MAX_AGE = _declare(
    "max_age", 110, "Years: a date of birth that is older was read in a wrong century."
)
LONGEST_TERM = _declare(
    "longest_term", 60, "Years: old licences were valid to the age of 70."
)
CLEAR = _declare(
    "clear", 0.7, "Of 1: OCR must be so sure of each word of a field that is given."
)
LONGEST_VALUE = _declare(
    "longest_value", 80, "Characters: no field of a card is longer."
)
CENTURIES = _declare(
    "centuries",
    (1900, 2000, 2100),
    "A year of two digits is of one of these; which, the age and the issue tell.",
)
CONFIDENCE = _declare(
    "confidence", 0.85, "No check digit covers a printed field; its number names it."
)
DAYS_OF_LICENCE = _declare(
    "days_of_licence",
    3,
    "Birth, issue and expiry: with more or fewer the order says nothing.",
)
NAME_FIELDS = _declare(
    "name_fields",
    2,
    "Surname and other names; another line of capitals makes both doubtful.",
)
NUMBER_DIGITS = _declare(
    "number_digits",
    5,
    "Digits: the office that issued a Spanish licence has four, like 16/01.",
)
NAME_LETTERS = _declare(
    "name_letters",
    3,
    "Letters: among more lines than names a shorter one is a misread number.",
)
MONTHS = _declare("months", 12, "A larger first number of a date is a day.")
