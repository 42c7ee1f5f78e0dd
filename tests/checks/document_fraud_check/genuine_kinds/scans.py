"""Genuine pages that were scanned: pictures of a page, with or without a layer of OCR."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from collections.abc import Callable

import pikepdf
from PIL import Image, ImageFilter

from tests.checks.document_fraud_check.editing import (
    DIGITS,
    Kind,
    appended,
    drawn,
    font,
    image,
    name,
    picture_of,
    place_of_word,
    plain,
    rewritten,
    words_of,
)

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
    rows = [f"BT {mode} Tr 0 g".encode()]
    for word in words_of(content):
        x0, y0, _, y1 = place_of_word(content, word)
        text = read(word.text).replace("\\", "").replace("(", r"\(").replace(")", r"\)")
        size = max(y1 - y0, 5)
        line = f"/Typed {size:.1f} Tf 1 0 0 1 {x0:.2f} {y0:.2f} Tm ({text}) Tj"
        rows.append(line.encode("latin-1", "replace"))
    return b"\n".join([*rows, b"ET\n"])


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
        painted.append(
            f"q {width:.3f} 0 0 {high:.3f} 0 {low:.3f} cm /Im{index} Do Q".encode()
        )
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
    swapped = {
        "1": "l",
        "0": "O",
        "5": "S",
        "e": "c",
        "m": "rn",
        ",": ".",
        "8": "B",
        "9": "g",
    }
    return "".join(
        swapped.get(char, char) if index % 2 else char
        for index, char in enumerate(text)
    )


def ocr_layer(content: bytes) -> bytes:
    return scanned(content, layer(content))


def ocr_layer_under(content: bytes) -> bytes:
    return scanned(content, layer(content, mode=0), over=False)


def ocr_layer_under_misread(content: bytes) -> bytes:
    return scanned(
        content, layer(content, mode=0, read=misread_number(content)), over=False
    )


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
    base = scanned(
        content, layer(content), picture=page.filter(ImageFilter.GaussianBlur(6))
    )

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
