"""The days on which documents of a case expire, as attested and as checks read them.

A service may send any shape: nothing raises, and what is no date is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from datetime import date

from reviews.findings.check_runs import EffectiveResults
from reviews.models import Case

_NAME = re.compile(r"expir(?:y|ation|es)|valid_until", re.IGNORECASE)
# Members of a compared fact that hold its name, and its value: what was read counts, then what was
# attested.
_NAMES = ("field", "key", "name", "label")
_VALUES = ("extracted", "value", "attested")
# Of one case. More would be an attack on the worker and not a customer.
MOST_MEMBERS = 20_000
DEEPEST = 12


def of(case: Case) -> list[date]:
    """In order, each once."""
    days = set(_days(case.self_attested_data))
    for row in EffectiveResults.after(list(case.jobs.all())).rows:
        days |= set(_days(row.body))
    return sorted(days)


def _days(content: object) -> Iterator[date]:
    for number, (name, value) in enumerate(_members(content, 0)):
        if number >= MOST_MEMBERS:
            return
        if _NAME.search(name) and (day := _day(value)):
            yield day


def _members(content: object, depth: int) -> Iterator[tuple[str, object]]:
    """Each member with its name, those of a list of facts with the name of the fact."""
    if depth > DEEPEST:
        return
    if isinstance(content, list):
        for item in content:
            yield from _members(item, depth + 1)
    if not isinstance(content, dict):
        return
    for label in _NAMES:
        if isinstance(words := content.get(label), str):
            yield words, content
            break
    for name, value in content.items():
        yield str(name), value
        yield from _members(value, depth + 1)


def _day(value: object) -> date | None:
    if isinstance(value, Mapping):
        for name in _VALUES:
            if day := _day_of_text(value.get(name)):
                return day
        return None
    return _day_of_text(value)


def _day_of_text(value: object) -> date | None:
    if not isinstance(value, str):
        return None
    try:
        return date.fromisoformat(value.strip()[:10])
    except ValueError:
        return None
