"""Pagination of lists in the REST interface: `cursor` and `limit` in the query, one page in the
response.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.db.models import Model, QuerySet

from compliance.db import paging
from compliance.http.api.errors import Problem
from reviews.api.parts.common import LIMIT, PAGE_QUERY
from reviews.wire import JsonObject

Row = TypeVar("Row", bound=Model)
QUERY = PAGE_QUERY


def page(
    rows: QuerySet[Row],
    params: JsonObject,
    to_wire: Callable[[Row], JsonObject],
    *,
    by: tuple[str, ...] = ("id",),
    oldest_first: bool = False,
) -> JsonObject:
    """One page of `rows` as the response to a list, newest first by default.

    `by` must give a total order. Raises Problem (400) if `cursor` does not belong to this list.
    """
    try:
        part = paging.page(
            rows,
            after=params.get("cursor", ""),
            limit=params.get("limit", LIMIT),
            by=by,
            oldest_first=oldest_first,
        )
    except paging.CursorError as exc:
        raise no_cursor() from exc
    return {
        "items": [to_wire(row) for row in part.rows],
        "next_cursor": part.next_cursor or None,
    }


def number_in(params: JsonObject) -> int | None:
    """The number in the cursor of a list that is sorted by one number; None for the first page.

    Raises Problem (400) if `cursor` does not belong to such a list.
    """
    text = params.get("cursor", "")
    if not text:
        return None
    try:
        (value,) = paging.read(text, 1)
        return int(value)
    except ValueError as exc:  # CursorError is one
        raise no_cursor() from exc


def cursor_behind(row: Model) -> str:
    """The cursor of the page that follows this row, in the order of `number_in`."""
    return paging.cursor(row.pk)


def no_cursor() -> Problem:
    fault = {"parameter": "cursor", "detail": "Not a cursor of this list."}
    return Problem(
        400,
        "cursor: Not a cursor of this list.",
        code="invalid",
        faults=[fault],
    )
