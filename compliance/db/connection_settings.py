"""What each new connection to PostgreSQL is set to: its planner, and how long it may take.

They are set by a statement. The startup parameter `options` would be shorter, but a connection pool
in front of the server may refuse it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import psycopg
from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper
from psycopg.pq import TransactionStatus

from compliance.db import clock

# random_page_cost: by default a page out of order costs as much as four pages in order, which is
# right for hard disks. With it, PostgreSQL read tables whole that had grown since they were
# analysed, and prepared statements kept such plans. On an SSD both cost about the same.
# jit: to compile a plan takes longer than any statement here runs.
PLANNER = {"random_page_cost": "1.1", "jit": "off"}
# So many seconds later than the server's own limit this side ends a statement: the server did not.
GRACE_SECONDS = 5

# The longest statement of this process in seconds; 0: any. Commands, such as `migrate`, have none.
_statement_seconds = 0
# A shorter wait for some statements: see answer_within().
_answer_seconds: ContextVar[float] = ContextVar("answer_seconds", default=0.0)


def limit_statements(seconds: int) -> None:
    """Let no statement of this process take longer. Called before it connects; 0: no limit."""
    global _statement_seconds
    _statement_seconds = seconds


@contextmanager
def answer_within(seconds: float) -> Iterator[None]:
    """Give up a statement that PostgreSQL has not answered in time: OperationalError."""
    token = _answer_seconds.set(seconds)
    try:
        yield
    finally:
        _answer_seconds.reset(token)


def apply(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Connected to connection_created."""
    if connection.vendor != "postgresql":
        return
    # Django offers no other way to choose the class of its connections.
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
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {clock.SQL}, {', '.join(parts)}")
        moment = cursor.fetchone()[0]
    clock.note(moment, answered=clock.steady())


class LimitedConnection(psycopg.Connection[object]):
    """A connection that waits for an answer only so long.

    The server's own limits end nothing where the server, or the network before it, has fallen
    silent. Without this, a thread would wait there for ever.
    """

    def wait(self, *args: Any, **options: Any) -> Any:
        seconds = _answer_seconds.get()
        if not seconds and _statement_seconds:
            seconds = _statement_seconds + GRACE_SECONDS
        if seconds and options.get("timeout") is None:
            options["timeout"] = seconds
        try:
            return super().wait(*args, **options)
        except psycopg.OperationalError:
            if self.pgconn.transaction_status == TransactionStatus.ACTIVE:
                # A late answer would be taken for that to the next statement.
                self.pgconn.finish()
            raise
