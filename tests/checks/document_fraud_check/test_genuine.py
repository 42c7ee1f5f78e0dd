"""Genuine documents do not fail: what was done to them altered no fact. Forged ones do."""

from __future__ import annotations

import io
from functools import cache
from typing import Any

import numpy as np
import pikepdf
import pytest
import zxingcpp
from PIL import Image
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from checks import samples
from checks.base import Change
from checks.document_fraud_check.alterations import alters
from checks.document_fraud_check.content import crosschecks, text
from checks.document_fraud_check.file import revisions
from checks.document_fraud_check.tool import DocumentFraud
from checks.evidence import Evidence
from checks.samples import scanned_certificate
from papers.geometry import Box
from tests.checks.document_fraud_check.editing import drawn as over
from tests.checks.document_fraud_check.editing import (
    image,
    name,
    plain,
    rewritten,
)
from tests.checks.document_fraud_check.forged_kinds import KINDS as FORGED
from tests.checks.document_fraud_check.genuine_kinds import PDF_KINDS
from tests.checks.document_fraud_check.genuine_kinds.pictures import PICTURE_KINDS
from tests.checks.document_fraud_check.genuine_kinds.scans import turned
from tests.checks.documents import evidence_of, extraction_of, make_pdf

pytestmark = pytest.mark.sweep

LINES = (
    "Office of the Registrar of Companies",
    "File Number: 5594810",
    "I, the Registrar, hereby certify that",
    "Northwind Traders Limited",
    "is duly incorporated under the laws of this State,",
    "its certificate having been filed in this office on",
    "March 14, 2019.",
    "Registered office: 19711 Harbour Street, Wilmington",
    "Authorized shares: 10,000,000 of common stock",
    "Given under my hand and seal on March 18, 2019.",
)
# Which fact may have been altered cannot be told of these: a person looks, and nothing is red.
FOR_A_PERSON = {
    "ocr layer, a digit misread",
    "ocr layer under, a digit misread",
    # Another font, over the same number.
    "printed twice",
    "corrected, then signed",
    "signed, then faxed",
    "signed, then filed",
    "signed, then numbered",
    "signed, then optimised",
}


@cache
def document() -> bytes:
    """A page in two fonts, as a register issues it; short, so that it is quickly read."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    canvas.setTitle("Certificate of Incorporation")
    canvas.setFont("Times-Bold", 24)
    canvas.drawString(90, 680, "Certificate of Incorporation")
    for row, line in enumerate(LINES):
        canvas.setFont("Times-Roman", 13)
        canvas.drawString(90, 630 - 26 * row, line)
    canvas.showPage()
    canvas.save()
    return plain(out.getvalue())


def verified(file: bytes) -> dict[str, Any]:
    payload: dict[str, Any] = (
        DocumentFraud().run(Evidence(file, "document.pdf")).payload
    )
    value: dict[str, Any] = payload["fraud_verification_data"]
    return value


def strong(result: dict[str, Any]) -> list[str]:
    signs = result["verification_data"]
    return [
        sign["indicator_id"]
        for sign in signs
        if sign["type"] == "RISK" and sign["strong"]
    ]


@pytest.mark.parametrize("kind", [*PDF_KINDS, *PICTURE_KINDS])
def test_a_genuine_document_does_not_fail(kind):
    outcome = (PDF_KINDS | PICTURE_KINDS)[kind](document())

    result = verified(outcome)

    assert strong(result) == []
    assert result["verification_result"] == (
        "WARNING" if kind in FOR_A_PERSON else "NORMAL"
    )
    assert not any("stopped" in item["why"] for item in result["not_checked"])


@pytest.mark.parametrize("kind", FORGED)
def test_a_document_with_an_altered_fact_fails(kind):
    result = verified(FORGED[kind](document()))

    assert strong(result)
    assert result["verification_result"] == "HIGH_RISK"


def of(rule: Any, file: bytes) -> Any:
    return rule(Evidence(file))


def test_a_page_that_was_turned_in_a_viewer_looks_the_same():
    file = turned(180, append=True)(plain(scanned_certificate().content))

    assert Evidence(file).revisions
    assert of(revisions.revision_pixels_changed, file) is None


@pytest.mark.parametrize(
    ("words", "strong"),
    [
        ("Signature specimen of the director", False),
        ("This is a sample certificate", True),
        ("MUSTER", True),
        ("AMOSTRA", True),
        ("FAC-SIMILE", True),
        ("Erika Mustermann", False),
    ],
)
def test_the_word_specimen_alone_is_weak(words, strong):
    result: Any = text.placeholder_or_sample(evidence_of(make_pdf(words)))

    assert result
    assert result.strong is strong


def test_the_specimen_signature_of_a_mandate_is_no_sample():
    file = make_pdf("Account mandate\nName Specimen signature\nT. Arnold")

    assert text.placeholder_or_sample(evidence_of(file)) is None


@pytest.mark.parametrize(
    ("words", "strong"),
    [
        ("Registered office: 123 Main Street, Springfield", False),
        ("Attach a sample statement of your bank", False),
        ("The tariff is for illustration only", False),
        ("This certificate is not a valid document without the seal", False),
        ("This is a sample paragraph, with numbers", False),
        ("This is a sample", True),
        ("This is a sample invoice of an imaginary supplier", True),
        ("SAMPLE", True),
        ("Sample certificate", True),
        ("[Insert date]\nCUSTOMER NAME\n123 Main Street", True),
    ],
)
def test_an_example_in_a_document_makes_no_sample_of_it(words, strong):
    result: Any = text.placeholder_or_sample(evidence_of(make_pdf(words)))

    assert result.strong is strong


@pytest.mark.parametrize(
    ("before", "after", "altered"),
    [
        ("March 14, 2019", "March 14, 2013", True),
        ("Northwind Traders Limited", "Southwind Traders Limited", True),
        ("DISSOLVED", "", True),
        ("10,000", "100,000", True),
        ("5594810", "5594810", False),
        ("14ElderStreetNorburyNB11AA", "14 Elder Street, Norbury NB1 1AA", False),
        ("{{company_name}}", "Northwind Traders", False),
        ("«Date»", "14 March 2019", False),
        ("TT.MM.JJJJ", "14.03.2019", False),
        ("________", "14 March 2019", False),
        ("Page 2 of 9", "Page 4 of 12", False),
        ("Signature of the applicant", "", False),
        ("Secretary of State", "Registrar", False),
    ],
)
def test_what_counts_as_a_fact(before, after, altered):
    assert alters(Change(1, before, after)) is altered


@pytest.mark.parametrize(
    ("after", "top", "altered"),
    [
        ("4/64", 0.95, False),
        ("", 0.02, False),
        ("4/64", 0.3, True),
        ("1/01", 0.95, True),
    ],
)
def test_a_bare_fraction_is_the_number_of_a_page_at_its_edge_alone(after, top, altered):
    place = Box(1, 0.4, top, 0.45, top + 0.015)

    assert alters(Change(1, "3/64", after, (place,))) is altered


def with_code(words: str, held: str) -> bytes:
    """A page of words with a QR code in its corner."""
    result = zxingcpp.create_barcode(held, zxingcpp.BarcodeFormat.QRCode)
    code = Image.fromarray(np.array(zxingcpp.write_barcode_to_image(result, scale=5)))

    def put(pdf: pikepdf.Pdf) -> None:
        name(pdf, "/XObject", "/Code", image(pdf, code.convert("L"), quality=95))
        over(b"q 130 0 0 130 430 40 cm /Code Do Q")(pdf)

    return rewritten(make_pdf(words), put)


CERTIFIED = """
Certificate of Incorporation
I hereby certify that Northwind Traders Limited is incorporated
Company registration number 5594810
"""


@pytest.mark.parametrize(
    ("hold", "strong"),
    [
        ("https://verify.example/document?id=8F3A9C0021BD&no=20240011", None),
        ('{"name": "Registrar of Companies", "id": "884120033"}', None),
        ('{"companyName": "NORTHWIND TRADERS LTD", "rcNumber": "5594810"}', None),
        ('{"companyName": "Southgate Fisheries Limited", "rcNumber": "5594810"}', True),
        ('{"companyName": "Southgate Fisheries Limited"}', True),
        ("http://[verify.example?id=8F3A9C0021BD", None),
        ('{"companyName":' + "[" * 1200, None),
    ],
)
def test_a_code_contradicts_only_in_what_it_says_of_the_company(hold, strong):
    sign = of(crosschecks.qr_conflicts, with_code(CERTIFIED, hold))

    assert (sign.strong if sign else None) is strong


def test_pages_that_were_put_in_are_told_and_accuse_nobody():
    evidence = Evidence(PDF_KINDS["page put in before"](document()))

    result: Any = revisions.revision_pages_changed(evidence)

    assert result.description == "The file has 2 pages, and had 1 before."
    assert revisions.revision_content_identical(evidence) is None


def test_a_value_beneath_a_text_box_is_altered():
    edited = samples.tampered_certificates(seed=4)["text_box"].content

    read = extraction_of(edited, samples.good_certificate(seed=4).attested)

    assert "altered" in {row["state"] for row in read["comparisons"]}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1.50", "150"),
        ("12,5 %", "125 %"),
        ("100.00", "10000"),
        ("2,500", "25,00"),
        ("-500", "500"),
        ("Total 500", "Total -500"),
        ("\u22125.00", "5.00"),
        ("(500.00)", "500.00"),
        ("500.00-", "500.00"),
    ],
)
def test_decimals_and_signs_are_part_of_a_number(before, after):
    assert alters(Change(1, before, after))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("1,234.56", "1.234,56"),
        ("1 234,56", "1234,56"),
        ("10,000", "10.000"),
        ("NB1 1AA", "NB11AA"),
        ("Total -5", "Total-5"),
        ("- 5 apples", "5 apples"),
        ("see (2)", "see 2"),
        ("12/31/2019", "12.31.2019"),
        ("COVID-19", "COVID 19"),
    ],
)
def test_other_separators_alter_no_number(before, after):
    assert not alters(Change(1, before, after))
