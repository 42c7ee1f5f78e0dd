"""The walk finds what an interface does that its description does not say."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import schemathesis
from schemathesis.core.failures import FailureGroup

from agenthub.schemas import description
from tests.agenthub.conftest import Caller, make_caller
from tests.interfaces import walking

pytestmark = pytest.mark.django_db
PAIR = ("get", "/checks")


@pytest.fixture
def caller(settings) -> Caller:
    settings.API_RATE = 1_000_000
    return make_caller()


def walk(caller: Caller, document: dict[str, Any], application: Any) -> list[int]:
    schema = schemathesis.openapi.from_dict(document)
    schema.app = application
    return walking.walk(schema, PAIR, key=caller.api_key, prepare=lambda case: None)


def document() -> dict[str, Any]:
    return copy.deepcopy(description.document())


def test_an_interface_that_does_what_it_says_passes(caller):
    assert 200 in walk(caller, document(), walking.whole)


def test_a_status_that_is_not_described_is_found(caller):
    changed = document()
    del changed["paths"]["/checks"]["get"]["responses"]["200"]
    with pytest.raises(FailureGroup, match="Undocumented status code"):
        walk(caller, changed, walking.whole)


def test_a_body_of_another_shape_is_found(caller):
    changed = document()
    answer = changed["paths"]["/checks"]["get"]["responses"]["200"]
    answer["content"]["application/json"]["schema"] = {"type": "integer"}
    with pytest.raises(FailureGroup, match="violates schema"):
        walk(caller, changed, walking.whole)


def test_another_type_of_content_is_found(caller):
    changed = document()
    answer = changed["paths"]["/checks"]["get"]["responses"]["200"]
    answer["content"] = {"text/csv": {"schema": {"type": "string"}}}
    with pytest.raises(FailureGroup, match="Undocumented Content-Type"):
        walk(caller, changed, walking.whole)


def test_a_key_that_nobody_asks_for_is_found(caller):
    def without_a_lock(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        header = {"HTTP_AUTHORIZATION": f"Bearer {caller.api_key}"}
        return walking.whole(environ | header, start_response)

    with pytest.raises(FailureGroup, match="authentication"):
        walk(caller, document(), without_a_lock)


def test_an_error_of_the_server_is_found(caller):
    def broken(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        start_response("500 Internal Server Error", [("Content-Type", "text/plain")])
        return [b"broken"]

    with pytest.raises(AssertionError, match="broken"):
        walk(caller, document(), broken)
