"""What the desk does with a service that is slow, wrong, away, or answers nonsense."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.core.exceptions import ValidationError
from django.utils.timezone import now

from reviews.intake import cases, job_import
from reviews.jobs import completion, lifecycle, polling
from reviews.models import Announcement, Case, CheckResult, Job, Subscription
from reviews.service import client
from tests import fakeservice
from tests.factories import make_agent, make_connection, make_user
from tests.fakeservice import Step

pytestmark = pytest.mark.django_db


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def case(service) -> Case:
    connection = make_connection(base_url=service.url, api_key="ck_key")
    return cases.submit(
        actor=None,
        agent=make_agent(connection),
        subject="Northwind Ltd",
        data={"business_name": "Northwind Ltd"},
        documents=[],
        reference="case-1",
    )


def advance() -> Job:
    """What the lane does with a due row."""
    job = Job.objects.get()
    lifecycle.advance(job)
    job.refresh_from_db()
    return job


def seconds_to_wait(job: Job) -> float:
    assert job.due_at is not None
    return (job.due_at - now()).total_seconds()


def test_a_job_is_sent_with_our_id_and_our_address(case, service, settings):
    settings.CALLBACK_URL = "https://desk.example"
    job = advance()
    assert job.status == Job.Status.RUNNING
    [(method, path, body)] = service.asked
    assert (method, path) == ("POST", "startKYBAgentJob")
    assert body["agent_key"] == "kyb-key"
    assert body["job_id"] == str(job.pk)
    assert (
        body["webhook_url"]
        == body["tool_webhook_url"]
        == "https://desk.example/webhooks/hub/"
    )
    assert body["kyb_schema"]["id"] == "case-1"
    assert body["kyb_schema"]["self_attested_data"] == {
        "business_name": "Northwind Ltd"
    }


def test_a_409_is_an_accepted_job(case, service):
    service.plan = [
        Step(status=500, done=True)
    ]  # it was started, and the answer was lost
    assert advance().status == Job.Status.QUEUED
    assert advance().status == Job.Status.RUNNING
    assert len(service.jobs) == 1


@pytest.mark.parametrize(
    "body", [b'{"status": "error", "message": "It exists."}', b"It exists."]
)
def test_a_409_in_other_words_is_an_accepted_job(case, service, body):
    service.plan = [Step(status=409, body=body)]
    assert advance().status == Job.Status.RUNNING


@pytest.mark.parametrize(
    "step",
    [
        Step(status=500),
        Step(status=503),
        Step(status=429),
        Step(reset=True),
        Step(body=b"<html>maintenance</html>"),
        Step(body=b"[1, 2]"),
        Step(body=b'{"cut off": '),
    ],
)
def test_what_may_pass_is_tried_again_later(case, service, step):
    service.plan = [step]
    job = advance()
    assert job.status == Job.Status.QUEUED
    assert seconds_to_wait(job) > 0
    assert job.tries == 1
    assert job.error
    assert advance().status == Job.Status.RUNNING


def test_tries_are_further_and_further_apart(case, service):
    waits = []
    for _ in range(6):
        service.plan = [Step(status=502)]
        waits.append(seconds_to_wait(advance()))
    assert waits[0] < 3
    assert waits[-1] > 40


def test_a_service_that_goes_away_while_a_long_job_runs_is_asked_again_in_a_moment(
    case, service
):
    advance()
    for _ in range(polling.UNKNOWN_TRIES + 2):
        assert advance().tries == 0
    service.plan = [Step(reset=True), Step(status=404)]
    assert seconds_to_wait(advance()) < 3
    assert (
        advance().status == Job.Status.RUNNING
    )  # unknown once is not unknown for good


def test_the_longer_a_job_runs_the_less_often_it_is_asked_after(
    case, service, settings
):
    settings.JOB_NEWS_SECONDS = 60
    advance()
    for minutes, seconds in ((1, 60), (8, 120), (600, 300)):
        Job.objects.update(started_at=now() - timedelta(minutes=minutes))
        assert seconds - 2 < seconds_to_wait(advance()) < seconds + 2


def test_retry_after_is_honoured(case, service):
    service.plan = [Step(status=429, headers={"Retry-After": "120"})]
    assert 115 < seconds_to_wait(advance()) < 125


@pytest.mark.parametrize("text", ["0", "Wed, 01 Jan 2020 10:00:00 GMT"])
def test_a_retry_after_without_a_wait_is_no_loop_without_a_pause(case, service, text):
    service.plan = [Step(status=503, headers={"Retry-After": text})]
    assert 1 < seconds_to_wait(advance()) < 5


def test_a_retry_after_that_is_no_time_is_as_none(case, service):
    later = "Mon, 01 Jan 99999999999999999999 10:00:00 GMT"
    service.plan = [Step(status=503, headers={"Retry-After": later})]
    assert seconds_to_wait(advance()) < 60


def test_a_case_that_the_service_has_no_room_for_says_so_and_is_sent_later(
    case, service, client
):
    """Also where it is refused again and again: it never fails."""
    words = {"error": "Too Many Requests", "message": "500 jobs open."}
    refusal = Step(
        status=429, body=json.dumps(words).encode(), headers={"Retry-After": "40"}
    )
    service.plan = [refusal] * 10
    client.force_login(make_user())
    for _ in range(10):
        job = advance()
        assert (job.status, 35 < seconds_to_wait(job) < 45) == (Job.Status.QUEUED, True)
        Job.objects.update(due_at=now())
    page = client.get(f"/cases/{case.pk}/").content.decode()
    assert "Waiting for room at the service" in page
    assert "500 jobs open." in page
    assert advance().status == Job.Status.RUNNING


def test_a_4xx_fails_the_job_with_the_words_of_the_service(case, service):
    detail = [{"loc": ["kyb_schema", "id"], "msg": "Field required", "type": "missing"}]
    data = {
        "error": "Bad request",
        "message": "The body breaks the schema.",
        "detail": detail,
    }
    service.plan = [Step(status=400, body=json.dumps(data).encode())]
    job = advance()
    assert job.status == Job.Status.FAILED
    assert "The body breaks the schema. (kyb_schema.id: Field required)" in job.error
    case.refresh_from_db()
    assert case.status == Case.Status.ATTENTION
    assert not job.due_at


def test_a_start_that_was_refused_with_status_200_is_not_under_way(case, service):
    body = b'{"status": "error", "message": "The agent is not ready."}'
    service.plan = [Step(status=200, body=body)]
    job = advance()
    assert job.status == Job.Status.FAILED
    assert "The agent is not ready." in job.error


def test_run_again_sends_a_new_job(case, service):
    service.plan = [Step(status=403)]
    advance()
    job = cases.run_again(case, actor=None)
    assert job is not None
    lifecycle.advance(job)
    case.refresh_from_db()
    assert case.status == Case.Status.CHECKING
    assert [job.status for job in case.jobs.all()] == ["running", "failed"]


def test_run_again_while_one_is_under_way_is_refused(case):
    assert cases.run_again(case, actor=None) is None


def test_an_answer_larger_than_the_cap_is_refused(case, service, monkeypatch):
    monkeypatch.setattr(client, "MAX_BYTES", 1000)
    service.plan = [Step(body=b'{"a": "' + b"x" * 5000 + b'"}')]
    assert "too large" in advance().error


def test_a_job_without_news_is_asked_after(case, service):
    job = advance()
    service.jobs[str(job.pk)] |= {
        "status": "complete",
        "recommendation": "Approve",
        "check_results": [
            {"check_id": "c", "status": "completed", "result": {"passed": True}}
        ],
    }
    job = advance()
    assert (job.status, job.recommendation, job.has_results) == (
        "complete",
        "Approve",
        True,
    )
    assert CheckResult.objects.get().passed is True
    case.refresh_from_db()
    assert case.status == Case.Status.TO_REVIEW
    assert not job.due_at


def test_a_job_that_still_runs_is_asked_after_later(case, service):
    advance()
    job = advance()
    assert job.status == Job.Status.RUNNING
    assert seconds_to_wait(job) > 30


def test_a_service_that_forgot_the_job_fails_it_in_the_end(case, service):
    advance()
    service.jobs.clear()
    for _ in range(polling.UNKNOWN_TRIES - 1):
        assert advance().status == Job.Status.RUNNING
    job = advance()
    assert job.status == Job.Status.FAILED
    assert "No such job." in job.error


def test_results_are_collected_after_the_job_event(case, service):
    job = advance()
    completion.complete(job, recommendation="Review")
    service.jobs[str(job.pk)]["check_results"] = [
        {"command_id": "c", "status": "complete"}
    ]
    job = advance()
    assert job.has_results
    assert CheckResult.objects.get().check_id == "c"
    assert not job.due_at


def test_submitting_twice_gives_the_same_case(case):
    job = Job.objects.get()
    again = cases.submit(
        actor=None,
        agent=case.agent,
        subject=case.subject,
        data=case.self_attested_data,
        documents=[],
        submission=job.pk,
    )
    assert again == case
    assert Job.objects.count() == 1


def test_a_reference_is_taken_once(case):
    with pytest.raises(cases.ReferenceTakenError):
        cases.submit(
            actor=None,
            agent=case.agent,
            subject="x",
            data={},
            documents=[],
            reference="case-1",
        )
    assert Case.objects.count() == 1


def test_a_case_without_reference_gets_one(case):
    result = cases.submit(
        actor=None, agent=case.agent, subject="x", data={}, documents=[]
    )
    assert result.reference == f"C-{10000 + result.pk}"


def test_a_job_nobody_here_started_is_adopted(case, service):
    schema = {
        "id": "case-9",
        "self_attested_data": {
            "business_name": "Elsewhere GmbH",
            "incorporation_documents": [
                {"b64_document": "JVBERi0xLjc=", "file_name": "a.pdf"}
            ],
        },
        "associated_entities": ["kept"],
    }
    service.jobs["odd id"] = {
        "id": "odd id",
        "status": "running",
        "input_payload": schema,
    }
    job = job_import.import_job(case.connection, "odd id")
    assert job.case.reference == "case-9"
    assert job.case.subject == "Elsewhere GmbH"
    assert job.case.schema_extra == {"associated_entities": ["kept"]}
    with job.case.documents.get().file.open() as file:
        assert file.read() == b"%PDF-1.7"
    assert job_import.import_job(case.connection, "odd id") == job


@pytest.mark.parametrize("content", ["é", "????", "JVBERi0", None])
def test_a_document_that_cannot_be_decoded_is_kept_and_says_so(case, service, content):
    wire = {"b64_document": content, "file_name": "a.pdf"}
    data = {"business_name": "x", "incorporation_documents": [wire, "junk", None]}
    schema = {"id": "case-9", "self_attested_data": data}
    service.jobs["y"] = {"id": "y", "status": "running", "input_payload": schema}
    [document] = job_import.import_job(case.connection, "y").case.documents.all()
    assert document.status == "unreadable"
    assert document.reason


def test_a_nul_character_of_the_service_does_no_harm(case, service):
    job = advance()
    results = [
        {"check_id": "c", "status": "completed", "result": {"explanation": "a\x00b"}}
    ]
    service.jobs[str(job.pk)] |= {"status": "complete", "check_results": results}
    assert advance().has_results
    assert CheckResult.objects.get().body["result"]["explanation"] == "ab"


def test_a_connection_that_is_switched_off_gets_no_job(case, service):
    case.connection.is_active = False
    case.connection.save()
    assert advance().error == "The connection is switched off."
    assert service.asked == []


@pytest.mark.parametrize(
    "address", ["http://proxy:8080/api/v1", "https://hub.example.com/api/v1"]
)
def test_a_service_may_have_a_host_without_a_dot(case, address):
    case.connection.base_url = address
    case.connection.full_clean(exclude=["api_key"])


@pytest.mark.parametrize(
    "address", ["proxy:8080", "ftp://x/", "http://", "javascript:1"]
)
def test_a_service_has_an_http_address(case, address):
    case.connection.base_url = address
    with pytest.raises(ValidationError):
        case.connection.full_clean(exclude=["api_key"])


def test_a_job_of_a_case_that_is_here_joins_it(case, service):
    service.jobs["x"] = {
        "id": "x",
        "status": "running",
        "input_payload": {"id": "case-1"},
    }
    Subscription.objects.create(
        name="core", url="https://core.example/", secret="s", events=["case.created"]
    )
    assert job_import.import_job(case.connection, "x").case == case
    # The case was opened before.
    assert not Announcement.objects.exists()
