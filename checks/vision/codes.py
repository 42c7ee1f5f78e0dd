"""Barcodes and QR codes, decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from checks.readers.drawing import Pixels
from checks.vision import tunables
from checks.vision.binarisation import Sheet
from papers.geometry import Box

PDF417 = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.PDF417)


@dataclass(frozen=True, slots=True)
class Code:
    """One barcode: its symbology ("QR Code", "Code 39", …), its content, and its place."""

    format: str
    text: str
    box: Box


def find_codes(sheet: Sheet, within: Box | None = None) -> list[Code]:
    """Return the codes of a page, or of a part of it."""
    left, top, right, bottom = 0, 0, sheet.width, sheet.height
    if within:
        left, top, right, bottom = sheet.rectangle(_with_margin(within))
    part = np.ascontiguousarray(sheet.grey[top:bottom, left:right])
    if min(part.shape) < tunables.SMALLEST_PICTURE:
        return []
    codes: list[Code] = []
    for barcode in zxingcpp.read_barcodes(part)[: tunables.MAX_CODES]:
        # Damaged codes and empty ones say nothing.
        if not barcode.valid or not barcode.text.strip():
            continue
        box = _box(sheet, barcode.position, left, top)
        codes.append(Code(str(barcode.format), _plain(barcode.text), box))
    return codes


def _with_margin(box: Box) -> Box:
    """Return the box with the white margin that readers need to find the end of a code."""
    return Box(
        box.page,
        max(box.x0 - tunables.CODE_MARGIN, 0.0),
        max(box.y0 - tunables.CODE_MARGIN, 0.0),
        min(box.x1 + tunables.CODE_MARGIN, 1.0),
        min(box.y1 + tunables.CODE_MARGIN, 1.0),
    )


def find_records(pixels: Pixels) -> list[bytes]:
    """Return the bytes of the PDF417 barcodes of a picture (height x width x RGB)."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    # A small picture is tried again enlarged, so that its stripes are wider.
    scales = [1, 2] if max(grey.shape) <= tunables.SMALL_PICTURE else [1]
    for scale in scales:
        enlarged = cv2.resize(
            grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
        )
        barcodes = zxingcpp.read_barcodes(enlarged, formats=PDF417)
        records = [code.bytes for code in barcodes[: tunables.MAX_CODES] if code.valid]
        if records:
            return records
    return []


def _plain(text: str) -> str:
    """Return the text without unprintable characters, which a page or a database may not accept.

    Line ends stay.
    """
    lines: list[str] = []
    for line in text.replace("\r", "\n").split("\n"):
        characters = []
        for char in line:
            characters.append(char if char.isprintable() else " ")
        printable = "".join(characters).strip()
        if printable:
            lines.append(printable)
    return "\n".join(lines)[: tunables.MAX_LENGTH]


def _box(sheet: Sheet, position: zxingcpp.Position, left: int, top: int) -> Box:
    corners: Sequence[zxingcpp.Point] = (
        position.top_left,
        position.top_right,
        position.bottom_right,
        position.bottom_left,
    )
    xs = [left + point.x for point in corners]
    ys = [top + point.y for point in corners]
    return sheet.box(min(xs), min(ys), max(xs), max(ys))
