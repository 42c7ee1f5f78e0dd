"""Shares: exact fractions of one, or intervals if the exact part is unknown."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

ZERO = Fraction(0)
ONE = Fraction(1)


@dataclass(frozen=True, order=True)
class Interval:
    """A share between `low` and `high`. Raises ValueError unless 0 ≤ low ≤ high ≤ 1."""

    low: Fraction
    high: Fraction

    def __post_init__(self) -> None:
        if not ZERO <= self.low <= self.high <= ONE:
            raise ValueError(f"No share: from {self.low} to {self.high}.")

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @classmethod
    def of(cls, low: Fraction | int | str, high: Fraction | int | str) -> Interval:
        return cls(Fraction(low), Fraction(high))

    @classmethod
    def exactly(cls, share: Fraction | int | str) -> Interval:
        return cls(Fraction(share), Fraction(share))


NOTHING = Interval(ZERO, ZERO)
UNKNOWN = Interval(ZERO, ONE)


def percent(share: Fraction) -> str:
    """A share for users, with at most two decimals: "33.33 %".

    Rounded to the nearest value, but never across a whole percent: more than a half never reads "50
    %".
    """
    hundredths = share * 10_000
    # In hundredths of a percent.
    rounded = round(hundredths)
    if rounded % 100 == 0 and rounded != hundredths:
        sign = "more than " if hundredths > rounded else "less than "
        return f"{sign}{rounded // 100} %"
    whole, rest = divmod(rounded, 100)
    decimals = f".{rest:02}".rstrip("0") if rest else ""
    return f"{whole}{decimals} %"


def words(share: Interval) -> str:
    """An interval for users: "40 %", "25 % to 50 %", "not known"."""
    if share.is_exact:
        return percent(share.low)
    if share == UNKNOWN:
        return "not known"
    if share.low == ZERO:
        return f"at most {percent(share.high)}"
    if share.high == ONE:
        return f"at least {percent(share.low)}"
    return f"{percent(share.low)} to {percent(share.high)}"
