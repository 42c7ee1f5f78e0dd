"""Background work of every installation."""

from __future__ import annotations

from celery import shared_task
from celery.signals import worker_shutting_down

from compliance.operation import heartbeats
from compliance.storage import orphans
from compliance.work import isolation, notify, queues


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


@worker_shutting_down.connect
def give_rows_back(**_: object) -> None:
    """Give rows back that this process handles, and claim no others.

    It reaches the threads of the worker of documents. The processes of a pool end by DRAIN_SECONDS.
    """
    isolation.stop()
