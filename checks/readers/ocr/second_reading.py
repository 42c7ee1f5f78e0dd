"""Reads the words of a page once more, each line by itself and in other sizes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from checks.readers.ink import Grey
from checks.readers.ocr import tunables
from checks.readers.ocr.stray_words import Place
from checks.text.words import Word
from papers.geometry import Box


@dataclass(frozen=True, slots=True)
class StandingPage:
    """The upright picture that was read, and the place of each word on it.

    The words know their boxes on the page as it is displayed, which may be turned or seen from aside.
    """

    grey: Grey
    places: Mapping[Box, Place]
    read_line: Callable[[Grey], str]

    def read_again(self, words: Sequence[Word]) -> Iterator[str]:
        """Yield what is read where these words of one line stand, once for each size.

        Nothing if one of the words was not read on this picture.
        """
        places = []
        for word in words:
            if word.box not in self.places:
                return
            places.append(self.places[word.box])
        piece = self._cut(places)
        for scale in tunables.AGAIN_SCALES:
            larger = cv2.resize(
                piece, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
            )
            framed = cv2.copyMakeBorder(
                larger,
                tunables.FRAME,
                tunables.FRAME,
                tunables.FRAME,
                tunables.FRAME,
                cv2.BORDER_REPLICATE,
            )
            yield self.read_line(np.ascontiguousarray(framed))

    def _cut(self, places: Sequence[Place]) -> Grey:
        height, width = self.grey.shape
        left, top, right, bottom = _bounds(places)
        margin = round((bottom - top) * tunables.AGAIN_MARGIN) + 1
        before, behind = self._margins(places, 2 * margin)
        return self.grey[
            max(0, top - margin) : min(height, bottom + margin),
            max(0, left - before) : min(width, right + behind),
        ]

    def _margins(self, places: Sequence[Place], widest: int) -> tuple[int, int]:
        """Return the margins left and right of the words: at most half of the way to the next word.

        With the end of that word in the picture, another letter would be read.
        """
        left, top, right, bottom = _bounds(places)
        before = behind = widest
        for x, y, width, height in self.places.values():
            is_on_row = y < bottom and y + height > top
            if is_on_row and x + width <= left:
                before = min(before, (left - x - width) // 2)
            if is_on_row and x >= right:
                behind = min(behind, (x - right) // 2)
        return before, behind


def _bounds(places: Sequence[Place]) -> tuple[int, int, int, int]:
    """Return the left, upper, right and lower edge of all places together."""
    left, top, width, height = places[0]
    right, bottom = left + width, top + height
    for x, y, width, height in places[1:]:
        left, top = min(left, x), min(top, y)
        right, bottom = max(right, x + width), max(bottom, y + height)
    return left, top, right, bottom
