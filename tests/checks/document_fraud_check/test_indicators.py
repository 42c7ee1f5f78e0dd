"""Each indicator on a file that must raise it, and on the like of it that must not."""

from __future__ import annotations

import io
from typing import Any

import pikepdf
import pytest
from PIL import Image, ImageDraw
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

from checks.base import Indicator
from checks.document_fraud_check.catalogue import INDICATORS
from checks.document_fraud_check.tool import weigh
from checks.evidence import Evidence
from checks.samples import edited_certificate, good_certificate, signed_certificate
from checks.samples.editing import cover_and_retype
from tests.checks.documents import indicators_of, make_pdf, results_of
from tests.checks.test_evidence import changed

pytestmark = pytest.mark.sweep

GOOD = good_certificate().content
PLACE = (72.0, 700.0, 172.0, 710.0)
LONG = "All the particulars of this document are set in one and the same face.\n" * 4


def drawing(draw: Any) -> bytes:
    """A page with the word Original at PLACE, and what `draw` paints on it afterwards."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Bold", 14)
    canvas.drawString(PLACE[0], PLACE[1], "Original")
    draw(canvas)
    canvas.save()
    return buffer.getvalue()


def box(canvas: Canvas, *, colour: float = 1.0, alpha: float = 1.0) -> None:
    canvas.setFillGray(colour, alpha)
    canvas.rect(70, 697, 120, 16, stroke=0, fill=1)


def seal(*, alpha: int) -> ImageReader:
    return ImageReader(Image.new("RGBA", (80, 20), (200, 30, 30, alpha)))


@pytest.mark.parametrize(
    ("draw", "hidden"),
    [
        (box, True),
        (lambda canvas: box(canvas, colour=0.93), True),
        (lambda canvas: box(canvas, alpha=0.3), False),
        (lambda canvas: box(canvas, colour=0.4), False),
        (lambda canvas: canvas.rect(70, 697, 120, 16, stroke=1, fill=0), False),
        (lambda canvas: canvas.rect(0, 0, 595, 842, stroke=0, fill=0), False),
    ],
)
def test_only_opaque_paper_hides_text(draw, hidden):
    assert ("text_covered" in indicators_of(drawing(draw))) is hidden


def test_a_box_that_was_there_before_the_text_hides_nothing():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    box(canvas)
    canvas.setFillGray(0)
    canvas.drawString(PLACE[0], PLACE[1], "Original")
    canvas.save()

    assert "text_covered" not in indicators_of(buffer.getvalue())


@pytest.mark.parametrize(("alpha", "hidden"), [(255, True), (60, False)])
def test_a_picture_hides_text_unless_it_lets_it_through(alpha, hidden):
    content = drawing(
        lambda canvas: canvas.drawImage(
            seal(alpha=alpha), 70, 697, 120, 16, mask="auto"
        )
    )

    assert ("text_under_image" in indicators_of(content)) is hidden


def with_a_picture(picture: Image.Image) -> dict[str, Any]:
    """The finding on a picture over the number in a line."""
    before, number, behind = "Registered under the ", "4711208", " of the old register"
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Roman", 11)
    canvas.drawString(72, 700, f"{before}{number}{behind}")
    left = 72 + canvas.stringWidth(before)
    width = canvas.stringWidth(number)
    canvas.drawImage(ImageReader(picture), left - 1, 697, width + 2, 12)
    canvas.save()
    finding: dict[str, Any] = indicators_of(buffer.getvalue())["text_under_image"]
    return finding


def test_only_the_words_of_the_picture_are_quoted():
    picture = Image.new("RGB", (400, 120), "white")
    ImageDraw.Draw(picture).text((8, 10), "4791288", fill="black", font_size=92)

    finding = with_a_picture(picture)

    assert finding["description"] == (
        "Text lies under a picture: page 1: “4711208” is hidden, “4791288” is shown."
    )
    assert finding["strong"]


def test_a_picture_that_cannot_be_read_is_not_said_to_be_empty():
    picture = Image.new("RGB", (400, 120), "white")
    for x in range(20, 380, 24):
        ImageDraw.Draw(picture).line((x, 20, x + 18, 100), fill="black", width=7)
        ImageDraw.Draw(picture).line((x + 18, 20, x, 70), fill="black", width=5)

    finding = with_a_picture(picture)

    assert "what is shown in its place could not be read" in finding["description"]
    assert not finding["strong"]


def test_what_is_hidden_in_a_form_of_a_form_is_found():
    def nested(canvas):
        canvas.beginForm("inner")
        canvas.setFillGray(1)
        canvas.rect(0, 0, 120, 16, stroke=0, fill=1)
        canvas.endForm()
        canvas.saveState()
        canvas.translate(70, 697)
        canvas.doForm("inner")
        canvas.restoreState()

    assert indicators_of(drawing(nested))["text_covered"]["raw"].startswith("Original")


def test_the_covered_word_is_not_read_and_the_new_one_is():
    evidence = Evidence(edited_certificate().content)

    year = edited_certificate().attested["incorporation_date"][:4]
    assert f"A.D. {year}\n" in evidence.text.value
    assert f"A.D. {int(year) + 6}" not in evidence.text.value


def test_a_second_save_without_a_change_is_no_risk():
    content = cover_and_retype(GOOD, (10.0, 10.0, 12.0, 12.0), "")

    result = indicators_of(content)

    assert "revision_content_identical" in result
    assert not [item for item in result.values() if item["type"] == "RISK"]


def test_added_words_are_a_weak_sign():
    content = cover_and_retype(GOOD, (60.0, 40.0, 200.0, 50.0), "Received")

    result = indicators_of(content)

    assert result["revision_text_added"]["raw"] == "page 1: “” → “Received”"
    assert result["revision_text_added"]["strong"] is False
    assert results_of(content)["document_fraud_check"]["passed"] is True


def annotated(x0: float, y0: float) -> bytes:
    def note(pdf):
        annotation = pikepdf.Dictionary(
            Type=pikepdf.Name.Annot,
            Subtype=pikepdf.Name.FreeText,
            Rect=[x0, y0, x0 + 120, y0 + 20],
            Contents=pikepdf.String("2 million"),
        )
        pdf.pages[0].Annots = pdf.make_indirect(pikepdf.Array([annotation]))

    return changed(GOOD, note)


def test_an_annotation_over_words_is_a_risk_and_beside_them_is_not():
    over = indicators_of(annotated(260, 580))["annotation_overlay"]
    beside = indicators_of(annotated(60, 60))["annotation_overlay"]

    assert (over["type"], over["raw"]) == ("RISK", "2 million")
    assert beside["type"] == "INFO"


def information(**entries: str) -> bytes:
    def write(pdf):
        for key, value in entries.items():
            pdf.docinfo[f"/{key}"] = value

    return changed(GOOD, write)


def with_xmp(producer: str) -> bytes:
    def write(pdf):
        with pdf.open_metadata(
            set_pikepdf_as_editor=False, update_docinfo=False
        ) as xmp:
            xmp["pdf:Producer"] = producer

    return changed(GOOD, write)


@pytest.mark.parametrize(
    ("content", "indicator_id", "kind"),
    [
        (information(Producer="Sejda"), "editing_tool", "RISK"),
        (information(Producer="iLovePDF"), "editing_tool", "INFO"),
        (information(Creator="Canva"), "editing_tool", "RISK"),
        (information(Producer="Microsoft Word"), "writer_rewritten", "INFO"),
        (with_xmp("iText 5"), "producer_conflict", "RISK"),
        (with_xmp("macOS Quartz PDFContext"), "producer_conflict", "INFO"),
        (information(ModDate="D:20250101000000Z"), "modified_long_after_issue", "INFO"),
        (
            information(CreationDate="D:20120101000000Z"),
            "created_before_document_date",
            "INFO",
        ),
        (information(CreationDate="D:20900101000000Z"), "future_date", "RISK"),
        (information(Title="Sample certificate"), "placeholder_or_sample", "RISK"),
        (make_pdf("SPECIMEN\n" + LONG), "placeholder_or_sample", "RISK"),
        (
            make_pdf("Name: [Insert name here]\n" + LONG),
            "placeholder_or_sample",
            "RISK",
        ),
        (
            make_pdf("Goods and Services Tax\nGSTIN 08DVBPR7915G1Z9"),
            "number_checksum_ok",
            "TRUST",
        ),
        (
            make_pdf("Goods and Services Tax\nGSTIN 08DVBPR7915G1Z8"),
            "number_checksum_bad",
            "RISK",
        ),
        (
            make_pdf("Pay to IBAN: GB29 NWBK 6016 1331 9269 19, BIC NWBKGB2L"),
            "iban_checksum_bad",
            "RISK",
        ),
        (make_pdf("IBAN DE89370400440532013001"), "iban_checksum_bad", "RISK"),
        (make_pdf("Dated this 4th day of May 2090"), "future_date", "RISK"),
    ],
)
def test_an_indicator_is_raised(content, indicator_id, kind):
    assert indicators_of(content)[indicator_id]["type"] == kind


def test_an_ein_has_no_check_digits_that_could_be_right():
    content = make_pdf("Employer Identification Number: 41-3001586")

    assert "number_checksum_ok" not in indicators_of(content)


@pytest.mark.parametrize(
    "text",
    [
        "IBAN: GB29 NWBK 6016 1331 9268 19, BIC NWBKGB2L",
        "IBAN GB29 NWBK 6016 1331 9268 19 BIC NWBKGB2L",
        "Mauritius IBAN MU17 BOMM 0101 1010 3030 0200 000M UR 3",
        "IBAN DE89 3704 0044 0532 0130",
        "IBAN DE89 3704 XXXX XXXX XXXX 00",
        "IBAN (International Bank Account Number) and BIC",
        "GB29 NWBK 6016 1331 9269 19",
    ],
)
def test_a_right_a_masked_and_a_cut_bank_account_number_are_no_sign(text):
    assert "iban_checksum_bad" not in indicators_of(make_pdf(text))


def test_the_companys_own_articles_may_come_from_any_program():
    def canva(pdf):
        pdf.docinfo["/Creator"] = "Canva"

    content = changed(
        make_pdf("ARTICLES OF INCORPORATION\nOF\nARDENT PRESS INC.\nIncorporator"),
        canva,
    )

    assert indicators_of(content)["editing_tool"]["type"] == "INFO"


@pytest.mark.parametrize(
    ("program", "kind"),
    [("Canva", "INFO"), ("Adobe Illustrator 28.1", "INFO"), ("Sejda 5", "RISK")],
)
def test_a_paper_of_a_company_may_come_from_a_program_for_drawing(program, kind):
    def name_program(pdf):
        pdf.docinfo["/Creator"] = program

    paper = make_pdf("CERTIFICATE OF TRAINING\nArdent Press has taught\nLorinda Maskuv")

    assert indicators_of(changed(paper, name_program))["editing_tool"]["type"] == kind


def test_a_file_without_metadata_says_nothing_of_its_origin():
    def strip(pdf):
        del pdf.trailer["/Info"]

    assert indicators_of(changed(GOOD, strip))["metadata_missing"]["type"] == "INFO"


def test_active_content_and_embedded_files():
    def launch(pdf):
        pdf.Root.OpenAction = pikepdf.Dictionary(
            S=pikepdf.Name.Launch, F=pikepdf.String("calc")
        )

    def script(pdf):
        pdf.Root.OpenAction = pikepdf.Dictionary(
            S=pikepdf.Name.JavaScript, JS=pikepdf.String("app.alert(1)")
        )

    def attach(pdf):
        pdf.attachments["notes.txt"] = b"inside"

    assert indicators_of(changed(GOOD, launch))["active_content"]["type"] == "RISK"
    assert indicators_of(changed(GOOD, script))["active_content"]["type"] == "INFO"
    assert (
        "1 file" in indicators_of(changed(GOOD, attach))["embedded_file"]["description"]
    )


def test_a_word_in_another_face_than_its_line():
    buffer = io.BytesIO()
    canvas = Canvas(buffer, invariant=1)
    canvas.setFont("Times-Roman", 11)
    for row, line in enumerate(LONG.splitlines()):
        canvas.drawString(72, 700 - 16 * row, line)
    canvas.drawString(72, 600, "The sum is")
    canvas.setFont("Helvetica", 11)
    canvas.drawString(
        72 + canvas.stringWidth("The sum is ", "Times-Roman", 11), 600, "9500"
    )
    canvas.save()

    assert "9500" in indicators_of(buffer.getvalue())["font_outlier"]["raw"]
    assert "font_outlier" not in indicators_of(make_pdf(LONG))


def test_a_record_without_a_signature_is_no_signature():
    def sign(pdf):
        signature = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Sig,
                ByteRange=[0, 10, 20, 30],
                Contents=pikepdf.String("x"),
            )
        )
        widget = pdf.make_indirect(
            pikepdf.Dictionary(
                Type=pikepdf.Name.Annot, Subtype=pikepdf.Name.Widget, FT=pikepdf.Name.Sig,
                T=pikepdf.String("s"), V=signature, Rect=[300, 100, 400, 140],
            )
        )  # fmt: skip
        pdf.pages[0].Annots = pikepdf.Array([widget])
        pdf.Root.AcroForm = pikepdf.Dictionary(Fields=pikepdf.Array([widget]))

    content = changed(GOOD, sign, object_stream_mode=pikepdf.ObjectStreamMode.disable)

    section = _signature_section(content)
    assert "digital" not in section["analysis"]
    result = indicators_of(content)["signature_broken"]
    assert (result["type"], result["strong"]) == ("RISK", False)


def test_a_signature_is_present_and_not_validated():
    section = _signature_section(signed_certificate(12).content)

    assert (section["present"], section["checked"]) == (True, True)
    assert "not validated" in section["analysis"]
    lefts = [place["x0"] for place in section["boxes"]]
    left_of_field = 350 / 612
    assert any(left == pytest.approx(left_of_field, abs=1e-4) for left in lefts)


def _signature_section(content: bytes) -> Any:
    results = results_of(content)
    inspection = results["kyb.visual_verification_v3"]["payload"]["visual_inspection"]
    return inspection["visual_analysis"]["signature_verification"]


def indicator_of(kind: Any, *, strong: bool = False) -> Indicator:
    return Indicator("x", kind, "c", "t", "d", strong=strong)


@pytest.mark.parametrize(
    ("indicators", "result"),
    [
        ([], "NORMAL"),
        ([indicator_of("RISK")], "NORMAL"),
        ([indicator_of("RISK"), indicator_of("RISK")], "WARNING"),
        ([indicator_of("RISK", strong=True)], "HIGH_RISK"),
        ([indicator_of("TRUST")], "NORMAL"),
        ([indicator_of("TRUST", strong=True)], "TRUSTED"),
        ([indicator_of("TRUST", strong=True), indicator_of("RISK")], "NORMAL"),
        ([indicator_of("INFO"), indicator_of("INFO"), indicator_of("INFO")], "NORMAL"),
    ],
)
def test_how_indicators_add_up(indicators, result):
    assert weigh(indicators) == result


def test_every_indicator_is_documented():
    ids = [rule.indicator_id for rule in INDICATORS]

    assert len(set(ids)) == len(ids)
    for rule in INDICATORS:
        title, _, rest = rule.documentation.partition("\n\n")
        assert title.endswith("."), rule.indicator_id
        assert len(rest) > 40, rule.indicator_id
