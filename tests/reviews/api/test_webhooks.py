"""The webhooks that came, over REST: as they were signed, and taken up anew by one verb."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from typing import Any

import pytest

from reviews.api import schemas
from reviews.models import AnnouncementAttempt, Case, CaseEvent
from tests.factories import (
    make_announcement,
    make_case,
    make_connection,
    make_event,
    make_user,
)
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import open_case, someone
from webhooks.models import Event

pytestmark = pytest.mark.django_db
IGNORED: dict[str, Any] = {
    "status": Event.Status.IGNORED,
    "reason": "The service was away.",
    "due_at": None,
}


@pytest.fixture
def caller():
    return Caller(someone("administrator"))


def event_body(case: Case) -> bytes:
    """The service says that the job of the case has ended, in words of more than one byte."""
    data = {
        "id": case.jobs.get().remote_id,
        "status": "complete",
        "recommendation": "Prüfen",
    }
    return json.dumps(data, ensure_ascii=False).encode()


def test_they_are_listed_without_their_bodies_and_narrowed(caller):
    case = open_case()
    job = case.jobs.get()
    other = make_case(make_connection("other"))
    make_event(case, b'{"n": 1}', job=job, status="applied", due_at=None)
    make_event(other, b'{"n": 2}', **IGNORED)
    items = caller.get("/webhooks").json()["items"]
    assert [(one["connection"], one["status"], one["size"]) for one in items] == [
        ("other", "ignored", 8), ("hub", "applied", 8),
    ]  # fmt: skip
    assert (items[1]["job_id"], items[1]["case_id"]) == (str(job.pk), case.pk)
    assert not {"body", "headers"} & set(items[0])
    for query in ("connection=other", "status=ignored", "limit=1"):
        assert caller.get(f"/webhooks?{query}").json()["items"] == items[:1], query
    assert caller.get(f"/webhooks?case={case.reference}").json()["items"] == items[1:]
    cursor = caller.get("/webhooks?limit=1").json()["next_cursor"]
    assert caller.get(f"/webhooks?limit=1&cursor={cursor}").json()["items"] == items[1:]
    for query in ("status=lost", "connection=%00", "side=sent"):
        assert caller.get(f"/webhooks?{query}").status_code in {200, 400}, query


def test_one_comes_with_the_very_bytes_that_were_signed(caller):
    case = open_case()
    event = make_event(case, event_body(case))
    body = caller.get(f"/webhooks/{event.pk}").json()
    assert hashlib.sha256(body["body"].encode()).hexdigest() == body["sha256"]
    assert body["headers"] == {}
    assert (body["signed_in"], body["secret"]) == (["X-Signature-SHA256"], "first")
    assert caller.get("/webhooks/999").status_code == 404


def test_what_was_not_applied_is_taken_up_anew_and_in_the_trail(caller, work_off):
    case = open_case()
    event = make_event(case, event_body(case), job=case.jobs.get(), **IGNORED)
    answer = caller.post(f"/webhooks/{event.pk}/replay")
    assert (answer.status_code, answer.json()["status"]) == (200, "received")
    [line] = CaseEvent.objects.filter(what="webhook_replayed")
    assert (line.case, line.user) == (case, caller.user)
    assert line.data["webhook"] == event.pk
    work_off()
    event.refresh_from_db()
    assert event.status == Event.Status.APPLIED, event.reason


@pytest.mark.parametrize("status", ["received", "applied"])
def test_what_was_applied_or_waits_is_not_replayed(caller, status):
    event = make_event(open_case(), status=status)
    answer = caller.post(f"/webhooks/{event.pk}/replay")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert not CaseEvent.objects.filter(what="webhook_replayed").exists()


def test_a_body_that_says_something_is_refused(caller):
    event = make_event(open_case(), **IGNORED)
    assert caller.post(f"/webhooks/{event.pk}/replay", {"to": "x"}).status_code == 422


def test_the_list_costs_as_many_statements_however_long(
    caller, django_assert_max_num_queries
):
    case = open_case()
    for number in range(20):
        make_event(case, b'{"n": %d}' % number, job=case.jobs.get())
    with django_assert_max_num_queries(6):
        assert len(caller.get("/webhooks").json()["items"]) == 20


def test_the_page_and_the_administration_replay_by_the_same_verb(client):
    case = open_case()
    one, other = (
        make_event(case, body, **IGNORED) for body in (b'{"n": 1}', b'{"n": 2}')
    )
    address = f"/webhooks/received/{one.pk}/"
    client.force_login(someone("analyst"))
    assert "Replay" not in words(client, address)
    assert client.post(f"{address}replay/").status_code == 403
    client.force_login(
        make_user("boss", role="administrator", is_staff=True, is_superuser=True)
    )
    assert "Replay" in words(client, address)
    assert client.post(f"{address}replay/", follow=True).status_code == 200
    data = {"action": "replay", "_selected_action": [str(one.pk), str(other.pk)]}
    text = client.post("/admin/webhooks/event/", data, follow=True).content.decode()
    assert "1 will be replayed." in text
    assert set(Event.objects.values_list("status", flat=True)) == {"received"}
    assert (
        "Only a webhook that was not applied"
        in client.post(f"{address}replay/", follow=True).content.decode()
    )
    assert CaseEvent.objects.filter(what="webhook_replayed").count() == 2


@pytest.mark.parametrize(
    "path",
    [
        "/webhooks?connection=",
        "/webhooks?case=",
        "/documents?case=",
        "/jobs?case=",
        "/cases?analyst=",
    ],
)
def test_a_filter_that_no_database_takes_is_the_callers_fault(caller, path):
    """PostgreSQL keeps no NUL in a text; each of these was a 500 there or might have become one."""
    assert caller.get(f"{path}%00").status_code == 400
    assert caller.get(f"{path}a%00b").status_code == 400


def test_their_schemas_are_registered_where_no_address_is_loaded():
    program = (
        "import django, sys; django.setup()\n"
        "from reviews.api import schemas\n"
        "print('WholeWebhook' in schemas.PARTS, 'webhooks.api.views' in sys.modules)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == ["True", "False"]


def test_a_schema_takes_no_other_ones_place():
    before = dict(schemas.PARTS)
    with pytest.raises(ValueError, match="Case"):
        schemas.register({"Case": {}})
    assert before == schemas.PARTS


def test_sent_webhooks_are_listed_with_their_attempts_and_one_is_sent_again(caller):
    case = open_case()
    done = make_announcement(case, status="done")
    dead = make_announcement(case, body=b'{"event": "case.ready"}')
    AnnouncementAttempt.objects.create(delivery=dead, error="refused", took_ms=3)
    items = caller.get("/sent-webhooks").json()["items"]
    assert [one["id"] for one in items] == [str(dead.pk), str(done.pk)]
    query = f"status=dead&case={case.reference}&subscription={dead.subscription_id}"
    assert caller.get(f"/sent-webhooks?{query}").json()["items"] == items[:1]
    whole = caller.get(f"/sent-webhooks/{dead.pk}").json()
    assert whole["body"] == '{"event": "case.ready"}'
    assert [one["error"] for one in whole["attempts"]] == ["refused"]
    answer = caller.post(f"/sent-webhooks/{dead.pk}/send-again")
    assert (answer.status_code, answer.json()["status"]) == (200, "due")
    [line] = CaseEvent.objects.filter(what="announcement_sent_again")
    assert (line.case, line.user) == (case, caller.user)
    answer = caller.post(f"/sent-webhooks/{done.pk}/send-again")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
