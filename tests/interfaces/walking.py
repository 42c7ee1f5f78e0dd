"""Sends what schemathesis makes of a description to the interface, and holds every answer against it.

It runs in this process, over WSGI, with the same requests each time: hypothesis is derandomised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode
from schemathesis.checks import CHECKS, load_all_checks

from compliance.http.api.schemas import Schema

load_all_checks()
application = WSGIHandler()
# Of each operation, for each mode of making requests.
EXAMPLES = 5
PLAN = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    database=None,
    deadline=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
NAMES = (
    "status_code_conformance",
    "content_type_conformance",
    "response_schema_conformance",
    "response_headers_conformance",
    "ignored_auth",
    "unsupported_method",
    "missing_required_header",
)
# Every operation documents them, and none may answer them here. 502 is the fault of a service.
FAULTS = frozenset({500, 503, 507})
# An operation of a description: its method and its path.
Pair = tuple[str, str]


def operations(document: Schema) -> Iterator[Pair]:
    for path, methods in document["paths"].items():
        for method in methods:
            yield method, path


def whole(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    """The application. What it streams is read to the end, and closed, as a server does."""
    parts = application(environ, start_response)
    try:
        return [b"".join(parts)]
    finally:
        parts.close()


@cache
def described(address: str) -> Any:
    """The description as it is served."""
    return schemathesis.openapi.from_wsgi(address, whole)


def checks() -> list[Any]:
    return CHECKS.get_by_names(list(NAMES))


def modes(operation: Any) -> list[GenerationMode]:
    """What takes nothing cannot be sent anything wrong."""
    takes = any(True for _ in operation.iter_parameters()) or operation.body
    if takes:
        return [GenerationMode.POSITIVE, GenerationMode.NEGATIVE]
    return [GenerationMode.POSITIVE]


def walk(
    schema: Any, pair: Pair, *, key: str, prepare: Callable[[Case[Any]], None]
) -> list[int]:
    """Send the requests of one operation, and give the statuses of the answers.

    `prepare` may put values into a request that exist.
    """
    method, path = pair
    operation = schema[path][method]
    statuses: list[int] = []
    headers = {"Authorization": f"Bearer {key}"}
    for mode in modes(operation):

        @PLAN
        @given(operation.as_strategy(mode), st.booleans())
        def send(case: Case[Any], is_prepared: bool) -> None:  # noqa: FBT001
            if is_prepared:
                prepare(case)
            answer = case.call(headers=headers)
            assert answer.status_code not in FAULTS, answer.text
            case.validate_response(answer, checks=checks(), headers=headers)
            statuses.append(answer.status_code)

        send()
    return statuses


def put(case: Case[Any], names: Mapping[str, Any]) -> None:
    """Values that exist, wherever the request has a member of that name."""
    for place in (case.path_parameters, case.query, case.body):
        if isinstance(place, dict):
            for name in place.keys() & names.keys():
                place[name] = names[name]
