"""Pages of a list by key: a cursor names the last row that was given, so no page costs more than
the first, and rows that come meanwhile shift nothing."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from typing import Any, TypeVar

import orjson
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, Q, QuerySet

from compliance.openapi import Schema
from reviews.api.errors import Problem

Row = TypeVar("Row", bound=Model)
LIMIT, MOST = 50, 200

CURSOR: Schema = {
    "type": "string",
    "maxLength": 300,
    "description": "`next_cursor` of the page before.",
}
QUERY: dict[str, Schema] = {
    "cursor": CURSOR,
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT},
}


def page(
    rows: QuerySet[Row],
    asked: dict[str, Any],
    to_wire: Callable[[Row], dict[str, Any]],
    *,
    by: tuple[str, ...] = ("id",),
    oldest_first: bool = False,
) -> dict[str, Any]:
    """A page of `rows`, newest first, as the answer to a list. `by` makes the order total."""
    if "cursor" in asked:
        values = _read(asked["cursor"], rows.model, by)
        rows = rows.filter(_beyond(by, values, "gt" if oldest_first else "lt"))
    limit = asked.get("limit", LIMIT)
    found = list(rows.order_by(*(name if oldest_first else f"-{name}" for name in by))[: limit + 1])
    more = found[limit - 1] if len(found) > limit else None
    return {
        "items": [to_wire(row) for row in found[:limit]],
        "next_cursor": cursor(*(getattr(more, name) for name in by)) if more else None,
    }


def cursor(*values: Any) -> str:
    return urlsafe_b64encode(orjson.dumps([str(value) for value in values])).decode().rstrip("=")


def read(text: str, size: int) -> list[str]:
    """The values that a cursor holds; raises Problem (400) where it is none."""
    try:
        values = orjson.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        values = None
    if (
        not isinstance(values, list)
        or len(values) != size
        or not all(isinstance(value, str) and "\0" not in value for value in values)
    ):
        raise no_cursor()
    return values


def _read(text: str, model: type[Model], by: tuple[str, ...]) -> list[Any]:
    values = read(text, len(by))
    try:
        return [
            model._meta.get_field(name).to_python(value)  # type: ignore[union-attr]
            for name, value in zip(by, values, strict=True)
        ]
    except (ValidationError, FieldDoesNotExist) as exc:
        raise no_cursor() from exc


def no_cursor() -> Problem:
    fault = {"parameter": "cursor", "detail": "Not a cursor of this list."}
    return Problem(400, "cursor: Not a cursor of this list.", code="invalid", faults=[fault])


def _beyond(by: tuple[str, ...], values: list[Any], how: str) -> Q:
    """Rows after the one with these values: (a, b) < (x, y) is a < x or a = x and b < y."""
    beyond = Q(**{f"{by[-1]}__{how}": values[-1]})
    for name, value in reversed(list(zip(by[:-1], values[:-1], strict=True))):
        beyond = Q(**{f"{name}__{how}": value}) | Q(**{name: value}) & beyond
    return beyond
