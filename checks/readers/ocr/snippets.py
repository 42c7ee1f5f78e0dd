"""A small place of a page, read with OCR: what is to be seen where something was put over words."""

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
    """The words that are read at a place, each with how sure (0 to 1), and whether nothing is to
    be seen there."""

    words: Sequence[tuple[str, float]] = ()
    blank: bool = False

    @property
    def text(self) -> str:
        return " ".join(text for text, _ in self.words)

    @property
    def confidence(self) -> float:
        """How sure the place was read as a whole, each word by its length."""
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
    """What is read at a place of a page as it is displayed; None where it cannot be drawn or read."""
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
    # Tesseract wants room about a line.
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
