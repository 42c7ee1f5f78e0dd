"""The SLA: how soon a case is due, depending on its agent and its risk.

Rule owners set the clocks. If several clocks fit a case, the shortest counts.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.apps import AppConfig
from django.utils.timezone import now

from reviews.models import Case, Clock
from reviews.models.fields import DUE

# The clocks of a new installation: name, minutes, lowest risk that the clock applies to.
FIRST_CLOCKS = (("Every case", 24 * 60, 0), ("Something speaks against it", 4 * 60, 1))


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Create the first clocks if there are none. Connected to post_migrate."""
    if Clock.objects.exists():
        return
    for name, minutes, risk in FIRST_CLOCKS:
        Clock.objects.create(name=name, minutes=minutes, risk=risk)


def due(case: Case, *, risk: int, since: datetime | None = None) -> datetime:
    """When the case must be decided, counted from its submission, or from `since` after an
    alarm.

    `risk` is the number of findings against the case.
    """
    time_left = _shortest(case, risk)
    if time_left is None:
        time_left = DUE
    # An unsaved case has no time of submission.
    submission: datetime | None = case.created_at
    return (since or submission or now()) + time_left


def _shortest(case: Case, risk: int) -> timedelta | None:
    clocks = Clock.objects.filter(is_active=True, risk__lte=risk).order_by("minutes")
    # Ordered by duration, so the first one that fits is the shortest.
    for clock in clocks:
        if clock.agent_id in {None, case.agent_id}:
            return timedelta(minutes=clock.minutes)
    return None
