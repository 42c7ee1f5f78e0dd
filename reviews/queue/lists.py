"""Documents and jobs of all cases that a person sees, narrowed by what is asked for."""

from __future__ import annotations

import re
from typing import Any

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

from reviews.access import roles
from reviews.models import Document, Job, Page

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
    """`again`: those alone whose very bytes lie in another case, too."""
    rows = roles.only_visible(user, Document.objects.all(), "case__connection")
    given = {"kind": kind, "status": status, "case__reference": case, "sha256": sha256.lower()}
    rows = rows.filter(**{name: value for name, value in given.items() if value})
    return rows.filter(~Q(sha256=""), Exists(_same(user))) if again else rows


def with_pages(rows: QuerySet[Document], user: Person) -> QuerySet[Document]:
    """With their cases, how many pages each has, and another case that has the same bytes."""
    pages = Page.objects.filter(document=OuterRef("pk")).order_by().values("document")
    counted = Subquery(pages.annotate(n=Count("pk")).values("n"))
    same = _same(user).order_by("case_id")
    has_bytes = ~Q(sha256="")
    reference = When(has_bytes, then=Subquery(same.values("case__reference")[:1]))
    return rows.select_related("case").annotate(
        page_count=Coalesce(counted, 0),
        same_case=Case(When(has_bytes, then=Subquery(same.values("case_id")[:1]))),
        same_reference=Case(reference, default=Value(""), output_field=CharField()),
    )


def _same(user: Person) -> QuerySet[Document]:
    found = roles.only_visible(user, Document.objects.all(), "case__connection")
    return found.filter(sha256=OuterRef("sha256")).exclude(case=OuterRef("case")).order_by()


def jobs(
    user: Person, *, status: str = "", agent: str = "", case: str = "", scope: str = ""
) -> QuerySet[Job]:
    """`scope`: "whole" runs, or those of "one" check."""
    rows = roles.only_visible(user, Job.objects.all(), "connection")
    given: dict[str, Any] = {"status": status, "case__reference": case}
    given["agent"] = agent if re.fullmatch(r"[0-9]{1,9}", agent, re.ASCII) else ""
    rows = rows.filter(**{name: value for name, value in given.items() if value})
    if scope:
        rows = rows.filter(check_id="") if scope == "whole" else rows.exclude(check_id="")
    return rows.select_related("case", "agent", "connection").defer(
        "sent", "case__self_attested_data"
    )


def took(rows: QuerySet[Job]) -> QuerySet[Job]:
    return rows.annotate(took=F("ended_at") - F("created_at"))
