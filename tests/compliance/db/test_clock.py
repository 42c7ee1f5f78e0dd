"""The time of the database as a process counts it on."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from compliance.db import clock
from reviews.jobs import case_changes
from tests import factories

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


def test_the_newest_job_of_a_case_is_the_last_one_also_of_a_machine_that_is_behind(
    monkeypatch, time_machine
):
    monkeypatch.setattr(clock, "_reading", None)
    moment = timezone.now()
    first = factories.make_job(factories.make_case())
    # What another machine notes from the database, while its own clock is three hours behind.
    time_machine.move_to(moment - timedelta(hours=3))
    clock.note(moment + timedelta(seconds=1), answered=clock.steady())
    second = factories.make_job(first.case)
    assert case_changes.lock(second).is_newest(second)
    assert not case_changes.lock(first).is_newest(first)
