"""OCR of a small part of a page: what is visible where something was put over words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from checks.readers.drawing import Pixels, draw_page
from checks.readers.ocr import tunables
from checks.readers.ocr.recognition import OcrUnavailableError, read_block
from checks.readers.pdf.repainting import cut
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

    def sure_words(self, least: float) -> list[str]:
        return [text for text, sure in self.words if sure >= least]


def at_place(content: bytes, box: Box, *, languages: str) -> Snippet | None:
    """Read a place of a page as it is displayed; None if it cannot be drawn or read."""
    try:
        page = draw_page(content, box.page, dpi=tunables.SNIPPET_DPI)
    except UnreadableError:
        return None
    return in_picture(cut(page, box), languages=languages)


def in_picture(piece: Pixels, *, languages: str) -> Snippet | None:
    if piece.ndim == 3:
        grey = cv2.cvtColor(piece, cv2.COLOR_RGB2GRAY)
    else:
        grey = piece
    if min(grey.shape) < tunables.SMALLEST:
        return None
    spread = float(np.asarray(grey, dtype=np.float32).std())
    if spread < tunables.BLANK:
        return Snippet(blank=True)
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
