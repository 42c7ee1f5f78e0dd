"""The time of the database as a process counts it on."""

from __future__ import annotations

import time

import pytest
from django.db import connection

from compliance.db import clock

pytestmark = pytest.mark.django_db


def late(execute, sql, params, many, context):
    """Each statement is on its way for a moment before the database reads it."""
    time.sleep(0.3)
    return execute(sql, params, many, context)


def test_the_time_is_never_ahead_of_the_database():
    if connection.vendor != "postgresql":
        pytest.skip("SQLite has the clock of this machine")
    with connection.execute_wrapper(late):
        clock.skew()
    counted = clock.now()
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {clock.SQL}")
        [moment] = cursor.fetchone()
    assert counted < moment
