"""How soon a case is due: the shortest of the clocks that fit it, by agent and by risk."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.apps import AppConfig
from django.utils.timezone import now

from compliance.db import fast_sql
from reviews.models import Case, Clock
from reviews.models.fields import DUE

FIRST = (("Every case", 24 * 60, 0), ("Something speaks against it", 4 * 60, 1))


def ensure(sender: AppConfig | None = None, **_: object) -> None:
    """Give an installation that has none its first clocks. Connected to post_migrate."""
    if not Clock.objects.exists():
        Clock.objects.bulk_create(
            Clock(name=name, minutes=minutes, risk=risk) for name, minutes, risk in FIRST
        )


def due(case: Case, *, risk: int, since: datetime | None = None) -> datetime:
    """When the case should be decided, counted from its submission, or from an alarm at `since`."""
    minutes = min(
        (
            clock.minutes
            for clock in fast_sql.fetch_models(Clock, is_active=True)
            if clock.agent_id in {None, case.agent_id} and clock.risk <= risk
        ),
        default=None,
    )
    began: datetime | None = since or case.created_at  # none where the case is not saved yet
    return (began or now()) + (DUE if minutes is None else timedelta(minutes=minutes))
