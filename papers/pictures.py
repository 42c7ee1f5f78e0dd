"""Opens picture files with Pillow, and shows their frames as they look on white paper."""

from __future__ import annotations

import io
import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pi_heif
from PIL import Image

from papers.errors import MalformedError, TooLargeError

# Phones take photographs as HEIC, which Pillow cannot read without a plug-in.
pi_heif.register_heif_opener(thumbnails=False)

FORMATS = ("JPEG", "PNG", "TIFF", "HEIF")
# The errors that Pillow and its decoders raise for a damaged file.
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
    """Open a picture. An error of the file within the block is raised as UnreadableError.

    Nothing is decoded yet, so the caller must check the size. Pillow's warning about large pictures
    is switched off: it comes at a size that our readers can still handle.
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
    """The image in RGB, with 8 bits per colour, and white where it is transparent."""
    if image.mode.startswith("I"):
        # Pillow does not scale 16 bits to 8: it would turn all but the darkest values white.
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
    """The image scaled down by `scale`, which is at most 1."""
    width = max(1, round(image.width * scale))
    height = max(1, round(image.height * scale))
    if (width, height) == image.size:
        return image
    return image.resize((width, height), Image.Resampling.LANCZOS)
