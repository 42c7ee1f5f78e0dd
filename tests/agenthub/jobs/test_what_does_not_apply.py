"""A check that does not apply is no failed check for those who know `passed` alone: in every place.

And what is inconclusive never looks passed. Decision 20 says how, and why.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import uuid
import zipfile
from collections.abc import Sequence
from typing import Any

import orjson
import pypdfium2
import pytest
from django.test import Client

from agenthub.batches import processing
from agenthub.jobs import lifecycle
from agenthub.models import AgentJob, Delivery
from checks.base import Outcome
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CheckResult, Job
from tests.agenthub.conftest import Caller, make_caller
from tests.factories import make_case, make_connection, make_job, make_user
from tests.reviews.api import calling
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import words
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

HOOK = "http://127.0.0.1:9/hook"
# What each verdict says to those who know `passed` alone.
PASSED = {
    "pass": True,
    "review": False,
    "fail": False,
    "inconclusive": False,
    "not_applicable": None,
}
UNREADABLE = {
    "b64_document": base64.b64encode(b"%PDF-1.7 nothing").decode(),
    "file_name": "c.pdf",
}


@pytest.fixture
def caller(db) -> Caller:
    result = make_caller()
    for agent in (result.kyb, result.kyc):
        agent.checks = []
        agent.save()
    return result


@pytest.fixture(params=["kyb", "kyc"])
def job(request, caller) -> AgentJob:
    """Of every check; most do not apply to a name alone, and one document cannot be read."""
    kind = request.param
    agent = getattr(caller, kind)
    body = getattr(caller, f"{kind}_body")()
    body[f"{kind}_schema"]["self_attested_data"]["proof_of_address_documents"] = [
        UNREADABLE
    ]
    result, _ = lifecycle.create(
        agent=agent, job_id=uuid.uuid4(), input_payload={**body, "tool_webhook_url": HOOK},
        batch=processing.of(agent, uuid.uuid4()),
    )  # fmt: skip
    lifecycle.advance(result)
    result.refresh_from_db()
    assert result.status == "COMPLETE"
    return result


def holds(results: list[dict[str, Any]]) -> None:
    """Each says the same by `passed` as by its verdict, and those that do not apply are there."""
    names = {(one["verdict"], one["passed"]) for one in results}
    assert names <= set(PASSED.items())
    assert ("not_applicable", None) in names
    assert ("inconclusive", False) in names


def test_the_hub_says_so_in_every_answer(caller, job):
    data = {"job_id": str(job.job_id)}
    by_id = caller.get("getJobById", include_check_results="true", **data).json()
    holds([one["result"] for one in by_id["check_results"]])
    holds([one["result"] for one in caller.get("getCheckResults", **data).json()])
    of_case = {
        "case_id": job.case_id,
        "agent_key": job.agent.key,
        "include_check_results": "true",
    }
    [listed] = caller.get("getJobsByCaseId", **of_case).json()["jobs"]
    holds([one["result"] for one in listed["check_results"]])
    state = {"agent_key": job.agent.key, "application_id": job.case_id}
    current = caller.get("getLatestApplicationState", **state).json()[
        "current_check_results"
    ]
    holds([one["result"] for one in current])
    one_by_one = [
        caller.get("getCheckResultFromJob", check_id=one["check_id"], **data).json()
        for one in by_id["check_results"]
    ]
    holds([one["result"] for one in one_by_one])


def test_no_tool_webhook_tells_of_what_does_not_apply(job):
    rows = [
        orjson.loads(bytes(one.body)) for one in Delivery.objects.filter(kind="tool")
    ]
    flags = {(one["results"]["verdict"], one["results"]["passed"]) for one in rows}
    assert flags <= {pair for pair in PASSED.items() if pair[1] is not None}
    assert ("inconclusive", False) in flags
    applied = job.check_runs.exclude(verdict="not_applicable")
    assert {one["check_id"] for one in rows} <= set(
        applied.values_list("check_id", flat=True)
    )


def test_the_tables_leave_its_cell_empty(caller, job):
    data = {"batch_id": str(job.batch.batch_id), "agent_key": job.agent.key}
    answer = caller.get("exportCSVBatch", **data)
    [row] = csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode()))
    [listed] = caller.get("getBatchJobs", **data).json()["jobs"]
    for run in job.check_runs.all():
        verdict = run.result["verdict"]
        expected = {"pass": "passed", "fail": "failed", "not_applicable": ""}.get(
            verdict, "review"
        )
        if run.status == "failed":
            expected = "error"
        assert row[run.check_id] == listed["checks"][run.check_id] == expected


def test_the_report_calls_it_not_applicable(caller, job):
    data = {"agent_key": job.agent.key, "job_id": str(job.job_id)}
    answer = caller.get("downloadReport", **data)
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    pages = pypdfium2.PdfDocument(content)
    printed = " ".join(page.get_textpage().get_text_bounded() for page in pages)
    many = job.check_runs.filter(verdict="not_applicable").count()
    assert printed.casefold().count("not applicable") >= many > 0


@pytest.mark.parametrize("verdict", PASSED)
@pytest.mark.parametrize("passed", [True, False, None])
def test_one_function_says_what_passed_is(verdict, passed):
    result = Outcome(passed=passed, verdict=verdict, explanation="").to_wire()
    expected = PASSED[verdict] if verdict != "pass" else passed is True
    assert (result["verdict"], result["passed"]) == (verdict, expected)


# What other services, and this hub before, send of it: false, and words.
OLDER: list[dict[str, Any]] = [
    {
        "passed": False,
        "verdict": "not_applicable",
        "explanation": "No LEI was attested.",
    },
    {"passed": False, "verdict": "Not applicable"},
    {"passed": False, "verdict": "NOT-APPLICABLE", "alerts": []},
    {"passed": False, "verdict": "N/A", "alerts": None},
    {"passed": False, "answer": "Not applicable"},
    {"passed": False, "explanation": "Not applicable."},
    {"passed": False, "status": "skipped"},
    {"passed": None, "verdict": "not_applicable"},
]
TOOL, CHECK = "kyb.lei_check", "kyb.tax_number_check"


@pytest.mark.parametrize("result", OLDER)
def test_the_desk_takes_the_older_form_of_any_service(result, client):
    case = of_foreign_service(result)
    assert [check.verdict for check in ReviewState.of(case).checks] == [
        "not_applicable"
    ] * 2
    assert case.summary["checks"] == []
    assert case.risk == 0
    client.force_login(make_user(role="senior"))
    for address in (f"/cases/{case.pk}/", f"/cases/{case.pk}/report/"):
        outcome = words(client, address).casefold()
        assert "not applicable" in outcome
        assert "failed" not in outcome.replace("nothing failed", "")
    pages = pypdfium2.PdfDocument(client.get(f"/cases/{case.pk}/report/pdf/").content)
    printed = " ".join(
        page.get_textpage().get_text_bounded() for page in pages
    ).casefold()
    assert "not applicable" in " ".join(printed.split())
    api = calling.Caller(make_user("rest"))
    message = api.get(f"/jobs/{case.jobs.get().pk}/results").json()["items"]
    assert [one["passed"] for one in message] == [None, None]
    body = api.get(f"/cases/{case.pk}/review-state").json()
    assert {(one["verdict"], one["is_open"]) for one in body["checks"]} == {
        ("not_applicable", False)
    }
    client.force_login(make_user("packer", role="auditor"))
    packed = client.get(f"/cases/{case.pk}/evidence/")
    with zipfile.ZipFile(io.BytesIO(b"".join(packed.streaming_content))) as archive:
        names = [name for name in archive.namelist() if name.startswith("results/")]
        assert [json.loads(archive.read(name))["passed"] for name in names] == [
            None,
            None,
        ]
    # Rows that were kept before say it too.
    CheckResult.objects.update(passed=False)
    message = api.get(f"/jobs/{case.jobs.get().pk}/results").json()["items"]
    assert [one["passed"] for one in message] == [None, None]


# No word takes away what speaks against somebody, and none makes a pass.
CONTRADICTING: list[tuple[dict[str, Any], str, bool | None]] = [
    ({"passed": False, "answer": "Not applicable", "alerts": ["A hit"]}, "fail", False),
    ({"passed": False, "verdict": "fail", "answer": "n/a"}, "fail", False),
    ({"passed": True, "verdict": "inconclusive"}, "inconclusive", False),
    ({"passed": True, "verdict": "fail"}, "fail", False),
    ({"passed": True, "verdict": "not_applicable"}, "not_applicable", None),
    ({"passed": True, "answer": "Not applicable"}, "pass", True),
    (
        {"passed": False, "explanation": "The exemption is not applicable."},
        "fail",
        False,
    ),
]


@pytest.mark.parametrize(("result", "verdict", "passed"), CONTRADICTING)
def test_words_hide_no_failure_and_make_no_pass(result, verdict, passed):
    case = of_foreign_service(result)
    assert {check.verdict for check in ReviewState.of(case).checks} == {verdict}
    body = (
        calling.Caller(make_user("rest"))
        .get(f"/jobs/{case.jobs.get().pk}/results")
        .json()
    )
    assert [one["passed"] for one in body["items"]] == [passed, passed]


@pytest.mark.parametrize("from_tool", [True, False])
def test_a_finding_within_what_is_said_not_to_apply_stays(from_tool):
    part = payloads.fraud(payloads.indicator())
    data = {"passed": False, "verdict": "not_applicable"}
    data |= {"payload": {"fraud_verification_data": part}}
    case = of_foreign_service(data, hooks=[not from_tool])
    [check] = ReviewState.of(case).open
    assert check.verdict in {"fail", "review"}
    assert ReviewState.of(case).risks == 1


def of_foreign_service(
    result: dict[str, Any], hooks: Sequence[bool] = (False, True)
) -> Case:
    """A job of which a tool, and a check, say this: by the tool webhook, and with the job's end."""
    job: Job = make_job(make_case(make_connection()))
    check = {
        "check_id": CHECK,
        "status": result.get("status", "completed"),
        "result": result,
    }
    of_tool = {"job_id": job.remote_id, "tool_id": TOOL, "results": result}
    of_job = {"id": job.remote_id, "status": "complete", "recommendation": "Approve"}
    for hook in [
        (of_job | {"check_results": [check]}) if is_job else of_tool for is_job in hooks
    ]:
        assert send(Client(), json.dumps(hook).encode()).status_code == 200
        EVENTS.drain()
    return Case.objects.get(pk=job.case_id)
