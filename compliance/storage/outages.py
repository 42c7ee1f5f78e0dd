"""Which errors mean that the database, a disk, the document store or the cache is away.

Nothing of them is the fault of a request or of a row of work: the same may succeed later.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from enum import Enum, auto

from django.db import DatabaseError, OperationalError

from compliance.storage.atomic_files import DISK_FULL
from compliance.storage.stored_files import StoredError


class Kind(Enum):
    FULL = auto()  # no room on a disk
    READ_ONLY = auto()  # the database takes no writes
    NO_DATABASE = auto()
    BUSY = auto()  # others held a lock of the database for too long
    TOO_SLOW = auto()  # a statement took too long; another one may not
    NO_STORE = auto()  # the document store
    NO_CACHE = auto()


# SQLite result codes. The last byte of an extended code is the primary code.
SQLITE = {
    sqlite3.SQLITE_FULL: Kind.FULL,
    # SQLite reports these if a quota or a file size limit stops a write.
    sqlite3.SQLITE_IOERR_WRITE: Kind.FULL,
    sqlite3.SQLITE_IOERR_SHMSIZE: Kind.FULL,
    sqlite3.SQLITE_READONLY: Kind.READ_ONLY,
    sqlite3.SQLITE_IOERR: Kind.NO_DATABASE,
    sqlite3.SQLITE_CANTOPEN: Kind.NO_DATABASE,
    # Another process held the write lock for longer than the timeout in settings.DATABASES.
    sqlite3.SQLITE_BUSY: Kind.BUSY,
}
# SQLSTATE codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
POSTGRESQL = {
    "53100": Kind.FULL,  # disk_full
    "53200": Kind.NO_DATABASE,  # out_of_memory
    "25006": Kind.READ_ONLY,  # read_only_sql_transaction
    "53300": Kind.NO_DATABASE,  # too_many_connections
    "57P01": Kind.NO_DATABASE,  # admin_shutdown
    "57P02": Kind.NO_DATABASE,  # crash_shutdown
    "57P03": Kind.NO_DATABASE,  # cannot_connect_now
    "57P05": Kind.NO_DATABASE,  # idle_session_timeout
    "25P03": Kind.TOO_SLOW,  # idle_in_transaction_session_timeout
    "25P04": Kind.TOO_SLOW,  # transaction_timeout
    "58030": Kind.NO_DATABASE,  # io_error
    # The limits of settings.DATABASE_STATEMENT_SECONDS and DATABASE_LOCK_SECONDS.
    "57014": Kind.TOO_SLOW,  # query_canceled
    "55P03": Kind.BUSY,  # lock_not_available
    "40P01": Kind.BUSY,  # deadlock_detected: the server ends one of those that wait
}


def of(exc: BaseException) -> tuple[Kind, BaseException] | None:
    """The outage that an exception or one of its causes means, and that exception; None: it is
    no outage.
    """
    for error in _causes(exc):
        match error:
            case StoredError(is_temporary=True):
                return Kind.NO_STORE, error
            case DatabaseError():
                kind = _of_database(error)
                return (kind, error) if kind else None
            case OSError(errno=number) if number in DISK_FULL:
                return Kind.FULL, error
        # By name: importing Redis' client takes 6 MiB, so it is loaded only where it is used.
        if type(error).__module__ == "redis.exceptions":
            return Kind.NO_CACHE, error
    return None


def is_refused_by_redis(error: Exception) -> bool:
    """Whether Redis answered and refused: it is full, or a replica. Else it may be away."""
    for base in type(error).__mro__:
        if (base.__module__, base.__name__) == ("redis.exceptions", "ResponseError"):
            return True
    return False


def _causes(exc: BaseException) -> Iterator[BaseException]:
    """The exception and the chain of its causes, each once."""
    seen: set[int] = set()
    cause: BaseException | None = exc
    # `raise exc from exc` makes an exception its own cause: stop at a repetition.
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


def _of_database(error: DatabaseError) -> Kind | None:
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        code = getattr(cause, "sqlite_errorcode", 0)
        return SQLITE.get(code) or SQLITE.get(code & 0xFF)
    # An error of psycopg. It has no SQLSTATE if the server did not answer.
    state = getattr(cause, "sqlstate", "")
    if state is None and isinstance(error, OperationalError):
        return Kind.NO_DATABASE
    # Class 08: the connection failed. A connection pool says so when it has lost the server.
    if str(state).startswith("08"):
        return Kind.NO_DATABASE
    return POSTGRESQL.get(state)
