"""Patches on the picture of a page: a small shape or picture that was put over ink of a scan.

The words beneath are in no text of the file: they are ink of the picture. So the place is drawn
with the patch and without it, and both drawings are read.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw as c

from checks.readers.pdf import tunables
from checks.readers.pdf.overlays.drawings import (
    HIDE,
    SHOW,
    Canvas,
    Drawing,
    drawings_of,
    is_filled,
    read_pages,
    shared,
)
from checks.readers.pdf.pages import fill_of
from papers.geometry import Box


@dataclass(frozen=True, slots=True)
class ScanPatch:
    """The place of a patch, and the grey pixels there without it and with it."""

    box: Box
    before: npt.NDArray[np.uint8]
    after: npt.NDArray[np.uint8]


def scan_patches(content: bytes, *, pages: Sequence[int]) -> list[ScanPatch]:
    """Return the patches over ink on the given pages (from 1), as far as these are scans."""
    return read_pages(content, pages, _of_page)


def _of_page(page: pdfium.PdfPage, number: int) -> list[ScanPatch]:
    drawings = drawings_of(page)
    grounds = [drawing.order for drawing in drawings if drawing.is_ground]
    if not grounds:
        return []
    width, height = page.get_size()
    later = [drawing for drawing in drawings if drawing.order > max(grounds)]
    patches = [each for each in later if _is_patch(each, width * height)]
    # A scan that was packed in layers has many small pictures.
    if not 1 <= len(patches) <= tunables.MOST_PATCHES:
        return []
    canvas = Canvas(page, width, height, dpi=tunables.READ_DPI)
    scan_patches: list[ScanPatch] = []
    for patch in patches:
        on_it = [each for each in later if _lies_on(each, patch)]
        without = _drawn_without(canvas, [patch, *on_it])
        place = canvas.place(patch.rectangle)
        before = np.ascontiguousarray(without[place])
        after = np.ascontiguousarray(canvas.whole[place].astype(np.uint8))
        if _has_ink(before) and not np.array_equal(before, after):
            box = canvas.box(number, patch.rectangle)
            scan_patches.append(ScanPatch(box, before, after))
    return scan_patches


def _is_patch(drawing: Drawing, page_area: float) -> bool:
    """Whether this is about as large as a few words, and a picture or a shape in a pale colour."""
    left, bottom, right, top = drawing.rectangle
    if not tunables.LOWEST_PATCH <= top - bottom <= tunables.HIGHEST_PATCH:
        return False
    if (right - left) * (top - bottom) > tunables.LARGEST_PATCH * page_area:
        return False
    if drawing.thing.type == c.FPDF_PAGEOBJ_IMAGE:
        return True
    if drawing.thing.type != c.FPDF_PAGEOBJ_PATH or not is_filled(drawing.thing):
        return False
    fill = fill_of(drawing.thing)
    return fill is not None and fill.darkest >= tunables.PAPER


def _lies_on(drawing: Drawing, patch: Drawing) -> bool:
    if drawing.order <= patch.order:
        return False
    return shared(patch.rectangle, drawing.rectangle) >= tunables.COVERED


def _drawn_without(
    canvas: Canvas, drawings: Sequence[Drawing]
) -> npt.NDArray[np.uint8]:
    for drawing in drawings:
        c.FPDFPageObj_SetIsActive(drawing.thing.raw, HIDE)
    try:
        return canvas.draw().astype(np.uint8)
    finally:
        for drawing in drawings:
            c.FPDFPageObj_SetIsActive(drawing.thing.raw, SHOW)


def _has_ink(pixels: npt.NDArray[np.uint8]) -> bool:
    if not pixels.size:
        return False
    return float((pixels < tunables.INK).mean()) >= tunables.INK_BENEATH
