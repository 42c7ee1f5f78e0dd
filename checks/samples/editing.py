"""An edit as people make it: a white box over a word, another word on it, saved by appending."""

from __future__ import annotations

import io

import pikepdf

from papers.geometry import Rectangle

FONT, SIZE = "/Times-Bold", 14


def cover_and_retype(content: bytes, place: Rectangle, words: str) -> bytes:
    """Append a version in which `words` stand on a white box over `place` on the first page."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        page = pdf.pages[0].obj
        font = next(
            name
            for name, entry in page.Resources.Font.items()
            if str(entry.BaseFont) == FONT
        )
        new = int(pdf.trailer.Size)
        page.Contents = pikepdf.Array([page.Contents])
        number = page.objgen[0]
        body = page.unparse(resolved=True)
        old = f"{_contents(page)} 0 R".encode()
        body = body.replace(old, old + f" {new} 0 R".encode())
        root, info = pdf.trailer.Root.objgen[0], pdf.trailer.Info.objgen[0]
    # The page is saved again with the old content and a new stream behind it.
    stream = _overlay(place, font, words)
    objects = {
        number: body,
        new: b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream),
    }
    trailer = f"<< /Size {new + 1} /Root {root} 0 R /Info {info} 0 R /Prev {last_table(content)} >>"
    return append(content, objects, trailer)


def _contents(page: pikepdf.Object) -> int:
    return int(page.Contents[0].objgen[0])


def _overlay(place: Rectangle, font: str, words: str) -> bytes:
    x0, y0, x1, y1 = place
    return (
        f"q 1 1 1 rg {x0 - 1:.2f} {y0 - 2:.2f} {x1 - x0 + 2:.2f} {y1 - y0 + 4:.2f} re f Q\n"
        f"q BT 0 0 0 rg {font} {SIZE} Tf {x0:.2f} {y0:.2f} Td ({words}) Tj ET Q"
    ).encode("ascii")


def last_table(content: bytes) -> int:
    return int(content.rsplit(b"startxref", 1)[1].split()[0])


def append(content: bytes, objects: dict[int, bytes], trailer: str) -> bytes:
    out = bytearray(content if content.endswith(b"\n") else content + b"\n")
    offsets = {}
    for number, body in objects.items():
        offsets[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n"
    for number, offset in sorted(offsets.items()):
        out += b"%d 1\n%010d 00000 n \n" % (number, offset)
    out += f"trailer\n{trailer}\nstartxref\n{start}\n%%EOF\n".encode("ascii")
    return bytes(out)
