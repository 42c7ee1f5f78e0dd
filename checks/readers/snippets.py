"""A small place of a page, read with OCR: what is to be seen where something was put over words."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from checks.geometry import Box
from checks.readers.drawing import Pixels, draw_page
from checks.readers.images import TooLargeError
from checks.readers.ocr import OcrUnavailableError, read_block
from checks.readers.pdf_structure import MalformedError
from checks.readers.pixels import cut

DPI = 250
# Paper, with the grain of a scanner at most.
BLANK = 10.0
SMALLEST = 8


@dataclass(frozen=True, slots=True)
class Snippet:
    """What is read at a place, how sure (0 to 1), and whether nothing is to be seen there."""

    text: str
    confidence: float
    blank: bool


def at_place(content: bytes, box: Box, *, languages: str) -> Snippet | None:
    """What is read at a place of a page as it is displayed; None where it cannot be drawn or read."""
    try:
        drawn = draw_page(content, box.page, dpi=DPI)
    except (MalformedError, TooLargeError):
        return None
    return in_picture(cut(drawn, box), languages=languages)


def in_picture(piece: Pixels, *, languages: str) -> Snippet | None:
    grey = cv2.cvtColor(piece, cv2.COLOR_RGB2GRAY) if piece.ndim == 3 else piece
    if min(grey.shape) < SMALLEST:
        return None
    blank = float(np.asarray(grey, dtype=np.float32).std()) < BLANK
    if blank:
        return Snippet("", 0.0, blank=True)
    # Tesseract wants room about a line.
    framed = cv2.copyMakeBorder(grey, 12, 12, 12, 12, cv2.BORDER_REPLICATE)
    try:
        text, confidence = read_block(np.asarray(framed), languages)
    except OcrUnavailableError:
        return None
    return Snippet(text, confidence, blank=False)
