"""What a service said stands on the page, in the words and shapes of the desk."""

from __future__ import annotations

import pytest

from reviews.models import Document
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
    words,
)

pytestmark = pytest.mark.django_db


def test_a_difference_is_told_by_shape_word_and_word_diff(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    row = payloads.comparison(
        "Registered address",
        attested="1209 Orange St, Wilmington",
        extracted="251 Little Falls Drive, Wilmington",
    )
    part = payloads.extraction(row)
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", part, document=wire(document)),
    )
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert "<del>1209 Orange St,</del> Wilmington" in html
    assert "<ins>251 Little Falls Drive,</ins> Wilmington" in html
    assert "#equal-not" in html
    text = words(analyst, f"/cases/{case.pk}/")
    assert "1 differs" in text
    assert "one day apart" in text


def test_equal_values_are_printed_once(analyst):
    case, job = reviewed_case()
    add_document(case)
    row = payloads.comparison(
        "Jurisdiction", attested="Delaware", extracted="Utah", state="equal"
    )
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", payloads.extraction(row)),
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Utah" in text
    assert "Delaware" not in text


def test_the_six_sections_stand_in_the_order_of_the_interface(analyst):
    case, job = reviewed_case()
    add_document(case)
    part = payloads.visual(
        seal_verification={
            "analysis": "A round seal.",
            "passed": True,
            "present": True,
        },
        signature_verification={
            "analysis": "No ink.",
            "passed": False,
            "present": False,
        },
        authenticity_verification={
            "analysis": "No pixels read.",
            "passed": True,
            "checked": False,
        },
    )
    add_tool_result(
        job, payloads.VISUAL, payloads.tool_results("visual_inspection", part)
    )
    text = words(analyst, f"/cases/{case.pk}/")
    places = [
        text.index(f"{message} ")
        for message in (
            "passed Classification",
            "passed Seal present",
            "failed Signature absent",
            "passed Layout and content",
            "not checked Authenticity not checked",
            "passed Cross-reference",
        )
    ]
    assert places == sorted(places)
    assert "4 of 5 passed" in text


def test_a_section_that_was_not_sent_is_not_checked(analyst):
    case, job = reviewed_case()
    add_document(case)
    part = {"inspection_passed": True, "visual_analysis": {}}
    add_tool_result(
        job, payloads.VISUAL, payloads.tool_results("visual_inspection", part)
    )
    text = words(analyst, f"/cases/{case.pk}/")
    # Its six sections, and the two parts of a document that did not come at all.
    assert text.count("Not checked: the service sent nothing on this.") == 8


def test_risks_come_before_information_and_trust(analyst):
    case, job = reviewed_case()
    add_document(case)
    part = payloads.fraud(
        payloads.indicator("TRUST", "Signature is valid"),
        payloads.indicator("INFO", "Saved twice"),
        payloads.indicator("RISK", "Text was covered", raw="<< /Type /Annot >>"),
    )
    add_tool_result(
        job, payloads.FRAUD, payloads.tool_results("fraud_verification_data", part)
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "High risk verification did not pass 1 risk 1 info 1 trust" in text
    order = [
        text.index(t) for t in ("Text was covered", "Saved twice", "Signature is valid")
    ]
    assert order == sorted(order)
    assert "<< /Type /Annot >>" in text


def test_parts_of_a_lost_tool_event_come_from_the_check_result(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    entry = {
        "document": wire(document),
        "extraction_data": payloads.extraction(payloads.comparison("From the check")),
        "visual_inspection": None,
    }
    add_check_result(job, {"passed": True, "payload": {"valid_documents": [entry]}})
    assert "From the check" in words(analyst, f"/cases/{case.pk}/")


def test_the_tools_part_is_preferred_and_nothing_is_shown_twice(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    row = payloads.comparison("From the check", attested="x")
    entry = {"document": wire(document), "extraction_data": payloads.extraction(row)}
    add_check_result(job, {"valid_documents": [entry]})
    result = payloads.extraction(payloads.comparison("From the tool"))
    add_tool_result(
        job,
        payloads.EXTRACTION,
        payloads.tool_results("extraction_data", result, document=wire(document)),
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "From the tool" in text
    assert "From the check" not in text
    assert text.count("Attested against document") == 1


def test_a_tool_event_without_a_document_finds_it_among_the_check_results(analyst):
    case, job = reviewed_case()
    add_document(case, name="first.pdf")
    second = add_document(case, name="second.pdf")
    result = payloads.extraction(payloads.comparison("Of the second"))
    add_tool_result(
        job, payloads.EXTRACTION, payloads.tool_results("extraction_data", result)
    )
    entry = {"document": {"file_name": "second.pdf"}, "extraction_data": result}
    add_check_result(job, {"valid_documents": [entry]})
    assert "Of the second" not in words(analyst, f"/cases/{case.pk}/")
    assert "Of the second" in words(analyst, f"/cases/{case.pk}/?doc={second.pk}")


def test_the_desk_compares_where_the_service_did_not(analyst):
    case, job = reviewed_case(
        self_attested_data={
            "business_name": "NORTHWIND, Ltd.",
            "incorporation_date": "2023-03-28",
            "address_of_operation": {
                "street_1": "1 Main St.",
                "city": "Dover",
                "state": "DE",
            },
        }
    )
    add_document(case)
    part = payloads.extraction(
        business_name="Northwind Ltd",
        incorporation_date="2023-03-29",
        business_address={
            "street_1": "1 MAIN ST",
            "city": "Dover",
            "state": "DE",
            "street_2": None,
        },
        jurisdiction="Delaware",
    )
    add_tool_result(
        job, payloads.EXTRACTION, payloads.tool_results("extraction_data", part)
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "equal Business name Northwind Ltd" in text
    assert "equal Business address" in text
    assert "differs Incorporation date" in text
    assert "compared by the desk, ignoring case, spaces and punctuation" in text
    assert "not attested Jurisdiction Delaware not attested" in text


def test_the_desk_compares_letters_vowel_signs_and_numbers(analyst):
    case, job = reviewed_case()
    attested = {"business_name": "Cafe\u0301 Noir", "city": "\u0915\u093f", "fee": 2.5}
    case.self_attested_data = attested | {"share": 25, "number": 123456789}
    case.save()
    add_document(case)
    part = payloads.extraction(
        business_name="CAF\u00c9 NOIR", city="\u0915\u0940", fee=25, share=25.0,
        number="12-3456789",
    )  # fmt: skip
    result = payloads.tool_results("extraction_data", part)
    add_tool_result(job, payloads.EXTRACTION, result)
    text = words(analyst, f"/cases/{case.pk}/")
    for row in ("equal Business name", "equal Share", "equal Number"):
        assert row in text
    # Another vowel is another name, and another point another amount.
    for row in ("differs City", "differs Fee"):
        assert row in text


def test_of_very_many_facts_those_that_were_attested_are_compared(analyst):
    case, job = reviewed_case()
    case.self_attested_data = {"ein": "12-3456789"}
    case.save()
    add_document(case)
    facts = {f"fact_{number:03}": "x" for number in range(300)}
    part = payloads.extraction(**facts, ein="99-9999999")
    result = payloads.tool_results("extraction_data", part)
    add_tool_result(job, payloads.EXTRACTION, result)
    assert "differs EIN" in words(analyst, f"/cases/{case.pk}/")


def test_what_the_desk_has_no_view_of_is_shown_as_it_came(analyst):
    case, job = reviewed_case()
    add_tool_result(
        job,
        "kyb.crystal_ball",
        {"passed": True, "payload": {"orb": {"glow": [1, "blue"]}}},
    )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Crystal ball" in text
    assert '"glow": [ 1, "blue" ]' in text


def test_the_part_itself_may_stand_in_the_place_of_the_payload(analyst):
    case, job = reviewed_case()
    add_document(case)
    part = payloads.fraud(payloads.indicator())
    add_tool_result(job, payloads.FRAUD, {"passed": False, "payload": part})
    assert "Text was covered" in words(analyst, f"/cases/{case.pk}/")


def test_boxes_and_rows_lead_to_each_other_without_scripts(analyst):
    case, job = reviewed_case()
    document = add_document(case, pages=2)
    row = payloads.comparison(boxes=[payloads.box(page=2)])
    result = payloads.tool_results(
        "extraction_data", payloads.extraction(row), document=wire(document)
    )
    add_tool_result(job, payloads.EXTRACTION, result)
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert 'id="f0" data-row data-evidence="f0" href="#box-f0"' in html
    assert 'id="box-f0" href="#f0"' in html
    assert (
        '<rect class="box big" x="97.0" y="137.0" width="306.0" height="76.0">' in html
    )


def test_boxes_outside_the_page_are_not_drawn(analyst):
    case, job = reviewed_case()
    add_document(case)
    odd = [
        {"page": 1},
        payloads.box(page=7),
        payloads.box(x0=0.9),
        {"page": "1", "x0": None},
        3,
    ]
    part = payloads.extraction(payloads.comparison(boxes=odd))
    add_tool_result(
        job, payloads.EXTRACTION, payloads.tool_results("extraction_data", part)
    )
    assert "<rect" not in analyst.get(f"/cases/{case.pk}/").content.decode()


def test_check_results_of_an_older_kind_are_understood(analyst):
    case, job = reviewed_case()
    add_document(case)
    row = add_check_result(job)
    row.body = {
        "command_id": payloads.CHECK,
        "status": "complete",
        "payload": {
            "document_verification": {"verification_passed": True, "extracted": "yes"}
        },
    }
    row.save()
    text = words(analyst, f"/cases/{case.pk}/")
    assert "passed certificate.pdf" in text
    assert '"extracted": "yes"' in text


def test_a_check_that_could_not_run_says_why(analyst):
    case, job = reviewed_case()
    row = add_check_result(job, check_id="kyb.web_presence_check", status="failed")
    row.body["error"] = "The site did not answer."
    row.save()
    text = words(analyst, f"/cases/{case.pk}/")
    assert "could not run Web presence The site did not answer." in text


def test_documents_of_two_kinds_get_the_results_of_their_checks(analyst):
    case, job = reviewed_case()
    add_document(case)
    add_document(case, name="ein.pdf", kind=Document.Kind.EIN)
    for check_id, message in (
        (payloads.CHECK, "fail"),
        ("kyb.ein_document_verification", "pass"),
    ):
        add_check_result(
            job,
            {"verdict": message, "explanation": f"It says {message}."},
            check_id=check_id,
        )
    text = words(analyst, f"/cases/{case.pk}/")
    assert "failed Incorporation document certificate.pdf" in text
    assert "passed EIN document ein.pdf" in text
    assert "It says fail." in text
    other = words(analyst, f"/cases/{case.pk}/?check=kyb.ein_document_verification")
    assert "It says pass." in other
    assert (
        "ein.pdf, page"
        in analyst.get(
            f"/cases/{case.pk}/?check=kyb.ein_document_verification"
        ).content.decode()
    )


def test_decoded_barcodes_stand_with_what_they_were_held_against(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    part = payloads.visual() | {
        "barcodes": [
            {
                "format": "QR Code",
                "text": "<b>Thornfield</b>",
                "state": "conflicts",
                "how": "it names another company",
                "boxes": [payloads.box()],
            },
            {
                "format": "Code 39",
                "text": "N09089904Q",
                "state": "agrees",
                "how": "same number",
            },
            "no object",
        ],
        "not_checked": ["pages 9, 10 not looked at"],
    }
    add_tool_result(
        job,
        payloads.VISUAL,
        payloads.tool_results("visual_inspection", part, document=wire(document)),
    )
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    text = words(analyst, f"/cases/{case.pk}/")
    assert "QR Code contradicts the document" in text
    assert "Code 39 agrees same number" not in text.split("QR Code")[0]
    assert "&lt;b&gt;Thornfield&lt;/b&gt;" in html
    assert "Not checked: pages 9, 10 not looked at." in text
    assert 'id="box-c0"' in html


def test_each_edit_that_an_indicator_tells_of_points_at_its_place(analyst):
    case, job = reviewed_case()
    document = add_document(case, pages=2)
    change = {"page": 2, "before": "100", "after": "900", "boxes": [payloads.box(2)]}
    row = payloads.indicator(boxes=[payloads.box(1)], changes=[change, {"before": "a"}])
    result = payloads.tool_results(
        "fraud_verification_data", payloads.fraud(row), document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, result)
    html = analyst.get(f"/cases/{case.pk}/").content.decode()
    assert 'id="i0c0" data-row data-evidence="i0c0" href="#box-i0c0"' in html
    assert 'id="box-i0c0" href="#i0c0"' in html
    assert 'id="i0c1" data-row data-evidence="i0c1" tabindex="-1"' in html
    # An edit is no finding of its own beside its indicator.
    assert [
        item.bad
        for item in analyst.get(f"/cases/{case.pk}/").context["page"]["checklist"]
    ] == [1]
