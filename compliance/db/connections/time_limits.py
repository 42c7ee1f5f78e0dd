"""How long statements of this process, and of single blocks of code, may take."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar

from django.db import DatabaseError, connection

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


def statement_seconds() -> int:
    """The limit of all statements of this process; 0: none."""
    return _statement_seconds


@contextmanager
def answer_within(seconds: float) -> Iterator[None]:
    """Raise OperationalError for a statement that the database has not answered within `seconds`.

    A connection is waited for as long, too. On SQLite only the wait for another writer can be that
    long.
    """
    token = _answer_seconds.set(seconds)
    usual_settings = connection.settings_dict
    usual = usual_settings["OPTIONS"].get("timeout")
    is_shorter = connection.vendor == "sqlite" and usual and usual > seconds
    try:
        if is_shorter:
            _wait_for_writers(seconds)
        if connection.vendor == "postgresql":
            # A copy: the threads of this process share the settings.
            options = {**usual_settings["OPTIONS"], "connect_timeout": int(seconds)}
            connection.settings_dict = {**usual_settings, "OPTIONS": options}
        yield
    finally:
        _answer_seconds.reset(token)
        connection.settings_dict = usual_settings
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
