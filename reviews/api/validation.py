"""Judges requests by the very schemas that the description publishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from itertools import islice
from typing import Any

from django.http import QueryDict
from jsonschema import Draft202012Validator, FormatChecker

from compliance.http.api.errors import Problem
from compliance.http.api.schemas import Schema
from reviews.api.schemas import PARTS

# Told at once: a huge body may break its schema a million times.
MOST_FAULTS = 100
LONGEST_WORDS = 200


@cache
def validator(name: str) -> Any:
    """Judges a value by a part of schemas.py."""
    whole = {"$ref": f"#/components/schemas/{name}", "components": {"schemas": PARTS}}
    return Draft202012Validator(whole, format_checker=FormatChecker(("uuid", "date")))


def body(name: str, given: Any) -> None:
    """Raise Problem (422) where the body does not fit."""
    faults = [
        {"pointer": _pointer(error.absolute_path), "detail": _words(error)}
        for error in islice(validator(name).iter_errors(given), MOST_FAULTS)
    ]
    if faults:
        raise Problem(422, f"The request does not fit: {faults[0]['detail']}", faults=faults)


def query(wanted: Mapping[str, Schema], given: QueryDict) -> dict[str, Any]:
    """The values of the query; raises Problem (400) where one does not fit, or is not known."""
    values = {name: _number(str(given[name]), wanted.get(name, {})) for name in given}
    faults = list(_faults_of_query(wanted, values))
    if faults:
        words = f"{faults[0]['parameter']}: {faults[0]['detail']}"
        raise Problem(400, words, code="invalid", faults=faults)
    return values


def _faults_of_query(
    wanted: Mapping[str, Schema], values: Mapping[str, Any]
) -> Iterator[dict[str, str]]:
    for name, value in islice(values.items(), MOST_FAULTS):
        if name not in wanted:
            yield {"parameter": name[:LONGEST_WORDS], "detail": "There is no such parameter."}
            continue
        if "\0" in str(value):
            yield {"parameter": name, "detail": "It holds the character NUL."}
        for error in Draft202012Validator(wanted[name]).iter_errors(value):
            yield {"parameter": name, "detail": _words(error)}


def _number(value: str, schema: Schema) -> Any:
    is_number = value.isascii() and value.isdigit() and len(value) < 10
    return int(value) if schema.get("type") == "integer" and is_number else value


def _pointer(path: Any) -> str:
    """RFC 6901, as a URI fragment in plain text."""
    steps = (str(step).replace("~", "~0").replace("/", "~1")[:LONGEST_WORDS] for step in path)
    return "".join(("#", *(f"/{step}" for step in steps)))


def _words(error: Any) -> str:
    said = str(error.message)
    return said if len(said) <= LONGEST_WORDS else f"{said[:LONGEST_WORDS]}…"
