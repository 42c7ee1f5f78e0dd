"""What a commit waits for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections


@contextmanager
def relaxed_durability() -> Iterator[None]:
    """Commit on SQLite without waiting for the disk.

    For writes that do no harm if a power cut loses them, because the work is then done again. The
    log of SQLite is one file: the next commit that waits for the disk saves this one, too.
    PostgreSQL waits for the disk in its own process, for many commits at once: nothing is gained.
    """
    database = connections["default"]
    # A transaction waits for the disk as a whole, so within one nothing can be changed.
    if database.vendor != "sqlite" or database.in_atomic_block:
        yield
        return
    database.ensure_connection()
    database.connection.execute("PRAGMA synchronous = NORMAL")
    try:
        yield
    finally:
        database.connection.execute("PRAGMA synchronous = FULL")
