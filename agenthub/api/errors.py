"""One handler, one shape: {"error", "message"} and, where members are to blame, "detail"."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from django.core.exceptions import RequestDataTooBig, SuspiciousOperation
from django.http import UnreadablePostError
from rest_framework import exceptions
from rest_framework.response import Response
from rest_framework.settings import api_settings
from rest_framework.views import set_rollback

from compliance import stored, unavailable
from compliance.answers import REASONS
from compliance.bodies import TooLarge, Unreadable

log = logging.getLogger(__name__)

# The members to blame that are told at once: a huge body may break the schema a million times.
MOST_DETAILS = 100

Loc = tuple[str | int, ...]


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
        case stored.StoredError(status=status):
            return _Unavailable(status, str(exc))
    log.error("A request failed", exc_info=exc)
    return exceptions.APIException("The server could not answer this request.")


class _Unavailable(exceptions.APIException):
    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status_code = status
        self.wait = unavailable.RETRY_SECONDS


def message(exc: exceptions.APIException) -> str:
    """What is wrong, in one sentence: the first of what a validation found."""
    if not isinstance(exc, exceptions.ValidationError):
        return str(exc.detail)
    loc, first = next(_errors(exc.detail), ((), exceptions.ErrorDetail("")))
    return f"{'.'.join(map(str, loc))}: {first}" if loc else str(first)


def details(exc: exceptions.ValidationError) -> list[dict[str, Any]]:
    """Where it does not fit, in what way, and the short name of that: at most MOST_DETAILS."""
    return [
        {
            "loc": list(loc),
            "msg": str(error),
            "type": "missing" if error.code == "required" else error.code,
        }
        for loc, error in islice(_errors(exc.detail), MOST_DETAILS)
    ]


def _errors(found: Any, loc: Loc = ()) -> Iterator[tuple[Loc, exceptions.ErrorDetail]]:
    """The leaves of the tree that validation leaves behind, with their places."""
    if isinstance(found, exceptions.ErrorDetail):
        yield loc, found
    elif isinstance(found, Mapping):
        for name, inner in found.items():
            of_whole = name == api_settings.NON_FIELD_ERRORS_KEY
            yield from _errors(inner, loc if of_whole else (*loc, name))
    else:
        for inner in found:
            yield from _errors(inner, loc)


def _headers(exc: exceptions.APIException) -> dict[str, str]:
    headers = {}
    if challenge := getattr(exc, "auth_header", None):
        headers["WWW-Authenticate"] = challenge
    if (wait := getattr(exc, "wait", None)) is not None:
        headers["Retry-After"] = str(math.ceil(wait))
    return headers
