"""Dates as documents write them: in digits, with month names, and in words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from typing import Literal

from checks.text.words import Span

DateOrder = Literal["DMY", "MDY", "YMD", ""]

ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = [
    "zeroth",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
    "thirteenth",
    "fourteenth",
    "fifteenth",
    "sixteenth",
    "seventeenth",
    "eighteenth",
    "nineteenth",
]
VALUES = (
    {word: value for value, word in enumerate(ONES)}
    | {word: value for value, word in enumerate(ORDINALS)}
    | {word: 20 + 10 * index for index, word in enumerate(TENS)}
    | {"twentieth": 20, "thirtieth": 30}
)
MONTH_NAMES = (
    "january jan janvier januar enero gennaio janeiro januari",
    "february feb février fevrier februar febrero febbraio fevereiro februari",
    "march mar mars märz marz marzo março maart",
    "april apr avril abril aprile",
    "may mai mayo maggio maio mei",
    "june jun juin juni junio giugno junho",
    "july jul juillet juli julio luglio julho",
    "august aug août aout agosto augustus",
    "september sept sep septembre septiembre settembre setembro",
    "october oct octobre oktober octubre ottobre outubro",
    "november nov novembre noviembre novembro",
    "december dec décembre decembre dezember diciembre dicembre dezembro",
)
MONTHS = {
    name: number
    for number, names in enumerate(MONTH_NAMES, 1)
    for name in names.split()
}

# The longest word first: "seven" must not be read out of "seventeen".
WORD = "|".join(sorted(VALUES, key=len, reverse=True))
MONTH = rf"(?P<month>{'|'.join(sorted(MONTHS, key=len, reverse=True))})"
DAY = r"(?P<day>\d{1,2})(?: ?(?:st|nd|rd|th|º|\.))?"
WRITTEN_DAY = rf"(?P<day>\b(?:{WORD})(?:[- ]{{1,2}}(?:{WORD}))?)"
WRITTEN_YEAR = rf"(?:{WORD}|thousand|hundred|and)(?:[- ,]+(?:{WORD}|thousand|hundred|and)\b){{1,6}}"
ERA = r"(?:in the year (?:of our lord )?)?(?:a\.? ?d\.?,? )?"
FLAGS = re.IGNORECASE


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"\s"), FLAGS)


DAY_MONTH_YEAR = _compile(
    rf"(?<![\d/.-]){DAY},? ?(?:day )?(?:of |de |d')?(?:the )?{MONTH}\b\.?,? ?(?:de |del )?{ERA}"
    rf"(?P<year>\d{{4}}|{WRITTEN_YEAR})\b"
)
MONTH_DAY_YEAR = _compile(rf"\b{MONTH}\.? {DAY},? ?{ERA}(?P<year>\d{{4}})\b")
IN_WORDS = _compile(
    rf"{WRITTEN_DAY} day of {MONTH},? ?{ERA}(?P<year>\d{{4}}|{WRITTEN_YEAR})\b"
)
ABBREVIATED = _compile(rf"\b(?P<day>\d{{1,2}})[-/]{MONTH}[-/](?P<year>\d{{4}})\b")
ISO = re.compile(
    r"(?<![\d/.-])(?P<year>[12]\d{3})([-/.])(?P<month>\d{1,2})\2(?P<day>\d{1,2})(?![\d-])"
)
KANJI = re.compile(
    r"(?P<year>\d{4})\s*[年년]\s*(?P<month>\d{1,2})\s*[月월]\s*(?P<day>\d{1,2})\s*[日일]"
)
NUMERIC = re.compile(
    r"(?<![\d/.-])(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)"
    r"(?P<year>\d{4}|\d{2})(?![\d/-])"
)
NAMED = (DAY_MONTH_YEAR, MONTH_DAY_YEAR, IN_WORDS, ABBREVIATED, ISO, KANJI)


WEEKDAY = re.compile(
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day,?(?: the)?\s*$", FLAGS
)


@dataclass(frozen=True, slots=True)
class FoundDate:
    """`value` is None where day and month could be either way round."""

    value: date | None
    span: Span
    text: str


def find_dates(text: str, order: DateOrder = "") -> list[FoundDate]:
    """Every date of a text from its beginning; `order` settles 03/04/2020."""
    dates: dict[int, FoundDate] = {}
    for pattern in NAMED:
        for match in pattern.finditer(text):
            _keep(dates, match, _in_words(match))
    for match in NUMERIC.finditer(text):
        if all(
            not earlier.span.start <= match.start() < earlier.span.end
            for earlier in dates.values()
        ):
            _keep(dates, match, *_numeric(match, order))
    return [dates[start] for start in sorted(dates)]


def words_before(text: str, start: int, limit: int) -> str:
    """What stands before a date, which tells its meaning; the day of the week tells none."""
    return WEEKDAY.sub("", text[max(0, start - limit) : start])


def _keep(
    dates: dict[int, FoundDate],
    match: re.Match[str],
    value: date | None,
    *rest: date | None,
) -> None:
    candidates = {candidate for candidate in (value, *rest) if candidate}
    if candidates:
        single = candidates.pop() if len(candidates) == 1 else None
        text = " ".join(match[0].split())
        dates.setdefault(match.start(), FoundDate(single, Span(*match.span()), text))


def _in_words(match: re.Match[str]) -> date | None:
    month = match["month"].lower()
    day = match["day"]
    year = match["year"]
    return make_date(
        int(year) if year.isdigit() else number_in_words(year),
        int(month) if month.isdigit() else MONTHS[month],
        int(day) if day.isdigit() else number_in_words(day),
    )


def _numeric(match: re.Match[str], order: DateOrder) -> tuple[date | None, ...]:
    first = int(match["first"])
    second = int(match["second"])
    year = int(match["year"])
    if year < 100:
        year += 2000 if year < 70 else 1900
    day_first = make_date(year, second, first)
    month_first = make_date(year, first, second)
    if match["mark"] == "." or order == "DMY":
        return (day_first or month_first,)
    if order == "MDY":
        return (month_first or day_first,)
    return day_first, month_first


def make_date(year: int, month: int, day: int) -> date | None:
    try:
        if 1700 <= year <= 2100:
            return date(year, month, day)
        return None
    except ValueError:
        return None


def number_in_words(words: str) -> int:
    """`two thousand twenty-three` and `twenty twenty-three` are 2023, `twenty-ninth` is 29."""
    total, current = 0, 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "thousand":
            total = total + (current or 1) * 1000
            current = 0
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in VALUES:
            value = VALUES[word]
            # "Nineteen eighty-four" and "twenty twenty": a second pair of digits begins.
            if value >= 10 and 10 <= current < 100:
                current *= 100
            current += value
    return total + current
