"""Pages of a list by key: a cursor names the last row of the page before.

So no page costs more than the first, and rows that come meanwhile shift nothing.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from typing import Any, Generic, NamedTuple, TypeVar

import orjson
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)


class CursorError(ValueError):
    """The text is no cursor of this list."""


class Page(NamedTuple, Generic[Row]):
    """The rows of a page, and the cursor of the next one ("" on the last page)."""

    rows: list[Row]
    next_cursor: str


def page(
    rows: QuerySet[Row],
    *,
    after: str,
    limit: int,
    by: tuple[str, ...] = ("id",),
    oldest_first: bool = False,
) -> Page[Row]:
    """A page of `rows`, newest first, after the cursor `after`. `by` makes the order total.

    Raises CursorError.
    """
    if after:
        values = _read(after, rows.model, by)
        rows = rows.filter(_beyond(by, values, "gt" if oldest_first else "lt"))
    order = by if oldest_first else tuple(f"-{name}" for name in by)
    # One more than the page holds says whether there is another page.
    fetched = list(rows.order_by(*order)[: limit + 1])
    if len(fetched) <= limit:
        return Page(fetched, "")
    last = fetched[limit - 1]
    return Page(fetched[:limit], cursor(*(getattr(last, name) for name in by)))


def cursor(*values: Any) -> str:
    return urlsafe_b64encode(orjson.dumps([str(value) for value in values])).decode().rstrip("=")


def read(text: str, size: int) -> list[str]:
    """The values that a cursor holds; raises CursorError where it is none."""
    try:
        values = orjson.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except ValueError:
        values = None
    if (
        not isinstance(values, list)
        or len(values) != size
        or not all(isinstance(value, str) and "\0" not in value for value in values)
    ):
        raise CursorError
    return values


def _read(text: str, model: type[Model], by: tuple[str, ...]) -> list[Any]:
    values = read(text, len(by))
    try:
        return [
            model._meta.get_field(name).to_python(value)  # type: ignore[union-attr]
            for name, value in zip(by, values, strict=True)
        ]
    except (ValidationError, FieldDoesNotExist) as exc:
        raise CursorError from exc


def _beyond(by: tuple[str, ...], values: list[Any], how: str) -> Q:
    """Rows after the one with these values: (a, b) < (x, y) is a < x or a = x and b < y."""
    beyond = Q(**{f"{by[-1]}__{how}": values[-1]})
    for name, value in reversed(list(zip(by[:-1], values[:-1], strict=True))):
        beyond = Q(**{f"{name}__{how}": value}) | Q(**{name: value}) & beyond
    return beyond
