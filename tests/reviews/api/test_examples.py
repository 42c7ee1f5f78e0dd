"""The examples of the description: each is what its schema says, and each body has one."""

from __future__ import annotations

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from compliance.http.api.schemas import ref
from reviews.api import description, schemas
from reviews.api.parts import examples


@pytest.mark.parametrize(
    ("name", "example"),
    [
        *examples.BODIES.items(),
        *examples.ANSWERS.items(),
        *examples.SUBSCRIPTION_EVENTS.items(),
    ],
    ids=str,
)
def test_an_example_is_what_its_schema_says(name, example):
    whole = {**ref(name), "components": {"schemas": schemas.PARTS}}
    validator = Draft202012Validator(whole, format_checker=FormatChecker())
    assert [str(fault.message) for fault in validator.iter_errors(example)] == []


def test_every_body_has_an_example_and_every_endpoint_a_tag():
    for endpoint in description.endpoints():
        operation = endpoint.operation
        assert operation.tag in description.TAGS.values(), endpoint.path
        if operation.body:
            assert operation.examples.body is not None, operation.body
