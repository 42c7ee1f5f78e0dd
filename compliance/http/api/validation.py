"""Validates requests against the schemas that the OpenAPI document publishes."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from django.http import QueryDict
from jsonschema import Draft202012Validator, FormatChecker

from compliance.http import numbers
from compliance.http.api.errors import Problem
from compliance.http.api.schemas import Schema

# Per response: a very large body may violate its schema a million times.
MOST_FAULTS = 100
LONGEST_WORDS = 200
LONGEST_VALUE = 100
# A reason may list all values that fit.
LONGEST_REASON = 1000
FORMATS = FormatChecker(("uuid", "date"))


class BodyValidator:
    """Validates values by the named schemas of one interface."""

    def __init__(self, schemas: Mapping[str, Schema]) -> None:
        self._schemas = schemas
        self._validators: dict[str, object] = {}

    def validate(self, name: str, value: object) -> None:
        """Validate `value` against the named schema. Raises Problem (422) with all faults."""
        errors = self._validator(name).iter_errors(value)
        faults = [
            {"pointer": _pointer(error.absolute_path), "detail": _words(error)}
            for error in islice(errors, MOST_FAULTS)
        ]
        if faults:
            raise Problem(
                422, f"The request does not fit: {faults[0]['detail']}", faults=faults
            )

    def _validator(self, name: str) -> Any:
        """The validator of a schema.

        It is kept, because building one takes longer than using it.
        """
        if name not in self._validators:
            # Schemas refer to each other below #/components/schemas, so all of them must be
            # present.
            schema = {
                "$ref": f"#/components/schemas/{name}",
                "components": {"schemas": self._schemas},
            }
            self._validators[name] = Draft202012Validator(
                schema, format_checker=FORMATS
            )
        return self._validators[name]


def query(schemas: Mapping[str, Schema], params: QueryDict) -> dict[str, Any]:
    """The values of the query parameters, integers converted.

    Raises Problem (400) if a parameter is unknown, does not fit its schema, or is there twice:
    programs differ in which of the two counts.
    """
    values: dict[str, object] = {}
    # Values of the query are text: convert where the schema wants an integer.
    for name in params:
        values[name] = _number(str(params[name]), schemas.get(name, {}))
    faults = list(_faults_of_query(schemas, values))
    for name in values:
        if len(params.getlist(name)) > 1:
            parameter = name[:LONGEST_WORDS]
            faults.append({"parameter": parameter, "detail": "It is there twice."})
    if faults:
        words = f"{faults[0]['parameter']}: {faults[0]['detail']}"
        raise Problem(400, words, code="invalid", faults=faults)
    return values


def _faults_of_query(
    schemas: Mapping[str, Schema], values: Mapping[str, object]
) -> Iterator[dict[str, str]]:
    for name, value in islice(values.items(), MOST_FAULTS):
        if name not in schemas:
            yield {
                "parameter": name[:LONGEST_WORDS],
                "detail": "There is no such parameter.",
            }
            continue
        # PostgreSQL text cannot hold NUL, so a query with this value would fail.
        if "\0" in str(value):
            yield {"parameter": name, "detail": "It holds the character NUL."}
        for error in Draft202012Validator(schemas[name]).iter_errors(value):
            yield {"parameter": name, "detail": _words(error)}


def _number(value: str, schema: Schema) -> Any:
    number = numbers.parse(value, digits=9)
    if number is not None and schema.get("type") == "integer":
        return number
    return value


def _pointer(path: Any) -> str:
    """A JSON Pointer (RFC 6901) with a leading #, not percent-encoded: `#/members/0/name`."""
    pointer = "#"
    for step in path:
        escaped = str(step).replace("~", "~0").replace("/", "~1")
        pointer += f"/{escaped[:LONGEST_WORDS]}"
    return pointer


def _words(error: Any) -> str:
    """What is wrong. Messages of jsonschema may begin with the value, which may be very long."""
    message = str(error.message)
    # The value is not written out for a message that does not contain it: it may be the whole body.
    is_group = isinstance(error.instance, dict | list)
    if is_group and not message.startswith(("{", "[")):
        return _shortened(message, LONGEST_REASON)
    value = repr(error.instance)
    if not message.startswith(value):
        return _shortened(message, LONGEST_REASON)
    reason = message.removeprefix(value)
    return _shortened(_json(error.instance)) + _shortened(reason, LONGEST_REASON)


def _json(value: object) -> str:
    """A value as the caller has sent it: null, not None."""
    return json.dumps(value, ensure_ascii=False, default=str)


def _shortened(words: str, most: int = LONGEST_VALUE) -> str:
    return words if len(words) <= most else f"{words[:most]}…"
