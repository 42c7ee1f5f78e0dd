"""Puts words of scripts that are written from right to left into the order in which people read them.

A browser prints every letter at its own place, and gives the letters of a word, and the Latin words of a line,
from left to right.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from checks.text.words import Word

OF_RIGHT_TO_LEFT = frozenset({"R", "AL"})
MARKS = frozenset({",", ".", ":", "\u060c"})


def is_right_to_left(text: str) -> bool:
    for char in text:
        if unicodedata.bidirectional(char) in OF_RIGHT_TO_LEFT:
            return True
    return False


def letters_in_order(letters: Sequence[tuple[str, float]]) -> str:
    """Return the letters of a word, given with their left edges, in reading order."""
    text = "".join(char for char, _ in letters)
    if not is_right_to_left(text):
        return text
    edges = [x for char, x in letters if is_right_to_left(char)]
    to_right = sum(x < following for x, following in pairwise(edges))
    to_left = sum(x > following for x, following in pairwise(edges))
    if to_right <= to_left:
        return text
    # Digits within such a word are read from left to right all the same.
    runs: list[str] = []
    for char in text:
        if runs and char.isdigit() and runs[0][-1].isdigit():
            runs[0] += char
        else:
            runs.insert(0, char)
    return "".join(runs)


def words_in_order(words: Sequence[Word]) -> list[Word]:
    """Return the words of a line that runs from right to left, with its Latin ones in reading order.

    Words that a wide gap parts belong to different cells, and keep their order.
    """
    ordered = [_with_mark_behind(word) for word in words]
    start = 0
    for end in range(1, len(ordered) + 1):
        if end < len(ordered) and _is_left_of(ordered[end], ordered[end - 1]):
            continue
        ordered[start:end] = reversed(ordered[start:end])
        start = end
    return ordered


def _with_mark_behind(word: Word) -> Word:
    """“,12” is “12,” on such a line: the mark stands left of the number, and so behind it."""
    mark = word.text[:1]
    if mark in MARKS and len(word.text) > 1:
        return replace(word, text=f"{word.text[1:]}{mark}")
    return word


def _is_left_of(word: Word, before: Word) -> bool:
    """Whether a Latin word stands directly left of the Latin word that the file gives before it."""
    gap = before.box.x0 - word.box.x1
    is_near = -word.box.height < gap < word.box.height
    return is_near and all(map(_is_latin, (word.text, before.text)))


def _is_latin(text: str) -> bool:
    for char in text:
        if char.isascii() and char.isalpha():
            return True
    return False
