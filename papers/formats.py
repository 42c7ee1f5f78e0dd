"""Finds the format of a file by its first bytes. Its name and content type are not reliable."""

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
# Some programs write a UTF-8 byte order mark or blanks before the PDF.
BEFORE_PDF = re.compile(rb"(?:\xef\xbb\xbf)?\s{0,16}(?=%PDF-)")
# HEIC is an ISO base media file. Its brand follows the size and the type of the first box.
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"mif1", b"msf1")


def format_of(content: bytes) -> Format:
    """The format of a file if it is one that we read; otherwise "other"."""
    # The first box is small, so the first two bytes of its size are zeros.
    is_media = content[:2] == b"\0\0" and content[4:8] == b"ftyp"
    if is_media and content[8:12] in HEIC_BRANDS:
        return "heic"
    for signature, name in SIGNATURES:
        if content.startswith(signature):
            return name
    if BEFORE_PDF.match(content):
        return "pdf"
    return "other"
