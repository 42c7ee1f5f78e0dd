"""The answer to an exception of a view: its status, its words, its headers.

Both interfaces answer the same errors with the same statuses. The shape of the body is their own:
each gives its `ErrorHandler` a function that makes the body of a Problem.
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

# One reason per status. Not those of http.HTTPStatus: they change with Python.
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
# What a program reads, where no rule of an interface has a code of its own.
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
# Statuses that say when to send the request again, in the header Retry-After.
WITH_RETRY_AFTER = frozenset({429, 503, 507})


class Problem(exceptions.APIException):
    """An answer that is no success. `faults` say what is wrong, and where, as far as is known."""

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
    """The answer to any exception of a view of one interface."""

    body: Callable[[Problem], dict[str, object]]
    # The Problem of an exception that only this interface knows; None: it is a common one.
    translate: Callable[[Exception], Problem | None]
    media: str = "application/json"

    def __call__(self, exc: Exception, context: Mapping[str, object]) -> Response:
        set_rollback()
        problem = self._problem(exc)
        headers = _headers(exc, problem.status_code)
        body = self.body(problem)
        return Response(
            body, problem.status_code, headers=headers, content_type=self.media
        )

    def _problem(self, exc: Exception) -> Problem:
        if outage := unavailable.outage_of(exc):
            log.error("A request failed: %s", outage.heading, exc_info=exc)
            return Problem(outage.status, str(outage.message))
        exc = _of_reading(exc)
        if isinstance(exc, Problem):
            return exc
        return self.translate(exc) or _common(exc)


def _of_reading(exc: Exception) -> Exception:
    """Django's errors about a request that cannot be read, as those of our parsers."""
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
    log.error("A request failed", exc_info=exc)
    return Problem(500, "The server could not answer this request.")


def _sentence(exc: exceptions.APIException) -> str:
    detail = exc.detail
    if isinstance(detail, list) and detail:
        return str(detail[0])
    return str(detail)


def _headers(exc: Exception, status: int) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    wait = getattr(exc, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    elif status in WITH_RETRY_AFTER:
        headers["Retry-After"] = str(unavailable.RETRY_SECONDS)
    return headers
