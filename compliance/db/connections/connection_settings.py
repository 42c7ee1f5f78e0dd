"""Settings of each new connection to PostgreSQL: for the planner, and time limits.

They are set by a statement. The startup parameter `options` would be shorter, but a connection pool
in front of the server may refuse it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.backends.base.base import BaseDatabaseWrapper

from compliance.db import clock

# random_page_cost: by default a random page costs four times a sequential page, which fits hard
# disks. With that, PostgreSQL read tables completely that had grown since they were analysed, and
# prepared statements kept such plans. On an SSD both cost about the same.
# jit: compiling a plan takes longer than any statement here runs.
PLANNER = {"random_page_cost": "1.1", "jit": "off"}
# The server ends a statement at its limit. If it fails to, this side ends it these seconds later.
GRACE_SECONDS = 5

# The time limit of statements of this process in seconds; 0: none. Commands, such as `migrate`,
# have none.
_statement_seconds = 0
# A shorter limit for some statements, in seconds: see answer_within().
_answer_seconds: ContextVar[float] = ContextVar("answer_seconds", default=0.0)


def limit_statements(seconds: int) -> None:
    """Limit all statements of this process to `seconds`; 0: no limit. Call it before connecting."""
    global _statement_seconds
    _statement_seconds = seconds


@contextmanager
def answer_within(seconds: float) -> Iterator[None]:
    """Raise OperationalError for a statement that the database has not answered within `seconds`.

    On SQLite only the wait for another writer can be that long.
    """
    token = _answer_seconds.set(seconds)
    usual = connection.settings_dict["OPTIONS"].get("timeout")
    is_shorter = connection.vendor == "sqlite" and usual and usual > seconds
    try:
        if is_shorter:
            _wait_for_writers(seconds)
        yield
    finally:
        _answer_seconds.reset(token)
        if is_shorter:
            _wait_for_writers(usual)


def _wait_for_writers(seconds: float) -> None:
    """How long this connection waits for the write lock of SQLite."""
    # Without a connection there is nothing to set: whoever uses it next learns of the error.
    with suppress(DatabaseError), connection.cursor() as cursor:
        cursor.execute(f"PRAGMA busy_timeout = {int(seconds * 1000)}")


def answer_seconds() -> float:
    """How long this thread waits for the answer to a statement; 0: for ever."""
    seconds = _answer_seconds.get()
    if not seconds and _statement_seconds:
        seconds = _statement_seconds + GRACE_SECONDS
    return seconds


def apply(connection: BaseDatabaseWrapper, **_: object) -> None:
    """A receiver of the signal connection_created."""
    if connection.vendor != "postgresql":
        return
    # Imported here: it loads psycopg, 9 MB in each process, and SQLite needs none of that.
    from compliance.db.connections.limited_connection import LimitedConnection

    # Django offers no setting for the class of its connections.
    connection.connection.__class__ = LimitedConnection
    values = PLANNER
    if _statement_seconds:
        values = {
            **PLANNER,
            "statement_timeout": f"{_statement_seconds}s",
            "lock_timeout": f"{settings.DATABASE_LOCK_SECONDS}s",
        }
    parts = [
        f"set_config('{name}', '{value}', false)" for name, value in values.items()
    ]
    # One statement for everything, because each takes a round trip when a connection opens.
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {clock.SQL}, {', '.join(parts)}")
        moment = cursor.fetchone()[0]
    clock.note(moment, answered=clock.steady())
