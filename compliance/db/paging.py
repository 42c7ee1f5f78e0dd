"""Pages of a list by key: a cursor holds the values of the last row of the page before.

So a late page costs no more than the first one, and new rows do not shift the pages.
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
    lookup = "gt" if oldest_first else "lt"
    if after:
        values = _values_of(after, rows.model, by)
        rows = rows.filter(_rows_after(by, values, lookup))
    order = by
    if not oldest_first:
        order = tuple(f"-{name}" for name in by)
    # One row more than the page shows whether there is a next page.
    fetched = list(rows.order_by(*order)[: limit + 1])
    if len(fetched) <= limit:
        return Page(fetched, "")
    last = fetched[limit - 1]
    values = [getattr(last, name) for name in by]
    return Page(fetched[:limit], cursor(*values))


def cursor(*values: object) -> str:
    """The values as a text that is safe in a URL."""
    texts = [str(value) for value in values]
    encoded = urlsafe_b64encode(orjson.dumps(texts))
    # The padding of base64 would have to be escaped in a URL, and can be put back.
    return encoded.decode().rstrip("=")


def read(text: str, size: int) -> list[str]:
    """The `size` values that a cursor holds. Raises CursorError where it is none."""
    padding = "=" * (-len(text) % 4)
    try:
        values = orjson.loads(urlsafe_b64decode(text + padding))
    except ValueError as exc:
        raise CursorError from exc
    if not isinstance(values, list) or len(values) != size:
        raise CursorError
    for value in values:
        # PostgreSQL takes no NUL in a text.
        if not isinstance(value, str) or "\0" in value:
            raise CursorError
    return values


def _values_of(text: str, model: type[Model], by: tuple[str, ...]) -> list[object]:
    """The values of a cursor, as the model's fields have them."""
    values = []
    for name, value in zip(by, read(text, len(by)), strict=True):
        try:
            field: Any = model._meta.get_field(name)
            values.append(field.to_python(value))
        except (ValidationError, FieldDoesNotExist) as exc:
            raise CursorError from exc
    return values


def _rows_after(by: tuple[str, ...], values: list[object], lookup: str) -> Q:
    """The rows after the one with these values: (a, b) < (x, y) is a < x or (a = x and b < y)."""
    condition = Q(**{f"{by[-1]}__{lookup}": values[-1]})
    pairs = list(zip(by[:-1], values[:-1], strict=True))
    for name, value in reversed(pairs):
        is_after = Q(**{f"{name}__{lookup}": value})
        is_equal = Q(**{name: value})
        condition = is_after | (is_equal & condition)
    return condition
