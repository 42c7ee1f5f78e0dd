"""Why a service refuses reaches the page in its own words, in whatever form they come."""

from __future__ import annotations

import json

import pytest

from reviews.jobs import lifecycle
from reviews.models import Job
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import words

pytestmark = pytest.mark.django_db

OUT = "Out of credits"
FORMS = [
    {"detail": OUT},
    {"detail": [OUT]},
    {"detail": [[[OUT]]]},
    {"detail": {"error": {"message": OUT}}},
    {"detail": {"agent_key": [OUT]}},
    {
        "detail": [
            {
                "type": "value_error",
                "loc": ["body", 0, "x"],
                "msg": OUT,
                "input": {"a": "b"},
            }
        ]
    },
    {"error": {"code": 17, "message": OUT}},
    {"error": "invalid_request", "error_description": OUT},
    {"error": True, "message": OUT},
    {"errors": [{"title": OUT, "detail": "Buy more."}]},
    {"errors": {"agent_key": [OUT]}},
    {"title": OUT, "detail": "Buy more.", "type": "about:blank", "status": 402},
    {"agent_key": [OUT]},
    {"message": {"agent_key": OUT}},
    {"reason": OUT},
    [OUT],
    OUT,
]


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def job(service) -> Job:
    connection = make_connection(base_url=service.url)
    case = make_case(connection, agent=make_agent(connection), reference="C-1")
    return make_job(case, status=Job.Status.QUEUED)


def words_on_page(client, job: Job) -> str:
    client.force_login(make_user())
    return words(client, f"/cases/{job.case_id}/")


@pytest.mark.parametrize("form", FORMS, ids=json.dumps)
def test_a_refused_start(service, job, client, form):
    service.plan = [Step(status=402, body=json.dumps(form).encode())]
    lifecycle.advance(job)
    page = words_on_page(client, job)
    assert OUT in page
    assert "{'" not in page
    assert "['" not in page


def test_words_that_are_no_json(service, job, client):
    service.plan = [Step(status=402, body=b"Out of  credits\n")]
    lifecycle.advance(job)
    assert "startKYBAgentJob: 402 Out of credits" in words_on_page(client, job)


def test_the_page_of_a_proxy_is_no_reason(service, job, client):
    service.plan = [Step(status=404, body=b"<html><h1>Not here</h1></html>")]
    lifecycle.advance(job)
    assert "startKYBAgentJob: 404 no reason given" in words_on_page(client, job)


@pytest.mark.parametrize("error", [*FORMS, {"message": OUT, "code": 5}], ids=json.dumps)
def test_a_failed_job(service, job, client, error):
    Job.objects.update(status=Job.Status.RUNNING)
    service.jobs[job.remote_id] = {
        "id": job.remote_id,
        "status": "failed",
        "error": error,
    }
    lifecycle.advance(Job.objects.get())
    page = words_on_page(client, job)
    assert OUT in page
    assert "{'" not in page
    assert "['" not in page


@pytest.mark.parametrize("error", [None, "", {}, [], {"a": None}])
def test_a_failed_job_without_words(service, job, client, error):
    Job.objects.update(status=Job.Status.RUNNING)
    service.jobs[job.remote_id] = {
        "id": job.remote_id,
        "status": "failed",
        "error": error,
    }
    lifecycle.advance(Job.objects.get())
    assert "The service reported that the job failed." in words_on_page(client, job)


@pytest.mark.parametrize(
    ("text", "read"),
    [("Deny", "Deny"), (["Deny"], "Deny"), (None, ""), ({"is": "Deny"}, "Is: Deny")],
)
def test_a_recommendation_in_another_form_is_not_lost(service, job, text, read):
    Job.objects.update(status=Job.Status.RUNNING)
    answer = {"id": job.remote_id, "status": "complete", "recommendation": text}
    service.jobs[job.remote_id] = {**answer, "check_results": []}
    lifecycle.advance(Job.objects.get())
    assert Job.objects.get().recommendation == read
