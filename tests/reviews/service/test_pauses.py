"""A service that refuses the key: nothing is lost, nothing is sent twice, all goes on by itself."""

from __future__ import annotations

import logging
import re
import uuid
from typing import Any

import pytest
from django.urls import reverse
from django.utils.timezone import now

from compliance.operation import heartbeats
from reviews.intake import cases
from reviews.jobs import completion, lifecycle, polling, result_rows
from reviews.models import Case, CaseEvent, Connection, Job, Pause
from reviews.service import pauses
from reviews.service.client import KeyRefusedError, Service
from tests import fakeservice
from tests.factories import make_agent, make_connection, make_job, make_user
from tests.fakeservice import FakeService, Step
from webhooks.models import Event

pytestmark = pytest.mark.django_db
KEY = "ck_live_secret_key"
REFUSED = b'{"error": "Unauthorized", "message": "Invalid API key provided"}'


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def connection(service) -> Connection:
    return make_connection(base_url=service.url, api_key=KEY)


@pytest.fixture
def agent(connection):
    return make_agent(connection)


def submit(agent, count: int = 1) -> list[Case]:
    return [
        cases.submit(
            actor=None,
            agent=agent,
            subject=f"Northwind {number} Ltd",
            data={"business_name": f"Northwind {number} Ltd"},
            documents=[],
        )
        for number in range(count)
    ]


def refuse(
    service: FakeService, count: int = 50, status: int = 401, body: bytes = REFUSED
) -> None:
    service.plan = [Step(status=status, body=body) for _ in range(count)]


def words(response) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", response.content.decode()).split())


def next_look() -> None:
    """Its time has come: the lanes go by the clock of the database, which cannot be moved."""
    assert Pause.objects.filter(due_at__gt=now()).update(due_at=now()) == 1


def lines_of(what: str) -> list[dict[str, Any]]:
    return [line.data for line in CaseEvent.objects.filter(what=what)]


def test_a_refused_key_pauses_the_connection_and_all_its_jobs_wait(
    service, agent, work_off, caplog, client
):
    refuse(service)
    waiting = submit(agent, 5)
    with caplog.at_level(logging.WARNING):
        work_off()
    assert "refuses the key" in caplog.text
    assert KEY not in caplog.text
    assert len(service.asked) <= 5
    pause = Pause.objects.get()
    assert pause.status == Pause.Status.PAUSED
    assert lines_of("connection_paused") == [
        {
            "connection": "hub",
            "reason": "startKYBAgentJob: 401 Invalid API key provided",
        }
    ]
    for job in Job.objects.all():
        assert (job.status, job.tries, job.failures) == (Job.Status.QUEUED, 0, 0)
    count = len(service.asked)
    work_off()
    assert len(service.asked) == count, "nothing is asked while it is paused"
    client.force_login(make_user("ana"))
    for case in waiting:
        page = words(client.get(case.get_absolute_url()))
        assert "The service refuses the key." in page
        assert "The case waits and is sent by itself once the key works." in page


def test_the_page_of_connections_and_readiness_say_so(service, agent, work_off, client):
    refuse(
        service, body=b'{"message": "The key ' + KEY.encode() + b' is <b>unknown</b>"}'
    )
    submit(agent, 2)
    work_off()
    heartbeats.Worker("test", heartbeats.broker_queues()).beat()
    # With a broker, beat is a part of its own, which does not run here.
    ready = client.get("/health/ready", {"exclude": "sweep"})
    assert ready.status_code == 200, "to take no more requests would not help"
    assert ready.json()["services"] == "paused, the key is refused: 1"
    client.force_login(make_user("adam", role="administrator"))
    answer = client.get(reverse("connections"))
    page = words(answer)
    assert "hub: the service refuses the key Paused" in page
    assert "2 jobs wait and go on by themselves" in page
    assert "&lt;b&gt;unknown" in answer.content.decode()
    assert KEY not in answer.content.decode()
    [line] = lines_of("connection_paused")
    assert KEY not in line["reason"]


def test_all_jobs_go_on_once_and_in_full_when_the_key_works_again(
    service, agent, work_off
):
    refuse(service)
    submit(agent, 5)
    work_off()
    service.plan, before = [], len(service.asked)
    next_look()
    work_off()
    query = service.paths()[before:]
    assert query[0] == "GET getJobById"
    assert query[1:] == ["POST startKYBAgentJob"] * 5
    assert {job.status for job in Job.objects.all()} == {Job.Status.RUNNING}
    assert {job.error for job in Job.objects.all()} == {""}
    assert sorted(service.jobs) == sorted(job.remote_id for job in Job.objects.all())
    assert Pause.objects.get().status == Pause.Status.ENDED
    assert lines_of("connection_resumed") == [{"connection": "hub"}]


def test_the_key_is_tried_by_a_schedule_once_for_all_jobs(service, agent, work_off):
    refuse(service)
    submit(agent, 5)
    work_off()
    waits = []
    for _ in range(len(pauses.SCHEDULE) + 2):
        refuse(service)
        before, moment = len(service.asked), now()
        next_look()
        work_off()
        assert service.paths()[before:] == ["GET getJobById"]
        due = Pause.objects.get().due_at
        assert due is not None
        waits.append((due - moment).total_seconds())
    schedule = [*pauses.SCHEDULE[1:], *[pauses.SCHEDULE[-1]] * 3]
    # How long the look itself took is part of it.
    assert all(b <= a < b + 10 for a, b in zip(waits, schedule, strict=True))
    assert all(job.tries == 0 for job in Job.objects.all())
    assert len(lines_of("connection_paused")) == 1


@pytest.mark.parametrize(
    "step", [Step(status=503), Step(status=429), Step(reset=True), Step(body=b"<html>")]
)
def test_a_service_that_is_away_says_nothing_of_the_key(service, agent, work_off, step):
    refuse(service)
    submit(agent)
    work_off()
    service.plan = [step]
    next_look()
    work_off()
    assert Pause.objects.get().status == Pause.Status.PAUSED
    assert Job.objects.get().status == Job.Status.QUEUED


def test_an_administrator_enters_another_key_and_the_jobs_go_on(
    service, agent, connection, work_off, client
):
    refuse(service)
    submit(agent, 3)
    work_off()
    service.plan = []
    client.force_login(
        make_user("adam", role="administrator", is_staff=True, is_superuser=True)
    )
    form = {
        "name": "hub", "slug": "hub", "base_url": connection.base_url, "api_key": "ck_next",
        "compact_header": connection.compact_header, "is_active": "on",
        "agents-TOTAL_FORMS": "0", "agents-INITIAL_FORMS": "0",
        "webhook_secrets-TOTAL_FORMS": "0", "webhook_secrets-INITIAL_FORMS": "0",
    }  # fmt: skip
    address = reverse("admin:reviews_connection_change", args=[connection.pk])
    assert client.post(address, form).status_code == 302
    before = len(service.headers)
    work_off()
    assert {job.status for job in Job.objects.all()} == {Job.Status.RUNNING}
    assert {headers["Authorization"] for headers in service.headers[before:]} == {
        "Bearer ck_next"
    }


def test_an_administrator_has_the_key_tried_at_once(
    service, agent, connection, work_off, client
):
    refuse(service)
    submit(agent)
    work_off()
    service.plan = []
    address = reverse("connection-try", args=[connection.pk])
    client.force_login(make_user("ana"))
    assert client.post(address).status_code == 403
    client.force_login(make_user("adam", role="administrator"))
    assert client.post(address).status_code == 302
    work_off()
    assert Job.objects.get().status == Job.Status.RUNNING
    assert "is not paused" in words(client.post(address, follow=True))


def test_a_look_with_the_key_of_before_does_not_put_off_the_new_one(
    service, agent, work_off
):
    refuse(service)
    submit(agent)
    work_off()
    stale = Pause.objects.get()
    connection = Connection.objects.get()
    connection.api_key = "ck_next"
    connection.save()
    refuse(service, 1)
    pauses.probe(stale)
    due = Pause.objects.get().due_at
    assert due is not None
    assert due <= now()


def test_a_refusal_of_the_key_of_before_pauses_nothing(service, agent, connection):
    submit(agent)
    refuse(service, 1)
    stale = Connection.objects.get()
    connection.api_key = "ck_next"
    connection.save()
    job = Job.objects.get()
    with pytest.raises(KeyRefusedError) as refused:
        Service.of(stale).get_job(job.remote_id)
    assert not pauses.pause(stale, refused.value)
    assert not Pause.objects.exists()


@pytest.mark.parametrize("status", [Job.Status.RUNNING, Job.Status.COMPLETE])
def test_results_wait_too(service, agent, connection, work_off, client, status):
    [case] = submit(agent)
    Job.objects.all().delete()
    case.move(Case.Status.CHECKING)
    job = make_job(case, status=status)
    if status == Job.Status.COMPLETE:
        case.move(Case.Status.TO_REVIEW)
    refuse(service)
    work_off()
    job.refresh_from_db()
    assert (job.status, job.tries, job.has_results) == (status, 0, False)
    client.force_login(make_user("ana"))
    page = words(client.get(case.get_absolute_url()))
    assert "results are fetched once the key works." in page
    service.plan = []
    service.jobs[job.remote_id] = {
        "id": job.remote_id,
        "status": "complete",
        "check_results": [],
    }
    next_look()
    work_off()
    job.refresh_from_db()
    assert (job.status, job.has_results) == (Job.Status.COMPLETE, True)


def test_webhooks_of_a_running_job_count_meanwhile(
    service, agent, connection, work_off
):
    [case] = submit(agent)
    work_off()
    job = Job.objects.get()
    assert job.status == Job.Status.RUNNING
    refuse(service)
    polling.poll(job)
    job.refresh_from_db()
    assert Pause.objects.get().status == Pause.Status.PAUSED
    completion.apply_results(
        job, [result_rows.tool_result(job, "tool", {"passed": True})]
    )
    assert case.jobs.get().check_results.count() == 1


def test_a_job_of_somebody_else_is_adopted_once_the_key_works(
    service, connection, agent, work_off
):
    service.jobs["elsewhere"] = {
        "id": "elsewhere", "status": "running", "input_payload": {"id": "case-9"},
    }  # fmt: skip
    refuse(service)
    body = b'{"id": "elsewhere", "status": "running"}'
    Event.objects.create(
        connection=connection, digest=b"1" * 32, body=body, received_at=now(),
    )  # fmt: skip
    work_off()
    event = Event.objects.get()
    assert (event.status, event.reason) == (Event.Status.RECEIVED, pauses.WAITS)
    assert len(service.asked) == 1
    service.plan = []
    next_look()
    work_off()
    work_off()
    assert Case.objects.get().reference == "case-9"
    assert Event.objects.get().status == Event.Status.APPLIED


@pytest.mark.parametrize(
    ("status", "body", "is_refused"),
    [
        (401, b"", True),
        (401, b"<html>", True),
        (403, b'{"message": "This API key was revoked"}', True),
        (
            403,
            b'{"error": "Forbidden", "detail": [{"msg": "invalid credentials"}]}',
            True,
        ),
        (403, b'{"message": "The agent is not active."}', False),
        (403, b'{"message": "The agent key is invalid."}', False),
        (403, b'{"message": "This API key may not use this agent."}', False),
        (403, b"", False),
        (400, b'{"message": "invalid API key"}', False),
    ],
)
def test_what_refuses_the_key_and_what_refuses_the_call(
    service, agent, work_off, status, body, is_refused
):
    refuse(service, 1, status=status, body=body)
    submit(agent)
    lifecycle.advance(Job.objects.get())
    job = Job.objects.get()
    expected = Job.Status.QUEUED if is_refused else Job.Status.FAILED
    assert job.status == expected
    assert Pause.objects.exists() is is_refused


def test_jobs_of_another_connection_go_on(service, agent, work_off):
    refuse(service)
    submit(agent)
    work_off()
    with fakeservice.running() as well:
        other = make_agent(make_connection("other", base_url=well.url, api_key="k"))
        submit(other)
        work_off()
        assert well.paths() == ["POST startKYBAgentJob"]


def test_a_connection_that_is_switched_off_meanwhile_is_asked_nothing(
    service, agent, connection, work_off
):
    refuse(service)
    submit(agent)
    work_off()
    before = len(service.asked)
    connection.is_active = False
    connection.save()
    work_off()
    assert len(service.asked) == before
    job = Job.objects.get()
    assert (job.status, job.error) == (
        Job.Status.FAILED,
        "The connection is switched off.",
    )


def test_the_case_is_called_paused_wherever_it_stands(service, agent, work_off, client):
    refuse(service)
    [case] = submit(agent)
    work_off()
    client.force_login(make_user("ana"))
    rows = ["/?view=all", "/?view=running", case.get_absolute_url()]
    rows += [f"{case.get_absolute_url()}{name}/" for name in ("peek", "report")]
    for address in rows:
        page = words(client.get(address))
        assert "Paused" in page, address
        assert case.reference in page
    for address in ("/?view=all", case.get_absolute_url()):
        text = client.get(address).content.decode()
        assert "spin" not in text[text.index("<main") :]
    service.plan = []
    next_look()
    work_off()
    for address in rows:
        assert "Paused" not in words(client.get(address)), address


def asks_of_pages(case: Case) -> dict[str, Any]:
    agent = case.agent
    assert agent is not None
    here, batch = case.get_absolute_url(), f"/batches/{agent.pk}/{uuid.uuid4()}/"
    return {
        "enrichment": lambda client: client.post(f"{here}enrich/"),
        "application": lambda client: client.get(f"{here}application/"),
        "batches": lambda client: client.get(f"/batches/?agent={agent.pk}"),
        "batch": lambda client: client.get(batch),
        "export": lambda client: client.get(f"{batch}export.csv"),
        "checks": lambda client: client.get(
            f"/cases/new/checks/?kind=kyb&agent={agent.pk}"
        ),
        "test": lambda client: client.post(f"/connections/{case.connection_id}/test/"),
    }


@pytest.mark.parametrize("name", ["enrichment", "application", "batches", "batch", "export", "checks", "test"])  # fmt: skip
def test_a_key_refused_on_any_page_pauses_the_connection(service, agent, client, name):
    [case] = submit(agent)
    refuse(service)
    client.force_login(make_user("adam", role="administrator", is_superuser=True))
    answer = asks_of_pages(case)[name](client)
    assert answer.status_code < 600
    assert len(service.asked) == 1
    assert Pause.objects.get().status == Pause.Status.PAUSED
    assert "Paused" in words(client.get(case.get_absolute_url()))


def test_a_page_that_is_refused_for_another_reason_pauses_nothing(
    service, agent, client
):
    [case] = submit(agent)
    refuse(service, 1, status=403, body=b'{"message": "The plan has no enrichment."}')
    client.force_login(make_user("ana"))
    assert "The plan has no enrichment." in words(
        client.post(f"{case.get_absolute_url()}enrich/")
    )
    assert not Pause.objects.exists()
