"""The time of the database, by which all machines agree on what is due and whose lease has ended.

The clocks of machines differ. A row that one machine makes due "now" by its own clock would be due
later, or too early, for the others. So each new connection to PostgreSQL notes how far the clock of
this machine is from the server's, and `now()` counts from there. It costs no statement.

SQLite is on this machine: its clock is this machine's.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connections
from django.utils import timezone

# A part of the first statement of a connection (see connection_settings.py).
SQL = "clock_timestamp()"
# Counts on while a machine sleeps, and no change of the system's time touches it.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class _Reading(NamedTuple):
    database: datetime
    steady: float  # seconds of the steady clock at the same moment


_reading: _Reading | None = None


def steady() -> float:
    """Seconds that only count up. Two readings are compared, one says nothing."""
    return time.clock_gettime(_STEADY)


def note(database: datetime, *, answered: float) -> None:
    """Note the database's time, whose answer was here at a moment of the steady clock.

    The database read its clock before that, so `now()` may be late by the way of the answer, and is
    never ahead: a row that is due now would else not be due yet in the next statement.
    """
    global _reading
    _reading = _Reading(database, answered)


def now() -> datetime:
    """The database's time. Until this process has connected to it, the time of this machine."""
    reading = _reading
    if reading is None:
        return timezone.now()
    return reading.database + timedelta(seconds=steady() - reading.steady)


def skew() -> timedelta:
    """How far the clock of this machine is ahead of the database's, measured now.

    Raises DatabaseError where the database cannot be reached.
    """
    database = connections["default"]
    if database.vendor != "postgresql":
        return timedelta()
    started = steady()
    with database.cursor() as cursor:
        cursor.execute(f"SELECT {SQL}")
        moment: datetime = cursor.fetchone()[0]
    answered = steady()
    here = timezone.now()
    note(moment, answered=answered)
    # The database most likely read its clock halfway.
    return here - moment - timedelta(seconds=(answered - started) / 2)
