"""SCIM 2: a directory adds people, gives roles by its groups, and removes people at once."""

from __future__ import annotations

import json
from datetime import timedelta
from urllib.parse import urlencode

import pytest
import requests
import time_machine
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from compliance.identity.scim import tokens
from compliance.models import DirectoryToken
from reviews.access import api_tokens, roles
from reviews.models import CaseEvent
from tests.factories import make_user

pytestmark = pytest.mark.django_db
BASE = "/scim/v2/"
MEDIA = "application/scim+json"
ANA = {
    "schemas": ["urn:ietf:params:scim:schemas:core:2.0:User"],
    "userName": "ana@example.com",
    "externalId": "00u1",
    "name": {"givenName": "Ana", "familyName": "Nowak"},
    "emails": [{"value": "ana@example.com", "primary": True}],
    "active": True,
}


class Directory:
    """What a directory sends, with its token."""

    def __init__(self, raw: str) -> None:
        self.client = Client(headers={"Authorization": f"Bearer {raw}"})

    def __call__(self, method: str, path: str, body=None, media: str = MEDIA):
        data = b"" if body is None else json.dumps(body)
        return self.client.generic(method, BASE + path, data, content_type=media)

    def make(self, body=ANA) -> str:
        answer = self("POST", "Users", body)
        assert answer.status_code == 201, answer.content
        return answer.json()["id"]

    def find(self, name: str) -> list[dict[str, object]]:
        """The people that the directory finds by a user name."""
        query = urlencode({"filter": f'userName eq "{name}"'})
        return self("GET", f"Users?{query}").json()["Resources"]

    def patch(self, path: str, *operations: object):
        body = {
            "schemas": ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
            "Operations": list(operations),
        }
        return self("PATCH", path, body)


@pytest.fixture
def directory() -> Directory:
    return Directory(tokens.create("tests", days=30)[1])


def lines() -> list[str]:
    rows = CaseEvent.objects.filter(what__startswith="scim_").order_by("pk")
    return list(rows.values_list("what", flat=True))


def test_a_person_from_first_to_last(directory):
    key = directory.make()
    user = User.objects.get(pk=key)
    assert (user.username, user.first_name, user.email) == ("ana@example.com", "Ana", "ana@example.com")  # fmt: skip
    assert not user.has_usable_password()
    answer = directory("GET", f"Users/{key}")
    assert answer["Content-Type"] == MEDIA
    wire = answer.json()
    assert (wire["userName"], wire["externalId"], wire["active"]) == ("ana@example.com", "00u1", True)  # fmt: skip
    assert wire["meta"]["location"].endswith(f"/scim/v2/Users/{key}")
    changed = directory("PUT", f"Users/{key}", {**ANA, "name": {"givenName": "Anna"}})
    assert changed.json()["name"] == {"givenName": "Anna"}
    assert directory("DELETE", f"Users/{key}").status_code == 204
    user.refresh_from_db()
    assert not user.is_active
    assert lines() == [
        "scim_token_made",
        "scim_user_created",
        "scim_user_changed",
        "scim_user_deactivated",
    ]


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "replace", "path": "active", "value": False},
        {"op": "Replace", "value": {"active": False}},
        {"op": "Replace", "path": "active", "value": "False"},
        {"op": "replace", "path": "urn:ietf:params:scim:schemas:core:2.0:User:active", "value": False},
    ],
)  # fmt: skip
def test_who_is_deactivated_is_out_at_once(directory, operation):
    user = make_user("ana")
    browser = Client()
    browser.post("/login/", {"login": "ana", "password": "correct horse"})
    assert browser.get("/").status_code == 200
    _, raw = api_tokens.create(actor=user, user=user, name="x", scopes=["cases:read"])
    header = {"Authorization": f"Bearer {raw}"}
    assert Client(headers=header).get("/api/desk/v1/me").status_code == 200
    assert directory.patch(f"Users/{user.pk}", operation).json()["active"] is False
    assert browser.get("/").status_code == 302
    assert Client(headers=header).get("/api/desk/v1/me").status_code == 401
    # Who comes back logs in again, and makes new tokens.
    on = {"op": "replace", "path": "active", "value": True}
    assert directory.patch(f"Users/{user.pk}", on).json()["active"] is True
    assert browser.get("/").status_code == 302
    assert Client(headers=header).get("/api/desk/v1/me").status_code == 401
    assert "token_revoked" in CaseEvent.objects.values_list("what", flat=True)


def test_groups_are_roles(directory, settings):
    settings.SINGLE_SIGN_ON_ROLES = frozenset(
        {("kyc", roles.ANALYST), ("kyc-leads", roles.SENIOR)}
    )
    key = directory.make()
    user = User.objects.get(pk=key)

    def names() -> list[str]:
        return sorted(user.groups.values_list("name", flat=True))

    body = {"displayName": "kyc", "members": [{"value": key}]}
    group = directory("POST", "Groups", body).json()
    assert names() == [roles.ANALYST]
    leads = directory("POST", "Groups", {"displayName": "kyc-leads"}).json()
    add = {"op": "add", "path": "members", "value": [{"value": key}]}
    assert directory.patch(f"Groups/{leads['id']}", add).status_code == 200
    assert names() == [roles.ANALYST, roles.SENIOR]
    remove = {"op": "remove", "path": f'members[value eq "{key}"]'}
    directory.patch(f"Groups/{group['id']}", remove)
    assert names() == [roles.SENIOR]
    # Another name is another role, or none.
    directory.patch(
        f"Groups/{leads['id']}", {"op": "replace", "value": {"displayName": "it"}}
    )
    assert names() == []
    directory("PUT", f"Groups/{leads['id']}", {"displayName": "kyc", "members": []})
    assert directory("PUT", f"Groups/{group['id']}", body).status_code in {200, 409}
    directory("DELETE", f"Groups/{group['id']}")
    directory("DELETE", f"Groups/{leads['id']}")
    assert names() == []
    assert "roles_taken" in CaseEvent.objects.values_list("what", flat=True)


@pytest.mark.parametrize(
    ("op", "path"),
    [("remove", 'members[display eq "ana"]'), ("replace", 'members[value eq "1"]')],
)
def test_members_that_nobody_can_select_are_refused(directory, op, path):
    """Else the directory would take a person for removed who is still a member."""
    body = {"displayName": "kyc", "members": [{"value": directory.make()}]}
    group = directory("POST", "Groups", body).json()
    change = {"op": op, "path": path, "value": [] if op == "replace" else None}
    answer = directory.patch(f"Groups/{group['id']}", change)
    assert (answer.status_code, answer.json()["scimType"]) == (400, "invalidFilter")
    assert len(directory("GET", f"Groups/{group['id']}").json()["members"]) == 1


def test_people_are_found_by_name_and_in_pages(directory):
    keys = [directory.make({"userName": f"user{number}"}) for number in range(5)]
    body = directory("GET", 'Users?filter=userName eq "USER3"').json()
    assert [row["id"] for row in body["Resources"]] == [keys[3]]
    assert (
        directory("GET", 'Users?filter=userName eq "nobody"').json()["totalResults"]
        == 0
    )
    page = directory("GET", "Users?startIndex=2&count=2").json()
    assert (page["totalResults"], page["startIndex"], page["itemsPerPage"]) == (5, 2, 2)
    assert [row["id"] for row in page["Resources"]] == keys[1:3]
    assert directory("GET", "Users?count=0").json()["Resources"] == []
    directory.make({**ANA, "externalId": 'a"b'})
    body = directory("GET", 'Users?filter=externalId eq "a\\"b"').json()
    assert body["totalResults"] == 1


@pytest.mark.parametrize(
    "words",
    ['userName sw "a"', "userName eq a", 'password eq "x"', 'userName eq "a" or id eq "1"', "x" * 900, '(', 'userName eq "a%00b"'],
)  # fmt: skip
def test_other_filters_are_refused(directory, words):
    answer = directory("GET", f"Users?filter={words}")
    assert answer.status_code == 400
    assert answer.json()["scimType"] == "invalidFilter"


SEARCH = ["urn:ietf:params:scim:api:messages:2.0:SearchRequest"]


def test_a_search_has_the_filter_in_its_body(directory):
    keys = [directory.make({"userName": f"user{number}"}) for number in range(5)]
    body: dict[str, object] = {
        "schemas": SEARCH,
        "filter": 'userName eq "USER3"',
        "attributes": ["id"],
    }
    answer = directory("POST", "Users/.search", body)
    assert (answer.status_code, answer["Content-Type"]) == (200, MEDIA)
    assert (
        answer.json()
        == directory("GET", 'Users?filter=userName eq "USER3"&attributes=id').json()
    )
    assert answer.json()["Resources"][0].keys() == {"schemas", "id"}
    assert [row["id"] for row in answer.json()["Resources"]] == [keys[3]]
    body = {"schemas": SEARCH, "startIndex": 2, "count": 2}
    page = directory("POST", "Users/.search", body).json()
    assert [row["id"] for row in page["Resources"]] == keys[1:3]
    group = {"displayName": roles.ANALYST, "members": [{"value": keys[0]}]}
    assert directory("POST", "Groups", group).status_code == 201
    body = {"schemas": SEARCH, "filter": f'displayName eq "{roles.ANALYST}"'}
    data = directory("POST", "Groups/.search", body).json()
    assert [row["displayName"] for row in data["Resources"]] == [roles.ANALYST]
    # It makes nobody.
    assert User.objects.filter(username__startswith="user").count() == 5


@pytest.mark.parametrize(
    ("body", "scim_type"),
    [
        ([], "invalidSyntax"),
        ({}, "invalidSyntax"),
        ({"schemas": "x"}, "invalidSyntax"),
        ({"schemas": SEARCH, "filter": "("}, "invalidFilter"),
        ({"schemas": SEARCH, "filter": 7}, "invalidValue"),
        ({"schemas": SEARCH, "filter": "x" * 1001}, "invalidValue"),
        ({"schemas": SEARCH, "count": "2"}, "invalidValue"),
        ({"schemas": SEARCH, "count": True}, "invalidValue"),
        ({"schemas": SEARCH, "startIndex": 10**12}, "invalidValue"),
    ],
)
def test_a_search_that_is_none_is_told_why(directory, body, scim_type):
    for path in ("Users/.search", "Groups/.search"):
        answer = directory("POST", path, body)
        assert (answer.status_code, answer.json()["scimType"]) == (400, scim_type)


def test_a_search_needs_a_token_and_a_post(directory):
    assert Client().post(f"{BASE}Users/.search").status_code == 401
    assert directory("GET", "Users/.search").status_code == 405


def test_no_log_has_the_name_of_a_filter(directory, caplog):
    caplog.set_level("INFO")
    with caplog.at_level("DEBUG", logger="django.request"):
        directory("GET", 'Users?filter=userName eq "jane.roe@example.com"')
        directory("GET", 'Users?filter=emails sw "jane.roe@example.com"')
        Client().get(f'{BASE}Users?filter=userName eq "jane.roe@example.com"')
    assert caplog.text
    assert "jane.roe" not in caplog.text


def test_a_superuser_is_not_there(directory):
    root = User.objects.create_superuser("root", password="correct horse")
    for method in ("GET", "PUT", "PATCH", "DELETE"):
        assert directory(method, f"Users/{root.pk}", ANA).status_code == 404
    assert (
        directory("GET", 'Users?filter=userName eq "root"').json()["totalResults"] == 0
    )
    body = {"displayName": roles.ANALYST, "members": [{"value": str(root.pk)}]}
    assert directory("POST", "Groups", body).status_code == 400
    assert directory("POST", "Users", {"userName": "ROOT"}).status_code == 409


def test_nothing_makes_a_superuser_or_sets_a_password(directory):
    body = {
        **ANA,
        "is_superuser": True,
        "is_staff": True,
        "password": "correct horse battery",
        "roles": [{"value": "administrator"}],
        "groups": [{"value": "administrator"}],
        "id": "1",
    }
    user = User.objects.get(pk=directory.make(body))
    assert not user.is_superuser and not user.is_staff  # noqa: PT018
    assert not user.has_usable_password()
    assert not user.groups.exists()
    patch = {"op": "add", "path": "groups", "value": [{"value": "administrator"}]}
    assert directory.patch(f"Users/{user.pk}", patch).json()["scimType"] == "mutability"


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"userName": ""},
        {"userName": 7},
        {"userName": "a b\n"},
        {"userName": "x" * 151},
        {"userName": "a", "emails": "x"},
        {"userName": "a", "emails": [{"value": "no address"}]},
        {"userName": "a", "emails": [7]},
        {"userName": "a", "active": "perhaps"},
        {"userName": "a", "name": {"givenName": []}},
        {"userName": "a\0"},
        {"userName": "\N{CYRILLIC SMALL LETTER A}na"},
    ],
)
def test_a_person_who_cannot_be_is_refused(directory, body):
    answer = directory("POST", "Users", body)
    assert answer.status_code == 400, answer.content
    assert answer.json()["schemas"] == ["urn:ietf:params:scim:api:messages:2.0:Error"]
    assert not User.objects.exists()


@pytest.mark.parametrize(
    "operations",
    [
        None,
        [],
        [7],
        [{"op": "drop", "path": "active"}],
        [{"op": "remove"}],
        [{"op": "remove", "path": "userName"}],
        [{"op": "replace", "path": "emails[type sw x].value", "value": "x"}],
        [{"op": "replace", "path": "../../etc", "value": "x"}],
        [{"op": "replace", "path": "id", "value": "1"}],
        [{"op": "replace", "path": "active", "value": {}}],
        [{"op": "replace", "path": 7, "value": 7}],
        [{"op": "add", "path": "userName", "value": ["a"]}],
        [{"op": "replace", "path": "active", "value": False}] * 1001,
    ],
)
def test_a_change_of_another_shape_is_refused_and_changes_nothing(
    directory, operations
):
    key = directory.make()
    answer = directory("PATCH", f"Users/{key}", {"Operations": operations})
    assert answer.status_code == 400, answer.content
    assert User.objects.get().is_active


@pytest.mark.parametrize(
    "key", ["0", "-1", "1e3", "99999999999999999999", "%00", "abc", "1/2"]
)
def test_a_key_of_another_shape_is_nobody(directory, key):
    assert directory("GET", f"Users/{key}").status_code == 404
    assert directory("GET", f"Groups/{key}").status_code == 404


def test_a_name_is_taken_once(directory):
    directory.make()
    assert directory("POST", "Users", ANA).json()["scimType"] == "uniqueness"
    other = directory.make({"userName": "other"})
    answer = directory("PUT", f"Users/{other}", ANA)
    assert (answer.status_code, answer.json()["status"]) == (409, "409")


def test_another_spelling_of_a_name_is_the_same_name(directory):
    directory.make({"userName": "zo\N{LATIN SMALL LETTER E WITH DIAERESIS}"})
    for name in (
        "zoe\N{COMBINING DIAERESIS}",
        "\N{FULLWIDTH LATIN SMALL LETTER Z}o\xeb",
    ):
        assert directory("POST", "Users", {"userName": name}).status_code == 409


def test_who_has_a_name_of_two_scripts_can_still_be_deactivated(directory):
    pk = directory.make({"userName": "other"})
    User.objects.filter(pk=pk).update(username="\N{CYRILLIC SMALL LETTER A}na")
    body = {"userName": "\N{CYRILLIC SMALL LETTER A}na", "active": False}
    assert directory("PUT", f"Users/{pk}", body).status_code == 200
    assert not User.objects.get(pk=pk).is_active


def test_who_has_a_name_that_is_not_normal_can_still_be_found_and_deactivated(
    directory,
):
    """An earlier version stored names as they came. The normal form may be somebody else's name."""
    directory.make({"userName": "zoe"})
    pk = directory.make({"userName": "other"})
    name = "\N{FULLWIDTH LATIN SMALL LETTER Z}oe"
    User.objects.filter(pk=pk).update(username=name)
    [row] = directory.find(name)
    assert row["id"] == str(pk)
    body = {"userName": name, "active": False}
    assert directory("PUT", f"Users/{pk}", body).status_code == 200
    user = User.objects.get(pk=pk)
    assert (user.username, user.is_active) == (name, False)


def test_a_person_is_found_by_each_spelling_of_the_name(directory):
    pk = directory.make({"userName": "zoe\N{COMBINING DIAERESIS}"})
    for name in ("zo\xeb", "zoe\N{COMBINING DIAERESIS}"):
        assert [row["id"] for row in directory.find(name)] == [str(pk)]


def test_only_a_token_that_works_comes_in(directory, settings):
    for raw in ("", "scim_wrong", "ck_live_x"):
        answer = Directory(raw)("GET", "Users")
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"] == "Bearer"
    user = make_user("ana")
    _, raw = api_tokens.create(actor=user, user=user, name="x", scopes=["cases:read"])
    assert Directory(raw)("GET", "Users").status_code == 401
    browser = Client()
    browser.force_login(User.objects.create_superuser("root", password="correct horse"))
    assert browser.get(f"{BASE}Users").status_code == 401
    with time_machine.travel(timedelta(days=31)):
        assert directory("GET", "Users").status_code == 401
    tokens.revoke(DirectoryToken.objects.get())
    assert directory("GET", "Users").status_code == 401


def test_a_token_may_call_so_often(settings):
    settings.API_RATE = 3
    with time_machine.travel(1_800_000_000, tick=False):
        directory = Directory(tokens.create("often", days=1)[1])
        statuses = [directory("GET", "Users").status_code for _ in range(5)]
        assert statuses == [200] * 3 + [429] * 2


def test_what_the_service_can_do(directory):
    assert directory("GET", "ServiceProviderConfig").json()["patch"] == {
        "supported": True
    }
    for name in ("Schemas", "ResourceTypes"):
        rows = directory("GET", name).json()["Resources"]
        assert [row["name"] for row in rows] == ["User", "Group"]
        assert directory("GET", f"{name}/{rows[0]['id']}").json() == rows[0]
        assert directory("GET", f"{name}/none").status_code == 404
    assert directory("GET", "Bulk").status_code == 404
    assert directory("POST", "Users", ANA, "text/plain").status_code == 415


def test_a_command_makes_and_revokes_tokens(capsys):
    call_command("scim_token", "entra", days=10)
    raw = capsys.readouterr().out.strip()
    token = DirectoryToken.objects.get()
    assert raw not in str(vars(token))
    assert Directory(raw)("GET", "Users").status_code == 200
    call_command("scim_token", revoke=token.prefix)
    assert Directory(raw)("GET", "Users").status_code == 401
    with pytest.raises(CommandError, match="days"):
        call_command("scim_token", days=0)


@pytest.mark.django_db(transaction=True)
def test_over_the_wire(live_server):
    _, raw = tokens.create("wire", days=1)
    with requests.Session() as session:
        session.headers["Authorization"] = f"Bearer {raw}"
        address = f"{live_server.url}/scim/v2/Users"
        answer = session.post(address, json=ANA, timeout=10)
        assert answer.status_code == 201
        assert session.post(address, data=b"{", headers={"Content-Type": MEDIA}, timeout=10).status_code == 400  # fmt: skip
        assert (
            session.delete(f"{address}/{answer.json()['id']}", timeout=10).status_code
            == 204
        )
