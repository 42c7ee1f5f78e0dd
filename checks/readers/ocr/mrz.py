"""The machine-readable zones of passports and cards: where they may be, and their characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import cv2
import numpy as np
import tesserocr

from checks.readers.drawing import Pixels
from checks.readers.extras import has_second_engine
from checks.readers.ink import Grey
from checks.readers.ocr import rapid, tunables
from checks.readers.ocr.recognition import TESSERACT, data_folder
from checks.readers.ocr.sheets import Sheet, without_tints
from checks.readers.ocr.zone_lines import ZoneLine, print_of, zone_lines
from papers.geometry import Rectangle

# Left, top, right and bottom in dots.
Edges = tuple[int, int, int, int]

CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<"


class ReadStrip(NamedTuple):
    """The lines of characters in a strip, their places, and the engine that read them.

    A place is x0, y0, x1, y1 in fractions of the page as it is displayed.
    """

    lines: list[str]
    places: list[Rectangle]
    engine: str


def read_cells(pixels: Pixels) -> Iterator[list[ZoneLine]]:
    """Yield possible zones at any angle, read by the zone reader, the largest block of
    print first.
    """
    grey: Grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    yield from zone_lines(grey)
    # The pattern behind the zone may join its print to that of the page.
    yield from zone_lines(without_tints(Sheet(grey)).grey)


def read_zones(pixels: Pixels) -> Iterator[ReadStrip]:
    """Yield possible zones, the likeliest first.

    The caller can check the digits and stop early. Each place is read in two sizes, and then by the
    second engine if there is one.
    """
    grey: Grey = cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY)
    scale = tunables.ZONE_WIDTH / grey.shape[1]
    # Area keeps thin strokes when a picture shrinks; cubic keeps edges smooth when it grows.
    if scale < 1:
        page = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    else:
        page = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    height = page.shape[0]
    strips = list(_blocks(page))
    # The foot of the page is always tried, because zones are there even if no block of print was
    # detected.
    foot_top = height * tunables.FOOT
    foot = page[int(foot_top) :]
    strips.append((foot, foot_top))
    for strip, top in strips:
        for enlarged in tunables.ENLARGED:
            characters = _characters(strip, enlarged)
            yield _strip(characters, TESSERACT, scale=enlarged, top=top, height=height)
    # The second engine is slow, so it comes after all readings of Tesseract.
    if not has_second_engine():
        return
    for strip, top in strips:
        characters = []
        for line in rapid.read_lines(strip):
            text = "".join(piece.text for piece in line)
            edges = _around([piece.edges for piece in line])
            characters.append((text, edges))
        yield _strip(characters, rapid.ENGINE, scale=1, top=top, height=height)


def _strip(
    characters: Sequence[tuple[str, Edges]],
    engine: str,
    *,
    scale: float,
    top: float,
    height: int,
) -> ReadStrip:
    """Convert lines with their edges into a result.

    Edges are dots of a strip `scale` times as large as the page.
    """

    def place(edges: Edges) -> Rectangle:
        x0, y0, x1, y1 = edges
        left = x0 / scale / tunables.ZONE_WIDTH
        right = x1 / scale / tunables.ZONE_WIDTH
        upper = (top + y0 / scale) / height
        lower = (top + y1 / scale) / height
        return max(left, 0.0), max(upper, 0.0), min(right, 1.0), min(lower, 1.0)

    lines: list[str] = []
    places: list[Rectangle] = []
    for text, edges in characters:
        lines.append(text)
        places.append(place(edges))
    return ReadStrip(lines, places, engine)


def _around(boxes: Sequence[Edges]) -> Edges:
    lefts, tops, rights, bottoms = zip(*boxes, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _blocks(page: Grey) -> Iterator[tuple[Grey, float]]:
    """Yield the largest wide blocks of dark print, each straightened, with its upper edge."""
    contours, _ = cv2.findContours(
        print_of(page), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE
    )
    blocks = []
    for contour in contours:
        block = _upright(cv2.minAreaRect(contour))
        _, long, high, *_ = block
        if (
            long > tunables.MIN_WIDTH * tunables.ZONE_WIDTH
            and long > tunables.MIN_RATIO * high
        ):
            blocks.append(block)
    blocks.sort(reverse=True)  # the largest first
    for _, long, high, x, y, angle in blocks[: tunables.MAX_BLOCKS]:
        # Such a block is not a skewed zone, so it is not turned.
        if abs(angle) >= tunables.STEEPEST:
            angle = 0.0
        turning = cv2.getRotationMatrix2D((x, y), angle, 1)
        height, width = page.shape
        straight = cv2.warpAffine(
            page,
            turning,
            (width, height),
            flags=cv2.INTER_CUBIC,
            borderMode=cv2.BORDER_REPLICATE,
        )
        # The block is only one line of the zone. The margin must then include the others above or
        # below it.
        is_one_line = long > tunables.LINE_RATIO * high
        margin = high * tunables.AROUND_ZONE + tunables.EDGE
        if is_one_line:
            margin = high * tunables.AROUND_LINE + tunables.EDGE
        top = int(max(0, y - margin))
        bottom = int(y + margin)
        yield straight[top:bottom], top


def _upright(rectangle: Any) -> tuple[float, float, float, float, float, float]:
    """Return area, width, height, centre and angle of OpenCV's rectangle, with the longer side as
    width.
    """
    (x, y), (wide, high), angle = rectangle
    if wide < high:
        wide, high, angle = high, wide, angle - 90
    if angle < -135:
        angle += 180
    elif -60 < angle < -45:
        angle += 90
    return wide * high, wide, high, x, y, angle


def _characters(strip: Grey, enlarged: float) -> list[tuple[str, Edges]]:
    """Return the lines of an enlarged strip, each with its edges in dots of the enlarged strip."""
    large = cv2.resize(
        strip, None, fx=enlarged, fy=enlarged, interpolation=cv2.INTER_CUBIC
    )
    height, width = large.shape
    engine = _engine()
    dots = np.ascontiguousarray(large).tobytes()
    engine.SetImageBytes(dots, width, height, 1, width)
    engine.SetSourceResolution(200)
    engine.Recognize()
    characters = []
    level = tesserocr.RIL.TEXTLINE
    lines = engine.GetIterator()
    if lines:
        for line in tesserocr.iterate_level(lines, level):
            edges = line.BoundingBox(level)
            if edges and not line.Empty(level):
                text = _text(line).strip()
                characters.append((text, edges))
    engine.Clear()
    return characters


def _text(line: Any) -> str:
    """Return the text of a line. Tesseract raises an error for a line of spaces only."""
    try:
        return str(line.GetUTF8Text(tesserocr.RIL.TEXTLINE))
    except RuntimeError:
        return ""


@cache
def _engine() -> tesserocr.PyTessBaseAPI:
    engine = tesserocr.PyTessBaseAPI(
        path=str(data_folder()),
        lang="eng",
        psm=tesserocr.PSM.SINGLE_BLOCK,
        oem=tesserocr.OEM.LSTM_ONLY,
    )
    engine.SetVariable("tessedit_char_whitelist", CHARACTERS)
    # A zone has no words. With its dictionary Tesseract would correct names into English words.
    engine.SetVariable("load_system_dawg", "0")
    return engine
