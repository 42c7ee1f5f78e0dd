"""Duties apart: who may manage what, and what nobody can give themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import Group, User
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from reviews.access import roles
from reviews.models import Agent, CaseEvent, Connection
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.rows import open_case, someone

pytestmark = pytest.mark.django_db

KEY = "ck_live_of_the_old_host"
# Pages that need no login: to log in, the health of the installation, and what brings its own proof (a
# signed webhook, the link of an applicant, the link of a document).
PUBLIC = {
    "account_login", "account_reset_password", "account_reset_password_done", "account_inactive",
    "account_reset_password_from_key", "account_reset_password_from_key_done", "mfa_login_webauthn",
    "socialaccount_login_cancelled", "socialaccount_login_error", "openid_connect_login",
    "openid_connect_callback", "csp-reports", "audit-keys", "health-live", "health-ready", "webhook", "request", "document-file",
}  # fmt: skip


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
    page = client.post(address_of(agent), form)
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
        given = {"password1": "correct horse 2", "password2": "correct horse 2"}
        assert client.post(address, given).status_code == 403
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


def patterns(
    resolver: URLResolver, prefix: str = ""
) -> Iterator[tuple[str, URLPattern]]:
    for entry in resolver.url_patterns:
        route = prefix + str(entry.pattern)
        if isinstance(entry, URLResolver):
            yield from patterns(entry, route)
        else:
            yield route, entry


def pages() -> list[tuple[str, str]]:
    """Address and name of every page but those of REST interfaces, with made-up keys."""
    return [
        (route, str(pattern.name))
        for route, pattern in patterns(get_resolver())
        if not route.startswith("api/")
    ]


def filled(route: str) -> str:
    """A route as an address: numbers are 999999, all else is a word of its kind."""
    route = route.replace("^", "").replace("$", "").replace(r"\.", ".")
    kinds = {"int": "999999", "uuid": "6f1c1c3e-0000-4000-8000-000000000000"}

    def value(match: re.Match[str]) -> str:
        kind, _, _name = match[1].rpartition(":")
        return kinds.get(kind, "x")

    return "/" + re.sub(r"<([^>]+)>", value, re.sub(r"\(\?P<.*?\)", "x", route))


@pytest.mark.parametrize("method", ["get", "post"])
def test_every_page_asks_who_one_is(client, method):
    opened = []
    for route, name in pages():
        if name in PUBLIC:
            continue
        answer = getattr(client, method)(filled(route))
        if answer.status_code not in {302, 403, 405}:
            opened.append((route, name, answer.status_code))
    assert opened == []


@pytest.mark.parametrize("method", ["get", "post"])
def test_who_has_no_role_gets_nothing(client, method):
    client.force_login(User.objects.create_user("nobody", password="correct horse"))
    opened = []
    for route, name in pages():
        if name in PUBLIC or route.startswith(("logout", "account/")):
            continue
        answer = getattr(client, method)(filled(route))
        if answer.status_code not in {302, 403, 404, 405}:
            opened.append((route, name, answer.status_code))
    assert opened == []


HUB = "hub/"


@pytest.mark.parametrize("role", sorted({*roles.ROLES, HUB_ADMINISTRATOR}))
def test_the_pages_of_the_hub_are_for_hub_administrators(client, role):
    client.force_login(make_user("somebody", role=role))
    statuses = set()
    for route, _name in pages():
        if not route.startswith(HUB):
            continue
        answer = client.get(filled(route))
        statuses.add(answer.status_code)
    if role == HUB_ADMINISTRATOR:
        assert 403 not in statuses
    else:
        assert statuses <= {403, 405}


@pytest.mark.parametrize("role", sorted({*roles.ROLES, HUB_ADMINISTRATOR}))
def test_the_administration_shows_each_role_its_own_tables_only(client, role):
    user = make_user("somebody", role=role, is_staff=True)
    client.force_login(user)
    wrong = []
    for route, name in pages():
        if not (route.startswith("admin/") and name.endswith(("_changelist", "_add"))):
            continue
        app, _, rest = name.partition("_")
        model, _, page = rest.rpartition("_")
        acts = ("add",) if page == "add" else ("view", "change")
        allowed = any(user.has_perm(f"{app}.{act}_{model}") for act in acts)
        answer = client.get(filled(route))
        if allowed != (answer.status_code == 200):
            wrong.append((role, name, answer.status_code))
    # Tables that are read only may have no form to add a row.
    assert [row for row in wrong if not row[1].endswith("_add")] == []
    assert [row for row in wrong if row[2] == 200] == []
