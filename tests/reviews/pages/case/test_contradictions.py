"""A pass counts where nothing in the same result speaks against it, and where the check has ended."""

from __future__ import annotations

from typing import Any

import pytest

from reviews import results
from reviews.decisions import obstacles
from reviews.findings.review_state import ReviewState
from reviews.models import Outcome
from reviews.results import views
from reviews.results.details import screening
from reviews.results.reading import MAX_ITEMS
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

FORGED = payloads.fraud(verification_passed=True, verification_result="HIGH_RISK")
NOT_VERIFIED = payloads.fraud(verification_passed=False, verification_result="OTHER")
UNSEALED = payloads.visual() | {"inspection_passed": False}
INVALID = {"is_valid_document": False, "summary": "It is a menu."}
HIT = {"name": {"listed": "Ivan Petrov"}, "band": "strong", "score": 0.98}
CONTENTS = [
    ({"fraud_verification_data": FORGED}, "fail"),
    ({"fraud_verification_data": NOT_VERIFIED}, "fail"),
    ({"visual_inspection": UNSEALED}, "fail"),
    ({"extraction_data": INVALID}, "fail"),
    ({"screening": {"matches": [HIT]}}, "review"),
    ({"people_screening": {"people": [{"name": "A", "verdict": "fail"}]}}, "review"),
]


def verdicts(case) -> list[str]:
    return [check.verdict for check in ReviewState.of(case).checks]


@pytest.mark.parametrize(("payload", "expected"), CONTENTS)
def test_a_check_that_passes_against_its_own_content_is_open(payload, expected):
    case, job = reviewed_case()
    add_check_result(job, {"passed": True, "payload": payload}, check_id="kyb.any")
    assert verdicts(case) == [expected]
    row = job.check_results.get()
    row.passed = True
    assert results.effective_pass(row) is False
    reasons = obstacles.of(case, ReviewState.of(case), Outcome.APPROVE)
    assert "Neither reviewed nor overridden: Any." in reasons


@pytest.mark.parametrize(("payload", "expected"), CONTENTS)
def test_a_tool_that_passes_against_its_own_content_is_open(payload, expected):
    case, job = reviewed_case()
    add_tool_result(job, "any_tool", {"passed": True, "payload": payload})
    assert verdicts(case) == [expected]


def test_a_check_of_a_document_does_not_hide_what_its_tool_says():
    case, job = reviewed_case()
    document = add_document(case)
    outcome = payloads.tool_results(
        "fraud_verification_data", payloads.fraud(), document=wire(document)
    )
    add_tool_result(job, payloads.FRAUD, outcome | {"passed": False})
    add_check_result(job, {"passed": True, "explanation": "All is well."})
    assert verdicts(case) == ["review"]


@pytest.mark.parametrize(
    "status",
    ["skipped", "cancelled", "timed_out", "not_run", "aborted", "retried", "expired"],
)
def test_a_check_that_did_not_run_to_its_end_has_not_passed(status):
    case, job = reviewed_case()
    row = add_check_result(job, {"passed": True}, status=status)
    assert verdicts(case) == ["unknown"]
    row.passed = True
    assert results.passed(row) is None


@pytest.mark.parametrize("status", ["completed", "COMPLETE", " Success ", ""])
def test_a_check_that_ran_to_its_end_has_passed(status):
    case, job = reviewed_case()
    add_check_result(job, {"passed": True}, status=status)
    assert verdicts(case) == ["pass"]


@pytest.mark.parametrize("error", ["The list was not read.", {"code": 504}, ["late"]])
@pytest.mark.parametrize("place", ["body", "result", "payload"])
def test_a_pass_with_an_error_is_none(error, place):
    case, job = reviewed_case()
    result: dict[str, Any] = {"passed": True, "payload": {}}
    row = add_check_result(job, result)
    holder = {"body": row.body, "result": result, "payload": result["payload"]}[place]
    holder["error"] = error
    row.body["result"] = result
    row.save()
    assert verdicts(case) == ["error"]


@pytest.mark.parametrize("error", ["", None, {}, [], False])
def test_an_empty_error_is_none(error):
    case, job = reviewed_case()
    add_check_result(job, {"passed": True, "error": error})
    assert verdicts(case) == ["pass"]


@pytest.mark.parametrize(
    ("result", "body", "expected"),
    [
        ({"passed": True}, {"passed": False}, "fail"),
        ({"passed": True, "payload": {"passed": False}}, {}, "fail"),
        ({"passed": True, "payload": {"verdict": "fail"}}, {}, "fail"),
        ({"verdict": "pass", "payload": {"verdict": "review"}}, {}, "review"),
        ({"passed": True, "invalid_documents": [{"document": {}}]}, {}, "review"),
        ({"verdict": "not_applicable"}, {"passed": False}, "not_applicable"),
        (
            {"a": {"verification_passed": True}, "b": {"verification_passed": False}},
            {},
            "fail",
        ),
        ({"valid_documents": [{}], "payload": {"invalid_documents": [{}]}}, {}, "fail"),
    ],
)
def test_of_two_verdicts_in_one_result_the_worse_counts(result, body, expected):
    case, job = reviewed_case()
    row = add_check_result(job, result)
    row.body.update(body)
    row.save()
    assert verdicts(case) == [expected]


def test_what_speaks_against_the_case_is_not_what_is_cut_off(analyst):
    many = [payloads.indicator(type="INFO") for _ in range(MAX_ITEMS + 5)]
    risk = payloads.indicator(type="RISK", title="Painted over")
    case, job = reviewed_case()
    data = payloads.fraud(*many, risk, verification_result="NORMAL")
    add_tool_result(
        job, payloads.FRAUD, payloads.tool_results("fraud_verification_data", data)
    )
    [part] = ReviewState.of(case).parts
    assert part.findings[0].name == "Painted over"
    assert not part.is_whole
    text = words(analyst, f"/cases/{case.pk}/")
    assert "Painted over" in text
    assert "6 more are not shown." in text


def test_the_worst_comparisons_sections_hits_and_people_are_read():
    rows = [{"field": f"f{number}", "state": "equal"} for number in range(MAX_ITEMS)]
    last = {"field": "business_name", "state": "differs"}
    extraction = views.extraction({"comparisons": [*rows, last]}, {})
    assert "differs" in {row.state for row in extraction.rows}

    sections: dict[str, Any] = {f"s{n}": {"passed": True} for n in range(300)}
    sections["last"] = {"passed": False}
    visual = views.visual({"visual_analysis": sections}, {})
    assert "fail" in {row.state for row in visual.rows}

    weak = [{"name": {"listed": f"N{n}"}, "band": "discounted"} for n in range(1_000)]
    read = screening.screening({"matches": [*weak, HIT]}, {})
    assert read.rows[0].band == "strong"
    assert read.subjects[0].not_shown == 1_001 - len(read.rows)

    people = [{"name": f"P{n}", "verdict": "pass"} for n in range(150)]
    everybody = screening.people(
        {"people": [*people, {"name": "Z", "verdict": "fail"}]}, {}
    )
    assert everybody.subjects[0].verdict == "fail"
    assert everybody.not_shown == 51


@pytest.mark.parametrize(
    ("key", "data"),
    [
        ("screening", {"matches": "see the attachment"}),
        ("people_screening", {"people": {"1": "Ivan Petrov"}}),
        ("extraction_data", {"comparisons": "differs"}),
    ],
)
def test_what_could_not_be_read_is_no_pass(key, data):
    case, job = reviewed_case()
    add_tool_result(job, "any_tool", {"passed": True, "payload": {key: data}})
    assert verdicts(case) == ["unknown"]


def test_a_section_that_comes_as_its_flag_alone_is_read():
    analysis = {"seal_verification": False, "signature_verification": True}
    rows = views.visual({"visual_analysis": analysis}, {}).rows
    states = {row.key: (row.state, row.analysis) for row in rows}
    assert states["seal_verification"] == ("fail", "")
    assert states["signature_verification"] == ("pass", "")
