"""Lists over all cases: filters are in the address, and pages use keyset pagination.

So each page costs the same, however far back it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.http import urlencode

from compliance.db import paging

Row = TypeVar("Row", bound=Model)
PAGE = 50
# Ordered by case first, because that column has an index. An index on the times would slow down
# each insert.
BY_CASE = ("case_id", "created_at", "id")


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """One page of a list."""

    rows: Sequence[Row]
    older: str  # query of the next page; "" on the last page
    newest: str  # query of the first page; "" on the first page
    filters: Mapping[str, str]  # only filters with a value


def list_page(
    rows: QuerySet[Row],
    filters: Mapping[str, str],
    params: QueryDict,
    *,
    by: tuple[str, ...] = BY_CASE,
) -> ListPage[Row]:
    """The page of `rows` that the cursor in `params` points to. An invalid cursor gives the
    first page.

    The caller has applied `filters` to `rows` already. Here they are only added to the addresses.
    """
    after = params.get("after", "")
    try:
        page = paging.page(rows, after=after, limit=PAGE, by=by)
    except paging.CursorError:
        after = ""
        page = paging.page(rows, after=after, limit=PAGE, by=by)
    active = {}
    for name, value in filters.items():
        if value:
            active[name] = value
    older = newest = ""
    if page.next_cursor:
        older = urlencode({**active, "after": page.next_cursor})
    if after:
        # A link needs a query to leave the current page. `all=` means no filter.
        newest = urlencode(active) or "all="
    return ListPage(
        rows=page.rows,
        older=older,
        newest=newest,
        filters=active,
    )


def texts(params: QueryDict, *names: str) -> dict[str, str]:
    """The parameters with these names, cut and cleaned so that they are valid in a query."""
    values = {}
    for name in names:
        # PostgreSQL rejects NUL in a text.
        value = params.get(name, "").replace("\0", "")
        values[name] = value.strip()[:200]
    return values


def choice(value: str, allowed: Sequence[str]) -> str:
    """The value if it is allowed, else ""."""
    if value in allowed:
        return value
    return ""
