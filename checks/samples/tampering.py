"""The ways in which documents are edited, each as a function from a file to an edited file.

They imitate the programs that people use: readers that append, libraries that rewrite the file,
online editors, scanners. A test compares each with the indicator that must detect it.
"""

# ReportLab and the binding of PDFium have no annotations.
# mypy: disable-error-code="no-untyped-call,attr-defined"

from __future__ import annotations

import ctypes
import io
import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass

import pikepdf
import pypdfium2 as pdfium
import pypdfium2.raw as c
from PIL import Image, ImageDraw, ImageFont
from reportlab.pdfbase.pdfmetrics import stringWidth

from checks.samples.editing import append, cover_and_retype, last_table
from papers.geometry import Rectangle

SCALE = 200 / 72
NEW_ID = re.compile(rb"/ID\[<(\w+)><\w+>\]")


@dataclass(frozen=True, slots=True)
class Target:
    """A document, the word to be changed, its place, and the new word."""

    content: bytes
    place: Rectangle
    old: str
    new: str


def overlay_appended(target: Target) -> bytes:
    """A white box and a new word, saved by appending, as desktop readers do it."""
    return cover_and_retype(target.content, target.place, target.new)


def retyped_appended(target: Target) -> bytes:
    """The word itself is changed in place, saved by appending."""
    with pikepdf.open(io.BytesIO(target.content)) as pdf:
        data = _retyped(pdf, target)
        number = pdf.pages[0].obj.Contents.objgen[0]
        root, info = pdf.trailer.Root.objgen[0], pdf.trailer.Info.objgen[0]
        size = int(pdf.trailer.Size)
    body = b"<< /Length %d >>\nstream\n%s\nendstream" % (len(data), data)
    previous = last_table(target.content)
    trailer = f"<< /Size {size} /Root {root} 0 R /Info {info} 0 R /Prev {previous} >>"
    return append(target.content, {number: body}, trailer)


def retyped_rewritten(target: Target) -> bytes:
    """The word itself is changed, and qpdf rewrites the whole file, so that the old word
    is gone.
    """

    def edit(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.Contents = pikepdf.Stream(pdf, _retyped(pdf, target))

    return _rewritten(target.content, edit)


def overlay_rewritten(target: Target, *, producer: str = "") -> bytes:
    """A white box and a new word, with the whole file rewritten."""

    def edit(pdf: pikepdf.Pdf) -> None:
        _draw(pdf, target, f"1 1 1 rg {_rectangle(target.place)} re f".encode())
        if producer:
            pdf.docinfo["/Producer"] = producer

    return _rewritten(target.content, edit)


def online_editor(target: Target) -> bytes:
    """An edit in the way of online editors, which leave their name."""
    return overlay_rewritten(target, producer="iLovePDF")


def shape_rewritten(target: Target) -> bytes:
    """The word is covered with a shape of many corners in an unusual tint, which is no
    simple box.
    """
    x0, y0, x1, y1 = _around(target.place)
    corners = []
    for step in range(12):
        x = x0 + (x1 - x0) * step / 11
        y = y1 + step % 2
        corners.append(f"{x:.2f} {y:.2f} l")
    start = f"0.9 0.94 0.88 rg {x0:.2f} {y0:.2f} m {x0:.2f} {y1:.2f} l"
    end = f"{x1:.2f} {y0:.2f} l f"
    shape = " ".join([start, *corners, end])
    return _rewritten(target.content, lambda pdf: _draw(pdf, target, shape.encode()))


def blacked_out(target: Target) -> bytes:
    """A black box over the word, which stays in the file."""
    black = f"q 0 0 0 rg {_rectangle(target.place)} re f Q".encode()
    return _rewritten(target.content, lambda pdf: _paint(pdf, black))


def picture_patch(target: Target) -> bytes:
    """A small picture with the new word is put over the old one."""

    def edit(pdf: pikepdf.Pdf) -> None:
        x0, y0, x1, y1 = _around(target.place)
        width, height = x1 - x0, y1 - y0
        patch = Image.new("RGB", (int(width * 4), int(height * 4)), "white")
        pen = ImageDraw.Draw(patch)
        pen.text((6, 4), target.new, fill="black", font=_font(44))
        _name(pdf, "/XObject", "/Patch", _picture(pdf, patch))
        place = f"{width:.2f} 0 0 {height:.2f} {x0:.2f} {y0:.2f}"
        _paint(pdf, f"q {place} cm /Patch Do Q".encode())

    return _rewritten(target.content, edit)


def text_box(target: Target) -> bytes:
    """A white text box of a PDF reader over the word. It lies above the page."""

    def edit(pdf: pikepdf.Pdf) -> None:
        x0, y0, x1, y1 = _around(target.place)
        font = pikepdf.Dictionary(
            Type=pikepdf.Name.Font,
            Subtype=pikepdf.Name.Type1,
            BaseFont=pikepdf.Name.Helvetica,
        )
        stream = (
            f"1 1 1 rg 0 0 {x1 - x0:.2f} {y1 - y0:.2f} re f "
            f"BT 0 g /F 12 Tf 2 4 Td ({target.new}) Tj ET"
        )
        look = pdf.make_stream(stream.encode())
        look.Type, look.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
        look.BBox = pikepdf.Array([0, 0, x1 - x0, y1 - y0])
        look.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        box = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.FreeText,
            F=4,
            Rect=pikepdf.Array([x0, y0, x1, y1]),
            Contents=pikepdf.String(target.new),
            DA=pikepdf.String("/Helv 12 Tf"),
            AP=pikepdf.Dictionary(N=look),
        )
        pdf.pages[0].obj.Annots = pikepdf.Array([pdf.make_indirect(box)])

    return _rewritten(target.content, edit)


def settext_resaved(target: Target) -> bytes:
    """The text object is changed and the file saved with PDFium, which browsers embed."""
    with (
        closing(pdfium.PdfDocument(target.content)) as document,
        closing(document[0]) as page,
    ):
        with closing(page.get_textpage()) as textpage:
            for thing in page.get_objects(max_depth=1):
                if (
                    thing.type == c.FPDF_PAGEOBJ_TEXT
                    and _text_of(thing, textpage) == target.old
                ):
                    packed = ctypes.create_string_buffer(
                        (target.new + "\0").encode("utf-16-le")
                    )
                    wide = ctypes.cast(packed, ctypes.POINTER(c.FPDF_WCHAR))
                    c.FPDFText_SetText(thing.raw, wide)
        page.gen_content()
        out = io.BytesIO()
        document.save(out)
    # PDFium gives every saved file another id.
    return NEW_ID.sub(rb"/ID[<\1><\1>]", out.getvalue())


def redrawn(target: Target) -> bytes:
    """The page as a picture with the new word painted in, without text and without a record of its
    origin.
    """
    out = io.BytesIO()
    _painted(target).save(out, "PDF", resolution=200)
    with pikepdf.open(out) as pdf:
        del pdf.trailer["/Info"]
        saved = io.BytesIO()
        pdf.save(saved, deterministic_id=True)
    return saved.getvalue()


def as_pictures(
    content: bytes, *, resolution: int = 200, quality: int = 85, keep_record: bool
) -> bytes:
    """Return every page as a picture, with or without the record of its origin. Signatures are
    lost.

    A `quality` of 0 means lossless pictures.
    """
    with closing(pdfium.PdfDocument(content)) as document, pikepdf.new() as pdf:
        for page in document:
            width, height = page.get_size()
            picture = page.render(scale=resolution / 72).to_pil().convert("RGB")
            page.close()
            sheet = pdf.add_blank_page(page_size=(width, height))
            sheet.obj.Resources = pikepdf.Dictionary(
                XObject=pikepdf.Dictionary(Page=_picture(pdf, picture, quality))
            )
            place = f"q {width} 0 0 {height} 0 0 cm /Page Do Q"
            sheet.Contents = pdf.make_stream(place.encode())
        if keep_record:
            _copy_record(content, pdf)
        saved = io.BytesIO()
        pdf.save(saved, fix_metadata_version=False, deterministic_id=True)
    return saved.getvalue()


def _picture(
    pdf: pikepdf.Pdf, picture: Image.Image, quality: int = 90
) -> pikepdf.Stream:
    if quality:
        data = io.BytesIO()
        picture.save(data, "JPEG", quality=quality)
        stream = pdf.make_stream(data.getvalue(), Filter=pikepdf.Name.DCTDecode)
    else:
        stream = pdf.make_stream(picture.tobytes())
    stream.Type = pikepdf.Name.XObject
    stream.Subtype = pikepdf.Name.Image
    stream.Width = picture.width
    stream.Height = picture.height
    stream.ColorSpace = pikepdf.Name.DeviceRGB
    stream.BitsPerComponent = 8
    return stream


def _copy_record(content: bytes, pdf: pikepdf.Pdf) -> None:
    """Copy the Info dictionary and the XMP metadata of another file."""
    with pikepdf.open(io.BytesIO(content)) as source:
        for key, value in source.docinfo.items():
            pdf.docinfo[key] = pikepdf.String(str(value))
        if "/Metadata" in source.Root:
            record = source.Root.Metadata.read_bytes()
            pdf.Root.Metadata = pdf.make_stream(
                record, Type=pikepdf.Name.Metadata, Subtype=pikepdf.Name.XML
            )


def picture_over_text(target: Target) -> bytes:
    """The page as a picture with the new word, and the old text left behind it."""

    def edit(pdf: pikepdf.Pdf) -> None:
        _, _, width, height = (float(edge) for edge in pdf.pages[0].mediabox)
        _name(pdf, "/XObject", "/Painted", _picture(pdf, _painted(target)))
        _paint(pdf, f"q {width} 0 0 {height} 0 0 cm /Painted Do Q".encode())

    return _rewritten(target.content, edit)


def cut_out(target: Target) -> bytes:
    """A clip leaves the word out of the page, and the new word is written there."""

    def edit(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        left, bottom, right, top = (float(edge) for edge in page.mediabox)
        whole = f"{left} {bottom} {right - left} {top - bottom} re"
        clip = f"q {whole} {_rectangle(target.place)} re W* n\n".encode()
        page.contents_add(pikepdf.Stream(pdf, clip), prepend=True)
        page.contents_add(pikepdf.Stream(pdf, b"\nQ"))
        _draw(pdf, target, cover=b"", size=_size_of(target))

    return _rewritten(target.content, edit)


def typed_over_scan(target: Target) -> bytes:
    """A scan of the page, and on it a patch in the colour of paper with the new word."""
    scanned = as_pictures(target.content, keep_record=False)

    def edit(pdf: pikepdf.Pdf) -> None:
        patch = f"1 g {_rectangle(target.place)} re f"
        _draw(pdf, target, cover=patch.encode(), size=_size_of(target))

    return _rewritten(scanned, edit)


def _size_of(target: Target) -> float:
    """Return the size in which the new word does not run over the next one."""
    x0, _, x1, _ = target.place
    width: float = stringWidth(target.new, "Times-Bold", 1)
    return min((x1 - x0) / width, 14.0)


def metadata_stripped(target: Target) -> bytes:
    """The record of the origin is removed, and nothing else is changed."""

    def edit(pdf: pikepdf.Pdf) -> None:
        del pdf.trailer["/Info"]

    return _rewritten(target.content, edit)


WAYS: dict[str, tuple[Callable[[Target], bytes], str]] = {
    "overlay_appended": (overlay_appended, "revision_text_changed"),
    "retyped_appended": (retyped_appended, "revision_text_changed"),
    "overlay_rewritten": (overlay_rewritten, "text_covered"),
    "shape_rewritten": (shape_rewritten, "text_covered"),
    "picture_patch": (picture_patch, "text_under_image"),
    "text_box": (text_box, "annotation_overlay"),
    "online_editor": (online_editor, "editing_tool"),
    "picture_over_text": (picture_over_text, "hidden_layer_mismatch"),
    "blacked_out": (blacked_out, "text_blacked_out"),
    "settext_resaved": (settext_resaved, "writer_rewritten"),
    "retyped_rewritten": (retyped_rewritten, "writer_rewritten"),
    "redrawn": (redrawn, "image_only_document"),
    "metadata_stripped": (metadata_stripped, "metadata_missing"),
}


def _rewritten(content: bytes, edit: Callable[[pikepdf.Pdf], None]) -> bytes:
    out = io.BytesIO()
    with pikepdf.open(io.BytesIO(content)) as pdf:
        edit(pdf)
        pdf.save(out, fix_metadata_version=False, deterministic_id=True)
    return out.getvalue()


def _retyped(pdf: pikepdf.Pdf, target: Target) -> bytes:
    """Return the content of the first page with the word replaced in its text operator."""
    instructions = []
    for entry in pikepdf.parse_content_stream(pdf.pages[0]):
        operands = list(entry.operands)
        if str(entry.operator) == "Tj" and str(operands[0]) == target.old:
            operands = [pikepdf.String(target.new)]
        instructions.append((operands, entry.operator))
    return pikepdf.unparse_content_stream(instructions)


def _draw(pdf: pikepdf.Pdf, target: Target, cover: bytes, *, size: float = 14) -> None:
    """Draw the cover, and the new word on it in a font that the file does not contain."""
    font = pikepdf.Dictionary(
        Type=pikepdf.Name.Font,
        Subtype=pikepdf.Name.Type1,
        BaseFont=pikepdf.Name("/Times-Bold"),
    )
    _name(pdf, "/Font", "/Typed", font)
    x0, y0, _, _ = target.place
    word = f"BT 0 0 0 rg /Typed {size:.2f} Tf {x0:.2f} {y0:.2f} Td ({target.new}) Tj ET".encode()
    _paint(pdf, b"q " + cover + b" Q q " + word + b" Q")


def _name(pdf: pikepdf.Pdf, kind: str, name: str, thing: pikepdf.Object) -> None:
    """Add an object to the resources of the first page under a name."""
    resources = pdf.pages[0].obj.Resources
    if kind not in resources:
        resources[kind] = pikepdf.Dictionary()
    resources[kind][name] = pdf.make_indirect(thing)


def _paint(pdf: pikepdf.Pdf, stream: bytes) -> None:
    pdf.pages[0].contents_add(pikepdf.Stream(pdf, b"q\n"), prepend=True)
    pdf.pages[0].contents_add(pikepdf.Stream(pdf, b"\nQ\n" + stream))


def _around(place: Rectangle) -> Rectangle:
    x0, y0, x1, y1 = place
    return x0 - 1, y0 - 2, x1 + 1, y1 + 2


def _rectangle(place: Rectangle) -> str:
    x0, y0, x1, y1 = _around(place)
    return f"{x0:.2f} {y0:.2f} {x1 - x0:.2f} {y1 - y0:.2f}"


def _text_of(thing: pdfium.PdfObject, textpage: pdfium.PdfTextPage) -> str:
    size = c.FPDFTextObj_GetText(thing.raw, textpage, None, 0)
    packed = ctypes.create_string_buffer(max(size, 2))
    wide = ctypes.cast(packed, ctypes.POINTER(c.FPDF_WCHAR))
    c.FPDFTextObj_GetText(thing.raw, textpage, wide, size)
    return packed.raw[: max(size - 2, 0)].decode("utf-16-le", "replace")


def _painted(target: Target) -> Image.Image:
    """Return the first page as a picture with the new word painted over the old one."""
    with (
        closing(pdfium.PdfDocument(target.content)) as document,
        closing(document[0]) as page,
    ):
        picture: Image.Image = page.render(scale=SCALE).to_pil().convert("RGB").copy()
        height = page.get_height()
    x0, y0, x1, y1 = _around(target.place)
    # A picture is measured from its top, and a page from its bottom.
    left, right = x0 * SCALE, x1 * SCALE
    top = height * SCALE - y1 * SCALE
    bottom = height * SCALE - y0 * SCALE
    pen = ImageDraw.Draw(picture)
    pen.rectangle((left, top, right, bottom), fill="white")
    font = _fitting(target.new, width=right - left - 2 * SCALE)
    place = (left + SCALE, bottom - 2 * SCALE)
    pen.text(place, target.new, fill="black", font=font, anchor="ls")
    return picture


def _fitting(
    word: str, *, width: float
) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font in which a word is as wide as the one it replaces, as a forger chooses it."""
    width_at_36 = max(_font(36).getlength(word), 1)
    size = round(36 * width / width_at_36)
    return _font(max(size, 8))


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)
