"""Parts of jobs and sums of them, feedback by its key: over the wire."""

from __future__ import annotations

import uuid

import pytest

from agenthub.batches import processing
from agenthub.jobs import lifecycle
from agenthub.models import Agent, AgentJob, CheckRun
from tests.agenthub.conftest import Caller

pytestmark = pytest.mark.usefixtures("every_check")
CHECK = "kyb.incorporation_document_verification"


def ended(caller: Caller, **values: object) -> AgentJob:
    """A job that ran to its end."""
    job = caller.job(**values)
    lifecycle.advance(job)
    job.refresh_from_db()
    assert job.status == "COMPLETE"
    return job


def test_the_summary_of_a_job_says_how_far_it_is(caller):
    job = caller.job()
    before = caller.get("getJobStatusSummary", job_id=job.job_id).json()
    assert (before["status"], before["count"], before["checks"]) == ("pending", 0, [])
    lifecycle.advance(job)
    after = caller.get("getJobStatusSummary", job_id=str(job.job_id).upper()).json()
    assert after["status"] == "complete"
    assert after["recommendation"] == "Review"
    assert (
        after["count"]
        == len(after["checks"])
        == sum(after["checks_by_status"].values())
        > 1
    )
    assert after["checks_by_status"]["completed"] == after["count"]
    assert all(check["status_message"]["message"] for check in after["checks"])
    assert "result" not in after["checks"][0]


def test_the_summary_of_an_agent_counts_its_jobs(caller, other):
    batch = processing.of(caller.kyb, uuid.uuid4())
    ended(caller)
    caller.job(batch=batch)
    other.job()
    whole = caller.get("getJobStatusSummary", agent_key=caller.kyb.key).json()
    assert whole["count"] == 2
    assert whole["jobs_by_status"] == {
        "pending": 1, "running": 0, "completed": 1, "failed": 0, "retried": 0,
    }  # fmt: skip
    one = caller.get(
        "getJobStatusSummary", agent_key=caller.kyb.key, batch_id=batch.batch_id
    ).json()
    assert (one["count"], one["jobs_by_status"]["pending"]) == (1, 1)
    none = caller.get(
        "getJobStatusSummary", agent_key=caller.kyb.key, case_id="nobody"
    ).json()
    assert none["count"] == 0
    assert caller.get("getJobStatusSummary", agent_key=other.kyb.key).status_code == 403


def test_one_result_is_that_of_get_job_by_id(caller):
    job = ended(caller)
    every = caller.get(
        "getJobById", job_id=job.job_id, include_check_results=True
    ).json()
    for result in every["check_results"]:
        one = caller.get(
            "getCheckResultFromJob",
            job_id=job.job_id,
            check_id=result["command_id"],
            agent_instance_id=result["agent_instance_id"],
            case_type="KYB",
        ).json()
        sources = one.pop("sources")
        assert one == result
        assert all(isinstance(source, str) and source for source in sources)


def test_one_result_by_an_alias_and_without_messages(caller):
    job = ended(caller, check_ids=["kyb.web_presence_check"])
    answer = caller.get(
        "getCheckResultFromJob",
        job_id=job.job_id.hex,
        check_id="kyb.website_presence",
        include_status_messages="false",
    ).json()
    assert answer["check_id"] == "kyb.web_presence_check"
    assert "status_messages" not in answer


@pytest.mark.parametrize(
    "wrong",
    [
        {"job_id": "no-such-job"},
        {"job_id": str(uuid.uuid4())},
        {"check_id": "kyb.no_such_check"},
        {"check_id": CHECK},  # there is such a check, and the job did not run it
        {"agent_instance_id": str(uuid.uuid4())},
        {"case_type": "kyc"},
    ],
)
def test_a_result_that_is_not_there_is_404(caller, wrong):
    job = ended(caller, check_ids=["kyb.tax_number"])
    query = {"job_id": str(job.job_id), "check_id": "kyb.tax_number"}
    assert caller.get("getCheckResultFromJob", **query).status_code == 200
    assert caller.get("getCheckResultFromJob", **{**query, **wrong}).status_code == 404


def test_a_result_of_an_earlier_version_waits_too(caller):
    job = caller.job()
    CheckRun.objects.create(job=job, check_id=CHECK)
    answer = caller.get(
        "getCheckResultFromJob", job_id=job.job_id, check_id=CHECK
    ).json()
    assert [one["message"] for one in answer["status_messages"]] == ["Waiting"]


def test_feedback_is_read_again_by_its_key(caller, other):
    job, second = caller.job(), caller.job()
    rows = [
        {
            "jobId": str(job.job_id),
            "key": "owner.name",
            "comment": "Wrong.",
            "value": {"n": 1},
        },
        {
            "job_id": str(second.job_id),
            "key": "owner.name",
            "feedback": "Right.",
            "value": False,
        },
        {"job_id": str(job.job_id), "key": "another", "comment": "No."},
    ]
    for body in rows:
        assert caller.post("sendFeedback", body).status_code == 200
    answer = caller.get("getFeedbackInputsByKey", key="owner.name").json()
    items = [
        (one["job_id"], one["comment"], one["value"])
        for one in answer["feedback_inputs"]
    ]
    assert items == [
        (str(second.job_id), "Right.", False),
        (str(job.job_id), "Wrong.", {"n": 1}),
    ]
    of_job = caller.get(
        "getFeedbackInputsByKey", key="owner.name", job_id=job.job_id
    ).json()
    assert [one["comment"] for one in of_job["feedback_inputs"]] == ["Wrong."]
    assert other.get("getFeedbackInputsByKey", key="owner.name").json()["count"] == 0
    assert (
        other.get("getFeedbackInputsByKey", key="k", job_id=job.job_id).status_code
        == 404
    )


def test_feedback_comes_in_pages(caller):
    job = caller.job()
    for number in range(5):
        caller.post(
            "sendFeedback",
            {"job_id": str(job.job_id), "key": "k", "comment": str(number)},
        )
    rows: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        page = caller.get("getFeedbackInputsByKey", key="k", limit=2, **cursor).json()
        rows += [one["comment"] for one in page["feedback_inputs"]]
        if page["next_cursor"] is None:
            break
        cursor = {"cursor": page["next_cursor"]}
    assert rows == ["4", "3", "2", "1", "0"]


def test_feedback_about_a_check_is_found_by_the_check(caller):
    job = ended(caller)
    caller.post(
        "sendFeedback", {"job_id": str(job.job_id), "key": "kyb.tax_number", "value": 1}
    )
    caller.post(
        "sendFeedback",
        {"job_id": str(job.job_id), "check_id": "kyb.tax_number", "feedback": "Good."},
    )
    body = caller.get("getFeedbackInputsByKey", key="kyb.tax_number").json()
    assert [one["check_id"] for one in body["feedback_inputs"]] == [
        "kyb.tax_number"
    ] * 2


def test_a_test_report_needs_no_case_and_says_what_it_is(caller):
    answer = caller.post(
        "downloadReport", {"agent_key": caller.kyb.key, "download_test_report": True}
    )
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/pdf"
    assert answer.content.startswith(b"%PDF")
    assert "test-report" in answer["Content-Disposition"]
    by_query = caller.get(
        "downloadReport", agent_key=caller.kyb.key, download_test_report="True"
    )
    assert by_query.status_code == 200
    # Without it the report is that of a case.
    wrong = {
        "agent_key": caller.kyb.key,
        "case_id": "none",
        "download_test_report": False,
    }
    assert caller.post("downloadReport", wrong).status_code == 404


def test_checks_that_are_run_on_request_are_not_said_to_be_run_by_an_agent(caller):
    on_request = {"kyb.basic_business_profile_check", "kyb.mcc_code_check_v3"}
    whole = {check["check_id"] for check in caller.get("checks").json()["checks"]}
    of_agent = caller.get("checks", agent_key=caller.kyb.key).json()["checks"]
    assert on_request <= whole
    assert not on_request & {check["check_id"] for check in of_agent}
    job = ended(caller)
    assert not job.check_runs.filter(check_id__in=on_request).exists()
    # They can be asked for all the same, and an agent that names one runs it.
    named = ended(caller, check_ids=sorted(on_request))
    assert named.check_runs.count() == len(on_request)
    Agent.objects.filter(pk=caller.kyb.pk).update(
        checks=[{"check_id": check_id} for check_id in sorted(on_request)]
    )
    listed = caller.get("checks", agent_key=caller.kyb.key).json()["checks"]
    assert {check["check_id"] for check in listed} == on_request
