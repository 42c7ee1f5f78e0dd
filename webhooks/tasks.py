"""Everything the receiver does in the background."""

from __future__ import annotations

from django.conf import settings

from compliance.work import Lane, declare
from webhooks import events
from webhooks.models import Event

EVENTS = declare(
    Lane(
        events.LANE,
        Event,
        events.apply,
        together=events.apply_together,
        lease=settings.LEASE,
        batch=64,
        rush=0.032,
        threads=1,
        give_up=events.give_up,
    )
)
