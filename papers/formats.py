"""The format of a file, by its first bytes: a name or a content type can say anything."""

from __future__ import annotations

import re
from typing import Literal

Format = Literal["pdf", "jpeg", "png", "tiff", "heic", "other"]

SIGNATURES: tuple[tuple[bytes, Format], ...] = (
    (b"%PDF-", "pdf"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
)
# A mark of UTF-8 and blanks may stand before a PDF: some programs write them.
BEFORE_PDF = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,16}(?=%PDF-)")
# HEIC is an ISO base media file: its brand stands after the size and the type of the first box.
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1")


def format_of(content: bytes) -> Format:
    """The format of a file that we read, or "other"."""
    # The first two bytes of the size are zeros: the box is small.
    is_media = content[:2] == b"\0\0" and content[4:8] == b"ftyp"
    if is_media and content[8:12] in HEIC_BRANDS:
        return "heic"
    for signature, name in SIGNATURES:
        if content.startswith(signature):
            return name
    if BEFORE_PDF.match(content):
        return "pdf"
    return "other"
