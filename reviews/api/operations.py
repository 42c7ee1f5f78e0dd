"""What each method of each endpoint takes and gives, said once: views are judged by it, and the
description is made from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from compliance.http.api.schemas import Schema
from reviews.models import Scope

JSON, PROBLEM, FORM = "application/json", "application/problem+json", "multipart/form-data"
BINARY, ZIP, CSV = "application/octet-stream", "application/zip", "text/csv"
PDF = "application/pdf"

Method = TypeVar("Method", bound=Callable[..., Any])


@dataclass(frozen=True)
class Operation:
    summary: str
    scope: Scope | None = None  # None: any valid token
    status: int = 200
    answer: str = ""  # a part of schemas.py; "": no body, or not JSON
    media: str = JSON
    body: str = ""  # a part of schemas.py that the body is judged by
    form: Schema | None = None  # the body as a form, where files may come
    query: Mapping[str, Schema] = field(default_factory=dict)
    errors: tuple[int, ...] = ()
    words: str = ""

    @property
    def statuses(self) -> tuple[int, ...]:
        """Every status but success."""
        found = {401, 403, 429, 500, 503, 507, *self.errors}
        if self.query:
            found.add(400)
        if self.body:
            found |= {400, 411, 413, 415, 422}
        return tuple(sorted(found))


def operation(summary: str, scope: Scope | None = None, **given: Any) -> Callable[[Method], Method]:
    """Say of a view's method what it takes and gives."""
    said = Operation(summary, scope, **given)

    def mark(method: Method) -> Method:
        method.operation = said  # type: ignore[attr-defined]
        return method

    return mark


def of(view: Any, method: str) -> Operation | None:
    """What was said of this method of a view, or of its class."""
    name = "get" if method.lower() == "head" else method.lower()
    return getattr(getattr(view, name, None), "operation", None)
