"""Webhooks out: the same bytes each time, signed at send time, tried for a day, then shown as dead."""

from __future__ import annotations

import base64
import hmac
import json
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.utils.timezone import now

from agenthub.deliveries import sending, webhook_test
from agenthub.jobs import lifecycle
from agenthub.models import AgentJob, Attempt, CheckRun, Delivery, SigningSecret
from agenthub.tasks import DELIVERIES
from checks import registry
from compliance.db import clock
from compliance.http import outbox
from compliance.http.request_ids import current_id, name_requests
from compliance.security.personal_fields import sealed
from compliance.work import timing
from tests import fakeservice
from tests.clocks import travel
from tests.factories import SECRET, make_hub
from tests.fakeservice import FakeService, Step

pytestmark = pytest.mark.django_db

REQUEST_ID = "0e4c1f7a9b2d4c53a8d1f60b7e92c345"


@pytest.fixture
def receiver(settings) -> Iterator[FakeService]:
    with fakeservice.running() as service:
        port = int(service.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        yield service


@pytest.fixture
def delivery(receiver) -> Delivery:
    """The job webhook of a job that failed."""
    job, _ = lifecycle.create(
        agent=make_hub()["kyb"],
        job_id=uuid.uuid4(),
        input_payload={
            "kyb_schema": {
                "id": "case-1",
                "self_attested_data": {
                    "business_name": "Northwind Ltd",
                    "incorporation_documents": [
                        {"b64_document": "AAAA", "file_name": "a.pdf"}
                    ],
                },
                "associated_individuals": [
                    {
                        "id": "person-1",
                        "self_attested_data": {
                            "proof_of_address_documents": [
                                {"b64_document": "AAAA", "file_name": "b.pdf"}
                            ]
                        },
                    }
                ],
            },
            "webhook_url": receiver.url + "/hook",
        },
    )
    lifecycle.give_up(job, "of a test")
    return Delivery.objects.get()


def timed(delivery: Delivery, stamp: str, secret: str = SECRET) -> str:
    content = f"{delivery.pk}.{stamp}.".encode() + bytes(delivery.body)
    digest = hmac.digest(secret.encode(), content, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def test_each_try_is_signed_with_its_own_time_under_one_id(delivery, receiver):
    receiver.plan = [Step(status=503), Step(body=b"ok")]
    sending.send(delivery)
    with travel(now() + timedelta(days=3)):
        sending.send(Delivery.objects.get())
        moment = now().timestamp()
    first, second = receiver.headers
    assert first["webhook-id"] == second["webhook-id"] == str(delivery.pk)
    assert (
        int(second["webhook-timestamp"]) - int(first["webhook-timestamp"])
        >= 3 * 86_400 - 1
    )
    assert moment - int(second["webhook-timestamp"]) < 60
    for headers in (first, second):
        assert headers["webhook-signature"] == timed(
            delivery, headers["webhook-timestamp"]
        )
    assert first["X-Signature-SHA256"] == second["X-Signature-SHA256"]


def test_a_delivery_carries_its_signatures_and_its_id(delivery, receiver):
    receiver.plan = [Step(body=b"ok")]
    sending.send(delivery)
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
    assert headers["webhook-id"] == str(delivery.pk)
    assert headers["webhook-signature"] == timed(delivery, headers["webhook-timestamp"])
    event = json.loads(body)
    assert event["status"] == "failed"
    assert event["input_payload"]["id"] == "case-1"
    # Also not of the persons beside the business.
    assert "b64_document" not in body.decode()
    assert "b.pdf" in body.decode()


@pytest.mark.parametrize("status", [301, 302, 400, 401, 404, 500, 503])
def test_all_but_2xx_is_tried_again(delivery, receiver, status):
    receiver.plan = [Step(status=status, body=b"no\x00")]
    sending.send(delivery)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.tries) == (Delivery.Status.DUE, 1)
    assert delivery.due_at is not None
    assert 3 < (delivery.due_at - now()).total_seconds() < 7
    row = Attempt.objects.get()
    assert (row.http_status, row.response) == (status, "no")


def test_the_schedule_lasts_a_day_and_then_the_delivery_is_dead(delivery, receiver):
    waits = []
    while delivery.status == Delivery.Status.DUE:
        receiver.plan = [Step(status=500)]
        sending.send(delivery)
        delivery = Delivery.objects.get()
        if delivery.due_at:
            waits.append((delivery.due_at - now()).total_seconds())
    assert delivery.status == Delivery.Status.DEAD
    assert delivery.attempts.count() == 8
    assert sum(waits) > 0.8 * 24 * 3600
    assert not delivery.due_at
    assert sending.send_again(delivery)
    receiver.plan = [Step(body=b"ok")]
    sending.send(Delivery.objects.get())
    assert Delivery.objects.get().status == Delivery.Status.DONE


def test_who_lost_the_lease_does_not_end_what_another_worker_delivers(
    delivery, receiver
):
    """Its last attempt failed because it stood still, or its machine."""
    Delivery.objects.update(tries=len(outbox.SCHEDULE))
    [slow] = DELIVERIES.claim()
    Delivery.objects.update(leased_until=now() - timedelta(seconds=1))
    [quick] = DELIVERIES.claim()
    receiver.plan = [Step(status=503), Step(body=b"ok")]
    for claimed in (slow, quick):
        assert isinstance(claimed, Delivery)
        sending.send(claimed)
    delivery.refresh_from_db()
    assert delivery.status == Delivery.Status.DONE


def test_gone_is_dead_at_once(delivery, receiver):
    receiver.plan = [Step(status=410)]
    sending.send(delivery)
    assert Delivery.objects.get().status == Delivery.Status.DEAD


def test_retry_after_is_honoured(delivery, receiver):
    receiver.plan = [Step(status=429, headers={"Retry-After": "600"})]
    sending.send(delivery)
    row = Delivery.objects.get()
    assert row.due_at is not None
    assert row.due_at > now() + timedelta(seconds=590)


def test_after_a_rotation_the_newest_secret_signs(delivery, receiver):
    SigningSecret.objects.create(account=delivery.job.account, secret="newest")
    receiver.plan = [Step(body=b"ok")]
    sending.send(delivery)
    good = base64.b64encode(
        hmac.digest(b"newest", bytes(delivery.body), "sha256")
    ).decode()
    [headers] = receiver.headers
    assert headers["X-Signature-SHA256"] == good
    assert headers["webhook-signature"] == timed(
        delivery, headers["webhook-timestamp"], "newest"
    )


def test_without_a_secret_nothing_is_sent_and_the_attempt_says_why(delivery, receiver):
    SigningSecret.objects.all().delete()
    sending.send(delivery)
    assert receiver.asked == []
    assert "secret" in Attempt.objects.get().error


def test_a_private_address_is_never_asked(delivery, receiver, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    sending.send(delivery)
    assert receiver.asked == []
    assert Attempt.objects.get().error == "The address is not allowed."


def test_a_test_of_webhooks_is_logged_with_the_request_that_asked_for_it(
    rf, settings, caplog
):
    settings.OUTBOUND_ALLOW = frozenset()
    account = make_hub()["account"]
    samples = webhook_test.samples(
        webhook_url="http://127.0.0.1:9/", tool_webhook_url="", tool_ids=[]
    )
    ids = []

    def keep_id(record):
        if "was blocked" in record.getMessage():
            ids.append(current_id())
        return True

    caplog.handler.addFilter(keep_id)

    def respond(_request):
        webhook_test.send(account, samples)
        return HttpResponse()

    name_requests(respond)(rf.get("/", headers={"X-Request-Id": REQUEST_ID}))
    caplog.handler.removeFilter(keep_id)
    assert ids == [REQUEST_ID]


def test_deliveries_sent_together_keep_their_order_and_are_settled_each_by_its_answer(
    delivery, receiver
):
    bodies = [f'{{"n": {n}}}'.encode() for n in range(3)]
    Delivery.objects.all().delete()
    for body in bodies:
        delivery.job.deliveries.create(
            kind="job", url=receiver.url + "/hook", body=body
        )
    receiver.plan = [Step(body=b"ok"), Step(status=500), Step(status=410)]
    assert DELIVERIES.drain() == 3
    assert [query[2] for query in receiver.asked] == [{"n": n} for n in range(3)]
    rows = Delivery.objects.order_by("created_at").values_list("status", "tries")
    assert list(rows) == [("done", 1), ("due", 1), ("dead", 1)]
    assert [a.http_status for a in Attempt.objects.order_by("id")] == [200, 500, 410]


@pytest.mark.django_db(transaction=True)
def test_a_delivery_whose_batch_failed_is_sent_again(delivery, receiver):
    """The results of a batch cannot be written, for example while the database is away."""
    receiver.plan = [Step(body=b"ok")] * 3
    job = AgentJob.objects.get()
    sending.queue(sending.of_end(job))
    other = Delivery.objects.exclude(pk=delivery.pk).get()
    rows = DELIVERIES.claim()
    assert len(rows) == 2
    # Its attempt then names a row that does not exist.
    other.delete()
    DELIVERIES._work(rows)
    [attempt] = Attempt.objects.all()
    assert (attempt.http_status, attempt.error) == (200, "")
    assert Delivery.objects.get().status == Delivery.Status.DONE


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("7200", 7190, 7200),
        ("999999999999999999999", 86_390, 86_400),
        (format_datetime(datetime(2030, 1, 1, 2, tzinfo=UTC), usegmt=True), 7190, 7200),
        ("Tuesday, 01-Jan-30 02:00:00 GMT", 7190, 7200),
        (format_datetime(datetime(2020, 1, 1, tzinfo=UTC), usegmt=True), 3, 7),
        ("soon", 3, 7),
        ("-5", 3, 7),
        ("Mon, 99 Foo 2030 25:61:61 GMT", 3, 7),
        # Beyond the integers of C: a year, and an offset.
        ("Mon, 01 Jan 99999999999999999999 10:00:00 GMT", 3, 7),
        ("Mon, 01 Jan 2030 10:00:00 +99999999999999999999", 3, 7),
    ],
)
def test_retry_after_may_be_seconds_or_a_date(delivery, receiver, text, least, most):
    with time_machine.travel(datetime(2030, 1, 1, tzinfo=UTC), tick=False):
        receiver.plan = [Step(status=503, headers={"Retry-After": text})]
        sending.send(delivery)
        row = Delivery.objects.get()
        assert row.due_at is not None
        assert least <= (row.due_at - clock.now()).total_seconds() <= most


def test_a_url_that_only_some_parsers_read_stops_no_other_delivery(delivery, receiver):
    """As an earlier version took it. A start request with it is refused now."""
    url = "https://[fe80::1%25a%41]/hook"
    job = delivery.job
    job.input_payload = {**job.input_payload, "tool_webhook_url": url}
    job.save()
    bad = job.deliveries.create(kind="tool", url=url, body=b"{}")
    receiver.plan = [Step(body=b"ok")]
    DELIVERIES.drain()
    delivery.refresh_from_db()
    bad.refresh_from_db()
    assert (delivery.status, delivery.attempts.count()) == (Delivery.Status.DONE, 1)
    assert (bad.status, bad.tries) == (Delivery.Status.DUE, 1)
    assert bad.attempts.get().error == "The URL is not allowed."


def test_a_redirect_is_a_failure_that_is_not_followed(delivery, receiver):
    there = {"Location": f"{receiver.url}/elsewhere"}
    receiver.plan = [Step(status=307, headers=there), Step(body=b"ok")]
    sending.send(delivery)
    assert receiver.paths() == ["POST hook"]
    assert Delivery.objects.get().status == Delivery.Status.DUE


def test_a_receiver_that_hangs_is_left_and_tried_again(delivery, receiver, monkeypatch):
    monkeypatch.setattr(outbox, "TIMEOUT", 0.3)
    receiver.plan = [Step(hang=1.0, body=b"late")]
    sending.send(delivery)
    row = Attempt.objects.get()
    assert row.http_status is None
    assert "no answer" in row.error
    assert Delivery.objects.get().status == Delivery.Status.DUE


def test_a_receiver_that_hangs_up_is_tried_again(delivery, receiver):
    receiver.plan = [Step(reset=True)]
    sending.send(delivery)
    assert Attempt.objects.get().http_status is None
    assert Delivery.objects.get().status == Delivery.Status.DUE


def test_the_first_two_kilobytes_of_an_answer_are_kept(delivery, receiver):
    receiver.plan = [Step(status=500, body=b"x" * 5000)]
    sending.send(delivery)
    assert Attempt.objects.get().response == "x" * 2048


def test_a_2xx_is_a_2xx_however_much_is_said_with_it(delivery, receiver):
    receiver.plan = [Step(body=b"x" * (2 << 20))]
    sending.send(delivery)
    assert Delivery.objects.get().status == Delivery.Status.DONE
    assert len(Attempt.objects.get().response) == 2048


PERSON = {"first_name": "Ana", "last_name": "Reyes", "date_of_birth": "1990-01-01"}


def start(receiver: FakeService, **values: Any) -> dict[str, Any]:
    """Start a job over a person, with receivers for all that can be told. Returns the account."""
    result = make_hub()
    body = {
        "kyc_schema": {"id": "<!channel> & co", "self_attested_data": PERSON},
        "tool_webhook_url": receiver.url + "/tool",
        "slack_webhook_url": receiver.url + "/slack",
        **values,
    }
    lifecycle.create(agent=result["kyc"], job_id=uuid.uuid4(), input_payload=body)
    return result


def slack_texts(receiver: FakeService) -> list[str]:
    rows = [body for method, path, body in receiver.asked if path == "slack"]
    assert all(set(body) == {"text"} for body in rows)
    return [body["text"] for body in rows]


def test_slack_is_told_of_the_start_and_the_end(receiver, work_off):
    start(receiver)
    receiver.plan = [Step(body=b"ok") for _ in range(9)]
    work_off()
    begun, complete = slack_texts(receiver)
    assert begun.startswith("Case &lt;!channel&gt; &amp; co: checks have begun")
    assert "checks are complete" in complete
    assert "recommendation: " in complete
    assert "/hub/jobs/" in complete
    rows = [headers for headers, query in zip(receiver.headers, receiver.asked, strict=True) if query[1] == "slack"]  # fmt: skip
    assert not any("signature" in name.lower() for headers in rows for name in headers)
    assert {row.status for row in Delivery.objects.all()} == {Delivery.Status.DONE}


def test_slack_is_told_of_a_failure_also_where_nothing_can_be_signed(
    receiver, work_off
):
    result = start(receiver)
    SigningSecret.objects.all().delete()
    lifecycle.give_up(
        AgentJob.objects.get(account=result["account"]), "Nobody <knows> why."
    )
    receiver.plan = [Step(body=b"ok")]
    work_off()
    [failed] = slack_texts(receiver)
    assert "checks could not be run" in failed
    assert "Nobody &lt;knows&gt; why." in failed


def test_slack_is_tried_again_like_any_receiver(receiver, work_off):
    start(receiver)
    receiver.plan = [Step(status=429, headers={"Retry-After": "30"})] * 9
    work_off()
    waits = Delivery.objects.filter(
        kind=Delivery.Kind.SLACK, status=Delivery.Status.DUE
    )
    assert waits.count() == 2


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({}, True),
        ({"tool_webhook_ids": None}, True),
        ({"tool_webhook_ids": []}, True),
        ({"tool_webhook_ids": ["another_tool"]}, False),
        ({"tool_webhook_ids": "another_tool"}, True),
        ({"tool_webhook_ids": ["another_tool", "{own}", 7]}, True),
    ],
)
def test_tool_events_are_filtered_by_the_ids_that_the_request_names(
    receiver, work_off, query, message
):
    check = registry.get("kyc.date_of_birth")
    if isinstance(query.get("tool_webhook_ids"), list):
        named = [
            str(one).replace("{own}", check.tools[0].id)
            for one in query["tool_webhook_ids"]
        ]
        query = {"tool_webhook_ids": named}
    start(receiver, **query)
    work_off()
    assert Delivery.objects.filter(kind=Delivery.Kind.TOOL).exists() is message


def test_a_filter_takes_the_older_name_of_a_tool():
    check = registry.get("kyb.incorporation_document_verification")
    run = CheckRun(check_id=check.id)
    data = {"tool_webhook_ids": ["kyb.incorporation_document_extractor"]}
    job = AgentJob(input_payload=data)
    passing = [
        tool.id for tool in check.tools if sending._is_selected(job, run, tool.id)
    ]
    assert passing == ["kyb.incorporation_document_extraction_tool"]


def test_a_slow_receiver_is_waited_for_by_one_thread(delivery, receiver, monkeypatch):
    monkeypatch.setattr(timing, "SLOW_RECEIVER_SECONDS", -1.0)  # whatever a try takes
    receiver.plan = [Step(status=500), Step(body=b"ok")]
    sending.send(delivery)
    address = receiver.url.split("/")[2]
    assert outbox._slow_receivers.enter([address]), "one may ask"
    sending.send(delivery)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts.count()) == (Delivery.Status.DUE, 1)
    assert delivery.due_at is not None
    assert delivery.due_at > now()
    outbox._slow_receivers.leave(
        [address, owner_of(delivery)], seconds=-2.0
    )  # it answered, and quickly
    sending.send(delivery)
    assert Delivery.objects.get().status == Delivery.Status.DONE


def owner_of(delivery: Delivery) -> str:
    return f"account {delivery.job.account_id}"


@pytest.mark.fault("F22", "receivers of one account are slow")
def test_slow_receivers_of_one_account_are_waited_for_by_one_thread_under_all_their_names(
    delivery, receiver, monkeypatch
):
    """A receiver that was never asked is not known to be slow; its account is."""
    other = make_hub()["kyb"]
    url = receiver.url.replace("127.0.0.1", "localhost")
    payload = {**delivery.job.input_payload, "webhook_url": url}
    AgentJob.objects.filter(pk=delivery.job_id).update(
        input_payload=sealed(delivery.job, "input_payload", payload)
    )
    job, _ = lifecycle.create(agent=other, job_id=uuid.uuid4(), input_payload=payload)
    mine, theirs = (
        Delivery.objects.create(job=each, kind="job", body=b"{}", url=url)
        for each in (delivery.job, job)
    )
    monkeypatch.setattr(timing, "SLOW_RECEIVER_SECONDS", -1.0)  # whatever a try takes
    sending.send(delivery)
    assert outbox._slow_receivers.enter([owner_of(delivery)]), (
        "a thread waits for another of its receivers"
    )
    sending.send(mine)
    sending.send(theirs)
    assert [row.attempts.count() for row in (mine, theirs)] == [0, 1]
    outbox._slow_receivers.leave([owner_of(delivery)], seconds=-2.0)
    sending.send(mine)
    assert mine.attempts.count() == 1


def test_the_tries_span_a_day_however_the_dice_fall():
    assert len(outbox.SCHEDULE) + 1 >= 8
    assert sum(outbox.SCHEDULE) * min(outbox.JITTER) >= 24 * 3600
