"""Picture files, opened with Pillow, and their frames as they look on white paper."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pi_heif
from PIL import Image

from papers.errors import MalformedError, TooLargeError

# HEIC, the photographs of telephones, has no plug-in in Pillow itself.
pi_heif.register_heif_opener(thumbnails=False)

FORMATS = ("JPEG", "PNG", "TIFF", "HEIF")
# What Pillow and its decoders raise on a damaged file.
DAMAGE = (
    OSError,
    ValueError,
    SyntaxError,
    EOFError,
    TypeError,
    OverflowError,
    KeyError,
    IndexError,
    ZeroDivisionError,
    struct.error,
)


@contextmanager
def open_picture(content: bytes) -> Iterator[Image.Image]:
    """The open file. An error of it within the block raises an UnreadableError.

    Nothing is decoded yet. The caller checks the size: Pillow warns of pictures that are still
    small enough for our readers.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", Image.DecompressionBombWarning)
            warnings.simplefilter("ignore", UserWarning)
            with Image.open(io.BytesIO(content), formats=FORMATS) as picture:
                yield picture
    except Image.DecompressionBombError as exc:
        raise TooLargeError from exc
    except DAMAGE as exc:
        raise MalformedError(type(exc).__name__) from exc


def on_paper(image: Image.Image) -> Image.Image:
    """The image in RGB: 16 bits become 8, and transparent parts white."""
    if image.mode.startswith("I"):
        # Pillow itself would not scale 16 bits: all but the darkest values would be white.
        image = image.convert("I").point(lambda value: value / 256)
        image = image.convert("L")
    has_transparency = image.mode in {"RGBA", "LA", "PA", "RGBa", "La"}
    if has_transparency or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper
    return image.convert("RGB")


def smaller(image: Image.Image, scale: float) -> Image.Image:
    """The image at this scale of at most 1."""
    width = max(1, round(image.width * scale))
    height = max(1, round(image.height * scale))
    if (width, height) == image.size:
        return image
    return image.resize((width, height), Image.Resampling.LANCZOS)
