"""One handler, one shape: {"error", "message"} and, where members are to blame, "detail"."""

from __future__ import annotations

import logging
import math
from collections.abc import Mapping
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.views import set_rollback

from agenthub.schemas.validation import details, message
from compliance.http import unavailable
from compliance.http.json_bodies import TooLarge, Unreadable
from compliance.http.responses import REASONS
from compliance.storage import stored_files

log = logging.getLogger(__name__)


def handle(exc: Exception, context: Mapping[str, Any]) -> Response:
    """The answer to any exception of a view. Every view of the hub has this handler."""
    set_rollback()
    exc = _as_api_exception(exc)
    body: dict[str, Any] = {"error": REASONS[exc.status_code], "message": message(exc)}
    if isinstance(exc, exceptions.ValidationError):
        body["detail"] = details(exc)
    return Response(body, status=exc.status_code, headers=_headers(exc))


def _as_api_exception(exc: Exception) -> exceptions.APIException:
    if outage := unavailable.outage_of(exc):
        log.error("A request failed: %s", outage.heading, exc_info=exc)
        return _Unavailable(outage.status, outage.message)
    match exc:
        case exceptions.APIException(status_code=status) if status in REASONS:
            return exc
        case RequestDataTooBig():
            return TooLarge()
        case SuspiciousOperation() | UnreadablePostError():
            return Unreadable("The request could not be read.", code="unreadable")
        case stored_files.StoredError(status=status):
            return _Unavailable(status, str(exc))
    log.error("A request failed", exc_info=exc)
    return exceptions.APIException("The server could not answer this request.")


class _Unavailable(exceptions.APIException):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status_code = status
        self.wait = unavailable.RETRY_SECONDS


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers
