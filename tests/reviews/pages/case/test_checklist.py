"""The list of checks: what belongs to a document, what comes first, what is opened first."""

from __future__ import annotations

import pytest

from reviews import results
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


def listed(case, job) -> dict[str, results.Check]:
    rows, documents = list(job.check_results.all()), list(case.documents.all())
    result = results.parts(rows, documents, case.self_attested_data)
    return {check.label: check for check in results.checks(rows, documents, result)}


@pytest.fixture
def mixed():
    """One document with its check, checks of the data alone, and kinds that were not handed in."""
    case, job = reviewed_case()
    document = add_document(case)
    add_tool_result(
        job,
        payloads.FRAUD,
        payloads.tool_results(
            "fraud_verification_data",
            payloads.fraud(verification_passed=True, verification_result="TRUSTED"),
        ),
    )
    add_check_result(
        job,
        {"verdict": "not_applicable", "explanation": "No tax number."},
        check_id="kyb.tax_number",
    )
    add_check_result(
        job,
        {"verdict": "pass", "explanation": "In the past."},
        check_id="kyb.incorporation_date",
    )
    add_tool_result(
        job, "phone_tool", {"verdict": "pass", "payload": {"phone": {"rows": []}}}
    )
    add_check_result(job, {"verdict": "pass", "explanation": "In order."})
    add_check_result(
        job, {"verdict": "not_applicable"}, check_id="kyb.proof_of_address_verification"
    )
    add_check_result(
        job,
        {"verdict": "review", "explanation": "One hit."},
        check_id="kyb.sanctions_screening_check_v2",
    )
    return case, job, document


def test_a_check_of_the_data_belongs_to_no_document_though_there_is_but_one(mixed):
    case, job, document = mixed
    result = listed(case, job)
    own = {label for label, check in result.items() if check.documents}
    assert own == {results.check_label(payloads.CHECK)}
    assert result[results.check_label(payloads.CHECK)].documents == (document.pk.hex,)
    assert (
        result["Incorporation date"].group == result["Tax number"].group == "Business"
    )
    assert result["Proof of address"].group == "Documents"


def test_what_does_not_apply_comes_last_in_its_group(mixed):
    case, job, _ = mixed
    order = [(check.group, check.verdict) for check in listed(case, job).values()]
    for group in {name for name, _ in order}:
        verdicts = [verdict for name, verdict in order if name == group]
        assert verdicts == sorted(
            verdicts, key=lambda verdict: verdict == "not_applicable"
        )


def test_the_page_opens_at_the_worst_that_is_open(analyst, mixed):
    case, job, document = mixed
    assert "One hit." in words(analyst, f"/cases/{case.pk}/").rsplit("Findings", 1)[1]
    add_check_result(
        job, {"verdict": "fail", "explanation": "It is wrong."}, check_id="kyb.lei"
    )
    assert (
        "It is wrong." in words(analyst, f"/cases/{case.pk}/").rsplit("Findings", 1)[1]
    )
    # Who asks for a document, or for a check, gets that.
    query = words(analyst, f"/cases/{case.pk}/?doc={document.pk.hex}").rsplit(
        "Findings", 1
    )[1]
    assert "It is wrong." not in query
    query = words(analyst, f"/cases/{case.pk}/?check=kyb.tax_number").rsplit(
        "Findings", 1
    )[1]
    assert "No tax number." in query


def test_the_open_checks_alone_are_listed_through_links_and_marks(analyst):
    case, job = reviewed_case()
    add_check_result(job, {"verdict": "fail"}, check_id="kyb.tax_number")
    add_check_result(job, {"verdict": "review"}, check_id="kyb.lei")
    add_check_result(job, {"verdict": "pass"}, check_id="kyb.incorporation_date")
    everything = words(analyst, f"/cases/{case.pk}/")
    assert "Incorporation date" in everything
    assert "All Open 2" in everything
    html = analyst.get(f"/cases/{case.pk}/?checks=open").content.decode()
    listed = html.partition('id="checklist"')[2].partition("</section>")[0]
    assert "Incorporation date" not in listed
    # What is clicked there stays among the open ones, and so does what is marked.
    assert "?checks=open&amp;check=kyb.lei" in listed
    data = {"check": "kyb.lei", "kind": "reviewed", "checks": "open"}
    answer = analyst.post(f"/cases/{case.pk}/mark/", data)
    assert "checks=open" in answer["Location"]
    listed = (
        analyst.get(answer["Location"]).content.decode().partition('id="checklist"')[2]
    )
    assert "Open 1" in listed
    assert (
        "check=kyb.lei" in listed.partition("</section>")[0]
    )  # it is the one that is shown
    analyst.post(f"/cases/{case.pk}/mark/", {**data, "check": "kyb.tax_number"})
    text = words(analyst, f"/cases/{case.pk}/?checks=open&check=kyb.incorporation_date")
    assert "Open 0" in text


def test_a_tool_that_is_a_check_of_its_own_is_no_part_of_the_others(analyst):
    case, job = reviewed_case()
    document = add_document(case)
    outcome = payloads.tool_results(
        "fraud_verification_data",
        payloads.fraud(payloads.indicator(title="Covered")),
        document=wire(document),
    )
    add_tool_result(job, payloads.FRAUD, outcome, subject=document.pk.hex)
    safety = {"document": wire(document), "document_safety": {"opened": True}}
    add_tool_result(
        job,
        "document_safety_check",
        {"verdict": "pass", "payload": safety},
        subject=document.pk.hex,
    )
    add_check_result(
        job, {"verdict": "fail", "payload": {"invalid_documents": [wire(document)]}}
    )
    add_check_result(
        job,
        {
            "verdict": "pass",
            "explanation": "It was opened safely.",
            "payload": {"valid_documents": [wire(document)]},
        },
        check_id="document_safety_check",
    )
    result = listed(case, job)
    parts = {
        label: [part.origin for part in check.parts] for label, check in result.items()
    }
    assert parts == {
        results.check_label(payloads.CHECK): [payloads.FRAUD],
        "Document safety": ["document_safety_check"],
    }
    page = words(analyst, f"/cases/{case.pk}/?check=document_safety_check")
    assert "It was opened safely." in page
    # Once, in the sentence on the whole case.
    assert page.count("Covered") == 1
    assert "Attested against document" not in page
    page = words(analyst, f"/cases/{case.pk}/?check={payloads.CHECK}")
    assert page.count("Covered") > 1
    assert "It was opened safely." not in page


@pytest.mark.parametrize("is_tool_first", [True, False])
def test_rows_without_a_verdict_are_no_other_result_of_a_check(analyst, is_tool_first):
    case, job = reviewed_case()
    document = add_document(case)
    opened = {"label": "Opened", "value": "PDF, 1 page, 2 kB", "state": "pass"}
    of_tool = {
        "verdict": "pass",
        "passed": True,
        "explanation": "The file was opened safely.",
        "payload": {"document": wire(document), "document_safety": {"rows": [opened]}},
    }
    # The verdict of a check is beside its payload, not in it.
    summed_up = {"label": document.file_name, "value": "", "state": "pass"}
    of_check = {
        "verdict": "pass",
        "passed": True,
        "explanation": "1 of 1 documents were opened safely.",
        "payload": {"document_safety": {"rows": [summed_up], "documents": [of_tool]}},
    }
    name = "document_safety_check"
    if is_tool_first:
        add_tool_result(job, name, of_tool, subject=document.pk.hex)
    add_check_result(job, of_check, check_id=name)
    if not is_tool_first:
        add_tool_result(job, name, of_tool, subject=document.pk.hex)
    page = words(analyst, f"/cases/{case.pk}/?check={name}")
    assert "1 of 1 documents were opened safely." in page
    assert "PDF, 1 page, 2 kB" in page
    assert "No verdict" not in page
    assert "result of Document safety" not in page
