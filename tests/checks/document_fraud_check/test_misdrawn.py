"""Files whose text says something else than their pages show."""

from __future__ import annotations

import io
from collections.abc import Callable

import pikepdf
import pytest

from checks.document_fraud_check.page.misdrawn import NOT_DRAWN
from checks.document_fraud_check.page.spelling import is_other_word
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.samples import good_certificate
from tests.checks.document_fraud_check.editing import rewritten
from tests.checks.documents import TODAY
from tests.checks.made_texts.drawing import LATIN, MadeText, draw, made_texts

SAMPLE = good_certificate(11)
NUMBER = "5996506"
OTHER = "7118042"
LINE = f"(File Number: {NUMBER}) Tj".encode()
INDICATOR = "text_unlike_page"

Change = Callable[[pikepdf.Pdf, bytes], bytes]


def edited(change: Change) -> bytes:
    def edit(pdf: pikepdf.Pdf) -> None:
        page = pdf.pages[0]
        old = page.Contents.read_bytes()
        new = change(pdf, old)
        assert new != old
        page.obj.Contents = pdf.make_stream(new)

    return rewritten(SAMPLE.content, edit)


def other_words_stated(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """The file states other words for the drawn ones, as it may for a program that reads aloud."""
    del pdf
    return content.replace(
        LINE,
        f"(File Number: ) Tj /Span <</ActualText ({NUMBER})>> BDC ({OTHER}) Tj EMC".encode(),
    )


def table_of_font(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """The table of a font names other letters than it draws."""
    fonts = pdf.pages[0].Resources.Font
    font = pikepdf.Dictionary(dict(fonts["/F3"].items()))
    pairs = "\n".join(
        f"<{ord(drawn):02X}> <{ord(stated):04X}>"
        for drawn, stated in dict(zip(OTHER, NUMBER, strict=True)).items()
    )
    count = len(set(OTHER))
    font.ToUnicode = pdf.make_stream(
        "begincmap 1 begincodespacerange <00> <FF> endcodespacerange\n"
        f"{count} beginbfchar\n{pairs}\nendbfchar endcmap".encode()
    )
    fonts["/Other"] = pdf.make_indirect(font)
    return content.replace(
        LINE,
        f"(File Number: ) Tj /Other 10.5 Tf ({OTHER}) Tj /F3 10.5 Tf".encode(),
    )


def cover_in_deep_forms(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """The cover and the other number lie in forms that lie in forms."""
    resources = pikepdf.Dictionary(Font=pdf.pages[0].Resources.Font)
    data = (
        "1 g 250 580 120 18 re f BT 0 g /F3 10.5 Tf 258 586 Td "
        f"/Span <</ActualText ()>> BDC (File Number: {OTHER}) Tj EMC ET"
    ).encode()
    for _ in range(9):
        form = pdf.make_stream(data)
        form.Type = pikepdf.Name.XObject
        form.Subtype = pikepdf.Name.Form
        form.BBox = pikepdf.Array([0, 0, 612, 792])
        form.Resources = resources
        resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Inner=form))
        data = b"/Inner Do"
    pdf.pages[0].Resources.XObject = resources.XObject
    return content + b"\n/Inner Do"


def behind_a_picture_of_paper(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """The number is invisible, as the text behind a scan is. The page is no scan."""
    paper = pdf.make_stream(b"\xff")
    paper.Type = pikepdf.Name.XObject
    paper.Subtype = pikepdf.Name.Image
    paper.Width = paper.Height = 1
    paper.ColorSpace = pikepdf.Name.DeviceGray
    paper.BitsPerComponent = 8
    pdf.pages[0].Resources.XObject = pikepdf.Dictionary(Paper=paper)
    typed = (
        f"3 Tr (File Number: {NUMBER}) Tj 0 Tr ET BT 1 0 0 1 258.1672 586 Tm "
        f"/Span <</ActualText ()>> BDC (File Number: {OTHER}) Tj EMC"
    ).encode()
    return b"q 612 0 0 792 0 0 cm /Paper Do Q\n" + content.replace(LINE, typed)


def too_small(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """The number is printed, and nobody can read so small a print."""
    del pdf
    typed = f"/F3 1 Tf (File Number: {NUMBER}) Tj /F3 10.5 Tf".encode()
    return content.replace(LINE, typed)


WAYS = [
    other_words_stated,
    table_of_font,
    cover_in_deep_forms,
    behind_a_picture_of_paper,
    too_small,
]


def with_mark_for_signing(pdf: pikepdf.Pdf, content: bytes) -> bytes:
    """A mark for a signing service, written in white behind the number."""
    del pdf
    return content.replace(LINE, LINE + b" 1 g ( Signature_of_Registrar) Tj 0 g")


def evidence_of(file: bytes, *, attested: bool = True) -> Evidence:
    return Evidence(file, attested=SAMPLE.attested if attested else {}, today=TODAY)


@pytest.mark.parametrize("way", WAYS)
def test_a_number_that_the_page_shows_otherwise_is_for_a_person(way: Change):
    evidence = evidence_of(edited(way))

    payload = DocumentFraud().run(evidence).payload["fraud_verification_data"]

    # The value that programs read is the attested one.
    assert NUMBER in evidence.text.value
    assert payload["verification_result"] == "WARNING"
    found = {item["indicator_id"] for item in payload["verification_data"]}
    assert INDICATOR in found


@pytest.mark.parametrize("way", WAYS)
def test_such_a_number_does_not_agree_with_the_attested_one(way: Change):
    outcome = IncorporationDocumentExtraction().run(evidence_of(edited(way)))

    rows = outcome.payload["extraction_data"]["comparisons"]
    [number] = [row for row in rows if row["label"] == "Registration number"]
    assert number["state"] == "cannot_compare"
    [date] = [row for row in rows if row["label"] == "Date of incorporation"]
    assert date["state"] == "equal"


@pytest.mark.parametrize("way", WAYS)
def test_such_a_number_is_not_given_but_is_a_candidate(way: Change):
    outcome = IncorporationDocumentExtraction().run(
        evidence_of(edited(way), attested=False)
    )

    data = outcome.payload["extraction_data"]
    assert data["business_registration_number"] == []
    assert "business_registration_number" in data["unsure"]
    candidates = data["evidence"]["business_registration_number"]["candidates"]
    assert NUMBER in {candidate["value"] for candidate in candidates}
    # The other values are shown as they are stated.
    assert data["business_name"] == SAMPLE.attested["registered_business_name"]
    assert data["incorporation_date"] == SAMPLE.attested["incorporation_date"]


@pytest.mark.parametrize(
    ("stated", "drawn", "label"),
    [
        ("File Number: 5996506", "File Number: 5996606", "Registration number"),
        ("2022", "2012", "Date of incorporation"),
        (
            "Saltmarsh Foods Company",
            "Saltmarsh Goods Company",
            "Registered business name",
        ),
    ],
)
def test_one_letter_or_digit_of_an_attested_value_counts(
    stated: str, drawn: str, label: str
):
    def one_other(pdf: pikepdf.Pdf, content: bytes) -> bytes:
        del pdf
        span = f"/Span <</ActualText ({stated})>> BDC ({drawn}) Tj EMC"
        return content.replace(f"({stated}) Tj".encode(), span.encode())

    evidence = evidence_of(edited(one_other))

    outcome = IncorporationDocumentExtraction().run(evidence)
    states = {
        row["label"]: row["state"]
        for row in outcome.payload["extraction_data"]["comparisons"]
    }
    assert states[label] == "cannot_compare"


def test_without_attested_data_lines_with_numbers_are_read():
    payload = (
        DocumentFraud()
        .run(evidence_of(edited(other_words_stated), attested=False))
        .payload["fraud_verification_data"]
    )

    [finding] = [
        item
        for item in payload["verification_data"]
        if item["indicator_id"] == INDICATOR
    ]
    assert OTHER in finding["description"]
    assert not finding["strong"]


def test_words_that_are_stated_as_they_are_drawn_are_no_sign():
    def stated(pdf: pikepdf.Pdf, content: bytes) -> bytes:
        del pdf
        return content.replace(
            LINE,
            f"/Span <</ActualText (File Number: {NUMBER})>> BDC ".encode()
            + LINE
            + b" EMC",
        )

    payload = DocumentFraud().run(evidence_of(edited(stated))).payload
    types = {
        item["indicator_id"]
        for item in payload["fraud_verification_data"]["verification_data"]
    }

    assert INDICATOR not in types


def test_letters_of_another_script_are_not_compared():
    """OCR of one language reads other letters for them."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(edited(other_words_stated))) as pdf:
        data = pdf.pages[0].Contents.read_bytes()
        # Cyrillic words of no number, which are drawn as Latin ones.
        stated = "Ромашка".encode("utf-16-be").hex()
        data = data.replace(f"({NUMBER})".encode(), f"<FEFF{stated}>".encode())
        pdf.pages[0].obj.Contents = pdf.make_stream(data)
        pdf.save(file)
    evidence = evidence_of(file.getvalue(), attested=False)

    payload = DocumentFraud().run(evidence).payload["fraud_verification_data"]

    assert "Ромашка" in evidence.text.value
    found = {item["indicator_id"] for item in payload["verification_data"]}
    assert INDICATOR not in found


@pytest.mark.parametrize(
    ("stated", "seen", "is_other"),
    [
        ("Małopolski", "Matopolski", False),
        ("Żmudziński", "Zmudzifski", False),
        ("Straße", "StraBe", False),
        ("Malopolski", "Matopolski", True),
        ("Małopolski", "Matopolska", True),
    ],
)
def test_ocr_sees_another_letter_for_one_that_its_language_does_not_have(
    stated, seen, is_other
):
    assert is_other_word(stated, seen) is is_other


def test_polish_names_are_not_seen_otherwise_than_stated():
    body = "# Małopolski Bank Kupiecki\nPosiadacz rachunku: Michał Małecki\nul. Długa 88, 31-146 Kraków"
    document = draw(MadeText("statement", "poa-bank", {}, LATIN, (50, 340), body))
    attested = {"first_name": "Michał", "last_name": "Małecki"}
    evidence = Evidence(document, attested=attested, today=TODAY)

    outcome = DocumentFraud().run(evidence)

    indicators = outcome.payload["fraud_verification_data"]["verification_data"]
    assert INDICATOR not in {indicator["indicator_id"] for indicator in indicators}


def test_a_mark_in_white_is_not_a_word_that_the_page_shows_otherwise():
    evidence = evidence_of(edited(with_mark_for_signing))

    payload = DocumentFraud().run(evidence).payload["fraud_verification_data"]

    types = {
        item["indicator_id"]: item["type"] for item in payload["verification_data"]
    }
    assert types["facts_unseen"] == "INFO"
    assert INDICATOR not in types


def test_a_page_whose_fonts_nobody_has_here_is_not_judged():
    """A Chinese file may rely on the fonts of its reader."""
    [text] = [
        text
        for text in made_texts("registers_of_the_world.txt")
        if text.name == "cn_licence"
    ]
    evidence = Evidence(
        file=draw(text),
        file_name="licence.pdf",
        attested={"business_name": "上海云帆智能科技有限公司"},
    )

    result = DocumentFraud().run(evidence).payload["fraud_verification_data"]

    assert INDICATOR not in {
        item["indicator_id"] for item in result["verification_data"]
    }
    assert NOT_DRAWN in {item["why"] for item in result["not_checked"]}
    data = IncorporationDocumentExtraction().run(evidence).payload["extraction_data"]
    # What nobody can see here is for a person.
    assert data["business_name"] is None
