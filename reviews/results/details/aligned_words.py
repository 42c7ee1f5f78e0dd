"""Which words of two pages are the same, and which stand in the place of others.

The cost stays small for any two pages: words that are on each page only once are matched first, and
only short stretches between them are compared word by word.
"""

from __future__ import annotations

import difflib
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

NO_LETTERS = re.compile(r"[\W_]+")
# Words times words of a stretch that is compared word by word: the cost grows with this number.
MOST_PAIRS = 2_500
# Digits: shorter numbers, such as years and sections, are on many pages.
LONG_NUMBER = 5
# Letters: shorter words are on every page.
LONG_WORD = 4


class Stretch(NamedTuple):
    """Words of each page, by their indexes, that stand at the same place and differ."""

    left: tuple[int, ...]
    right: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Alignment:
    common: int  # words that both pages have
    stretches: Sequence[Stretch]


def align(left: Sequence[str], right: Sequence[str]) -> Alignment:
    """Compare the words of two pages, without regard to case and punctuation.

    A word that stands elsewhere on the other page does not differ: pages are read in another order.
    """
    left_keys = list(map(_key, left))
    right_keys = list(map(_key, right))
    pairs = list(_pairs(left_keys, right_keys))
    rest_left = set(range(len(left)))
    rest_right = set(range(len(right)))
    for i, j in pairs:
        rest_left.discard(i)
        rest_right.discard(j)
    # The words of both pages that stand at other places.
    moved = Counter(left_keys[i] for i in rest_left)
    moved &= Counter(right_keys[j] for j in rest_right)
    _remove(rest_left, left_keys, moved.copy())
    _remove(rest_right, right_keys, moved.copy())
    stretches = []
    for i, j, left_end, right_end in _gaps(pairs, len(left), len(right)):
        first = _within(rest_left, i, left_end)
        second = _within(rest_right, j, right_end)
        if first or second:
            stretches.append(Stretch(first, second))
    return Alignment(len(pairs) + moved.total(), stretches)


def _within(rest: set[int], start: int, end: int) -> tuple[int, ...]:
    return tuple(index for index in range(start, end) if index in rest)


def similarity(left: Sequence[str], right: Sequence[str]) -> float:
    """The share of the longer words without digits that both pages have, of all that either has."""
    first = _long_words(left)
    second = _long_words(right)
    return len(first & second) / max(1, len(first | second))


def common_numbers(left: Sequence[str], right: Sequence[str]) -> list[str]:
    """Numbers with several digits that are on both pages, as the left one writes them.

    Zeros at the ends do not count: “10,000,000” and “$0.0001” are amounts that many forms share.
    """
    keys = {_key(word) for word in right}
    numbers: dict[str, str] = {}
    for word in left:
        key = _key(word)
        digits = "".join(filter(str.isdigit, key)).strip("0")
        if len(digits) >= LONG_NUMBER and key in keys:
            numbers.setdefault(key, word)
    return list(numbers.values())


def _long_words(words: Sequence[str]) -> set[str]:
    keys = {_key(word) for word in words}
    return {key for key in keys if len(key) >= LONG_WORD and key.isalpha()}


def _key(word: str) -> str:
    return NO_LETTERS.sub("", word.casefold()) or word


def _remove(rest: set[int], keys: Sequence[str], moved: Counter[str]) -> None:
    for index in sorted(rest):
        if moved[keys[index]] > 0:
            moved[keys[index]] -= 1
            rest.discard(index)


def _pairs(left: Sequence[str], right: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Indexes of equal words, in the order of both pages."""
    anchors = _anchors(left, right)
    start_left = start_right = 0
    for i, j in [*anchors, (len(left), len(right))]:
        yield from _between(left, right, start_left, i, start_right, j)
        if i < len(left):
            yield i, j
        start_left, start_right = i + 1, j + 1


def _anchors(left: Sequence[str], right: Sequence[str]) -> list[tuple[int, int]]:
    """Words that each page has once, as many as follow each other in the same order on both."""
    once = {key for key, count in Counter(left).items() if count == 1}
    place = {}
    counts = Counter(right)
    for j, key in enumerate(right):
        if key in once and counts[key] == 1:
            place[key] = j
    pairs = [(i, place[key]) for i, key in enumerate(left) if key in place]
    return _longest_increasing(pairs)


def _longest_increasing(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest selection in which the second numbers increase, too."""
    ends: list[int] = []  # the least last number of a selection, by its length
    at: list[int] = []  # the index of that pair
    before: list[int] = []
    for index, (_, j) in enumerate(pairs):
        length = bisect_left(ends, j)
        before.append(at[length - 1] if length else -1)
        ends[length : length + 1] = [j]
        at[length : length + 1] = [index]
    selected = []
    index = at[-1] if at else -1
    while index >= 0:
        selected.append(pairs[index])
        index = before[index]
    return selected[::-1]


def _between(
    left: Sequence[str], right: Sequence[str], i: int, i_end: int, j: int, j_end: int
) -> Iterator[tuple[int, int]]:
    """The same for a stretch between two anchors."""
    while i < i_end and j < j_end and left[i] == right[j]:
        yield i, j
        i += 1
        j += 1
    tail = []
    while i < i_end and j < j_end and left[i_end - 1] == right[j_end - 1]:
        i_end -= 1
        j_end -= 1
        tail.append((i_end, j_end))
    if 0 < (i_end - i) * (j_end - j) <= MOST_PAIRS:
        # With autojunk, difflib would ignore frequent words.
        matcher = difflib.SequenceMatcher(
            None, left[i:i_end], right[j:j_end], autojunk=False
        )
        for block in matcher.get_matching_blocks():
            for offset in range(block.size):
                yield i + block.a + offset, j + block.b + offset
    yield from reversed(tail)


def _gaps(
    pairs: Sequence[tuple[int, int]], left: int, right: int
) -> Iterator[tuple[int, int, int, int]]:
    """What stands between two pairs: where it begins and ends on each page."""
    i = j = 0
    for left_end, right_end in [*pairs, (left, right)]:
        if i < left_end or j < right_end:
            yield i, j, left_end, right_end
        i, j = left_end + 1, right_end + 1
