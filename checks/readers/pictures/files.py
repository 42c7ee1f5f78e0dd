"""Picture files as evidence: their size, frames and metadata."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from PIL import ExifTags, Image

from checks.readers.pdf.structure import Metadata, pdf_date
from checks.readers.pictures import tunables
from checks.text.characters import only_digits
from checks.text.words import Page
from papers import pictures
from papers.errors import MalformedError, TooLargeError
from papers.geometry import Box

TURNED = {5, 6, 7, 8}  # the values of the EXIF orientation that swap width and height


@dataclass(frozen=True, slots=True)
class Picture:
    pages: tuple[Page, ...]
    page_count: int
    metadata: Metadata


@contextmanager
def open_picture(content: bytes) -> Iterator[Image.Image]:
    """Open a picture file. Raises TooLargeError or MalformedError."""
    try:
        with pictures.open_picture(content) as image:
            if image.width * image.height > tunables.MAX_OPENED:
                raise TooLargeError
            yield image
    except MemoryError as exc:
        raise MalformedError(type(exc).__name__) from exc


def read_picture(content: bytes, *, max_pages: int) -> Picture:
    with open_picture(content) as image:
        frames = int(getattr(image, "n_frames", 1))
        pages = []
        for index in range(min(frames, max_pages)):
            pages.append(_frame(image, index))
        return Picture(tuple(pages), frames, _metadata(image))


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
    software = str(exif.get(ExifTags.Base.Software, ""))
    moment = str(exif.get(ExifTags.Base.DateTime, ""))
    digits = only_digits(moment)
    return Metadata(
        producer=software.strip("\0 ")[:200],
        created=pdf_date(digits),
    )
