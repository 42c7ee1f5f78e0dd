"""Limits how far a PDF may expand when it is drawn, before anything draws it.

Small files can hold streams that inflate to gigabytes, and forms that draw forms that draw forms. A
renderer would follow them for minutes; here they are counted up to a limit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator

import pikepdf

from checks.readers.pdf import tunables

# The same key counts the entries of an outline; no real outline has that many either.
BEYOND_COUNT = re.compile(rb"/Count\s+\d{6}")
DRAW = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")
FLATE = frozenset({"/FlateDecode", "/Fl"})
# Filters that write bytes as text.
OF_TEXT = frozenset({"/ASCIIHexDecode", "/AHx", "/ASCII85Decode", "/A85"})
# How often a form draws others is not counted yet.
UNDER_WAY = -1


class TooFarError(Exception):
    """The file expands further than a real document does."""


def check_page_count(content: bytes) -> None:
    """Raise TooFarError if the bytes state more pages than a real document has.

    Opening such a file takes seconds. A count inside a compressed stream is only seen by
    `check_limits`.
    """
    if BEYOND_COUNT.search(content):
        raise TooFarError("more pages than a document has")


def check_limits(pdf: pikepdf.Pdf, *, max_pages: int) -> None:
    """Raise TooFarError if pages, contents or nested drawings exceed the limits."""
    if int(pdf.Root.Pages.get("/Count", 0)) > tunables.MAX_PAGES:
        raise TooFarError("more pages than a document has")
    sizes: dict[tuple[int, int], int] = {}
    for number, page in enumerate(pdf.pages):
        if number >= max_pages:
            return
        content = _content(page.obj.get("/Contents"))
        _drawn_bytes(content, page.obj.get("/Resources"), sizes, depth=0)


def _content(streams: object) -> bytes:
    """Return the content of a page: one stream, or several that are read as one."""
    parts: Iterable[object] = [streams]
    if isinstance(streams, pikepdf.Array):
        parts = streams
    contents: list[bytes] = []
    for part in parts:
        if isinstance(part, pikepdf.Stream):
            contents.append(inflate(part))
    return b"\n".join(contents)


def inflate(stream: pikepdf.Stream) -> bytes:
    """Return the data of a stream after its filters; empty if they cannot be undone.

    Raises TooFarError if the data exceed the limit.
    """
    data = stream.read_raw_bytes()
    filters = stream.get("/Filter")
    if filters is None:
        return data
    names = [str(filters)]
    if isinstance(filters, pikepdf.Array):
        names = [str(name) for name in filters]
    for name in names:
        if name in FLATE:
            data = _inflated(data)
        elif name in OF_TEXT:
            data = _decoded(data, name)
        else:
            return b""
    return data


def _inflated(data: bytes) -> bytes:
    decoder = zlib.decompressobj()
    try:
        inflated = decoder.decompress(data, tunables.MAX_CONTENT)
    except zlib.error:
        return b""
    # The output limit was reached, but there is more input.
    if decoder.unconsumed_tail:
        raise TooFarError("a stream that inflates without end")
    return inflated


def _decoded(data: bytes, name: str) -> bytes:
    """Return the bytes that are written as text, which is at most four times as long as they are."""
    with pikepdf.new() as pdf:
        try:
            return pikepdf.Stream(pdf, data, Filter=pikepdf.Name(name)).read_bytes()
        except pikepdf.PdfError:
            return b""


def _drawn_bytes(
    content: bytes, resources: object, sizes: dict[tuple[int, int], int], *, depth: int
) -> int:
    """Return how many forms a content draws in total, including forms within forms."""
    # Not counted as nothing: the count of a form is kept, and it may be drawn less deep, too.
    if depth > tunables.MAX_DEPTH:
        raise TooFarError("drawings within drawings without end")
    total = 0
    for thing in _drawn_things(content, resources):
        width = int(thing.get("/Width", 0))
        height = int(thing.get("/Height", 0))
        # The size is stated in the file, so it is known before the picture is decoded.
        if width * height > tunables.MAX_DOTS:
            raise TooFarError("a picture of more dots than paper holds")
        if str(thing.get("/Subtype")) == "/Form":
            total += 1 + _form_bytes(thing, resources, sizes, depth=depth)
        if total > tunables.MAX_DRAWN:
            raise TooFarError("drawings within drawings without end")
    return total


def _drawn_things(content: bytes, resources: object) -> Iterator[pikepdf.Stream]:
    """Yield the pictures and forms that a content draws, each as often as it is drawn."""
    if not isinstance(resources, pikepdf.Dictionary):
        return
    things = resources.get("/XObject")
    if not isinstance(things, pikepdf.Dictionary):
        return
    for match in DRAW.finditer(content):
        thing = things.get("/" + match[1].decode("latin-1"))
        if isinstance(thing, pikepdf.Stream):
            yield thing


def _form_bytes(
    form: pikepdf.Stream,
    outer: object,
    sizes: dict[tuple[int, int], int],
    *,
    depth: int,
) -> int:
    """Return the count of a form, computed once.

    A content that draws a form a thousand times adds this count a thousand times.
    """
    if sizes.get(form.objgen) == UNDER_WAY:
        # It draws itself, perhaps by way of others. PDFium ends with a crash.
        raise TooFarError("drawings within drawings without end")
    if form.objgen not in sizes:
        sizes[form.objgen] = UNDER_WAY
        resources: object = form.get("/Resources")
        # A form without resources of its own uses those of the content that draws it.
        if resources is None:
            resources = outer
        sizes[form.objgen] = _drawn_bytes(
            inflate(form), resources, sizes, depth=depth + 1
        )
    return sizes[form.objgen]
