"""A PDF opened with PDFium, and where its points are on the page as it is displayed.

PDFium is not safe across threads: one thread of a process may read at a time.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium
import pypdfium2.raw as c

from papers.errors import EncryptedError, MalformedError
from papers.geometry import Affine

# PDFium answers in whole units of the display that it is asked about: a large one, to be exact.
DISPLAY = 1_000_000


def open_document(content: bytes) -> pdfium.PdfDocument:
    """The opened file, to be closed by the caller. Raises EncryptedError or MalformedError."""
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as exc:
        needs_key = getattr(exc, "err_code", None) in {c.FPDF_ERR_PASSWORD, c.FPDF_ERR_SECURITY}
        kind = EncryptedError if needs_key else MalformedError
        raise kind(str(exc)[:80]) from exc


def transform(page: pdfium.PdfPage) -> Affine:
    """From PDF points to fractions of the page as it is displayed, with the origin at the top left.

    PDFium is asked where it displays three corners: rotation and crop box are then right for sure.
    """
    left, bottom, right, top = page.get_bbox()
    width, height = (right - left) or 1.0, (top - bottom) or 1.0
    x0, y0 = _displayed(page, left, bottom)
    x1, y1 = _displayed(page, right, bottom)
    x2, y2 = _displayed(page, left, top)
    a, b = (x1 - x0) / width, (y1 - y0) / width
    d, e = (x2 - x0) / height, (y2 - y0) / height
    return Affine(a, b, d, e, x0 - a * left - d * bottom, y0 - b * left - e * bottom)


def _displayed(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    dx, dy = ctypes.c_int(), ctypes.c_int()
    c.FPDF_PageToDevice(page, 0, 0, DISPLAY, DISPLAY, 0, x, y, dx, dy)
    return dx.value / DISPLAY, dy.value / DISPLAY
