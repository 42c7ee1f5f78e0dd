"""States that a client sees: re-runs with both links, applications, single checks, feedback."""

from __future__ import annotations

import threading
import uuid

import pytest
from django.core.exceptions import ValidationError
from django.db import connection

from agenthub.agents import configuration
from agenthub.jobs import examination, reruns
from agenthub.models import Agent, AgentJob, CheckRun
from agenthub.tasks import DOCUMENTS, JOBS
from checks import registry
from tests.agenthub.conftest import KYB, details, make_caller

CHECK = "kyb.incorporation_document_verification"


def ended(
    job: AgentJob, status: str = "COMPLETE", *, verdict: str = "pass"
) -> AgentJob:
    CheckRun.objects.create(
        job=job,
        check_id=CHECK,
        status="failed" if status == "FAILED" else "completed",
        result={"verdict": verdict, "explanation": f"It is a {verdict}."},
    )
    AgentJob.objects.filter(pk=job.pk).update(status=status, recommendation="Approve")
    job.refresh_from_db()
    return job


@pytest.mark.parametrize("status", ["COMPLETE", "FAILED"])
def test_a_job_that_is_run_again_is_retried_and_both_point_at_each_other(
    caller, status
):
    body = caller.kyb_body(webhook_url="https://client.test/")
    old = ended(caller.job(check_ids=[CHECK], input_payload=body), status)
    body = caller.post("retryJob", {"job_id": old.job_id.hex}).json()
    assert body["original_job_id"] == str(old.job_id)
    assert body["job"]["input_payload"] == old.input_payload
    new = AgentJob.objects.get(job_id=body["job_id"])
    assert (new.check_ids, new.webhook_url) == (old.check_ids, old.webhook_url)

    first = caller.get("getJobById", job_id=old.job_id).json()
    second = caller.get("getJobById", job_id=new.job_id).json()
    assert (first["status"], first["new_job_id"]) == ("retried", body["job_id"])
    assert (second["status"], second["original_job_id"]) == ("pending", str(old.job_id))
    listed = caller.get(
        "getJobsByCaseId", case_id="case-001", agent_key=caller.kyb.key
    ).json()
    assert [job["status"] for job in listed["jobs"]] == ["pending", "retried"]


@pytest.mark.parametrize("status", ["PENDING", "RUNNING", "RETRIED"])
def test_only_a_job_that_has_ended_is_run_again(caller, status):
    job = caller.job()
    AgentJob.objects.filter(pk=job.pk).update(status=status)
    answer = caller.post("retryJob", {"job_id": str(job.job_id)})
    assert answer.status_code == 409
    assert answer.json()["job_id"] == str(job.job_id)
    assert AgentJob.objects.count() == 1


def test_a_repeated_re_run_names_the_job_that_it_has_started(caller):
    """As a repeated start does: a client whose first call got no answer can tell."""
    job = ended(caller.job())
    new_id = str(uuid.uuid4())
    body = {"job_id": str(job.job_id), "new_job_id": new_id}
    assert caller.post("retryJob", body).status_code == 200
    answer = caller.post("retryJob", body)
    assert answer.status_code == 409
    error = "Job with the provided ID already exists."
    assert answer.json() == {"error": error, "job_id": new_id}
    assert AgentJob.objects.count() == 2


def test_a_re_run_under_an_id_that_is_taken_changes_nothing(caller):
    job, other_job = ended(caller.job()), caller.job()
    body = {"job_id": str(job.job_id), "new_job_id": str(other_job.job_id)}
    answer = caller.post("retryJob", body)
    assert answer.status_code == 409
    assert answer.json()["job_id"] == str(other_job.job_id)
    job.refresh_from_db()
    assert job.status == "COMPLETE"


@pytest.mark.django_db(transaction=True)
def test_of_racing_re_runs_one_makes_a_job():
    caller = make_caller()
    job = ended(caller.job())
    won: list[bool] = []

    def run() -> None:
        try:
            mine = AgentJob.objects.select_related("agent").get(pk=job.pk)
            won.append(reruns.start(mine, job_id=uuid.uuid4())[1])
        except reruns.NotEndedError:
            won.append(False)
        finally:
            connection.close()

    threads = [threading.Thread(target=run) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]
    assert AgentJob.objects.count() == 2


@pytest.mark.parametrize(
    ("status", "page"),
    [("PENDING", "PENDING"), ("RUNNING", "IN_PROGRESS"), ("COMPLETE", "COMPLETE"), ("FAILED", "ERROR")],
)  # fmt: skip
def test_the_application_has_the_state_of_its_latest_job(caller, status, page):
    ended(caller.job())
    ended(caller.job(), verdict="fail")
    latest = caller.job()
    AgentJob.objects.filter(pk=latest.pk).update(status=status)
    run = {"pending": "PENDING", "in_progress": "IN_PROGRESS", "completed": "COMPLETE", "failed": "ERROR"}  # fmt: skip
    for number, stored in enumerate(run):
        CheckRun.objects.create(
            job=latest,
            check_id=f"kyb.{number}",
            status=stored,
            result={"explanation": "Why."},
        )
    query = {"agent_key": caller.kyb.key, "application_id": "case-001"}
    state = caller.get("getLatestApplicationState", **query).json()
    assert state["application_status"] == page
    assert (state["applicant_id"], state["applicant_type"]) == ("case-001", "kyb")
    assert state["self_attested_data"] == {"business_name": "Northwind Ltd"}
    assert [one["status"] for one in state["current_check_results"]] == list(
        run.values()
    )
    assert [one["error"] for one in state["current_check_results"]] == [
        "",
        "",
        "",
        "Why.",
    ]
    past = [one["result"]["verdict"] for one in state["past_check_results"]]
    assert past == ["fail", "pass"]


def test_a_check_that_the_agent_does_not_have_is_named(caller):
    # The only check of this agent has gone with its plug-in: nothing else takes its place.
    Agent.objects.filter(pk=caller.kyb.pk).update(
        checks=[{"check_id": "kyb.of_a_plug_in"}]
    )
    answer = caller.post(KYB, caller.kyb_body(check_ids=[CHECK]))
    assert details(answer) == {("check_ids", 0): "unknown_check"}
    assert CHECK in answer.json()["message"]
    assert caller.post(KYB, caller.kyb_body()).status_code == 200


@pytest.mark.parametrize("check_id", ["kyb.adverse_media_check", "kyb.open_corporates_business_check"])  # fmt: skip
def test_a_check_that_needs_the_web_is_refused_with_that_reason(caller, check_id):
    answer = caller.post(KYB, caller.kyb_body(check_ids=[check_id]))
    assert details(answer) == {("check_ids", 0): "needs_the_web"}
    assert check_id in answer.json()["message"]


@pytest.mark.parametrize("member", ["kyb_schema", "payload"])
def test_one_check_is_a_job_of_its_own(caller, work_off, member):
    body = caller.kyb_body(check_id=CHECK, check_args={"strict": True})
    body[member] = body.pop("kyb_schema")
    answer = caller.post("runCheck", body).json()
    assert answer["status"] == "PENDING"
    assert answer["input_payload"] == body
    job = AgentJob.objects.get(job_id=answer["id"])
    assert job.check_args == {CHECK: {"strict": True}}
    work_off()
    [result] = caller.get("getCheckResults", job_id=answer["id"]).json()
    assert result["check_id"] == CHECK


def test_one_check_of_a_case_that_is_known(caller):
    caller.job()
    body = {"agent_key": caller.kyb.key, "check_id": CHECK, "case_id": "case-001"}
    answer = caller.post("runCheck", body).json()
    assert AgentJob.objects.get(job_id=answer["id"]).schema["id"] == "case-001"
    unknown = caller.post("runCheck", {**body, "case_id": "nothing"})
    assert unknown.status_code == 404


def test_run_check_judges_like_a_start(caller):
    body = caller.kyb_body(check_id=CHECK, job_id=str(caller.job().job_id))
    assert caller.post("runCheck", body).status_code == 409
    wrong = {
        **body,
        "kyb_schema": None,
        "payload": {"id": "c", "self_attested_data": {}},
    }
    assert set(details(caller.post("runCheck", wrong))) == {
        ("payload", "self_attested_data", "business_name")
    }
    assert details(caller.post("runCheck", {**body, "kyb_schema": None})) == {
        ("kyb_schema",): "missing"
    }
    assert details(caller.post("runCheck", {**body, "check_id": "nothing"})) == {
        ("check_id",): "unknown_check"
    }
    crosswise = caller.post(
        "runCheck", {**body, "kyc_schema": caller.kyc_body()["kyc_schema"]}
    )
    assert details(crosswise) == {("kyc_schema",): "wrong_kind"}


def test_the_catalogue_is_written_by_docstrings(caller):
    body = caller.get("getAvailableChecks", case_type="KYB").json()
    [check] = [one for one in body["checks"] if one["check_id"] == CHECK]
    assert check["description"].startswith("Does a document of incorporation show")
    assert check["documents"] == "incorporation_documents"
    assert "kyb.incorporation_document_extraction_tool" in [
        t["tool_id"] for t in check["tools"]
    ]
    assert caller.get("getCheckInfo", check_id=CHECK).json() == check
    assert caller.get("getCheckInfo", check_id="nothing").status_code == 404
    kyc = caller.get("getAvailableChecks", case_type="kyc").json()["checks"]
    assert CHECK not in [one["check_id"] for one in kyc]
    mine = caller.get(
        "getAvailableChecks", agent_key=caller.kyb.key, case_type="kyc"
    ).json()
    assert mine == {"checks": [], "count": 0}


def test_feedback_may_come_as_key_comment_and_value(caller):
    job = caller.job()
    CheckRun.objects.create(job=job, check_id=CHECK)
    body = {
        "jobId": str(job.job_id),
        "key": CHECK,
        "comment": "Genuine.",
        "value": False,
    }
    assert caller.post("sendFeedback", body).status_code == 200
    assert (
        caller.post("sendFeedback", {"job_id": "no-uuid", "value": 1}).status_code
        == 404
    )
    [stored] = caller.get(
        "getJobById", job_id=job.job_id, include_feedback="yes"
    ).json()["feedback"]
    assert (stored["feedback"], stored["check_id"]) == (
        f"{CHECK}: false: Genuine.",
        CHECK,
    )


def test_feedback_is_kept_with_the_job(caller):
    job = ended(caller.job())
    body = {"job_id": str(job.job_id), "feedback": "The seal is genuine.", "mine": [1]}
    assert caller.post("sendFeedback", body).status_code == 200
    assert caller.post("sendFeedback", {**body, "check_id": CHECK}).status_code == 200
    wrong = caller.post("sendFeedback", {**body, "check_id": "nothing"})
    assert details(wrong) == {("check_id",): "unknown_check"}
    answer = caller.get("getJobById", job_id=job.job_id, include_feedback="yes").json()
    assert [one["feedback"] for one in answer["feedback"]] == [
        "The seal is genuine."
    ] * 2
    assert [one.get("check_id") for one in answer["feedback"]] == [None, CHECK]
    assert job.feedback.order_by("id")[0].body == body


def test_jobs_of_a_case_come_page_by_page_if_asked(caller):
    items = [str(caller.job().job_id) for _ in range(5)]
    query = {"case_id": "case-001", "agent_key": caller.kyb.key, "limit": 2}
    rows: list[str] = []
    cursor: dict[str, str] = {}
    while True:
        body = caller.get("getJobsByCaseId", **query, **cursor).json()
        assert body["count"] == 5
        rows += [job["id"] for job in body["jobs"]]
        if "next_cursor" not in body:
            break
        cursor = {"cursor": body["next_cursor"]}
    assert rows == items[::-1]
    wrong = caller.get("getJobsByCaseId", **query, cursor=uuid.uuid4())
    assert details(wrong) == {("cursor",): "cursor"}


@pytest.mark.django_db(transaction=True)
def test_of_racing_starts_one_job_is_made_and_run_once():
    caller = make_caller()
    body = caller.kyb_body(job_id=str(uuid.uuid4()), check_ids=[CHECK])
    racers = 50 if connection.vendor == "postgresql" else 20
    together, statuses = threading.Barrier(racers), []

    def start() -> None:
        try:
            together.wait(timeout=30)
            answer = caller.post(KYB, body)
            assert (
                answer.status_code == 200 or answer.json()["job_id"] == body["job_id"]
            )
            statuses.append(answer.status_code)
            JOBS.drain()
            DOCUMENTS.drain()
        finally:
            connection.close()

    threads = [threading.Thread(target=start) for _ in range(racers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(statuses) == [200] + [409] * (racers - 1)
    job = AgentJob.objects.get()
    assert (job.status, job.claim_count) == ("COMPLETE", 1)
    assert CheckRun.objects.count() == 1


def test_arguments_of_a_job_win_over_those_of_its_agent(caller):
    own = {"ocr": "off", "ocr_languages": "eng"}
    caller.kyb.checks = [{"check_id": CHECK, "arguments": own}]
    caller.kyb.save()
    # Those that the check does not take stay out: a caller names no folder of this machine.
    data = {
        "ocr_languages": "eng+deu",
        "ocr": None,
        "signature_roots": "/etc",
        "strict": True,
    }
    job = caller.job(check_args={CHECK: data})

    assert examination.arguments_of(job, registry.get(CHECK)) == {
        "ocr_languages": "eng+deu"
    }


def test_an_argument_that_a_check_does_not_take_is_said_to_have_no_effect(caller):
    body = caller.kyb_body(check_id=CHECK, check_args={"strict": True, "ocr": "off"})
    answer = caller.post("runCheck", body).json()
    assert (
        answer["message"]
        == "Job created. There is no argument strict. It has no effect."
    )
    assert answer["input_payload"] == body


@pytest.mark.parametrize(
    ("agent", "check_id", "name", "value"),
    [
        ("kyb", CHECK, "ocr", "perhaps"),
        ("kyb", CHECK, "ocr_languages", "../eng"),
        ("kyc", "kyc.date_of_birth", "minimum_age", "adult"),
        ("kyc", "kyc.proof_of_address_verification", "validity_period", "9" * 5000),
        ("kyc", "kyc.proof_of_address_verification", "validity_period", 0),
        ("kyc", "kyc.proof_of_address_verification", "accepted_documents", ["POEM"]),
        ("kyc", "kyc.sanctions_screening_check_v2", "policy", "strict"),
        ("kyc", "kyc.sanctions_screening_check_v2", "policy", {"strong": 5}),
        ("kyc", "kyc.sanctions_screening_check_v2", "policy", {"candidates": "x"}),
        ("kyc", "kyc.sanctions_screening_check_v2", "policy", {"stronk": 0.5}),
    ],
)
def test_an_argument_that_does_not_fit_is_refused_where_it_is_given(
    caller, agent, check_id, name, value
):
    Agent.objects.filter(account=caller.account).update(checks=[])
    body = getattr(caller, f"{agent}_body")(check_id=check_id, check_args={name: value})
    answer = caller.post("runCheck", body)
    assert details(answer) == {("check_args", name): "bad_argument"}
    with pytest.raises(ValidationError, match=name):
        configuration.clean_checks(
            [{"check_id": check_id, "arguments": {name: value}}], kind=agent
        )


def test_the_catalogue_names_the_arguments_of_a_check(caller):
    body = caller.get("getCheckInfo", check_id="kyc.date_of_birth").json()
    [argument] = body["arguments"]
    assert argument["name"] == "minimum_age"
    body = caller.get("getCheckInfo", check_id="kyb.website_presence").json()
    assert body["check_id"] == "kyb.web_presence_check"
