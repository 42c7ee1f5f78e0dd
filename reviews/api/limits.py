"""Limits of self_attested_data, for the members that no field of a form judges.

Those of a service are not wider: a case beyond them would be opened here and refused there.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from reviews.wire import JsonObject

LONGEST_TEXT = 100_000  # characters of a text
LONGEST_NAME = 200  # characters of the name of a member
MOST_ENTRIES = 1_000  # of a list
MOST_VALUES = 100_000  # in all, with all that is nested


class TooLarge(NamedTuple):
    path: str  # below self_attested_data, as a JSON pointer
    words: str


def too_large(data: JsonObject) -> TooLarge | None:
    """The first member that is too large, declared or not; None if there is none."""
    rest: list[tuple[str, object]] = [("", data)]
    count = 0
    while rest:
        path, value = rest.pop()
        count += 1
        if count > MOST_VALUES:
            return TooLarge("", f"It has more than {MOST_VALUES:,} values.")
        if words := _refusal(value):
            return TooLarge(path, words)
        rest += _members(path, value)
    return None


def _refusal(value: object) -> str:
    """Why the value itself is too large; empty if it is not."""
    if isinstance(value, str) and len(value) > LONGEST_TEXT:
        return f"A text has at most {LONGEST_TEXT:,} characters."
    if isinstance(value, list) and len(value) > MOST_ENTRIES:
        return f"A list has at most {MOST_ENTRIES:,} entries."
    if isinstance(value, dict) and any(len(name) > LONGEST_NAME for name in value):
        return f"The name of a member has at most {LONGEST_NAME} characters."
    return ""


def _members(path: str, value: object) -> Iterator[tuple[str, object]]:
    if isinstance(value, dict):
        for name, member in value.items():
            yield f"{path}/{name}", member
    elif isinstance(value, list):
        for place, entry in enumerate(value):
            yield f"{path}/{place}", entry
