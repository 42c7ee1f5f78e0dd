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
from django.db.models import QuerySet
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan
from django.utils.timezone import now

from compliance.db import fast_sql
from reviews.models import Case, Severity
from reviews.queue.filters import HOURS, PAGE, SORTS, Filter, Who, seen

EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)
MOST_SEVERITY = max(Severity.values)
_MARK = datetime(1, 6, 1, tzinfo=UTC)  # stands for now in a statement that is written once
_SPANS = [timedelta(hours=hours) for hours in HOURS.values()]
_ORDER = {"due": "c.due_at, c.id", "new": "c.id DESC", "old": "c.id", "worst": "c.severity, c.due_at, c.id"}  # fmt: skip
# Around what the filters find, which Django writes: it took longer to write this part, too, than the
# database took to answer.
_ROWS = """
SELECT c.id, c.reference, c.subject, c.kind, c.country, c.status, c.recommendation, c.risk, c.severity,
CAST(c.summary AS text), {created_at}, {due_at}, person.username, person.first_name,
person.last_name, (SELECT COUNT(*) FROM reviews_document d WHERE d.case_id = c.id),
(SELECT MAX(outcome) FROM reviews_decision d WHERE d.case_id = c.id AND d.status = 'standing'),
c.alarm, c.status = 'checking' AND EXISTS (SELECT 1 FROM reviews_pause p
WHERE p.connection_id = c.connection_id AND p.status = 'paused')
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
    severity: int
    summary: str  # JSON
    created_at: int  # as all moments here, microseconds since 1970
    due_at: int
    username: str | None
    first_name: str | None
    last_name: str | None
    documents: int
    outcome: str | None  # of the decision that stands
    alarm: str
    is_paused: bool  # its checks wait because the service refuses the key; SQLite says 0 or 1

    def key(self, order: str) -> str:
        """Where this row stands in that order, for Filter.after."""
        if order == "due":
            return f"{self.due_at}~{self.pk}"
        if order == "worst":
            return f"{self.severity}~{self.due_at}~{self.pk}"
        return str(self.pk)


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
    """Those behind the key, as a range of the order's index."""
    if not wanted.after:
        return cases
    key = [int(part) for part in wanted.after.split("~")]
    if wanted.order == "new":
        return cases.filter(pk__lt=key[0])
    if wanted.order == "old":
        return cases.filter(pk__gt=key[0])
    if wanted.order == "worst" and len(key) == 3:
        severity, due, pk = key
        return _after(
            cases, {"severity": min(severity, MOST_SEVERITY), "due_at": _moment(due), "pk": pk}
        )
    if wanted.order == "due" and len(key) == 2:
        due, pk = key
        return _after(cases, {"due_at": _moment(due), "pk": pk})
    return cases


def _after(cases: QuerySet[Case], key: dict[str, Any]) -> QuerySet[Case]:
    """Those whose columns are beyond these values, compared as one row."""
    here = Tuple(*key)
    return cases.filter(TupleGreaterThan(here, tuple(key.values())))


def _moment(microseconds: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)


def _rows(sql: str, params: Sequence[Any], *, prepared: bool) -> list[Row]:
    if prepared:
        found = fast_sql.fetch_rows(sql, params)
    else:
        with connection.cursor() as cursor:
            cursor.execute(sql, params)
            found = cursor.fetchall()
    if connection.vendor == "sqlite":
        return [Row(*row[:10], *map(_microseconds, row[10:12]), *row[12:]) for row in found]
    return [Row._make(row) for row in found]


def _microseconds(kept: str) -> int:
    """SQLite keeps a moment as text, in UTC."""
    return (datetime.fromisoformat(f"{kept}+00:00") - EPOCH) // MICROSECOND
