"""The pages of all documents and of all jobs, and of one job."""

from __future__ import annotations

from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews import results
from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.models import Document, Job
from reviews.pages.case.payloads import webhooks_of
from reviews.pages.lists import listing
from reviews.pages.lists.timing import Timing
from reviews.queue import lists

JOB_COLORS = {"queued": "", "running": "acc", "complete": "pass", "failed": "fail"}
DOCUMENT_COLORS = {"pending": "acc", "drawn": "pass", "unreadable": "warn"}
SHOWN_CHARACTERS = 20_000


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def documents(request: HttpRequest) -> HttpResponse:
    asked = listing.words(request.GET, "kind", "status", "case", "sha256", "again")
    asked["kind"] = listing.one_of(asked["kind"], Document.Kind.values)
    asked["status"] = listing.one_of(asked["status"], Document.Status.values)
    rows = lists.with_pages(lists.documents(request.user, **asked), request.user)
    page = listing.listed(rows, asked, request.GET)
    context = {
        "nav": "documents",
        "page": page,
        "rows": [
            (row, DOCUMENT_COLORS[row.status], results.verdict_of(row))
            for row in page.rows
        ],
        "asked": asked,
        "kinds": Document.Kind.choices,
        "statuses": Document.Status.choices,
    }
    return render(request, "reviews/documents.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def jobs(request: HttpRequest) -> HttpResponse:
    asked = listing.words(request.GET, "status", "agent", "case", "scope")
    asked["status"] = listing.one_of(asked["status"], Job.Status.values)
    asked["scope"] = listing.one_of(asked["scope"], ("whole", "one"))
    rows = lists.with_duration(lists.jobs(request.user, **asked))
    page = listing.listed(rows, asked, request.GET)
    context = {
        "nav": "jobs",
        "page": page,
        "rows": [(row, JOB_COLORS[row.status]) for row in page.rows],
        "asked": asked,
        "statuses": Job.Status.choices,
        "agents": roles.agents(request.user),
    }
    return render(request, "reviews/jobs.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def job(request: HttpRequest, pk: UUID) -> HttpResponse:
    rows = Job.objects.select_related("case", "agent", "connection")
    found = get_object_or_404(
        roles.only_visible(request.user, rows, "connection"), pk=pk
    )
    said = list(found.check_results.all())
    may_see_payloads = request.user.has_perm(roles.PAYLOAD)
    sent = results.pretty(found.sent) if may_see_payloads and found.sent else ""
    context = {
        "nav": "jobs",
        "job": found,
        "case": found.case,
        "color": JOB_COLORS[found.status],
        "timing": Timing.of(found, said),
        "may_see_payloads": may_see_payloads,
        "sent": sent[:SHOWN_CHARACTERS],
        "left_out": max(0, len(sent) - SHOWN_CHARACTERS),
        "webhooks": webhooks_of([found]) if may_see_payloads else [],
    }
    return render(request, "reviews/job.html", context)
