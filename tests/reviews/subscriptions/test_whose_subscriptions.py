"""Who does not see all cases subscribes to no more cases than they see."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from reviews.access import roles
from reviews.models import Connection, Scope, Subscription, Team
from tests.factories import make_connection, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
URL = "https://a.example/"
SECRET = "whsec_" + "c2VjcmV0" * 4


@pytest.fixture
def own() -> Connection:
    return make_connection("own")


@pytest.fixture
def other(own) -> Connection:
    connection = make_connection("other")
    Team.objects.create(name="others").connections.add(connection)
    return connection


@pytest.fixture
def sue(own, other) -> User:
    """A role of the company's own: it manages subscriptions, for one team."""
    group = Group.objects.create(name="subscriptions of one team")
    names = ["view_case", *(f"{act}_subscription" for act in ("view", "add", "change", "delete"))]  # fmt: skip
    group.permissions.set(Permission.objects.filter(codename__in=names))
    user = User.objects.create_user("sue", password="correct horse", is_staff=True)
    user.groups.add(group)
    team = Team.objects.create(name="own")
    team.connections.add(own)
    team.members.add(user)
    return user


@pytest.fixture
def rows(own, other) -> dict[str, Subscription]:
    places = {"own": own, "other": other, "all": None}
    return {
        name: Subscription.objects.create(name=name, url=URL, secret="x", connection=of)
        for name, of in places.items()
    }


def test_rest_has_those_of_the_own_cases(sue, rows):
    caller = Caller(sue, Scope.SUBSCRIPTIONS)
    listed = caller.call("GET", "/subscriptions").json()["items"]
    assert [row["name"] for row in listed] == ["own"]
    for name, status in (("own", 200), ("other", 404), ("all", 404)):
        path = f"/subscriptions/{rows[name].pk}"
        evil = {"url": "https://evil.example/"}
        assert caller.call("GET", path).status_code == status, name
        assert caller.call("PATCH", path, evil).status_code == status, name
    assert caller.call("DELETE", f"/subscriptions/{rows['all'].pk}").status_code == 404
    assert Subscription.objects.filter(url=URL).count() == 2


def test_rest_makes_none_for_other_cases(sue, other):
    caller = Caller(sue, Scope.SUBSCRIPTIONS)
    for body, status in (({}, 403), ({"connection": "other"}, 403), ({"connection": "own"}, 201)):  # fmt: skip
        body = {"name": "new", "url": URL, **body}
        assert caller.call("POST", "/subscriptions", body).status_code == status


def test_the_pages_have_those_of_the_own_cases(client, sue, rows, own, other):
    client.force_login(sue)
    base = "/settings/webhook-subscriptions/"
    page = client.get(base).content.decode()
    assert f"{base}{rows['own'].pk}/" in page
    assert f"{base}{rows['all'].pk}/" not in page
    assert client.get(f"{base}{rows['other'].pk}/").status_code == 404
    for connection, status in (("", 422), (other.pk, 422), (own.pk, 303)):
        body = {
            "name": "new",
            "url": URL,
            "secret": "whsec_" + "QUJD" * 8,
            "connection": connection,
            "events": ["case.decided"],
            "is_active": "on",
        }
        assert client.post(f"{base}new/", body).status_code == status, connection


def test_the_administration_has_those_of_the_own_cases(client: Client, sue, rows, own):
    client.force_login(sue)
    base = "/admin/reviews/subscription/"
    page = client.get(base).content.decode()
    assert f"{base}{rows['own'].pk}/" in page
    assert f"{base}{rows['all'].pk}/" not in page
    address = f"{base}{rows['own'].pk}/change/"
    body = {"name": "own", "url": URL, "connection": "", "events": ["case.decided"]}
    assert client.post(address, body).status_code == 403
    assert client.post(address, {**body, "connection": own.pk}).status_code == 302


def test_an_administrator_sees_every_case_and_every_subscription(rows):
    ada = make_user("ada", role=roles.ADMINISTRATOR)
    caller = Caller(ada, Scope.SUBSCRIPTIONS)
    assert len(caller.call("GET", "/subscriptions").json()["items"]) == 3
    body = {"name": "new", "url": URL}
    assert caller.call("POST", "/subscriptions", body).status_code == 201


REFUSED = {
    "http://example.com/hook": "must start with https://",
    "http://10.0.0.1/hook": "must start with https://",
    "https://169.254.169.254/latest": "the address is not public",
    "https://[::1]/hook": "the address is not public",
}


@pytest.mark.parametrize("address", REFUSED)
def test_an_address_to_which_nothing_can_be_sent_is_refused(client, address):
    client.force_login(someone("administrator"))
    values = {"name": "Core", "url": address, "secret": SECRET}
    values["events"] = ["case.decided"]
    answer = client.post("/settings/webhook-subscriptions/new/", values)
    assert answer.status_code == 422
    assert REFUSED[address] in answer.content.decode()
    assert not Subscription.objects.exists()


def test_a_host_that_is_not_listed_is_refused(client, settings):
    settings.OUTBOUND_HOSTS = frozenset({".bank.example"})
    client.force_login(someone("administrator"))
    page = "/settings/webhook-subscriptions/new/"
    values = {"name": "Core", "secret": SECRET, "events": ["case.decided"]}
    answer = client.post(page, {**values, "url": "https://example.com/hook"})
    assert "not one of OUTBOUND_HOSTS" in answer.content.decode()
    answer = client.post(page, {**values, "url": "https://core.bank.example/hook"})
    assert answer.status_code == 303


def test_an_address_that_an_operator_allows_is_saved(client, settings):
    settings.OUTBOUND_ALLOW = frozenset({("10.0.0.1", 8080)})
    client.force_login(someone("administrator"))
    values = {
        "name": "Core",
        "url": "http://10.0.0.1:8080/hook",
        "secret": SECRET,
        "events": ["case.decided"],
    }
    answer = client.post("/settings/webhook-subscriptions/new/", values)
    assert answer.status_code == 303


def test_a_subscription_with_an_address_of_before_can_be_switched_off(client):
    row = Subscription.objects.create(
        name="Old", url="http://10.0.0.1/hook", secret=SECRET
    )
    client.force_login(someone("administrator"))
    values = {"name": "Old", "url": row.url, "events": ["case.decided"]}
    page = f"/settings/webhook-subscriptions/{row.pk}/"
    assert client.post(page, values).status_code == 303
    row.refresh_from_db()
    assert not row.is_active
    moved = {**values, "url": "http://10.0.0.2/hook"}
    assert client.post(page, moved).status_code == 422


def test_rest_refuses_an_address_to_which_nothing_can_be_sent():
    caller = Caller(someone("administrator"), Scope.SUBSCRIPTIONS)
    body = {"name": "Core", "url": "http://10.0.0.1/hook"}
    answer = caller.call("POST", "/subscriptions", body)
    assert answer.status_code == 422
    assert "must start with https://" in answer.json()["detail"]
    assert not Subscription.objects.exists()
    made = caller.call("POST", "/subscriptions", {**body, "url": URL}).json()
    address = f"/subscriptions/{made['id']}"
    moved = caller.call("PATCH", address, {"url": "https://10.0.0.1/"})
    assert moved.status_code == 422
    assert Subscription.objects.get().url == URL
