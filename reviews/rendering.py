"""Pages of a foreign file as images and words. Runs in a child process (compliance.isolation).

No Django here: the process is forked from a warm one that has only the readers loaded. The
analyst's browser gets what is drawn here and never parses the file of an applicant.
"""

# The binding is generated when it is installed, and has no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
import io
import math
import struct
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

import pi_heif
import pypdfium2 as pdfium
import pypdfium2.raw as c
from PIL import Image, ImageOps, ImageSequence

from reviews.undrawable import (
    BrokenError,
    NoPagesError,
    PasswordError,
    TooLargeError,
    UnknownFormatError,
)

pi_heif.register_heif_opener(thumbnails=False)
MAX_PAGES = 50
DPI = 150
MAX_WIDTH = 2200
MAX_PIXELS = 40_000_000
MAX_SIDE = 16_000  # WebP ends at 16,383
MAX_SOURCE_PIXELS = 100_000_000  # of a picture, which must be decoded whole
MAX_GLYPHS = 30_000
MAX_WORDS = 6_000
MAX_BYTES = 200 << 10
QUALITIES = (80, 60, 40)
# Code points that separate words although they are no ASCII blanks.
BLANKS = frozenset({0x7F, 0xA0, 0x3000, 0xFFFE, 0xFFFF, 0x2028, 0x2029})

Word = list[Any]  # [text, x0, y0, x1, y1], fractions of the page as displayed


def draw(content: bytes) -> Iterator[dict[str, Any]]:
    """Yield the pages of a PDF or a picture, in order, the first MAX_PAGES of them.

    Each is {"number", "of", "width", "height", "image", "words"}: `of` is how many pages the file
    has, `image` WebP, and `words` [[text, x0, y0, x1, y1], …] in fractions of the page as it is
    displayed, origin top left. Raises an UndrawableError.
    """
    for magic, reader in _READERS:
        if content.startswith(magic):
            yield from reader(content)
            return
    if content[4:8] == b"ftyp":  # HEIC: the size of the first box comes before its name
        yield from _draw_picture(content)
        return
    raise UnknownFormatError


def _draw_pdf(content: bytes) -> Iterator[dict[str, Any]]:
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as exc:
        if getattr(exc, "err_code", None) in {c.FPDF_ERR_PASSWORD, c.FPDF_ERR_SECURITY}:
            raise PasswordError from exc
        raise BrokenError from exc
    with closing(document):
        document.init_forms()  # before a page is loaded, else the fields of forms stay blank
        count = len(document)
        if not count:
            raise NoPagesError
        for index in range(min(count, MAX_PAGES)):
            try:
                page = document[index]
            except pdfium.PdfiumError as exc:
                raise BrokenError from exc
            with closing(page):
                yield _page(index + 1, count, _image_of(page), _words(page))


def _image_of(page: pdfium.PdfPage) -> Image.Image:
    width, height = page.get_size()
    scale = _fitting(width, height, DPI / 72)
    if scale is None:
        raise BrokenError
    # A hair less: PDFium rounds up, and 792 pt would become 1,651 pixels by a rounding error.
    with closing(page.render(scale=scale * (1 - 1e-9))) as bitmap:
        image: Image.Image = bitmap.to_pil()
        # The bitmap's memory goes with it.
        return image.convert("RGB")


def _draw_picture(content: bytes) -> Iterator[dict[str, Any]]:
    try:
        # Pillow warns of fewer pixels than ours, and refuses more: the limit of _shown counts.
        with (
            warnings.catch_warnings(action="ignore", category=Image.DecompressionBombWarning),
            Image.open(io.BytesIO(content), formats=("PNG", "JPEG", "TIFF", "HEIF")) as picture,
        ):
            count = getattr(picture, "n_frames", 1)
            for number, frame in enumerate(ImageSequence.Iterator(picture), start=1):
                if number > MAX_PAGES:
                    return
                yield _page(number, count, _shown(frame), [])
    except Image.DecompressionBombError as exc:
        raise TooLargeError from exc
    except (OSError, ValueError, SyntaxError, EOFError, KeyError, TypeError, struct.error) as exc:
        raise BrokenError from exc


def _shown(frame: Image.Image) -> Image.Image:
    """A frame as a viewer shows it: turned as its EXIF data say, on white paper, at our size."""
    width, height = frame.size
    if width * height > MAX_SOURCE_PIXELS:
        raise TooLargeError
    scale = _fitting(width, height, 1.0)
    if scale is None:
        raise BrokenError
    if frame.format == "JPEG":
        frame.draft("RGB", (int(width * scale), int(height * scale)))  # decodes at a fraction
    image = ImageOps.exif_transpose(frame)
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")  # 16 bits to 8
    if "transparency" in image.info or image.mode in {"RGBA", "LA", "PA", "RGBa", "La"}:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper
    image = image.convert("RGB")
    scale = _fitting(image.width, image.height, 1.0) or 1.0
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)


def _fitting(width: float, height: float, scale: float) -> float | None:
    """The largest scale up to `scale` at which the page keeps within our limits."""
    if not (0 < width < float("inf") and 0 < height < float("inf")):
        return None
    most = math.sqrt(MAX_PIXELS / (width * height))
    return min(scale, MAX_WIDTH / width, MAX_SIDE / height, most)


def _page(number: int, count: int, image: Image.Image, words: list[Word]) -> dict[str, Any]:
    return {
        "number": number,
        "of": max(count, number),
        "width": image.width,
        "height": image.height,
        "image": _webp(image),
        "words": words,
    }


def _webp(image: Image.Image) -> bytes:
    """Text stays crisp at the first quality; only photographs and dense scans need the others."""
    encoded = b""
    for quality in QUALITIES:
        buffer = io.BytesIO()
        image.save(buffer, "WEBP", quality=quality, method=4)
        encoded = buffer.getvalue()
        if len(encoded) <= MAX_BYTES:
            break
    return encoded


def _words(page: pdfium.PdfPage) -> list[Word]:
    try:
        textpage = page.get_textpage()
    except pdfium.PdfiumError:
        return []  # a page without readable text is still a page to look at
    words: list[Word] = []
    place = _placing(page)
    with closing(textpage):
        chars: list[str] = []
        boxes: list[tuple[float, float, float, float]] = []
        rectangle = c.FS_RECTF()

        def end_word() -> None:
            if chars:
                words.append(_word("".join(chars), boxes))
                chars.clear()
                boxes.clear()

        for index in range(min(textpage.count_chars(), MAX_GLYPHS)):
            code = c.FPDFText_GetUnicode(textpage, index)
            if code <= 0x20 or code in BLANKS or code > 0x10FFFF or 0xD800 <= code < 0xE000:
                end_word()
            elif c.FPDFText_GetLooseCharBox(textpage, index, rectangle):
                chars.append(chr(code))
                boxes.append(
                    place(rectangle.left, rectangle.bottom, rectangle.right, rectangle.top)
                )
            if len(words) >= MAX_WORDS:
                break
        end_word()
    return [word for word in words if word[3] > word[1] and word[4] > word[2]]


def _word(text: str, boxes: list[tuple[float, float, float, float]]) -> Word:
    edges = (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )
    return [text, *(round(min(max(edge, 0.0), 1.0), 4) for edge in edges)]


def _placing(page: pdfium.PdfPage) -> Callable[..., tuple[float, float, float, float]]:
    """A function from PDF user space to fractions of the page as displayed.

    PDFium is asked where it displays three corners: rotation and crop box are then right for sure.
    """
    scale = 1_000_000
    left, bottom, right, top = page.get_bbox()

    def shown(x: float, y: float) -> tuple[float, float]:
        dx, dy = ctypes.c_int(), ctypes.c_int()
        c.FPDF_PageToDevice(page, 0, 0, scale, scale, 0, x, y, dx, dy)
        return dx.value / scale, dy.value / scale

    (ox, oy), (ax, ay), (bx, by) = shown(left, bottom), shown(right, bottom), shown(left, top)
    width, height = (right - left) or 1.0, (top - bottom) or 1.0

    def point(x: float, y: float) -> tuple[float, float]:
        u, v = (x - left) / width, (y - bottom) / height
        return ox + u * (ax - ox) + v * (bx - ox), oy + u * (ay - oy) + v * (by - oy)

    def place(x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        (px, py), (qx, qy) = point(x0, y0), point(x1, y1)
        return min(px, qx), min(py, qy), max(px, qx), max(py, qy)

    return place


_READERS: tuple[tuple[bytes, Callable[[bytes], Iterator[dict[str, Any]]]], ...] = (
    (b"%PDF-", _draw_pdf),
    (b"\x89PNG\r\n\x1a\n", _draw_picture),
    (b"\xff\xd8\xff", _draw_picture),
    (b"II*\x00", _draw_picture),
    (b"MM\x00*", _draw_picture),
)
