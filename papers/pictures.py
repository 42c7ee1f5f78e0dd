"""A picture file opened with Pillow, and its frames as they look on white paper."""

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
    """The opened file. What goes wrong with it within the block raises an UnreadableError.

    Nothing is decoded yet, and the caller judges the size: Pillow warns of fewer pixels than our
    readers take, and refuses more.
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
    """In RGB, 16 bits taken to 8, and what is transparent on white."""
    if image.mode.startswith("I"):
        image = image.convert("I").point(lambda value: value / 256).convert("L")
    if "transparency" in image.info or image.mode in {"RGBA", "LA", "PA", "RGBa", "La"}:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        paper.alpha_composite(image)
        image = paper
    return image.convert("RGB")


def smaller(image: Image.Image, scale: float) -> Image.Image:
    """The image at this scale of at most 1."""
    size = max(1, round(image.width * scale)), max(1, round(image.height * scale))
    return image if size == image.size else image.resize(size, Image.Resampling.LANCZOS)
