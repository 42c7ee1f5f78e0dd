"""Keyset pagination: a cursor holds the key values of the last row of the previous page.

So a late page costs no more than the first one, and new rows do not shift the pages.
"""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime
from typing import Any, Generic, NamedTuple, TypeVar

import orjson
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db.models import Model, Q, QuerySet

Row = TypeVar("Row", bound=Model)
# Whole numbers of more bits fit into no column.
MOST_BITS = 63


class CursorError(ValueError):
    """The text is not a valid cursor of this list."""


class Page(NamedTuple, Generic[Row]):
    """The rows of a page, and the cursor of the next page; it is empty on the last page."""

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
    """The page of `rows` after the cursor `after` (empty: the first page), newest first.

    `by` names the sort fields, which must identify a row together. Raises CursorError.
    """
    lookup = "gt" if oldest_first else "lt"
    # The rows after the cursor in the order of the list.
    if after:
        values = _values_of(after, rows.model, by)
        rows = rows.filter(_rows_after(by, values, lookup))
    order = by
    if not oldest_first:
        order = tuple(f"-{name}" for name in by)
    # Fetch one extra row: it shows whether there is a next page.
    fetched = list(rows.order_by(*order)[: limit + 1])
    if len(fetched) <= limit:
        return Page(fetched, "")
    last = fetched[limit - 1]
    values = [getattr(last, name) for name in by]
    return Page(fetched[:limit], cursor(*values))


def cursor(*values: object) -> str:
    """Encode the values as a text that is safe in a URL."""
    texts = [str(value) for value in values]
    encoded = urlsafe_b64encode(orjson.dumps(texts))
    # Without the padding of base64, which would need escaping in a URL. `read` restores it.
    return encoded.decode().rstrip("=")


def read(text: str, size: int) -> list[str]:
    """Decode the `size` values of a cursor. Raises CursorError."""
    padding = "=" * (-len(text) % 4)
    try:
        values = orjson.loads(urlsafe_b64decode(text + padding))
    except ValueError as exc:
        raise CursorError from exc
    if not isinstance(values, list) or len(values) != size:
        raise CursorError
    for value in values:
        # PostgreSQL text cannot hold NUL.
        if not isinstance(value, str) or "\0" in value:
            raise CursorError
    return values


def _values_of(text: str, model: type[Model], by: tuple[str, ...]) -> list[object]:
    """The values of a cursor, converted by the model's fields. Raises CursorError."""
    values = []
    for name, value in zip(by, read(text, len(by)), strict=True):
        try:
            field: Any = model._meta.get_field(name)
            column_value = field.to_python(value)
        except (ValidationError, FieldDoesNotExist) as exc:
            raise CursorError from exc
        _require_in_range(column_value)
        values.append(column_value)
    return values


def _require_in_range(value: object) -> None:
    """Raise CursorError for a value that a query cannot hold, such as a time before the year 1."""
    if isinstance(value, int) and value.bit_length() > MOST_BITS:
        raise CursorError
    if isinstance(value, datetime):
        # Our cursors have times with a zone.
        if value.tzinfo is None:
            raise CursorError
        try:
            # Databases get the time in UTC.
            value.astimezone(UTC)
        except OverflowError as exc:
            raise CursorError from exc


def _rows_after(by: tuple[str, ...], values: list[object], lookup: str) -> Q:
    """The rows after the row with these values: (a, b) < (x, y) is a < x or (a = x and b < y)."""
    # Build the condition from the last field outwards.
    condition = Q(**{f"{by[-1]}__{lookup}": values[-1]})
    pairs = list(zip(by[:-1], values[:-1], strict=True))
    for name, value in reversed(pairs):
        is_after = Q(**{f"{name}__{lookup}": value})
        is_equal = Q(**{name: value})
        condition = is_after | (is_equal & condition)
    return condition
