"""One page of the queue: the rows of a filter in its order, after a key (keyset pagination)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import NamedTuple

from django.contrib.auth.models import User
from django.core.exceptions import EmptyResultSet
from django.db.models import Count, Exists, Max, OuterRef, Q, QuerySet, Subquery
from django.db.models.expressions import Combinable
from django.db.models.fields.tuple_lookups import Tuple, TupleGreaterThan

from compliance.security.personal_fields import opened
from reviews.models import (
    Case,
    Decision,
    Document,
    Pause,
    RiskBand,
    SecondLook,
    Severity,
)
from reviews.queue.filters import PAGE, SORTS, Filter, is_review, of_connections

EPOCH = datetime.fromtimestamp(0, UTC)
MICROSECOND = timedelta(microseconds=1)
# Orders that sort by a number and then by the due time, with the column of the number.
BY_NUMBER = {"worst": "severity", "band": "risk_band"}
MAX_NUMBER = max(*Severity.values, *RiskBand.values)


class Row(NamedTuple):
    """The columns of the queue for one case."""

    pk: int
    reference: str
    subject: str
    kind: str
    country: str
    status: str
    recommendation: str
    risk: int
    severity: int
    summary: object  # JSON, as stored
    first_finding: str
    recommendation_reasons: object  # JSON, as stored
    created_at: datetime
    due_at: datetime
    username: str | None
    first_name: str | None
    last_name: str | None
    documents: int | None
    outcome: str | None  # outcome of the decision in force
    alarm: str
    is_paused: bool  # its checks wait because the service rejects the API key
    risk_band: int
    is_review: bool  # opened as a periodic review

    def key(self, order: str) -> str:
        """The key of this row in that order, for `Filter.after`."""
        due = (self.due_at - EPOCH) // MICROSECOND
        if order == "due":
            return f"{due}~{self.pk}"
        if order in BY_NUMBER:
            number = getattr(self, BY_NUMBER[order])
            return f"{number}~{due}~{self.pk}"
        return str(self.pk)


def page(
    queue_filter: Filter, user: User, connections: Sequence[int] | None = None
) -> tuple[list[Row], bool]:
    """Up to PAGE rows in the order of the filter, and whether more rows follow."""
    cases = queue_filter.apply(of_connections(connections), user)
    cases = _behind_key(cases, queue_filter)
    _, columns = SORTS[queue_filter.order]
    in_order = _with_columns(cases).order_by(*columns)
    # One row more than fits shows that more follow.
    values = in_order[: PAGE + 1]
    try:
        rows = []
        for row in values:
            rows.append(Row._make(map(opened, row)))
    except EmptyResultSet:
        rows = []
    has_more = len(rows) > PAGE
    return rows[:PAGE], has_more


def _with_columns(cases: QuerySet[Case]) -> QuerySet[Case, tuple[object, ...]]:
    """The columns of Row, in the same order."""
    documents, outcome, is_paused, is_new_review = _of_other_tables()
    return cases.values_list(
        "pk",
        "reference",
        "subject",
        "kind",
        "country",
        "status",
        "recommendation",
        "risk",
        "severity",
        "summary",
        "first_finding",
        "recommendation_reasons",
        "created_at",
        "due_at",
        "analyst__username",
        "analyst__first_name",
        "analyst__last_name",
        documents,
        outcome,
        "alarm",
        is_paused,
        "risk_band",
        is_new_review,
    )


@cache
def _of_other_tables() -> tuple[Combinable, ...]:
    """The columns that count or look in other tables. They depend on nothing, and are made once."""
    # Subqueries count per case. With joins, the rows of several relations would multiply.
    documents = Document.objects.filter(case=OuterRef("pk"))
    of_case = documents.order_by().values("case")
    document_count = of_case.annotate(count=Count("pk")).values("count")
    decisions = Decision.objects.filter(
        case=OuterRef("pk"), status=Decision.Status.STANDING
    )
    # Whoever gives a second look must not know the outcome.
    decisions = decisions.exclude(second_look__status__in=SecondLook.WAITING)
    outcomes = decisions.order_by().values("case")
    outcome = outcomes.annotate(outcome=Max("outcome")).values("outcome")
    pauses = Pause.objects.filter(
        connection=OuterRef("connection"), status=Pause.Status.PAUSED
    )
    return (
        Subquery(document_count),
        Subquery(outcome),
        Q(status=Case.Status.CHECKING) & Exists(pauses),
        is_review(),
    )


def _behind_key(cases: QuerySet[Case], queue_filter: Filter) -> QuerySet[Case]:
    """The cases after the key, as a range scan on the index of the order."""
    if not queue_filter.after:
        return cases
    key = []
    for part in queue_filter.after.split("~"):
        key.append(int(part))
    order = queue_filter.order
    if order == "new":
        return cases.filter(pk__lt=key[0])
    if order == "old":
        return cases.filter(pk__gt=key[0])
    if order in BY_NUMBER and len(key) == 3:
        number, due, pk = key
        columns = {
            # PostgreSQL raises for a number that is out of the range of the column.
            BY_NUMBER[order]: min(number, MAX_NUMBER),
            "due_at": _moment(due),
            "pk": pk,
        }
        return _behind(cases, columns)
    if order == "due" and len(key) == 2:
        due, pk = key
        return _behind(cases, {"due_at": _moment(due), "pk": pk})
    return cases


def _behind(cases: QuerySet[Case], key: dict[str, object]) -> QuerySet[Case]:
    """The cases whose columns are greater than these values, compared as a row (tuple)."""
    columns = Tuple(*key)
    values = tuple(key.values())
    return cases.filter(TupleGreaterThan(columns, values))


def _moment(microseconds: int) -> datetime:
    try:
        return EPOCH + timedelta(microseconds=microseconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC)
