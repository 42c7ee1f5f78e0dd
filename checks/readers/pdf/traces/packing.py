"""Which pages were packed by another program than the rest of the file.

Programs that change a file copy what they do not change as it is, and pack again what they do.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import pikepdf

from checks.readers.pdf import tunables
from checks.readers.pdf.structure import ODDITIES

ADOBE = "Adobe"
# The first two bytes of packed data (RFC 1950): the window of the program, and how hard it tries.
PACKINGS = {
    b"\x48\x89": ADOBE,
    b"\x68\xde": ADOBE,
    b"\x78\x01": "fastest",
    b"\x78\x5e": "fast",
    b"\x78\x9c": "usual",
    b"\x78\xda": "best",
}
# Libraries for changing files pack in the usual way.
OF_LIBRARIES = "usual"
# Fonts packed so come from a program that packs pages in the same way.
OF_WRITERS = frozenset({ADOBE, "fastest", "best"})
# PDFBox packs a page again when it only takes the page out of a file.
PDFBOX = re.compile(rb"%PDF-\d\.\d[\r\n]+%\xf6\xe4\xfc\xdf")


class PackedAnew(NamedTuple):
    """A page, how its drawing is packed, and how the pages and fonts are that belong to it."""

    page: int
    packing: str
    others: str


class _Page(NamedTuple):
    number: int
    packing: str
    fonts: Mapping[tuple[int, int], pikepdf.Object]


def pages_packed_anew(content: bytes, *, max_pages: int) -> list[PackedAnew]:
    """Return the pages whose drawing is packed otherwise than the pages and fonts that belong to it.

    Pages that share a font were written by one program, so that merged files are not compared.
    """
    try:
        with pikepdf.open(io.BytesIO(content), suppress_warnings=True) as pdf:
            pages = list(_pages(pdf, max_pages))
            return list(_packed_anew(pages, of_pdfbox=bool(PDFBOX.match(content))))
    except ODDITIES:
        return []


def _packed_anew(pages: Sequence[_Page], *, of_pdfbox: bool) -> Iterator[PackedAnew]:
    for page in pages:
        mates = {
            other.packing
            for other in pages
            if other is not page and not other.fonts.keys().isdisjoint(page.fonts)
        }
        fonts = _packings_of_fonts(page)
        if page.packing in fonts or page.packing in mates:
            continue
        if len(mates) == 1:
            yield PackedAnew(page.number, page.packing, mates.pop())
        elif mates or of_pdfbox or page.packing != OF_LIBRARIES:
            continue
        elif _is_of_a_writer(fonts):
            yield PackedAnew(page.number, page.packing, fonts[0])


def _is_of_a_writer(packings: Sequence[str]) -> bool:
    if len(packings) < tunables.MIN_PACKED or len({*packings}) > 1:
        return False
    return packings[0] in OF_WRITERS


def _pages(pdf: pikepdf.Pdf, max_pages: int) -> Iterator[_Page]:
    for index in range(min(len(pdf.pages), max_pages)):
        page = pdf.pages[index]
        streams = _streams(page.obj.get("/Contents"))
        # A stamp is added as a further, small stream.
        main = max(streams, key=_length, default=None)
        if main is None or _length(main) < tunables.MIN_DRAWING:
            continue
        packing = _packing(main)
        # For the fast view on the web, Adobe's programs cut one page into pieces and pack it again.
        if packing and (packing != ADOBE or len(streams) == 1):
            yield _Page(index + 1, packing, _fonts(page))


def _streams(contents: pikepdf.Object | None) -> list[pikepdf.Stream]:
    parts: list[pikepdf.Object | None] = [contents]
    if isinstance(contents, pikepdf.Array):
        parts = [*contents][: tunables.MAX_PARTS]
    return [part for part in parts if isinstance(part, pikepdf.Stream)]


def _length(stream: pikepdf.Stream) -> int:
    return int(stream.get("/Length", 0))


def _packing(stream: pikepdf.Stream) -> str:
    """Return how a stream is packed; "" if that does not tell one program from another."""
    name = stream.get("/Filter")
    if isinstance(name, pikepdf.Array) and len(name) == 1:
        name = name[0]
    if name != pikepdf.Name.FlateDecode:
        return ""
    return PACKINGS.get(stream.read_raw_bytes()[:2], "")


def _fonts(page: pikepdf.Page) -> dict[tuple[int, int], pikepdf.Object]:
    fonts = page.resources.get("/Font")
    if not isinstance(fonts, pikepdf.Dictionary):
        return {}
    return {
        font.objgen: font
        for _, font in fonts.items()
        if isinstance(font, pikepdf.Dictionary) and font.is_indirect
    }


def _packings_of_fonts(page: _Page) -> list[str]:
    packings = []
    for font in page.fonts.values():
        holder = font
        if "/DescendantFonts" in font:
            holder = font.DescendantFonts[0]
        descriptor = holder.get("/FontDescriptor", pikepdf.Dictionary())
        streams = [font.get("/ToUnicode")]
        for key in ("/FontFile", "/FontFile2", "/FontFile3"):
            streams.append(descriptor.get(key))
        for stream in streams:
            if isinstance(stream, pikepdf.Stream):
                packings.append(_packing(stream))
    return [packing for packing in packings if packing]
