"""Genuine documents of many kinds: what issuers, owners, scanners and offices do to a file.

Each kind takes a file of one page with words and gives a file in which no fact was altered.
"""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Callable
from typing import Any

import pikepdf
from PIL import Image, ImageDraw, ImageFilter

from checks.samples.signing import sign
from tests.checks.document_tools import (
    DIGITS,
    Edit,
    appended,
    box,
    drawn,
    face,
    font,
    free_place,
    image,
    name,
    picture_of,
    place_of_word,
    plain,
    rewritten,
    words,
    words_of,
)

Kind = Callable[[bytes], bytes]

MISREAD = str.maketrans("0135689", "8786536")


def scan_of(content: bytes, *, angle: float = 0.4, noise: float = 0.05) -> Image.Image:
    """The page as a scanner sees it: soft, grainy, a little askew."""
    paper = (250, 249, 245)
    page = picture_of(content).rotate(angle, Image.Resampling.BICUBIC, fillcolor=paper)
    grain = random.Random(len(content)).randbytes(page.width * page.height)  # noqa: S311
    return Image.blend(
        page.filter(ImageFilter.GaussianBlur(0.6)),
        Image.frombytes("L", page.size, grain).convert("RGB"),
        noise,
    )


def layer(content: bytes, *, read: Callable[[str], str] = str, mode: int = 3) -> bytes:
    """The words of a page as OCR writes them behind a picture."""
    written = [f"BT {mode} Tr 0 g".encode()]
    for word in words_of(content):
        x0, y0, _, y1 = place_of_word(content, word)
        text = read(word.text).replace("\\", "").replace("(", r"\(").replace(")", r"\)")
        size = max(y1 - y0, 5)
        told = f"/Typed {size:.1f} Tf 1 0 0 1 {x0:.2f} {y0:.2f} Tm ({text}) Tj"
        written.append(told.encode("latin-1", "replace"))
    return b"\n".join([*written, b"ET\n"])


def scanned(
    content: bytes,
    text: bytes = b"",
    *,
    over: bool = True,
    strips: int = 1,
    picture: Image.Image | None = None,
) -> bytes:
    """A page that is a picture (or strips of one), with a layer of text over or under it."""
    page = picture or scan_of(content)
    width, height = (side * 72 / 150 for side in page.size)
    pdf = pikepdf.new()
    pdf.add_blank_page(page_size=(width, height))
    name(pdf, "/Font", "/Typed", font())
    painted = []
    for index in range(strips):
        top, bottom = (page.height * (index + step) // strips for step in (0, 1))
        strip = page.crop((0, top, page.width, bottom))
        name(pdf, "/XObject", f"/Im{index}", image(pdf, strip))
        high, low = (strip.height * 72 / 150, height - bottom * 72 / 150)
        painted.append(f"q {width:.3f} 0 0 {high:.3f} 0 {low:.3f} cm /Im{index} Do Q".encode())
    parts = [*painted, text] if over else [text, *painted]
    pdf.pages[0].obj.Contents = pdf.make_stream(b"\n".join(parts))
    pdf.docinfo["/Producer"] = "Document scanner 4.1"
    out = io.BytesIO()
    pdf.save(out)
    return plain(out.getvalue())


def misread_number(content: bytes, *, count: int = 1) -> Callable[[str], str]:
    """A reading in which a digit of the first numbers is another one, as OCR mistakes it."""
    left = [count]

    def read(text: str) -> str:
        if left[0] and DIGITS.search(text) and text.translate(MISREAD) != text:
            left[0] -= 1
            at = next(i for i, c in enumerate(text) if c.translate(MISREAD) != c)
            return text[:at] + text[at].translate(MISREAD) + text[at + 1 :]
        return text

    return read


def poorly_read(text: str) -> str:
    """As an old program reads a faint deed: letters for digits, and letters for letters."""
    swapped = {"1": "l", "0": "O", "5": "S", "e": "c", "m": "rn", ",": ".", "8": "B", "9": "g"}
    return "".join(
        swapped.get(char, char) if index % 2 else char for index, char in enumerate(text)
    )


def ocr_layer(content: bytes) -> bytes:
    return scanned(content, layer(content))


def ocr_layer_under(content: bytes) -> bytes:
    return scanned(content, layer(content, mode=0), over=False)


def ocr_layer_under_misread(content: bytes) -> bytes:
    return scanned(content, layer(content, mode=0, read=misread_number(content)), over=False)


def ocr_layer_misread(content: bytes) -> bytes:
    return scanned(content, layer(content, read=misread_number(content)))


def ocr_layer_poor(content: bytes) -> bytes:
    return scanned(content, layer(content, read=poorly_read))


def ocr_layer_twice(content: bytes) -> bytes:
    return scanned(content, layer(content, read=poorly_read) + layer(content))


def ocr_layer_added(content: bytes) -> bytes:
    return appended(scanned(content), drawn(layer(content)))


def ocr_layer_redone(content: bytes) -> bytes:
    first = scanned(content, layer(content, read=poorly_read))

    def redo(pdf: pikepdf.Pdf) -> None:
        new = b"\n".join([b"q 612 0 0 792 0 0 cm /Im0 Do Q", layer(content)])
        pdf.pages[0].obj.Contents = pdf.make_stream(new)

    return appended(first, redo)


def ocr_layer_under_strips(content: bytes) -> bytes:
    return scanned(content, layer(content, mode=0), over=False, strips=5)


def ocr_layer_under_strips_misread(content: bytes) -> bytes:
    text = layer(content, mode=0, read=poorly_read)
    return scanned(content, text, over=False, strips=4)


def scan_packed_apart(content: bytes) -> bytes:
    """Paper and print in pictures of their own, as compact scans are."""
    page = scan_of(content)
    base = scanned(content, layer(content), picture=page.filter(ImageFilter.GaussianBlur(6)))

    def print_over(pdf: pikepdf.Pdf) -> None:
        ink = page.convert("L").point(lambda v: 255 if v < 140 else 0)
        third = ink.height // 3
        painted = []
        for index in range(3):
            part = ink.crop((0, third * index, ink.width, third * (index + 1)))
            picture = image(pdf, Image.new("RGB", part.size, (20, 20, 20)))
            picture.SMask = image(pdf, part, quality=95)
            name(pdf, "/XObject", f"/Print{index}", picture)
            y = 792 - third * (index + 1) * 72 / 150
            painted.append(
                f"q 612 0 0 {third * 72 / 150:.3f} 0 {y:.3f} cm /Print{index} Do Q".encode()
            )
        drawn(b"\n".join(painted))(pdf)

    return rewritten(base, print_over)


def turned(angle: int, *, append: bool) -> Kind:
    def kind(content: bytes) -> bytes:
        def turn(pdf: pikepdf.Pdf) -> None:
            pdf.pages[0].obj.Rotate = angle

        return appended(content, turn) if append else rewritten(content, turn)

    return kind


def scan_turned(content: bytes) -> bytes:
    return turned(180, append=True)(ocr_layer(content))


def scan_straightened(content: bytes) -> bytes:
    """The picture of the page replaced by a straightened one, as archives do it."""

    def straighten(pdf: pikepdf.Pdf) -> None:
        own = pdf.pages[0].obj.Resources.XObject.Im0
        new = image(pdf, scan_of(content, angle=0.0), quality=70)
        own.write(new.read_raw_bytes(), filter=pikepdf.Name.DCTDecode)

    return appended(ocr_layer(content), straighten)


def scan_recompressed(content: bytes) -> bytes:
    def shrink(pdf: pikepdf.Pdf) -> None:
        own = pdf.pages[0].obj.Resources.XObject.Im0
        small = image(pdf, scan_of(content), quality=25)
        own.write(small.read_raw_bytes(), filter=pikepdf.Name.DCTDecode)

    return appended(ocr_layer(content), shrink)


def cropped(content: bytes) -> bytes:
    def crop(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.CropBox = pikepdf.Array([12, 12, 600, 780])

    return appended(content, crop)


def linearised(content: bytes) -> bytes:
    return rewritten(content, lambda _: None, linearize=True)


def optimised(content: bytes) -> bytes:
    def name_it(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/Producer"] = "3-Heights(TM) PDF Optimization Shell 4.8"

    mode = pikepdf.ObjectStreamMode.generate
    return rewritten(content, name_it, object_stream_mode=mode, recompress_flate=True)


def page_put_in(content: bytes) -> bytes:
    """A cover sheet before the page, saved by appending."""

    def put_in(pdf: pikepdf.Pdf) -> None:
        pdf.add_blank_page(page_size=(612, 792))
        name(pdf, "/Font", "/Typed", font(), page=1)
        sheet = words("Fax to: compliance department. Pages: 2", 80, 700)
        pdf.pages[1].obj.Contents = pdf.make_stream(sheet)
        kids = pdf.Root.Pages.Kids
        pdf.Root.Pages.Kids = pikepdf.Array([kids[1], kids[0]])

    return appended(content, put_in)


def page_taken_out(content: bytes) -> bytes:
    """The first page, a cover sheet, taken out and saved by appending."""

    def take_out(pdf: pikepdf.Pdf) -> None:
        pdf.Root.Pages.Kids = pikepdf.Array([pdf.Root.Pages.Kids[1]])
        pdf.Root.Pages.Count = 1

    return appended(page_put_in(content), take_out)


def with_owner_password(content: bytes) -> bytes:
    lock = pikepdf.Encryption(owner="owner", user="", R=6)
    return rewritten(content, lambda _: None, encryption=lock)


def merged(content: bytes) -> bytes:
    out = io.BytesIO()
    with pikepdf.new() as pdf:
        for part in (content, scanned(content), content):
            with pikepdf.open(io.BytesIO(part)) as other:
                pdf.pages.extend(other.pages)
        pdf.docinfo["/Producer"] = "PDF Merger"
        pdf.save(out)
    return out.getvalue()


def produced(producer: str, mark: bytes, creator: str = "") -> Kind:
    """Printed to a PDF by another program, with the mark that it writes in the second line."""

    def kind(content: bytes) -> bytes:
        def say(pdf: pikepdf.Pdf) -> None:
            pdf.docinfo["/Producer"] = producer
            if creator:
                pdf.docinfo["/Creator"] = creator

        saved = plain(rewritten(content, say))
        head, _, rest = saved.partition(b"\n")
        old, _, body = rest.partition(b"\n")
        # As long as the mark that qpdf writes, so that the table of objects still holds.
        return head + b"\n%" + mark[: len(old) - 1].ljust(len(old) - 1, b" ") + b"\n" + body

    return kind


def archived(content: bytes) -> bytes:
    """As PDF/A: with XMP, and a profile of colours."""

    def archive(pdf: pikepdf.Pdf) -> None:
        with pdf.open_metadata(set_pikepdf_as_editor=False) as record:
            record["pdfaid:part"] = "2"
            record["pdfaid:conformance"] = "B"
            record["xmp:CreatorTool"] = str(pdf.docinfo.get("/Creator", ""))
            record["pdf:Producer"] = str(pdf.docinfo.get("/Producer", ""))

    return rewritten(content, archive)


def dated(created: str, modified: str) -> Kind:
    def kind(content: bytes) -> bytes:
        def date(pdf: pikepdf.Pdf) -> None:
            pdf.docinfo["/CreationDate"], pdf.docinfo["/ModDate"] = created, modified

        return appended(content, date)

    return kind


def annotation(pdf: pikepdf.Pdf, kind: str, place: tuple[float, ...], **more: Any) -> None:
    own = pdf.pages[0].obj
    one = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), F=4,
        Rect=pikepdf.Array([round(edge, 2) for edge in place]), **more,
    )  # fmt: skip
    notes = list(own.get("/Annots", []))
    own.Annots = pikepdf.Array([*notes, pdf.make_indirect(one)])


def look(pdf: pikepdf.Pdf, stream: bytes, width: float, height: float) -> pikepdf.Stream:
    drawing = pdf.make_stream(stream)
    drawing.Type, drawing.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    drawing.BBox = pikepdf.Array([0, 0, width, height])
    drawing.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Typed=font()))
    return drawing


def with_note(content: bytes) -> bytes:
    """A reader's note, whose sign stands on a word."""
    x0, y0, _, _ = place_of_word(content, words_of(content)[5])

    def note(pdf: pikepdf.Pdf) -> None:
        sign_of_note = look(pdf, b"1 0.9 0.2 rg 0 0 20 20 re f 0 g 4 12 12 2 re f", 20, 20)
        annotation(
            pdf, "Text", (x0, y0, x0 + 20, y0 + 20), Contents=pikepdf.String("Please check."),
            AP=pikepdf.Dictionary(N=sign_of_note),
        )  # fmt: skip

    return appended(content, note)


def with_highlight(content: bytes) -> bytes:
    number = next(w for w in words_of(content) if DIGITS.search(w.text))
    x0, y0, x1, y1 = place_of_word(content, number)

    def mark(pdf: pikepdf.Pdf) -> None:
        annotation(
            pdf, "Highlight", (x0, y0, x1, y1), C=pikepdf.Array([1, 1, 0]),
            QuadPoints=pikepdf.Array([x0, y1, x1, y1, x0, y0, x1, y0]),
        )  # fmt: skip

    return appended(content, mark)


def with_highlight_drawn(content: bytes) -> bytes:
    """A highlighter that was made a part of the page: it multiplies, and the word stays legible."""
    number = next(w for w in words_of(content) if DIGITS.search(w.text))

    def mark(pdf: pikepdf.Pdf) -> None:
        name(pdf, "/ExtGState", "/Multiply", pikepdf.Dictionary(BM=pikepdf.Name.Multiply))
        drawn(b"/Multiply gs " + box(place_of_word(content, number), colour="1 1 0"))(pdf)

    return rewritten(content, mark)


def with_stamp(content: bytes) -> bytes:
    """An office's stamp as an annotation, on a ground of its own, over words of the page."""
    x0, y0, _, _ = place_of_word(content, words_of(content)[8])

    def stamp(pdf: pikepdf.Pdf) -> None:
        drawing = (
            b"0.96 0.9 0.9 rg 0 0 150 40 re f 0.8 0 0 RG 2 w 3 3 144 34 re S 0.8 0 0 rg "
            b"BT /Typed 16 Tf 20 14 Td (RECEIVED) Tj ET"
        )
        annotation(
            pdf, "Stamp", (x0, y0 - 10, x0 + 150, y0 + 30),
            AP=pikepdf.Dictionary(N=look(pdf, drawing, 150, 40)),
        )  # fmt: skip

    return appended(content, stamp)


def with_remark(content: bytes) -> bytes:
    """A text box of a reader beside the words."""

    def remark(pdf: pikepdf.Pdf) -> None:
        drawing = b"1 1 0.8 rg 0 0 120 20 re f BT 0 g /Typed 10 Tf 4 6 Td (Client copy) Tj ET"
        annotation(
            pdf, "FreeText", (20, 760, 140, 780), Contents=pikepdf.String("Client copy"),
            DA=pikepdf.String("/Helv 10 Tf"), AP=pikepdf.Dictionary(N=look(pdf, drawing, 120, 20)),
        )  # fmt: skip

    return appended(content, remark)


def filed(content: bytes) -> bytes:
    """The stamp of an office for electronic filing, put on the head of the page."""
    said = words(
        "FILED  03/14/2024 10:22 AM  Clerk of the Register  No. 2024-1183", 250, 778, size=8
    )
    return appended(content, drawn(said))


def numbered(content: bytes) -> bytes:
    """A Bates number and the number of the page, put on the foot."""
    said = words("ACME000123", 520, 14, size=8) + words("Page 1 of 12", 280, 14, size=8)
    return appended(content, drawn(said))


def renumbered(content: bytes) -> bytes:
    """The number of the page painted out and written anew, as where files were merged."""
    first = rewritten(content, drawn(words("Page 1 of 1", 285, 16, size=8)))
    return rewritten(first, drawn(box((280, 14, 340, 24)) + words("Page 3 of 12", 285, 16, size=8)))


def watermarked(content: bytes) -> bytes:
    def mark(pdf: pikepdf.Pdf) -> None:
        name(pdf, "/ExtGState", "/Thin", pikepdf.Dictionary(ca=0.15))
        said = b"/Thin gs BT /Typed 70 Tf 0.7 0.7 -0.7 0.7 120 200 Tm (CERTIFIED COPY) Tj ET"
        drawn(said)(pdf)

    return rewritten(content, mark)


def redacted(content: bytes) -> bytes:
    number = next(w for w in words_of(content) if DIGITS.search(w.text))
    return rewritten(content, drawn(box(place_of_word(content, number), colour="0 0 0")))


def with_bar_code(content: bytes) -> bytes:
    """A bar code of a mail room, on white paper in a corner."""

    def code(pdf: pikepdf.Pdf) -> None:
        picture = Image.new("L", (300, 60), 255)
        pen = ImageDraw.Draw(picture)
        for x in range(10, 290, 7):
            pen.line((x, 5, x, 55), fill=0, width=2 + x % 3)
        name(pdf, "/XObject", "/Bars", image(pdf, picture))
        drawn(b"q 110 0 0 22 20 765 cm /Bars Do Q")(pdf)

    return appended(content, code)


def stamped_over_placeholder(content: bytes) -> bytes:
    """An issuer's stamp, on white ground, over the words of the template that say where."""
    x, y = free_place(content, 124, 70)
    hint = words("(place seal here)", x + 20, y + 30, size=9)
    return rewritten(rewritten(content, drawn(hint)), _stamp(x + 2, y + 2))


def stamp_appended_over_placeholder(content: bytes) -> bytes:
    x, y = free_place(content, 124, 70)
    base = plain(rewritten(content, drawn(words("Official stamp", x + 20, y + 30, size=9))))
    return appended(base, _stamp(x + 2, y + 2))


def _stamp(x: float, y: float) -> Edit:
    def stamp(pdf: pikepdf.Pdf) -> None:
        picture = Image.new("RGB", (400, 220), "white")
        pen = ImageDraw.Draw(picture)
        pen.ellipse((10, 10, 390, 210), outline=(30, 40, 150), width=8)
        pen.ellipse((50, 45, 350, 175), outline=(30, 40, 150), width=4)
        pen.text((110, 85), "REGISTRAR", fill=(30, 40, 150), font=face(36))
        name(pdf, "/XObject", "/Stamp", image(pdf, picture))
        drawn(f"q 120 0 0 66 {x} {y} cm /Stamp Do Q".encode())(pdf)

    return stamp


def filled_template(placeholder: str, value: str) -> Kind:
    """A template whose placeholder was painted out in white, and the value printed there."""

    def kind(content: bytes) -> bytes:
        x, y = free_place(content, 150, 20)
        base = rewritten(content, drawn(words(placeholder, x, y + 5, size=9)))
        over = box((x - 1, y + 4, x + 145, y + 12)) + words(value, x, y + 5, size=9)
        return rewritten(base, drawn(over))

    return kind


def relabelled(content: bytes) -> bytes:
    """A label that the issuer itself changed: the office has another name now."""
    x, y = free_place(content, 120, 20)
    base = rewritten(content, drawn(words("Registered by:", x, y + 5, size=9)))
    over = box((x - 1, y + 3, x + 80, y + 13)) + words("Recorded by:", x, y + 5, size=9)
    return rewritten(base, drawn(over))


def blanked_label(content: bytes) -> bytes:
    """A label of the form that is not used, painted out."""
    x, y = free_place(content, 120, 20)
    base = rewritten(content, drawn(words("Signature of applicant:", x, y + 5, size=9)))
    return rewritten(base, drawn(box((x - 1, y + 3, x + 115, y + 13))))


def printed_twice(content: bytes) -> bytes:
    """A word painted out and printed again, the same: the program wanted it sharper."""
    number = next(w for w in words_of(content) if DIGITS.search(w.text))
    place = place_of_word(content, number)
    over = box(place) + words(number.text, place[0], place[1], size=place[3] - place[1] + 1)
    return rewritten(content, drawn(over))


def form_filled(content: bytes) -> bytes:
    """A form that the issuer filled in."""
    place = free_place(content, 300, 20)

    def fill(pdf: pikepdf.Pdf) -> None:
        _form(pdf, place, "2024-00417", "Approved")

    return appended(plain(rewritten(content, lambda pdf: _form(pdf, place, "", ""))), fill)


def form_flattened(content: bytes) -> bytes:
    """Filled in, and made a part of the page."""
    x, y = free_place(content, 300, 20)

    def flatten(pdf: pikepdf.Pdf) -> None:
        del pdf.Root.AcroForm
        del pdf.pages[0].obj.Annots
        first, second = words("2024-00417", x + 2, y + 4, size=9), words("Approved", x + 142, y + 4)
        drawn(first + second)(pdf)

    return appended(form_filled(content), flatten)


def form_over_dots(content: bytes) -> bytes:
    """A filled field on white ground over the dots of the form."""
    x, y = free_place(content, 300, 20)
    return form_filled(rewritten(content, drawn(words("." * 24, x + 2, y + 4, size=9))))


def _form(pdf: pikepdf.Pdf, place: tuple[float, float], *values: str) -> None:
    left, bottom = place
    pdf.pages[0].obj.Annots = pikepdf.Array()
    for index, value in enumerate(values):
        x = left + 140 * index
        drawing = b"1 1 1 rg 0 0 120 14 re f 0 g " + words(value, 2, 2, size=9)
        annotation(
            pdf, "Widget", (x, bottom, x + 120, bottom + 14), FT=pikepdf.Name.Tx, T=pikepdf.String(f"f{index}"),
            V=pikepdf.String(value), DA=pikepdf.String("/Typed 9 Tf 0 g"),
            AP=pikepdf.Dictionary(N=look(pdf, drawing, 120, 14)),
        )  # fmt: skip
    pdf.Root.AcroForm = pikepdf.Dictionary(
        Fields=pikepdf.Array(list(pdf.pages[0].obj.Annots)),
        DR=pikepdf.Dictionary(Font=pikepdf.Dictionary(Typed=font())),
    )


def signed(content: bytes) -> bytes:
    return sign(plain(content), signer="Register of Companies", seed=11)


def corrected_then_signed(content: bytes) -> bytes:
    """The issuer corrected a number, saved, and signed the whole."""
    old = next(w.text for w in words_of(content) if DIGITS.search(w.text))
    digits = DIGITS.search(old)
    number = digits[0] if digits else ""

    def correct(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.contents_coalesce()
        data = page.obj.Contents.read_bytes()
        page.obj.Contents = pdf.make_stream(data.replace(number.encode(), number[::-1].encode(), 1))

    return signed_only(appended(plain(content), correct))


def redrawn_then_signed(content: bytes) -> bytes:
    """A ministry's own saving draws every page of its form anew, a little elsewhere, and signs."""

    def redraw(pdf: pikepdf.Pdf) -> None:
        drawn(b"")(pdf)
        pdf.pages[0].contents_add(pikepdf.Stream(pdf, b"1 0 0 1 0 -2.5 cm\n"), prepend=True)

    return signed_only(appended(plain(content), redraw))


def signed_only(content: bytes) -> bytes:
    return sign(content, signer="Register of Companies", seed=11)


def signed_by_two(content: bytes) -> bytes:
    return sign(signed(content), signer="Director", seed=12, field="Second")


def signed_then_turned(content: bytes) -> bytes:
    return turned(90, append=True)(signed(content))


def signed_then_filed(content: bytes) -> bytes:
    return filed(signed(content))


def signed_then_numbered(content: bytes) -> bytes:
    return numbered(signed(content))


def signed_then_faxed(content: bytes) -> bytes:
    return page_put_in(signed(content))


def signed_then_noted(content: bytes) -> bytes:
    return with_remark(signed(content))


def signed_then_optimised(content: bytes) -> bytes:
    return optimised(signed(content))


def signed_then_printed(content: bytes) -> bytes:
    return scanned(signed(content))


PDF_KINDS: dict[str, Kind] = {
    "scan": scanned,
    "ocr layer": ocr_layer,
    "ocr layer under the picture": ocr_layer_under,
    "ocr layer under, a digit misread": ocr_layer_under_misread,
    "ocr layer, a digit misread": ocr_layer_misread,
    "ocr layer, poor": ocr_layer_poor,
    "two ocr layers": ocr_layer_twice,
    "ocr layer added": ocr_layer_added,
    "ocr layer redone": ocr_layer_redone,
    "ocr layer under strips": ocr_layer_under_strips,
    "poor ocr layer under strips": ocr_layer_under_strips_misread,
    "scan packed apart": scan_packed_apart,
    "scan turned": scan_turned,
    "scan straightened": scan_straightened,
    "scan recompressed": scan_recompressed,
    "turned 90, appended": turned(90, append=True),
    "turned 180, appended": turned(180, append=True),
    "turned 270, rewritten": turned(270, append=False),
    "cropped": cropped,
    "linearised": linearised,
    "optimised": optimised,
    "page put in before": page_put_in,
    "page taken out": page_taken_out,
    "owner password": with_owner_password,
    "merged": merged,
    "Word": produced("Microsoft® Word 2019", b"\xb5\xb5\xb5\xb5", "Microsoft® Word 2019"),
    "LibreOffice": produced("LibreOffice 7.4", b"\xc3\xa4\xc3\xbc", "Writer"),
    "Chrome": produced("Skia/PDF m120", b"\xd3\xeb\xe9\xe1", "Mozilla/5.0"),
    "Ghostscript": produced("GPL Ghostscript 10.01", b"\xc7\xec\x8f\xa2"),
    "Quartz": produced("macOS Version 14.5 Quartz PDFContext", b"\xc4\xe5\xf2\xe5", "Preview"),
    "iText": produced("iText 7.1.9", b"\xe2\xe3\xcf\xd3"),
    "PDFCreator": produced("GPL Ghostscript 9.50", b"\xc7\xec\x8f\xa2", "PDFCreator 4.0"),
    "archived": archived,
    "dates equal": dated("D:20240102101500Z", "D:20240102101500Z"),
    "dates a second apart": dated("D:20240102101500Z", "D:20240102101501Z"),
    "dates of two zones": dated("D:20240102101500Z", "D:20240102114500+01'30'"),
    "note": with_note,
    "highlight": with_highlight,
    "highlight drawn": with_highlight_drawn,
    "stamp over words": with_stamp,
    "remark": with_remark,
    "filed": filed,
    "numbered": numbered,
    "renumbered": renumbered,
    "watermarked": watermarked,
    "redacted": redacted,
    "bar code": with_bar_code,
    "stamp over placeholder": stamped_over_placeholder,
    "stamp appended over placeholder": stamp_appended_over_placeholder,
    "template, braces": filled_template("{{company_name}}", "Northwind Traders"),
    "template, brackets": filled_template("[Name of company]", "Northwind Traders"),
    "template, capitals": filled_template("COMPANY NAME", "Northwind Traders"),
    "template, crosses": filled_template("XXXXXXXXXXXX", "Order 4471-22"),
    "template, rule": filled_template("____________________", "Order 4471-22"),
    "template, date": filled_template("DD/MM/YYYY", "14/03/2024"),
    "template, zeros": filled_template("0000000000", "4471220031"),
    "relabelled": relabelled,
    "label blanked": blanked_label,
    "printed twice": printed_twice,
    "form filled": form_filled,
    "form flattened": form_flattened,
    "form over dots": form_over_dots,
    "signed": signed,
    "corrected, then signed": corrected_then_signed,
    "redrawn, then signed": redrawn_then_signed,
    "signed by two": signed_by_two,
    "signed, then turned": signed_then_turned,
    "signed, then filed": signed_then_filed,
    "signed, then numbered": signed_then_numbered,
    "signed, then faxed": signed_then_faxed,
    "signed, then noted": signed_then_noted,
    "signed, then optimised": signed_then_optimised,
    "signed, then scanned": signed_then_printed,
}


def _saved(picture: Image.Image, kind: str, **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def photo(content: bytes) -> Image.Image:
    """Taken by hand: on a table, a little askew, with a shadow."""
    page = scan_of(content, angle=2.0).resize((1050, 1359))
    table = Image.new("RGB", (1300, 1600), (110, 92, 70))
    table.paste(page, (120, 110))
    shade = Image.linear_gradient("L").resize(table.size).point(lambda v: v // 4)
    return Image.composite(Image.new("RGB", table.size, (20, 20, 20)), table, shade)


def jpeg_turned_by_exif(content: bytes) -> bytes:
    exif = Image.Exif()
    exif[0x0112] = 6
    exif[0x010F], exif[0x0110] = "Apple", "iPhone 13"
    return _saved(photo(content).rotate(90, expand=True), "JPEG", quality=88, exif=exif)


def jpeg_saved_again(content: bytes) -> bytes:
    first = Image.open(io.BytesIO(_saved(photo(content), "JPEG", quality=90)))
    return _saved(first, "JPEG", quality=80)


def messenger(content: bytes) -> bytes:
    small = photo(content)
    small.thumbnail((1280, 1280))
    return _saved(small, "JPEG", quality=55, progressive=True)


def screenshot(content: bytes) -> bytes:
    page = picture_of(content, dpi=96)
    screen = Image.new("RGB", (page.width + 200, page.height + 90), (60, 63, 68))
    screen.paste(page, (100, 60))
    return _saved(screen, "PNG")


PICTURE_KINDS: dict[str, Kind] = {
    "photo": lambda content: _saved(photo(content), "JPEG", quality=92),
    "photo turned by its record": jpeg_turned_by_exif,
    "JPEG saved again": jpeg_saved_again,
    "messenger": messenger,
    "screenshot": screenshot,
    "screenshot as JPEG": lambda content: _saved(
        Image.open(io.BytesIO(screenshot(content))), "JPEG", quality=75
    ),
    "CMYK": lambda content: _saved(scan_of(content).convert("CMYK"), "JPEG", quality=80),
    "grey": lambda content: _saved(scan_of(content).convert("L"), "JPEG", quality=80),
    "TIFF": lambda content: _saved(scan_of(content).convert("1"), "TIFF", compression="group4"),
    "PNG scan": lambda content: _saved(scan_of(content), "PNG"),
}
