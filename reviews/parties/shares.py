"""Reads shares as people write them: 60, "60 %", "25-50%", "more than 25 %", "1/3".

Shares in words, such as "at least a third", are not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

PLACES = Decimal("0.000001")  # shares are stored with six decimals
HUNDRED = Decimal(100)
_DASHES = "\u2013\u2014"
_DASH = f"[{_DASHES}]"
_NUMBER = r"(\d{1,3}(?:[.,]\d{1,6})?)"
_RANGE = re.compile(rf"^{_NUMBER}\s*%?\s*(?:-|{_DASH}|to|bis)\s*{_NUMBER}\s*%?$")
_MORE = re.compile(
    rf"^(?:>=?|≥|over|more than|at least|min\.?|mehr als|über)\s*{_NUMBER}\s*%?$"
)
_LESS = re.compile(
    rf"^(?:<=?|≤|under|less than|up to|at most|max\.?)\s*{_NUMBER}\s*%?$"
)
_PLAIN = re.compile(rf"^{_NUMBER}\s*(?:%|percent|per cent|pct)?$")
_FRACTION = re.compile(r"^(\d{1,6})\s*/\s*(\d{1,6})$")
# A share at the end of a text that names a party: "John Smith, 60 %", "Acme Ltd (40%)".
_AT_END = re.compile(
    rf"^(?P<name>.*?)[\s,:;({_DASHES}-]+{_NUMBER}\s*%\s*\)?$", re.DOTALL
)


@dataclass(frozen=True)
class Share:
    """An interval of percentages. `is_unclear`: the stated value can be read in two ways."""

    low: Decimal
    high: Decimal
    is_unclear: bool = False


def read(value: object) -> Share | None:
    """The share that a value states; None if it states none or an impossible one."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _of_number(value)
    if isinstance(value, str):
        return _of_text(" ".join(value.split()).casefold())
    return None


def split(text: str) -> tuple[str, Share | None]:
    """Split "John Smith, 60 %" into the name and the share. The share is None if there is none."""
    match = _AT_END.match(text.strip())
    if match is None:
        return text.strip(), None
    share = _exactly(_decimal(match[2]))
    if share is None:
        return text.strip(), None
    return match["name"].strip(f" ,:;(-{_DASHES}"), share


def _of_number(value: float) -> Share | None:
    try:
        number = Decimal(str(value)).quantize(PLACES)
    except (InvalidOperation, ValueError):
        return None
    if 0 < number < 1:
        # 0.6 may mean 0.6 % or 60 %, so the interval covers both.
        return Share(number, number * 100, is_unclear=True)
    return _exactly(number)


def _of_text(text: str) -> Share | None:
    if match := _RANGE.match(text):
        low, high = match.groups()
        return _between(_decimal(low), _decimal(high))
    if match := _MORE.match(text):
        low = _decimal(match[1])
        return _between(low, HUNDRED)
    if match := _LESS.match(text):
        high = _decimal(match[1])
        return _between(Decimal(0), high)
    if match := _FRACTION.match(text):
        part, whole = match.groups()
        return _of_fraction(int(part), int(whole))
    if match := _PLAIN.match(text):
        number = _decimal(match[1])
        if 0 < number < 1 and text == match[1]:
            return Share(number, number * 100, is_unclear=True)
        return _exactly(number)
    return None


def _of_fraction(part: int, whole: int) -> Share | None:
    if not 0 <= part <= whole or whole == 0:
        return None
    percents = Decimal(part * 100) / Decimal(whole)
    rounded = percents.quantize(PLACES)
    if rounded == percents:
        return Share(rounded, rounded)
    # A third has no finite decimal form: the interval has the two decimals around it.
    step = PLACES if rounded < percents else -PLACES
    return Share(min(rounded, rounded + step), max(rounded, rounded + step))


def _decimal(digits: str) -> Decimal:
    return Decimal(digits.replace(",", "."))


def _exactly(number: Decimal) -> Share | None:
    return _between(number, number)


def _between(low: Decimal, high: Decimal) -> Share | None:
    if not 0 <= low <= high <= HUNDRED:
        return None
    return Share(low.quantize(PLACES), high.quantize(PLACES))
