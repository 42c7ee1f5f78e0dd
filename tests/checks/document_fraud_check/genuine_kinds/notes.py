"""Genuine pages with something put on them: notes, stamps, numbers, labels of a form."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from typing import Any

import pikepdf
from PIL import Image, ImageDraw

from tests.checks.document_fraud_check.editing import (
    DIGITS,
    Edit,
    Kind,
    appended,
    box,
    drawn,
    face,
    font,
    free_place,
    image,
    name,
    place_of_word,
    plain,
    rewritten,
    words,
    words_of,
)


def annotation(
    pdf: pikepdf.Pdf, kind: str, place: tuple[float, ...], **more: Any
) -> None:
    own = pdf.pages[0].obj
    one = pikepdf.Dictionary(
        Type=pikepdf.Name.Annot, Subtype=pikepdf.Name(f"/{kind}"), F=4,
        Rect=pikepdf.Array([round(edge, 2) for edge in place]), **more,
    )  # fmt: skip
    notes = list(own.get("/Annots", []))
    own.Annots = pikepdf.Array([*notes, pdf.make_indirect(one)])


def look(
    pdf: pikepdf.Pdf, stream: bytes, width: float, height: float
) -> pikepdf.Stream:
    drawing = pdf.make_stream(stream)
    drawing.Type, drawing.Subtype = pikepdf.Name.XObject, pikepdf.Name.Form
    drawing.BBox = pikepdf.Array([0, 0, width, height])
    drawing.Resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(Typed=font()))
    return drawing


def with_note(content: bytes) -> bytes:
    """A reader's note, whose sign stands on a word."""
    x0, y0, _, _ = place_of_word(content, words_of(content)[5])

    def note(pdf: pikepdf.Pdf) -> None:
        sign_of_note = look(
            pdf, b"1 0.9 0.2 rg 0 0 20 20 re f 0 g 4 12 12 2 re f", 20, 20
        )
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
        name(
            pdf, "/ExtGState", "/Multiply", pikepdf.Dictionary(BM=pikepdf.Name.Multiply)
        )
        drawn(b"/Multiply gs " + box(place_of_word(content, number), colour="1 1 0"))(
            pdf
        )

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
        drawing = (
            b"1 1 0.8 rg 0 0 120 20 re f BT 0 g /Typed 10 Tf 4 6 Td (Client copy) Tj ET"
        )
        annotation(
            pdf, "FreeText", (20, 760, 140, 780), Contents=pikepdf.String("Client copy"),
            DA=pikepdf.String("/Helv 10 Tf"), AP=pikepdf.Dictionary(N=look(pdf, drawing, 120, 20)),
        )  # fmt: skip

    return appended(content, remark)


def filed(content: bytes) -> bytes:
    """The stamp of an office for electronic filing, put on the head of the page."""
    text = words(
        "FILED  03/14/2024 10:22 AM  Clerk of the Register  No. 2024-1183",
        250,
        778,
        size=8,
    )
    return appended(content, drawn(text))


def numbered(content: bytes) -> bytes:
    """A Bates number and the number of the page, put on the foot."""
    text = words("ACME000123", 520, 14, size=8) + words("Page 1 of 12", 280, 14, size=8)
    return appended(content, drawn(text))


def renumbered(content: bytes) -> bytes:
    """The number of the page painted out and written anew, as where files were merged."""
    first = rewritten(content, drawn(words("Page 1 of 1", 285, 16, size=8)))
    return rewritten(
        first, drawn(box((280, 14, 340, 24)) + words("Page 3 of 12", 285, 16, size=8))
    )


def watermarked(content: bytes) -> bytes:
    def mark(pdf: pikepdf.Pdf) -> None:
        name(pdf, "/ExtGState", "/Thin", pikepdf.Dictionary(ca=0.15))
        text = b"/Thin gs BT /Typed 70 Tf 0.7 0.7 -0.7 0.7 120 200 Tm (CERTIFIED COPY) Tj ET"
        drawn(text)(pdf)

    return rewritten(content, mark)


def redacted(content: bytes) -> bytes:
    number = next(w for w in words_of(content) if DIGITS.search(w.text))
    return rewritten(
        content, drawn(box(place_of_word(content, number), colour="0 0 0"))
    )


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
    base = plain(
        rewritten(content, drawn(words("Official stamp", x + 20, y + 30, size=9)))
    )
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
    over = box(place) + words(
        number.text, place[0], place[1], size=place[3] - place[1] + 1
    )
    return rewritten(content, drawn(over))
