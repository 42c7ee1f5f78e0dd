"""Counts requests by method, route, status and duration. Loaded only if metrics are enabled."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from compliance.work import tallies

Respond = Callable[[HttpRequest], HttpResponseBase]

# Upper limits of the histogram's buckets, in seconds. Pages take milliseconds, large uploads
# seconds.
BUCKETS = (
    "0.005",
    "0.01",
    "0.025",
    "0.05",
    "0.1",
    "0.25",
    "0.5",
    "1",
    "2.5",
    "5",
    "10",
)
BEYOND = "+Inf"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
LONGEST_ROUTE = 80


def count_requests(get_response: Respond) -> Respond:
    """Middleware, the outermost, so that it also counts requests that others refuse."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        start = time.perf_counter()
        response = get_response(request)
        _count(request, response.status_code, seconds=time.perf_counter() - start)
        return response

    return respond


def _count(request: HttpRequest, status: int, *, seconds: float) -> None:
    route = route_of(request)
    # Clients may send any method and path. As labels, use only known values.
    method = request.method if request.method in METHODS else "OTHER"
    name = f"{method} {route}"
    tallies.add(tallies.Kind.REQUEST, name, str(status), seconds=seconds)
    tallies.add(tallies.Kind.REQUEST_TIME, route, bucket_of(seconds))


def route_of(request: HttpRequest) -> str:
    """The name of the URL pattern, never the URL itself."""
    match = request.resolver_match
    if match is not None:
        return (match.view_name or match.route)[:LONGEST_ROUTE]
    if request.path.startswith(settings.STATIC_URL):
        return "static"
    if request.path.startswith("/webhooks/"):
        return (
            "webhook"  # answered by the receiver's middleware, before URLs are resolved
        )
    return "unmatched"


def bucket_of(seconds: float) -> str:
    for end in BUCKETS:
        if seconds <= float(end):
            return end
    return BEYOND
