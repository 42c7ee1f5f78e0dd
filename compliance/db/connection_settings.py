"""Settings of PostgreSQL's planner for each new connection.

They are set by a statement. The startup parameter `options` would be shorter, but a connection pool
in front of the server may refuse it.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

# random_page_cost: by default a page out of order costs as much as four pages in order, which is
# right for hard disks. With it, PostgreSQL read tables whole that had grown since they were
# analysed, and prepared statements kept such plans. On an SSD both cost about the same.
# jit: to compile a plan takes longer than any statement here runs.
SQL = "SELECT set_config('random_page_cost', '1.1', false), set_config('jit', 'off', false)"


def apply(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Connected to connection_created."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(SQL)
