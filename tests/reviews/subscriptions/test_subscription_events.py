"""Webhooks of what happens to a case: each to who subscribed to it, without a name in it."""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from django.db import connection, transaction
from django.utils.timezone import now
from jsonschema import Draft202012Validator

from compliance.http import outbound, outbox
from reviews.api import description
from reviews.jobs import completion
from reviews.models import Announcement, Case, Subscription, SubscriptionEvent, Team
from reviews.people import assignment
from reviews.privacy import erasing
from reviews.subscriptions import announcements, subscriptions
from reviews.tasks import ANNOUNCEMENTS
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job
from tests.reviews.api.calling import Caller
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
DRAFT = {"self_attested_data": {"business_name": "Northwind Ltd"}}


def subscribe(*events: str, **values: Any) -> Subscription:
    return Subscription.objects.create(
        name="core",
        url="https://core.example/",
        secret="s",
        events=list(events or SubscriptionEvent.values),
        **values,
    )


def bodies() -> list[dict[str, Any]]:
    rows = Announcement.objects.order_by("created_at", "id")
    return [orjson.loads(bytes(row.body)) for row in rows]


def test_the_life_of_a_case_is_told():
    one_person()
    subscribe()
    analyst = someone("analyst")
    agent = make_agent(make_connection())
    answer = Caller(analyst).post("/cases", {"agent": agent.pk, **DRAFT})
    assert answer.status_code == 201
    case = Case.objects.get()
    completion.complete(make_job(case), recommendation="Approve")
    case.refresh_from_db()
    assignment.assign(case, analyst, actor=analyst)
    decide(case, analyst)
    result = bodies()
    assert [(one["event"], one["status"], one["assigned_to"]) for one in result] == [
        ("case.created", "checking", None),
        ("case.ready", "to_review", None),
        ("case.assigned", "to_review", "analyst"),
        ("case.decided", "decided", "analyst"),
    ]
    assert {one["case_id"] for one in result} == {case.reference}
    assert "Northwind" not in str(result)


def test_what_is_told_is_what_the_description_says():
    one_person()
    subscribe()
    case = open_case()
    assignment.assign(case, someone("senior"), actor=someone("analyst"))
    decide(case, someone("analyst", "ana"))
    document = description.document()
    for body in bodies():
        content = document["webhooks"][body["event"]]["post"]["requestBody"]["content"]
        schema = content["application/json"]["schema"]
        whole = {**schema, "components": document["components"]}
        assert list(Draft202012Validator(whole).iter_errors(body)) == []
    assert set(document["webhooks"]) == set(SubscriptionEvent.values)


def test_an_address_gets_only_the_events_that_it_asked_for():
    one_person()
    subscribe(SubscriptionEvent.ESCALATED, SubscriptionEvent.PROPOSED)
    decide(open_case(), someone("analyst"), "escalate")
    assert [body["event"] for body in bodies()] == ["case.escalated"]


def test_an_address_of_one_connection_gets_nothing_of_another():
    subscribe(connection=make_connection("other"))
    announcements.announce(make_case(), SubscriptionEvent.CREATED)
    assert bodies() == []


def test_events_are_chosen_over_rest_and_unknown_ones_refused():
    caller = Caller(someone("administrator"))
    new = {"name": "CRM", "url": "https://example.com/"}
    body = caller.post("/subscriptions", new).json()
    assert body["events"] == ["case.decided", "case.reopened"]
    path = f"/subscriptions/{body['id']}"
    changed = caller.call("patch", path, {"events": ["case.ready"]})
    assert changed.json()["events"] == ["case.ready"]
    for wrong in ([], ["case.eaten"]):
        assert caller.call("patch", path, {"events": wrong}).status_code == 422
    assert Subscription.objects.get().events == ["case.ready"]


def test_the_page_of_administrators_offers_the_events(client):
    boss = someone("administrator")
    boss.is_staff = True
    boss.save()
    client.force_login(boss)
    page = client.get("/admin/reviews/subscription/add/")
    assert 'value="case.needs_attention"' in page.content.decode()
    form = {
        "name": "ERP",
        "url": "https://example.com/",
        "secret": "s" * 32,
        "events": ["case.created", "case.ready"],
        "is_active": "on",
    }
    client.post("/admin/reviews/subscription/add/", form)
    assert Subscription.objects.get().events == ["case.created", "case.ready"]


def test_rows_of_the_version_before_get_their_case(client):
    one_person()
    case = open_case()
    decide(case, someone("analyst"))
    row = Announcement.objects.create(
        subscription=subscribe(), decision=case.decisions.get(), body=b"{}", url="x"
    )
    announcements.add_cases()
    row.refresh_from_db()
    assert row.case == case
    Team.objects.create(name="Others").connections.add(case.connection)
    client.force_login(someone("senior"))
    assert client.get(f"/webhooks/sent/{row.pk}/").status_code == 404


def test_a_change_keeps_a_secret_that_was_rotated_meanwhile():
    administrator = someone("administrator")
    subscription, first = subscriptions.create(
        actor=administrator, name="crm", url="https://crm.example.com/hook"
    )
    earlier = Subscription.objects.get(pk=subscription.pk)
    second = subscriptions.rotate_secret(subscription)
    changes = {"url": "https://crm.example.com/new"}
    subscriptions.change(earlier, changes, actor=administrator)
    row = Subscription.objects.get(pk=subscription.pk)
    assert first != second
    assert (row.url, row.secret) == ("https://crm.example.com/new", second)


def test_a_webhook_of_an_erased_case_is_not_sent_again(client):
    one_person()
    case = open_case()
    subscribe(SubscriptionEvent.DECIDED)
    decide(case, someone("analyst"))
    Announcement.objects.update(status="dead", due_at=None)
    with transaction.atomic():
        erasing.erase(case, at=now())
    admin = someone("administrator")
    row = Announcement.objects.get()
    client.force_login(admin)
    assert client.post(f"/webhooks/sent/{row.pk}/again/").status_code < 500
    row.refresh_from_db()
    assert (row.status, row.due_at) == ("dead", None)


def test_a_webhook_goes_to_the_address_that_its_subscription_has(monkeypatch):
    """Not to one that somebody wrote into its row: its body is decrypted and signed on the way."""
    subscription = subscribe()
    case = open_case()
    announcements.announce(case, SubscriptionEvent.READY)
    row = Announcement.objects.get()
    Announcement.objects.update(url="https://theirs.example/")
    sent_to = []

    def request(_method: str, url: str, **_: object) -> None:
        sent_to.append(url)
        raise outbound.OutboundError("away")

    monkeypatch.setattr(outbound, "request", request)
    announcements.send(Announcement.objects.get(pk=row.pk))
    assert sent_to == [subscription.url]
    assert Announcement.objects.get(pk=row.pk).url == subscription.url


def test_a_body_that_somebody_wrote_into_the_database_is_not_signed(monkeypatch):
    """Or whoever writes there, without any key, tells other systems of decisions."""
    subscribe()
    announcements.announce(open_case(), SubscriptionEvent.READY)
    row = Announcement.objects.get()
    forged = b'{"event": "case.decided", "outcome": "approve"}'
    with connection.cursor() as cursor:
        cursor.execute("UPDATE reviews_announcement SET body = %s", [forged])
    sent = []
    monkeypatch.setattr(outbound, "request", lambda *_, **values: sent.append(values))
    announcements.send(Announcement.objects.get(pk=row.pk))
    assert sent == []
    row.refresh_from_db(fields=["status", "due_at"])
    assert (row.status, row.due_at) == ("dead", None)
    assert row.attempts.get().error == outbox.CHANGED


def test_nothing_is_sent_while_the_subscription_is_switched_off(settings):
    """Also not what waited before: its receiver may be the reason."""
    one_person()
    subscription = subscribe("case.decided")
    decide(open_case(), someone("analyst"))
    with fakeservice.running() as receiver:
        port = int(receiver.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        subscription.url = f"{receiver.url}/hook"
        subscription.is_active = False
        subscription.save()
        ANNOUNCEMENTS.drain()
        row = Announcement.objects.get()
        assert (receiver.asked, row.status) == ([], Announcement.Status.DUE)
        assert row.attempts.get().error == "the subscription is switched off"

        subscription.is_active = True
        subscription.save()
        assert announcements.send_again(row, actor=someone("administrator"))
        ANNOUNCEMENTS.drain()
        assert len(receiver.asked) == 1
