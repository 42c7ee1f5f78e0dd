"""Settings of each new connection: of PostgreSQL for the planner, and time limits; of SQLite the mode
of its files.

Those of PostgreSQL are set by a statement. The startup parameter `options` would be shorter, but a connection pool
in front of the server may refuse it.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from django.conf import settings
from django.db.backends.base.base import BaseDatabaseWrapper

from compliance.db import clock
from compliance.db.connections import time_limits

# random_page_cost: by default a random page costs four times a sequential page, which fits hard
# disks. With that, PostgreSQL read tables completely that had grown since they were analysed, and
# prepared statements kept such plans. On an SSD both cost about the same.
# jit: compiling a plan takes longer than any statement here runs.
PLANNER = {"random_page_cost": "1.1", "jit": "off"}
# The bits of a file's mode that let others than its user read or change it.
OF_OTHERS = 0o077


def apply(connection: BaseDatabaseWrapper, **_: object) -> None:
    """A receiver of the signal connection_created."""
    if connection.vendor == "sqlite":
        _close_to_others(str(connection.settings_dict["NAME"]))
    if connection.vendor != "postgresql":
        return
    # Imported here: it loads psycopg, 9 MB in each process, and SQLite needs none of that.
    from compliance.db.connections.limited_connection import LimitedConnection

    # Django offers no setting for the class of its connections.
    connection.connection.__class__ = LimitedConnection
    values = PLANNER
    seconds = time_limits.statement_seconds()
    if seconds:
        values = {
            **PLANNER,
            "statement_timeout": f"{seconds}s",
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


def _close_to_others(path: str) -> None:
    """Let only the own user read the database: SQLite makes its files by the umask of the process."""
    for end in ("", "-wal", "-shm"):
        file = Path(f"{path}{end}")
        # SQLite removes the files beside the database with the last connection, and a database in
        # memory has none. A file of another user is theirs to close, and a disk may be read-only.
        with suppress(OSError):
            if file.stat().st_mode & OF_OTHERS:
                file.chmod(0o600)
