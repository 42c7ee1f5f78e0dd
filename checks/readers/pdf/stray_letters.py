"""Puts letters of another font, drawn after their line, back into their words.

If a font lacks an accented letter, some programs draw it from another font at the end. The text
then reads “Z rich ü”, while the page shows “Zürich”.
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Sequence
from dataclasses import replace

from checks.readers.pdf import tunables
from checks.text.words import Word
from papers.geometry import enclosing


def in_place(words: Sequence[Word]) -> list[Word]:
    """Return the words of a line, with late letters moved into the gaps that they fill."""
    placed: list[Word] = []
    blank = 0.0
    for word in words:
        if placed and _is_late(word, placed):
            blank = blank or _blank(placed)
            _insert(placed, word, blank)
        else:
            placed.append(word)
    return placed


def _is_late(word: Word, placed: Sequence[Word]) -> bool:
    """Whether a word of one or two letters stands left of what was drawn before it."""
    right = max(other.box.x1 for other in placed)
    is_short = len(word.text) <= tunables.STRAY_LETTERS
    if not is_short or word.box.shared_rows(placed[-1].box) < 0.5:
        return False
    return word.box.x1 <= right and word.box.x0 < placed[-1].box.x0


def _blank(words: Sequence[Word]) -> float:
    """Return the usual width of a space in the line.

    Gaps that letters fill are wider or narrower.
    """
    gaps = []
    for left, right in itertools.pairwise(words):
        gaps.append(right.box.x0 - left.box.x1)
    if not gaps:
        return tunables.BLANK_BY_HEIGHT * words[0].box.height
    return statistics.median(gaps)


def _insert(placed: list[Word], word: Word, blank: float) -> None:
    index = 0
    while index < len(placed) and placed[index].box.x0 < word.box.x0:
        index += 1
    left = placed[index - 1] if index else None
    right = placed[index] if index < len(placed) else None
    # The letter may complete the word on its right, the word on its left, or both.
    if right is not None and _touch(word, right, blank):
        word = _joined(word, right)
        del placed[index]
    if left is not None and _touch(left, word, blank):
        placed[index - 1] = _joined(left, word)
    else:
        placed.insert(index, word)


def _touch(left: Word, right: Word, blank: float) -> bool:
    """Whether no space fits between the words."""
    return right.box.x0 - left.box.x1 < tunables.NO_BLANK * blank


def _joined(left: Word, right: Word) -> Word:
    box = enclosing((left.box, right.box))
    return replace(left, text=left.text + right.text, box=box)
