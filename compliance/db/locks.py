"""Named locks of PostgreSQL, held until a transaction ends. SQLite has only one writer anyway."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections, transaction


def lock(name: str, *, using: str = "default") -> None:
    """Wait for the lock of this name, and hold it until the transaction ends."""
    database = connections[using]
    if database.vendor != "postgresql":
        return
    # Advisory locks have numbers instead of names.
    number = zlib.crc32(name.encode())
    with database.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def wait_at_most(seconds: float, *, using: str = "default") -> None:
    """Limit the wait for each lock of this transaction, instead of DATABASE_LOCK_SECONDS."""
    database = connections[using]
    if database.vendor != "postgresql":
        return
    with database.cursor() as cursor:
        limit = f"{seconds * 1000:.0f}ms"
        cursor.execute("SELECT set_config('lock_timeout', %s, true)", [limit])


@contextmanager
def one_at_a_time(name: str, *, using: str = "default") -> Iterator[None]:
    """On PostgreSQL, run the statements inside while no other process runs its own under this name."""
    if connections[using].vendor != "postgresql":
        yield
        return
    with transaction.atomic(using):
        lock(name, using=using)
        yield
