"""The time of the database, by which all machines agree on due times and leases.

The clocks of machines differ. A row that one machine makes due "now" by its own clock would be due
late or early for the others. So each new connection to PostgreSQL notes the difference between the
server's clock and this machine's, and `now()` computes with it. It costs no statement.

SQLite is on this machine and uses its clock.
"""

from __future__ import annotations

import time
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connections
from django.utils import timezone

# Part of the first statement of a connection (see connection_settings.py).
SQL = "clock_timestamp()"
# This clock also counts while the machine sleeps, and is not affected by changes of the system
# time.
_STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


# A time of the database, and when this process received it.
class _Reading(NamedTuple):
    database: datetime
    steady: float  # seconds of the steady clock at the same moment


_reading: _Reading | None = None


def steady() -> float:
    """Seconds that only increase. Only the difference of two readings has a meaning."""
    return time.clock_gettime(_STEADY)


def note(database: datetime, *, answered: float) -> None:
    """Note the database's time; `answered` is the steady clock when its answer arrived.

    The database read its clock before that, so `now()` may be late by the network delay but is
    never ahead. If it were ahead, a row that is due now would not be due in the next statement.
    """
    global _reading
    _reading = _Reading(database, answered)


def now() -> datetime:
    """The database's time.

    Before the first connection of this process: the time of this machine.
    """
    reading = _reading
    if reading is None:
        return timezone.now()
    return reading.database + timedelta(seconds=steady() - reading.steady)


def skew() -> timedelta:
    """How far this machine's clock is ahead of the database's, measured now.

    Raises DatabaseError if the database cannot be reached.
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
    # Use the fresh reading for now() as well.
    note(moment, answered=answered)
    # Assume that the database read its clock halfway through the exchange.
    return here - moment - timedelta(seconds=(answered - started) / 2)
