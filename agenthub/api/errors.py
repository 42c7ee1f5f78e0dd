"""The hub's error bodies: {"error", "message"}, and "detail" if single members are faulty."""

from __future__ import annotations

from rest_framework import exceptions

from agenthub.schemas.validation import details, message
from agenthub.wire import Wire
from compliance.http.api.errors import REASONS, ErrorHandler, Problem


def body(problem: Problem) -> Wire:
    members: Wire = {
        "error": REASONS[problem.status_code],
        "message": problem.words,
    }
    if problem.faults:
        members["detail"] = problem.faults
    return members


def _translate(exc: Exception) -> Problem | None:
    if isinstance(exc, exceptions.ValidationError):
        return Problem(400, message(exc), faults=details(exc))
    return None


handle = ErrorHandler(body, _translate)
