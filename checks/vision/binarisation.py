"""Which dots of a page are ink, and which ink is neither text nor a ruled line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels
from checks.readers.ink import block
from checks.text.characters import count_letters_and_digits
from checks.text.words import Word
from checks.vision import tunables
from papers.geometry import Box

# Each document has its own process. More threads would only slow down the others.
cv2.setNumThreads(1)
Mask = npt.NDArray[np.uint8] | npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One page for inspection: its grey values (height x width), dots per inch, and words.

    Each dot has the lowest of its three colours, so that coloured ink is as dark as black ink.
    """

    number: int
    grey: Pixels
    dpi: float
    words: Sequence[Word] = ()

    @classmethod
    def of(
        cls, number: int, pixels: Pixels, dpi: float, words: Sequence[Word] = ()
    ) -> Sheet:
        """Make a sheet from pixels in RGB."""
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
        """Return the same page at a lower resolution."""
        scale = min(dpi / self.dpi, 1.0)
        if scale > 0.98:
            return self
        width = max(1, round(self.width * scale))
        height = max(1, round(self.height * scale))
        small = cv2.resize(self.grey, (width, height), interpolation=cv2.INTER_AREA)
        grey = np.asarray(small, np.uint8)
        return Sheet(self.number, grey, self.dpi * scale, self.words)

    def box(self, x0: float, y0: float, x1: float, y1: float) -> Box:
        """Convert a rectangle of pixels into a box."""
        return Box(
            self.number,
            _share(x0, self.width),
            _share(y0, self.height),
            _share(x1, self.width),
            _share(y1, self.height),
        )

    def rectangle(self, box: Box) -> tuple[int, int, int, int]:
        """Convert a box into a rectangle of pixels."""
        return (
            int(box.x0 * self.width),
            int(box.y0 * self.height),
            round(box.x1 * self.width),
            round(box.y1 * self.height),
        )

    def inches(self, box: Box) -> tuple[float, float]:
        width = box.width * self.width
        height = box.height * self.height
        return width / self.dpi, height / self.dpi


def _share(edge: float, whole: int) -> float:
    """Return an edge as a fraction of the page, limited to 0 and 1."""
    return round(min(max(edge / whole, 0.0), 1.0), 5)


def turn(pixels: Pixels, quarters: int) -> Pixels:
    """Return the picture turned clockwise by so many quarters."""
    return np.ascontiguousarray(np.rot90(pixels, -quarters))


def _stretched(grey: Pixels) -> Pixels:
    """Stretch the contrast of a faint picture, so that its ink is dark and its paper white."""
    histogram = cv2.calcHist([grey], [0], None, [256], [0, 256])
    counts = np.cumsum(histogram.ravel())
    dots = counts[-1]
    dark = int(np.searchsorted(counts, tunables.DARKEST * dots))
    paper = int(np.searchsorted(counts, tunables.BRIGHTER * dots))
    span = paper - dark
    # An empty page has nothing to stretch, and a clear one does not need it.
    if not tunables.FAINTEST <= span < tunables.FAINT:
        return grey
    stretched = (grey.astype(np.float32) - dark) * (tunables.STRETCHED_SPAN / span)
    return np.asarray(np.clip(stretched, 0, 255), np.uint8)


def ink_of(grey: Pixels, dpi: float) -> Pixels:
    """Return 255 where a pixel is darker than the paper around it."""
    # The size of the window must be odd.
    window = int(dpi * tunables.INK_WINDOW) | 1
    soft = cv2.GaussianBlur(grey, (3, 3), 0)
    mode = cv2.ADAPTIVE_THRESH_MEAN_C
    kind = cv2.THRESH_BINARY_INV
    ink = cv2.adaptiveThreshold(soft, 255, mode, kind, window, tunables.DARKER)
    return np.asarray(ink, np.uint8)


@dataclass(frozen=True, slots=True)
class Inked:
    """The ink of a sheet: ruled lines `across` and `down`, and in `rest` everything else, including
    text.
    """

    sheet: Sheet
    rest: Pixels
    across: Pixels
    down: Pixels

    @classmethod
    def of(cls, sheet: Sheet) -> Inked:
        ink = ink_of(sheet.grey, sheet.dpi)
        across, down = rules_of(ink, sheet.dpi)
        # Signatures often cross a ruled line, so the lines are removed before strokes are searched.
        rest = cv2.subtract(ink, cv2.max(across, down))
        return cls(sheet, np.asarray(rest, np.uint8), across, down)


def rules_of(ink: Pixels, dpi: float) -> tuple[Pixels, Pixels]:
    """Return the horizontal and the vertical ruled lines."""
    length = int(dpi * tunables.SHORTEST_RULE)
    return _runs(ink, 1, length), _runs(ink, length, 1)


def _runs(ink: Pixels, height: int, width: int) -> Pixels:
    """Return ink that continues for this height and width, with the pixels along its sides."""
    runs = cv2.morphologyEx(ink, cv2.MORPH_OPEN, block(height, width))
    # Horizontal lines grow by a pixel above and below, vertical ones by a pixel on both sides.
    sides = block(min(width, 3), min(height, 3))
    return np.asarray(cv2.dilate(runs, sides), np.uint8)


def is_text(word: Word, height: float, typical: float) -> bool:
    """Whether this is surely a word, and not a drawing that OCR read as one."""
    letters = count_letters_and_digits(word.text)
    if word.source != "OCR":
        # Some files store a signature as a glyph of a font, larger than any letter.
        is_glyph = height > tunables.TALL_GLYPH * typical
        return letters > tunables.LETTERS_OF_GLYPH or not is_glyph
    if word.confidence < tunables.SURE_WORD or letters < tunables.LETTERS_OF_WORD:
        return False
    return height <= tunables.TALL_READ * typical


def letter_height(sheet: Sheet) -> float:
    """Return the usual height of the words of the page, in pixels."""
    heights = []
    for word in sheet.words:
        if word.confidence <= tunables.HEIGHT_WORD:
            continue
        if len(word.text) > tunables.HEIGHT_LETTERS:
            heights.append(word.box.height * sheet.height)
    # On a page with few words the usual height of print is assumed.
    if len(heights) < tunables.ENOUGH_WORDS:
        return tunables.USUAL_HEIGHT * sheet.dpi
    return float(np.median(heights))


def erase_text(ink: Mask, sheet: Sheet, margin: int, *, straight: bool = False) -> None:
    """Erase the words of the page; if `straight`, only those on a straight line."""
    typical = letter_height(sheet)
    boxes = []
    for word in sheet.words:
        height = word.box.height * sheet.height
        if not is_text(word, height, typical):
            continue
        if straight and _is_bent(sheet, word, height, typical):
            continue
        boxes.append(word.box)
    erase(ink, sheet, boxes, margin)


def _is_bent(sheet: Sheet, word: Word, height: float, typical: float) -> bool:
    """Whether a word may run around a circle: its box is too tall for its letters, or very
    small.
    """
    if not tunables.SMALL_WORD * typical <= height <= tunables.TALL_WORD * typical:
        return True
    letters = len(word.text)
    width = word.box.width * sheet.width
    return (
        letters >= tunables.SOME_LETTERS and width < tunables.NARROW * letters * height
    )


def erase(ink: Mask, sheet: Sheet, boxes: Iterable[Box], margin: int) -> None:
    """Erase places of the page, with a margin of so many pixels."""
    for box in boxes:
        x0, y0, x1, y1 = sheet.rectangle(box)
        left = max(0, x0 - margin)
        top = max(0, y0 - margin)
        ink[top : y1 + margin, left : x1 + margin] = 0
