"""Dates of Thai papers. Their years are Buddhist, and their days are those of our calendar."""

from __future__ import annotations

import re
from datetime import date

from checks.fields import tunables
from checks.fields.calendars.days import make_date

LETTER = re.compile("[\u0e01-\u0e5b]")
BUDDHIST = 543  # years before our era
BUDDHIST_YEARS = range(tunables.FIRST_YEAR + BUDDHIST, tunables.LAST_YEAR + BUDDHIST)
THAI_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "มกราคม ม.ค.",
            "กุมภาพันธ์ ก.พ.",
            "มีนาคม มี.ค.",
            "เมษายน เม.ย.",
            "พฤษภาคม พ.ค.",
            "มิถุนายน มิ.ย.",
            "กรกฎาคม ก.ค.",
            "สิงหาคม ส.ค.",
            "กันยายน ก.ย.",
            "ตุลาคม ต.ค.",
            "พฤศจิกายน พ.ย.",
            "ธันวาคม ธ.ค.",
        ),
        1,
    )
    for name in names.split()
}
NAMED = re.compile(
    r"(?<![\d/.-])(?P<day>\d{1,2})\s*(?P<month>"
    + "|".join(map(re.escape, sorted(THAI_MONTHS, key=len, reverse=True)))
    + r")\s*(?:พ\.ศ\.\s*)?(?P<year>\d{4}|\d{2})(?!\d)"
)
DIGITS = re.compile(
    r"(?<![\d/.-])(?P<day>\d{1,2})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<year>\d{4})(?![\d/-])"
)


def thai_date(match: re.Match[str]) -> date | None:
    year = int(match["year"])
    if year < 100:
        if year < tunables.SHORT_BUDDHIST:
            return None
        year += 2500
    if year in BUDDHIST_YEARS:
        year -= BUDDHIST
    month = match["month"]
    return make_date(year, THAI_MONTHS.get(month) or int(month), int(match["day"]))
