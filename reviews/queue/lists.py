"""The documents and jobs of all cases that a person sees, narrowed by filters."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

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
    """`again`: only documents whose bytes are in another case, too."""
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
    """With their cases, how many pages each has, and another case that has the same bytes."""
    pages = Page.objects.filter(document=OuterRef("pk"))
    # Without an order, or each page would be a group of its own.
    of_document = pages.order_by().values("document")
    counts = of_document.annotate(n=Count("pk")).values("n")
    page_count = Subquery(counts)
    same = _same_bytes(user).order_by("case_id")
    case_id = Subquery(same.values("case_id")[:1])
    reference = Subquery(same.values("case__reference")[:1])
    # Documents that nobody has fetched have no bytes, and would all be the same.
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
    """Documents of other cases with the bytes of a document (OuterRef)."""
    rows = roles.only_visible(user, Document.objects.all(), "case__connection")
    rows = rows.filter(sha256=OuterRef("sha256"))
    rows = rows.exclude(case=OuterRef("case"))
    return rows.order_by()


def jobs(
    user: Person, *, status: str = "", agent: str = "", case: str = "", scope: str = ""
) -> QuerySet[Job]:
    """`scope`: "whole" runs, or those of "one" check."""
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
    """With `took`, from the creation of the job to its end."""
    return rows.annotate(took=F("ended_at") - F("created_at"))


def reads(
    *,
    case: str = "",
    person: str = "",
    kind: str = "",
    since: str = "",
    until: str = "",
) -> QuerySet[Read]:
    """Who was shown what: for those who see all cases. `since` and `until` are days, both included;
    what is no day is passed over."""
    rows = Read.objects.select_related("case")
    if case:
        rows = rows.filter(case__reference=case)
    if person:
        rows = rows.filter(by=person)
    if kind:
        rows = rows.filter(kind=kind)
    if first := _day(since):
        rows = rows.filter(at__gte=first)
    if last := _day(until):
        rows = rows.filter(at__lt=last + timedelta(days=1))
    return rows.defer("case__self_attested_data")


def _day(text: str) -> datetime | None:
    """The beginning of a day in ISO form; None where the text is none."""
    try:
        day = parse_date(text)
    except ValueError:  # such as 2026-02-30
        return None
    if day is None:
        return None
    return datetime(
        day.year,
        day.month,
        day.day,
        tzinfo=get_current_timezone(),
    )
