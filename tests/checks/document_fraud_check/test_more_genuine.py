"""Genuine documents of further kinds: nothing untrue is said of them, and nothing is strong."""

# ReportLab has no annotations.
# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import io
import random
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
import reportlab
from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont
from PIL import Image
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont as Embedded
from reportlab.pdfgen.canvas import Canvas

from checks.comparisons import Comparison
from checks.document_fraud_check.content import dates, text
from checks.document_fraud_check.file import revisions
from checks.document_fraud_check.page import fonts, pictures, text_layers
from checks.evidence import Evidence
from checks.extraction import altered_values
from checks.fields.general import issue_date_of
from checks.readers.pictures.forensics import ScannedPicture, duplicated_letters
from checks.samples.passports import draw_passport
from tests.checks.document_fraud_check.editing import (
    appended,
    drawn,
    picture_of,
    place_of_word,
    plain,
    rewritten,
)
from tests.checks.document_fraud_check.forged_kinds import (
    number_of,
    scan_painted_over_its_layer,
)
from tests.checks.document_fraud_check.genuine_kinds.notes import annotation, look
from tests.checks.document_fraud_check.genuine_kinds.scans import scan_of, scanned
from tests.checks.document_fraud_check.genuine_kinds.signed import signed_only
from tests.checks.document_fraud_check.test_genuine import document
from tests.checks.documents import TODAY, evidence_of, make_pdf

pytestmark = pytest.mark.sweep


def of(rule: Any, file: bytes) -> Any:
    return rule(Evidence(file, today=TODAY))


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("Dated this 4th day of May 2024", "2024-05-04"),
        ("Date: 3 May 2021", "2021-05-03"),
        ("Date of issue\n3 May 2021", "2021-05-03"),
        ("Date Filed\n3 May 2021", "2021-05-03"),
        ("Place: Delhi Date: 3 May 2021", "2021-05-03"),
        ("Signature ______ Date 14 March 2020", "2020-03-14"),
        ("Date of this notice: 03-31-2023", "2023-03-31"),
        ("Given at Companies House, Cardiff, on 18th February 2021.", "2021-02-18"),
        ("Letter issued on 3 April 2024, valid until 5 May 2030", "2024-04-03"),
        (
            "Agreement signed on 1 March 2024 and effective as of 1 March 2030",
            "2024-03-01",
        ),
        ("Date of next review: 1 May 2030", None),
        ("Maturity Date: 1 May 2030", None),
        ("Completion date 1 May 2030", None),
        ("Lease signed for a term ending on 30 June 2031", None),
        ("Date Description Money out\n01 Mar 2030 Card payment 1.00", None),
        ("Date d'échéance 11 novembre 2030", None),
        ("Date limite de paiement : 11/11/2030", None),
        ("Date et lieu de naissance 12/09/1974 à Fès", None),
        ("Date d'immatriculation 26/11/2019", None),
        ("UEN : 201734418K Incorporation Date : 05 DEC 2017", None),
        ("Report Year Filed Date\n2025 02/03/2025", None),
        ("Date de la facture : 29/09/2021", "2021-09-29"),
        ("Date d'émission : 3 mai 2021", "2021-05-03"),
        ("Date et heure d'édition : 3 mai 2021", "2021-05-03"),
        ("Date of report / Date du rapport: 2021-11-02", "2021-11-02"),
    ],
)
def test_the_date_that_a_document_bears_is_its_own(words, day):
    evidence = Evidence(make_pdf(words), today=TODAY)
    result = evidence.once(issue_date_of)

    assert (result.value.isoformat() if result else None) == day
    assert dates.future_date(evidence) is None


def test_the_record_of_a_change_to_come_is_told_as_that():
    def say(pdf: pikepdf.Pdf) -> None:
        pdf.docinfo["/CreationDate"] = "D:20240101000000Z"
        pdf.docinfo["/ModDate"] = "D:20900101000000Z"

    result = of(dates.future_date, rewritten(make_pdf("A letter"), say))

    assert (
        result.description
        == "The record of the file says that it was last changed on 2090-01-01."
    )


def test_a_sample_of_a_passport_was_not_scanned_on_the_day_it_expires():
    passport, _ = draw_passport(7, expires=TODAY.replace(year=TODAY.year + 4))

    assert of(dates.future_date, passport) is None


INVOICE = "Subtotal 525.00\n{other}\nVAT 105.00\nTotal {total}"


@pytest.mark.parametrize(
    ("other", "total", "pages"),
    [
        ("Discount 10% -52.50", "577.50", False),
        ("Carriage 15.00", "645.00", False),
        ("Thank you", "630.00", False),
        ("Thank you", "930.00", True),
        ("03/05/2024 paid by card 12.00", "930.00", True),
    ],
)
def test_amounts_are_added_up_where_nothing_else_belongs_to_the_sum(
    other, total, pages
):
    result = text.amounts_inconsistent(
        evidence_of(make_pdf(INVOICE.format(other=other, total=total)))
    )

    assert bool(result) is pages


def test_the_terms_of_a_genuine_document_make_no_template_of_it():
    words = (
        "A specimen signature is kept. The table is for illustration purposes only.\n"
        "This is only a sample of the cover. Your company name must be that of the register.\n"
        "This summary is not a legal document."
    )

    result: Any = text.placeholder_or_sample(evidence_of(make_pdf(words)))

    assert result.strong is False


@pytest.mark.parametrize(
    ("words", "kind", "strong"),
    [
        (
            "The next command sets the placeholder that is shown before the data are read.",
            "INFO",
            False,
        ),
        (
            "Compile the sample document that comes with the class once more.",
            "INFO",
            False,
        ),
        ("A range [name path=line] draws it.", None, None),
        ("Certificate no: placeholder", "RISK", False),
        ("Lorem ipsum dolor sit amet", "INFO", False),
        ("Dear [name], this is how a letter begins.", "INFO", False),
        # The licence of a program is none of a business.
        (
            "3 License\nBSD 2-Clause License\n4 Repository\nLorem ipsum dolor sit amet",
            "INFO",
            False,
        ),
        ("CERTIFICATE OF INCORPORATION\nLorem ipsum dolor sit amet", "RISK", True),
    ],
)
def test_a_manual_that_speaks_of_placeholders_has_none(words, kind, strong):
    result: Any = text.placeholder_or_sample(evidence_of(make_pdf(words)))

    assert (result and result.type, result and result.strong) == (kind, strong)


@pytest.mark.parametrize(
    ("font", "typeset"),
    [
        ("ABCDEF+LMSans10-Regular", True),
        ("SFTT1000", True),
        ("PLCaps10", True),
        ("CMTT9", True),
        ("JVQUOH+MSBM10", True),
        ("EUFM7", True),
        ("BGXEZX+CMBX12~2f", True),
        ("TVHGXE+rtxmi", True),
        ("txsy", True),
        ("rtxb", True),
        ("TxFont", False),
        ("Pxplus", False),
        ("Stone10", False),
        ("Helvetica", False),
        ("Arial-BoldMT", False),
        ("Calibri", False),
    ],
)
def test_the_fonts_of_tex_are_no_strangers(font, typeset):
    assert fonts.is_of_typesetting(fonts.family(font)) is typeset


@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("9500", True),
        ("14.03.2019", True),
        ("U74900TN2007PTC102389", True),
        ("S3", True),
        ("http://www-nds.iaea.org/2", False),
        ("expl3", False),
        ("10.18637/jss.v040.i08", False),
    ],
)
def test_a_value_has_digits_for_most_of_what_it_holds(words, value):
    assert fonts.is_value(words) is value


class Shapes(BasePen):
    """Draws a letter on a path of ReportLab."""

    def __init__(self, glyphs: Any, path: Any) -> None:
        super().__init__(glyphs)
        self.path = path

    def _moveTo(self, point: Any) -> None:  # noqa: N802 - the names are those of fontTools
        self.path.moveTo(*point)

    def _lineTo(self, point: Any) -> None:  # noqa: N802
        self.path.lineTo(*point)

    def _curveToOne(self, one: Any, two: Any, three: Any) -> None:  # noqa: N802
        self.path.curveTo(*one, *two, *three)

    def _closePath(self) -> None:  # noqa: N802
        self.path.close()


def outlined(lines: str) -> bytes:
    """A page whose letters are shapes, as programs for printing draw them."""
    font = TTFont(Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    glyphs, names = font.getGlyphSet(), font.getBestCmap() or {}
    scale = 14 / 2048  # the units of this font
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    for row, line in enumerate(lines.splitlines()):
        x = 72.0
        for char in line:
            glyph, path = glyphs[names[ord(char)]], canvas.beginPath()
            glyph.draw(Shapes(glyphs, path))
            canvas.saveState()
            canvas.translate(x, 700 - 24 * row)
            canvas.scale(scale, scale)
            canvas.drawPath(path, stroke=0, fill=1)
            canvas.restoreState()
            x += scale * glyph.width
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def test_letters_that_are_drawn_as_shapes_are_not_called_a_scan():
    file = outlined(
        "Certificate of Incorporation\nof Northwind Traders Limited\nGiven in the year"
    )

    assert of(text.image_only_document, file) is None
    assert of(text.drawn_letters, file).description.endswith("without text: page 1.")
    assert of(text.image_only_document, scanned(document()))
    assert of(text.drawn_letters, scanned(document())) is None


def saved(picture: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    picture.convert("RGB").save(out, kind, **options)
    return out.getvalue()


def copied(picture: Image.Image, content: bytes) -> Image.Image:
    """With its number put down a second time, beside the first."""
    x0, y0, x1, y1 = place_of_word(content, number_of(content))
    scale = picture.width / 612
    left, right = round((x0 - 2) * scale), round((x1 + 2) * scale)
    top, bottom = (round((792 - y) * scale) for y in (y1 + 2, y0 - 2))
    piece = picture.crop((left, top, right, bottom))
    picture = picture.copy()
    picture.paste(piece, (left + 260, top))
    return picture


WORDS = ("annual", "number", "shares", "lines", "bank", "sea")


def test_letters_copied_on_a_scan_are_found_and_those_a_computer_drew_are_not():
    words = " ".join(random.Random(5).choices(WORDS, k=90))  # noqa: S311
    lines = "\n".join(words[at : at + 76] for at in range(0, len(words), 76))
    file = make_pdf(f"Company number 5594810\n{lines}")

    assert of(pictures.duplicated_glyphs, saved(copied(scan_of(file), file), "PNG"))
    assert of(pictures.duplicated_glyphs, saved(scan_of(file), "PNG")) is None
    for result in (
        saved(picture_of(file), "PNG"),
        saved(picture_of(file), "JPEG", quality=85),
    ):
        assert of(pictures.duplicated_glyphs, result) is None


def small_drawing(alike: int) -> ScannedPicture:
    """A small page on plain white: two letters in a row stand on it twice, and others, too."""
    numbers = np.random.default_rng(7)
    page = np.full((600, 400), 255, dtype=np.uint8)
    letters = [numbers.integers(0, 140, (14, 10), dtype=np.uint8) for _ in range(60)]
    letters[30:32] = letters[0:2]
    for index in range(alike):
        letters[40 + 3 * index] = letters[10 + 5 * index]
    for index, letter in enumerate(letters):
        top, left = 20 + 40 * (index // 8), 20 + 30 * (index % 8)
        page[top : top + 14, left : left + 10] = letter
    return ScannedPicture(1, page, page > 254, is_jpeg=False)


def test_a_few_letters_alike_on_a_small_drawing_are_no_copies():
    assert duplicated_letters(small_drawing(0)) is not None
    assert duplicated_letters(small_drawing(1)) is None


def test_a_watermark_across_the_page_is_in_no_row_of_its_text():
    pdfmetrics.registerFont(
        Embedded("Vera", Path(reportlab.__file__).parent / "fonts" / "Vera.ttf")
    )
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    for row in range(30):
        canvas.setFont("Vera", 11)
        canvas.drawString(
            72,
            700 - 20 * row,
            "The company was registered under the act of this state.",
        )
    canvas.rotate(35)
    canvas.setFont("Helvetica", 50)
    canvas.drawString(250, 200, "CUSTOMER COPY")
    canvas.save()

    finding = of(fonts.font_rare_unembedded, out.getvalue())

    assert finding.type == "INFO"


def with_margin(file: bytes) -> bytes:
    """A scan that a service put a margin about, and saved by appending."""

    def edit(pdf: pikepdf.Pdf) -> None:
        pdf.pages[0].obj.Contents = pdf.make_stream(b"q 567 0 0 734 22 40 cm /Im0 Do Q")

    return appended(scanned(file), edit)


def test_a_scan_with_a_new_margin_says_what_it_said():
    result = of(revisions.revision_pixels_changed, with_margin(document()))

    assert not result.strong
    assert not result.changes


def row_of(file: bytes) -> Comparison:
    """The number of the page, which is the attested one, and what becomes of the row."""
    evidence = Evidence(file, today=TODAY)
    word = next(word for word in evidence.pages[0].words if word.text == "5594810")
    row = Comparison(
        "number", "Number", "5594810", "5594810", "equal", "same", (word.box,)
    )
    [result] = altered_values.with_altered([row], evidence)
    return result


def stamped(file: bytes) -> bytes:
    """With an opaque stamp, higher than a line, over its number."""
    x0, y0, x1, y1 = place_of_word(file, number_of(file))

    def edit(pdf: pikepdf.Pdf) -> None:
        wide, high = x1 - x0 + 40, y1 - y0 + 44
        drawing = f"1 1 1 rg 0 0 {wide} {high} re f .7 0 0 RG 3 w 2 2 {wide - 4} {high - 4} re S"
        annotation(
            pdf, "Stamp", (x0 - 20, y0 - 22, x1 + 20, y1 + 22),
            AP=pikepdf.Dictionary(N=look(pdf, drawing.encode(), wide, high)),
        )  # fmt: skip

    return rewritten(file, edit)


def test_a_value_that_a_stamp_blots_out_is_no_match():
    row = row_of(stamped(document()))

    assert row.state in {"cannot_compare", "altered"}
    assert "5594810" in row.how


def test_a_value_in_the_layer_behind_another_picture_is_no_match():
    file = scan_painted_over_its_layer(document())

    assert of(text_layers.hidden_layer_mismatch, file).strong
    assert row_of(file).state == "altered"


def test_a_mark_beside_a_value_leaves_it_a_match():
    assert (
        row_of(rewritten(document(), drawn(b"0 g 400 20 40 3 re f"))).state == "equal"
    )


def form(value: str) -> bytes:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    canvas.drawString(72, 700, "Name of the company:")
    canvas.acroForm.textfield(
        name="company", value=value, x=220, y=690, width=240, height=24
    )
    canvas.showPage()
    canvas.save()
    return plain(out.getvalue())


def fill(pdf: pikepdf.Pdf) -> None:
    pdf.pages[0].Annots[0].V = pikepdf.String("Southgate Fisheries Limited")


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        (lambda: appended(form("Northwind Traders"), fill), "INFO"),
        (lambda: signed_only(appended(form("Northwind Traders"), fill)), "INFO"),
        (lambda: appended(signed_only(form("Northwind Traders")), fill), "RISK"),
    ],
    ids=["filled again", "filled again, then signed", "signed, then filled again"],
)
def test_another_value_in_a_field_is_not_the_same_content(file, kind):
    content = file()

    result = of(revisions.revision_values_changed, content)

    assert (result.type, result.strong) == (kind, False)
    assert (
        "“Northwind Traders”, now “Southgate Fisheries Limited”" in result.description
    )
    assert of(revisions.revision_content_identical, content) is None


def test_a_field_that_was_empty_is_filled_in_and_nothing_is_changed():
    assert of(revisions.revision_values_changed, appended(form(""), fill)) is None
