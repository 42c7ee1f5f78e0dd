"""The description itself: valid, true in its examples, and readable."""

from __future__ import annotations

import re

import pytest
from jsonschema import Draft202012Validator, FormatChecker

from agenthub.schemas import description, examples
from compliance.http.api.operations import JSON

CASES = [
    (endpoint.operation.name, status, content["schema"], content["example"])
    for endpoint in description.ENDPOINTS
    for status, answer in description.document()["paths"][endpoint.path][
        endpoint.method
    ]["responses"].items()
    for content in answer["content"].values()
    if "example" in content
]


def errors(schema, value) -> list[str]:
    whole = {**schema, "components": description.document()["components"]}
    result = Draft202012Validator(whole, format_checker=FormatChecker()).iter_errors(
        value
    )
    return [error.message for error in result]


@pytest.mark.parametrize(("name", "status", "schema", "example"), CASES)
def test_examples_of_answers_are_what_they_show(name, status, schema, example):
    assert errors(schema, example) == []


@pytest.mark.parametrize("name", examples.REQUESTS)
def test_examples_of_requests_are_what_they_show(name):
    [endpoint] = [one for one in description.ENDPOINTS if one.operation.name == name]
    body = description.document()["paths"][endpoint.path]["post"]["requestBody"]
    assert (
        errors(body["content"]["application/json"]["schema"], examples.REQUESTS[name])
        == []
    )


def test_every_json_answer_and_request_has_an_example():
    for path, _, operation, _ in description.ENDPOINTS:
        if operation.media == JSON and path[1:] not in {
            *("getAvailableChecks", "checks", "getCheckInfo", "uploadB64Document"),
        }:
            assert operation.examples.answer is not None, operation.name
        if operation.body:
            assert operation.examples.body is not None, operation.name


def test_every_reference_leads_somewhere():
    document = description.document()
    parts = document["components"]["schemas"]
    named = set(re.findall(r"#/components/schemas/(\w+)", str(document)))
    assert named <= set(parts)
    for part in parts.values():
        Draft202012Validator.check_schema(part)


def test_the_description_is_read_without_a_key(client, db):
    answer = client.get("/api/v1/schema/")
    assert answer.status_code == 200
    assert answer.json()["openapi"] == "3.1.0"
    assert answer.json()["info"]["version"] == "1.0.0"


def test_the_page_shows_every_endpoint_and_shape(client, db):
    answer = client.get("/api/v1/docs/")
    assert answer.status_code == 200
    page = answer.content.decode()
    for endpoint in description.ENDPOINTS:
        operation = endpoint.operation
        assert f'id="{operation.name}"' in page
        assert operation.summary in page
    # Every link within the page leads somewhere, and nothing is inline or from elsewhere.
    ids = set(re.findall(r'id="([\w-]+)"', page))
    assert set(re.findall(r'href="#([\w-]+)"', page)) <= ids
    assert not re.search(r'style=|<style|<script>|(?:src|href)="https?:', page)
