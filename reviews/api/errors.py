"""Errors as problem details (RFC 9457): one handler, one shape, and a `code` for programs."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.exceptions import ValidationError as FieldError
from django.http import Http404, UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from compliance.http import unavailable
from compliance.http.responses import REASONS
from compliance.storage.stored_files import StoredError
from reviews.api.operations import PROBLEM
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.people.assignment import NotPossibleError
from reviews.service.client import ServiceError

log = logging.getLogger(__name__)

CODES = {
    400: "unreadable",
    401: "unauthenticated",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    409: "conflict",
    411: "length_required",
    413: "too_large",
    415: "unsupported_media_type",
    422: "invalid",
    429: "too_many_requests",
    500: "fault",
    410: "gone",
    502: "service",
    503: "unavailable",
    507: "full",
}
NOT_FOUND = "There is no such thing, or it is another team's."


class Problem(exceptions.APIException):
    """An answer that is no success. `faults` say what is wrong, and where, as far as is known."""

    def __init__(
        self, status: int, detail: str, *, code: str = "", faults: Sequence[Mapping[str, Any]] = ()
    ) -> None:
        super().__init__(detail)
        self.status_code, self.words, self.faults = status, detail, faults
        self.code = code or CODES[status]


def handle(exc: Exception, context: Mapping[str, Any]) -> Response:
    """The answer to any exception of a view. Every view has this handler."""
    set_rollback()
    headers = _headers(exc)
    if outage := unavailable.outage_of(exc):
        log.error("A request failed: %s", outage.heading, exc_info=exc)
        headers["Retry-After"] = str(unavailable.RETRY_SECONDS)
        exc = Problem(outage.status, outage.message)
    problem = _as_problem(exc)
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": REASONS[problem.status_code],
        "status": problem.status_code,
        "detail": problem.words,
        "code": problem.code,
    }
    if problem.faults:
        body["errors"] = problem.faults
    return Response(body, problem.status_code, headers=headers, content_type=PROBLEM)


@contextmanager
def refusing() -> Iterator[None]:
    """For verbs that refuse what was typed by ValueError."""
    try:
        yield
    except ValueError as exc:
        raise Problem(422, str(exc), code="refused") from exc


def _as_problem(exc: Exception) -> Problem:
    match exc:
        case Problem():
            return exc
        case StaleError():
            return Problem(409, str(exc), code="stale")
        case RefusedError(faults=faults):
            said = [{"detail": fault} for fault in faults]
            return Problem(422, str(exc), code="refused", faults=said)
        case NotPossibleError():
            return Problem(422, str(exc), code="refused", faults=[{"detail": str(exc)}])
        case StoredError(status=status):
            return Problem(status, str(exc))
        case ServiceError():
            return Problem(502, str(exc))
        case FieldError():
            return Problem(422, " ".join(exc.messages), faults=_faults_of_fields(exc))
    return _of_framework(exc)


def _of_framework(exc: Exception) -> Problem:
    match exc:
        case Http404() | exceptions.NotFound():
            return Problem(404, NOT_FOUND)
        case PermissionDenied():
            return Problem(403, str(exc) or "Your role does not allow this.")
        case exceptions.APIException(status_code=status) if status in REASONS:
            return Problem(status, _sentence(exc))
        case RequestDataTooBig():
            return Problem(413, "The request body is too large.")
        case SuspiciousOperation() | UnreadablePostError():
            return Problem(400, "The request could not be read.")
    log.error("A request failed", exc_info=exc)
    return Problem(500, "The server could not answer this request.")


def _faults_of_fields(exc: FieldError) -> list[dict[str, str]]:
    if not hasattr(exc, "error_dict"):
        return []
    told = exc.message_dict.items()
    return [{"pointer": f"#/{name}", "detail": one} for name, said in told for one in said]


def _sentence(exc: exceptions.APIException) -> str:
    detail = exc.detail
    return str(detail[0] if isinstance(detail, list) and detail else detail)


def _headers(exc: Exception) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers
