"""The queue: which cases a view holds, how many, and one page of them.

Made to cost the same with a thousand cases as with a million: pages are found by key, counters
and the search stop at a cap.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db import connection, models
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from reviews.models import Case, Connection, Document, Kind

PAGE = 50
COUNT_CAP = 1000
# A search by text looks at this many of the newest cases; a whole reference is found at any age.
SEARCH_DEPTH = 50_000

# The views of the queue: what each is called, and the status it holds ("": any).
VIEWS: dict[str, tuple[str, str]] = {
    "review": ("To review", Case.Status.TO_REVIEW),
    "attention": ("Needs attention", Case.Status.ATTENTION),
    "running": ("Checks running", Case.Status.CHECKING),
    "decided": ("Decided", Case.Status.DECIDED),
    "all": ("All", ""),
}


@dataclass(frozen=True)
class Filter:
    """What a queue page was asked for; anything that makes no sense means the default."""

    view: str = "review"
    kind: str = ""
    q: str = ""
    before: int = 0

    @classmethod
    def of(cls, params: Any) -> Filter:
        view, kind, before = (params.get(name, "") for name in ("view", "kind", "before"))
        return cls(
            view=view if view in VIEWS else "review",
            kind=kind if kind in Kind.values else "",
            q=" ".join(params.get("q", "").replace("\0", "").split())[:100],
            before=int(before) if before.isascii() and before.isdigit() and len(before) < 16 else 0,
        )


class Row(NamedTuple):
    """What the queue shows of a case, as one query gives it."""

    pk: int
    reference: str
    subject: str
    kind: str
    country: str
    status: str
    recommendation: str
    summary: Any
    created_at: datetime
    username: str | None
    first_name: str | None
    last_name: str | None
    documents: int


def by_view() -> dict[str, int]:
    """How many cases each view holds, none counted beyond the cap, in one statement."""
    table = Case._meta.db_table
    counters, params = [], []
    for _, status in VIEWS.values():
        where = "WHERE status = %s" if status else ""
        params += [status] if status else []
        counters.append(
            f"(SELECT COUNT(*) FROM (SELECT 1 FROM {table} {where} LIMIT {COUNT_CAP + 1}) c)"  # noqa: S608
        )
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join(counters)}", params)
        return dict(zip(VIEWS, cursor.fetchone() or (), strict=True))


def shown(count: int) -> str:
    return f"{COUNT_CAP:,}+" if count > COUNT_CAP else f"{count:,}"


def initials(name: str) -> str:
    """Two letters for a person."""
    names = name.split()
    letters = names[0][0] + names[-1][0] if len(names) > 1 else name.strip()[:2]
    return letters.upper()


def page(wanted: Filter) -> tuple[list[Row], bool]:
    """Up to PAGE rows, newest first, and whether there are older ones."""
    cases = Case.objects.order_by("-pk")
    if status := VIEWS[wanted.view][1]:
        cases = cases.filter(status=status)
    if wanted.kind:
        cases = cases.filter(kind=wanted.kind)
    if wanted.before:
        cases = cases.filter(pk__lt=wanted.before)
    if wanted.q:
        everywhere = Connection.objects.values("pk")
        exact = _rows(cases.filter(connection__in=everywhere, reference=wanted.q))
        if exact:
            return exact[:PAGE], len(exact) > PAGE
        cases = cases.filter(_among_newest(), _contains(wanted.q))
    rows = _rows(cases)
    return rows[:PAGE], len(rows) > PAGE


def _contains(text: str) -> Q:
    return Q(subject__icontains=text) | Q(reference__icontains=text)


def _among_newest() -> Q:
    newest = Subquery(Case.objects.order_by("-pk").values("pk")[:1])
    return Q(pk__gt=newest - SEARCH_DEPTH)


def _rows(cases: QuerySet[Case]) -> list[Row]:
    documents = (
        Document.objects.filter(case=OuterRef("pk"))
        .order_by()
        .values("case")
        .annotate(n=Count("pk"))
        .values("n")
    )
    found = cases.values_list(
        "pk",
        "reference",
        "subject",
        "kind",
        "country",
        "status",
        "recommendation",
        "summary",
        "created_at",
        "submitted_by__username",
        "submitted_by__first_name",
        "submitted_by__last_name",
        Coalesce(Subquery(documents, output_field=models.IntegerField()), 0),
    )
    return [Row(*values) for values in found[: PAGE + 1]]
