"""Splits two texts into runs of words and marks the runs that differ."""

from __future__ import annotations

import difflib
import re
from typing import NamedTuple

# Longer texts are not compared word by word: the cost grows with the square of the length.
MAX_WORDS = 160
NO_LETTERS = re.compile(r"[\W_]+")


class Segment(NamedTuple):
    """A run of words on one side of a comparison. `changed`: the other side has different words
    here.
    """

    text: str
    changed: bool


Sides = tuple[tuple[Segment, ...], tuple[Segment, ...]]


def word_diff(
    before: str, after: str
) -> tuple[tuple[Segment, ...], tuple[Segment, ...]]:
    """Splits both texts into runs of words and marks those that differ.

    Case and punctuation are ignored. If a text is empty or both are too long, each is one changed
    run.
    """
    left_words = before.split()
    right_words = after.split()
    if not _are_comparable(left_words, right_words):
        return _changed(before), _changed(after)
    left_keys = [_word_key(word) for word in left_words]
    right_keys = [_word_key(word) for word in right_words]
    left: list[Segment] = []
    right: list[Segment] = []
    # With autojunk, difflib would ignore words that are frequent in a long text.
    matcher = difflib.SequenceMatcher(
        None,
        left_keys,
        right_keys,
        autojunk=False,
    )
    for kind, left_start, left_end, right_start, right_end in matcher.get_opcodes():
        changed = kind != "equal"
        left_run = " ".join(left_words[left_start:left_end])
        right_run = " ".join(right_words[right_start:right_end])
        if left_run:
            left.append(Segment(left_run, changed))
        if right_run:
            right.append(Segment(right_run, changed))
    return tuple(left), tuple(right)


def joined(before: str, after: str) -> tuple[str, str]:
    """The texts of both sides of `word_diff`, joined by spaces, without the comparison."""
    left_words = before.split()
    right_words = after.split()
    if not _are_comparable(left_words, right_words):
        return before, after
    return " ".join(left_words), " ".join(right_words)


def _are_comparable(left_words: list[str], right_words: list[str]) -> bool:
    if not left_words or not right_words:
        return False
    return len(left_words) + len(right_words) <= MAX_WORDS


def plain(value: str) -> tuple[Segment, ...]:
    if not value:
        return ()
    return (Segment(value, changed=False),)


def _changed(value: str) -> tuple[Segment, ...]:
    if not value:
        return ()
    return (Segment(value, changed=True),)


def _word_key(word: str) -> str:
    return NO_LETTERS.sub("", word.casefold()) or word
