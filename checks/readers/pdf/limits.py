"""How far a PDF unfolds when it is drawn, told before anything draws it.

Small files can hold streams that inflate to gigabytes, and forms that draw forms that draw
forms. A renderer would follow them for minutes; here they are counted with a limit.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable

import pikepdf

from checks.readers.pdf import tunables

# No outline has as many entries either, which are counted by the same word.
BEYOND_COUNT = re.compile(rb"/Count\s+\d{6}")
DRAW = re.compile(rb"/([^\s/<>\[\](){}%]+)\s+Do\b")


class TooFarError(Exception):
    """The file unfolds further than a document does."""


def check_page_count(content: bytes) -> None:
    """Raise TooFarError where the bytes alone state more pages than a document has.

    To open such a file takes seconds. A count that is packed into a stream is not seen here, but
    by `check_limits`.
    """
    if BEYOND_COUNT.search(content):
        raise TooFarError("more pages than a document has")


def check_limits(pdf: pikepdf.Pdf, *, max_pages: int) -> None:
    """Raise TooFarError where pages, contents or nested drawings are beyond reason."""
    if int(pdf.Root.Pages.get("/Count", 0)) > tunables.MAX_PAGES:
        raise TooFarError("more pages than a document has")
    sizes: dict[tuple[int, int], int] = {}
    for number, page in enumerate(pdf.pages):
        if number >= max_pages:
            return
        content = _content(page.obj.get("/Contents"))
        _drawn_bytes(content, page.obj.get("/Resources"), sizes, depth=0)


def _content(streams: object) -> bytes:
    """What draws the page: one stream, or several that are read as one."""
    parts: Iterable[object] = [streams]
    if isinstance(streams, pikepdf.Array):
        parts = streams
    contents: list[bytes] = []
    for part in parts:
        if isinstance(part, pikepdf.Stream):
            contents.append(inflate(part))
    return b"\n".join(contents)


def inflate(stream: pikepdf.Stream) -> bytes:
    """The data of a stream behind its flate filters; empty where another filter is in use."""
    data = stream.read_raw_bytes()
    filters = stream.get("/Filter")
    if filters is None:
        return data
    names = [str(filters)]
    if isinstance(filters, pikepdf.Array):
        names = [str(name) for name in filters]
    for name in names:
        if name not in {"/FlateDecode", "/Fl"}:
            return b""
        decoder = zlib.decompressobj()
        try:
            data = decoder.decompress(data, tunables.MAX_CONTENT)
        except zlib.error:
            return b""
        if decoder.unconsumed_tail:
            raise TooFarError("a stream that inflates without end")
    return data


def _drawn_bytes(
    content: bytes, resources: object, sizes: dict[tuple[int, int], int], *, depth: int
) -> int:
    """How many forms a content draws in the end, those within forms included."""
    if depth > tunables.MAX_DEPTH or not isinstance(resources, pikepdf.Dictionary):
        return 0
    things = resources.get("/XObject")
    if not isinstance(things, pikepdf.Dictionary):
        return 0
    total = 0
    for match in DRAW.finditer(content):
        name = "/" + match[1].decode("latin-1")
        thing = things.get(name)
        if not isinstance(thing, pikepdf.Stream):
            continue
        width = int(thing.get("/Width", 0))
        height = int(thing.get("/Height", 0))
        if width * height > tunables.MAX_DOTS:
            raise TooFarError("a picture of more dots than paper holds")
        if str(thing.get("/Subtype")) == "/Form":
            total += 1 + _form_bytes(thing, resources, sizes, depth=depth)
        if total > tunables.MAX_DRAWN:
            raise TooFarError("drawings within drawings without end")
    return total


def _form_bytes(
    form: pikepdf.Stream,
    outer: pikepdf.Dictionary,
    sizes: dict[tuple[int, int], int],
    *,
    depth: int,
) -> int:
    """Counted once for each form: what draws it a thousand times counts it a thousand times."""
    if form.objgen not in sizes:
        # A form that draws itself is found here again, and adds nothing.
        sizes[form.objgen] = 0
        resources = form.get("/Resources", outer)
        sizes[form.objgen] = _drawn_bytes(
            inflate(form), resources, sizes, depth=depth + 1
        )
    return sizes[form.objgen]
