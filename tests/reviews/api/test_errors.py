"""The desk and the hub answer the same error with the same status and headers, each in its shape."""

from __future__ import annotations

import gzip
import uuid

import pytest
from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.db import OperationalError
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions

from agenthub.api import errors as of_hub
from compliance.http.api.errors import CODES, REASONS
from compliance.storage.stored_files import MissingError, StoredError
from reviews.access import api_tokens
from reviews.api import errors as of_desk
from reviews.api.parts.bodies import BODIES
from reviews.models import Scope
from tests.factories import make_agent, make_connection, make_user

pytestmark = pytest.mark.django_db


def test_an_exception_that_is_its_own_cause_has_an_end():
    exc = RuntimeError("A fault.")
    exc.__cause__ = exc
    assert of_desk.handle(exc, {}).status_code == 500


@pytest.mark.parametrize("path", ["", "/export"])
def test_a_batch_of_a_service_that_is_away_is_502(client, path):
    agent = make_agent(make_connection())
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="t", scopes=[Scope.READ])
    address = f"/api/desk/v1/agents/{agent.pk}/batches/{uuid.uuid4()}{path}"
    answer = client.get(address, headers={"Authorization": f"Bearer {raw}"})
    assert answer.status_code == 502


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, -(2**63)])
def test_an_id_that_no_database_holds_is_refused(client, number):
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="t", scopes=[Scope.DECIDE])
    answer = client.post(
        "/api/desk/v1/bulk-approvals",
        {"cases": [number]},
        content_type="application/json",
        headers={"Authorization": f"Bearer {raw}"},
    )
    assert answer.status_code == 422
    assert answer.json()["errors"][0]["pointer"] == "#/cases/0"


@pytest.mark.parametrize(
    ("member", "value", "words"),
    [
        ("reference", "x" * 300, "x" * 99 + "… is too long"),
        ("submission", None, "null is not of type 'string'"),
        ("agent", True, "true is not of type 'integer'"),
        ("self_attested_data", ["é"] * 99, "… is not of type 'object'"),
        ("documents", [{"kind": "other"}], "'face_match_image_url']"),
    ],
)
def test_a_value_that_does_not_fit_is_told_with_the_reason(
    client, member, value, words
):
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="t", scopes=[Scope.SUBMIT])
    case = {"agent": 1, "self_attested_data": {"business_name": "A"}, member: value}
    answer = client.post(
        "/api/desk/v1/cases",
        case,
        content_type="application/json",
        headers={"Authorization": f"Bearer {raw}"},
    )
    assert answer.status_code == 422
    assert any(words in fault["detail"] for fault in answer.json()["errors"])


def test_a_compressed_body_is_refused_with_the_reason(client):
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="t", scopes=[Scope.SUBMIT])
    answer = client.post(
        "/api/desk/v1/cases",
        gzip.compress(b"{}"),
        content_type="application/json",
        headers={"Authorization": f"Bearer {raw}", "Content-Encoding": "gzip"},
    )
    assert answer.status_code == 415
    assert "uncompressed" in answer.json()["detail"]


def test_a_parameter_that_is_there_twice_is_refused(client):
    user = make_user()
    _, raw = api_tokens.create(actor=user, user=user, name="t", scopes=[Scope.READ])
    headers = {"Authorization": f"Bearer {raw}"}
    answer = client.get("/api/desk/v1/jobs?limit=1&limit=200", headers=headers)
    assert answer.status_code == 400
    assert answer.json()["errors"] == [
        {"parameter": "limit", "detail": "It is there twice."}
    ]


@pytest.mark.parametrize("name", sorted(BODIES))
def test_each_number_of_a_body_has_an_end(name):
    assert _endless(BODIES[name]) == []


def _endless(schema: object) -> list[object]:
    """The parts of a schema that take whole numbers of any size."""
    rows: list[object] = []
    if isinstance(schema, list | tuple):
        for part in schema:
            rows += _endless(part)
    if isinstance(schema, dict):
        if schema.get("type") == "integer" and not {"maximum", "enum"} & set(schema):
            rows.append(schema)
        for part in schema.values():
            rows += _endless(part)
    return rows


@pytest.mark.parametrize(
    ("exc", "status", "headers"),
    [
        (Http404(), 404, {}),
        (exceptions.NotFound(), 404, {}),
        (PermissionDenied(), 403, {}),
        (RequestDataTooBig(), 413, {}),
        (SuspiciousOperation(), 400, {}),
        (UnreadablePostError(), 400, {}),
        (exceptions.Throttled(wait=6.2), 429, {"Retry-After": "7"}),
        # A store that is away comes back; a file that is lost does not.
        (StoredError(), 503, {"Retry-After": "60"}),
        (MissingError(), 410, {}),
        (OperationalError("Of no kind that is known."), 500, {}),
        (RuntimeError("A fault."), 500, {}),
    ],
)
def test_an_error_has_one_status_and_two_shapes(exc, status, headers):
    desk = of_desk.handle(exc, {})
    hub = of_hub.handle(exc, {})
    assert (desk.status_code, hub.status_code) == (status, status)
    assert desk.data["code"] == CODES[status]
    assert hub.data["error"] == desk.data["title"] == REASONS[status]
    assert hub.data["message"]
    for answer in (desk, hub):
        assert {name: answer[name] for name in headers} == headers
        assert ("Retry-After" in answer) == bool(headers)


def test_every_status_has_a_reason_and_a_code():
    assert list(REASONS) == list(CODES)
