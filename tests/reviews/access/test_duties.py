"""Duties apart: who may manage what, and what nobody can give themselves."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from reviews.access import roles
from reviews.findings.review_state import ReviewState
from reviews.models import Agent, CaseEvent, Connection, Decision
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.pages.case.rows import add_check_result, reviewed_case
from tests.reviews.rows import CHECK, open_case, someone

pytestmark = pytest.mark.django_db

KEY = "ck_live_of_the_old_host"


@pytest.fixture
def administrator(client: Client) -> User:
    user = someone(roles.ADMINISTRATOR, "ada")
    user.is_staff = True
    user.save()
    client.force_login(user)
    return user


def connection_form(connection: Connection, **changes: Any) -> dict[str, Any]:
    """What the form of the admin sends: one agent and one secret, as stored."""
    agent, secret = connection.agents.get(), connection.webhook_secrets.get()
    values: dict[str, Any] = {
        "name": connection.name,
        "slug": connection.slug,
        "base_url": connection.base_url,
        "api_key": "",
        "compact_header": connection.compact_header,
        "is_active": "on",
    }
    for prefix in ("agents", "webhook_secrets"):
        values |= {f"{prefix}-TOTAL_FORMS": "1", f"{prefix}-INITIAL_FORMS": "1"}
        values[f"{prefix}-0-connection"] = connection.pk
    values |= {
        "agents-0-id": agent.pk,
        "agents-0-kind": agent.kind,
        "agents-0-name": agent.name,
        "agents-0-agent_key": "",
        "agents-0-is_active": "on",
        "webhook_secrets-0-id": secret.pk,
        "webhook_secrets-0-name": secret.name,
        "webhook_secrets-0-secret": "",
    }
    return values | changes


@pytest.fixture
def connection(db: None) -> Connection:
    connection = make_connection(base_url="https://old.example/api/v1", api_key=KEY)
    make_agent(connection)
    return connection


def address_of(row: Connection | Agent) -> str:
    return f"/admin/reviews/{type(row).__name__.lower()}/{row.pk}/change/"


@pytest.mark.parametrize(
    "base_url",
    [
        "https://thief.example/api/v1",
        "http://old.example/api/v1",
        "https://old.example:8443/api/v1",
    ],
)
def test_a_stored_key_never_goes_to_another_host(
    client, administrator, connection, base_url
):
    page = client.post(
        address_of(connection), connection_form(connection, base_url=base_url)
    )
    assert page.status_code == 200
    assert page.content.decode().count("Enter the key again for it") == 2
    connection.refresh_from_db()
    assert connection.base_url == "https://old.example/api/v1"


def test_a_key_that_is_entered_again_goes_to_the_new_host(
    client, administrator, connection
):
    changes = {"base_url": "https://new.example/", "api_key": "ck_new"}
    changes["agents-0-agent_key"] = "kyb-new"
    form = connection_form(connection, **changes)
    assert client.post(address_of(connection), form).status_code == 302
    connection.refresh_from_db()
    assert (connection.base_url, connection.api_key) == (
        "https://new.example/",
        "ck_new",
    )


def test_another_path_of_the_same_host_keeps_the_key(client, administrator, connection):
    form = connection_form(connection, base_url="https://old.example/api/v2")
    assert client.post(address_of(connection), form).status_code == 302
    connection.refresh_from_db()
    assert (connection.base_url, connection.api_key) == (
        "https://old.example/api/v2",
        KEY,
    )


def test_an_agent_does_not_take_its_key_to_another_connection(
    client, administrator, connection
):
    agent = connection.agents.get()
    other = make_connection("other", base_url="https://thief.example/")
    form = {
        "connection": other.pk,
        "kind": agent.kind,
        "name": agent.name,
        "agent_key": "",
        "is_active": "on",
    }
    # Spaces are no key.
    for typed in ("", " "):
        page = client.post(address_of(agent), {**form, "agent_key": typed})
        assert "Enter the key again for it" in page.content.decode()
    form["agent_key"] = "kyb-new"
    assert client.post(address_of(agent), form).status_code == 302


def test_an_administrator_gives_roles_and_cannot_become_a_superuser(
    client, administrator
):
    other = make_user("bo", role=roles.AUDITOR)
    group = Group.objects.get(name=roles.SENIOR)
    form = {
        "username": "bo",
        "is_active": "on",
        "groups": [group.pk],
        "is_superuser": "on",
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00:00",
    }
    answer = client.post(f"/admin/auth/user/{other.pk}/change/", form)
    assert answer.status_code == 302
    other.refresh_from_db()
    assert list(other.groups.all()) == [group]
    assert not other.is_superuser


def test_an_administrator_gives_themselves_no_role(client, administrator):
    group = Group.objects.get(name=roles.SENIOR)
    form = {
        "username": "ada",
        "is_active": "on",
        "groups": [group.pk],
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00:00",
    }
    client.post(f"/admin/auth/user/{administrator.pk}/change/", form)
    assert [row.name for row in administrator.groups.all()] == [roles.ADMINISTRATOR]


def test_an_administrator_does_not_change_a_superuser(client, administrator):
    root = make_user("root", is_staff=True, is_superuser=True)
    password = root.password
    for page in ("change", "password"):
        address = f"/admin/auth/user/{root.pk}/{page}/"
        data = {"password1": "correct horse 2", "password2": "correct horse 2"}
        assert client.post(address, data).status_code == 403
    root.refresh_from_db()
    assert root.password == password


@pytest.mark.parametrize(
    "send",
    [
        lambda client, pk: client.post("/queue/act/", {"act": "csv", "case": pk}),
        lambda client, pk: client.get(f"/reports/?case={pk}"),
    ],
    ids=["table", "reports"],
)
def test_the_trail_keeps_who_took_the_data_of_which_cases(client, send):
    case = open_case()
    auditor = someone(roles.AUDITOR)
    client.force_login(auditor)
    answer = send(client, case.pk)
    assert answer.status_code == 200
    assert b"".join(answer)
    event = CaseEvent.objects.get(what="cases_exported")
    assert (event.user, event.data) == (auditor, {"cases": [case.pk]})


@pytest.mark.parametrize("verdict", ["fail", "review"])
def test_nobody_sets_a_sanctions_hit_aside_alone(client, verdict):
    """By the rules of a new installation, and although the agent recommends to approve."""
    case, job = reviewed_case(recommendation="Approve")
    result = {"passed": False, "verdict": verdict, "explanation": "A name was found."}
    add_check_result(job, result, check_id=CHECK)
    analyst = someone(roles.ANALYST)
    client.force_login(analyst)
    address = f"/cases/{case.pk}/"
    mark = {"check": CHECK, "kind": "overridden", "reason": "Another person."}
    case.refresh_from_db()
    value = ReviewState.of(case).checks[0].verdict
    client.post(f"{address}mark/", mark | {"verdict": value})
    case.refresh_from_db()
    decision = {
        "outcome": "approve",
        "reasons": "A02",
        "rationale": "Another person.",
        "revision": case.revision,
    }
    assert client.post(f"{address}decide/", decision).status_code == 303
    row = case.decisions.get()
    assert (row.status, row.needs_second) == (Decision.Status.PROPOSED, True)
    agreed = {"agrees": "yes", "note": "Yes.", "revision": case.revision}
    client.post(f"{address}second/", agreed)
    row.refresh_from_db()
    assert row.status == Decision.Status.PROPOSED


def test_an_administrator_gives_no_group_with_more_rights_over_people(
    client, administrator
):
    other = make_user("bo", role=roles.AUDITOR)
    strong = Group.objects.create(name="strong")
    strong.permissions.add(Permission.objects.get(codename="change_group"))
    form = {
        "username": "bo",
        "is_active": "on",
        "groups": [strong.pk],
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00:00",
    }
    page = client.post(f"/admin/auth/user/{other.pk}/change/", form)
    assert page.status_code == 200
    assert "is not one of the available choices" in page.content.decode()
    assert [group.name for group in other.groups.all()] == [roles.AUDITOR]
    # And who has such rights is not changed by them.
    other.groups.add(strong)
    assert client.post(f"/admin/auth/user/{other.pk}/change/", form).status_code == 403


def test_who_may_not_export_gets_no_batch(client):
    agent = make_agent(make_connection())
    client.force_login(someone(roles.INTEGRATOR))
    address = f"/batches/{agent.pk}/6f1c1c3e-0000-4000-8000-000000000000/"
    assert client.get(f"{address}export.csv").status_code == 403
    assert "Export CSV" not in client.get(address).content.decode()
