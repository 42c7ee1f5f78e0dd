"""Whole numbers that a person or another system sent as text."""

from __future__ import annotations

# A key of the database holds any number of 18 digits, and not each of 19.
MOST_DIGITS = 18


def parse(text: str | None, *, digits: int = MOST_DIGITS) -> int | None:
    """The number that the text is, of 1 to `digits` digits from 0 to 9, else None.

    int() takes blanks, signs and the digits of other scripts as well, and refuses thousands of digits
    with an error.
    """
    if not text or len(text) > digits:
        return None
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text)
