"""Reads shares as people write them: 60, "60 %", "25-50%", "more than 25 %", "1/3", "one third",
"50 % + 1 share", "1,000 of 4,000 shares". `read_codes`: the codes of registers.

What can be read in two ways is an interval or nothing: a share that is not known is better than a
wrong one.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import islice

PLACES = Decimal("0.000001")  # shares are stored with six decimals
HUNDRED = Decimal(100)
# "50 % plus one share": of a company with a hundred shares or more, one is at most this.
ONE_SHARE = Decimal(1)
_DASHES = "\u2013\u2014"
_DASH = f"[{_DASHES}]"
_NUMBER = r"(\d{1,3}(?:[.,]\d{1,6})?)"
_PERCENT = r"\s*(?:%|percent|per cent|pct|prozent)?"
_SIGN = r"(?:%|percent|per cent|pct|prozent)"
_RANGE = re.compile(
    rf"^(?:from\s+|between\s+|von\s+|zwischen\s+)?{_NUMBER}{_PERCENT}\s*"
    rf"(?:-|{_DASH}|to|and|bis|und)\s*{_NUMBER}{_PERCENT}$"
)
# Each list of words has a sign that says whether the number itself is among the values.
_LEAST = r"(?P<or_equal>>=|≥|at least|not less than|no less than|min\.?|mindestens)"
_MORE = r"(?P<beyond>>|over|above|more than|greater than|mehr als|über)"
_FROM = rf"(?:{_LEAST}|{_MORE})\s*{_NUMBER}{_PERCENT}"
_MOST = r"(?P<up_to><=|≤|up to|at most|not more than|no more than|max\.?|höchstens)"
_LESS = r"(?P<below><|under|below|less than|weniger als|unter)"
_UNTIL = rf"(?:{_MOST}|{_LESS})\s*{_NUMBER}{_PERCENT}"
_AT_LEAST = re.compile(rf"^{_FROM}$")
_AT_MOST = re.compile(rf"^{_UNTIL}$")
# "More than 25 % but not more than 50 %", as the register of the United Kingdom has it.
_BOTH = re.compile(rf"^{_FROM},?\s*(?:but|and)\s+{_UNTIL}$")
_OR_MORE = re.compile(
    rf"^{_NUMBER}(?:{_PERCENT}\s*(?:\+|or more|or above|and over|oder mehr))$"
)
_OR_LESS = re.compile(rf"^{_NUMBER}{_PERCENT}\s*(?:or less|or below|oder weniger)$")
_PLAIN = re.compile(rf"^{_NUMBER}\s*(?P<sign>%|percent|per cent|pct|prozent)?$")
_ONE_SHARE = re.compile(
    rf"^{_NUMBER}{_PERCENT}\s*(?P<sign>\+|plus|-|{_DASH}|minus)\s*(?:1|one|eine?)\s+"
    r"(?:share|vote|anteil|aktie|stimme)s?$"
)
_COUNT = r"(\d{1,3}(?:[.,' ]\d{3})+|\d{1,12})"
_FRACTION = re.compile(
    rf"^{_COUNT}\s*(?:shares?\s+)?(?:/|of|out of|von)\s*{_COUNT}\s*(?:shares?|anteilen?)?$"
)
# A number with three decimals behind a comma may be a number of shares: "25,000".
_THOUSANDS = re.compile(r"^\d{1,3},\d{3}$")
# A share at the end of a text that names a party: "John Smith, 60 %", "Acme Ltd (25-50 %)".
_AT_END = re.compile(
    rf"^(?P<name>.*?)(?:\s*\((?P<within>[^()]*)\)|(?:[\s,:;{_DASHES}-]+(?P<after>{_NUMBER}\s*{_SIGN})))$",
    re.DOTALL | re.IGNORECASE,
)
# Parts of the whole in words, by what one of them is.
_PARTS = {
    "half": 2, "halves": 2, "hälfte": 2, "moitié": 2, "mitad": 2,
    "third": 3, "thirds": 3, "drittel": 3, "tiers": 3, "tercio": 3, "tercios": 3,
    "quarter": 4, "quarters": 4, "viertel": 4, "quart": 4, "quarts": 4,
    "cuarto": 4, "cuartos": 4,
    "fifth": 5, "fifths": 5, "fünftel": 5,
    "sixth": 6, "sixths": 6, "eighth": 8, "eighths": 8,
    "tenth": 10, "tenths": 10, "zehntel": 10,
}  # fmt: skip
_COUNTS = {
    "a": 1, "an": 1, "one": 1, "the": 1, "1": 1, "two": 2, "2": 2, "three": 3, "3": 3,
    "four": 4, "4": 4, "ein": 1, "eine": 1, "die": 1, "zwei": 2, "drei": 3,
    "un": 1, "une": 1, "la": 1, "deux": 2, "trois": 3, "dos": 2, "tres": 3,
}  # fmt: skip
_WHOLE = re.compile(
    r"^(?:all|whole|sole|entire|full|wholly|the whole|all shares|sole owner|sole shareholder"
    r"|wholly owned|alleinig|alleiniger gesellschafter)$"
)
_MAJORITY = re.compile(
    r"^(?:a |the )?(?:majority|mehrheit)(?: (?:owner|shareholder|stake))?$"
)
_MINORITY = re.compile(
    r"^(?:a |the )?(?:minority|minderheit)(?: (?:owner|shareholder|stake))?$"
)
# The codes and words of Companies House for the nature of control: "voting-rights-25-to-50-percent",
# "ownership-of-shares-more-than-25-percent-as-trust-registered-overseas-entity", "Ownership of shares
# - 75% or more". Those of a partnership have parts of its assets for shares.
_CAPITAL = r"ownership of shares|(?:part )?right to (?:share )?surplus assets"
_VOTES = r"(?:ownership of |holds )?voting rights"
_CODE = re.compile(
    rf"^(?:(?P<capital>{_CAPITAL})|(?P<votes>{_VOTES}))\W+(?P<band>(?:\d|more than \d).*)$"
)
_BAND = re.compile(
    r"^(?:(?P<low>25|50|75) to (?P<high>50|75|100)|more than (?P<least>25)) percent\b"
)
_BAND_IN_WORDS = re.compile(
    r"^(?:more than \d+%(?: but (?:not more|less) than \d+%)?|\d+% or more)"
)
_CONTROL = re.compile(
    r"^(?:right to appoint (?:and|or) remove |(?:has )?significant influence or control)"
)


@dataclass(frozen=True)
class Share:
    """An interval of percentages. `is_unclear`: the stated value can be read in two ways."""

    low: Decimal
    high: Decimal
    is_unclear: bool = False


@dataclass(frozen=True)
class Control:
    """What codes of a register say: a share of the capital, one of the votes, other means."""

    capital: Share | None = None
    votes: Share | None = None
    means: tuple[str, ...] = ()


def read_codes(texts: Iterable[str]) -> Control:
    """What the codes among these texts say. A text that is no code says nothing."""
    capital: list[Share] = []
    votes: list[Share] = []
    means = []
    for text in texts:
        words = " ".join(text.casefold().replace("-", " ").split())
        if _CONTROL.match(words):
            means.append(text)
        elif match := _CODE.match(words):
            share = _of_band(match["band"])
            if share:
                shares = capital if match["capital"] else votes
                shares.append(share)
    return Control(_all_of(capital), _all_of(votes), tuple(means))


def _of_band(text: str) -> Share | None:
    if match := _BAND_IN_WORDS.match(text):
        return read(match[0])
    match = _BAND.match(text)
    if match is None:
        return None
    low = Decimal(match["low"] or match["least"])
    high = Decimal(match["high"] or 100)
    # The bands are "more than 25 % but not more than 50 %", "more than 50 % but less than 75 %" and
    # "75 % or more".
    if low < 75:
        low += PLACES
    if high == 75:
        high -= PLACES
    return _between(low, high)


def _all_of(bands: Sequence[Share]) -> Share | None:
    """Who holds some by themselves and some through a trust holds the larger part at least."""
    if not bands:
        return None
    total = sum((band.high for band in bands), Decimal(0))
    return Share(max(band.low for band in bands), min(total, HUNDRED))


def read(value: object) -> Share | None:
    """The share that a value states; None if it states none or an impossible one."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, int | float):
        return _of_number(value)
    if isinstance(value, str):
        plain = unicodedata.normalize("NFKC", value).replace("\u066a", "%")
        return _of_text(" ".join(plain.split()).casefold())
    if isinstance(value, dict):
        return _of_bounds(value)
    return None


def split(text: str) -> tuple[str, Share | None]:
    """Split "John Smith, 60 %" into the name and the share. The share is None if there is none."""
    match = _AT_END.match(text.strip())
    if match is None:
        return text.strip(), None
    stated = match["within"] or match["after"]
    share = read(stated)
    # "Acme (1990)", "Bank (UK)" and "Lee (2)" are names.
    if share is None or not re.search(
        r"[%/\u066a\uff05]|per ?cent|pct|prozent|\bof\b", stated.casefold()
    ):
        return text.strip(), None
    return match["name"].strip(f" ,:;(-{_DASHES}"), share


def _of_number(value: float) -> Share | None:
    try:
        number = Decimal(str(value)).quantize(PLACES)
    except (InvalidOperation, ValueError):
        return None
    # JSON may have NaN, which cannot be compared.
    return _plain(number) if number.is_finite() else None


def _plain(number: Decimal) -> Share | None:
    """A number without a sign: from 0 to 1, it may be a percentage or a part of one."""
    if 0 < number <= 1:
        # 0.6 may mean 0.6 % or 60 %, and 1 may mean 1 % or all of it: the interval covers both.
        return Share(number, number * 100, is_unclear=True)
    return _exactly(number)


def _of_bounds(value: Mapping[object, object]) -> Share | None:
    """A share as registers of beneficial owners publish it: {"minimum": 25, "maximum": 50}."""
    members = {}
    for name, bound in islice(value.items(), 20):
        members[str(name).casefold()] = bound
    exact = read_one(members, "exact", "value", "percentage", "percent")
    if exact is not None:
        return exact
    low = read_one(members, "exclusiveminimum", "minimum", "min", "from")
    high = read_one(members, "exclusivemaximum", "maximum", "max", "to")
    if low is None and high is None:
        return None
    lowest = low.low if low else Decimal(0)
    highest = high.high if high else HUNDRED
    return _between(lowest, highest)


def read_one(members: Mapping[str, object], *names: str) -> Share | None:
    """The first share that one of these members states as a number or a text."""
    for name in names:
        value = members.get(name)
        if isinstance(value, int | float | str) and (share := read(value)):
            return share
    return None


def _of_text(text: str) -> Share | None:
    for pattern, of_match in _FORMS:
        if match := pattern.match(text):
            return of_match(match)
    return _of_words(text)


def _of_words(text: str) -> Share | None:
    words = text.removesuffix(" of the shares").replace("-", " ").split()
    if not words:
        return None
    *before, part = words
    whole = _PARTS.get(part)
    if whole is None or len(before) > 1:
        return None
    count = _COUNTS.get(before[0]) if before else 1
    if count is None:
        return None
    return _of_fraction(count, whole)


def _of_range(match: re.Match[str]) -> Share | None:
    low, high = match.groups()
    return _between(_decimal(low), _decimal(high))


def _of_least(match: re.Match[str]) -> Share | None:
    return _between(_low(match["beyond"], match[3]), HUNDRED)


def _of_most(match: re.Match[str]) -> Share | None:
    return _between(Decimal(0), _high(match["below"], match[3]))


def _of_both(match: re.Match[str]) -> Share | None:
    low = _low(match["beyond"], match[3])
    high = _high(match["below"], match[6])
    return _between(low, high)


def _low(beyond: str | None, digits: str) -> Decimal:
    """The least value. "More than 50 %" is a majority, so it does not begin at 50."""
    return _decimal(digits) + (PLACES if beyond else 0)


def _high(below: str | None, digits: str) -> Decimal:
    return _decimal(digits) - (PLACES if below else 0)


def _of_one_share(match: re.Match[str]) -> Share | None:
    number = _decimal(match[1])
    if match["sign"] in ("+", "plus"):
        return _between(number + PLACES, min(number + ONE_SHARE, HUNDRED))
    return _between(max(number - ONE_SHARE, Decimal(0)), number - PLACES)


def _of_count(match: re.Match[str]) -> Share | None:
    part, whole = (int(re.sub(r"\D", "", digits)) for digits in match.groups())
    # 40/60 may be the percents of two owners: it is not said whose is which.
    if part + whole == HUNDRED and "/" in match[0]:
        return None
    return _of_fraction(part, whole)


def _of_plain(match: re.Match[str]) -> Share | None:
    if match["sign"]:
        return _exactly(_decimal(match[1]))
    if _THOUSANDS.match(match[1]):
        return None
    return _plain(_decimal(match[1]))


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Share | None]], ...] = (
    (_RANGE, _of_range),
    (_AT_LEAST, _of_least),
    (_AT_MOST, _of_most),
    (_BOTH, _of_both),
    (_OR_MORE, lambda match: _between(_decimal(match[1]), HUNDRED)),
    (_OR_LESS, lambda match: _between(Decimal(0), _decimal(match[1]))),
    (_ONE_SHARE, _of_one_share),
    (_FRACTION, _of_count),
    (_PLAIN, _of_plain),
    (_WHOLE, lambda _: _exactly(HUNDRED)),
    (_MAJORITY, lambda _: _between(HUNDRED / 2 + PLACES, HUNDRED)),
    (_MINORITY, lambda _: _between(Decimal(0), HUNDRED / 2 - PLACES)),
)


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


def _between(low: Decimal | int, high: Decimal) -> Share | None:
    if not 0 <= low <= high <= HUNDRED:
        return None
    return Share(Decimal(low).quantize(PLACES), high.quantize(PLACES))
