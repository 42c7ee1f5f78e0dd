"""The pages on which administrators manage the hub."""

from __future__ import annotations

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import caches
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from agenthub.accounts import api_keys
from agenthub.jobs import lifecycle
from agenthub.models import Account, Agent, ApiKey, Attempt, Delivery, SigningSecret
from compliance.http import outbound
from tests import factories
from tests.stale_forms import opened_state

pytestmark = pytest.mark.django_db
SLACK = "https://hooks.slack.example/services/T0/B0/very-secret"


@pytest.fixture
def boss(client):
    """An administrator by role, without any other power."""
    client.force_login(factories.make_user("ada", role="hub administrator"))
    return client


@pytest.fixture
def hub() -> dict[str, Any]:
    return factories.make_hub()


def make_delivery(hub: dict[str, Any], *, status: str = Delivery.Status.DEAD, **values: Any) -> Delivery:  # fmt: skip
    job, _ = lifecycle.create(
        agent=hub["kyb"],
        job_id=uuid.uuid4(),
        input_payload={"kyb_schema": {"id": "case-1", "self_attested_data": {}}},
    )
    values = {
        "kind": "job",
        "url": "https://x.example/hook?token=secret",
        "body": b"{}",
    } | values
    due = now() if status == Delivery.Status.DUE else None
    return Delivery.objects.create(job=job, status=status, due_at=due, **values)


def pages(hub: dict[str, Any], delivery: Delivery) -> list[str]:
    return [
        reverse("hub"),
        reverse("hub-account", args=[hub["account"].pk]),
        reverse("hub-agent-new", args=[hub["account"].pk, "kyc"]),
        reverse("hub-agent", args=[hub["kyb"].pk]),
        reverse("hub-jobs"),
        reverse("hub-job", args=[delivery.job_id]),
        reverse("hub-deliveries"),
        reverse("hub-delivery", args=[delivery.pk]),
    ]


def secret_on_page(boss, made) -> str:
    """What the page that the form leads to shows. Asked for again, it shows nothing."""
    assert made.status_code == 303
    assert boss.head(made["Location"]).status_code == 405, (
        "a look ahead must not use it up"
    )
    response = boss.get(made["Location"])
    again = boss.get(made["Location"])
    assert again.status_code == 303
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    result = re.search(r'id="raw"[^>]* value="([^"]+)"', response.content.decode())
    assert result
    return result[1]


def test_only_administrators_see_and_do(client, hub):
    delivery = make_delivery(hub)
    key = ApiKey.objects.get()
    acts = [
        reverse("hub-key-make", args=[hub["account"].pk]),
        reverse("hub-key-revoke", args=[key.pk]),
        reverse("hub-secret-rotate", args=[hub["account"].pk]),
        reverse("hub-delivery-again", args=[delivery.pk]),
        reverse("hub-deliveries-again"),
        reverse("hub-account-switch", args=[hub["account"].pk]),
    ]
    assert client.get(reverse("hub")).status_code == 302
    client.force_login(factories.make_user("sven", role="senior"))
    assert {client.get(page).status_code for page in pages(hub, delivery)} == {403}
    assert {client.post(act).status_code for act in acts} == {403}
    assert ApiKey.objects.get().revoked_at is None
    assert "Agent hub" not in client.get("/").content.decode()


def test_no_page_shows_a_secret(boss, hub):
    slack = make_delivery(hub, kind="slack", url=SLACK)
    delivery = make_delivery(hub)
    Attempt.objects.create(
        delivery=delivery, http_status=500, response="<b>oops</b>", took_ms=3
    )
    for page in (*pages(hub, delivery), reverse("hub-delivery", args=[slack.pk])):
        text = boss.get(page).content.decode()
        for secret in (
            hub["api_key"],
            factories.SECRET,
            "very-secret",
            "token=secret",
            "<b>oops",
        ):
            assert secret not in text, page
        assert text.count("<h1") == 1 or 'aria-current="page"' in text


def test_pages_cost_the_same_with_more_rows(boss, hub):
    def statements() -> list[int]:
        counts = []
        for page in pages(hub, delivery):
            caches["memory"].clear()  # what is remembered of counters
            with CaptureQueriesContext(connection) as result:
                boss.get(page)
            counts.append(len(result))
        return counts

    delivery = make_delivery(hub)
    few = statements()
    for _ in range(4):
        make_delivery(factories.make_hub())
        api_keys.create(hub["account"])
    assert statements() == few


def test_an_account_is_made_and_closed(boss, caller_of):
    response = boss.post(reverse("hub"), {"name": "Northwind"})
    account = Account.objects.get(name="Northwind")
    page = reverse("hub-account", args=[account.pk])
    assert response["Location"] == page
    assert (
        "already exists"
        in boss.post(reverse("hub"), {"name": "Northwind"}).content.decode()
    )
    raw = secret_on_page(
        boss, boss.post(reverse("hub-key-make", args=[account.pk]), {"name": "erp"})
    )
    assert caller_of(raw) == 404
    boss.post(reverse("hub-account-switch", args=[account.pk]))
    assert "Closed" in boss.get(page).content.decode()
    assert caller_of(raw) == 401
    boss.post(reverse("hub-account-switch", args=[account.pk]), {"open": ""})
    assert caller_of(raw) == 404


def test_the_share_and_the_limits_of_an_account_are_set(boss, hub):
    account = hub["account"]
    page = reverse("hub-account", args=[account.pk])
    limits = reverse("hub-account-limits", args=[account.pk])
    data = {"share": "0", "max_open_jobs": "", "max_open_documents": ""}
    assert "greater than or equal to 1" in boss.post(limits, data).content.decode()
    data = {"share": "3", "max_open_jobs": "50", "max_open_documents": ""}
    assert boss.post(limits, data)["Location"] == page
    account.refresh_from_db()
    assert (account.share, account.max_open_jobs, account.max_open_documents) == (
        3,
        50,
        None,
    )
    text = " ".join(boss.get(page).content.decode().split())
    assert "Open now: 0 of 50 jobs, 0 of 5,000 documents." in text


def test_limits_that_somebody_else_has_changed_are_not_replaced_unseen(boss, hub):
    account = hub["account"]
    page = reverse("hub-account", args=[account.pk])
    limits = reverse("hub-account-limits", args=[account.pk])
    opened = opened_state(boss.get(page))
    data = {"share": "3", "max_open_jobs": "50", "max_open_documents": ""}
    assert boss.post(limits, data)["Location"] == page
    older = {"share": "2", "max_open_jobs": "", "opened_state": opened}
    answer = boss.post(limits, older)
    assert answer.status_code == 409
    assert "Open jobs at most: 50" in answer.content.decode()
    account.refresh_from_db()
    assert (account.share, account.max_open_jobs) == (3, 50)
    again = {**older, "opened_state": opened_state(answer)}
    assert boss.post(limits, again)["Location"] == page
    account.refresh_from_db()
    assert (account.share, account.max_open_jobs) == (2, None)


def test_an_agent_that_somebody_else_has_changed_is_not_replaced_unseen(boss, hub):
    agent = Agent.objects.filter(account=hub["account"])[0]
    page = reverse("hub-agent", args=[agent.pk])
    fields = {**form_values(boss.get(page)), "name": "Newer"}
    opened = opened_state(boss.get(page))
    assert boss.post(page, fields).status_code == 303
    older = {**fields, "name": "Older", "opened_state": opened}
    answer = boss.post(page, older)
    assert answer.status_code == 409
    agent.refresh_from_db()
    assert agent.name == "Newer"
    again = {**older, "opened_state": opened_state(answer)}
    assert boss.post(page, again).status_code == 303


def form_values(answer) -> dict[str, Any]:
    """What the form of the page would send as it is."""
    form = answer.context["form"]
    values: dict[str, Any] = {}
    for name, field in form.fields.items():
        value = form.get_initial_for_field(field, name)
        if value not in (None, False):
            values[name] = value
    return values


@pytest.fixture
def caller_of(client):
    """What the interface answers to a key: 404 (no such job) where it is valid."""

    def call(raw: str) -> int:
        from django.test import Client

        header = {"Authorization": f"Bearer {raw}"}
        return Client().get("/api/v1/getCheckResults", {"job_id": str(uuid.uuid4())}, headers=header).status_code  # fmt: skip

    return call


def test_a_key_is_shown_once_works_and_ends_at_once_when_revoked(boss, hub, caller_of):
    account = hub["account"]
    raw = secret_on_page(
        boss, boss.post(reverse("hub-key-make", args=[account.pk]), {"name": "erp"})
    )
    page = reverse("hub-account", args=[account.pk])
    row = ApiKey.objects.get(name="erp")
    text = boss.get(page).content.decode()
    assert raw not in text
    assert row.prefix in text
    assert "never" in text
    assert caller_of(raw) == 404
    row.refresh_from_db()
    assert row.last_used_at is not None
    assert (
        row.last_used_at.strftime("%Y-%m-%d %H:%M") in boss.get(page).content.decode()
    )
    assert boss.post(reverse("hub-key-revoke", args=[row.pk]))["Location"] == page
    assert caller_of(raw) == 401
    assert "Revoked" in boss.get(page).content.decode()


def test_a_reload_makes_no_other_key_and_the_session_holds_none_in_the_clear(
    boss, hub, client
):
    address = reverse("hub-key-make", args=[hub["account"].pk])
    outcome = boss.post(address, {"name": "erp"})
    result = str(dict(boss.session.items()))
    assert "ck_live_" not in result.replace(ApiKey.objects.get(name="erp").prefix, "")
    raw = secret_on_page(boss, outcome)
    assert ApiKey.objects.filter(name="erp").count() == 1
    assert not [
        key
        for key, _ in boss.session.items()
        if key.startswith("agenthub.accounts.one_time_reveal")
    ]
    # Nobody else can take what waits for its maker.
    waiting = boss.post(address, {"name": "other"})["Location"]
    client.logout()
    client.force_login(factories.make_user("eve", role="hub administrator"))
    assert client.get(waiting).status_code == 303
    assert raw.startswith("ck_live_")


def test_a_key_may_have_an_end_that_lies_ahead(boss, hub):
    address = reverse("hub-key-make", args=[hub["account"].pk])
    assert (
        "has passed"
        in boss.post(address, {"expires_at": "2020-01-01T00:00"}).content.decode()
    )
    assert ApiKey.objects.count() == 1
    secret_on_page(boss, boss.post(address, {"expires_at": "2099-01-01T00:00"}))
    value = ApiKey.objects.order_by("-pk")[0]
    assert value.expires_at is not None
    assert value.expires_at.year == 2099


@pytest.mark.parametrize(("hours", "is_announced"), [("0", False), ("24", True)])
def test_a_secret_says_from_when_it_signs_only_if_that_is_later(
    boss, hub, hours, is_announced
):
    address = reverse("hub-secret-rotate", args=[hub["account"].pk])
    response = boss.post(address, {"hours": hours}, follow=True)
    assert ("It signs from" in response.content.decode()) is is_announced


def test_a_secret_is_rotated_with_an_overlap(boss, hub):
    account = hub["account"]
    old = SigningSecret.objects.get()
    response = boss.post(
        reverse("hub-secret-rotate", args=[account.pk]), {"hours": "24"}
    )
    raw = secret_on_page(boss, response)
    new = SigningSecret.objects.order_by("-pk")[0]
    assert new.secret == raw
    old.refresh_from_db()
    assert old.expires_at == new.signs_from
    assert new.signs_from - now() > timedelta(hours=23)
    page = reverse("hub-account", args=[account.pk])
    assert "Waits for its time" in boss.get(page).content.decode()
    boss.post(reverse("hub-secret-sign-now", args=[new.pk]))
    text = boss.get(page).content.decode()
    assert "Ended" in text
    assert raw not in text
    assert "cannot end" in boss.post(reverse("hub-secret-end", args=[new.pk]), follow=True).content.decode()  # fmt: skip


def test_an_agent_runs_its_checks_in_its_order_with_its_arguments(boss, hub, work_off):
    address = reverse("hub-agent-new", args=[hub["account"].pk, "kyc"])
    assert "Date of birth" in boss.get(address).content.decode()
    german = boss.get(address, headers={"accept-language": "de"}).content.decode()
    assert "Hochrisikoländer" in german
    assert "Platz von Sanktionen" in german
    refused = boss.post(address, {"name": "Adults", "is_active": "on", "order_0": "1", "arguments_0": "[1]"})  # fmt: skip
    assert "Not a JSON object" in refused.content.decode()
    for text in ("9" * 5000, "[" * 5000, '{"minimum_age": NaN}'):
        refused = boss.post(address, {"name": "Adults", "is_active": "on", "order_0": "1", "arguments_0": text})  # fmt: skip
        assert "Not JSON" in refused.content.decode()
    payload = {
        "name": "Adults",
        "is_active": "on",
        "order_0": "1",
        "arguments_0": '{"minimum_age": 99}',
    }
    response = boss.post(address, payload)
    agent = Agent.objects.get(name="Adults")
    assert response["Location"] == reverse("hub-agent", args=[agent.pk])
    assert agent.key.startswith("kyc-")
    [entry] = agent.checks
    assert entry["arguments"] == {"minimum_age": 99}
    assert "99" in boss.get(response["Location"]).content.decode()
    data = {"first_name": "Ana", "last_name": "Reyes", "date_of_birth": "1990-01-01"}
    schema = {"kyc_schema": {"id": "case-1", "self_attested_data": data}}
    job, _ = lifecycle.create(agent=agent, job_id=uuid.uuid4(), input_payload=schema)
    work_off()
    job.refresh_from_db()
    assert [run.check_id for run in job.check_runs.all()] == [entry["check_id"]]
    assert job.recommendation == "Deny"
    result = boss.post(
        response["Location"], {"name": "Adults", "key": "another", "order_0": "1"}
    )
    assert result.status_code == 303
    agent.refresh_from_db()
    assert not agent.is_active
    assert agent.key != "another", "clients know it by its key"


def test_what_was_given_up_is_shown_with_its_attempts_and_sent_again(boss, hub):
    delivery = make_delivery(hub)
    Attempt.objects.create(
        delivery=delivery, http_status=503, response="try later", took_ms=12
    )
    Attempt.objects.create(
        delivery=delivery, error="no answer from x.example", took_ms=10_000
    )
    Attempt.objects.create(delivery=delivery, error=outbound.NOT_ALLOWED, took_ms=1)
    page = reverse("hub-delivery", args=[delivery.pk])
    text = boss.get(page).content.decode()
    for message in (
        "HTTP 503",
        "try later",
        "No answer",
        "no answer from x.example",
        "OUTBOUND_ALLOW",
        "Failed",
    ):
        assert message in text
    boss.post(reverse("hub-delivery-again", args=[delivery.pk]))
    delivery.refresh_from_db()
    assert delivery.status == Delivery.Status.DUE
    assert delivery.due_at is not None
    assert "Send again" not in boss.get(page).content.decode()


def test_all_that_one_account_lost_is_sent_again_at_once(boss, hub):
    other = factories.make_hub()
    mine = [make_delivery(hub) for _ in range(3)]
    make_delivery(other)
    listed = boss.get(
        reverse("hub-deliveries"), {"status": "dead", "account": hub["account"].pk}
    )
    assert "Send the 3 failed again" in listed.content.decode()
    boss.post(reverse("hub-deliveries-again"), {"account": hub["account"].pk})
    due = Delivery.objects.filter(status=Delivery.Status.DUE)
    assert {row.pk for row in due} == {row.pk for row in mine}


@pytest.mark.parametrize("query", ["?before=x", "?account=x&status=x", "?before=99999999999999999999", "?account=99999999999999999999", "?before=2020-13-01T00:00:00Z", "?before=2020-01-01T00:00:00"])  # fmt: skip
def test_strange_addresses_are_answered(boss, hub, query):
    make_delivery(hub)
    for page in ("hub-jobs", "hub-deliveries"):
        assert boss.get(reverse(page) + query).status_code == 200


def test_lists_go_on(boss, hub):
    for _ in range(53):
        make_delivery(hub)
    for page in ("hub-jobs", "hub-deliveries"):
        first = boss.get(reverse(page)).content.decode()
        older = re.search(r'rel="next" href="(\?[^"]+)"', first)
        assert older
        second = boss.get(
            reverse(page) + older[1].replace("&amp;", "&")
        ).content.decode()
        assert second.count("data-row") == 3
        assert 'rel="next"' not in second
