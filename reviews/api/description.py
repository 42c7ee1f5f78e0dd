"""The OpenAPI 3.1 description of the desk's interface, generated from the declarations of its
views.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from django.conf import settings
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.request import Request
from rest_framework.response import Response

from compliance.http.api import openapi, operations
from compliance.http.api.openapi import BODY_ERRORS, COMMON_ERRORS, Endpoint, Interface
from compliance.http.api.operations import PROBLEM, Examples, Operation
from compliance.http.api.schemas import Schema
from reviews.api import schemas
from reviews.api.base import DeskView
from reviews.api.parts import examples
from reviews.models import Scope, SubscriptionEvent

PREFIX = "/api/desk/v1"
SCOPES = "; ".join(f"{scope.value} ({scope.label})" for scope in Scope)
TAGS = {
    "cases": "Cases and jobs",
    "queue": "Queue and inbox",
    "documents": "Documents",
    "notes": "Notes and tags",
    "procedures": "Procedures",
    "policies": "Decision policy",
    "decisions": "Decisions",
    "parties": "Parties and look-ups",
    "invitations": "Invitations",
    "batches": "Batches",
    "audit": "Audit and reports",
    "privacy": "Privacy",
    "subscriptions": "Subscriptions",
    "sent_webhooks": "Webhooks sent",
    "webhooks": "Webhooks received",
}
_WITH_DECISION = {SubscriptionEvent.DECIDED, SubscriptionEvent.REOPENED}
INTERFACE = Interface(
    title="Compliance desk",
    description="What people do on the pages of the desk, for other systems. A token acts as its "
    "user: roles, teams and the audit trail hold.",
    security="token",
    security_description=f"An API token of the desk, with scopes: {SCOPES}",
    error_schema="Problem",
    error_media=PROBLEM,
    tags=tuple(TAGS.values()),
    webhooks={
        event.value: (
            str(event.label),
            "DecisionEvent" if event in _WITH_DECISION else "SubscriptionEvent",
        )
        for event in SubscriptionEvent
    },
    common_errors=COMMON_ERRORS | {403},
    body_errors=BODY_ERRORS | {422},
    error_examples={"Problem": examples.PROBLEMS},
    webhook_examples=examples.SUBSCRIPTION_EVENTS,
    error_meanings={
        400: "The query or the body cannot be read.",
        401: "The token is missing, unknown, revoked or expired.",
        403: "The token has not the scope, or the user's role does not allow it.",
        404: "There is no such thing, or it is another team's.",
        409: "It has changed meanwhile, is taken, or cannot be done now; `code` says which.",
        410: "The store of files has lost it.",
        411: "The body has no Content-Length.",
        413: "The body is too large.",
        415: "The body is of another media type.",
        422: "The body does not fit, or the rules do not allow it; `errors` says why.",
        429: "Too many requests in this minute.",
        500: "A fault of the desk.",
        502: "The connected service did not do what was asked; `detail` has its words.",
        503: "The database, or the store of files, cannot be used now.",
        507: "A disk of the server is full. Nothing was stored.",
    },
)
_PARAMETERS: dict[str, Schema] = {
    "int": {"type": "integer", "minimum": 0},
    "uuid": {"type": "string", "format": "uuid"},
    "str": {"type": "string"},
}
_METHODS = ("get", "post", "patch", "delete")
# A parameter in a route of Django: <int:pk> or <name>.
_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")


class Description(DeskView):
    """The description. It needs no token, because it contains nothing confidential."""

    authentication_classes = ()
    throttle_classes = ()

    def get(self, request: Request) -> Response:
        return Response(document())


@lru_cache(maxsize=1)
def document() -> Schema:
    """The whole OpenAPI document, built once per process."""
    server = f"{settings.DESK_URL}{PREFIX}"
    return openapi.document(INTERFACE, endpoints(), schemas.PARTS, server=server)


def endpoints() -> Iterator[Endpoint]:
    """All endpoints below the prefix, in the order of their routes."""
    for pattern in _patterns():
        view = getattr(pattern.callback, "view_class", None)
        tag = _tag(view)
        route = f"/{pattern.pattern}"
        path = _PARAMETER.sub(r"{\2}", route)
        parameters: dict[str, Schema] = {}
        for kind, name in _PARAMETER.findall(route):
            # As in Django's routes, a parameter without a converter is a string.
            parameters[name] = _PARAMETERS[kind or "str"]
        for method in _METHODS:
            operation = operations.of(view, method)
            if operation is not None:
                described = _described(operation, tag)
                yield Endpoint(path, method, described, parameters)


def _described(operation: Operation, tag: str) -> Operation:
    """The operation with its tag and its examples, which the views do not have to name."""
    of_schemas = Examples(
        answer=examples.ANSWERS.get(operation.answer),
        body=examples.BODIES.get(operation.body),
        query=operation.examples.query,
    )
    return replace(operation, tag=tag, examples=of_schemas)


def _tag(view: type | None) -> str:
    """The tag of a view, derived from the name of its module."""
    if view is None:
        return ""
    module = view.__module__
    name = module.rpartition(".")[2]
    # A view of another package has the tag of that package.
    return TAGS.get(name) or TAGS.get(module.partition(".")[0], "")


def _patterns() -> Iterator[URLPattern]:
    """All routes below the prefix, from all apps."""
    for resolver in get_resolver().url_patterns:
        if not isinstance(resolver, URLResolver):
            continue
        if f"/{resolver.pattern}" != f"{PREFIX}/":
            continue
        for pattern in resolver.url_patterns:
            if isinstance(pattern, URLPattern):
                yield pattern
