"""Opens PDFs with PDFium, and finds where their points are on the displayed page.

PDFium is not safe for threads: only one thread of a process may use it at a time.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium
from pypdfium2 import raw

from papers.errors import EncryptedError, MalformedError
from papers.geometry import Affine

# PDFium answers in whole pixels of a display. With a very large display, rounding hardly matters.
DISPLAY = 1_000_000


def open_document(content: bytes) -> pdfium.PdfDocument:
    """Open the file; the caller must close it. Raises EncryptedError or MalformedError."""
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as exc:
        detail = str(exc)[:80]
        code = getattr(exc, "err_code", None)
        if code in {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}:
            raise EncryptedError(detail) from exc
        raise MalformedError(detail) from exc


def transform(page: pdfium.PdfPage) -> Affine:
    """How PDF points map to fractions of the displayed page, with the origin at the top left.

    PDFium is asked where it displays three corners of the page, so rotation and crop box are taken
    as PDFium draws them.
    """
    left, bottom, right, top = page.get_bbox()
    # A page without a size must not cause a division by zero.
    width = (right - left) or 1.0
    height = (top - bottom) or 1.0
    x0, y0 = _display_point(page, left, bottom)
    x1, y1 = _display_point(page, right, bottom)
    x2, y2 = _display_point(page, left, top)
    a = (x1 - x0) / width
    b = (y1 - y0) / width
    c = (x2 - x0) / height
    d = (y2 - y0) / height
    e = x0 - a * left - c * bottom
    f = y0 - b * left - d * bottom
    return Affine(a, b, c, d, e, f)


def _display_point(page: pdfium.PdfPage, x: float, y: float) -> tuple[float, float]:
    """Where PDFium displays a point, as fractions of the page."""
    across = ctypes.c_int()
    down = ctypes.c_int()
    raw.FPDF_PageToDevice(page, 0, 0, DISPLAY, DISPLAY, 0, x, y, across, down)
    return across.value / DISPLAY, down.value / DISPLAY
