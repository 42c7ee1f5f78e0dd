"""The description of the interface: for programs as OpenAPI, for people as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import orjson
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe
from rest_framework.request import Request
from rest_framework.response import Response

from agenthub.api.base import HubView
from agenthub.schemas import description
from compliance.http.api.schemas import Schema


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


class Shown(NamedTuple):
    """One operation as the page shows it."""

    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: list[Member]
    body: list[Member]
    request: str
    answers: list[tuple[str, str, str, str]]  # status, words, the part it has, example


@require_safe
def page(request: HttpRequest) -> HttpResponse:
    document = description.document()
    groups: dict[str, list[Shown]] = {tag["name"]: [] for tag in document["tags"]}
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            groups[operation["tags"][0]].append(_shown(document, path, method, operation))
    parts = {
        name: _members(part, document)
        for name, part in sorted(document["components"]["schemas"].items())
    }
    context = {
        "info": document["info"],
        "server": document["servers"][0]["url"],
        "groups": groups,
        "parts": parts,
    }
    return render(request, "agenthub/interface.html", context)


def _shown(document: Schema, path: str, method: str, operation: Schema) -> Shown:
    content = operation.get("requestBody", {}).get("content", {}).get(description.JSON, {})
    return Shown(
        id=operation["operationId"],
        method=method.upper(),
        path=path,
        summary=operation["summary"],
        words=operation.get("description", ""),
        parameters=[
            Member(one["name"], _kind(one["schema"]), one["required"], "")
            for one in operation.get("parameters", [])
        ],
        body=_members(content.get("schema", {}), document),
        request=_json(content.get("example")),
        answers=list(_answers(operation)),
    )


def _answers(operation: Schema) -> Iterator[tuple[str, str, str, str]]:
    for status, answer in operation["responses"].items():
        for media, content in answer["content"].items():
            part = description.named(content["schema"])
            example = content.get("example")
            shown = example if isinstance(example, str) else _json(example)
            words = answer["description"] if media == description.JSON else f"{answer['description']} ({media})"  # fmt: skip
            yield status, words, part, shown if status == "200" else ""


def _members(schema: Mapping[str, Any], document: Schema) -> list[Member]:
    if name := description.named(schema):
        schema = document["components"]["schemas"][name]
    if schema.get("type") == "array":
        return [Member("[…]", _kind(schema["items"]), required=False, link=_link(schema["items"]))]
    required = set(schema.get("required", ()))
    return [
        Member(name, _kind(one), name in required, _link(one))
        for name, one in schema.get("properties", {}).items()
    ]


def _link(schema: Mapping[str, Any]) -> str:
    inner = [schema, schema.get("items", {}), *schema.get("anyOf", ())]
    return next((name for one in inner if (name := description.named(one))), "")


def _kind(schema: Mapping[str, Any]) -> str:
    if name := description.named(schema):
        return name
    if "const" in schema:
        return f'"{schema["const"]}"'
    if "enum" in schema:
        return " | ".join(f'"{word}"' for word in schema["enum"])
    if "anyOf" in schema:
        return " or ".join(_kind(one) for one in schema["anyOf"])
    kinds = schema.get("type", "any")
    words = " or ".join(kinds) if isinstance(kinds, list) else str(kinds)
    if "array" in words:
        words = words.replace("array", f"array of {_kind(schema.get('items', {}))}")
    return f"{words} ({schema['format']})" if "format" in schema else words


def _json(value: Any) -> str:
    return "" if value is None else orjson.dumps(value, option=orjson.OPT_INDENT_2).decode()
