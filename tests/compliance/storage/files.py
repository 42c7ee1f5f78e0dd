"""Contents of files for every endpoint that takes one: the types that are accepted, and those that are not."""

from __future__ import annotations

import io
import resource
import struct
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager

PDF = b"%PDF-1.7\n1 0 obj <<>> endobj\ntrailer <<>>\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 32
JPEG = b"\xff\xd8\xff\xe0" + b"\0" * 32
HTML = b"<html><script>alert(1)</script></html>"


def _zip(content: bytes = b"x") -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("a.txt", content)
    return buffer.getvalue()


REFUSED: dict[str, bytes] = {
    "empty": b"",
    "program with a PDF behind": b"MZ\x90\x00" + b"\0" * 200 + PDF,
    "script of a page with a PDF behind": HTML + PDF,
    "archive with a PDF behind": _zip() + PDF,
    "archive": _zip(),
    "elf": b"\x7fELF\x02\x01\x01" + b"\0" * 60,
    "svg": b'<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>',
    "shell script": b"#!/bin/sh\nrm -rf ~\n",
    "gif": b"GIF89a" + b"\0" * 32,
    "webp": b"RIFF\x20\0\0\0WEBPVP8 " + b"\0" * 32,
    "video": b"\0\0\0\x18ftypmp42" + b"\0" * 32,
    "program that says heic": b"MZ\x90\x00ftypheic" + b"\0" * 32,
    "text": b"This is no document.",
    "pdf behind many lines": b"\n" * 17 + PDF,
    "pdf behind a few letters": b"PK" + PDF,
    "pdf without a version": b"%PDF-" + bytes(range(200)),
    "office": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 32,
    "shortcut": b"L\0\0\0\x01\x14\x02\0" + b"\0" * 32,
}
# What follows the first bytes makes no difference: what they begin, they are offered as.
TAKEN: dict[str, tuple[bytes, str]] = {
    "pdf": (PDF, "pdf"),
    "pdf behind a line": (b"\r\n" + PDF, "pdf"),
    "pdf behind a mark": (b"\xef\xbb\xbf\n" + PDF, "pdf"),
    "pdf with garbage": (b"%PDF-1.4\n" + bytes(range(256)), "pdf"),
    "pdf with a page's script": (b"%PDF-1.4\n" + HTML, "pdf"),
    "png": (PNG, "png"),
    "png with an archive": (PNG + _zip(), "png"),
    "jpeg with php": (JPEG + b"<?php system($_GET['c']); ?>", "jpg"),
    "tiff": (b"II*\x00" + b"\0" * 32, "tif"),
    "tiff, big-endian": (b"MM\x00*" + b"\0" * 32, "tif"),
    "heic": (struct.pack(">I", 24) + b"ftypheic" + b"\0" * 32, "heic"),
}
# Names that somebody may give a PDF, and those under which it is offered.
NAMES: dict[str, str] = {
    "certificate.pdf": "certificate.pdf",
    "certificate.pdf.exe": "certificate.pdf",
    "certificate.exe": "certificate.exe.pdf",
    "invoice.hta": "invoice.hta.pdf",
    "photo.jpg": "photo.pdf",
    "no extension": "no extension.pdf",
    "Acme Inc. 2024.03.PDF": "Acme Inc. 2024.03.pdf",
    "gn\u202efdp.exe": "gnfdp.exe.pdf",
    "a\x01b\x1f.pdf": "ab.pdf",
    "tab\tand\nline.pdf": "tabandline.pdf",
    'a<b>c:d"e|f?g*.pdf': "a_b_c_d_e_f_g.pdf",
    "CON": "_CON.pdf",
    "nul.pdf": "_nul.pdf",
    "com1.report.pdf": "_com1.report.pdf",
    "証明書.pdf": "証明書.pdf",
    "...": "document.pdf",
    "a.pdf...   ": "a.pdf",
    ".pdf": "document.pdf",
}


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """No file of this process can grow beyond `size` bytes, as on a disk without room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
