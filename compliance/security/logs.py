"""Log formatters: a line says when, who and in which request, without personal data or credentials.

Messages of exceptions repeat data: a database quotes the values of a row, a parser its input.
Personal data must not reach the logs, so tracebacks are written without messages. Parts of paths
that are credentials by themselves (links to documents, uploads and forms) are replaced in every
line.
"""

from __future__ import annotations

import json
import logging
import re
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from types import TracebackType
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest

from compliance.http import counters, request_ids
from compliance.http.callers import address_of
from compliance.http.responses import hidden_characters
from compliance.tracing import spans

# The most exceptions of a chain that are written: distant causes add little.
MAX_CAUSES = 5
# Paths whose last part is a credential. Only the part before it is logged.
_LINKS = re.compile(
    r"(/requests/|/apply/|/documents/[^/\s]+/file/|/api/v1/uploads/[^/\s]+/|/api/v1/batches/"
    r"|/account/password/reset/key/|/account/password/(?=open/#))[^\s\"'?#<>)]+"
    r"(?:#[^\s\"'<>)]+)?"
)
_REMOVED = r"\1[removed]"
# Django's loggers of refused requests, and the one of refused forms.
_SECURITY = "django.security."
_CSRF = "django.security.csrf"
# A part of a URL pattern: "<int:pk>".
_PART = re.compile(r"<(?:\w+:)?(\w+)>")


def without_links(text: str) -> str:
    """The text with the credentials in paths replaced."""
    return _LINKS.sub(_REMOVED, text)


def context() -> dict[str, str]:
    """The context of a log line: trace, request, user, and the caller's digest or address."""
    values = {}
    if trace := spans.current_trace():
        values["trace"] = trace
    request = request_ids.current()
    if request is None:
        return values
    values |= {"request": request_ids.current_id(), "from": _source(request)}
    # Use only a user that is loaded already: a log line must not query the database, so a lazy
    # object is not evaluated. The user of a token comes first: the token acts, whoever owns the
    # session.
    for user in (request.__dict__.get("user"), getattr(request, "_cached_user", None)):
        # An anonymous user, or one that is not loaded, has another type.
        if user is not None and type(user).__name__ == "User":
            values["user"] = str(user.pk)
            break
    return values


def _source(request: HttpRequest) -> str:
    address = address_of(request)
    if settings.LOG_ADDRESSES:
        return address
    # Eight digits are enough to recognise a caller in a log.
    return counters.digest(address)[:8]


def _leave_out_data(record: logging.LogRecord) -> None:
    """Leave what callers and exceptions wrote out of the lines of Django and Celery."""
    _leave_out_exception(record)
    _leave_out_address(record)
    if record.name == _CSRF:
        return
    if record.name.startswith(_SECURITY) and not record.args:
        # The line is the message of an exception, for example with the Host that a caller sent.
        record.msg = record.name.removeprefix(_SECURITY)


def _leave_out_address(record: logging.LogRecord) -> None:
    """Write the URL pattern instead of the path, and no address that a caller sent."""
    request, values = getattr(record, "request", None), record.args
    if not isinstance(request, HttpRequest) or not isinstance(values, tuple):
        return
    shown: list[object] = []
    for value in values:
        if value == request.path:
            shown.append(_page_of(request))
        elif record.name == _CSRF:
            # Behind the dash Django writes the address.
            shown.append(str(value).partition(" - ")[0])
        else:
            shown.append(value)
    record.args = tuple(shown)


def _page_of(request: HttpRequest) -> str:
    """The pattern of the URL with its numbers. People type anything into the address of a page."""
    match = request.resolver_match
    if match is None:
        return "an address without a page"
    numbers = {}
    for name, value in match.kwargs.items():
        if isinstance(value, int | UUID):
            numbers[name] = str(value)
    path = _PART.sub(lambda part: numbers.get(part[1], part[0]), match.route)
    return f"/{path}"


def _leave_out_exception(record: logging.LogRecord) -> None:
    """Leave the message of an exception out of the values of a record."""
    values = record.args
    # Celery writes the exception of a task into its line: "Task x raised unexpected: ValueError('Jane Doe')".
    if isinstance(values, Mapping) and "exc" in values:
        error, _, _ = str(values["exc"]).partition("(")
        record.args = {**values, "exc": error}


class Formatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        _leave_out_data(record)
        pairs = " ".join(f"{name}={value}" for name, value in context().items())
        record.context = f" ({pairs})" if pairs else ""
        return hidden_characters.show(without_links(super().format(record)))

    def formatTime(  # noqa: N802 - logging's name
        self, record: logging.LogRecord, datefmt: str | None = None
    ) -> str:
        """With the time zone, because lines of several machines are read together."""
        return _moment(record)

    def formatException(  # noqa: N802 - logging's name
        self,
        ei: tuple[type[BaseException], BaseException, TracebackType | None]
        | tuple[None, None, None],
    ) -> str:
        parts: list[str] = []
        exc: BaseException | None = ei[1]
        while exc is not None and len(parts) < MAX_CAUSES:
            frames = "".join(traceback.format_tb(exc.__traceback__))
            error = type(exc)
            parts.append(f"{frames}{error.__module__}.{error.__qualname__}")
            exc = _cause(exc)
        return "\n… after:\n".join(parts)


def _cause(exc: BaseException) -> BaseException | None:
    """The exception that Python would show before this one."""
    if exc.__cause__ is not None:
        return exc.__cause__
    # `raise … from None` hides the context.
    if exc.__suppress_context__:
        return None
    return exc.__context__


def _moment(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC).astimezone()
    return moment.isoformat(timespec="milliseconds")


class JsonFormatter(Formatter):
    """One JSON object per line, for programs."""

    def format(self, record: logging.LogRecord) -> str:
        _leave_out_data(record)
        row: dict[str, object] = {
            "time": _moment(record),
            "level": record.levelname,
            "logger": record.name,
            "message": hidden_characters.show(without_links(record.getMessage())),
            **context(),
        }
        if record.exc_info:
            row["error"] = without_links(self.formatException(record.exc_info))
        return json.dumps(row, ensure_ascii=False)
