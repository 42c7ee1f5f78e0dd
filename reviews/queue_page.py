"""One page of the queue: the rows that a filter finds, in its order, from a key on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.timezone import now

from compliance import statements
from reviews.models import Case
from reviews.queue import HOURS, PAGE, SORTS, Filter, Who, seen

EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)
_MARK = datetime(1, 6, 1, tzinfo=UTC)  # stands for now in a statement that is written once
_SPANS = [timedelta(hours=hours) for hours in HOURS.values()]
_ORDER = {"due": "c.due_at, c.id", "new": "c.id DESC", "old": "c.id", "risk": "c.risk DESC, c.id DESC"}  # fmt: skip
# Around what the filters find, which Django writes: it took longer to write this part, too, than the
# database took to answer.
_ROWS = """
SELECT c.id, c.reference, c.subject, c.kind, c.country, c.status, c.recommendation, c.risk,
CAST(c.summary AS text), {created_at}, {due_at}, person.username, person.first_name,
person.last_name, (SELECT COUNT(*) FROM reviews_document d WHERE d.case_id = c.id)
FROM ({found}) found JOIN reviews_case c ON c.id = found.pk
LEFT JOIN auth_user person ON person.id = c.analyst_id ORDER BY {order}
"""


class Row(NamedTuple):
    """What the queue shows of a case, as one query gives it."""

    pk: int
    reference: str
    subject: str
    kind: str
    country: str
    status: str
    recommendation: str
    risk: int
    summary: str  # JSON
    created_at: int  # as all moments here, microseconds since 1970
    due_at: int
    username: str | None
    first_name: str | None
    last_name: str | None
    documents: int

    def key(self, order: str) -> str:
        """Where this row stands in that order, for Filter.after."""
        if order == "due":
            return f"{self.due_at}~{self.pk}"
        return f"{self.risk}~{self.pk}" if order == "risk" else str(self.pk)


def page(
    wanted: Filter, user: User, among: Sequence[int] | None = None
) -> tuple[list[Row], bool]:  # fmt: skip
    """Up to PAGE rows in the filter's order, and whether more follow."""
    asked = _asked if wanted.q else _asked_again
    sql, params = asked(wanted, user, None if among is None else tuple(among), connection.vendor)
    # Prepared where the plan is the same for all values: nearly as much time as answering it.
    is_plain = replace(wanted, sort="", after="") == Filter(view=wanted.view)
    rows = _rows(sql, params, prepared=is_plain) if sql else []
    return rows[:PAGE], len(rows) > PAGE


def _asked_again(
    wanted: Filter, user: User, among: tuple[int, ...] | None, vendor: str
) -> tuple[str, list[Any]]:
    """The same as _asked, without writing it again: that takes longer than answering it."""
    who = Who(user.pk, user.get_username())
    sql, params = _asked_once(wanted, who, among, vendor)
    moment, kept = now(), connection.ops.adapt_datetimefield_value
    moments: dict[Any, Any] = {kept(_MARK + after): kept(moment + after) for after in _SPANS}
    return sql, [
        moments.get(param, param) if isinstance(param, str | datetime) else param
        for param in params
    ]


@lru_cache(maxsize=512)
def _asked_once(
    wanted: Filter, who: Who, among: tuple[int, ...] | None, vendor: str
) -> tuple[str, list[Any]]:
    return _asked(wanted, who, among, vendor, _MARK)


def _asked(
    wanted: Filter,
    user: User | Who,
    among: tuple[int, ...] | None,
    vendor: str,
    moment: datetime | None = None,
) -> tuple[str, list[Any]]:
    """The statement of a page and its values; an empty one where nothing can be found."""
    cases = wanted.apply(seen(among), user, moment).order_by(*SORTS[wanted.order][1])
    query = _beyond(cases, wanted).values("pk")[: PAGE + 1].query
    try:
        found, params = query.sql_with_params()
    except EmptyResultSet:
        return "", []
    # As numbers: a loader in Python for each moment took longer than all the rest of a row.
    is_sqlite = vendor == "sqlite"
    of_row = (
        "CAST(c.{} AS text)" if is_sqlite else "CAST(EXTRACT(EPOCH FROM c.{}) * 1000000 AS bigint)"
    )
    columns = {name: of_row.format(name) for name in ("created_at", "due_at")}
    return _ROWS.format(found=found, order=_ORDER[wanted.order], **columns), list(params)


def _beyond(cases: QuerySet[Case], wanted: Filter) -> QuerySet[Case]:
    """Those behind the key. Two conditions, so that the first is a range of the index."""
    if not wanted.after:
        return cases
    first, _, pk = wanted.after.partition("~")
    value, last = int(first), int(pk or 0)
    if wanted.order == "new":
        return cases.filter(pk__lt=value)
    if wanted.order == "old":
        return cases.filter(pk__gt=value)
    if wanted.order == "risk":
        value = min(value, 2**31 - 1)
        return cases.filter(Q(risk__lt=value) | Q(pk__lt=last), risk__lte=value)
    try:
        moment = EPOCH + timedelta(microseconds=value)
    except OverflowError:
        return cases
    return cases.filter(Q(due_at__gt=moment) | Q(pk__gt=last), due_at__gte=moment)


def _rows(sql: str, params: Sequence[Any], *, prepared: bool) -> list[Row]:
    if prepared:
        found = statements.asked(sql, params)
    else:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            found = cursor.fetchall()
    if connection.vendor == "sqlite":
        return [Row(*row[:9], *map(_microseconds, row[9:11]), *row[11:]) for row in found]
    return [Row._make(row) for row in found]


def _microseconds(kept: str) -> int:
    """SQLite keeps a moment as text, in UTC."""
    return (datetime.fromisoformat(f"{kept}+00:00") - EPOCH) // MICROSECOND
