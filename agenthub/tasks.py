"""The hub's background work: for each kind a queue of rows and a Celery task.

A task claims due rows and handles them. It may run twice, anywhere, at any time.
"""

from __future__ import annotations

from celery import shared_task
from django.conf import settings

from agenthub.batches import processing
from agenthub.deliveries import sending
from agenthub.documents import uploads
from agenthub.jobs import examination, lifecycle, rescreening
from agenthub.models import Account, AgentJob, Delivery, JobBatch, Upload
from agenthub.models.lists import (
    HeldVersion,
    ListRefresh,
    ListReindex,
    Rescreening,
)
from agenthub.screening import held, loading, refreshing, reindexing
from compliance.work.fairness import FairShare
from compliance.work.queues import WorkQueue, register

# Fair scheduling: bulk jobs give way to urgent ones, and accounts alternate by their shares.
BY_ACCOUNT = FairShare("account", share="share", bulk="is_bulk")
# An SQL condition: the account of the row is open. A closed one is no client: nothing is examined for
# it, and no personal data leave for its addresses. Its rows keep their place until it is open again.
# A scalar query, because PostgreSQL makes a join of any other, and then reads whole tables.
_IS_OPEN = (
    f"(SELECT open.is_active FROM {Account._meta.db_table} open"  # noqa: S608
    " WHERE open.id = {account})"
)
OF_OPEN_ACCOUNT = _IS_OPEN.format(account="account_id")
# Deliveries of a version without the column have no account of their own: that of the job counts.
# The columns of jobs get other names, because jobs have a column job_id themselves.
_OF_JOB = (
    "SELECT job.owner FROM"  # noqa: S608
    f" (SELECT id AS key, account_id AS owner FROM {AgentJob._meta.db_table}) job"
    " WHERE job.key = job_id"
)
OF_JOB_OF_OPEN_ACCOUNT = _IS_OPEN.format(account=f"COALESCE(account_id, ({_OF_JOB}))")

JOBS = register(
    WorkQueue(
        lifecycle.QUEUE,
        AgentJob,
        lifecycle.advance,
        lease=settings.LEASE,
        concurrency=6,  # most of them for jobs that wait for a response
        condition=f"reads_documents = FALSE AND {OF_OPEN_ACCOUNT}",
        fair_share=BY_ACCOUNT,
        on_exhausted=lifecycle.give_up,
        max_failures=5,
    )
)
DOCUMENTS = register(
    WorkQueue(
        lifecycle.DOCUMENTS_QUEUE,
        AgentJob,
        lifecycle.advance,
        lease=settings.LEASE,
        # More than READERS, because some jobs wait for a file instead of reading.
        concurrency=examination.READERS + 4,
        condition=f"reads_documents = TRUE AND {OF_OPEN_ACCOUNT}",
        fair_share=BY_ACCOUNT,
        # Two slow documents of one account leave as many threads to the others.
        spare_threads=2,
        on_exhausted=lifecycle.give_up,
        max_failures=5,
    )
)
# The deliveries of one job are sent in their order; those of different jobs in parallel.
DELIVERIES = register(
    WorkQueue(
        sending.QUEUE,
        Delivery,
        sending.send,
        batch_handler=sending.send_together,
        lease=settings.LEASE,
        batch_size=16,
        concurrency=4,
        group_by="job_id",
        condition=OF_JOB_OF_OPEN_ACCOUNT,
        fair_share=FairShare("account", share="share"),
    )
)
BATCHES = register(
    WorkQueue(
        processing.QUEUE,
        JobBatch,
        processing.advance,
        lease=settings.LEASE,
        on_exhausted=processing.give_up,
        max_failures=5,
    )
)
RESCREENING = register(
    WorkQueue(
        loading.QUEUE,
        Rescreening,
        rescreening.perform,
        lease=settings.LEASE,
        on_exhausted=rescreening.give_up,
    )
)
UPLOADS = register(
    WorkQueue(
        uploads.QUEUE, Upload, uploads.expire, lease=settings.LEASE, batch_size=20
    )
)
REFRESHES = register(
    WorkQueue(refreshing.QUEUE, ListRefresh, refreshing.perform, lease=refreshing.LEASE)
)
REINDEXES = register(
    WorkQueue(
        reindexing.QUEUE,
        ListReindex,
        reindexing.perform,
        lease=reindexing.LEASE,
        condition=reindexing.IS_STALE,
        on_exhausted=reindexing.give_up,
    )
)
RELEASES = register(
    WorkQueue(
        held.QUEUE,
        HeldVersion,
        loading.load_held,
        lease=held.LEASE,
        on_exhausted=held.give_up,
    )
)


@shared_task
def run_jobs() -> None:
    """Run the checks of jobs that bring no documents."""
    JOBS.drain()


@shared_task
def run_document_jobs() -> None:
    """Run the checks of jobs that bring documents, which are read in processes of their own."""
    DOCUMENTS.drain()


@shared_task
def send_deliveries() -> None:
    """Send the hub's webhooks, and try again those that failed."""
    DELIVERIES.drain()


@shared_task
def advance_batches() -> None:
    """Make the jobs of batches, and end batches whose jobs have ended."""
    BATCHES.drain()


@shared_task
def rescreen() -> None:
    """Screen known subjects against the entries of a list that are new or changed."""
    RESCREENING.drain()


@shared_task
def expire_uploads() -> None:
    """Remove uploaded documents whose time is over."""
    UPLOADS.drain()


@shared_task
def refresh_lists() -> None:
    """Fetch and load the lists whose next look is due."""
    REFRESHES.drain()


@shared_task
def reindex_lists() -> None:
    """Index the lists again that an older engine has indexed."""
    REINDEXES.drain()


@shared_task
def release_held_versions() -> None:
    """Load the held versions of lists that a person released."""
    RELEASES.drain()
