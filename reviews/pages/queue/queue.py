"""The queue page, and the parts of it that are fetched again: its rows, and a preview of a case."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Case
from reviews.pages.queue.queue_context import Queue, new_cases, queue_context
from reviews.pages.queue.queue_rows import check_pairs, due_in_words, lines_of
from reviews.queue import filters as cases
from reviews.queue import queue_page
from reviews.queue.filters import DOUBTS
from reviews.queue.queue_page import Row

MAX_MATCHES = 8


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def queue(request: HttpRequest) -> HttpResponse:
    page = queue_context(_queue(request))
    # The layout shows some of it, too: the search, and how many cases wait.
    context = {
        "nav": "queue",
        "page": page,
        "q": page["q"],
        "counts": page["counts"],
    }
    return render(request, "reviews/queue.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def rows(request: HttpRequest) -> HttpResponse:
    """The rows and the counters, fetched again by a page that is open."""
    queue = _queue(request)
    if request.headers.get("If-None-Match") == queue.etag:
        return HttpResponseNotModified()
    page = queue_context(queue)
    news = new_cases(queue.rows, request.GET.get("seen", ""))
    context = {"page": page, "news": news}
    response = render(request, "reviews/_queue_update.html", context)
    response["ETag"] = queue.etag
    return response


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def find(request: HttpRequest) -> HttpResponse:
    """The newest cases that a few letters lead to, for the palette."""
    user = person_of(request)
    params = {"view": "all", "q": request.GET.get("q", "")}
    queue_filter = cases.Filter.of(params)
    matches: list[Row] = []
    if queue_filter.q:
        connections = roles.connection_ids(user)
        matches, _ = queue_page.page(queue_filter, user, connections)
    lines = lines_of(matches[:MAX_MATCHES])
    context = {"q": queue_filter.q, "lines": lines}
    return render(request, "reviews/_matches.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def peek(request: HttpRequest, pk: int) -> HttpResponse:
    """What an analyst wants to know before opening a case."""
    rows = roles.visible(request.user)
    rows = rows.select_related("analyst", "agent", "connection")
    case = get_object_or_404(rows, pk=pk)
    with_picture = case.documents.filter(pages__number=1)
    documents = with_picture.order_by("created_at", "id")
    if isinstance(case.summary, dict):
        summary = case.summary
    else:
        summary = {}
    checks = check_pairs(summary)
    due, _ = due_in_words(case.due_at)
    against = []
    passed = 0
    for name, verdict in checks:
        if verdict in DOUBTS:
            against.append((name, verdict))
        if verdict == "pass":
            passed += 1
    context = {
        "case": case,
        "finding": case.finding,
        "against": against,
        "passed": passed,
        "documents": documents[:4],
        "due": due,
    }
    return render(request, "reviews/_queue_peek.html", context)


def _queue(request: HttpRequest) -> Queue:
    queue_filter = cases.Filter.of(request.GET)
    person = person_of(request)
    return Queue.read(queue_filter, person)


def case_of(request: HttpRequest, pk: int) -> Case:
    """A case that the user may see, or 404."""
    return get_object_or_404(roles.visible(request.user), pk=pk)
