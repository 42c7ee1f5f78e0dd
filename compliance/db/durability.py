"""Durability: whether a commit waits for the disk."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections


@contextmanager
def relaxed_durability() -> Iterator[None]:
    """Commit on SQLite without waiting for the disk.

    Use it for writes that may be lost in a power cut because the work is then done again. SQLite's
    log is one file: the next commit that waits for the disk also saves these.
    PostgreSQL waits for the disk in its own process, for many commits at once: there it has no
    effect.
    """
    database = connections["default"]
    # A transaction waits for the disk once, at its commit, so inside of one nothing can be changed.
    if database.vendor != "sqlite" or database.in_atomic_block:
        yield
        return
    database.ensure_connection()
    database.connection.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        database.connection.execute("PRAGMA synchronous = FULL")
