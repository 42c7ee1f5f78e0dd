"""Webhooks out: the same bytes each time, signed at send time, tried for a day, then shown as dead."""

from __future__ import annotations

import base64
import hmac
import json
import uuid
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils.timezone import now

from agenthub import deliveries, jobs
from agenthub.models import Attempt, Delivery, SigningSecret
from tests import fakeservice
from tests.factories import SECRET, make_hub
from tests.fakeservice import FakeService, Step

pytestmark = pytest.mark.django_db


@pytest.fixture
def receiver(settings) -> Iterator[FakeService]:
    with fakeservice.running() as service:
        port = int(service.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        yield service


@pytest.fixture
def delivery(receiver) -> Delivery:
    """The job webhook of a job that failed."""
    job, _ = jobs.create(
        agent=make_hub()["kyb"],
        job_id=uuid.uuid4(),
        input_payload={
            "kyb_schema": {
                "id": "case-1",
                "self_attested_data": {
                    "business_name": "Northwind Ltd",
                    "incorporation_documents": [{"b64_document": "AAAA", "file_name": "a.pdf"}],
                },
            }
        },
        webhook_url=receiver.url + "/hook",
    )
    jobs.give_up(job, "of a test")
    return Delivery.objects.get()


def test_a_delivery_carries_both_signatures_and_its_id(delivery, receiver):
    receiver.plan = [Step(body=b"ok")]
    deliveries.send(delivery)
    delivery.refresh_from_db()
    assert delivery.status == Delivery.Status.DONE
    [headers] = receiver.headers
    body = bytes(delivery.body)
    key = SECRET.encode()
    full = base64.b64encode(hmac.digest(key, body, "sha256")).decode()
    compact = base64.b64encode(hmac.digest(key, b"case-1", "sha256")).decode()
    assert headers["X-Signature-SHA256"] == full
    assert headers["service-signature-compact"] == compact
    assert headers["X-Delivery-Id"] == str(delivery.pk)
    event = json.loads(body)
    assert event["status"] == "failed"
    assert event["input_payload"]["id"] == "case-1"
    assert "b64_document" not in body.decode()


@pytest.mark.parametrize("status", [301, 302, 400, 401, 404, 500, 503])
def test_all_but_2xx_is_tried_again(delivery, receiver, status):
    receiver.plan = [Step(status=status, body=b"no\x00")]
    deliveries.send(delivery)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.tries) == (Delivery.Status.DUE, 1)
    assert delivery.due_at is not None
    assert 3 < (delivery.due_at - now()).total_seconds() < 7
    kept = Attempt.objects.get()
    assert (kept.http_status, kept.response) == (status, "no")


def test_the_schedule_lasts_a_day_and_then_the_delivery_is_dead(delivery, receiver):
    waits = []
    while delivery.status == Delivery.Status.DUE:
        receiver.plan = [Step(status=500)]
        deliveries.send(delivery)
        delivery.refresh_from_db()
        if delivery.due_at:
            waits.append((delivery.due_at - now()).total_seconds())
    assert delivery.status == Delivery.Status.DEAD
    assert delivery.attempts.count() == 8
    assert sum(waits) > 0.8 * 24 * 3600
    assert not delivery.due_at
    assert deliveries.send_again(delivery)
    receiver.plan = [Step(body=b"ok")]
    deliveries.send(Delivery.objects.get())
    assert Delivery.objects.get().status == Delivery.Status.DONE


def test_gone_is_dead_at_once(delivery, receiver):
    receiver.plan = [Step(status=410)]
    deliveries.send(delivery)
    assert Delivery.objects.get().status == Delivery.Status.DEAD


def test_retry_after_is_honoured(delivery, receiver):
    receiver.plan = [Step(status=429, headers={"Retry-After": "600"})]
    deliveries.send(delivery)
    row = Delivery.objects.get()
    assert row.due_at is not None
    assert row.due_at > now() + timedelta(seconds=590)


def test_after_a_rotation_the_newest_secret_signs(delivery, receiver):
    SigningSecret.objects.create(account=delivery.job.account, secret="newest")
    receiver.plan = [Step(body=b"ok")]
    deliveries.send(delivery)
    good = base64.b64encode(hmac.digest(b"newest", bytes(delivery.body), "sha256")).decode()
    assert receiver.headers[0]["X-Signature-SHA256"] == good


def test_without_a_secret_nothing_is_sent_and_the_attempt_says_why(delivery, receiver):
    SigningSecret.objects.all().delete()
    deliveries.send(delivery)
    assert receiver.asked == []
    assert "secret" in Attempt.objects.get().error


def test_a_private_address_is_never_asked(delivery, receiver, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    deliveries.send(delivery)
    assert receiver.asked == []
    assert Attempt.objects.get().error == "The address is not allowed."
