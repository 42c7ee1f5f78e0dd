"""Responses for outages: the disk is full, or the database or the cache is unavailable.

Pages use `server_error`, the two REST interfaces their error handlers, and the receiver of webhooks
its view. All of them call `outage_of`.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.translation import gettext_lazy as _

from compliance.http.responses import error_pages
from compliance.storage import stored_files
from compliance.storage.atomic_files import DISK_FULL

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
NO_CACHE = Outage(
    503,
    _("The cache is not available"),
    _("Redis cannot be used now, and this needs it. Try again in a minute."),
)

# SQLite result codes. The last byte of an extended code is the primary code.
SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    # SQLite reports these if a quota or a file size limit stops a write.
    sqlite3.SQLITE_IOERR_WRITE: FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: NO_DATABASE,
    sqlite3.SQLITE_CANTOPEN: NO_DATABASE,
    # Another process held the write lock for longer than the timeout in settings.DATABASES.
    sqlite3.SQLITE_BUSY: TOO_SLOW,
}
# SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRESQL = {
    "53100": FULL,  # disk_full
    "25006": READ_ONLY,  # read_only_sql_transaction
    "53300": NO_DATABASE,  # too_many_connections
    "57P01": NO_DATABASE,  # admin_shutdown
    "57P02": NO_DATABASE,  # crash_shutdown
    "57P03": NO_DATABASE,  # cannot_connect_now
    # The limits of settings.DATABASE_STATEMENT_SECONDS and DATABASE_LOCK_SECONDS.
    "57014": TOO_SLOW,  # query_canceled
    "55P03": TOO_SLOW,  # lock_not_available
}


def outage_of(exc: BaseException) -> Outage | None:
    """The outage that an exception or one of its causes means. None: it is no outage."""
    for error in _causes(exc):
        match error:
            case stored_files.NotWritableError(status=status):
                heading = FULL.heading if status == FULL.status else READ_ONLY.heading
                return Outage(status, heading, str(error))
            case DatabaseError():
                return _of_database(error)
            case OSError(errno=number) if number in DISK_FULL:
                return FULL
        # By name: importing Redis' client takes 6 MiB, so it is loaded only where it is used.
        if type(error).__module__ == "redis.exceptions":
            return NO_CACHE
    return None


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: the page for an unhandled exception.

    It is no middleware: Django's own CSRF middleware is the first to read an upload, and an
    exception raised in one middleware does not reach `process_exception` of another.
    """
    exc = sys.exception()
    outage = outage_of(exc) if exc else None
    if outage is None:
        return error_pages.server_error(request)
    # Rendered without the request: context processors may read the unavailable database.
    page = render_to_string("unavailable.html", {"outage": outage})
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return HttpResponse(page, status=outage.status, headers=headers)


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The exception and the chain of its causes, each once."""
    seen: set[int] = set()
    cause: BaseException | None = exc
    # `raise exc from exc` makes an exception its own cause: stop at a repetition.
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


def _of_database(error: DatabaseError) -> Outage | None:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        return SQLITE.get(code) or SQLITE.get(code & 0xFF)
    # An error of psycopg. It has no SQLSTATE if the server did not answer.
    state = getattr(cause, "sqlstate", "")
    if state is None and isinstance(error, OperationalError):
        return NO_DATABASE
    return POSTGRESQL.get(state)
