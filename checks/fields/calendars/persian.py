"""Dates of Persian papers, in years of the sun that begin in March.

They are converted exactly. A day of the Islamic calendar of the moon depends on what an office announces, so that
none is given.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

# Letters that Arabic does not have, so that the text is Persian, or Urdu, which counts our years.
LETTER = re.compile("[\u067e\u0686\u0698\u06a9\u06af\u06cc]")
# 1320 to 1420 are 1941 to 2042. Years of the Islamic calendar are larger today.
PERSIAN_YEAR = r"(?P<year>[1\u06f1\u0661][34\u06f3\u06f4\u0663\u0664]\d{2})"
PERSIAN_YEARS = range(1320, 1421)
PERSIAN_MONTHS = {
    name: number
    for number, name in enumerate(
        [
            "فروردین",
            "اردیبهشت",
            "خرداد",
            "تیر",
            "مرداد",
            "شهریور",
            "مهر",
            "آبان",
            "آذر",
            "دی",
            "بهمن",
            "اسفند",
        ],
        1,
    )
}
DIGITS = re.compile(
    rf"(?<![\d/.-]){PERSIAN_YEAR}(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?![\d/-])"
)
NAMED = re.compile(
    rf"(?<![\d/.-])(?P<day>\d{{1,2}})\s+(?P<month>{'|'.join(PERSIAN_MONTHS)})\s+(?:ماه\s+)?{PERSIAN_YEAR}(?!\d)"
)

# Of 33 years, those with a day more, by the rest of the division of the year.
LEAP_YEARS = frozenset({1, 5, 9, 13, 17, 22, 26, 30})
CYCLE = 33
# The first day of the year 1309, at which a cycle begins.
FIRST_OF_CYCLE, FIRST_DAY = 1309, date(1930, 3, 21)


def persian_date(match: re.Match[str]) -> date | None:
    year = int(match["year"])
    month_name = match["month"]
    month = PERSIAN_MONTHS.get(month_name) or int(month_name)
    day = int(match["day"])
    if year not in PERSIAN_YEARS or not 1 <= month <= 12:
        return None
    if not 1 <= day <= _length(year, month):
        return None
    days = 365 * (year - FIRST_OF_CYCLE)
    days += sum(_is_leap(each) for each in range(FIRST_OF_CYCLE, year))
    months_before = month - 1
    # Each of the first six months has 31 days.
    days += 30 * months_before + min(months_before, 6)
    days += day - 1
    return FIRST_DAY + timedelta(days=days)


def _length(year: int, month: int) -> int:
    if month <= 6:
        return 31
    if month < 12 or _is_leap(year):
        return 30
    return 29


def _is_leap(year: int) -> bool:
    return year % CYCLE in LEAP_YEARS
