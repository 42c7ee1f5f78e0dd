"""Lists of documents, jobs and reads over all cases that a person may see, with filters."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import (
    Case,
    CharField,
    Count,
    Exists,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
    When,
)
from django.db.models.functions import Coalesce
from django.utils.dateparse import parse_date
from django.utils.timezone import get_current_timezone

from reviews.access import roles
from reviews.models import Document, Job, Page, Read

Person = User | AnonymousUser


def documents(
    user: Person,
    *,
    kind: str = "",
    status: str = "",
    case: str = "",
    sha256: str = "",
    again: str = "",
) -> QuerySet[Document]:
    """Documents of visible cases. `again`: only those whose bytes also occur in another case."""
    rows = roles.only_visible(user, Document.objects.all(), "case__connection")
    if kind:
        rows = rows.filter(kind=kind)
    if status:
        rows = rows.filter(status=status)
    if case:
        rows = rows.filter(case__reference=case)
    if sha256:
        rows = rows.filter(sha256=sha256.lower())
    if again:
        same = _same_bytes(user)
        rows = rows.exclude(sha256="").filter(Exists(same))
    return rows


def with_pages(rows: QuerySet[Document], user: Person) -> QuerySet[Document]:
    """Annotate the number of pages, and another case with the same bytes. Loads the cases."""
    pages = Page.objects.filter(document=OuterRef("pk"))
    # Without order_by() the default order would become part of GROUP BY, one group per page.
    of_document = pages.order_by().values("document")
    counts = of_document.annotate(n=Count("pk")).values("n")
    page_count = Subquery(counts)
    same = _same_bytes(user).order_by("case_id")
    case_id = Subquery(same.values("case_id")[:1])
    reference = Subquery(same.values("case__reference")[:1])
    # Documents that were never fetched have no hash, and would all match each other.
    has_bytes = ~Q(sha256="")
    same_reference = Case(
        When(has_bytes, then=reference),
        default=Value(""),
        output_field=CharField(),
    )
    rows = rows.select_related("case")
    return rows.annotate(
        page_count=Coalesce(page_count, 0),
        same_case=Case(When(has_bytes, then=case_id)),
        same_reference=same_reference,
    )


def _same_bytes(user: Person) -> QuerySet[Document]:
    """Documents of other cases with the same bytes as a document (OuterRef)."""
    rows = roles.only_visible(user, Document.objects.all(), "case__connection")
    rows = rows.filter(sha256=OuterRef("sha256"))
    rows = rows.exclude(case=OuterRef("case"))
    return rows.order_by()


def jobs(
    user: Person, *, status: str = "", agent: str = "", case: str = "", scope: str = ""
) -> QuerySet[Job]:
    """Jobs of visible cases. `scope`: "whole" for runs of all checks, "one" for single checks."""
    rows = roles.only_visible(user, Job.objects.all(), "connection")
    if status:
        rows = rows.filter(status=status)
    if case:
        rows = rows.filter(case__reference=case)
    if re.fullmatch(r"[0-9]{1,9}", agent, re.ASCII):
        rows = rows.filter(agent=int(agent))
    if scope == "whole":
        rows = rows.filter(check_id="")
    elif scope:
        rows = rows.exclude(check_id="")
    rows = rows.select_related("case", "agent", "connection")
    return rows.defer("sent", "case__self_attested_data")


def with_duration(rows: QuerySet[Job]) -> QuerySet[Job]:
    """Annotate `took`, the time from the creation of the job to its end."""
    return rows.annotate(took=F("ended_at") - F("created_at"))


def reads(
    *,
    case: str = "",
    person: str = "",
    kind: str = "",
    since: str = "",
    until: str = "",
) -> QuerySet[Read]:
    """Reads of all cases, for users who may see all cases.

    `since` and `until` are days in ISO form, both included. An invalid day is ignored.
    """
    rows = Read.objects.select_related("case")
    if case:
        rows = rows.filter(case__reference=case)
    if person:
        rows = rows.filter(by=person)
    if kind:
        rows = rows.filter(kind=kind)
    if first := _day(since):
        rows = rows.filter(at__gte=first)
    if last := _day(until, days=1):
        rows = rows.filter(at__lt=last)
    return rows.defer("case__self_attested_data")


def _day(text: str, *, days: int = 0) -> datetime | None:
    """The start of a day in ISO form, or of the day that is `days` later.

    None if the text is not a day, or if the moment is outside of the calendar.
    """
    try:
        day = parse_date(text)
        if day is None:
            return None
        # Days are added before the zone, so that each begins at midnight when the clocks change.
        day += timedelta(days=days)
        start = datetime(day.year, day.month, day.day, tzinfo=get_current_timezone())
        return start.astimezone(UTC)
    except (ValueError, OverflowError):  # such as 2026-02-30, or the year 10000
        return None
