"""Dates beside words that must agree with them: the day of the week, and the days of a period."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from checks.data import table
from checks.document_fraud_check import tunables
from checks.document_fraud_check.facts import info_if_by_ocr
from checks.document_fraud_check.rules import (
    Finding,
    IndicatorResult,
    indicator,
    quoted,
)
from checks.evidence import Evidence
from checks.fields.dates import FoundDate
from checks.fields.general import dates_of
from checks.text.words import Span

NAMES_OF_DAYS = (
    "monday",
    "tuesday",
    "wednesday",
    "thursday",
    "friday",
    "saturday",
    "sunday",
)
# A year of two digits may be of two centuries, in which the days of the week differ.
WHOLE_YEAR = re.compile(r"\d{4}")
# Day and month in digits may be read in both orders.
IN_DIGITS = re.compile(r"^\W*\d{1,2}\W\d{1,2}\W\d{4}\W*$")
# Between a day of the week and its date: “Tuesday, the 14th”, “Dienstag, den 14.”
BETWEEN = r"[^\S\n]*[,:;(]?[^\S\n]*(?:(?:the|den|dem|der|le|el|il|de|dia|día|giorno)[^\S\n]+)?"


# What does not fit, as a finding says it.
OF_WEEK = "the day of the week is not that of the date"
OF_PERIOD = "the number of days is not that of the period"


class Contradiction(NamedTuple):
    """What does not fit a date, and the place of both in the text."""

    what: str
    span: Span


class _Words(NamedTuple):
    weekdays: Mapping[str, int]
    before: re.Pattern[str]
    behind: re.Pattern[str]
    any_day: re.Pattern[str]
    number: re.Pattern[str]


@indicator("RISK", "dates")
def date_contradicted(evidence: Evidence) -> IndicatorResult:
    """A date contradicts the words beside it.

    The day of the week that stands with a date is not that of the date, or the number of days of a
    period is not that from its first day to its last: whoever changes a date tends to forget what follows
    from it. A person has to look.

    Found: names of the days in 28 languages directly before a date, or behind it in brackets; and a
    number of days directly behind two dates. A period may count its first and last day or not, have
    months of 30 days, or count working days alone. Dates with a year of two digits are left out, and
    where the order of day and month is not sure, both count.

    Innocent explanations: a slip of whoever wrote the date. Where OCR read it, it is an INFO: a digit may
    have been read wrongly.
    """
    text = evidence.text.value
    dates = evidence.once(dates_of)
    for wrong in itertools.chain(_weekdays(text, dates), _periods(text, dates)):
        words = " ".join(text[wrong.span.start : wrong.span.end].split())
        return Finding(
            f"{quoted(words)}: {wrong.what}.",
            evidence.text.boxes(wrong.span),
            type=info_if_by_ocr(evidence, wrong.span),
        )
    return None


@cache
def _words() -> _Words:
    weekdays: dict[str, int] = {}
    days: dict[str, None] = {}
    for row in table("day_words"):
        for number, column in enumerate(NAMES_OF_DAYS):
            for name in row[column].split("|"):
                weekdays[name] = number
        days.update(dict.fromkeys(row["days"].split("|")))
    names = "|".join(map(re.escape, sorted(weekdays, key=len, reverse=True)))
    units = "|".join(map(re.escape, sorted(days, key=len, reverse=True)))
    return _Words(
        weekdays,
        re.compile(rf"(?<!\w)(?P<day>{names}){BETWEEN}\Z", re.IGNORECASE),
        re.compile(
            rf"^[^\S\n]*[(\uff08][^\S\n]*(?P<day>{names})[)\uff09]", re.IGNORECASE
        ),
        re.compile(rf"(?<!\w)(?:{names})(?!\w)", re.IGNORECASE),
        re.compile(
            rf"^[^\S\n]*[:(=]?[^\S\n]*(?P<days>\d{{1,3}})[^\S\n]*(?:{units})(?!\w)",
            re.IGNORECASE,
        ),
    )


def _weekdays(text: str, dates: list[FoundDate]) -> Iterator[Contradiction]:
    """Yield days of the week that are not those of the dates beside them."""
    words = _words()
    for found in dates:
        if not WHOLE_YEAR.search(found.text):
            continue
        start = max(0, found.span.start - tunables.BESIDE_DATE)
        before = text[start : found.span.start]
        match = words.before.search(before)
        # Of two days, as in “Monday to Friday”, none is that of the date.
        if match and len(words.any_day.findall(before)) == 1:
            span = Span(start + match.start("day"), found.span.end)
        else:
            match = words.behind.match(text[found.span.end :][: tunables.BESIDE_DATE])
            if not match:
                continue
            span = Span(found.span.start, found.span.end + match.end())
        # Some letters have capitals that are those of other letters, too.
        stated = words.weekdays.get(match["day"].lower())
        possible = {day.weekday() for day in _readings(found)}
        if possible and stated is not None and stated not in possible:
            yield Contradiction(OF_WEEK, span)


def _periods(text: str, dates: list[FoundDate]) -> Iterator[Contradiction]:
    """Yield numbers of days that are not those between the two dates before them."""
    for first, last in itertools.pairwise(dates):
        between = text[first.span.end : last.span.start]
        if len(between) > tunables.BESIDE_DATE or "\n" in between.strip():
            continue
        behind = text[last.span.end :][: tunables.BESIDE_DATE]
        match = _words().number.match(behind)
        if not match or not first.value or not last.value:
            continue
        stated = int(match["days"])
        readings = itertools.product(_readings(first), _readings(last))
        if any(_may_have(min(days), max(days), stated) for days in readings):
            continue
        span = Span(first.span.start, last.span.end + match.end())
        yield Contradiction(OF_PERIOD, span)


def _may_have(start: date, end: date, stated: int) -> bool:
    """Whether a period may have this number of days, as days are counted for bills, interest or wages."""
    # Both days count, one of them, or none.
    if abs(stated - (end - start).days) <= 1:
        return True
    commercial = _commercial_days(start, end)
    if stated in (commercial, commercial + 1):
        return True
    fewest = tunables.WORKING_SHARE * _days_of_week(start, end, 5)
    return fewest <= stated <= _days_of_week(start, end, 6)


def _commercial_days(start: date, end: date) -> int:
    """Return the days from one day to another if each month has 30: interest, German and Swiss wages."""
    months = 12 * (end.year - start.year) + end.month - start.month
    is_end_of_month = (end + timedelta(days=1)).day == 1
    last = 30 if is_end_of_month else end.day
    return 30 * months + last - min(start.day, 30)


def _days_of_week(start: date, end: date, working: int) -> int:
    """Return how many days of a period are among the first days of the week: 5 without the weekend."""
    weeks, rest = divmod((end - start).days + 1, 7)
    days = weeks * working
    for offset in range(rest):
        if (start.weekday() + offset) % 7 < working:
            days += 1
    return days


def _readings(found: FoundDate) -> list[date]:
    """Return the days that a date may mean."""
    if found.value is None:
        return []
    readings = [found.value]
    if IN_DIGITS.match(found.text) and found.value.day <= 12:
        readings.append(
            found.value.replace(month=found.value.day, day=found.value.month)
        )
    return readings
