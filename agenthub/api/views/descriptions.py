"""The description of the interface: OpenAPI for programs, a page for people."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from agenthub.api.base import HubView
from agenthub.schemas import description
from agenthub.wire import JsonObject
from compliance.http.api.operations import JSON
from compliance.http.api.schemas import Schema, name_of


class OpenApi(HubView):
    """Nothing in it is secret: whoever writes a client may read it without a key."""

    authentication_classes = ()

    def get(self, request: Request) -> Response:
        return Response(description.document())


class Member(NamedTuple):
    name: str
    kind: str
    required: bool
    link: str


class Answer(NamedTuple):
    """One response of an operation. `part` is the name of its schema."""

    status: str
    words: str
    part: str
    example: str


class Operation(NamedTuple):
    """One operation as displayed on the page."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: list[Member]
    body: list[Member]
    request: str
    answers: list[Answer]


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    document = description.document()
    groups: dict[str, list[Operation]] = {}
    for tag in document["tags"]:
        groups[tag["name"]] = []
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            group = groups[operation["tags"][0]]
            group.append(_operation(document, path, method, operation))
    schemas = document["components"]["schemas"]
    parts = {}
    for name in sorted(schemas):
        parts[name] = _members(schemas[name], document)
    context = {
        "info": document["info"],
        "server": document["servers"][0]["url"],
        "groups": groups,
        "parts": parts,
    }
    return render(request, "agenthub/interface.html", context)


def _operation(
    document: Schema, path: str, method: str, operation: Schema
) -> Operation:
    request_body = operation.get("requestBody", {})
    content = request_body.get("content", {}).get(JSON, {})
    return Operation(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        words=operation.get("description", ""),
        parameters=_parameters(operation),
        body=_members(content.get("schema", {}), document),
        request=_json(content.get("example")),
        answers=list(_answers(operation)),
    )


def _parameters(operation: Schema) -> list[Member]:
    members = []
    for parameter in operation.get("parameters", []):
        kind = _kind(parameter["schema"])
        members.append(Member(parameter["name"], kind, parameter["required"], ""))
    return members


def _answers(operation: Schema) -> Iterator[Answer]:
    for status, answer in operation["responses"].items():
        for media, content in answer["content"].items():
            words = answer["description"]
            if media != JSON:
                words = f"{words} ({media})"
            example = ""
            # All errors have the same shape, so only successful responses get an example.
            if status == "200":
                example = _json(content.get("example"))
            part = name_of(content["schema"])
            yield Answer(status, words, part, example)


def _members(schema: JsonObject, document: Schema) -> list[Member]:
    name = name_of(schema)
    if name:
        schema = document["components"]["schemas"][name]
    if schema.get("type") == "array":
        items = schema["items"]
        return [Member("[…]", _kind(items), required=False, link=_link(items))]
    required = set(schema.get("required", ()))
    members = []
    for member, member_schema in schema.get("properties", {}).items():
        kind = _kind(member_schema)
        members.append(Member(member, kind, member in required, _link(member_schema)))
    return members


def _link(schema: JsonObject) -> str:
    for candidate in (schema, schema.get("items", {}), *schema.get("anyOf", ())):
        name = name_of(candidate)
        if name:
            return name
    return ""


def _kind(schema: JsonObject) -> str:
    """The type of a value as text, for example "string or null"."""
    name = name_of(schema)
    if name:
        return name
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(map(_kind, schema["anyOf"]))
    kinds = schema.get("type", "any")
    if isinstance(kinds, str):
        kinds = [kinds]
    words = " or ".join(kinds)
    if "array" in words:
        items = _kind(schema.get("items", {}))
        words = words.replace("array", f"array of {items}")
    if "format" in schema:
        words = f"{words} ({schema['format']})"
    return words


def _json(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    return orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
