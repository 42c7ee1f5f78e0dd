"""Picture files as evidence: their size, their frames, and what their metadata says."""

from __future__ import annotations

import io
import warnings
from dataclasses import dataclass

from PIL import ExifTags, Image, UnidentifiedImageError

from checks.geometry import Box
from checks.readers.pdf_structure import MalformedError, Metadata, pdf_date
from checks.text import Page

FORMATS = ("JPEG", "PNG", "TIFF")


@dataclass(frozen=True, slots=True)
class Picture:
    pages: tuple[Page, ...]
    page_count: int
    metadata: Metadata


class TooLargeError(Exception):
    """The picture would take more memory than a document deserves."""


def read_picture(content: bytes, *, max_pages: int) -> Picture:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            warnings.filterwarnings("ignore", category=UserWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as image:
                frames = int(getattr(image, "n_frames", 1))
                pages = tuple(_frame(image, i) for i in range(min(frames, max_pages)))
                return Picture(pages, frames, _metadata(image))
    except (Image.DecompressionBombWarning, Image.DecompressionBombError) as exc:
        raise TooLargeError from exc
    except (
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
    ) as exc:
        raise MalformedError(type(exc).__name__) from exc


def _frame(image: Image.Image, index: int) -> Page:
    image.seek(index)
    number = index + 1
    whole = Box(number, 0.0, 0.0, 1.0, 1.0)
    return Page(number, float(image.width), float(image.height), images=(whole,), objects=1)


def _metadata(image: Image.Image) -> Metadata:
    exif = image.getexif()
    software = str(exif.get(ExifTags.Base.Software, "")).strip("\0 ")
    taken = str(exif.get(ExifTags.Base.DateTime, ""))
    digits = "".join(char for char in taken if char.isdigit())
    return Metadata(producer=software[:200], created=pdf_date(digits))
