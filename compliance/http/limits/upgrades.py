"""Refuses what writes while a newer version than this code has migrated the database.

Who asks again reaches the new version: browsers show the page, services and senders of webhooks repeat
a request with status 503.
"""

from __future__ import annotations

from collections.abc import Callable

from django.db import Error
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase

from compliance.db import newer_schema
from compliance.http import unavailable
from compliance.http.limits.methods import INTERFACES

Respond = Callable[[HttpRequest], HttpResponseBase]

READS = frozenset({"GET", "HEAD", "OPTIONS"})
MACHINES = (*INTERFACES, "/webhooks/")


def refuse_after_upgrade(get_response: Respond) -> Respond:
    """Middleware. It stands behind the choice of the language. Webhooks do not come so far, and ask
    refusal() before.
    """

    def respond(request: HttpRequest) -> HttpResponseBase:
        return refusal(request) or get_response(request)

    return respond


def refusal(request: HttpRequest) -> HttpResponse | None:
    """503 for a request that writes, if a newer version has migrated the database."""
    if request.method in READS or not _is_newer():
        return None
    outage = unavailable.NEWER_VERSION
    if not request.path.startswith(MACHINES):
        return unavailable.page(request, outage)
    problem = {"error": "Service Unavailable", "message": str(outage.message)}
    response = JsonResponse(problem, status=outage.status)
    return unavailable.add_retry_after(response)


def _is_newer() -> bool:
    try:
        return newer_schema.WATCH.is_newer()
    # Also of a connection that was lost, which is no DatabaseError.
    except Error:
        # The page or the interface says in its own form what is wrong with the database.
        return False
