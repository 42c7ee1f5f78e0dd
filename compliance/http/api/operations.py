"""What one method of one endpoint takes and answers: the description is made of it, and the desk
validates requests by it."""

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
    answer: object = None
    body: object = None
    query: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Operation:
    summary: str
    scope: str | None = None  # that the bearer needs; None: any valid key or token
    description: str = ""
    name: str = ""  # the operationId; empty: made of the method and the path
    tag: str = ""
    # The answer.
    status: int = 200
    answer: str = ""  # the name of its schema; empty: no body, or not JSON
    media: str = JSON
    # Other answers that are no errors: the name of their schema, by status.
    more_answers: Mapping[int, str] = field(default_factory=dict)
    answer_headers: Mapping[str, Schema] = field(default_factory=dict)
    # The request.
    body: str = ""  # the name of its schema; empty: none
    form: Schema | None = (
        None  # the body as a form, where files may come: OpenAPI's media type
    )
    query: Mapping[str, Schema] = field(default_factory=dict)
    required: Collection[str] = ()  # members of the query
    headers: Sequence[Schema] = ()  # OpenAPI's parameters
    # Errors beside those that each endpoint, or each with a body, may answer.
    errors: tuple[int, ...] = ()
    error_schemas: Mapping[int, str] = field(
        default_factory=dict
    )  # errors of another shape
    examples: Examples = field(default_factory=Examples)


def operation(
    summary: str, scope: str | None = None, **members: Any
) -> Callable[[Method], Method]:
    """Declare the operation of a view's method."""
    declared = Operation(summary, scope, **members)

    def mark(method: Method) -> Method:
        method.operation = declared  # type: ignore[attr-defined]
        return method

    return mark


def of(view: object, method: str) -> Operation | None:
    """What is declared of this method of a view, or of its class."""
    name = method.lower()
    if name == "head":
        name = "get"
    return getattr(getattr(view, name, None), "operation", None)
