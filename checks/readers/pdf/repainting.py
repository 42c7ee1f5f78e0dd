"""What changed visibly on a page between two saved versions of a PDF."""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from checks.readers.ink import block
from checks.readers.pdf import tunables
from checks.readers.pdf.pages import NOT_DRAWN
from papers import pdf
from papers.geometry import Box, box_within_page

Pixels = npt.NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Repainted:
    """A region that looks different. `replaced`: something stood there before.

    `before` and `after` show the region in grey at a readable size, if it is small and only a few
    regions changed: if a whole page was drawn again, single regions say nothing. `since` is the
    length of the version that looked as before, and `was` the number of the page in it.
    """

    box: Box
    replaced: bool
    before: Pixels | None = None
    after: Pixels | None = None
    since: int = 0
    was: int = 0


def repainted(
    before: bytes,
    after: bytes,
    *,
    pairs: Sequence[tuple[int, int]],
    apart_from: Sequence[Box] = (),
) -> list[Repainted]:
    """Return where pages of two versions differ, outside the given boxes.

    `pairs` are the numbers (from 1) of a page in the old and the new version. Annotations and form
    fields are ignored, because they lie above the page. Both versions are drawn with the present
    rotation: turning a page in a viewer does not change its content.
    """
    try:
        with (
            closing(pdf.open_document(before)) as old,
            closing(pdf.open_document(after)) as new,
        ):
            regions: list[Repainted] = []
            for pair in pairs:
                regions += _of_page(old, new, pair, apart_from)
            return regions
    except NOT_DRAWN:
        return []


def _of_page(
    old: pdfium.PdfDocument,
    new: pdfium.PdfDocument,
    pair: tuple[int, int],
    apart_from: Sequence[Box],
) -> list[Repainted]:
    was, number = pair
    with closing(new[number - 1]) as page:
        rotation = page.get_rotation()
    before = _draw(old, was - 1, rotation, tunables.CHANGE_DPI)
    after = _draw(new, number - 1, rotation, tunables.CHANGE_DPI)
    regions = []
    for region in _regions(before, after, number, apart_from):
        regions.append(replace(region, was=was))
    if len(regions) > tunables.MAX_READ or not any(map(_may_be_read, regions)):
        return regions
    # Draw again in a resolution that OCR can read, only if there are few small regions.
    large_before = _draw(old, was - 1, rotation, tunables.READ_DPI)
    large_after = _draw(new, number - 1, rotation, tunables.READ_DPI)
    for index, region in enumerate(regions):
        if _may_be_read(region):
            before = cut(large_before, region.box)
            after = cut(large_after, region.box)
            regions[index] = replace(region, before=before, after=after)
    return regions


def _may_be_read(region: Repainted) -> bool:
    return region.replaced and region.box.area <= tunables.MAX_READ_SHARE


def cut(page: Pixels, box: Box, *, room: float = tunables.ROOM) -> Pixels:
    """Return a place of a drawn page with a small margin."""
    height, width = page.shape[:2]
    rows = _dots(box.y0, box.y1, room / 2, height)
    columns = _dots(box.x0, box.x1, room, width)
    return np.ascontiguousarray(page[rows, columns])


def _dots(start: float, end: float, room: float, size: int) -> slice:
    """Return the dots of a range with room on both sides; `size` is that of the page in dots."""
    first = int((start - room) * size)
    last = int((end + room) * size)
    return slice(max(first, 0), last + 1)


def _draw(document: pdfium.PdfDocument, index: int, rotation: int, dpi: int) -> Pixels:
    with closing(document[index]) as page:
        page.set_rotation(rotation)
        width, height = page.get_size()
        most = tunables.CHANGE_PIXELS * (dpi / tunables.CHANGE_DPI) ** 2
        largest_scale = (most / max(width * height, 1.0)) ** 0.5
        scale = min(dpi / 72, largest_scale)
        rendered = page.render(
            scale=scale, may_draw_forms=False, draw_annots=False, grayscale=True
        )
        with closing(rendered) as bitmap:
            pixels = np.array(bitmap.to_numpy())
            return pixels.reshape(bitmap.height, bitmap.width)


def _regions(
    before: Pixels, after: Pixels, number: int, apart_from: Sequence[Box]
) -> list[Repainted]:
    # Pages of different sizes cannot be compared dot by dot.
    if before.shape != after.shape:
        whole = Box(number, 0.0, 0.0, 1.0, 1.0)
        return [Repainted(whole, replaced=False)]
    difference = cv2.absdiff(before, after)
    changed: Pixels = (difference > tunables.DIFFERENT).astype(np.uint8)
    height, width = changed.shape
    # Ignore the given places, such as those of annotations.
    for box in apart_from:
        if box.page != number:
            continue
        top = int(box.y0 * height)
        bottom = int(box.y1 * height) + 2
        left = int(box.x0 * width)
        right = int(box.x1 * width) + 2
        changed[top:bottom, left:right] = 0
    if not changed.any():
        return []
    reach = block(tunables.SAME_CHANGE, tunables.SAME_CHANGE)
    joined = cv2.dilate(changed, reach)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    regions = []
    # Component 0 is the background: what did not change.
    for label in range(1, min(count, tunables.MAX_REGIONS + 1)):
        here = (labels == label) & (changed > 0)
        if int(here.sum()) < tunables.MIN_PIXELS:
            continue
        x, y, wide, high, _ = stats[label].tolist()
        edges = (x / width, y / height, (x + wide) / width, (y + high) / height)
        box = box_within_page(number, edges)
        replaced = _has_replaced(before[here], after[here])
        regions.append(Repainted(box, replaced))
    return regions


def _has_replaced(before: Pixels, after: Pixels) -> bool:
    """Whether ink disappeared, and not only new ink was added."""
    gone = (before < tunables.INK) & (after > before)
    return bool(gone.sum() >= tunables.MIN_PIXELS / 2)
