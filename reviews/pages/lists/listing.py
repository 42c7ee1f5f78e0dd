"""Lists over all cases: filters in the address, pages by key, so that none costs more than the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from uuid import UUID

from django.db.models import Model, QuerySet
from django.http import QueryDict
from django.utils.http import urlencode

from compliance.db import paging

Row = TypeVar("Row", bound=Model)
PAGE = 50
# By case first, which has an index: one for their times would be paid for by each row that is written.
BY_CASE = ("case_id", "created_at", "id")


@dataclass(frozen=True)
class Listed(Generic[Row]):
    """One page of a list."""

    rows: Sequence[Row]
    older: str  # the query of the next page; "": this is the last
    newest: str  # of the first page; "": this is the first
    asked: Mapping[str, str]


def listed(
    rows: QuerySet[Row],
    asked: Mapping[str, str],
    params: QueryDict,
    *,
    by: tuple[str, ...] = BY_CASE,
) -> Listed[Row]:
    """The page that `params` asks for of `rows`, which `asked` has narrowed; a bad key is no key."""
    filters = {name: value for name, value in asked.items() if value}
    after = params.get("after", "")
    try:
        page = paging.page(rows, after=after, limit=PAGE, by=by)
    except paging.CursorError:
        after = ""
        page = paging.page(rows, after=after, limit=PAGE, by=by)
    cursor = page.next_cursor
    return Listed(
        rows=page.rows,
        older=urlencode({**filters, "after": cursor}) if cursor else "",
        newest=urlencode(filters) or "all=" if after else "",
        asked=filters,
    )


def words(params: QueryDict, *names: str) -> dict[str, str]:
    """What was asked for, without what no row can hold."""
    return {
        name: params.get(name, "").replace("\0", "").strip()[:200] for name in names
    }


def one_of(value: str, allowed: Sequence[str]) -> str:
    return value if value in allowed else ""


def uuid_of(value: str) -> UUID | None:
    try:
        return UUID(value)
    except ValueError:
        return None
