"""The desk's interface in OpenAPI 3.1, made from what the views say of themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api.schemas import Schema, ref
from reviews.api import operations, schemas
from reviews.api.base import DeskView
from reviews.api.operations import FORM, JSON, PROBLEM, Operation
from reviews.models import Scope

PREFIX = "/api/desk/v1"
WORDS = {
    400: "The query or the body cannot be read.",
    401: "The token is missing, unknown, revoked or expired.",
    403: "The token has not the scope, or the user's role does not allow it.",
    404: "There is no such thing, or it is another team's.",
    409: "It has changed meanwhile, is taken, or cannot be done now; `code` says which.",
    411: "The body has no Content-Length.",
    413: "The body is too large.",
    415: "The body is of another media type.",
    422: "The body does not fit, or the rules do not allow it; `errors` says why.",
    429: "Too many requests in this minute.",
    500: "A fault of the desk.",
    502: "The connected service did not do what was asked; `detail` has its words.",
    410: "The store of files has lost it.",
    503: "The database, or the store of files, cannot be used now.",
    507: "A disk of the server is full. Nothing was stored.",
}
_PARAMETERS: dict[str, Schema] = {
    "int": {"type": "integer", "minimum": 0},
    "uuid": {"type": "string", "format": "uuid"},
    "str": {"type": "string"},
}


class Description(DeskView):
    """Nothing in it is secret: whoever writes a client may read it without a token."""

    authentication_classes = ()
    throttle_classes = ()

    def get(self, request: Request) -> Response:
        return Response(document())


def _served() -> Iterator[URLPattern]:
    """All that stands below the prefix, whichever app it is of."""
    for below in get_resolver().url_patterns:
        if isinstance(below, URLResolver) and f"/{below.pattern}" == f"{PREFIX}/":
            yield from (one for one in below.url_patterns if isinstance(one, URLPattern))


def endpoints() -> Iterator[tuple[str, str, Operation]]:
    """Path as in the description, method, and what the view says of it."""
    for pattern in _served():
        view = getattr(pattern.callback, "view_class", None)
        path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{pattern.pattern}")
        for method in ("get", "post", "patch", "delete"):
            if said := operations.of(view, method):
                yield path, method, said


@lru_cache(maxsize=1)
def document() -> Schema:
    """The whole description."""
    paths: dict[str, Schema] = {}
    for path, method, said in endpoints():
        paths.setdefault(path, {})[method] = _operation(path, method, said)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Compliance desk",
            "version": "1.0.0",
            "description": "What people do on the pages of the desk, for other systems. A token "
            "acts as its user: roles, teams and the audit trail hold.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": f"{settings.DESK_URL}{PREFIX}"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": schemas.PARTS,
            "securitySchemes": {
                "token": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "An API token of the desk, with scopes: "
                    + "; ".join(f"{scope.value} ({scope.label})" for scope in Scope),
                }
            },
        },
    }


def _operation(path: str, method: str, said: Operation) -> Schema:
    made: Schema = {
        "operationId": method + re.sub(r"\W+(\w?)", lambda m: m[1].upper(), path),
        "summary": said.summary,
        # OpenAPI 3.1: the roles, here scopes, that a bearer needs.
        "security": [{"token": [said.scope.value] if said.scope else []}],
        "responses": {str(said.status): _success(said)}
        | {str(status): _problem(status) for status in said.statuses},
    }
    if parameters := [*_in_path(path), *_in_query(said)]:
        made["parameters"] = parameters
    if said.body:
        content: Schema = {JSON: {"schema": ref(said.body)}}
        if said.form:
            content[FORM] = {"schema": said.form, "encoding": {"case": {"contentType": JSON}}}
        made["requestBody"] = {"required": said.body != "Nothing", "content": content}
    return made


def _in_path(path: str) -> Iterator[Schema]:
    [pattern] = [
        p.pattern for p in _served()
        if re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", f"/{p.pattern}") == path
    ]  # fmt: skip
    for kind, name in re.findall(r"<(?:(\w+):)?(\w+)>", str(pattern)):
        schema = _PARAMETERS[kind or "str"]
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(said: Operation) -> Iterator[Schema]:
    for name, schema in said.query.items():
        yield {"name": name, "in": "query", "required": False, "schema": schema}


def _success(said: Operation) -> Schema:
    made: Schema = {"description": said.summary}
    if said.status == 204:
        return made
    schema: Schema = ref(said.answer) if said.answer else {"contentMediaType": said.media}
    return {**made, "content": {said.media: {"schema": schema}}}


def _problem(status: int) -> Schema:
    made: Schema = {
        "description": WORDS[status],
        "content": {PROBLEM: {"schema": ref("Problem")}},
    }
    if status in {429, 503, 507}:
        said: dict[str, Any] = {"schema": {"type": "integer"}, "description": "Seconds to wait."}
        made["headers"] = {"Retry-After": said}
    return made
