"""Settings that decide need a second person, where that is switched on; every change has its line."""

from __future__ import annotations

import json
import re
import threading
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.db import connection as database
from django.test import Client

from agenthub.accounts import api_keys
from agenthub.accounts.permissions import HUB_ADMINISTRATOR
from agenthub.models import Account, ApiKey, SigningSecret
from agenthub.models import Agent as HubAgent
from agenthub.models.lists import ListSource
from compliance.approvals import proposals, snapshots
from compliance.approvals.models import Line, Proposal
from reviews.access import api_tokens, roles
from reviews.models import CaseEvent, Connection, FourEyesRule, Scope, Subscription
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.access.test_duties import address_of, connection_form

pytestmark = pytest.mark.django_db
PAGE = "/approvals/"


@pytest.fixture(autouse=True)
def switched_on(settings) -> None:
    settings.SETTINGS_FOUR_EYES = frozenset({"all"})


def signed_in(role: str, name: str) -> Client:
    client = Client()
    client.force_login(make_user(name, role=role, is_staff=True))
    return client


def end(client: Client, act: str, **values: str) -> Proposal:
    proposal = Proposal.objects.latest("id")
    answer = client.post(f"{PAGE}{proposal.pk}/{act}/", values)
    assert answer.status_code in {303, 403}
    proposal.refresh_from_db()
    return proposal


@pytest.fixture
def ada(db: None) -> Client:
    return signed_in(roles.ADMINISTRATOR, "ada")


@pytest.fixture
def bob(db: None) -> Client:
    return signed_in(roles.ADMINISTRATOR, "bob")


@pytest.fixture
def hana(db: None) -> Client:
    return signed_in(HUB_ADMINISTRATOR, "hana")


@pytest.fixture
def hugo(db: None) -> Client:
    return signed_in(HUB_ADMINISTRATOR, "hugo")


@pytest.fixture
def connection(db: None) -> Connection:
    connection = make_connection(base_url="https://old.example/api/v1", api_key="ck_1")
    make_agent(connection)
    return connection


def move_host(client: Client, connection: Connection) -> Proposal:
    changes = {"base_url": "https://new.example/", "api_key": "ck_of_new_host"}
    changes["agents-0-agent_key"] = "kyb-new"
    form = connection_form(connection, **changes)
    answer = client.post(address_of(connection), form)
    assert (answer.status_code, answer.headers["Location"]) == (303, PAGE)
    return Proposal.objects.latest("id")


def test_a_change_in_the_admin_waits_and_another_person_approves_it(
    ada, bob, connection
):
    move_host(ada, connection)
    connection.refresh_from_db()
    assert connection.base_url == "https://old.example/api/v1"
    page = bob.get(PAGE).content.decode()
    assert "https://old.example/api/v1" in page
    assert "https://new.example/" in page
    assert "another one" in page
    assert "ck_of_new_host" not in page
    assert end(bob, "approve").status == Proposal.Status.APPROVED
    connection.refresh_from_db()
    assert connection.base_url == "https://new.example/"
    assert connection.api_key == "ck_of_new_host"
    assert connection.agents.get().agent_key == "kyb-new"


def test_who_proposes_never_approves(ada, connection):
    move_host(ada, connection)
    assert "Approve:" not in ada.get(PAGE).content.decode()
    assert end(ada, "approve").status == Proposal.Status.WAITING
    connection.refresh_from_db()
    assert connection.base_url == "https://old.example/api/v1"


@pytest.mark.parametrize("act", ["approve", "reject"])
@pytest.mark.parametrize("lost", ["role", "account"])
def test_who_lost_the_right_meanwhile_ends_nothing(ada, connection, act, lost):
    proposal = move_host(ada, connection)
    bob = make_user("bob", role=roles.ADMINISTRATOR)
    # The request has asked for a permission before the other change is stored.
    assert proposals.objection(proposal, bob) == ""
    if lost == "role":
        User.objects.get(pk=bob.pk).groups.clear()
    else:
        User.objects.filter(pk=bob.pk).update(is_active=False)
    values = {"reason": "no"} if act == "reject" else {}
    with pytest.raises(PermissionDenied):
        getattr(proposals, act)(proposal, actor=bob, **values)
    proposal.refresh_from_db()
    assert proposal.status == Proposal.Status.WAITING
    connection.refresh_from_db()
    assert connection.base_url == "https://old.example/api/v1"


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(
    database.vendor != "postgresql", reason="SQLite has one writer at a time."
)
def test_an_approval_waits_for_a_change_of_rights_that_is_under_way(ada, bob):
    """The person becomes a superuser while the approval of a change of theirs is asked for."""
    person = make_user("pia", role=roles.ANALYST)
    proposal = proposals.create(
        User.objects.get(username="ada"),
        [snapshots.Change("auth.user", str(person.pk), "change", "pia", {"first_name": ["", "Pia"]})],
    )  # fmt: skip
    answers: list[int] = []

    def approve() -> None:
        try:
            answers.append(bob.post(f"{PAGE}{proposal.pk}/approve/").status_code)
        finally:
            database.close()

    thread = threading.Thread(target=approve)
    with transaction.atomic():
        snapshots.lock()
        User.objects.filter(pk=person.pk).update(is_superuser=True)
        thread.start()
        thread.join(timeout=2)
    thread.join(timeout=20)
    assert answers == [403]
    person.refresh_from_db()
    assert person.first_name == ""


@pytest.mark.parametrize("act", ["add", "change"])
@pytest.mark.parametrize("right", ["is_superuser", "user_permissions", "groups"])
def test_nobody_approves_rights_that_they_may_not_give(ada, bob, act, right):
    person = make_user("pia", role=roles.ANALYST)
    permission = Permission.objects.get(codename="add_permission")
    group = Group.objects.create(name="all rights")
    group.permissions.add(permission)
    given: dict[str, list[object]] = {
        "is_superuser": [False, True],
        "user_permissions": [[], [permission.pk]],
        "groups": [[], [group.pk]],
    }
    change = snapshots.Change(
        "auth.user", str(person.pk), act, "pia", {right: given[right]}
    )
    proposal = proposals.create(User.objects.get(username="ada"), [change])
    page = bob.get(PAGE).content.decode()
    assert "Approve:" not in page
    assert "It gives rights that you may not give." in page
    assert bob.post(f"{PAGE}{proposal.pk}/approve/").status_code == 403
    person.refresh_from_db()
    assert not person.is_superuser


def test_nobody_approves_a_role_with_rights_that_they_may_not_give(ada, bob):
    permission = Permission.objects.get(codename="add_permission")
    group = Group.objects.get(name=roles.ADMINISTRATOR)
    has = sorted(group.permissions.values_list("pk", flat=True))
    change = snapshots.Change(
        "auth.group", str(group.pk), "change", group.name,
        {"permissions": [has, [*has, permission.pk]]},
    )  # fmt: skip
    proposal = proposals.create(User.objects.get(username="ada"), [change])
    bobs = User.objects.get(username="bob")
    bobs.user_permissions.add(Permission.objects.get(codename="change_group"))
    assert bob.post(f"{PAGE}{proposal.pk}/approve/").status_code == 403
    assert not group.permissions.filter(pk=permission.pk).exists()


def test_the_database_refuses_an_approval_by_who_proposed(ada, connection):
    proposal = move_host(ada, connection)
    with pytest.raises(IntegrityError), transaction.atomic():
        proposal.move("approved", ended_by_id=proposal.made_by_id)


@pytest.mark.parametrize("role", [roles.RULE_OWNER, HUB_ADMINISTRATOR])
def test_who_may_not_change_it_may_not_approve_it(ada, connection, role):
    move_host(ada, connection)
    other = signed_in(role, "other")
    assert other.get(PAGE).status_code == 200
    for act in ("approve", "reject"):
        assert end(other, act, reason="no").status == Proposal.Status.WAITING


@pytest.mark.parametrize("role", [roles.ANALYST, roles.SENIOR, roles.AUDITOR])
def test_the_page_is_for_who_changes_settings(ada, connection, role):
    move_host(ada, connection)
    other = signed_in(role, "other")
    assert other.get(PAGE).status_code == 403
    assert end(other, "approve").status == Proposal.Status.WAITING


def test_no_secret_of_a_proposal_is_stored_or_recorded_in_the_clear(ada, connection):
    proposal = move_host(ada, connection)
    with transaction.get_connection().cursor() as cursor:
        cursor.execute("SELECT content FROM approvals_proposal")
        assert "ck_of_new_host" not in cursor.fetchone()[0]
    assert "ck_of_new_host" in proposal.content
    assert "ck_of_new_host" not in json.dumps(lines())


def lines(what: str = "") -> list[Any]:
    """All but those of the first rules, which the installation brings."""
    rows = []
    first = {"reason code", "four eyes rule", "clock", "risk policy"}
    first.add("switch of automatic approvals")
    for row in CaseEvent.objects.order_by("pk"):
        is_first = row.data.get("what") in first
        if not is_first and what in {"", row.what}:
            rows.append([row.what, row.by, row.data])
    return rows


def test_a_proposal_is_rejected_or_withdrawn_with_a_reason(ada, bob, connection):
    move_host(ada, connection)
    assert end(bob, "reject").status == Proposal.Status.WAITING
    assert end(bob, "withdraw", reason="mine").status == Proposal.Status.WAITING
    assert end(bob, "reject", reason="Not our host.").status == "rejected"
    move_host(ada, connection)
    assert end(ada, "withdraw", reason="A mistake.").status == "withdrawn"
    assert end(bob, "approve").status == "withdrawn"
    connection.refresh_from_db()
    assert connection.base_url == "https://old.example/api/v1"
    [rejected] = lines("change_rejected")
    assert (rejected[1], rejected[2]["reason"]) == ("bob", "Not our host.")


def test_a_proposal_is_out_of_date_once_its_row_has_changed(ada, bob, connection):
    move_host(ada, connection)
    Connection.objects.update(base_url="https://third.example/")
    proposal = end(bob, "approve")
    assert proposal.status == Proposal.Status.STALE
    assert "base_url" in proposal.reason
    connection.refresh_from_db()
    assert connection.base_url == "https://third.example/"


def test_all_of_it_is_in_the_trail(ada, bob, connection):
    move_host(ada, connection)
    end(bob, "approve")
    [proposed], [approved] = lines("change_proposed"), lines("change_approved")
    assert (proposed[1], approved[1]) == ("ada", "bob")
    changed = lines("setting_changed")
    assert {line[1] for line in changed} == {"bob"}
    values = [line[2]["changes"] for line in changed if line[2]["what"] == "connection"]
    assert values[0]["base_url"] == [
        "https://old.example/api/v1",
        "https://new.example/",
    ]


def test_a_new_row_with_rows_of_its_own_keeps_them_together(ada, bob, connection):
    form = connection_form(connection, name="Second", slug="second", api_key="k")
    for prefix in ("agents", "webhook_secrets"):
        form[f"{prefix}-INITIAL_FORMS"] = "0"
        form[f"{prefix}-0-id"] = form[f"{prefix}-0-connection"] = ""
    form |= {"agents-0-agent_key": "a", "webhook_secrets-0-secret": "s"}
    assert ada.post("/admin/reviews/connection/add/", form).status_code == 303
    assert not Connection.objects.filter(slug="second").exists()
    # Meanwhile others get the keys that the new rows had when they were proposed.
    other = make_connection("other")
    make_agent(other)
    assert end(bob, "approve").status == Proposal.Status.APPROVED
    second = Connection.objects.get(slug="second")
    assert second.agents.get().agent_key == "a"
    assert second.webhook_secrets.get().secret == "s"
    assert other.agents.count() == 1


def test_removing_rules_in_bulk_waits_too():
    olga, otto = (signed_in(roles.RULE_OWNER, name) for name in ("olga", "otto"))
    keys = list(FourEyesRule.objects.values_list("pk", flat=True))
    form = {"action": "delete_selected", "_selected_action": keys, "post": "yes"}
    olga.post("/admin/reviews/foureyesrule/", form)
    assert FourEyesRule.objects.count() == len(keys) > 3
    assert end(otto, "approve").status == Proposal.Status.APPROVED
    assert FourEyesRule.objects.count() == 0


def test_removing_one_rule_waits_too():
    olga = signed_in(roles.RULE_OWNER, "olga")
    rule = FourEyesRule.objects.latest("pk")
    olga.post(f"/admin/reviews/foureyesrule/{rule.pk}/delete/", {"post": "yes"})
    assert FourEyesRule.objects.filter(pk=rule.pk).exists()
    assert Proposal.objects.get().title.startswith("Remove four eyes rule")


def person_form(user: User, *groups: str) -> dict[str, Any]:
    return {
        "username": user.username,
        "is_active": "on",
        "groups": list(
            Group.objects.filter(name__in=groups).values_list("pk", flat=True)
        ),
        "date_joined_0": "2026-01-01",
        "date_joined_1": "00:00:00",
    }


def test_roles_wait_and_nobody_approves_their_own(ada, bob):
    user = User.objects.get(username="bob")
    form = person_form(user, roles.ADMINISTRATOR, roles.SENIOR) | {"is_staff": "on"}
    ada.post(f"/admin/auth/user/{user.pk}/change/", form)
    assert not user.groups.filter(name=roles.SENIOR).exists()
    assert end(bob, "approve").status == Proposal.Status.WAITING
    assert end(signed_in(roles.ADMINISTRATOR, "cleo"), "approve").status == "approved"
    assert user.groups.filter(name=roles.SENIOR).exists()


def test_to_close_an_account_of_a_person_does_not_wait(ada):
    user = make_user("sven", role=roles.SENIOR)
    form = person_form(user, roles.SENIOR)
    del form["is_active"]
    ada.post(f"/admin/auth/user/{user.pk}/change/", form)
    user.refresh_from_db()
    assert not user.is_active
    assert not Proposal.objects.exists()


def test_an_invitation_does_not_take_the_account_of_somebody(ada):
    user = make_user("sven", role=roles.SENIOR)
    form = {"action": "invite", "_selected_action": [user.pk]}
    page = ada.post("/admin/auth/user/", form, follow=True)
    assert "has a password" in page.content.decode()
    assert "/account/password/open/" not in page.content.decode()


@pytest.fixture
def account(db: None) -> Account:
    account = Account.objects.create(name="Client")
    SigningSecret.objects.create(account=account, secret="s1")
    return account


def test_a_key_of_the_hub_is_shown_at_once_and_valid_after_the_approval(
    hana, hugo, account
):
    page = hana.post(f"/hub/accounts/{account.pk}/keys/", {"name": "core"}, follow=True)
    text = page.content.decode()
    [raw] = re.findall(r"ck_live_[\w-]{43}", text)
    assert "Another person must approve this" in text
    assert api_keys.find(raw) is None
    assert end(hugo, "approve").status == Proposal.Status.APPROVED
    key = api_keys.find(raw)
    assert key is not None
    assert key.name == "core"
    # To revoke one only ends something.
    hana.post(f"/hub/keys/{key.pk}/revoke/")
    assert api_keys.find(raw) is None


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/hub/", {"name": "Mine"}),
        ("/hub/accounts/{account}/switch/", {}),
        ("/hub/accounts/{account}/secrets/", {"hours": "0"}),
        ("/hub/secrets/{secret}/sign-now/", {}),
        ("/hub/accounts/{account}/agents/kyb/", {"name": "thin", "is_active": "on"}),
        ("/hub/agents/{agent}/", {"name": "thin", "order_0": "1"}),
        ("/hub/lists/", {"slug": "un"}),
        ("/hub/lists/a_list/", {"url": "https://thief.example/list", "on": "on"}),
        ("/hub/lists/a_list/canaries/", {"canaries": "John Smith"}),
        ("/admin/agenthub/account/add/", {"name": "Mine", "share": "1"}),
        ("/admin/agenthub/apikey/add/", {"account": "{account}", "name": "x"}),
        ("/admin/agenthub/signingsecret/add/", {"account": "{account}"}),
    ],
)
def test_nothing_of_the_hub_changes_before_the_approval(
    hana, hugo, account, address, form
):
    later = SigningSecret.objects.create(
        account=account, secret="s2", signs_from="2090-01-01T00:00Z"
    )
    agent = HubAgent.objects.create(account=account, name="kyb", kind="kyb", key="k")
    ListSource.objects.create(slug="a_list", title="A list", format="csv")
    names = {"account": account.pk, "secret": later.pk, "agent": agent.pk}
    values = {name: value.format(**names) for name, value in form.items()}
    if "signingsecret" in address:
        values["signs_from"] = "2026-01-01T00:00"
    before = hub_rows()
    answer = hana.post(address.format(**names), values)
    assert answer.status_code in {302, 303}, answer.content.decode()
    assert hub_rows() == before
    assert Proposal.objects.count() == 1
    assert "thief.example/list" not in hugo.get(PAGE).content.decode()
    assert end(hugo, "approve").status == Proposal.Status.APPROVED
    assert hub_rows() != before
    total = lines("setting_added") + lines("setting_changed")
    assert {line[1] for line in total} == {"hugo"}


def hub_rows() -> list[Any]:
    models = (Account, ApiKey, SigningSecret, HubAgent, ListSource)
    return [list(model.objects.order_by("pk").values()) for model in models]


def test_rest_answers_that_the_change_waits(ada, bob):
    user = User.objects.get(username="ada")
    _, raw = api_tokens.create(
        actor=user, user=user, name="t", scopes=[Scope.SUBSCRIPTIONS]
    )
    header = {"Authorization": f"Bearer {raw}"}
    body = {"name": "core", "url": "https://core.example/"}
    answer = Client().post(
        "/api/desk/v1/subscriptions", body, "application/json", headers=header
    )
    assert answer.status_code == 202
    content = answer.json()
    assert content["proposal"] == Proposal.objects.get().pk
    assert not Subscription.objects.exists()
    end(bob, "approve")
    row = Subscription.objects.get()
    assert row.secret == content["secret"]
    address = f"/api/desk/v1/subscriptions/{row.pk}"
    change = {"url": "https://thief.example/"}
    answer = Client().patch(address, change, "application/json", headers=header)
    assert answer.status_code == 202
    assert Client().delete(address, headers=header).status_code == 202
    row.refresh_from_db()
    assert row.url == "https://core.example/"


def test_only_the_kinds_that_are_named_wait(ada, hana, connection, account, settings):
    settings.SETTINGS_FOUR_EYES = frozenset({"hub"})
    form = connection_form(connection, name="Another name")
    assert ada.post(address_of(connection), form).status_code == 302
    connection.refresh_from_db()
    assert connection.name == "Another name"
    hana.post("/hub/", {"name": "Mine"})
    assert not Account.objects.filter(name="Mine").exists()


def test_the_rail_says_how_many_wait(ada, bob, connection, settings):
    assert 'aria-label="Approvals, 0 wait"' in bob.get("/").content.decode()
    move_host(ada, connection)
    assert 'aria-label="Approvals, 1 wait"' in bob.get("/").content.decode()
    settings.SETTINGS_FOUR_EYES = frozenset()
    assert "Approvals" not in bob.get("/").content.decode()


def test_without_a_second_person_each_act_at_the_hub_is_a_line(hana, account, settings):
    settings.SETTINGS_FOUR_EYES = frozenset()
    hana.post(f"/hub/accounts/{account.pk}/keys/", {"name": "core"})
    hana.post(f"/hub/accounts/{account.pk}/secrets/", {"hours": "0"})
    hana.post(f"/hub/accounts/{account.pk}/switch/")
    hana.post(f"/hub/keys/{account.api_keys.get().pk}/revoke/")
    added, changed = lines("setting_added"), lines("setting_changed")
    assert {line[1] for line in added + changed} == {"hana"}
    assert [line[2]["what"] for line in added] == ["API key", "signing secret"]
    assert added[0][2]["changes"]["digest"] == [None, "…"]
    assert added[1][2]["changes"]["secret"] == [None, "…"]
    closed = [line[2] for line in changed if line[2]["what"] == "account"]
    assert closed[0]["changes"] == {"is_active": [True, False]}
    assert not Line.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_change_of_an_address_is_told_when_it_is_approved(ada, bob, settings):
    settings.EMAIL_HOST = "mail.example"
    user = make_user("sven", role=roles.SENIOR, email="sven@example.com")
    form = person_form(user, roles.SENIOR) | {"email": "other@example.com"}
    ada.post(f"/admin/auth/user/{user.pk}/change/", form)
    user.refresh_from_db()
    assert user.email == "sven@example.com"
    assert not mail.outbox
    assert end(bob, "approve").status == "approved"
    recipients = [message.to for message in mail.outbox]
    assert recipients == [["sven@example.com"], ["other@example.com"]]
