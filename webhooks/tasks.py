"""What the receiver does in the background: a queue of rows and the Celery task that works it."""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from compliance.work.queues import WorkQueue, register
from webhooks import events
from webhooks.models import Event

EVENTS = register(
    WorkQueue(
        events.QUEUE,
        Event,
        events.apply,
        batch_handler=events.apply_together,
        lease=settings.LEASE,
        batch_size=64,
        on_exhausted=events.report_unreadable,
    )
)


@shared_task
def apply_events() -> None:
    """Apply the webhooks that were received to their jobs and cases."""
    EVENTS.drain()
