"""What is seen on a page, on samples drawn with and without each mark."""

from __future__ import annotations

import io
import json

import pytest
from reportlab.lib.pagesizes import LETTER
from reportlab.pdfgen.canvas import Canvas

from checks.evidence import Evidence
from checks.fields.document_types import TYPES
from checks.samples.certificate import invent
from checks.samples.marking import (
    GREY,
    RED,
    Marks,
    Scan,
    draw_articles,
    draw_marked_certificate,
    scan_page,
)
from checks.visual_verification import marks
from checks.visual_verification.codes import compared_codes
from checks.visual_verification.expectations import EXPECTED
from checks.visual_verification.page_scan import look
from tests.checks.documents import VISUAL, evidence_of, make_pdf, results_of
from tests.checks.vision.lookalikes import draw_lookalike

pytestmark = pytest.mark.sweep

COMPANY = invent(11)
BARE = Marks(seal=False, signature=False)
# Where the samples put them, as fractions of the page.
SEAL, SIGNED = (0.31, 0.72), (0.68, 0.71)


def holds(box, point):
    return box["x0"] < point[0] < box["x1"] and box["y0"] < point[1] < box["y1"]


def sections_of(content, attested=None):
    inspection = results_of(content, attested)[VISUAL]["payload"]["visual_inspection"]
    return inspection["visual_analysis"] | {"payload": inspection}


@pytest.mark.parametrize(
    ("marks", "scan"),
    [
        (Marks(), None),
        (Marks(production="picture", ink=RED), None),
        (Marks(ink=GREY), None),
        (Marks(), Scan()),
        (Marks(), Scan(askew=3)),
        (Marks(), Scan(contrast=0.45)),
    ],
    ids=["vector", "picture", "grey", "scan", "askew", "faint"],
)
def test_a_seal_and_a_signature_are_seen_where_they_are(marks, scan):
    content = draw_marked_certificate(COMPANY, marks)
    if scan is not None:
        content = scan_page(content, 11, scan)

    result = sections_of(content)

    seal, signature = result["seal_verification"], result["signature_verification"]
    assert (seal["present"], seal["passed"]) == (True, True)
    assert (signature["present"], signature["passed"]) == (True, True)
    assert [holds(box, SEAL) for box in seal["boxes"]] == [True]
    assert any(holds(box, SIGNED) for box in signature["boxes"])


def test_marks_of_a_page_that_was_scanned_on_its_side_are_shown_as_it_is_displayed():
    content = draw_marked_certificate(COMPANY, Marks())
    result = sections_of(scan_page(content, 11, Scan(turned=1)))

    # The scanner turned the page against the clock.
    [box] = result["seal_verification"]["boxes"]
    assert holds(box, (SEAL[1], 1 - SEAL[0]))
    assert any(
        holds(box, (SIGNED[1], 1 - SIGNED[0]))
        for box in result["signature_verification"]["boxes"]
    )


@pytest.mark.parametrize("scanned", [False, True])
def test_where_there_is_neither_both_are_absent(scanned):
    content = draw_marked_certificate(COMPANY, BARE)
    result = sections_of(scan_page(content, 11, Scan()) if scanned else content)

    seal, signature = result["seal_verification"], result["signature_verification"]
    assert (seal["present"], seal["checked"], seal["passed"]) == (False, True, False)
    assert "one of which a certificate of incorporation bears" in seal["analysis"]
    assert (signature["present"], signature["passed"]) == (False, True)


def test_a_round_mark_without_lettering_is_left_to_a_person():
    result = sections_of(draw_lookalike(COMPANY, "logo"))

    seal = result["seal_verification"]
    assert (seal["present"], seal["checked"]) == (False, False)
    assert seal["analysis"].startswith("cannot be judged")
    assert [holds(box, (330 / 612, 1 - 250 / 792)) for box in seal["boxes"]] == [True]


@pytest.mark.parametrize("scanned", [False, True])
def test_articles_that_nobody_signed_do_not_pass(scanned):
    content = draw_articles(COMPANY, BARE)
    result = sections_of(scan_page(content, 11, Scan()) if scanned else content)

    signature = result["signature_verification"]
    assert (signature["present"], signature["checked"], signature["passed"]) == (
        False,
        True,
        False,
    )
    [line] = signature["boxes"]
    assert line["y0"] == pytest.approx(1 - 268 / 792, abs=0.015)
    assert result["payload"]["inspection_passed"] is False


@pytest.mark.parametrize("scanned", [False, True])
def test_articles_that_were_signed_pass(scanned):
    content = draw_articles(COMPANY, Marks())
    result = sections_of(scan_page(content, 11, Scan()) if scanned else content)

    assert result["signature_verification"]["present"] is True
    assert "empty" not in result["signature_verification"]["analysis"]
    assert result["seal_verification"]["passed"] is True


def code_of(text, attested=None):
    content = draw_marked_certificate(COMPANY, Marks(seal=False, code=text))
    [result] = compared_codes(evidence_of(content, **(attested or {})))
    return result, content


@pytest.mark.parametrize(
    ("text", "state"),
    [
        (f"https://register.example/company/{COMPANY.file_number}", "agrees"),
        (f"N0{COMPANY.file_number}Q", "agrees"),
        (json.dumps({"companyName": COMPANY.company, "id": 7}), "agrees"),
        (f"Legal Name :{COMPANY.company}\nCompany No :{COMPANY.file_number}", "agrees"),
        (json.dumps({"companyName": "Thornfield Apparel LLC"}), "conflicts"),
        (f"Legal Name :{COMPANY.company}\nCompany No :99887766", "conflicts"),
        ("https://register.example/company/99887766", "not_compared"),
        ("[" * 400, "not_compared"),
        ("http://[register.example/99887766", "not_compared"),
        ("12345678", "not_compared"),
        # A year that the document states, too.
        (f"https://pay.example/INV-{COMPANY.incorporated.year}-77", "not_compared"),
    ],
)
def test_codes_are_held_against_the_text(text, state):
    result, _ = code_of(text)

    assert (result.state, result.code.format) == (state, "QR Code")
    assert holds(
        {k: getattr(result.code.box, k) for k in ("x0", "y0", "x1", "y1")},
        (0.77, 0.867),
    )


def test_a_code_that_contradicts_the_document_does_not_pass():
    _, content = code_of("Company Name: Thornfield Apparel LLC")
    result = sections_of(content)

    authenticity = result["authenticity_verification"]
    assert authenticity["passed"] is False
    assert "Thornfield Apparel LLC" in authenticity["analysis"]
    assert [code["state"] for code in result["payload"]["barcodes"]] == ["conflicts"]


def test_a_code_of_the_register_stands_in_for_a_seal():
    _, content = code_of(f"https://register.example/company/{COMPANY.file_number}")

    seal = sections_of(content)["seal_verification"]
    assert (seal["present"], seal["passed"]) == (False, True)


def test_of_a_long_document_the_first_and_last_pages_are_looked_at_and_it_says_so():
    content = make_pdf(*(f"Minutes, item {n}" for n in range(1, 15)))
    evidence = evidence_of(content)

    looked = evidence.once(look)
    assert looked.pages == [1, 2, 3, 4, 5, 6, 7, 8, 11, 12, 13, 14]
    assert looked.missed == [
        "pages 9, 10 not looked at: of long documents the first 8 and the last 4 are"
    ]
    assert marks.seal(evidence).analysis.startswith(
        "cannot be judged: no seal, but pages 9, 10"
    )


def test_what_cannot_be_opened_is_not_judged():
    evidence = Evidence(b"%PDF-1.7\nnothing follows", "a.pdf")

    assert marks.seal(evidence).passed is None
    assert marks.signature(evidence).passed is None


def test_every_kind_of_document_has_its_expectation():
    assert {kind.code for kind in TYPES} == set(EXPECTED)


@pytest.mark.parametrize(
    ("printed", "passed"), [("Page {} of 4", False), ("Page {} of 3", True)]
)
def test_pages_that_are_missing_by_their_own_count(printed, passed):
    lines = "\n".join(f"Line {n} of the agreement" for n in range(41))
    content = make_pdf(*(f"{lines}\n{printed.format(n)}" for n in (1, 2, 3)))

    section = sections_of(content)["document_layout_and_content_verification"]
    assert section["passed"] is passed
    assert ("page 4 are missing" in section["analysis"]) is not passed


def test_a_round_mark_that_may_be_a_seal_is_not_called_handwriting():
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=LETTER, invariant=1)
    canvas.setFont("Times-Roman", 14)
    for row, line in enumerate(CERTIFIED):
        canvas.drawCentredString(306, 680 - 26 * row, line)
    canvas.setStrokeColorRGB(0.64, 0.09, 0.11)
    for radius, width in ((43, 1), (40, 1)):
        canvas.setLineWidth(width)
        canvas.circle(306, 520, radius)
    canvas.setFillColorRGB(0.64, 0.09, 0.11)
    canvas.drawCentredString(306, 515, "GREAT SEAL")
    canvas.save()

    result = sections_of(out.getvalue())

    assert "Handwriting" not in result["signature_verification"]["analysis"]


CERTIFIED = (
    "Certificate of Good Standing",
    "I hereby certify that Brackenfield Mills, Inc., with file number 4471920,",
    "was incorporated on March 9, 2011 and is in good standing.",
    "Wendell P. Oakes, Secretary of State",
)
