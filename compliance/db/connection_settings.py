"""What PostgreSQL's planner is told of the disk, by each new connection.

Not by the startup parameter `options`, which a pool in front of the server may refuse.
"""

from __future__ import annotations

from django.db.backends.base.base import BaseDatabaseWrapper

# By its own idea a page out of order costs four pages in order, as it did on disks that turned. So
# it read whole tables that had grown since somebody analysed them, and prepared statements went on
# doing so. To compile a plan costs more than any statement here takes.
TOLD = "SELECT set_config('random_page_cost', '1.1', false), set_config('jit', 'off', false)"


def tell(connection: BaseDatabaseWrapper, **_: object) -> None:
    """Connected to connection_created."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(TOLD)
