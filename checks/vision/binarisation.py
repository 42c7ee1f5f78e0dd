"""What of a page is ink, and what of that is neither text nor ruled lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.text.words import Word
from papers.geometry import Box

# A word that OCR believes in; what it doubts may be a signature or the lettering of a seal.
SURE = 0.62
# The span of grey values from ink to paper of a faint page; below it, there is only noise.
FAINTEST, FAINT = 40, 165
# Of words around a seal: how wide a letter is for the height of the word, and words' heights for
# the usual one.
NARROW, SOME_LETTERS = 0.2, 4
SMALL, TALL = 0.5, 1.8
cv2.setNumThreads(
    1
)  # each document has one process; more threads only hinder the others


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page to be looked at: its grey values (height x width), dots per inch, and words.

    Coloured ink is as dark in it as black ink: each dot has the least of its three colours.
    """

    number: int
    grey: Pixels
    dpi: float
    words: Sequence[Word] = ()

    @classmethod
    def of(
        cls, number: int, pixels: Pixels, dpi: float, words: Sequence[Word] = ()
    ) -> Sheet:
        """From pixels in RGB."""
        red, green, blue = cv2.split(pixels)
        least = np.asarray(cv2.min(cv2.min(red, green), blue), np.uint8)
        return cls(number, _stretched(least), dpi, words)

    @property
    def height(self) -> int:
        return int(self.grey.shape[0])

    @property
    def width(self) -> int:
        return int(self.grey.shape[1])

    def at(self, dpi: float) -> Sheet:
        """The same page with fewer dots."""
        scale = min(dpi / self.dpi, 1.0)
        if scale > 0.98:
            return self
        size = (max(1, round(self.width * scale)), max(1, round(self.height * scale)))
        small = cv2.resize(self.grey, size, interpolation=cv2.INTER_AREA)
        return Sheet(
            self.number, np.asarray(small, np.uint8), self.dpi * scale, self.words
        )

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """A rectangle of pixels as a box."""
        edges = (x0 / self.width, y0 / self.height, x1 / self.width, y1 / self.height)
        return Box(self.number, *(round(min(max(edge, 0.0), 1.0), 5) for edge in edges))

    def rectangle(self, box: Box) -> tuple[int, int, int, int]:
        """A box as a rectangle of pixels."""
        return (
            int(box.x0 * self.width),
            int(box.y0 * self.height),
            round(box.x1 * self.width),
            round(box.y1 * self.height),
        )

    def inches(self, box: Box) -> tuple[float, float]:
        return box.width * self.width / self.dpi, box.height * self.height / self.dpi


def turn(pixels: Pixels, quarters: int) -> Pixels:
    """Turned clockwise by so many quarters."""
    return np.ascontiguousarray(np.rot90(pixels, -quarters))


def _stretched(grey: Pixels) -> Pixels:
    """What came out faint is drawn out, so that its darkest ink is dark and its paper white."""
    counts = np.cumsum(cv2.calcHist([grey], [0], None, [256], [0, 256]).ravel())
    dark, paper = (
        int(np.searchsorted(counts, part * counts[-1])) for part in (0.003, 0.8)
    )
    if not FAINTEST <= paper - dark < FAINT:
        return grey
    scale = 235 / (paper - dark)
    return np.asarray(
        np.clip((grey.astype(np.float32) - dark) * scale, 0, 255), np.uint8
    )


def ink_of(grey: Pixels, dpi: float) -> Pixels:
    """255 where a pixel is darker than the paper about it."""
    window = int(dpi * 0.27) | 1
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    mode = cv2.ADAPTIVE_THRESH_MEAN_C
    kind = cv2.THRESH_BINARY_INV
    return np.asarray(
        cv2.adaptiveThreshold(soft, 255, mode, kind, window, 14), np.uint8
    )


@dataclass(frozen=True, slots=True)
class Inked:
    """What of a sheet is inked: ruled lines `across` and `down`, and all else, text included."""

    sheet: Sheet
    rest: Pixels
    across: Pixels
    down: Pixels

    @classmethod
    def of(cls, sheet: Sheet) -> Inked:
        ink = ink_of(sheet.grey, sheet.dpi)
        across, down = rules_of(ink, sheet.dpi)
        rest = np.asarray(cv2.subtract(ink, cv2.max(across, down)), np.uint8)
        return cls(sheet, rest, across, down)


def rules_of(ink: Pixels, dpi: float) -> tuple[Pixels, Pixels]:
    """The horizontal and the vertical ruled lines."""
    length = int(dpi * 0.9)
    across = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((1, length), np.uint8))
    down = cv2.morphologyEx(ink, cv2.MORPH_OPEN, np.ones((length, 1), np.uint8))
    return (
        np.asarray(cv2.dilate(across, np.ones((3, 1), np.uint8)), np.uint8),
        np.asarray(cv2.dilate(down, np.ones((1, 3), np.uint8)), np.uint8),
    )


def is_text(word: Word, height: float, typical: float) -> bool:
    """Is this surely a word, and no drawing that OCR took for one?"""
    letters = sum(map(str.isalnum, word.text))
    if word.source != "OCR":
        # Signatures are kept in fonts, too: one glyph, larger than any letter.
        return letters > 2 or height <= 3.5 * typical
    return word.confidence >= SURE and letters >= 2 and height <= 2.6 * typical


def letter_height(sheet: Sheet) -> float:
    """How tall the words of the page are, in pixels."""
    heights = []
    for word in sheet.words:
        if word.confidence > 0.7 and len(word.text) > 2:
            heights.append(word.box.height * sheet.height)
    if len(heights) > 5:
        return float(np.median(heights))
    return 0.13 * sheet.dpi


def erase_text(
    ink: npt.NDArray[Any], sheet: Sheet, margin: int, *, straight: bool = False
) -> None:
    """Blank the words of the page; if `straight`, only those that run straight across it."""
    typical = letter_height(sheet)
    heights = ((word, word.box.height * sheet.height) for word in sheet.words)
    words = (
        word.box
        for word, high in heights
        if is_text(word, high, typical)
        and not (straight and _is_bent(sheet, word, high, typical))
    )
    erase(ink, sheet, words, margin)


def _is_bent(sheet: Sheet, word: Word, height: float, typical: float) -> bool:
    """May it be set around a circle? Its box is then tall for its letters, or all of it tiny."""
    narrow = word.box.width * sheet.width < NARROW * len(word.text) * height
    bent = narrow and len(word.text) >= SOME_LETTERS
    return bent or not SMALL * typical <= height <= TALL * typical


def erase(
    ink: npt.NDArray[Any], sheet: Sheet, boxes: Iterable[Box], margin: int
) -> None:
    for box in boxes:
        x0, y0, x1, y1 = sheet.rectangle(box)
        ink[max(0, y0 - margin) : y1 + margin, max(0, x0 - margin) : x1 + margin] = 0
