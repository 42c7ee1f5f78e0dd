"""The queue page, and its parts that are fetched separately: rows, search results, preview of a
case.
"""

from __future__ import annotations

from dataclasses import replace
from http import HTTPStatus

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    HttpResponseRedirect,
)
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from reviews.access import masking, roles
from reviews.access.decorators import person_of, readers_only
from reviews.models import Case
from reviews.pages.queue.queue_context import Queue, new_cases, queue_context
from reviews.pages.queue.queue_rows import check_pairs, due_in_words, lines_of
from reviews.queue import filters as cases
from reviews.queue import queue_page
from reviews.queue import search as text_search
from reviews.queue.filters import DOUBTS
from reviews.queue.highlights import Highlighter
from reviews.queue.queue_page import Row

MAX_MATCHES = 8


@login_required
@require_safe
def start(request: HttpRequest) -> HttpResponseBase:
    """The start: the queue, or the hub for somebody who manages it and may see no case."""
    user = person_of(request)
    manages_hub = settings.HUB_ENABLED and user.has_perm("agenthub.change_account")
    if manages_hub and not user.has_perm("reviews.view_case"):
        return redirect("hub")
    return queue(request)


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def queue(request: HttpRequest) -> HttpResponse:
    page = queue_context(_queue(request))
    # The layout needs some of it, too: the search and the number of waiting cases.
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
    """The rows and counts, for polling by an open page."""
    queue = _queue(request)
    # Usually nothing has changed since the last poll.
    if request.headers.get("If-None-Match") == queue.etag:
        return HttpResponseNotModified()
    page = queue_context(queue)
    # Cases that came in since the page was opened.
    news = new_cases(queue.rows, request.GET.get("seen", ""))
    context = {"page": page, "news": news}
    response = render(request, "reviews/_queue_update.html", context)
    response["ETag"] = queue.etag
    return response


@readers_only
@require_POST
@cache_control(private=True, no_store=True)
def search(request: HttpRequest) -> HttpResponse:
    """Redirect to the queue with the submitted filters. Search words may be names, so they come
    in a POST.
    """
    queue_filter = cases.Filter.of(request.POST, person_of(request).pk)
    address = reverse("queue") + queue_filter.address()
    return HttpResponseRedirect(address, status=HTTPStatus.SEE_OTHER)


@readers_only
@require_POST
@cache_control(private=True, no_store=True)
def find(request: HttpRequest) -> HttpResponse:
    """The newest cases that match a few letters, for the command palette.

    With `as=options` they are options of the search box.
    """
    user = person_of(request)
    params = {"view": "all", "q": request.POST.get("q", "")}
    queue_filter = cases.Filter.of(params)
    is_box = request.POST.get("as") == "options"
    name = "reviews/_suggestions.html" if is_box else "reviews/_matches.html"
    # A POST that changes nothing: names are hidden as on a page that is only read.
    with masking.hide_from(user):
        if queue_filter.q:
            matches = _matches(queue_filter, user)
        else:
            matches = []
        context = {
            "q": queue_filter.q,
            "lines": lines_of(matches),
            "words": Highlighter.of(queue_filter.q),
        }
        return render(request, name, context)


def _matches(queue_filter: cases.Filter, user: User) -> list[Row]:
    """Exact matches first, then matches with another spelling."""
    connections = roles.connection_ids(user)
    # The same words in quotes, so that other spellings do not count.
    exact = text_search.exactly(queue_filter.q)
    rows: list[Row] = []
    if exact:
        typed = replace(queue_filter, q=exact)
        rows, _ = queue_page.page(typed, user, connections)
    if len(rows) < MAX_MATCHES:
        others, _ = queue_page.page(queue_filter, user, connections)
        known = {row.pk for row in rows}
        for row in others:
            if row.pk not in known:
                rows.append(row)
    return rows[:MAX_MATCHES]


@readers_only
@require_safe
@cache_control(private=True, no_store=True)
def peek(request: HttpRequest, pk: int) -> HttpResponse:
    """A preview of a case for the analyst."""
    rows = roles.visible(request.user)
    rows = rows.select_related("analyst", "agent", "connection")
    case = get_object_or_404(rows, pk=pk)
    # Only documents whose first page has been drawn.
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
    person = person_of(request)
    queue_filter = cases.Filter.of_address(request.GET, person.pk)
    return Queue.read(queue_filter, person)


def case_of(request: HttpRequest, pk: int) -> Case:
    """The case if the user may see it. Raises Http404."""
    return get_object_or_404(roles.visible(request.user), pk=pk)
