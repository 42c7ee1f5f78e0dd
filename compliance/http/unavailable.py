"""Responses for outages: the disk is full, or the database or the cache is unavailable.

Pages use `server_error`, the two REST interfaces their error handlers, and the receiver of webhooks
its view. All of them call `outage_of`.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from compliance.http.responses import error_pages
from compliance.http.responses.form_texts import texts_of
from compliance.storage import outages, stored_files

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# The value of Retry-After: seconds after which the same request may succeed.
RETRY_SECONDS = 60


@dataclass(frozen=True, eq=False)
class Outage:
    """A kind of outage.

    Compared by identity, because its texts depend on the request's language.
    """

    status: int  # of the response
    heading: StrOrPromise
    message: StrOrPromise  # for people: what happened to the request, and what to do


FULL = Outage(
    507,
    _("The disk is full"),
    _(
        "There is no room left on a disk of the server. Nothing of this request was stored, and nothing"
        " that was stored before is lost. Try again when there is room."
    ),
)
READ_ONLY = Outage(
    503,
    _("Nothing can be stored now"),
    _(
        "The database can only be read now. Nothing of this request was stored. Try again later."
    ),
)
NO_DATABASE = Outage(
    503,
    _("The database is not available"),
    _("The database cannot be used now. Try again in a minute."),
)
TOO_SLOW = Outage(
    503,
    _("The database is too slow now"),
    _(
        "The database took too long. Nothing of this request was stored. Try again in a minute."
    ),
)
NO_STORE = _("This file cannot be given")
NO_CACHE = Outage(
    503,
    _("The cache is not available"),
    _("Redis cannot be used now, and this needs it. Try again in a minute."),
)
NEWER_VERSION = Outage(
    503,
    _("A newer version takes over"),
    _(
        "A newer version has taken over the database, and this process of the earlier one stores"
        " nothing more. Nothing of this request was stored. Try again in a minute."
    ),
)

OUTAGES = {
    outages.Kind.FULL: FULL,
    outages.Kind.READ_ONLY: READ_ONLY,
    outages.Kind.NO_DATABASE: NO_DATABASE,
    outages.Kind.BUSY: TOO_SLOW,
    outages.Kind.TOO_SLOW: TOO_SLOW,
    outages.Kind.NO_CACHE: NO_CACHE,
}


def outage_of(exc: BaseException) -> Outage | None:
    """The outage that an exception or one of its causes means. None: it is no outage."""
    kind, error = outages.of(exc) or (None, exc)
    if isinstance(error, stored_files.NotWritableError):
        is_full = error.status == FULL.status
        heading = FULL.heading if is_full else READ_ONLY.heading
        return Outage(error.status, heading, str(error))
    if isinstance(error, stored_files.StoredError):
        return Outage(error.status, NO_STORE, str(error))
    return OUTAGES.get(kind) if kind else None


def add_retry_after(response: HttpResponse) -> HttpResponse:
    """Say when to try again, in a response of a view that handled an outage by itself."""
    if response.status_code in {NO_DATABASE.status, FULL.status}:
        response["Retry-After"] = str(RETRY_SECONDS)
    return response


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: the page for an unhandled exception.

    It is no middleware: Django's own CSRF middleware is the first to read an upload, and an
    exception raised in one middleware does not reach `process_exception` of another.
    """
    exc = sys.exception()
    outage = outage_of(exc) if exc else None
    if outage is None:
        return error_pages.server_error(request)
    return page(request, outage)


def page(request: HttpRequest, outage: Outage) -> HttpResponse:
    """The page of an outage. It holds what the person had typed, and cannot send again."""
    # Rendered without the request: context processors may read the unavailable database.
    context = {"outage": outage, "unsaved": texts_of(request)}
    html = render_to_string("unavailable.html", context)
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return HttpResponse(html, status=outage.status, headers=headers)
