"""Parses whole numbers that a person or another system sent as text."""

from __future__ import annotations

from collections.abc import Iterable

# PostgreSQL's bigint holds every number of 18 digits, but not every number of 19.
MOST_DIGITS = 18


def parse(text: str | None, *, digits: int = MOST_DIGITS) -> int | None:
    """The number in `text`, or None unless it consists of 1 to `digits` ASCII digits.

    int() would also accept blanks, signs and digits of other scripts, and it raises an error for
    thousands of digits.
    """
    if not text or len(text) > digits:
        return None
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text)


def parse_all(texts: Iterable[str]) -> list[int]:
    """The numbers among `texts`. The others are left out."""
    numbers = []
    for text in texts:
        number = parse(text)
        if number is not None:
            numbers.append(number)
    return numbers
