"""Files that attack or mislead their reader, as small as possible."""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Callable

import pikepdf

HEAD = b"%PDF-1.4\n"


def _pdf(objects: dict[int, bytes], *, root: int = 1) -> bytes:
    """Return a file with the given objects and a correct cross-reference table."""
    out = bytearray(HEAD)
    offsets = {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    for number in sorted(objects):
        out += b"%010d 00000 n \n" % offsets[number]
    out += b"trailer\n<< /Size %d /Root %d 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1,
        root,
        start,
    )
    return bytes(out)


def _page(
    contents: bytes, extra: dict[int, bytes], *, resources: bytes = b"<< >>"
) -> bytes:
    return _pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            3: b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R "
            b"/Resources " + resources + b" >>",
            4: contents,
            **extra,
        }
    )


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<< /Length %d %s >>\nstream\n%s\nendstream" % (len(data), entries, data)


def flate_bomb() -> bytes:
    """A content stream of half a megabyte that inflates to half a gigabyte."""
    packer = zlib.compressobj(9)
    block = b"q Q " * (1 << 18)
    packed = b"".join(packer.compress(block) for _ in range(512)) + packer.flush()
    return _page(_stream(packed, b"/Filter /FlateDecode"), {})


def nested_forms() -> bytes:
    """Forms that draw forms ten times each, eight levels deep: a hundred million drawings."""
    extra = {}
    for level in range(8):
        inner = b"<< /XObject << /F %d 0 R >> >>" % (6 + level)
        data = b"/F Do " * 10 if level < 7 else b"0 0 1 1 re f"
        entries = b"/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources "
        extra[5 + level] = _stream(data, entries + (inner if level < 7 else b"<< >>"))
    return _page(
        _stream(b"/F Do " * 10), extra, resources=b"<< /XObject << /F 5 0 R >> >>"
    )


def page_loop() -> bytes:
    """A tree of pages that contains itself."""
    return _pdf(
        {
            1: b"<< /Type /Catalog /Pages 2 0 R >>",
            2: b"<< /Type /Pages /Kids [3 0 R] /Count 9 >>",
            3: b"<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R] /Count 9 >>",
        }
    )


def huge_page() -> bytes:
    """A page of seventy metres: at 200 dpi its picture would take a terabyte."""
    return _page(_stream(b"0 0 9 9 re f"), {}).replace(
        b"[0 0 612 792]", b"[0 0 200000 200000]"
    )


def picture_bomb() -> bytes:
    """A PNG of a few hundred kilobytes with sixty thousand pixels on each side."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data))
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data))
        )

    packer = zlib.compressobj(9)
    rows = (
        b"".join(packer.compress(b"\0" * 7501) for _ in range(60_000)) + packer.flush()
    )
    header = struct.pack(">IIBBBBB", 60_000, 60_000, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", rows)
        + chunk(b"IEND", b"")
    )


def locked() -> bytes:
    """A document that only opens with a password."""
    out = io.BytesIO()
    with pikepdf.new() as pdf:
        pdf.add_blank_page()
        pdf.save(out, encryption=pikepdf.Encryption(owner="owner", user="secret"))
    return out.getvalue()


def truncated() -> bytes:
    """A document that ends in the middle of an object."""
    return _page(_stream(b"0 0 9 9 re f"), {})[:120]


def web_page() -> bytes:
    return b"<!DOCTYPE html><html><body>Your session has expired.</body></html>"


def nothing() -> bytes:
    return b""


HOSTILE: dict[str, Callable[[], bytes]] = {
    "flate_bomb.pdf": flate_bomb,
    "nested_forms.pdf": nested_forms,
    "page_loop.pdf": page_loop,
    "huge_page.pdf": huge_page,
    "picture_bomb.png": picture_bomb,
    "locked.pdf": locked,
    "truncated.pdf": truncated,
    "web_page.pdf": web_page,
    "empty.pdf": nothing,
}
