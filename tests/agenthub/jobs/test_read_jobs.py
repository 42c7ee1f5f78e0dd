from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

import pytest

from agenthub.models import Agent, AgentJob, CheckRun
from compliance.security.personal_fields import sealed

CHECK = "kyb.incorporation_document_verification"
MESSAGES = [{"timestamp": "2026-03-02T10:00:00Z", "message": "Job created."}]
RESULT = {
    "passed": True,
    "payload": {"type": "Résultat", "alerts": None, "n": [1, 2.5, -0.000125]},
}
JOB = {"id", "status", "created_at", "updated_at", "agent_id", "input_payload"}
# Of a job that has not begun: what it waits for.
WAITING = JOB | {"waiting"}


def not_found(answer) -> bool:
    return (
        answer.status_code == 404
        and answer["Content-Type"] == "application/json"
        and set(answer.json()) == {"error", "message"}
        and answer.json()["error"] == "Not Found"
    )


def bad_places(answer) -> list[list[object]]:
    assert answer.status_code == 400
    assert set(answer.json()) == {"error", "message", "detail"}
    return [item["loc"] for item in answer.json()["detail"]]


def finish(job: AgentJob, *, checks: int = 1, **values) -> list[CheckRun]:
    """Give a job the rows that a run leaves behind."""
    changes = {"status": AgentJob.Status.COMPLETE, "recommendation": "Approve"}
    AgentJob.objects.filter(pk=job.pk).update(**{**changes, **values})
    return [
        CheckRun.objects.create(
            job=job,
            check_id=f"{CHECK}{number or ''}",
            status=CheckRun.Status.COMPLETED,
            result=RESULT,
            status_messages=MESSAGES,
        )
        for number in range(checks)
    ]


def in_utc(text: str) -> datetime:
    assert text.endswith("Z")
    return datetime.fromisoformat(text)


class TestGetJobById:
    def test_a_job_carries_the_schema_and_no_results_unasked(self, caller):
        job = caller.job()
        for job_id in (str(job.job_id), job.job_id.hex, str(job.job_id).upper()):
            answer = caller.get("getJobById", job_id=job_id)
            assert answer.status_code == 200
            assert answer["Content-Type"] == "application/json"
            assert answer["Cache-Control"] == "no-store"
            assert "Deprecation" not in answer
            body = answer.json()
            assert set(body) == WAITING
            assert body["id"] == str(job.job_id)
            assert body["status"] == "pending"
            assert body["agent_id"] == caller.kyb.key
            assert body["input_payload"] == caller.kyb_body()["kyb_schema"]
            assert in_utc(body["created_at"]) == job.created_at
            assert in_utc(body["updated_at"]) == job.updated_at

    def test_of_an_individual_it_carries_the_kyc_schema(self, caller):
        # A member of the other kind's name is no more than an unknown member.
        body = caller.kyc_body(kyb_schema="mine")
        job = caller.job(agent=caller.kyc, input_payload=body)
        answer = caller.get("getJobById", job_id=job.job_id).json()
        assert answer["input_payload"] == body["kyc_schema"]

    @pytest.mark.parametrize(
        ("status", "spelled"),
        [("PENDING", "pending"), ("RUNNING", "running"), ("COMPLETE", "complete"),
         ("FAILED", "failed"), ("RETRIED", "retried")],
    )  # fmt: skip
    def test_each_status_has_one_spelling(self, caller, status, spelled):
        job = caller.job()
        AgentJob.objects.update(status=status)
        assert caller.get("getJobById", job_id=job.job_id).json()["status"] == spelled

    def test_how_a_job_ended_is_told(self, caller):
        job = caller.job()
        finish(job)
        assert (
            caller.get("getJobById", job_id=job.job_id).json()["recommendation"]
            == "Approve"
        )
        finish_failed = {
            "status": "FAILED",
            "recommendation": "",
            "error": sealed(job, "error", "No check could run."),
        }
        AgentJob.objects.update(**finish_failed)
        body = caller.get("getJobById", job_id=job.job_id).json()
        assert body["error"] == "No check could run."
        assert "recommendation" not in body

    @pytest.mark.parametrize("flag", ["true", "True", "TRUE", "1", "yes", "Yes"])
    def test_results_come_when_asked_for(self, caller, flag):
        job = caller.job()
        [run] = finish(job)
        body = caller.get(
            "getJobById", job_id=job.job_id, include_check_results=flag
        ).json()
        assert set(body) == JOB | {"recommendation", "check_results"}
        [result] = body["check_results"]
        assert result == {
            "id": str(run.pk),
            "type": CHECK,
            "agent_instance_id": str(job.job_id),
            "check_id": CHECK,
            "command_id": CHECK,
            "status": "completed",
            "result": RESULT,
            "status_messages": MESSAGES,
            "created_at": result["created_at"],
            "updated_at": result["updated_at"],
        }

    @pytest.mark.parametrize("flag", ["false", "False", "0", "no"])
    def test_and_do_not_when_declined(self, caller, flag):
        job = caller.job()
        query = dict.fromkeys(
            (
                "include_check_results",
                "include_check_result_ids",
                "include_status_messages",
            ),
            flag,
        )
        assert (
            set(caller.get("getJobById", job_id=job.job_id, **query).json()) == WAITING
        )

    @pytest.mark.parametrize("flag", ["", "on", "2", "t", "nein", "null", "\0"])
    @pytest.mark.parametrize(
        "name",
        [
            "include_check_results",
            "include_check_result_ids",
            "include_status_messages",
        ],
    )
    def test_another_word_is_no_boolean(self, caller, name, flag):
        answer = caller.get("getJobById", job_id=uuid.uuid4(), **{name: flag})
        assert bad_places(answer) == [[name]]

    def test_the_ids_of_the_results_alone(self, caller):
        job = caller.job()
        runs = finish(job, checks=3)
        body = caller.get(
            "getJobById", job_id=job.job_id, include_check_result_ids="true"
        ).json()
        assert body["check_result_ids"] == [str(run.pk) for run in runs]
        assert "check_results" not in body

    def test_results_and_their_ids_together_are_a_contradiction(self, caller):
        query = {"include_check_results": "true", "include_check_result_ids": "true"}
        answer = caller.get("getJobById", job_id=caller.job().job_id, **query)
        assert bad_places(answer) == [["include_check_result_ids"]]
        query["include_check_results"] = "false"
        assert (
            caller.get("getJobById", job_id=caller.job().job_id, **query).status_code
            == 200
        )

    def test_status_messages_come_with_a_deprecation(self, caller):
        job = caller.job()
        finish(job, status_messages=MESSAGES)
        answer = caller.get(
            "getJobById", job_id=job.job_id, include_status_messages="true"
        )
        assert answer.json()["status_messages"] == MESSAGES
        assert answer["Deprecation"] == "true"

    @pytest.mark.parametrize("query", [{}, {"job_id": ""}])
    def test_without_an_id_there_is_nothing_to_look_for(self, caller, query):
        assert bad_places(caller.get("getJobById", **query)) == [["job_id"]]

    @pytest.mark.parametrize("job_id", ["7", "\0", "job-1"])
    def test_an_id_that_is_no_uuid_is_not_found(self, caller, job_id):
        assert not_found(caller.get("getJobById", job_id=job_id))

    def test_an_unknown_job_is_not_found(self, caller):
        assert not_found(caller.get("getJobById", job_id=uuid.uuid4()))


class TestGetCheckResults:
    def test_the_results_of_a_job_are_a_list(self, caller):
        job = caller.job()
        runs = finish(job, checks=2)
        answer = caller.get("getCheckResults", job_id=job.job_id.hex)
        assert answer.status_code == 200
        assert [result["id"] for result in answer.json()] == [
            str(run.pk) for run in runs
        ]
        first = answer.json()[0]
        assert set(first) == {
            *("id", "check_id", "command_id", "status", "result"),
            *("status_messages", "created_at", "updated_at"),
        }
        assert first["check_id"] == first["command_id"] == CHECK
        assert first["result"] == RESULT
        assert first["status_messages"] == MESSAGES
        assert in_utc(first["created_at"]) == runs[0].created_at
        assert in_utc(first["updated_at"]) == runs[0].updated_at

    @pytest.mark.parametrize(
        "status", ["pending", "in_progress", "completed", "failed"]
    )
    def test_each_status_has_one_spelling(self, caller, status):
        job = caller.job()
        finish(job)
        CheckRun.objects.update(status=status)
        assert (
            caller.get("getCheckResults", job_id=job.job_id).json()[0]["status"]
            == status
        )

    def test_a_job_that_has_not_begun_has_none(self, caller):
        assert caller.get("getCheckResults", job_id=caller.job().job_id).json() == []

    def test_an_unknown_job_is_not_found(self, caller):
        assert not_found(caller.get("getCheckResults", job_id=uuid.uuid4()))

    def test_a_job_id_is_needed(self, caller):
        assert bad_places(caller.get("getCheckResults")) == [["job_id"]]
        assert not_found(caller.get("getCheckResults", job_id="x"))

    def test_a_check_that_waits_says_so(self, caller):
        job = caller.job()
        CheckRun.waiting(job, CHECK).save()
        CheckRun.objects.create(job=job, check_id=f"{CHECK}2")  # as older ones are kept
        body = caller.get("getCheckResults", job_id=job.job_id).json()
        assert [run["status_messages"][-1]["message"] for run in body] == [
            "Waiting"
        ] * 2


class TestGetJobsByCaseId:
    def test_the_jobs_of_a_case_come_newest_first_and_counted(self, caller):
        first, second = caller.job(), caller.job()
        elsewhere = caller.kyb_body()
        elsewhere["kyb_schema"]["id"] = "case-002"
        caller.job(input_payload=elsewhere)
        answer = caller.get(
            "getJobsByCaseId", case_id="case-001", agent_key=caller.kyb.key
        )
        assert answer.status_code == 200
        body = answer.json()
        assert set(body) == {"jobs", "count"}
        assert body["count"] == 2
        assert [job["id"] for job in body["jobs"]] == [
            str(second.job_id),
            str(first.job_id),
        ]
        assert set(body["jobs"][0]) == JOB
        assert body["jobs"][0]["input_payload"] == caller.kyb_body()["kyb_schema"]

    @pytest.mark.parametrize(
        ("status", "spelled"),
        [("PENDING", "pending"), ("RUNNING", "running"), ("COMPLETE", "completed"),
         ("FAILED", "failed"), ("RETRIED", "retried")],
    )  # fmt: skip
    def test_each_status_has_one_spelling(self, caller, status, spelled):
        caller.job()
        AgentJob.objects.update(status=status)
        answer = caller.get(
            "getJobsByCaseId", case_id="case-001", agent_key=caller.kyb.key
        )
        assert answer.json()["jobs"][0]["status"] == spelled

    def test_results_and_messages_come_when_asked_for(self, caller):
        job, empty = caller.job(), caller.job()
        [run] = finish(job, status_messages=MESSAGES)
        answer = caller.get(
            "getJobsByCaseId",
            case_id="case-001",
            agent_key=caller.kyb.key,
            include_check_results="True",
            include_status_messages="1",
        )
        assert answer["Deprecation"] == "true"
        by_id = {job["id"]: job for job in answer.json()["jobs"]}
        value = by_id[str(job.job_id)]
        assert value["check_results"] == [
            {
                "id": str(run.pk),
                "type": CHECK,
                "check_id": CHECK,
                "command_id": CHECK,
                "status": "completed",
                "result": RESULT,
            }
        ]
        assert value["status_messages"] == MESSAGES
        assert by_id[str(empty.job_id)]["check_results"] == []

    def test_a_case_without_jobs_is_not_found(self, caller):
        caller.job()
        query = {"case_id": "case-009", "agent_key": caller.kyb.key}
        assert not_found(caller.get("getJobsByCaseId", **query))
        # The case is there, but not with this agent.
        query = {"case_id": "case-001", "agent_key": caller.kyc.key}
        assert not_found(caller.get("getJobsByCaseId", **query))

    def test_the_agents_of_others_and_of_nobody_are_refused_alike(self, caller, other):
        other.job()
        answers = [
            caller.get("getJobsByCaseId", case_id="case-001", agent_key=key)
            for key in (other.kyb.key, "nobody")
        ]
        assert [answer.status_code for answer in answers] == [403, 403]
        assert answers[0].content == answers[1].content

    def test_the_jobs_of_an_inactive_agent_can_still_be_read(self, caller):
        caller.job()
        Agent.objects.update(is_active=False)
        answer = caller.get(
            "getJobsByCaseId", case_id="case-001", agent_key=caller.kyb.key
        )
        assert answer.status_code == 200

    def test_what_is_missing_or_malformed_is_told(self, caller):
        assert bad_places(caller.get("getJobsByCaseId")) == [["case_id"], ["agent_key"]]
        broken = {
            "case_id": "c" * 256,
            "agent_key": "a\0b",
            "include_check_results": "maybe",
        }
        assert bad_places(caller.get("getJobsByCaseId", **broken)) == [
            ["case_id"],
            ["agent_key"],
            ["include_check_results"],
        ]

    def test_it_asks_the_database_as_often_for_many_jobs_as_for_one(
        self, caller, django_assert_num_queries
    ):
        query = {
            "case_id": "case-001",
            "agent_key": caller.kyb.key,
            "include_check_results": "true",
            "include_status_messages": "true",
        }
        finish(caller.job(), checks=2)
        caller.get("getJobsByCaseId", **query)  # the first use of the key is written
        # The key, the jobs, the results.
        with django_assert_num_queries(3):
            caller.get("getJobsByCaseId", **query)
        for _ in range(10):
            finish(caller.job(), checks=6)
        with django_assert_num_queries(3):
            answer = caller.get("getJobsByCaseId", **query)
        assert [len(job["check_results"]) for job in answer.json()["jobs"]] == [
            6
        ] * 10 + [2]


def test_a_job_of_another_account_is_as_if_it_were_not_there(caller, other):
    job = other.job()
    finish(job)
    for endpoint in ("getJobById", "getCheckResults"):
        theirs = caller.get(endpoint, job_id=job.job_id)
        assert not_found(theirs)
        assert theirs.content == caller.get(endpoint, job_id=uuid.uuid4()).content
        assert other.get(endpoint, job_id=job.job_id).status_code == 200


def test_two_accounts_with_one_job_id_see_their_own_job(caller, other):
    job_id = uuid.uuid4()
    finish(caller.job(job_id=job_id))
    other.job(job_id=job_id)
    assert caller.get("getJobById", job_id=job_id).json()["status"] == "complete"
    assert other.get("getJobById", job_id=job_id).json()["status"] == "pending"
    assert len(caller.get("getCheckResults", job_id=job_id).json()) == 1
    assert other.get("getCheckResults", job_id=job_id).json() == []


def test_a_result_reads_alike_wherever_it_is_asked_for(caller):
    job = caller.job()
    run = CheckRun.objects.create(job=job, check_id="kyb.web_presence_check")
    result = {
        "verdict": "fail",
        "explanation": "Zoë said “no”\n\u2028",
        "payload": {"n": [1.5, {}]},
    }
    assert run.end(CheckRun.Status.FAILED, result)
    assert not run.end(CheckRun.Status.COMPLETED, result)
    case = {
        "case_id": job.case_id,
        "agent_key": caller.kyb.key,
        "include_check_results": "true",
    }
    state = {"application_id": job.case_id, "agent_key": caller.kyb.key}

    def read() -> list[Any]:
        [by_case] = caller.get("getJobsByCaseId", **case).json()["jobs"]
        by_id = caller.get(
            "getJobById", job_id=job.job_id, include_check_results=True
        ).json()
        checks = caller.get("getCheckResults", job_id=job.job_id).json()
        current = caller.get("getLatestApplicationState", **state).json()
        lists = (by_case["check_results"], by_id["check_results"], checks)
        return [results for [results] in (*lists, current["current_check_results"])]

    assert [results["result"] for results in read()] == [result] * 4
