"""What is done to documents: saved anew, appended to, drawn on, scanned. For tests."""

# ReportLab and the binding of PDFium have no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import io
import re
from collections.abc import Callable
from contextlib import closing

import pikepdf
import pypdfium2 as pdfium
from PIL import Image, ImageFont

from checks.evidence import Evidence
from checks.samples.editing import append, last_table
from checks.text.words import Word
from papers.geometry import Rectangle

Edit = Callable[[pikepdf.Pdf], None]
# What is done to the bytes of a file.
Kind = Callable[[bytes], bytes]

DPI = 150
DIGITS = re.compile(r"\d{4,}")


def rewritten(content: bytes, edit: Edit, **options: object) -> bytes:
    """The file changed and saved anew as a whole."""
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        edit(pdf)
        pdf.save(out, fix_metadata_version=False, **options)  # type: ignore[arg-type]
    return out.getvalue()


def plain(content: bytes) -> bytes:
    """With a table of the old kind, which can be appended to by hand."""
    mode = pikepdf.ObjectStreamMode.disable
    return rewritten(content, lambda _: None, object_stream_mode=mode)


def appended(content: bytes, edit: Edit) -> bytes:
    """The file changed and saved by appending: what it held before stays inside."""
    with pikepdf.open(io.BytesIO(content)) as pdf:
        before = _objects(pdf)
        edit(pdf)
        # Whatever is new becomes an object of its own when it is unparsed.
        after = _objects(pdf)
        changed = {key: body for key, body in after.items() if before.get(key) != body}
        root = pdf.trailer.Root.objgen[0]
        info = pdf.trailer.get("/Info")
        pointer = (
            f" /Info {info.objgen[0]} 0 R"
            if info is not None and info.objgen[0]
            else ""
        )
        identity = pdf.trailer.get("/ID")
        text = (
            f" /ID {identity.unparse().decode('latin-1')}"
            if identity is not None
            else ""
        )
        size = max(*after, int(pdf.trailer.Size) - 1) + 1
    trailer = f"<< /Size {size} /Root {root} 0 R{pointer}{text} /Prev {last_table(content)} >>"
    return append(content, changed, trailer)


def _objects(pdf: pikepdf.Pdf) -> dict[int, bytes]:
    payload = {}
    for thing in pdf.objects:
        if isinstance(thing, pikepdf.Stream):
            data = thing.read_raw_bytes()
            thing.stream_dict.Length = len(data)
            head = thing.stream_dict.unparse(resolved=True)
            payload[thing.objgen[0]] = head + b"\nstream\n" + data + b"\nendstream"
        elif thing.objgen[0]:
            payload[thing.objgen[0]] = thing.unparse(resolved=True)
    return payload


def drawn(stream: bytes, *, page: int = 0, under: bool = False) -> Edit:
    """An edit that draws on a page, over or under what is there; `/Typed` is Helvetica there."""

    def edit(pdf: pikepdf.Pdf) -> None:
        own = pdf.pages[page]
        name(pdf, "/Font", "/Typed", font(), page=page)
        if under:
            own.contents_add(
                pikepdf.Stream(pdf, b"q " + stream + b" Q\n"), prepend=True
            )
            return
        own.contents_add(pikepdf.Stream(pdf, b"q\n"), prepend=True)
        own.contents_add(pikepdf.Stream(pdf, b"\nQ q " + stream + b" Q"))

    return edit


def font(base: str = "/Helvetica") -> pikepdf.Dictionary:
    return pikepdf.Dictionary(
        Type=pikepdf.Name.Font, Subtype=pikepdf.Name.Type1, BaseFont=pikepdf.Name(base),
        Encoding=pikepdf.Name.WinAnsiEncoding,
    )  # fmt: skip


def name(
    pdf: pikepdf.Pdf, kind: str, key: str, thing: pikepdf.Object, *, page: int = 0
) -> None:
    """Name a thing among the resources of a page."""
    own = pdf.pages[page].obj
    resources = own.get("/Resources", pikepdf.Dictionary())
    if kind not in resources:
        resources[kind] = pikepdf.Dictionary()
    resources[kind][key] = pdf.make_indirect(thing)
    own.Resources = resources


def words(
    text: str, x: float, y: float, *, size: float = 10, face: str = "/Typed"
) -> bytes:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return (
        f"BT 0 0 0 rg {face} {size} Tf {x:.2f} {y:.2f} Td ({escaped}) Tj ET\n".encode(
            "latin-1"
        )
    )


def box(place: Rectangle, *, by: float = 1.0, colour: str = "1 1 1") -> bytes:
    x0, y0, x1, y1 = place
    area = f"{x0 - by:.2f} {y0 - by - 1:.2f} {x1 - x0 + 2 * by:.2f} {y1 - y0 + 2 * by + 2:.2f}"
    return f"q {colour} rg {area} re f Q\n".encode()


def place_of(content: bytes, wanted: str) -> Rectangle:
    """Where a word stands on the first page, in points from the lower left."""
    return place_of_word(
        content, next(w for w in words_of(content) if wanted in w.text)
    )


def place_of_word(content: bytes, word: Word) -> Rectangle:
    own = Evidence(content, arguments={"ocr": "off"}).pages[0].transform
    a, _, _, d, e, f = own
    xs = sorted(((word.box.x0 - e) / a, (word.box.x1 - e) / a))
    ys = sorted(((word.box.y0 - f) / d, (word.box.y1 - f) / d))
    return xs[0], ys[0], xs[1], ys[1]


def words_of(content: bytes) -> list[Word]:
    return Evidence(content, arguments={"ocr": "off"}).pages[0].words


def free_place(content: bytes, width: float, height: float) -> tuple[float, float]:
    """The lower left corner of a place of the first page without words or drawings."""
    page = picture_of(content, dpi=72).convert("L")
    margin = 24
    for bottom in range(margin, page.height - margin - int(height), 6):
        for left in range(margin, page.width - margin - int(width), 12):
            top = page.height - bottom - int(height)
            piece = page.crop((left, top, left + int(width), top + int(height)))
            if piece.getextrema()[0] > 245:  # type: ignore[operator]
                return float(left), float(bottom)
    raise LookupError("no free place on the page")


def picture_of(content: bytes, *, dpi: int = DPI) -> Image.Image:
    with closing(pdfium.PdfDocument(content)) as document, closing(document[0]) as page:
        picture: Image.Image = page.render(scale=dpi / 72).to_pil()
        return picture.convert("RGB").copy()


def image(
    pdf: pikepdf.Pdf, picture: Image.Image, *, quality: int = 80
) -> pikepdf.Stream:
    packed = io.BytesIO()
    picture.save(packed, "JPEG", quality=quality)
    stream = pdf.make_stream(packed.getvalue())
    stream.Type, stream.Subtype = pikepdf.Name.XObject, pikepdf.Name.Image
    stream.Width, stream.Height = picture.size
    spaces = {"L": "/DeviceGray", "RGB": "/DeviceRGB", "CMYK": "/DeviceCMYK"}
    stream.ColorSpace = pikepdf.Name(spaces[picture.mode])
    stream.BitsPerComponent = 8
    stream.Filter = pikepdf.Name.DCTDecode
    return stream


def face(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
