"""OCR of a small part of a page: what is visible where something was put over words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from checks.readers.drawing import Pixels, draw_page
from checks.readers.ocr import tunables
from checks.readers.ocr.recognition import OcrUnavailableError, read_block
from checks.readers.pdf.repainting import cut
from checks.text.characters import count_letters_and_digits
from papers.errors import UnreadableError
from papers.geometry import Box


@dataclass(frozen=True, slots=True)
class Snippet:
    """The words of a place, each with its confidence (0 to 1).

    `blank`: nothing is visible there.
    """

    words: Sequence[tuple[str, float]] = ()
    blank: bool = False

    @property
    def text(self) -> str:
        return " ".join(text for text, _ in self.words)

    @property
    def confidence(self) -> float:
        """The mean confidence of the words, weighted by their length."""
        letters = 0
        total = 0.0
        for text, confidence in self.words:
            letters += len(text)
            total += len(text) * confidence
        if not letters:
            return 0.0
        return total / letters

    @property
    def legible(self) -> float:
        """How many letters and digits were read, each counted with its confidence."""
        total = 0.0
        for text, confidence in self.words:
            total += count_letters_and_digits(text) * confidence
        return total

    def sure_words(self, least: float) -> list[str]:
        return [text for text, sure in self.words if sure >= least]


@dataclass(slots=True)
class Places:
    """Reads places of the pages of a file as they are displayed.

    The last page is kept, because a caller mostly reads several places of one page. So are the
    readings, because several tools ask for the same line.
    """

    content: bytes
    _number: int = 0
    _page: Pixels | None = None
    _readings: dict[tuple[Box, str, float, bool], Snippet | None] = field(
        default_factory=dict
    )

    def read(
        self, box: Box, *, languages: str, scale: float = 1, margin: bool = True
    ) -> Snippet | None:
        """Read a place, with a margin about it or without; None if it cannot be drawn or read."""
        key = (box, languages, scale, margin)
        if key not in self._readings:
            self._readings[key] = self._read(
                box, languages=languages, scale=scale, margin=margin
            )
        return self._readings[key]

    def _read(
        self, box: Box, *, languages: str, scale: float, margin: bool
    ) -> Snippet | None:
        page = self._drawn(box.page)
        if page is None:
            return None
        # The margin may hold words of other lines.
        narrow = cut(page, box, room=0)
        if _is_blank(narrow):
            return Snippet(blank=True)
        if not margin:
            return in_picture(narrow, languages=languages, scale=scale)
        piece = cut(page, box)
        snippet = in_picture(piece, languages=languages, scale=scale)
        height, width = piece.shape[:2]
        if snippet is None or snippet.blank or height < tunables.TURNED * width:
            return snippet
        # Text in a place that is so narrow may run upwards or downwards. The lines beside it would
        # run through it, so that it has no margin.
        for turns in (1, 3):
            turned = np.ascontiguousarray(np.rot90(narrow, turns))
            other = in_picture(turned, languages=languages, scale=2 * scale)
            if other is not None and other.legible > snippet.legible:
                snippet = other
        return snippet

    def _drawn(self, number: int) -> Pixels | None:
        if number != self._number:
            self._number = number
            try:
                self._page = draw_page(self.content, number, dpi=tunables.SNIPPET_DPI)
            except UnreadableError:
                self._page = None
        return self._page


def in_picture(piece: Pixels, *, languages: str, scale: float = 1) -> Snippet | None:
    if piece.ndim == 3:
        grey = cv2.cvtColor(piece, cv2.COLOR_RGB2GRAY)
    else:
        grey = piece
    if min(grey.shape) < tunables.SMALLEST:
        return None
    if _is_blank(grey):
        return Snippet(blank=True)
    if scale != 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    # Tesseract needs some margin around a line.
    framed = cv2.copyMakeBorder(
        grey,
        tunables.FRAME,
        tunables.FRAME,
        tunables.FRAME,
        tunables.FRAME,
        cv2.BORDER_REPLICATE,
    )
    try:
        words = read_block(np.asarray(framed), languages)
        return Snippet(words)
    except OcrUnavailableError:
        return None


def _is_blank(piece: npt.NDArray[Any]) -> bool:
    grey = piece.mean(axis=2) if piece.ndim == 3 else piece
    if not grey.size:
        return True
    return float(np.asarray(grey, dtype=np.float32).std()) < tunables.BLANK
