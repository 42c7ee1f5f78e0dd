"""The pages of the queues, and what failed for good tried again by hand."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.utils.timezone import now

from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from agenthub.models import AgentJob, Attempt, Delivery
from agenthub.models.lists import ListSource, ListVersion, Rescreening
from compliance.operation import heartbeats
from compliance.work import queues, tallies
from compliance.work.queues import WorkQueue
from reviews.models import (
    Announcement,
    Case,
    CaseEvent,
    Decision,
    Document,
    InformationRequest,
    Job,
    NoticeMail,
    RequestMail,
    Subscription,
)
from tests import factories
from tests.factories import make_user
from webhooks.models import Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def operator(client):
    user = make_user("olga", role="administrator")
    user.groups.add(*make_user("hal", role=HUB_ADMINISTRATOR).groups.all())
    client.force_login(user)
    return client


def page_of(client, address: str = "/queues/") -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_it_is_for_operators(client):
    client.force_login(make_user("ana", role="senior"))
    assert client.get("/queues/").status_code == 403


def test_it_shows_what_waits_and_who_works(operator):
    since = now() - timedelta(minutes=10)
    case = factories.make_case()
    Document.objects.create(
        case=case, kind=Document.Kind.EIN, file_name="a", due_at=since
    )
    heartbeats.Worker("desk-1", {"default", "deliveries"}).beat()
    page = page_of(operator)
    assert "reviews.tasks.draw_documents" in page
    assert '<span class="tag warn">10 min</span>' in page
    assert "worker desk-1" in page
    assert '<span class="tag fail">No worker</span> for documents' in page


def test_it_shows_what_became_of_the_last_hour(operator, monkeypatch):
    def fail(_: object) -> None:
        raise ValueError

    given_up = []
    queue = WorkQueue(
        "reviews.tasks.draw_documents",
        Document,
        fail,
        max_failures=2,
        on_exhausted=lambda row, reason: given_up.append(row.complete()),
    )
    monkeypatch.setitem(queues.registered(), queue.name, queue)
    row = Document.objects.create(
        case=factories.make_case(), kind=Document.Kind.EIN, file_name="a", due_at=now()
    )
    queue.drain()
    Document.objects.filter(pk=row.pk).update(due_at=now(), leased_until=None)
    queue.drain()
    assert given_up == [True]
    tallies.flush()
    page = page_of(operator)
    line = page[page.index("draw_documents") :].partition("</tr>")[0]
    cells = [cell.partition("</td>")[0] for cell in line.split('<td class="num">')[1:]]
    # Waiting, oldest, under way, tried again; worked, errors, given up.
    assert cells[:7] == ["0", "\N{EN DASH}", "0", "0", "0", "1", "1"]


def dead_delivery() -> Delivery:
    hub = factories.make_hub()
    job = AgentJob.objects.create(
        account=hub["account"],
        agent=hub["kyb"],
        case_id="c",
        input_payload={"kyb_schema": {}},
        status="COMPLETE",
        due_at=None,
    )
    row = Delivery.objects.create(
        job=job, account=hub["account"], kind="job", url="https://example.com/x",
        body=b"{}", status=Delivery.Status.DEAD, tries=8, due_at=None,
    )  # fmt: skip
    Attempt.objects.create(delivery=row, http_status=503, took_ms=1)
    return row


def dead_rescreening() -> Rescreening:
    source = ListSource.objects.create(slug="un", title="UN", format="un")
    version = ListVersion.objects.create(
        source=source, status="active", file_name="a", sha256="0" * 64
    )
    return Rescreening.objects.create(
        version=version, status="failed", error="It failed.", due_at=None, failures=8
    )


def dead_event() -> Event:
    case = factories.make_case()
    return factories.make_event(
        case, b'{"id": "x"}', status="ignored", reason="No job.", due_at=None
    )


def dead_announcement() -> Announcement:
    case = factories.make_case()
    decision = Decision.objects.create(
        case=case, outcome="approved", rationale="Fine.", made_by=make_user("dee")
    )
    subscription = Subscription.objects.create(
        name="Core", url="https://example.com/", secret="s" * 32
    )
    return Announcement.objects.create(
        subscription=subscription, case=case, decision=decision, url=subscription.url,
        body=b"{}", status="dead", tries=8, due_at=None,
    )  # fmt: skip


def dead_job() -> Job:
    case = factories.make_case(status=Case.Status.ATTENTION)
    return factories.make_job(
        case, status="failed", error="403: no such agent", due_at=None
    )


def dead_notice() -> NoticeMail:
    return NoticeMail.objects.create(
        to=make_user("ned"),
        status="failed",
        fault="The mail server did not take it.",
        due_at=None,
        failures=8,
    )


def dead_mail() -> RequestMail:
    request = InformationRequest.objects.create(
        case=factories.make_case(),
        made_by=make_user("meg"),
        message="Please.",
        expires_at=now() + timedelta(days=1),
    )
    return RequestMail.objects.create(
        request=request, kind="request", address="a@example.com", status="failed",
        fault="The mail server did not take it.", due_at=None, failures=8,
    )  # fmt: skip


# Each kind with a row of it, the status that it has when it is tried again, and the line of the trail.
KINDS = {
    "deliveries": (dead_delivery, "due", "deliveries_sent_again"),
    "rescreenings": (dead_rescreening, "due", "rescreening_tried_again"),
    "webhooks": (dead_event, "received", "webhook_replayed"),
    "announcements": (dead_announcement, "due", "announcement_sent_again"),
    "mails": (dead_mail, "waiting", "mail_queued_again"),
    "notices": (dead_notice, "sending", "mail_queued_again"),
}


@pytest.mark.parametrize("name", KINDS)
def test_one_is_tried_again_once(operator, name):
    make, status, line = KINDS[name]
    row = make()
    page = page_of(operator, f"/queues/failed/{name}/")
    assert f'name="key" value="{row.pk}"' in page
    address = f"/queues/failed/{name}/retry/"
    assert operator.post(address, {"key": row.pk}).status_code == 303
    row.refresh_from_db()
    assert row.status == status
    assert row.due_at <= now() + timedelta(seconds=1)
    # A second click finds nothing that is dead.
    assert operator.post(address, {"key": row.pk}).status_code == 404
    [event] = CaseEvent.objects.filter(what=line)
    assert event.user is not None
    assert event.user.username == "olga"
    assert "Nothing of this kind" in page_of(operator, f"/queues/failed/{name}/")


@pytest.mark.parametrize("name", KINDS)
def test_all_of_a_kind_are_tried_again(operator, name):
    make, status, line = KINDS[name]
    row = make()
    page = page_of(operator)
    assert f'/queues/failed/{name}/"' in page
    operator.post(f"/queues/failed/{name}/retry/")
    row.refresh_from_db()
    assert row.status == status
    assert CaseEvent.objects.filter(what=line).count() == 1


def test_a_job_that_was_never_sent_is_queued_as_a_new_one(operator):
    job = dead_job()
    result = dead_job_that_ran()
    page = page_of(operator, "/queues/failed/jobs/")
    assert "403: no such agent" in page
    assert str(result.pk) not in page
    address = "/queues/failed/jobs/retry/"
    operator.post(address, {"key": job.pk})
    job.case.refresh_from_db()
    assert job.case.status == Case.Status.CHECKING
    newest = job.case.jobs.first()
    assert newest is not None
    assert newest != job
    assert newest.status == Job.Status.QUEUED
    assert job.case.events.filter(what="job_queued_again").count() == 1
    assert operator.post(address, {"key": job.pk}).status_code == 404
    assert job.case.jobs.count() == 2


def dead_job_that_ran() -> Job:
    case = factories.make_case(
        factories.make_connection("other"), status=Case.Status.ATTENTION
    )
    return factories.make_job(case, status="failed", started_at=now(), due_at=None)


def failed_job(**values: object) -> AgentJob:
    hub = factories.make_hub()
    columns = {
        "account": hub["account"],
        "agent": hub["kyb"],
        "case_id": "c",
        "input_payload": {
            "kyb_schema": {"id": "c", "self_attested_data": {}},
            "webhook_url": "https://example.com/x",
        },
        "status": "FAILED",
        "error": "It failed after 5 attempts (OSError).",
        "due_at": None,
        "webhook_url": "https://example.com/x",
    }
    return AgentJob.objects.create(**columns | values)


def test_a_failed_job_of_the_hub_is_run_again_as_a_new_one_once(operator):
    job = failed_job()
    page = page_of(operator, "/queues/failed/hub-jobs/")
    assert "It failed after 5 attempts (OSError)." in page
    address = "/queues/failed/hub-jobs/retry/"
    assert operator.post(address, {"key": job.pk}).status_code == 303
    job.refresh_from_db()
    assert job.status == "RETRIED"
    assert job.rerun.status == "PENDING"
    assert job.rerun.webhook_url == job.webhook_url
    assert job.rerun.due_at <= now() + timedelta(seconds=1)
    assert operator.post(address, {"key": job.pk}).status_code == 404
    assert AgentJob.objects.count() == 2
    [line] = CaseEvent.objects.filter(what="hub_job_run_again")
    assert line.user is not None
    assert line.data["new_job"] == str(job.rerun.job_id)


def test_a_job_that_was_erased_or_whose_agent_is_off_is_not_run_again(operator):
    job = failed_job(erased_at=now())
    address = "/queues/failed/hub-jobs/retry/"
    assert operator.post(address, {"key": job.pk}).status_code == 404
    AgentJob.objects.filter(pk=job.pk).update(erased_at=None)
    job.agent.is_active = False
    job.agent.save()
    operator.post(address)
    job.refresh_from_db()
    assert job.status == "FAILED"


def test_a_key_that_is_none_is_not_found(operator):
    for key in ("x", "17", "\x00"):
        answer = operator.post("/queues/failed/deliveries/retry/", {"key": key})
        assert answer.status_code == 404
    assert operator.get("/queues/failed/nothing/").status_code == 404


def test_who_manages_the_hub_alone_has_nothing_of_the_desk_tried_again(client):
    client.force_login(make_user("hal", role=HUB_ADMINISTRATOR))
    assert "Webhooks of the hub" in page_of(client)
    assert "E-mails to applicants" not in page_of(client)
    assert client.get("/queues/failed/mails/").status_code == 404
    row = dead_mail()
    answer = client.post("/queues/failed/mails/retry/", {"key": row.pk})
    assert answer.status_code == 404
    row.refresh_from_db()
    assert row.status == "failed"


def test_a_long_reason_is_read_without_a_mouse(operator):
    """Only a mouse shows a title; a cell of one line hides the end of its words."""
    row = dead_delivery()
    words = "The receiver refused: " + "its certificate has ended. " * 6
    Attempt.objects.create(delivery=row, error=words, took_ms=1)
    page = operator.get("/queues/failed/deliveries/").content.decode()
    cell = re.search(r'<td class="long">([^<]*)</td>', page)
    assert cell
    assert words.strip() in cell[1]
