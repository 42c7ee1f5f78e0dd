"""Somebody who has no key changes the rows of webhooks: nothing is sent to others, or for them."""

from __future__ import annotations

import json
import uuid
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from agenthub.deliveries import sending
from agenthub.jobs import lifecycle
from agenthub.models import AgentJob, Delivery
from agenthub.tasks import DELIVERIES
from compliance.http import outbound, outbox
from compliance.operation import dead_letters
from tests.factories import make_hub

pytestmark = pytest.mark.django_db

OURS, THEIRS = "https://client.example/hook", "https://theirs.example/"


@pytest.fixture
def sent(monkeypatch) -> list[tuple[str, dict[str, Any]]]:
    """The addresses and bodies that were sent. No receiver answers."""
    requests: list[tuple[str, dict[str, Any]]] = []

    def request(_method: str, url: str, *, data: bytes, **_: object) -> None:
        requests.append((url, json.loads(data)))
        raise outbound.OutboundError("away")

    monkeypatch.setattr(outbound, "request", request)
    return requests


def make_job(case_id: str = "case-1", url: str = OURS) -> AgentJob:
    schema = {"id": case_id, "self_attested_data": {"business_name": "Northwind Ltd"}}
    payload = {
        "kyb_schema": schema,
        "webhook_url": url,
        "tool_webhook_url": url,
        "slack_webhook_url": url,
    }
    job, _ = lifecycle.create(
        agent=make_hub()["kyb"], job_id=uuid.uuid4(), input_payload=payload
    )
    return job


def change(column: str, value: str | bytes, pk: uuid.UUID) -> None:
    key = Delivery._meta.pk.get_db_prep_value(pk, connection)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE agenthub_delivery SET {column} = %s WHERE id = %s",  # noqa: S608
            [value, key],
        )


def token_of(pk: uuid.UUID) -> bytes:
    key = Delivery._meta.pk.get_db_prep_value(pk, connection)
    with connection.cursor() as cursor:
        cursor.execute("SELECT body FROM agenthub_delivery WHERE id = %s", [key])
        return bytes(cursor.fetchone()[0])


def require_ended(pk: uuid.UUID) -> None:
    """It failed for good, and an administrator sees why."""
    row = Delivery.objects.get(pk=pk)
    assert (row.status, row.due_at, row.leased_until) == ("dead", None, None)
    assert row.attempts.get().error == outbox.CHANGED
    letters = {letter.key: letter.why for letter in page_of_letters()}
    assert outbox.CHANGED in letters[str(pk)]


def page_of_letters() -> list[dead_letters.Letter]:
    [kind] = [each for each in dead_letters.registered() if each.name == "deliveries"]
    return [kind.letter(row) for row in kind.rows(User(is_superuser=True))]


@pytest.mark.parametrize("kind", ["job", "slack"])
def test_a_webhook_does_not_go_to_an_address_that_its_request_does_not_name(sent, kind):
    lifecycle.give_up(make_job(), "of a test")
    row = Delivery.objects.get(kind=kind)
    Delivery.objects.exclude(pk=row.pk).delete()
    change("url", THEIRS, row.pk)
    assert DELIVERIES.drain() == 1
    assert sent == []
    require_ended(row.pk)


def test_the_other_webhooks_of_the_same_claim_are_sent(sent):
    lifecycle.give_up(make_job(), "of a test")
    job, slack = Delivery.objects.order_by("kind")
    change("url", THEIRS, job.pk)
    assert DELIVERIES.drain() == 2
    assert [url for url, _ in sent] == [OURS]
    slack.refresh_from_db()
    assert (slack.status, slack.tries) == ("due", 1)
    require_ended(job.pk)


def test_a_body_that_somebody_wrote_in_the_clear_is_not_signed(sent):
    lifecycle.give_up(make_job(), "of a test")
    job, slack = Delivery.objects.order_by("kind")
    change("body", b'{"recommendation": "Approve"}', job.pk)
    assert DELIVERIES.drain() == 2
    assert [body for _, body in sent] == [json.loads(slack.body)]
    require_ended(job.pk)


def test_a_body_of_another_case_is_not_sent_to_the_address_of_this_one(sent):
    """Its sender may be a client of the hub, with a case and an address of their own."""
    lifecycle.give_up(make_job(), "of a test")
    lifecycle.give_up(make_job("case-2", THEIRS), "of a test")
    row = Delivery.objects.get(kind="job", url=OURS)
    other = Delivery.objects.get(kind="job", url=THEIRS)
    Delivery.objects.exclude(pk=other.pk).exclude(pk=row.pk).delete()
    change("body", token_of(row.pk), other.pk)
    sending.send(Delivery.objects.get(pk=other.pk))
    assert sent == []
    require_ended(other.pk)


def test_webhooks_are_queued_for_the_addresses_of_the_request():
    """Those of the job's columns are copies."""
    job = make_job()
    AgentJob.objects.update(webhook_url=THEIRS, slack_webhook_url=THEIRS)
    lifecycle.give_up(AgentJob.objects.get(pk=job.pk), "of a test")
    assert set(Delivery.objects.values_list("url", flat=True)) == {OURS}


def test_the_request_of_a_job_is_read_once_for_all_its_webhooks(sent):
    """It may have megabytes of documents."""
    job = make_job()
    lifecycle.give_up(job, "of a test")
    due = list(Delivery.objects.all())
    assert len(due) > 1
    with CaptureQueriesContext(connection) as queries:
        sending.send_together(due)
    assert len(sent) == len(due)
    read = [query for query in queries if "input_payload" in query["sql"]]
    assert len(read) == 1
