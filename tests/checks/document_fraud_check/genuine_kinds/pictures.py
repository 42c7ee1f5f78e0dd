"""Genuine photographs and screenshots of a page."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io

from PIL import Image

from tests.checks.document_fraud_check.editing import Kind, picture_of
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def photo(content: bytes) -> Image.Image:
    """Taken by hand: on a table, a little askew, with a shadow."""
    page = scan_of(content, angle=2.0).resize((1050, 1359))
    table = Image.new("RGB", (1300, 1600), (110, 92, 70))
    table.paste(page, (120, 110))
    shade = Image.linear_gradient("L").resize(table.size).point(lambda v: v // 4)
    return Image.composite(Image.new("RGB", table.size, (20, 20, 20)), table, shade)


def jpeg_turned_by_exif(content: bytes) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F], exif[0x0110] = "Apple", "iPhone 13"
    return _saved(photo(content).rotate(90, expand=True), "JPEG", quality=88, exif=exif)


def jpeg_saved_again(content: bytes) -> bytes:
    first = Image.open(io.BytesIO(_saved(photo(content), "JPEG", quality=90)))
    return _saved(first, "JPEG", quality=80)


def messenger(content: bytes) -> bytes:
    small = photo(content)
    small.thumbnail((1280, 1280))
    return _saved(small, "JPEG", quality=55, progressive=True)


def screenshot(content: bytes) -> bytes:
    page = picture_of(content, dpi=96)
    screen = Image.new("RGB", (page.width + 200, page.height + 90), (60, 63, 68))
    screen.paste(page, (100, 60))
    return _saved(screen, "PNG")


PICTURE_KINDS: dict[str, Kind] = {
    "photo": lambda content: _saved(photo(content), "JPEG", quality=92),
    "photo turned by its record": jpeg_turned_by_exif,
    "JPEG saved again": jpeg_saved_again,
    "messenger": messenger,
    "screenshot": screenshot,
    "screenshot as JPEG": lambda content: _saved(
        Image.open(io.BytesIO(screenshot(content))), "JPEG", quality=75
    ),
    "CMYK": lambda content: _saved(
        scan_of(content).convert("CMYK"), "JPEG", quality=80
    ),
    "grey": lambda content: _saved(scan_of(content).convert("L"), "JPEG", quality=80),
    "TIFF": lambda content: _saved(
        scan_of(content).convert("1"), "TIFF", compression="group4"
    ),
    "PNG scan": lambda content: _saved(scan_of(content), "PNG"),
}
