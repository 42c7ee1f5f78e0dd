"""Lists over all cases: filters in the address, pages by key, so that none costs more than the first."""

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
# By case first, which has an index: one for their times would be paid for by each row that is written.
BY_CASE = ("case_id", "created_at", "id")


@dataclass(frozen=True)
class ListPage(Generic[Row]):
    """One page of a list."""

    rows: Sequence[Row]
    older: str  # the query of the next page; "": this is the last
    newest: str  # of the first page; "": this is the first
    filters: Mapping[str, str]  # those that have a value


def list_page(
    rows: QuerySet[Row],
    filters: Mapping[str, str],
    params: QueryDict,
    *,
    by: tuple[str, ...] = BY_CASE,
) -> ListPage[Row]:
    """The page of `rows` that `params` points at; a bad key is no key.

    `filters` have narrowed `rows` already: here they only go into the addresses.
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
        # An address needs a query to leave the page: `all=` stands for no filter.
        newest = urlencode(active) or "all="
    return ListPage(
        rows=page.rows,
        older=older,
        newest=newest,
        filters=active,
    )


def texts(params: QueryDict, *names: str) -> dict[str, str]:
    """The parameters with these names, without what no row can hold."""
    values = {}
    for name in names:
        # PostgreSQL takes no NUL in a text.
        value = params.get(name, "").replace("\0", "")
        values[name] = value.strip()[:200]
    return values


def choice(value: str, allowed: Sequence[str]) -> str:
    """The value where it is allowed, else ""."""
    if value in allowed:
        return value
    return ""
