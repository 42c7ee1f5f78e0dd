"""Declarations of the operations of an interface: what each method takes and answers.

The OpenAPI document is built from them, and the desk validates requests against them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compliance.http.api.schemas import Schema

JSON, PROBLEM, FORM = (
    "application/json",
    "application/problem+json",
    "multipart/form-data",
)
BINARY, ZIP, CSV = "application/octet-stream", "application/zip", "text/csv"
PDF, XML = "application/pdf", "application/xml"

Method = TypeVar("Method", bound=Callable[..., object])


@dataclass(frozen=True)
class Examples:
    # Example bodies as Python values, and example values of query parameters by name.
    answer: object = None
    body: object = None
    query: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    summary: str
    scope: str | None = None  # that the bearer key needs; None: any valid key or token
    description: str = ""
    name: str = ""  # the operationId; empty: made of the method and the path
    tag: str = ""
    # The successful response.
    status: int = 200
    answer: str = ""  # name of the schema; empty: no body, or a body that is not JSON
    media: str = JSON
    # Other successful responses: status → name of the schema.
    more_answers: Mapping[int, str] = field(default_factory=dict)
    answer_headers: Mapping[str, Schema] = field(default_factory=dict)
    # The request.
    body: str = ""  # name of the schema; empty: no body
    # The body as a form, which may hold files: a media type object of OpenAPI.
    form: Schema | None = None
    query: Mapping[str, Schema] = field(default_factory=dict)
    required: Collection[str] = ()  # names of the mandatory query parameters
    headers: Sequence[Schema] = ()  # OpenAPI parameter objects
    # Errors in addition to those that the interface declares for all endpoints or all bodies.
    errors: tuple[int, ...] = ()
    # Errors of another shape.
    error_schemas: Mapping[int, str] = field(default_factory=dict)
    examples: Examples = field(default_factory=Examples)


def operation(
    summary: str, scope: str | None = None, **members: Any
) -> Callable[[Method], Method]:
    """A decorator that declares the operation of a view's method."""
    declared = Operation(summary, scope, **members)

    def mark(method: Method) -> Method:
        method.operation = declared  # type: ignore[attr-defined]
        return method

    return mark


def of(view: object, method: str) -> Operation | None:
    """The operation declared on this method of a view or of its class; None: not declared."""
    name = method.lower()
    # Django answers HEAD with the GET method.
    if name == "head":
        name = "get"
    return getattr(getattr(view, name, None), "operation", None)
