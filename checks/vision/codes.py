"""Barcodes and QR codes, decoded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
import zxingcpp

from checks.readers.drawing import Pixels
from checks.vision.binarisation import Sheet
from papers.geometry import Box

MAX_CODES, MAX_LENGTH = 20, 2000
MARGIN = 0.005
PDF417 = zxingcpp.BarcodeFormats(zxingcpp.BarcodeFormat.PDF417)
SMALL = 1600  # pixels


@dataclass(frozen=True, slots=True)
class Code:
    """One barcode: its symbology ("QR Code", "Code 39", …), what it holds, and its place."""

    format: str
    text: str
    box: Box


def find_codes(sheet: Sheet, within: Box | None = None) -> list[Code]:
    """The codes of a page, or of a part of it."""
    x0 = 0
    y0 = 0
    x1 = sheet.width
    y1 = sheet.height
    if within:
        wide = Box(
            within.page,
            max(within.x0 - MARGIN, 0.0),
            max(within.y0 - MARGIN, 0.0),
            min(within.x1 + MARGIN, 1.0),
            min(within.y1 + MARGIN, 1.0),
        )
        x0, y0, x1, y1 = sheet.rectangle(wide)
    part = np.ascontiguousarray(sheet.grey[y0:y1, x0:x1])
    if min(part.shape) < 16:
        return []
    barcodes = zxingcpp.read_barcodes(part)[:MAX_CODES]
    codes: list[Code] = []
    for code in barcodes:
        if code.valid and code.text.strip():
            codes.append(
                Code(
                    str(code.format),
                    _plain(code.text),
                    _box(sheet, code.position, x0, y0),
                )
            )
    return codes


def find_records(pixels: Pixels) -> list[bytes]:
    """What the PDF417 barcodes of a picture (height x width x RGB) hold, byte for byte."""
    grey = np.asarray(cv2.cvtColor(pixels, cv2.COLOR_RGB2GRAY), np.uint8)
    # A small picture is looked at once more with its stripes drawn wider.
    for scale in (1, 2) if max(grey.shape) <= SMALL else (1,):
        enlarged = cv2.resize(
            grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC
        )
        barcodes = zxingcpp.read_barcodes(enlarged, formats=PDF417)
        if valid := [code.bytes for code in barcodes[:MAX_CODES] if code.valid]:
            return valid
    return []


def _plain(text: str) -> str:
    """Without what a page or a database could stumble over; line ends stay."""
    lines: list[str] = []
    for line in text.replace("\r", "\n").split("\n"):
        characters = [char if char.isprintable() else " " for char in line]
        printable = "".join(characters).strip()
        if printable:
            lines.append(printable)
    return "\n".join(lines)[:MAX_LENGTH]


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
