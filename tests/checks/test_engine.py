"""The engine from outside: samples in, results out."""

from __future__ import annotations

import json
import multiprocessing
import pickle
import subprocess
import sys
from io import BytesIO

import pikepdf
import pytest

from checks import engine, registry
from checks.base import Examined, alerts_of
from checks.samples import (
    Sample,
    edited_certificate,
    good_certificate,
    scanned_certificate,
)
from tests.checks.documents import (
    CHECK,
    EXTRACTION,
    FRAUD,
    VISUAL,
    make_pdf,
    results_of,
    results_once,
)

GOOD, EDITED, SCANNED = good_certificate(), edited_certificate(), scanned_certificate()
SECTIONS = {
    "document_analysis_and_classification",
    "seal_verification",
    "signature_verification",
    "document_layout_and_content_verification",
    "authenticity_verification",
    "cross_referencing_and_consistency_check",
}

# A sample, and the arguments with which it is examined.
File = tuple[Sample, dict[str, str]]
GOOD_FILE: File = (GOOD, {})
EDITED_FILE: File = (EDITED, {})
SCANNED_FILE: File = (SCANNED, {})
UNREAD_FILE: File = (SCANNED, {"ocr": "off"})
MISSING_FILE: File = (GOOD, {"error": "could not be fetched"})


def results_of_sample(sample, **arguments):
    return results_once(sample.content, sample.attested, arguments)


def examined(sample, error="", **arguments):
    return Examined(
        document={"type": "Document", "file_name": sample.file_name},
        outcomes=results_of_sample(sample, **arguments) if not error else {},
        error=error,
    )


def test_a_good_certificate_passes_every_tool():
    results = results_of_sample(GOOD)

    assert list(results) == [EXTRACTION, VISUAL, FRAUD]
    assert {result["verdict"] for result in results.values()} == {"pass"}
    data = results[EXTRACTION]["payload"]["extraction_data"]
    assert data["business_name"] == GOOD.attested["registered_business_name"]
    assert data["incorporation_date"] == GOOD.attested["incorporation_date"]
    assert data["business_registration_number"] == [
        GOOD.attested["business_registration_number"]
    ]
    assert (
        data["business_address"]["street_1"]
        == GOOD.attested["address_of_incorporation"]["street_1"]
    )
    states = {c["field"]: c["state"] for c in data["comparisons"]}
    assert set(states.values()) == {"equal"}
    signs = results[FRAUD]["payload"]["fraud_verification_data"]["verification_data"]
    assert {sign["type"] for sign in signs} <= {"INFO"}


def test_every_field_has_its_place_on_the_page():
    data = results_of_sample(GOOD)[EXTRACTION]["payload"]["extraction_data"]

    name = data["evidence"]["business_name"]
    assert data["business_name"] in name["snippet"]
    assert name["confidence"] >= 0.9
    [box] = name["boxes"]
    # The name stands centred in the upper half of the page.
    assert box["page"] == 1
    assert 0.3 < box["y0"] < box["y1"] < 0.45
    assert abs((box["x0"] + box["x1"]) / 2 - 0.5) < 0.01


def test_an_edited_certificate_shows_what_was_changed():
    results = results_of_sample(EDITED)

    fraud = results[FRAUD]["payload"]["fraud_verification_data"]
    by_name = {item["indicator_id"]: item for item in fraud["verification_data"]}
    new = EDITED.attested["incorporation_date"][:4]
    old = str(int(new) + 6)
    assert fraud["verification_result"] == "HIGH_RISK"
    assert results[FRAUD]["passed"] is False
    assert by_name["revision_text_changed"]["raw"] == f"page 1: “{old}” → “{new}”"
    assert by_name["text_covered"]["raw"] == f"{old} → {new}"
    [box] = by_name["text_covered"]["boxes"]
    assert 0.45 < box["y0"] < box["y1"] < 0.5


def test_what_is_displayed_is_read_and_not_what_lies_under_it():
    data = results_of_sample(EDITED)[EXTRACTION]["payload"]["extraction_data"]

    assert data["incorporation_date"] == EDITED.attested["incorporation_date"]


def test_an_altered_value_is_no_match():
    results = results_of_sample(EDITED)
    result = engine.conclude(CHECK, [examined(EDITED)], EDITED.attested)

    rows = results[EXTRACTION]["payload"]["extraction_data"]["comparisons"]
    assert [row["field"] for row in rows if row["state"] == "altered"] == [
        "incorporation_date"
    ]
    assert results[EXTRACTION]["verdict"] == "review"
    new = EDITED.attested["incorporation_date"][:4]
    assert result["explanation"] == (
        f"This document was edited: the year was {int(new) + 6}, now {new}. "
        "Altered on the document: Date of incorporation."
    )


def test_the_sentence_over_a_check_follows_from_its_rows():
    address = {"street_1": "1 Elsewhere Road", "city": "Lyon", "country_code": "FR"}
    other = GOOD.attested | {"address_of_operation": address}

    sentences = [
        engine.conclude(CHECK, [Examined({}, results_of(GOOD.content, text))], text)[
            "explanation"
        ]
        for text in (GOOD.attested, other, {})
    ]

    assert sentences[0] == "The document is valid and agrees with the data."
    assert sentences[1] == "The document is valid. Not compared: Address of operation."
    assert (
        sentences[2]
        == "The document is valid. Nothing on it could be compared with the data."
    )


def test_a_scan_is_read_like_the_page_that_was_scanned():
    results = results_of_sample(SCANNED)

    data = results[EXTRACTION]["payload"]["extraction_data"]
    assert results[EXTRACTION]["verdict"] == "pass"
    assert data["business_name"] == SCANNED.attested["registered_business_name"]
    assert {c["state"] for c in data["comparisons"]} == {"equal"}
    assert data["evidence"]["business_name"]["source"] == "OCR"
    assert 0.5 < data["evidence"]["business_name"]["confidence"] < 1
    value = results[FRAUD]["payload"]["fraud_verification_data"]["verification_data"]
    # The office of the sample gives its certificates as files with text, and on paper.
    assert [item["indicator_id"] for item in value] == [
        "image_only_document",
        "issuer_text_missing",
    ]


def test_where_ocr_is_off_a_scan_says_that_it_was_not_read():
    results = results_of_sample(SCANNED, ocr="off")

    data = results[EXTRACTION]["payload"]["extraction_data"]
    assert (
        results[EXTRACTION]["verdict"] == results[VISUAL]["verdict"] == "inconclusive"
    )
    assert data["business_name"] is None
    assert (
        "not checked: OCR is switched off" in data["evidence"]["business_name"]["how"]
    )
    assert data["unread_pages"] == [1]
    assert {c["state"] for c in data["comparisons"]} == {"cannot_compare"}


def test_the_wire_has_the_members_of_the_interface():
    results = results_of_sample(GOOD)

    json.dumps(results)
    for result in results.values():
        assert isinstance(result["passed"], bool)
        assert result["payload"]["document"] == {
            "type": "Document",
            "url": "https://files.example/document.pdf",
            "file_name": "document.pdf",
        }
    visual = results[VISUAL]["payload"]["visual_inspection"]
    assert visual["type"] == "VisualInspectionResults"
    assert set(visual["visual_analysis"]) == SECTIONS
    for section in visual["visual_analysis"].values():
        assert isinstance(section["passed"], bool)
        assert isinstance(section["analysis"], str)
    assert visual["visual_analysis"]["seal_verification"]["present"] is True


def test_a_section_that_was_not_checked_has_not_passed_and_does_not_count():
    content = make_pdf(
        "Articles of Incorporation\nARTICLE I\nThe name of this corporation is\nLarkspur Foods, Inc."
    )
    visual = results_of(content)[VISUAL]["payload"]["visual_inspection"][
        "visual_analysis"
    ]

    section = visual["authenticity_verification"]
    assert (section["checked"], section["passed"]) == (False, False)
    assert section["analysis"].startswith("not checked")


def test_a_differing_name_goes_to_a_person():
    attested = GOOD.attested | {"registered_business_name": "Thornfield Apparel LLC"}

    results = results_of(GOOD.content, attested)

    assert results[EXTRACTION]["verdict"] == "review"
    assert any(
        "Thornfield Apparel" in alert for alert in alerts_of(results[EXTRACTION])
    )
    section = results[VISUAL]["payload"]["visual_inspection"]["visual_analysis"]
    assert section["cross_referencing_and_consistency_check"]["passed"] is False


def test_a_trade_name_need_not_stand_on_the_document():
    attested = GOOD.attested | {"business_name": "Thornfield Apparel"}

    results = results_of(GOOD.content, attested)

    data = results[EXTRACTION]["payload"]["extraction_data"]
    states = {c["field"]: c["state"] for c in data["comparisons"]}
    assert results[EXTRACTION]["verdict"] == "pass"
    assert (states["registered_business_name"], states["business_name"]) == (
        "equal",
        "close",
    )


def test_conclude_takes_the_verified_fields_from_the_valid_document():
    result = engine.conclude(CHECK, [examined(GOOD)], GOOD.attested)

    payload = result["payload"]
    assert result["verdict"] == "pass"
    assert payload["type"] == "IncorporationDocumentVerificationResult"
    assert (
        payload["verified_business_name"] == GOOD.attested["registered_business_name"]
    )
    assert payload["verified_incorporation_date"] == GOOD.attested["incorporation_date"]
    [item] = payload["valid_documents"]
    assert item["document"]["file_name"] == GOOD.file_name
    assert {"extraction_data", "visual_inspection", "fraud_verification_data"} < set(
        item
    )


@pytest.mark.parametrize(
    ("documents", "verdict", "passed"),
    [
        ([], "not_applicable", None),
        ([EDITED_FILE], "fail", False),
        ([GOOD_FILE, EDITED_FILE], "fail", False),
        ([SCANNED_FILE], "pass", True),
        ([UNREAD_FILE], "inconclusive", False),
        ([GOOD_FILE, UNREAD_FILE], "review", False),
        ([MISSING_FILE], "inconclusive", False),
        ([GOOD_FILE, MISSING_FILE], "review", False),
        ([GOOD_FILE], "pass", True),
    ],
)
def test_the_declared_rule(documents, verdict, passed):
    results = [examined(sample, **arguments) for sample, arguments in documents]

    result = engine.conclude(CHECK, results, {})

    assert (result["verdict"], result["passed"]) == (verdict, passed)


def test_an_invoice_is_not_a_document_of_incorporation():
    content = make_pdf(
        "Tax invoice\nInvoice number 77\nInvoice date 1 March 2021\nTotal due 12.00"
    )

    results = results_of(content)
    verdict = engine.conclude(CHECK, [Examined({}, results)], {})

    assert results[EXTRACTION]["verdict"] == "review"
    assert verdict["verdict"] == "review"
    assert len(verdict["payload"]["invalid_documents"]) == 1


def test_skipped_tools_do_not_run_again():
    assert list(results_of(GOOD.content, skip=[EXTRACTION])) == [VISUAL, FRAUD]
    assert list(
        results_of(GOOD.content, skip=["kyb.incorporation_document_extractor"])
    ) == [
        VISUAL,
        FRAUD,
    ]


def test_the_content_of_a_document_is_not_sent_back():
    results = dict(
        engine.examine(
            CHECK,
            file=GOOD.content,
            file_name="a.pdf",
            attested={},
            document={"b64_document": "U0VDUkVU", "file_name": "a.pdf"},
        )
    )

    assert "U0VDUkVU" not in json.dumps(results)


def test_an_unknown_check_is_named():
    with pytest.raises(registry.UnknownCheckError, match=r"kyb\.nothing") as caught:
        registry.get("kyb.nothing")

    assert caught.value.check_id == "kyb.nothing"


def test_selection_by_kind_of_case():
    assert CHECK in [check.id for check in registry.select((), "kyb")]
    assert CHECK not in [check.id for check in registry.select((), "kyc")]
    assert "kyc.date_of_birth" in [check.id for check in registry.select((), "kyc")]
    assert [check.id for check in registry.select([CHECK], "kyb")] == [CHECK]
    with pytest.raises(registry.UnknownCheckError):
        registry.select(["kyb.nothing"], "kyb")


def _outcomes(content: bytes) -> list[str]:
    return [result["verdict"] for result in results_of(content).values()]


def test_a_child_process_can_examine():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        verdicts = pool.apply(_outcomes, (GOOD.content,))

    assert verdicts == ["pass", "pass", "pass"]
    # Examined again here, with what other tests have left in this process.
    assert results_of(GOOD.content, GOOD.attested) == results_of_sample(GOOD)
    assert pickle.loads(pickle.dumps(examined(GOOD))) == examined(GOOD)  # noqa: S301


def test_importing_the_engine_is_cheap():
    program = (
        "import sys; from pathlib import Path; import checks.engine;"
        "size = int(Path('/proc/self/statm').read_text().split()[1]) * 4096;"
        "print(size, 'reportlab' in sys.modules, 'django' in sys.modules)"
    )
    process = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True
    )
    size, reportlab, django = process.stdout.split()

    assert (reportlab, django) == (b"False", b"False")
    assert int(size) < 60 * 1024 * 1024


def test_samples_are_the_same_every_time():
    assert good_certificate().content == GOOD.content
    assert edited_certificate().content == EDITED.content
    assert scanned_certificate().content == SCANNED.content
    assert good_certificate(7).content != GOOD.content


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(20, 32))
def test_any_sample_reads_as_it_was_drawn(seed):
    sample = good_certificate(seed)

    results = results_of(sample.content, sample.attested)

    assert {result["verdict"] for result in results.values()} == {"pass"}
    comparisons = results[EXTRACTION]["payload"]["extraction_data"]["comparisons"]
    assert {c["state"] for c in comparisons} == {"equal"}


def test_a_page_that_could_not_be_read_leaves_the_verdict_to_a_person():
    with (
        pikepdf.open(BytesIO(GOOD.content)) as book,
        pikepdf.open(BytesIO(SCANNED.content)) as scan,
    ):
        book.pages.extend(scan.pages)
        both = BytesIO()
        book.save(both)
    examined = Examined(
        document={},
        outcomes=results_of(both.getvalue(), GOOD.attested, arguments={"ocr": "off"}),
    )
    concluded = engine.conclude(CHECK, [examined], GOOD.attested)
    assert concluded["verdict"] == "review"
    assert "could not be read" in concluded["explanation"]
