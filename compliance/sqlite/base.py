"""SQLite as Django has it, but whoever finds it locked looks again sooner.

A write takes less than a millisecond here. SQLite's own busy handler sleeps for 1, 2, 5, 10 … 100
of them between two looks, so that a short wait became a long one: a third of the time of a job.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

from django.db.backends.sqlite3 import base

# Seconds between two looks, at first and at most: who waits long shall not burn the machine.
FIRST, MOST = 0.0003, 0.02


class DatabaseWrapper(base.DatabaseWrapper):
    """Waits as long as OPTIONS["timeout"] says, in seconds."""

    patience = 0.0

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        self.patience = float(conn_params["timeout"])
        connection = super().get_new_connection(conn_params)
        connection.execute("PRAGMA busy_timeout = 0")
        return connection

    def create_cursor(self, name: str | None = None) -> Any:
        cursor = self.connection.cursor(factory=_PatientCursor)
        cursor.patience = self.patience
        return cursor

    @contextlib.contextmanager
    def unsynced(self) -> Iterator[None]:
        """Commit without waiting for the disk: for what may be lost with the power, and nothing else.

        The log is one file: what is committed later, and waits for the disk, takes this with it.
        """
        if self.in_atomic_block:  # which waits for the disk as a whole
            yield
            return
        self.ensure_connection()
        self.connection.execute("PRAGMA synchronous = NORMAL")
        try:
            yield
        finally:
            self.connection.execute("PRAGMA synchronous = FULL")


@lru_cache(maxsize=1024)
def _native(query: str) -> str:
    return base.FORMAT_QMARK_REGEX.sub("?", query).replace("%%", "%")


class _PatientCursor(base.SQLiteCursorWrapper):
    patience = 0.0

    def execute(self, query: str, params: Any = None) -> Any:
        return self._patiently(super().execute, query, params)

    def run(self, query: str, params: Sequence[Any]) -> Any:
        """Execute a statement that comes again and again: it is put into SQLite's words once."""
        return self._patiently(partial(sqlite3.Cursor.execute, self), _native(query), params)

    def _patiently(self, execute: Callable[..., Any], query: str, params: Any) -> Any:
        end, pause = time.monotonic() + self.patience, FIRST
        while True:
            try:
                return execute(query, params)
            except sqlite3.OperationalError as exc:
                # A reader that became a writer too late would not succeed by waiting.
                is_locked = exc.sqlite_errorcode & 0xFF == sqlite3.SQLITE_BUSY
                is_late = exc.sqlite_errorcode == sqlite3.SQLITE_BUSY_SNAPSHOT
                if not is_locked or is_late or time.monotonic() > end:
                    raise
            time.sleep(pause)
            pause = min(pause * 1.2, MOST)
