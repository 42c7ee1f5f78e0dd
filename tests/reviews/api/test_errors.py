"""The desk and the hub answer the same error with the same status and headers, each in its shape."""

from __future__ import annotations

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
