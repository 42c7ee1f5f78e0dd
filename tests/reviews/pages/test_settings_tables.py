"""The tables of settings as pages of the desk: lists, forms, roles, and what the trail has of them."""

from __future__ import annotations

import base64
import re
from urllib.parse import quote

import pytest

from compliance.http import standard_webhooks
from reviews.access import roles
from reviews.models import (
    Agent,
    Announcement,
    CaseEvent,
    Clock,
    Connection,
    FourEyesRule,
    ReasonCode,
    RetentionRule,
    Subscription,
    Team,
    WebhookSecret,
)
from reviews.pages.settings.tables import TABLES
from tests import factories
from tests.permissions.world import generic
from tests.stale_forms import opened_state

pytestmark = pytest.mark.django_db

RULES = {"four-eyes-rules", "reasons", "time-limits", "retention-rules"}
HOST, OTHER_HOST = "http://127.0.0.1:9/api/v1", "http://127.0.0.1:10/api/v1"


@pytest.fixture(autouse=True)
def alone(settings):
    settings.RULES_ALONE = True
    settings.OUTBOUND_ALLOW = ["127.0.0.0/8"]


@pytest.fixture
def ada(client):
    client.force_login(factories.make_user("ada", role=roles.ADMINISTRATOR))
    return client


@pytest.fixture
def runa(client):
    client.force_login(factories.make_user("runa", role=roles.RULE_OWNER))
    return client


@pytest.fixture
def agent():
    return factories.make_agent(
        factories.make_connection(base_url=HOST, api_key="secret-key")
    )


@pytest.mark.parametrize("role", [roles.ANALYST, roles.SENIOR, *roles.ROLES])
def test_each_table_opens_for_who_may_change_it(client, role):
    client.force_login(factories.make_user("ida", role=role))
    tables_of = {
        roles.ADMINISTRATOR: set(TABLES) - RULES,
        roles.RULE_OWNER: RULES,
    }
    for slug in TABLES:
        expected = 200 if slug in tables_of.get(role, set()) else 403
        for address in (f"/settings/{slug}/", f"/settings/{slug}/new/"):
            assert client.get(address).status_code == expected, address


def test_an_unknown_table_is_not_found(ada):
    assert ada.get("/settings/nothing/").status_code == 404
    assert ada.get("/settings/teams/7/").status_code == 404


def test_rules_are_added_changed_and_removed(runa):
    values = {"name": "Big", "condition": "risks", "threshold": "3", "is_active": "on"}
    response = runa.post("/settings/four-eyes-rules/new/", values)
    assert response.status_code == 303
    rule = FourEyesRule.objects.get(name="Big")
    assert (rule.condition, rule.threshold, rule.outcome) == ("risks", 3, "")
    address = f"/settings/four-eyes-rules/{rule.pk}/"
    assert "Big" in runa.get("/settings/four-eyes-rules/").content.decode()
    assert runa.post(address, {**values, "threshold": "4"}).status_code == 303
    rule.refresh_from_db()
    assert rule.threshold == 4
    assert runa.post(f"{address}remove/").status_code == 303
    assert not FourEyesRule.objects.filter(pk=rule.pk).exists()
    lines = CaseEvent.objects.filter(what__startswith="setting_").order_by("id")
    acts = [line.what for line in lines if line.data.get("which") == "Big"]
    assert acts == ["setting_added", "setting_changed", "setting_removed"]
    changed = lines.get(what="setting_changed", data__which="Big")
    assert changed.data["changes"] == {"threshold": [3, 4]}
    assert changed.by == "runa"


@pytest.mark.parametrize(
    ("slug", "model", "values"),
    [
        (
            "reasons",
            ReasonCode,
            {"code": "Z01", "label": "Known", "outcome": "approve", "claim": ""},
        ),
        ("time-limits", Clock, {"name": "Fast", "minutes": "30", "risk": "1"}),
        (
            "retention-rules",
            RetentionRule,
            {"name": "Five years", "months": "60", "clock": "decision"},
        ),
    ],
)
def test_the_other_tables_of_rules_take_a_row(runa, slug, model, values):
    before = model.objects.count()
    response = runa.post(f"/settings/{slug}/new/", values)
    assert response.status_code == 303
    assert model.objects.count() == before + 1


def test_what_is_wrong_stands_beside_its_field_and_nothing_is_stored(runa):
    values = {"name": "", "condition": "risks", "threshold": "-1"}
    response = runa.post("/settings/four-eyes-rules/new/", values)
    page = response.content.decode()
    assert response.status_code == 422
    assert "This field is required." in page
    assert 'value="-1"' in page
    assert not FourEyesRule.objects.filter(name="").exists()


def test_a_team_shares_connections(ada, agent):
    person = factories.make_user("ana")
    values = {
        "name": "North",
        "members": [person.pk],
        "connections": [agent.connection_id],
    }
    assert ada.post("/settings/teams/new/", values).status_code == 303
    team = Team.objects.get()
    assert [*team.members.all()] == [person]
    page = ada.get("/settings/teams/").content.decode()
    assert "North" in page
    assert "ana" in page


def test_the_last_team_of_a_service_is_not_removed(ada, client, agent):
    north = Team.objects.create(name="North")
    north.connections.add(agent.connection)
    address = f"/settings/teams/{north.pk}/"
    page = ada.post(f"{address}remove/", follow=True).content.decode()
    assert f"Everybody would see the cases of {agent.connection.name}." in page
    root = factories.make_user("root", is_staff=True, is_superuser=True)
    client.force_login(root)
    client.post(f"/admin/reviews/team/{north.pk}/delete/", {"post": "yes"})
    assert Team.objects.filter(pk=north.pk).exists()
    # Another team has the service, too: nothing is opened.
    ada.force_login(factories.make_user("adam", role="administrator"))
    Team.objects.create(name="South").connections.add(agent.connection)
    assert ada.post(f"{address}remove/").status_code == 303
    assert not Team.objects.filter(pk=north.pk).exists()


@pytest.mark.parametrize("number", ["9" * 30, "9" * 5000, "x", "-1", "²"])
@pytest.mark.parametrize("name", ["members", "connections"])
def test_what_is_no_number_of_a_row_is_refused(ada, name, number):
    answer = ada.post("/settings/teams/new/", {"name": "North", name: [number]})
    assert answer.status_code == 422


def test_a_service_is_added_with_its_agent_and_secret(ada):
    values = {"name": "Far", "slug": "far", "base_url": HOST, "api_key": "ck-1"}
    values |= {"compact_header": "X-Signature", "is_active": "on"}
    assert ada.post("/settings/connections/new/", values).status_code == 303
    connection = Connection.objects.get(slug="far")
    assert connection.api_key == "ck-1"
    values = {"connection": str(connection.pk), "kind": "kyb", "name": "Firms"}
    values |= {"agent_key": "agent-1", "is_active": "on"}
    assert ada.post("/settings/agents/new/", values).status_code == 303
    assert Agent.objects.get(connection=connection).agent_key == "agent-1"
    values = {"connection": str(connection.pk), "name": "first", "secret": "s" * 32}
    assert ada.post("/settings/webhook-secrets/new/", values).status_code == 303
    assert WebhookSecret.objects.filter(connection=connection, name="first").exists()


def test_a_stored_key_is_kept_never_shown_and_bound_to_its_host(ada, agent):
    connection = agent.connection
    address = f"/settings/connections/{connection.pk}/"
    assert "secret-key" not in ada.get(address).content.decode()
    values = {
        "name": "Other name",
        "slug": connection.slug,
        "base_url": HOST,
        "api_key": "",
        "compact_header": connection.compact_header,
        "is_active": "on",
    }
    assert ada.post(address, values).status_code == 303
    connection.refresh_from_db()
    assert (connection.name, connection.api_key) == ("Other name", "secret-key")
    # Spaces are no key: the stored one would go to the new host.
    for typed in ("", " "):
        moved = {**values, "base_url": OTHER_HOST, "api_key": typed}
        answer = ada.post(address, moved)
        assert answer.status_code == 422
        assert "Enter the key again" in answer.content.decode()
    connection.refresh_from_db()
    assert connection.base_url == HOST


def test_an_agent_key_does_not_move_to_another_host(ada, agent):
    other = factories.make_connection("other", base_url=OTHER_HOST, api_key="k")
    values = {"connection": other.pk, "kind": agent.kind, "name": agent.name}
    response = ada.post(f"/settings/agents/{agent.pk}/", {**values, "agent_key": ""})
    assert response.status_code == 422
    agent.refresh_from_db()
    assert agent.connection_id != other.pk


def test_what_cases_refer_to_is_not_removed(ada, agent):
    for slug, pk in (("connections", agent.connection_id), ("agents", agent.pk)):
        assert "remove/" not in ada.get(f"/settings/{slug}/{pk}/").content.decode()
        assert ada.post(f"/settings/{slug}/{pk}/remove/").status_code == 404
    assert Agent.objects.filter(pk=agent.pk).exists()


def test_a_subscription_that_has_sent_something_is_only_switched_off(ada):
    values = {
        "name": "core",
        "url": "https://core.example/hook",
        "secret": "s" * 32,
        "events": ["case.decided"],
        "is_active": "on",
    }
    response = ada.post("/settings/webhook-subscriptions/new/", values)
    assert response.status_code == 303, response.content.decode()
    row = Subscription.objects.get(name="core")
    generic(Announcement, subscription=row)
    address = f"/settings/webhook-subscriptions/{row.pk}/remove/"
    page = ada.post(address, follow=True).content.decode()
    assert "core is in use and cannot be removed." in page
    assert Subscription.objects.filter(pk=row.pk).exists()


def test_a_subscription_begins_with_a_secret_that_libraries_can_read(ada):
    page = ada.get("/settings/webhook-subscriptions/new/").content.decode()
    [secret] = re.findall(r'name="secret" value="([^"]+)"', page)
    assert secret.startswith("whsec_")
    assert not standard_webhooks.is_malformed(secret)
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) >= 24
    values = {
        "name": "core",
        "url": "https://core.example/hook",
        "secret": secret,
        "events": ["case.decided"],
        "is_active": "on",
    }
    ada.post("/settings/webhook-subscriptions/new/", values)
    row = Subscription.objects.get()
    assert row.secret == secret
    # It is not shown again, and saving the row keeps it.
    address = f"/settings/webhook-subscriptions/{row.pk}/"
    assert secret not in ada.get(address).content.decode()
    ada.post(address, {**values, "secret": ""})
    row.refresh_from_db()
    assert row.secret == secret


def test_a_change_waits_for_a_second_person_where_that_is_set(ada, settings):
    settings.SETTINGS_FOUR_EYES = {"people", "connections", "subscriptions", "rules"}
    response = ada.post("/settings/teams/new/", {"name": "North"})
    assert response["Location"] == "/approvals/"
    assert not Team.objects.exists()


def test_changes_need_a_recent_login(ada, settings):
    settings.STEP_UP_MINUTES = 1
    response = ada.post("/settings/teams/new/", {"name": "North"})
    assert response.status_code == 302
    assert "reauthenticate" in response["Location"]
    assert not Team.objects.exists()


@pytest.mark.parametrize("address", ["/settings/teams/new/", "/people/"])
def test_a_page_says_before_its_form_is_filled_in_that_it_asks_for_a_login(
    ada, settings, address
):
    words = "Changes on this page need a recent login."
    settings.STEP_UP_MINUTES = 0
    assert words not in ada.get(address).content.decode()
    settings.STEP_UP_MINUTES = 1
    page = ada.get(address).content.decode()
    assert words in page
    assert f"/account/reauthenticate/?next={quote(address, safe='')}" in page
    assert words not in ada.get("/").content.decode()


def test_a_form_of_an_older_tab_replaces_nothing_unseen(runa):
    values = {"name": "Big", "condition": "risks", "threshold": "3", "is_active": "on"}
    runa.post("/settings/four-eyes-rules/new/", values)
    rule = FourEyesRule.objects.get(name="Big")
    address = f"/settings/four-eyes-rules/{rule.pk}/"
    opened = opened_state(runa.get(address))
    # Another tab, or another person.
    assert runa.post(address, {**values, "threshold": "9"}).status_code == 303
    older = {**values, "threshold": "4", "opened_state": opened}
    answer = runa.post(address, older)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert "somebody else has changed this" in page
    assert 'value="4"' in page
    rule.refresh_from_db()
    assert rule.threshold == 9
    # Now it was read.
    assert (
        runa.post(address, {**older, "opened_state": opened_state(answer)}).status_code
        == 303
    )
    rule.refresh_from_db()
    assert rule.threshold == 4


def test_a_form_of_an_older_tab_with_the_same_values_is_saved(runa):
    values = {"name": "Big", "condition": "risks", "threshold": "3", "is_active": "on"}
    runa.post("/settings/four-eyes-rules/new/", values)
    address = f"/settings/four-eyes-rules/{FourEyesRule.objects.get(name='Big').pk}/"
    opened = opened_state(runa.get(address))
    changed = {**values, "threshold": "9"}
    runa.post(address, changed)
    assert runa.post(address, {**changed, "opened_state": opened}).status_code == 303


def test_the_token_of_a_form_stays_while_nobody_changes_the_row(ada, agent):
    team = Team.objects.create(name="North")
    team.connections.add(agent.connection)
    team.members.add(*[factories.make_user(name) for name in ("ana", "ben")])
    address = f"/settings/teams/{team.pk}/"
    states = {opened_state(ada.get(address)) for _ in range(3)}
    assert len(states) == 1
    team.members.remove(team.members.get(username="ben"))
    assert opened_state(ada.get(address)) not in states
