"""The expiry dates of the documents of a case, as attested, and as checks or people read them.

Data of a service may have any shape. Nothing raises, and values that are not dates are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from reviews.findings.check_runs import EffectiveResults
from reviews.findings.review_state import ReviewState
from reviews.findings.values.choices import standing
from reviews.models import Case

_NAME = re.compile(r"expir|valid[ _]?(?:until|to\b|thru|through)", re.IGNORECASE)
# Members of a comparison that hold its name, and those that hold its value. The extracted value
# counts before the attested one.
_NAMES = ("field", "key", "name", "label")
_VALUES = ("extracted", "value", "attested")
# A day in digits: 31/01/2027, 31.1.2027, 01-31-2027, 2027/01/31.
_YEAR_LAST = re.compile(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})", re.ASCII)
_YEAR_FIRST = re.compile(r"(\d{4})([./])(\d{1,2})\2(\d{1,2})", re.ASCII)
# Limits for one case. A larger payload would be an attack on the worker.
MOST_MEMBERS = 20_000
DEEPEST = 12
LONGEST = 60  # characters of a day that is shown as it was stated


def of(case: Case, effective: EffectiveResults | None = None) -> list[date]:
    """The expiry dates in order, each once. `effective`: its results, if they were read before."""
    if effective is None:
        effective = EffectiveResults.after(list(case.jobs.all()))
    days = set(_days(case.self_attested_data))
    for row in effective.rows:
        days |= set(_days(row.body))
    for choice in standing(case):
        if _NAME.search(choice.field):
            return sorted(_as_chosen(case, days))
    return sorted(days)


def unread(case: Case) -> str:
    """An attested day of expiry that cannot be read, as it was stated: “31 May 2027”. "" if none."""
    for number, (name, value) in enumerate(_members(case.self_attested_data, 0)):
        if number >= MOST_MEMBERS:
            break
        # Words without a digit are no day: "none", "permanent".
        if not isinstance(value, str) or not any(map(str.isdigit, value)):
            continue
        if _NAME.search(name) and not _days_of_text(value):
            return value.strip()[:LONGEST]
    return ""


def _as_chosen(case: Case, days: set[date]) -> set[date]:
    """The days with those that people read in the documents in the place of what checks read."""
    values = ReviewState.of(case).values
    chosen = set()
    for choice in standing(case):
        field = values.field(choice.key)
        if field is None or not _NAME.search(choice.field):
            continue
        typed = _days_of_text(choice.value)
        # What a person wrote in words may be any day: then the day that was read still counts.
        if not typed and choice.value:
            continue
        days = days - _days_of_text(field.row.extracted)
        chosen |= typed
    return days | chosen


def _days(content: object) -> Iterator[date]:
    for number, (name, value) in enumerate(_members(content, 0)):
        # Stop reading a payload that is too large.
        if number >= MOST_MEMBERS:
            return
        if _NAME.search(name):
            yield from _days_of_member(value)


def _members(content: object, depth: int) -> Iterator[tuple[str, object]]:
    """Pairs of name and value for all members, at any depth.

    A comparison is yielded under the name that it holds, so that its value can be found.
    """
    if depth > DEEPEST:
        return
    if isinstance(content, list):
        for item in content:
            yield from _members(item, depth + 1)
    if not isinstance(content, dict):
        return
    # A comparison such as {"field": "expiry date", "extracted": "2027-01-31"}.
    for label in _NAMES:
        if isinstance(words := content.get(label), str):
            yield words, content
            break
    for name, value in content.items():
        yield str(name), value
        yield from _members(value, depth + 1)


def _days_of_member(value: object) -> set[date]:
    if isinstance(value, Mapping):
        for name in _VALUES:
            if days := _days_of_text(value.get(name)):
                return days
        return set()
    return _days_of_text(value)


def _days_of_text(value: object) -> set[date]:
    """The day that a text states. 03/04/2027 may be two days, and both count: no review is late."""
    if not isinstance(value, str):
        return set()
    text = value.strip()
    try:
        return {date.fromisoformat(text[:10])}
    except ValueError:
        return _in_digits(text)


def _in_digits(text: str) -> set[date]:
    if match := _YEAR_FIRST.fullmatch(text):
        return _possible((match[1], match[3], match[4]))
    match = _YEAR_LAST.fullmatch(text)
    if match is None:
        return set()
    first, mark, second, year = match.groups()
    day_first = _possible((year, second, first))
    # Countries that write dots write the day first.
    if mark == "." and day_first:
        return day_first
    return day_first | _possible((year, first, second))


def _possible(digits: tuple[str, str, str]) -> set[date]:
    """The day of these digits of year, month and day; an empty set if there is no such day."""
    year, month, day = map(int, digits)
    try:
        return {date(year, month, day)}
    except ValueError:
        return set()
