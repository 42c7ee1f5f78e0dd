"""The pages of all documents and all jobs, the page of one job, and the record of reads."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.decorators import permission_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews import results
from reviews.access import roles
from reviews.access.decorators import readers_only
from reviews.models import Document, Job, Read
from reviews.pages.case.payloads import webhooks_of
from reviews.pages.lists import listing, read_words
from reviews.pages.lists.timing import Timing
from reviews.queue import lists

JOB_COLORS = {"queued": "", "running": "acc", "complete": "pass", "failed": "fail"}
DOCUMENT_COLORS = {"pending": "acc", "drawn": "pass", "unreadable": "warn"}
# Characters of the request to the service that are shown. The page gives the length of the rest.
MAX_CHARACTERS = 20_000


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def documents(request: HttpRequest) -> HttpResponse:
    filters = listing.texts(request.GET, "kind", "status", "case", "sha256", "again")
    # Unknown values are ignored instead of causing an error.
    filters["kind"] = listing.choice(filters["kind"], Document.Kind.values)
    filters["status"] = listing.choice(filters["status"], Document.Status.values)
    documents = lists.documents(request.user, **filters)
    documents = lists.with_pages(documents, request.user)
    page = listing.list_page(documents, filters, request.GET)
    rows = []
    for document in page.rows:
        color = DOCUMENT_COLORS[document.status]
        verdict = results.verdict_of(document)
        rows.append((document, color, verdict))
    context = {
        "nav": "documents",
        "page": page,
        "rows": rows,
        "filters": filters,
        "kinds": Document.Kind.choices,
        "statuses": Document.Status.choices,
    }
    return render(request, "reviews/documents.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def jobs(request: HttpRequest) -> HttpResponse:
    filters = listing.texts(request.GET, "status", "agent", "case", "scope")
    filters["status"] = listing.choice(filters["status"], Job.Status.values)
    filters["scope"] = listing.choice(filters["scope"], ("whole", "one"))
    jobs = lists.jobs(request.user, **filters)
    jobs = lists.with_duration(jobs)
    page = listing.list_page(jobs, filters, request.GET)
    rows = []
    for job in page.rows:
        color = JOB_COLORS[job.status]
        rows.append((job, color))
    context = {
        "nav": "jobs",
        "page": page,
        "rows": rows,
        "filters": filters,
        "statuses": Job.Status.choices,
        "agents": roles.agents(request.user),
    }
    return render(request, "reviews/jobs.html", context)


@readers_only
@permission_required(roles.READS, raise_exception=True)
@require_safe
@cache_control(private=True, no_store=True)
def reads(request: HttpRequest) -> HttpResponse:
    """Which user was shown which case, document and page."""
    filters = listing.texts(request.GET, "case", "person", "kind", "since", "until")
    filters["kind"] = listing.choice(filters["kind"], Read.Kind.values)
    rows = lists.reads(**filters)
    page = listing.list_page(rows, filters, request.GET, by=("at", "id"))
    context = {
        "nav": "reads",
        "page": page,
        "rows": [(row, read_words.in_words(row.item)) for row in page.rows],
        "filters": filters,
        "kinds": Read.Kind.choices,
    }
    return render(request, "reviews/reads.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def job(request: HttpRequest, pk: UUID) -> HttpResponse:
    jobs = Job.objects.select_related("case", "agent", "connection")
    jobs = roles.only_visible(request.user, jobs, "connection")
    job = get_object_or_404(jobs, pk=pk)
    check_results = list(job.check_results.all())
    context = {
        "nav": "jobs",
        "job": job,
        "case": job.case,
        "color": JOB_COLORS[job.status],
        "timing": Timing.of(job, check_results),
        "may_see_payloads": False,
    }
    if request.user.has_perm(roles.PAYLOAD):
        # Raw payloads need their own permission.
        context |= _payloads(job)
    return render(request, "reviews/job.html", context)


def _payloads(job: Job) -> dict[str, object]:
    """The request to the service and its webhooks, for users who may see payloads."""
    payload = ""
    if job.sent:
        payload = results.pretty(job.sent)
    return {
        "may_see_payloads": True,
        "payload": payload[:MAX_CHARACTERS],
        "left_out": max(0, len(payload) - MAX_CHARACTERS),
        "webhooks": webhooks_of([job]),
    }
