"""Errors of the desk's interface: problem details (RFC 9457), with a `code` for programs."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.exceptions import PermissionDenied
from django.core.exceptions import ValidationError as FieldError
from django.http import Http404
from rest_framework import exceptions

from compliance.http.api.errors import REASONS, ErrorHandler, Problem
from compliance.http.api.operations import PROBLEM
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.people.assignment import NotPossibleError
from reviews.procedures import errors as procedures
from reviews.service.client import ServiceError
from reviews.wire import JsonObject

NOT_FOUND = "There is no such thing, or it is another team's."


@contextmanager
def refusing() -> Iterator[None]:
    """Turns a ValueError, by which functions refuse invalid input, into status 422."""
    try:
        yield
    except ValueError as exc:
        raise Problem(422, str(exc), code="refused") from exc


def _body(problem: Problem) -> JsonObject:
    members: JsonObject = {
        "type": "about:blank",
        "title": REASONS[problem.status_code],
        "status": problem.status_code,
        "detail": problem.words,
        "code": problem.code,
    }
    if problem.faults:
        members["errors"] = problem.faults
    return members


def _translate(exc: Exception) -> Problem | None:
    # Other exceptions return None; the shared handler turns them into responses.
    match exc:
        case StaleError() | procedures.StaleError():
            return Problem(409, str(exc), code="stale")
        case RefusedError(faults=reasons) | procedures.RefusedError(faults=reasons):
            faults = [{"detail": reason} for reason in reasons]
            return Problem(422, str(exc), code="refused", faults=faults)
        case NotPossibleError():
            return Problem(422, str(exc), code="refused", faults=[{"detail": str(exc)}])
        case ServiceError():
            return Problem(502, str(exc))
        case FieldError():
            return Problem(422, " ".join(exc.messages), faults=_faults_of_fields(exc))
        case Http404() | exceptions.NotFound():
            return Problem(404, NOT_FOUND)
        case PermissionDenied():
            return Problem(403, str(exc) or "Your role does not allow this.")
    return None


def _faults_of_fields(exc: FieldError) -> list[dict[str, str]]:
    faults: list[dict[str, str]] = []
    if not hasattr(exc, "error_dict"):
        return faults
    for name, messages in exc.message_dict.items():
        faults += [{"pointer": f"#/{name}", "detail": message} for message in messages]
    return faults


handle = ErrorHandler(_body, _translate, media=PROBLEM)
