"""What a new connection tells PostgreSQL's planner, and that a table is then read by its index."""

from __future__ import annotations

import pytest
from django.db import connection

from agenthub.tasks import DELIVERIES

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        connection.vendor != "postgresql", reason="only PostgreSQL is told"
    ),
]


def test_a_connection_is_told_of_the_disk():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT current_setting('random_page_cost'), current_setting('jit')"
        )
        assert cursor.fetchone() == ("1.1", "off")


def test_a_look_for_work_reads_no_table_as_a_whole():
    """Also where the table is new, so that nobody has analysed it."""
    with connection.cursor() as cursor:
        # Autovacuum may have analysed the few rows of other tests, of which a whole page is read.
        cursor.execute(
            "UPDATE pg_class SET reltuples = -1, relpages = 0"
            " WHERE relkind = 'r' AND relname LIKE 'agenthub_%'"
        )
        cursor.execute(
            "DELETE FROM pg_statistic WHERE starelid IN"
            " (SELECT oid FROM pg_class WHERE relname LIKE 'agenthub_%')"
        )
        cursor.execute(f"EXPLAIN {DELIVERIES.due_sql}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "Index" in plan
    assert "Seq Scan" not in plan
