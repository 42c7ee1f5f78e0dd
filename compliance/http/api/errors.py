"""Turns an exception of a view into a response: status, message and headers.

Both interfaces answer the same exception with the same status. Only the JSON shape differs: each
interface gives its `ErrorHandler` a function that builds the body from a Problem.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.core.exceptions import (
    PermissionDenied,
    RequestDataTooBig,
    SuspiciousOperation,
)
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from compliance.http import unavailable
from compliance.http.api.json_bodies import TooLarge, Unreadable
from compliance.http.limits.quotas import QuotaError
from compliance.storage.stored_files import StoredError

log = logging.getLogger(__name__)

# The reason phrase of each status. http.HTTPStatus is not used: its phrases differ between
# versions of Python.
REASONS = {
    400: "Bad Request",
    401: "Unauthorized",
    403: "Forbidden",
    404: "Not Found",
    405: "Method Not Allowed",
    409: "Conflict",
    410: "Gone",
    411: "Length Required",
    413: "Content Too Large",
    415: "Unsupported Media Type",
    422: "Unprocessable Content",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    507: "Insufficient Storage",
}
# The default machine-readable code of each status, for errors that set no code of their own.
CODES = {
    400: "unreadable",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    410: "gone",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "fault",
    502: "service",
    503: "unavailable",
    507: "full",
}
# Statuses whose response says, in the header Retry-After, when to send the request again.
WITH_RETRY_AFTER = frozenset({429, 503, 507})


class Problem(exceptions.APIException):
    """An error response. `detail` is the message for people; `faults` lists the faulty parts.

    Each fault names its place (`pointer` or `parameter`) and has a `detail`, as far as they are
    known.
    """

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        code: str = "",
        faults: Sequence[Mapping[str, object]] = (),
    ) -> None:
        super().__init__(detail)
        self.status_code = status
        self.words = detail
        self.code = code or CODES[status]
        self.faults = faults


@dataclass(frozen=True)
class ErrorHandler:
    """Converts any exception of a view of one interface into its error response."""

    body: Callable[[Problem], dict[str, object]]
    # Returns the Problem for an exception that only this interface knows, or None for all others.
    translate: Callable[[Exception], Problem | None]
    media: str = "application/json"

    def __call__(self, exc: Exception, context: Mapping[str, object]) -> Response:
        # DRF's handler does this too: roll back if the view ran in ATOMIC_REQUESTS.
        set_rollback()
        problem = self._problem(exc)
        headers = _headers(exc, problem.status_code)
        body = self.body(problem)
        return Response(
            body, problem.status_code, headers=headers, content_type=self.media
        )

    def _problem(self, exc: Exception) -> Problem:
        # The database, the cache or the disk is unavailable: this takes precedence, because any
        # view may raise it.
        if outage := unavailable.outage_of(exc):
            log.error("A request failed: %s", outage.heading, exc_info=exc)
            return Problem(outage.status, str(outage.message))
        exc = _of_reading(exc)
        # A view raised it on purpose: it is complete.
        if isinstance(exc, Problem):
            return exc
        return self.translate(exc) or _common(exc)


def _of_reading(exc: Exception) -> Exception:
    """Map Django's errors about an unreadable request to those that our parsers raise."""
    match exc:
        case RequestDataTooBig():
            return TooLarge()
        case SuspiciousOperation() | UnreadablePostError():
            return Unreadable("The request could not be read.", code="unreadable")
    return exc


def _common(exc: Exception) -> Problem:
    match exc:
        case Http404():
            return Problem(404, "There is no such thing.")
        case PermissionDenied():
            return Problem(403, str(exc) or "This is not allowed.")
        case StoredError(status=status):
            return Problem(status, str(exc))
        case QuotaError():
            return Problem(429, str(exc))
        case exceptions.APIException(status_code=status) if status in REASONS:
            return Problem(status, _sentence(exc))
    # Any other exception is a fault of ours. Its message may quote data, so callers do not see it.
    log.error("A request failed", exc_info=exc)
    return Problem(500, "The server could not answer this request.")


def _sentence(exc: exceptions.APIException) -> str:
    detail = exc.detail
    # DRF turns the detail of a ValidationError into a list.
    if isinstance(detail, list) and detail:
        return str(detail[0])
    return str(detail)


def _headers(exc: Exception, status: int) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    # DRF's Throttled and our QuotaError know how long the caller has to wait.
    wait = getattr(exc, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    elif status in WITH_RETRY_AFTER:
        headers["Retry-After"] = str(unavailable.RETRY_SECONDS)
    return headers
