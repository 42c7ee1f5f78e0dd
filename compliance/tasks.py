"""Background work of every installation."""

from __future__ import annotations

from celery import shared_task

from compliance.operation import heartbeats
from compliance.storage import orphans
from compliance.work import notify, queues


@shared_task
def sweep() -> None:
    """Wake the workers of all queues that have due rows. Celery's beat runs it.

    So a message that was lost, or a worker that was killed, only delays the work.
    """
    heartbeats.note_sweep()
    orphans.start_if_due()
    every_queue = list(queues.registered().values())
    for name in queues.due(every_queue):
        notify.at_once(name)
