"""The response where the disk is full or the database cannot be used, for every interface.

The pages respond by `server_error`, the two REST interfaces by their error handlers, and the
receiver of webhooks by its view. All of them call `outage_of` here.
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
from django.views import defaults

from compliance.storage import stored_files
from compliance.storage.atomic_files import DISK_FULL

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

# When it is worth sending the same request again.
RETRY_SECONDS = 60


@dataclass(frozen=True, eq=False)
class Outage:
    """Compared by identity: the texts differ by the language of the request."""

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

# Result codes of SQLite: an extended code, or the primary code, which is its last byte.
SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    # Where a quota or a limit for the size of files ends a write, SQLite reports these.
    sqlite3.SQLITE_IOERR_WRITE: FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: FULL,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_IOERR: NO_DATABASE,
    sqlite3.SQLITE_CANTOPEN: NO_DATABASE,
    # Another process wrote for longer than the timeout of settings.DATABASES.
    sqlite3.SQLITE_BUSY: NO_DATABASE,
}
# SQLSTATE, https://www.postgresql.org/docs/current/errcodes-appendix.html
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
    """The outage that an exception, or one of its causes, reports. None: it is another error."""
    for error in _causes(exc):
        match error:
            case stored_files.NotWritableError(status=status):
                heading = FULL.heading if status == FULL.status else READ_ONLY.heading
                return Outage(status, heading, str(error))
            case DatabaseError():
                return _of_database(error)
            case OSError(errno=number) if number in DISK_FULL:
                return FULL
        # Redis' client takes 6 MiB, and is loaded only where it is used.
        if type(error).__module__ == "redis.exceptions":
            return NO_CACHE
    return None


def server_error(request: HttpRequest) -> HttpResponse:
    """handler500: the page for an exception that nothing else has handled.

    It is not a middleware: Django's own CSRF middleware is the first to read an upload, and the
    exception of one middleware reaches no other.
    """
    exc = sys.exception()
    outage = outage_of(exc) if exc else None
    if outage is None:
        return defaults.server_error(request)
    # Without the request: its context processors may read the database.
    page = render_to_string("unavailable.html", {"outage": outage})
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return HttpResponse(page, status=outage.status, headers=headers)


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The exception, and those that it was raised from, each once."""
    seen: set[int] = set()
    cause: BaseException | None = exc
    # `raise exc from exc` makes an exception its own cause.
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


def _of_database(error: DatabaseError) -> Outage | None:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        return SQLITE.get(code) or SQLITE.get(code & 0xFF)
    # An error of psycopg. It has no SQLSTATE where the server did not answer.
    state = getattr(cause, "sqlstate", "")
    if state is None and isinstance(error, OperationalError):
        return NO_DATABASE
    return POSTGRESQL.get(state)
