"""A later time, for this machine and for what it knows of the database's clock."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

import time_machine
from django.utils.timezone import now

from compliance.db import clock


def _agree() -> None:
    clock.note(now(), answered=clock.steady())


@contextmanager
def travel(moment: datetime) -> Iterator[None]:
    """From `moment` on. A connection that is opened meanwhile brings the true time back."""
    try:
        with time_machine.travel(moment):
            _agree()
            yield
    finally:
        _agree()
