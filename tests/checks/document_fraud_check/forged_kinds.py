"""Documents in which a fact was altered, in ways that leave a trace in the file.

Each kind takes a file of one page with words and gives it with a number, a date or a name changed.
"""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable

import pikepdf
from PIL import Image, ImageDraw

from checks.document_fraud_check.alterations import is_of_the_form
from checks.samples.signing import sign
from checks.text.words import Word
from tests.checks.document_fraud_check.editing import (
    DIGITS,
    Edit,
    appended,
    box,
    drawn,
    face,
    image,
    name,
    picture_of,
    place_of_word,
    plain,
    rewritten,
    words,
    words_of,
)
from tests.checks.document_fraud_check.genuine_kinds.notes import annotation, look
from tests.checks.document_fraud_check.genuine_kinds.scans import (
    layer,
    scan_of,
    scanned,
)
from tests.checks.document_fraud_check.genuine_kinds.signed import signed

Kind = Callable[[bytes], bytes]
OTHER = str.maketrans("0123456789", "4798215063")


def number_of(content: bytes) -> Word:
    """A number of the page that stands alone: a date, a file number, an amount."""
    return next(w for w in words_of(content) if DIGITS.fullmatch(w.text.strip(".,")))


def name_of(content: bytes) -> Word:
    """A word of the page that is no label: a part of a name or of a street."""
    return next(
        w
        for w in words_of(content)
        if w.text.isalpha()
        and w.text.istitle()
        and len(w.text) > 5
        and not is_of_the_form(w.text)
    )


def _typed(content: bytes, word: Word, new: str) -> bytes:
    x0, y0, x1, y1 = place_of_word(content, word)
    return box((x0, y0, x1, y1)) + words(new, x0, y0, size=max(y1 - y0, 7))


def over_number(content: bytes) -> Edit:
    word = number_of(content)
    return drawn(_typed(content, word, word.text.translate(OTHER)))


def box_rewritten(content: bytes) -> bytes:
    return rewritten(content, over_number(content))


def box_appended(content: bytes) -> bytes:
    return appended(plain(content), over_number(content))


def name_rewritten(content: bytes) -> bytes:
    return rewritten(content, drawn(_typed(content, name_of(content), "Zephyrine")))


def name_appended(content: bytes) -> bytes:
    return appended(
        plain(content), drawn(_typed(content, name_of(content), "Zephyrine"))
    )


def erased(content: bytes) -> bytes:
    return rewritten(content, drawn(box(place_of_word(content, number_of(content)))))


def retyped(content: bytes) -> bytes:
    """The number changed where it is written, saved by appending."""
    old = number_of(content).text.strip(".,")

    def edit(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        page.contents_coalesce()
        data = page.obj.Contents.read_bytes()
        if old.encode() not in data:
            raise LookupError("the number is not written in one piece")
        page.obj.Contents = pdf.make_stream(
            data.replace(old.encode(), old.translate(OTHER).encode(), 1)
        )

    return appended(plain(content), edit)


def retyped_and_turned(content: bytes) -> bytes:
    def turn(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.Rotate = 180

    return appended(retyped(content), turn)


def retyped_behind_a_cover_sheet(content: bytes) -> bytes:
    def put_in(pdf: pikepdf.Pdf) -> None:
        pdf.add_blank_page(page_size=(612, 792))
        kids = pdf.Root.Pages.Kids
        pdf.Root.Pages.Kids = pikepdf.Array([kids[1], kids[0]])

    return appended(retyped(content), put_in)


def patch_of(new: str, width: float, height: float) -> Image.Image:
    patch = Image.new("RGB", (round(width * 5), round(height * 5)), "white")
    ImageDraw.Draw(patch).text(
        (6, 2), new, fill="black", font=face(round(height * 3.6))
    )
    return patch


def patched(content: bytes, word: Word, new: str, *, append: bool = False) -> bytes:
    x0, y0, x1, y1 = place_of_word(content, word)
    x0, y0, x1, y1 = x0 - 1, y0 - 2, x1 + 1, y1 + 2

    def edit(pdf: pikepdf.Pdf) -> None:
        name(
            pdf,
            "/XObject",
            "/Patch",
            image(pdf, patch_of(new, x1 - x0, y1 - y0), quality=92),
        )
        drawn(
            f"q {x1 - x0:.2f} 0 0 {y1 - y0:.2f} {x0:.2f} {y0:.2f} cm /Patch Do Q".encode()
        )(pdf)

    return appended(plain(content), edit) if append else rewritten(content, edit)


def patch_rewritten(content: bytes) -> bytes:
    word = number_of(content)
    return patched(content, word, word.text.translate(OTHER))


def patch_appended(content: bytes) -> bytes:
    word = number_of(content)
    return patched(content, word, word.text.translate(OTHER), append=True)


def text_box(content: bytes) -> bytes:
    return _noted(content, "FreeText")


def stamp_as_patch(content: bytes) -> bytes:
    return _noted(content, "Stamp")


def _noted(content: bytes, kind: str) -> bytes:
    word = number_of(content)
    x0, y0, x1, y1 = place_of_word(content, word)
    new = word.text.translate(OTHER)
    wide, high = x1 - x0 + 2, y1 - y0 + 4

    def edit(pdf: pikepdf.Pdf) -> None:
        drawing = f"1 1 1 rg 0 0 {wide:.2f} {high:.2f} re f\n".encode()
        drawing += words(new, 1, 2, size=max(y1 - y0, 7))
        annotation(
            pdf, kind, (x0 - 1, y0 - 2, x1 + 1, y1 + 2),
            Contents=pikepdf.String(new if kind == "FreeText" else ""),
            DA=pikepdf.String("/Helv 10 Tf"),
            AP=pikepdf.Dictionary(N=look(pdf, drawing, wide, high)),
        )  # fmt: skip

    return rewritten(content, edit)


def painted(picture: Image.Image, content: bytes, word: Word, new: str) -> Image.Image:
    """A picture of the page with other words painted in, as an editor of pictures does it."""
    scale = 150 / 72
    x0, y0, x1, y1 = place_of_word(content, word)
    top, bottom = picture.height - (y1 + 2) * scale, picture.height - (y0 - 3) * scale
    pen = ImageDraw.Draw(picture)
    ground = picture.getpixel((max(int(x0 * scale) - 6, 0), int(top) - 4))
    pen.rectangle((x0 * scale - 3, top - 2, x1 * scale + 3, bottom + 2), fill=ground)
    size = 40
    while size > 8 and face(size).getlength(new) > (x1 - x0) * scale:
        size -= 1
    pen.text(
        (x0 * scale, bottom - 5), new, fill=(25, 25, 25), font=face(size), anchor="ls"
    )
    return picture


def scan_painted_over_its_layer(content: bytes) -> bytes:
    word = number_of(content)
    picture = painted(
        scan_of(content, angle=0), content, word, word.text.translate(OTHER)
    )
    return scanned(content, layer(content), picture=picture)


def picture_over_the_text(content: bytes) -> bytes:
    word = number_of(content)
    picture = painted(picture_of(content), content, word, word.text.translate(OTHER))

    def cover(pdf: pikepdf.Pdf) -> None:
        _, _, width, height = (float(edge) for edge in pdf.pages[0].mediabox)
        name(pdf, "/XObject", "/Page", image(pdf, picture, quality=92))
        drawn(f"q {width} 0 0 {height} 0 0 cm /Page Do Q".encode())(pdf)

    return rewritten(content, cover)


def scan_painted_appended(content: bytes) -> bytes:
    """The picture of a scan replaced by one with another number, saved by appending."""
    word = number_of(content)
    first = scanned(content, picture=scan_of(content, angle=0))

    def edit(pdf: pikepdf.Pdf) -> None:
        new = painted(
            scan_of(content, angle=0), content, word, word.text.translate(OTHER)
        )
        own = pdf.pages[0].obj.Resources.XObject.Im0
        own.write(image(pdf, new).read_raw_bytes(), filter=pikepdf.Name.DCTDecode)

    return appended(first, edit)


def scan_patched_appended(content: bytes) -> bytes:
    """A piece of picture with another number put on a scan, saved by appending."""
    word = number_of(content)
    first = scanned(content, picture=scan_of(content, angle=0))
    x0, y0, x1, y1 = place_of_word(content, word)
    wide, high = x1 - x0 + 2, y1 - y0 + 4

    def edit(pdf: pikepdf.Pdf) -> None:
        new = patch_of(word.text.translate(OTHER), wide, high)
        name(pdf, "/XObject", "/Patch", image(pdf, new, quality=92))
        drawn(
            f"q {wide:.2f} 0 0 {high:.2f} {x0 - 1:.2f} {y0 - 2:.2f} cm /Patch Do Q".encode()
        )(pdf)

    return appended(first, edit)


def signed_then_retyped(content: bytes) -> bytes:
    return appended(signed(content), over_number(content))


def signed_then_patched(content: bytes) -> bytes:
    word = number_of(content)
    return patched(signed(content), word, word.text.translate(OTHER), append=True)


def signed_then_changed_in_place(content: bytes) -> bytes:
    file = signed(content)
    at = file.index(b"stream\n", file.index(b"/Contents")) + 40
    return file[:at] + bytes([file[at] ^ 1]) + file[at + 1 :]


def box_then_signed_by_the_forger(content: bytes) -> bytes:
    return sign(plain(box_rewritten(content)), signer="Register of Companies", seed=77)


def invisible_and_retyped(content: bytes) -> bytes:
    """Painted over with a thick line in the colour of paper, and written anew."""
    word = number_of(content)
    x0, y0, x1, y1 = place_of_word(content, word)
    middle, thick = (y0 + y1) / 2, y1 - y0 + 4
    line = f"q 1 1 1 RG {thick:.1f} w {x0 - 1:.1f} {middle:.1f} m {x1 + 1:.1f} {middle:.1f} l S Q\n"
    new = words(word.text.translate(OTHER), x0, y0, size=max(y1 - y0, 7))
    return rewritten(content, drawn(line.encode() + new))


KINDS: dict[str, Kind] = {
    "box, rewritten": box_rewritten,
    "box, appended": box_appended,
    "name, rewritten": name_rewritten,
    "name, appended": name_appended,
    "erased": erased,
    "retyped": retyped,
    "retyped and turned": retyped_and_turned,
    "retyped behind a cover sheet": retyped_behind_a_cover_sheet,
    "patch, rewritten": patch_rewritten,
    "patch, appended": patch_appended,
    "text box": text_box,
    "stamp as patch": stamp_as_patch,
    "scan painted over its layer": scan_painted_over_its_layer,
    "picture over the text": picture_over_the_text,
    "scan painted, appended": scan_painted_appended,
    "scan patched, appended": scan_patched_appended,
    "signed, then retyped": signed_then_retyped,
    "signed, then patched": signed_then_patched,
    "signed, then changed in place": signed_then_changed_in_place,
    "box, then signed by the forger": box_then_signed_by_the_forger,
    "thick line": invisible_and_retyped,
}
