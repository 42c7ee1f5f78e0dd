"""What a directory that follows RFC 7643 and 7644 to the letter expects: found with a client that
checks each response against the schemas of the server.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User

from reviews.access import roles
from reviews.models import CaseEvent
from tests.compliance.identity.test_scim import ANA, SEARCH
from tests.compliance.identity.test_scim import directory as directory
from tests.factories import make_user

pytestmark = pytest.mark.django_db
USER = "urn:ietf:params:scim:schemas:core:2.0:User"


def declared(attributes: list[dict[str, Any]], prefix: str = "") -> Iterator[str]:
    for attribute in attributes:
        name = f"{prefix}{attribute['name']}"
        yield name
        yield from declared(attribute.get("subAttributes", []), f"{name}.")


def sent(wire: dict[str, Any], prefix: str = "") -> Iterator[str]:
    for name, value in wire.items():
        yield f"{prefix}{name}"
        for row in value if isinstance(value, list) else [value]:
            if isinstance(row, dict):
                yield from sent(row, f"{prefix}{name}.")


@pytest.mark.parametrize("path", ["Users", "Groups"])
def test_each_attribute_that_is_sent_is_in_the_schema(directory, path):
    key = directory.make()
    group = {"displayName": "desk", "externalId": "g1", "members": [{"value": key}]}
    assert directory("POST", "Groups", group).status_code == 201
    resource = directory("GET", path).json()["Resources"][0]
    assert resource["externalId"]
    schema = directory("GET", f"Schemas/{resource['schemas'][0]}").json()
    common = {"schemas", "id", "externalId", "meta"}
    names = {name for name in sent(resource) if not name.startswith("meta.")}
    assert names - common <= set(declared(schema["attributes"]))


def test_who_was_deleted_is_not_there(directory):
    key = directory.make()
    assert directory("DELETE", f"Users/{key}").status_code == 204
    for method, body in (("GET", None), ("PUT", ANA), ("PATCH", {}), ("DELETE", None)):
        assert directory(method, f"Users/{key}", body).status_code == 404
    assert directory("GET", "Users").json()["totalResults"] == 0
    query = f'Users?filter=userName eq "{ANA["userName"]}"'
    assert directory("GET", query).json()["totalResults"] == 0
    # The desk keeps the person, because the trail names people.
    assert not User.objects.get(pk=key).is_active


def test_a_person_of_the_desk_alone_is_deleted_too(directory):
    user = make_user("ana")
    assert directory("DELETE", f"Users/{user.pk}").status_code == 204
    assert directory("GET", f"Users/{user.pk}").status_code == 404


def test_who_was_deleted_comes_back_with_the_same_external_id(directory):
    key = directory.make()
    group = {"displayName": roles.ANALYST, "members": [{"value": key}]}
    assert directory("POST", "Groups", group).status_code == 201
    directory("DELETE", f"Users/{key}")
    answer = directory("POST", "Users", {**ANA, "name": {"givenName": "Anna"}})
    assert (answer.status_code, answer.json()["id"]) == (201, key)
    assert answer.json()["name"] == {"givenName": "Anna"}
    user = User.objects.get(pk=key)
    assert user.is_active
    # The roles come with the groups, which the directory sends again.
    assert not user.groups.exists()
    assert directory("GET", f"Users/{key}").status_code == 200
    lines = CaseEvent.objects.filter(what="scim_user_created")
    assert lines.count() == 2


@pytest.mark.parametrize("external_id", ["00u2", "", None])
def test_another_person_does_not_get_the_name_of_one_who_left(directory, external_id):
    key = directory.make()
    directory("DELETE", f"Users/{key}")
    body = {**ANA, "externalId": external_id}
    if external_id is None:
        del body["externalId"]
    answer = directory("POST", "Users", body)
    assert (answer.status_code, answer.json()["scimType"]) == (409, "uniqueness")
    assert not User.objects.get(pk=key).is_active


def test_who_the_desk_makes_active_again_is_there_again(directory):
    key = directory.make()
    directory("DELETE", f"Users/{key}")
    User.objects.filter(pk=key).update(is_active=True)
    assert directory("GET", f"Users/{key}").json()["active"] is True


@pytest.mark.parametrize("method", ["PUT", "PATCH"])
def test_a_removed_name_is_gone(directory, method):
    key = directory.make()
    if method == "PATCH":
        answer = directory.patch(f"Users/{key}", {"op": "remove", "path": "name"})
    else:
        body = {name: value for name, value in ANA.items() if name != "name"}
        answer = directory("PUT", f"Users/{key}", body)
    assert "name" not in answer.json()
    assert User.objects.get(pk=key).get_full_name() == ""


def test_without_an_external_id_there_is_no_such_attribute(directory):
    key = directory.make()
    answer = directory.patch(f"Users/{key}", {"op": "remove", "path": "externalId"})
    assert "externalId" not in answer.json()
    group = directory("POST", "Groups", {"displayName": "desk"}).json()
    assert "externalId" not in group


@pytest.mark.parametrize(
    ("query", "names"),
    [
        ("attributes=userName", {"schemas", "id", "userName"}),
        (f"attributes={USER}:userName,active", {"schemas", "id", "userName", "active"}),
        ("attributes=USERNAME, emails.value", {"schemas", "id", "userName", "emails"}),
        ("excludedAttributes=emails,id,name,meta,groups", {"schemas", "id", "userName", "externalId", "displayName", "active"}),
    ],
)  # fmt: skip
def test_a_directory_gets_the_attributes_that_it_asks_for(directory, query, names):
    key = directory.make()
    one = directory("GET", f"Users/{key}?{query}").json()
    assert one.keys() == names
    assert directory("GET", f"Users?{query}").json()["Resources"] == [one]


def test_parts_of_attributes(directory):
    key = directory.make()
    one = directory("GET", f"Users/{key}?attributes=name.givenName,emails.value").json()
    assert one["name"] == {"givenName": "Ana"}
    assert one["emails"] == [{"value": "ana@example.com"}]
    one = directory("GET", f"Users/{key}?excludedAttributes=name.givenName").json()
    assert one["name"] == {"familyName": "Nowak"}
    # A part of an attribute that has none.
    one = directory("GET", f"Users/{key}?excludedAttributes=schemas.x,active.x").json()
    assert one["schemas"] == [USER]


@pytest.mark.parametrize(
    "query",
    [
        "attributes=id&excludedAttributes=name",
        "attributes=" + ",".join(f"a{number}" for number in range(101)),
    ],
)
def test_attributes_that_are_refused(directory, query):
    key = directory.make()
    assert directory("GET", f"Users/{key}?{query}").status_code == 400
    # Nothing is done before the refusal.
    body = {**ANA, "userName": "new@example.com"}
    assert directory("POST", f"Users?{query}", body).status_code == 400
    assert not User.objects.filter(username="new@example.com").exists()


@pytest.mark.parametrize("names", ["id", [1], {"a": 1}])
def test_attributes_of_a_search_are_a_list_of_texts(directory, names):
    body = {"schemas": SEARCH, "attributes": names}
    assert directory("POST", "Users/.search", body).status_code == 400
