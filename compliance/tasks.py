"""What every installation does in the background."""

from __future__ import annotations

from celery import shared_task

from compliance.storage import orphans
from compliance.work import notify, queues


@shared_task
def sweep() -> None:
    """Wake the workers of all queues that have due rows: what a lost message or a killed worker
    left behind. Celery's beat runs it."""
    orphans.start_if_due()
    for name in queues.due(list(queues.registered().values())):
        notify.at_once(name)
