"""Picture files as evidence: their size, their frames, and what their metadata says."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pi_heif
from PIL import ExifTags, Image, UnidentifiedImageError

from checks.readers.pdf_structure import MalformedError, Metadata, pdf_date
from checks.text import Page
from papers.geometry import Box

# HEIC, the photographs of telephones, has no plug-in in Pillow itself.
pi_heif.register_heif_opener(thumbnails=False)

FORMATS = ("JPEG", "PNG", "TIFF", "HEIF")
MAX_PIXELS = 90_000_000  # Pillow's own limit may have been lifted by whoever else uses it
TURNED = {5, 6, 7, 8}  # the values of the EXIF orientation that swap width and height
# What Pillow and its decoders raise on a damaged file.
UNREADABLE = (
    UnidentifiedImageError,
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    TypeError,
    OverflowError,
    KeyError,
    IndexError,
    MemoryError,
    ZeroDivisionError,
)


@dataclass(frozen=True, slots=True)
class Picture:
    pages: tuple[Page, ...]
    page_count: int
    metadata: Metadata


class TooLargeError(Exception):
    """The picture would take more memory than a document deserves."""


@contextmanager
def open_picture(content: bytes) -> Iterator[Image.Image]:
    """The opened file. What goes wrong with it raises TooLargeError or MalformedError."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            warnings.filterwarnings("ignore", category=UserWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                if image.width * image.height > MAX_PIXELS:
                    raise TooLargeError
                yield image
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as exc:
        raise TooLargeError from exc
    except UNREADABLE as exc:
        raise MalformedError(type(exc).__name__) from exc


def read_picture(content: bytes, *, max_pages: int) -> Picture:
    with open_picture(content) as image:
        frames = int(getattr(image, "n_frames", 1))
        pages = tuple(_frame(image, i) for i in range(min(frames, max_pages)))
        return Picture(pages, frames, _metadata(image))


def _frame(image: Image.Image, index: int) -> Page:
    image.seek(index)
    number = index + 1
    whole = Box(number, 0.0, 0.0, 1.0, 1.0)
    width, height = image.size
    if image.getexif().get(ExifTags.Base.Orientation) in TURNED:
        width, height = height, width
    return Page(number, float(width), float(height), images=(whole,), objects=1)


def _metadata(image: Image.Image) -> Metadata:
    exif = image.getexif()
    software = str(exif.get(ExifTags.Base.Software, "")).strip("\0 ")
    taken = str(exif.get(ExifTags.Base.DateTime, ""))
    digits = "".join(char for char in taken if char.isdigit())
    return Metadata(producer=software[:200], created=pdf_date(digits))
