"""The queue page, and the parts of it that are asked for again: its rows, and a look at a case."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from reviews.access import roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Case
from reviews.pages.queue.queue_context import Queue, news, queue_context
from reviews.pages.queue.queue_rows import due_in_words, lines_of
from reviews.queue import filters as cases
from reviews.queue import queue_page

MOST_FOUND = 8


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def queue(request: HttpRequest) -> HttpResponse:
    page = queue_context(_queue(request))
    # The shell shows some of it, too: what is searched for, and how many cases wait.
    context = {"nav": "queue", "page": page, "q": page["q"], "counts": page["counts"]}
    return render(request, "reviews/queue.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def rows(request: HttpRequest) -> HttpResponse:
    """The rows and the counters, asked for again by a page that is open."""
    found = _queue(request)
    if request.headers.get("If-None-Match") == found.etag:
        return HttpResponseNotModified()
    page = queue_context(found)
    context = {"page": page, "news": news(found.rows, request.GET.get("seen", ""))}
    response = render(request, "reviews/_queue_update.html", context)
    response["ETag"] = page["etag"]
    return response


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def find(request: HttpRequest) -> HttpResponse:
    """The newest cases that a few letters lead to, for the palette."""
    user = person_of(request)
    wanted = cases.Filter.of({"view": "all", "q": request.GET.get("q", "")})
    found = queue_page.page(wanted, user, roles.connection_ids(user))[0] if wanted.q else []
    context = {"q": wanted.q, "lines": lines_of(found[:MOST_FOUND])}
    return render(request, "reviews/_found.html", context)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def peek(request: HttpRequest, pk: int) -> HttpResponse:
    """What an analyst wants to know before opening a case."""
    found = roles.visible(request.user).select_related("analyst", "agent", "connection")
    case = get_object_or_404(found, pk=pk)
    pages = case.documents.filter(pages__number=1).order_by("created_at", "id")
    summary = case.summary if isinstance(case.summary, dict) else {}
    pairs = summary.get("checks") if isinstance(summary.get("checks"), list) else []
    told = [pair for pair in pairs or [] if isinstance(pair, list) and len(pair) == 2]
    context = {
        "case": case,
        "finding": summary.get("finding", ""),
        "against": [p for p in told if p[1] in {"fail", "error", "review", "inconclusive"}],
        "passed": sum(pair[1] == "pass" for pair in told),
        "documents": pages[:4],
        "due": due_in_words(case.due_at)[0],
    }
    return render(request, "reviews/_queue_peek.html", context)


def _queue(request: HttpRequest) -> Queue:
    return Queue.read(cases.Filter.of(request.GET), person_of(request))


def case_of(request: HttpRequest, pk: int) -> Case:
    """A case that the user may see, or 404."""
    return get_object_or_404(roles.visible(request.user), pk=pk)
