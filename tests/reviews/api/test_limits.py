"""What is too large or ambiguous is refused at once, and opens no case."""

from __future__ import annotations

import json
from typing import Any

import orjson
import pytest
from django.test import Client

from reviews.models import Case
from reviews.models.people import Scope
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.api.calling import make_token

pytestmark = pytest.mark.django_db

PATH = "/api/desk/v1/cases"


@pytest.fixture
def agent(client: Client) -> Any:
    raw = make_token(make_user("ana"), Scope.SUBMIT)
    client.defaults["HTTP_AUTHORIZATION"] = f"Bearer {raw}"
    return make_agent(make_connection())


def draft(agent: Any, **members: object) -> bytes:
    data = {"business_name": "Northwind Ltd", **members}
    return orjson.dumps({"agent": agent.pk, "self_attested_data": data})


def send(client: Client, body: bytes) -> Any:
    return client.post(PATH, body, content_type="application/json")


# Members → where the fault is.
TOO_LARGE: dict[str, tuple[dict[str, object], str]] = {
    "text": ({"extra": "x" * 100_001}, "/extra"),
    "text in a list": ({"extra": ["a", {"b": "x" * 100_001}]}, "/extra/1/b"),
    "list": ({"extra": [1] * 1_001}, "/extra"),
    "values": ({f"m{n}": [0] * 1_000 for n in range(101)}, ""),
    "name": ({"x" * 201: 1}, ""),
    "lines": ({"partners": ["a"] * 1_000 + ["b"]}, "/partners"),
    "line": ({"partners": ["a" * 2_049]}, "/partners"),
    "declared text": ({"business_name": "x" * 1_001}, "/business_name"),
}


@pytest.mark.parametrize("case", TOO_LARGE)
def test_what_is_too_large_opens_no_case(client, agent, case):
    members, place = TOO_LARGE[case]
    response = send(client, draft(agent, **members))
    assert response.status_code == 422
    pointers = [fault["pointer"] for fault in response.json()["errors"]]
    assert f"#/self_attested_data{place}" in pointers
    assert len(response.content) < 2_000
    assert not Case.objects.exists()


def test_the_limits_themselves_are_taken(client, agent):
    members = {
        "extra": "x" * 100_000,
        "list": [1] * 1_000,
        "partners": ["a" * 2_048],
    }
    assert send(client, draft(agent, **members)).status_code == 201


REPEATED = (
    '{"agent": %d, "self_attested_data": {"business_name": "One"},'
    ' "self_attested_data": {"business_name": "Two"}}',
    '{"agent": %d, "self_attested_data": {"business_name": "One", "business_name" : "Two"}}',
    '{"agent": %d, "self_attested_data": {"business_name": "One", "business\\u005fname": "Two"}}',
)


@pytest.mark.parametrize("body", REPEATED)
def test_two_members_of_one_name_are_refused(client, agent, body):
    response = send(client, (body % agent.pk).encode())
    assert response.status_code == 400
    assert "two members of one name" in response.json()["detail"]
    form = client.post(PATH, {"case": body % agent.pk})
    assert form.status_code == 400
    assert not Case.objects.exists()


def test_a_text_that_looks_like_members_is_none(client, agent):
    text = json.dumps({"a": 1, "b": {"a": 2}})
    body = draft(agent, business_description=text, own=[{"a": 1}, {"a": 2}])
    assert send(client, body).status_code == 201
