"""A PDF opened with PDFium, and where its points are on the page as it is displayed.

PDFium is not safe across threads: one thread of a process may read at a time.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes

import pypdfium2 as pdfium
from pypdfium2 import raw

from papers.errors import EncryptedError, MalformedError
from papers.geometry import Affine

# PDFium gives whole pixels of a display. A very large display makes them exact.
DISPLAY = 1_000_000


def open_document(content: bytes) -> pdfium.PdfDocument:
    """The opened file, to be closed by the caller. Raises EncryptedError or MalformedError."""
    try:
        return pdfium.PdfDocument(content)
    except pdfium.PdfiumError as exc:
        detail = str(exc)[:80]
        code = getattr(exc, "err_code", None)
        if code in {raw.FPDF_ERR_PASSWORD, raw.FPDF_ERR_SECURITY}:
            raise EncryptedError(detail) from exc
        raise MalformedError(detail) from exc


def transform(page: pdfium.PdfPage) -> Affine:
    """From PDF points to fractions of the page as it is displayed, with the origin at the top left.

    It is computed from the places at which PDFium displays three corners. So rotation and crop box
    are those that PDFium draws with.
    """
    left, bottom, right, top = page.get_bbox()
    # A page without a size must not end in a division by zero.
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
    """Where PDFium displays a point, in fractions of the page."""
    across = ctypes.c_int()
    down = ctypes.c_int()
    raw.FPDF_PageToDevice(page, 0, 0, DISPLAY, DISPLAY, 0, x, y, across, down)
    return across.value / DISPLAY, down.value / DISPLAY
