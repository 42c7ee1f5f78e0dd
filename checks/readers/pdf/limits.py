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
LZW = frozenset({"/LZWDecode", "/LZW"})
RUN_LENGTH = frozenset({"/RunLengthDecode", "/RL"})
# Codes of LZW: the table begins anew, and the data end.
LZW_CLEAR, LZW_END = 256, 257
LZW_MOST_CODES = 4096
HEX = frozenset({"/ASCIIHexDecode", "/AHx"})
BASE_85 = frozenset({"/ASCII85Decode", "/A85"})
# The file is decrypted when it is opened.
CRYPT = "/Crypt"
OF_PREDICTOR = ("/Predictor", "/Colors", "/BitsPerComponent", "/Columns")
# Of base 85: whole groups, and the rest of one.
GROUPS = re.compile(rb"(?P<whole>(?:z|[!-u]{5})*)(?P<rest>[!-u]{0,4})")
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
    for name, parms in _filters(stream):
        if name in FLATE:
            data = _behind_predictor(_inflated(data), parms)
        elif name in LZW:
            unpacked = _unpacked_lzw(data, early=_early(parms))
            data = _behind_predictor(unpacked, parms)
        elif name in RUN_LENGTH:
            data = _run_lengths(data)
        elif name in HEX:
            data = _from_hex(data)
        elif name in BASE_85:
            data = _from_base_85(data)
        elif name != CRYPT:
            # PDFium draws what stands before a filter that it does not undo.
            break
    return data


def _filters(stream: pikepdf.Stream) -> list[tuple[str, pikepdf.Dictionary | None]]:
    """Return the filters of a stream with their parameters."""
    names = _listed(stream.get("/Filter"))
    parms = _listed(stream.get("/DecodeParms"))
    filters: list[tuple[str, pikepdf.Dictionary | None]] = []
    for index, name in enumerate(names):
        own = parms[index] if index < len(parms) else None
        filters.append(
            (str(name), own if isinstance(own, pikepdf.Dictionary) else None)
        )
    return filters


def _listed(thing: object) -> list[object]:
    if thing is None:
        return []
    return [*thing] if isinstance(thing, pikepdf.Array) else [thing]


def _early(parms: pikepdf.Dictionary | None) -> int:
    """Return by how many codes LZW changes the width early: 1, unless the file states 0."""
    value = parms.get("/EarlyChange", 1) if parms else 1
    return 0 if value == 0 else 1


def _inflated(data: bytes) -> bytes:
    """Return what can be inflated. A renderer draws what comes before an error, so it counts, too."""
    decoder = zlib.decompressobj()
    inflated = bytearray()
    for start in range(0, len(data), tunables.INFLATED_AT_ONCE):
        chunk = data[start : start + tunables.INFLATED_AT_ONCE]
        before = decoder.copy()
        try:
            inflated += _within(decoder, chunk, len(inflated))
        except zlib.error:
            inflated += _up_to_error(before, chunk, len(inflated))
            break
        if decoder.eof:
            break
    return bytes(inflated)


def _within(decoder: zlib._Decompress, chunk: bytes, length: int) -> bytes:
    more = decoder.decompress(chunk, tunables.MAX_CONTENT - length + 1)
    if length + len(more) > tunables.MAX_CONTENT:
        raise TooFarError("a stream that inflates without end")
    return more


def _up_to_error(decoder: zlib._Decompress, chunk: bytes, length: int) -> bytes:
    inflated = bytearray()
    for byte in chunk:
        try:
            inflated += _within(decoder, bytes([byte]), length + len(inflated))
        except zlib.error:
            break
    return bytes(inflated)


def _run_lengths(data: bytes) -> bytes:
    """Return runs of equal bytes at their full length."""
    whole = bytearray()
    at = 0
    while at < len(data) and data[at] != 128:
        length = data[at]
        if length < 128:
            whole += data[at + 1 : at + 2 + length]
            at += 2 + length
        else:
            whole += data[at + 1 : at + 2] * (257 - length)
            at += 2
        if len(whole) > tunables.MAX_CONTENT:
            raise TooFarError("a stream that inflates without end")
    return bytes(whole)


def _unpacked_lzw(data: bytes, *, early: int) -> bytes:
    """Return what LZW can unpack, up to an error."""
    table = [bytes([byte]) for byte in range(LZW_CLEAR)] + [b"", b""]
    whole = bytearray()
    last = b""
    for code in _codes_of_lzw(data, table, early):
        if code == LZW_CLEAR:
            del table[LZW_END + 1 :]
            last = b""
            continue
        own = table[code] if code < len(table) else last + last[:1]
        whole += own
        if len(whole) > tunables.MAX_CONTENT:
            raise TooFarError("a stream that inflates without end")
        if last and len(table) < LZW_MOST_CODES:
            table.append(last + own[:1])
        last = own
    return bytes(whole)


def _codes_of_lzw(data: bytes, table: list[bytes], early: int) -> Iterator[int]:
    """Yield the codes up to the end or an error. The table, which the caller fills, decides how wide they are."""
    bits = length = 0
    for byte in data:
        bits = bits << 8 | byte
        length += 8
        # The caller adds an entry behind each code but the first.
        width = min(12, max(9, (len(table) + early).bit_length()))
        if length < width:
            continue
        length -= width
        code = bits >> length
        bits &= (1 << length) - 1
        if code == LZW_END or code > len(table):
            return
        yield code


def _from_hex(data: bytes) -> bytes:
    digits = re.sub(rb"[^0-9A-Fa-f]", b"", data.partition(b">")[0])
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _from_base_85(data: bytes) -> bytes:
    match = GROUPS.match(re.sub(rb"\s", b"", data))
    if match is None:
        return b""
    whole = bytearray()
    groups = match["whole"].replace(b"z", b"!!!!!")
    for start in range(0, len(groups), 5):
        whole += _group(groups[start : start + 5])
    rest = match["rest"]
    if len(rest) > 1:
        whole += _group(rest.ljust(5, b"u"))[: len(rest) - 1]
    return bytes(whole)


def _group(letters: bytes) -> bytes:
    value = 0
    for letter in letters:
        value = value * 85 + letter - 33
    return (value % (1 << 32)).to_bytes(4, "big")


def _behind_predictor(data: bytes, parms: pikepdf.Dictionary | None) -> bytes:
    """Return the data that a predictor changed, which are not longer; as they are if they have none."""
    if not parms or parms.get("/Predictor", 1) == 1:
        return data
    # The values of another file are copied one by one.
    own: dict[str, int] = {}
    for key in OF_PREDICTOR:
        value: object = parms.get(key)
        if isinstance(value, int):
            own[key] = value
    with pikepdf.new() as pdf:
        stream = pikepdf.Stream(pdf, zlib.compress(data, 1))
        stream.Filter = pikepdf.Name.FlateDecode
        stream.DecodeParms = pikepdf.Dictionary(own)
        try:
            return stream.read_bytes()
        except pikepdf.PdfError:
            return data


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
