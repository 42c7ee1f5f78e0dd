"""With `papers`, the only code that imports the libraries for PDF and pictures.

These libraries are large, so that only the process that opens a document loads them. A reader, its
results and its errors are therefore imported on first use, as `readers.NAME`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from checks.readers.drawing import Pixels, draw_page
    from checks.readers.ocr.mrz import read_cells, read_zones
    from checks.readers.ocr.rapid import SecondLookError
    from checks.readers.ocr.recognition import OcrUnavailableError, recognise
    from checks.readers.pdf.limits import TooFarError
    from checks.readers.pdf.pages import read_pages
    from checks.readers.pdf.revisions import Revision, read_revisions
    from checks.readers.pdf.structure import (
        Metadata,
        Structure,
        read_structure,
    )
    from checks.readers.pictures.files import Picture, read_picture

__all__ = [
    "Metadata",
    "OcrUnavailableError",
    "Picture",
    "Pixels",
    "Revision",
    "SecondLookError",
    "Structure",
    "TooFarError",
    "draw_page",
    "read_cells",
    "read_pages",
    "read_picture",
    "read_revisions",
    "read_structure",
    "read_zones",
    "recognise",
]
# The modules for pictures come last: a PDF with text is read without loading them.
_MODULES = (
    "pdf.structure",
    "pdf.limits",
    "pdf.pages",
    "pdf.revisions",
    "pictures.files",
    "drawing",
    "ocr.rapid",
    "ocr.recognition",
    "ocr.mrz",
)


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(name)
    for path in _MODULES:
        module = import_module(f"checks.readers.{path}")
        if hasattr(module, name):
            value = getattr(module, name)
            globals()[name] = value
            return value
    raise AttributeError(name)
