"""A service that says for ever that a job runs: the page says how long, and a person has a way on."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from reviews.findings.review_state import ReviewState
from reviews.jobs import lifecycle
from reviews.models import Case, CaseEvent, Job
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.fakeservice import FakeService
from tests.reviews.pages.case.rows import words

pytestmark = pytest.mark.django_db

CHECK = "kyb.sanctions_screening_check_v2"


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def job(service) -> Job:
    connection = make_connection(base_url=service.url)
    case = make_case(connection, agent=make_agent(connection), reference="C-1")
    return make_job(case, started_at=now() - timedelta(days=3))


def set_remote_status(
    service: FakeService, job: Job, status: object, **more: object
) -> None:
    service.jobs[job.remote_id] = {"id": job.remote_id, "status": status, **more}
    lifecycle.advance(Job.objects.get(pk=job.pk))


def passed() -> list[dict[str, object]]:
    return [{"check_id": CHECK, "status": "complete", "result": {"passed": True}}]


def test_the_page_says_how_long_it_has_run(service, job, client):
    set_remote_status(service, job, "running")
    client.force_login(make_user())
    page = words(client, f"/cases/{job.case_id}/")
    assert "Running for 3 days" in page
    assert "The service says that the job is still running, since" in page
    assert "Stop waiting" in page


def test_of_a_job_that_began_a_moment_ago_nothing_is_said(service, job, client):
    Job.objects.update(started_at=now())
    set_remote_status(service, job, "running")
    client.force_login(make_user())
    page = words(client, f"/cases/{job.case_id}/")
    assert "Running for" not in page
    assert "Stop waiting" not in page
    assert Case.objects.get().alarm == ""


def test_after_a_day_it_is_an_alarm_once(service, job, client):
    for _ in range(3):
        set_remote_status(service, job, "running")
    [line] = CaseEvent.objects.filter(what="alarm")
    assert "The service does not say that it ended." in str(line.details["reason"])
    client.force_login(make_user())
    assert "Alarm" in words(client, "/?view=running")


@pytest.mark.parametrize(
    "status", ["cancelled", "timed_out", "done", "", None, 5, ["running"]]
)
def test_a_status_that_the_interface_does_not_know_is_shown(
    service, job, client, status
):
    set_remote_status(service, job, status)
    assert Job.objects.get().status == Job.Status.RUNNING
    client.force_login(make_user())
    page = words(client, f"/cases/{job.case_id}/")
    assert "Whether it has ended cannot be told from that." in page
    assert "Stop waiting" in page
    set_remote_status(service, job, "running")
    assert "cannot be told" not in words(client, f"/cases/{job.case_id}/")


def test_a_person_stops_waiting_and_goes_on(service, job, client):
    set_remote_status(service, job, "running", check_results=passed())
    client.force_login(make_user("ana", first_name="Ana", last_name="Reyes"))
    assert client.post(f"/cases/{job.case_id}/stop-waiting/").status_code == 303
    assert Job.objects.get().status == Job.Status.FAILED
    assert Case.objects.get().status == Case.Status.ATTENTION
    page = words(client, f"/cases/{job.case_id}/")
    assert "Ana Reyes stopped waiting for this job. It was under way since" in page
    assert [check.verdict for check in ReviewState.of(Case.objects.get()).checks] == [
        "pass"
    ]
    [line] = CaseEvent.objects.filter(what="stopped_waiting")
    assert (line.data, line.by) == ({"job": job.remote_id}, "ana")
    assert "stopped waiting for the job" in words(
        client, f"/cases/{job.case_id}/?tab=activity"
    )
    assert client.post(f"/cases/{job.case_id}/run-again/").status_code == 303
    assert Job.objects.filter(status=Job.Status.QUEUED).count() == 1


def test_what_the_service_says_later_is_taken_in(service, job, client):
    set_remote_status(service, job, "running")
    client.force_login(make_user())
    client.post(f"/cases/{job.case_id}/stop-waiting/")
    failed = [{"check_id": CHECK, "status": "complete", "result": {"passed": False}}]
    set_remote_status(
        service, job, "complete", recommendation="Deny", check_results=failed
    )
    assert [check.verdict for check in ReviewState.of(Case.objects.get()).checks] == [
        "fail"
    ]
    assert "The service says now that the job is complete." in Case.objects.get().alarm


def test_a_job_that_is_at_rest_is_not_waited_for(job, client):
    Job.objects.update(status=Job.Status.COMPLETE)
    client.force_login(make_user())
    answer = client.post(f"/cases/{job.case_id}/stop-waiting/", follow=True)
    assert "No job of this case is under way." in answer.content.decode()
