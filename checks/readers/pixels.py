"""What changed on the face of a page between one saved version of a PDF and the next."""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from checks.geometry import Box

Pixels = npt.NDArray[np.uint8]

DPI = 60
MAX_PIXELS = 1_200_000
DIFFERENT = 48
MIN_PIXELS = 12
# Specks of one change lie this close together, in pixels of the drawing.
NEAR = 9
INK = 150
MAX_REGIONS = 12


@dataclass(frozen=True, slots=True)
class Repainted:
    """A region that looks different; `replaced` where something stood there before, too."""

    box: Box
    replaced: bool


def repainted(
    before: bytes, after: bytes, *, pages: int, apart_from: Sequence[Box] = ()
) -> list[Repainted]:
    """Where the first pages of two versions differ, outside the given boxes.

    Annotations and form fields are left out: they lie above the page.
    """
    try:
        with closing(pdfium.PdfDocument(before)) as old, closing(pdfium.PdfDocument(after)) as new:
            count = min(len(old), len(new), pages)
            return [
                region
                for index in range(count)
                for region in _regions(_draw(old, index), _draw(new, index), index + 1, apart_from)
            ]
    except (pdfium.PdfiumError, ValueError, OverflowError, ZeroDivisionError):
        return []


def _draw(document: pdfium.PdfDocument, index: int) -> Pixels:
    with closing(document[index]) as page:
        width, height = page.get_size()
        scale = min(DPI / 72, (MAX_PIXELS / max(width * height, 1.0)) ** 0.5)
        rendered = page.render(scale=scale, may_draw_forms=False, draw_annots=False, grayscale=True)
        with closing(rendered) as bitmap:
            return np.array(bitmap.to_numpy()).reshape(bitmap.height, bitmap.width)


def _regions(
    before: Pixels, after: Pixels, number: int, apart_from: Sequence[Box]
) -> list[Repainted]:
    if before.shape != after.shape:
        return [Repainted(Box(number, 0.0, 0.0, 1.0, 1.0), replaced=False)]
    changed: Pixels = (cv2.absdiff(before, after) > DIFFERENT).astype(np.uint8)
    height, width = changed.shape
    for box in apart_from:
        if box.page == number:
            rows = slice(int(box.y0 * height), int(box.y1 * height) + 2)
            changed[rows, int(box.x0 * width) : int(box.x1 * width) + 2] = 0
    if not changed.any():
        return []
    joined = cv2.dilate(changed, np.ones((NEAR, NEAR), np.uint8))
    count, labels, stats, _ = cv2.connectedComponentsWithStats(joined)
    found = []
    for label in range(1, min(count, MAX_REGIONS + 1)):
        here = (labels == label) & (changed > 0)
        if int(here.sum()) < MIN_PIXELS:
            continue
        x, y, w, h = (int(value) for value in stats[label][:4])
        box = Box(
            number,
            *(
                round(v, 5)
                for v in (x / width, y / height, min((x + w) / width, 1), min((y + h) / height, 1))
            ),
        )
        found.append(Repainted(box, replaced=_stood(before[here], after[here])))
    return found


def _stood(before: Pixels, after: Pixels) -> bool:
    """Ink that was there is gone, and not merely joined by more."""
    return bool(((before < INK) & (after > before)).sum() >= MIN_PIXELS / 2)
