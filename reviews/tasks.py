"""What the desk does in the background: a queue of rows and a Celery task for each kind of work.

A task claims the rows that are due and works on them. It may run twice, anywhere, at any time.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from celery import shared_task
from django.conf import settings

from compliance.db import clock
from compliance.work.queues import WorkQueue, attempt, register
from reviews.applicants import invitations
from reviews.audit import anchor_copies, trail
from reviews.decisions.automatic import approvals
from reviews.decisions.automatic import trials as decision_trials
from reviews.decisions.policies import looks
from reviews.documents import scans, store
from reviews.imports import imports
from reviews.inbox import mails
from reviews.intake import draft_files, information_requests, request_mails
from reviews.jobs import file_scans, lifecycle, schedule
from reviews.models import (
    AnchorCopy,
    Announcement,
    AutomaticReview,
    BulkAct,
    CaseImport,
    Chain,
    DecisionTrial,
    Document,
    DraftFile,
    DueWatch,
    Erasure,
    FileScan,
    InformationRequest,
    Invitation,
    Job,
    NoticeMail,
    Organisation,
    Pause,
    PeriodicReview,
    PolicyTrial,
    RatingBatch,
    RatingState,
    RequestMail,
    RetentionRule,
)
from reviews.organisation import organisation
from reviews.people import assignment, due_messages
from reviews.periodic import dismissal_ends, opening
from reviews.periodic import schedule as review_schedule
from reviews.privacy import erasures, retention
from reviews.queue import bulk
from reviews.risk import batches, ratings, trials
from reviews.risk import schedule as rating_schedule
from reviews.service import pauses
from reviews.subscriptions import announcements

# One queue for each kind of work: its rows, and the function that works on one row. A worker
# holds a row for `lease`. If it dies, the row is claimed again after that time.
JOBS = register(
    WorkQueue(
        schedule.QUEUE,
        Job,
        lifecycle.advance,
        lease=settings.LEASE,
        # Each claim is a write to the database. Four jobs start within a second, so none of
        # them waits long for another.
        batch_size=4,
        concurrency=2,
        condition=pauses.NOT_PAUSED,
        on_exhausted=lifecycle.give_up,
    )
)
PAUSES = register(WorkQueue(pauses.QUEUE, Pause, pauses.probe, lease=settings.LEASE))
DOCUMENTS = register(
    WorkQueue(
        store.QUEUE,
        Document,
        store.prepare,
        lease=settings.LEASE,
        on_exhausted=store.mark_unreadable,
        max_failures=4,
    )
)
SCANS = register(
    WorkQueue(
        scans.QUEUE,
        FileScan,
        file_scans.perform,
        lease=scans.LEASE,
        concurrency=2,  # a slow scan must not delay the others
    )
)
TRAIL = register(
    WorkQueue(
        trail.QUEUE,
        Chain,
        trail.seal_due,
        lease=settings.LEASE,
        condition=trail.waits,
    )
)
ANCHORS = register(
    WorkQueue(
        anchor_copies.QUEUE,
        AnchorCopy,
        anchor_copies.send,
        lease=settings.LEASE,
        condition=anchor_copies.CONDITION,
    )
)
REQUESTS = register(
    WorkQueue(
        information_requests.QUEUE,
        InformationRequest,
        information_requests.expire,
        lease=settings.LEASE,
    )
)
INVITATIONS = register(
    WorkQueue(invitations.QUEUE, Invitation, invitations.expire, lease=settings.LEASE)
)
REQUEST_MAILS = register(
    WorkQueue(
        request_mails.QUEUE, RequestMail, request_mails.send, lease=settings.LEASE
    )
)
NOTICE_MAILS = register(
    WorkQueue(mails.QUEUE, NoticeMail, mails.send, lease=settings.LEASE)
)


# What the watch does each minute. Each function returns how many of its rows failed.
WATCHED: tuple[tuple[str, Callable[[str], int]], ...] = (
    ("relations that begin or end", rating_schedule.rate_changed),
    ("dismissals that end", dismissal_ends.end_due),
    ("old review dates", review_schedule.compute_old_again),
    ("cases of analysts who left", assignment.put_back),
    ("looks of people who left", looks.put_back_of_leavers),
    ("messages", due_messages.notify_all),
)


def _watch(row: DueWatch) -> None:
    """Each part whether or not another one failed. Failures are counted in the row, so that the
    page of the queues and the metrics show them.
    """
    failed = 0
    for name, part in WATCHED:
        count = attempt(due_messages.QUEUE, name, partial(part, due_messages.QUEUE))
        failed += 1 if count is None else count
        row.heartbeat(settings.LEASE)
    failures = row.failures + 1 if failed else 0
    row.complete(due_at=clock.now() + due_messages.EVERY, failures=failures)


DUE_WATCH = register(
    WorkQueue(due_messages.QUEUE, DueWatch, _watch, lease=settings.LEASE)
)
LOGOS = register(
    WorkQueue(
        organisation.QUEUE, Organisation, organisation.draw_logo, lease=settings.LEASE
    )
)
ANNOUNCEMENTS = register(
    WorkQueue(
        announcements.QUEUE,
        Announcement,
        announcements.send,
        lease=settings.LEASE,
        batch_size=4,
    )
)
BULK_ACTS = register(
    WorkQueue(
        bulk.QUEUE,
        BulkAct,
        bulk.perform,
        lease=settings.LEASE,
        on_exhausted=bulk.leave_out,
        max_failures=4,
    )
)
IMPORTS = register(
    WorkQueue(
        imports.QUEUE,
        CaseImport,
        imports.perform,
        lease=settings.LEASE,
        on_exhausted=imports.leave_out,
        max_failures=4,
    )
)
DRAFT_FILES = register(
    WorkQueue(
        draft_files.QUEUE,
        DraftFile,
        draft_files.expire,
        lease=settings.LEASE,
        batch_size=20,
    )
)
RETENTION = register(
    WorkQueue(retention.QUEUE, RetentionRule, erasures.plan_due, lease=settings.LEASE)
)
ERASURES = register(
    WorkQueue(erasures.QUEUE, Erasure, erasures.advance, lease=settings.LEASE)
)

RATINGS = register(
    WorkQueue(
        rating_schedule.QUEUE,
        RatingState,
        ratings.advance,
        lease=settings.LEASE,
        batch_size=4,
    )
)
RATING_BATCHES = register(
    WorkQueue(
        rating_schedule.BATCHES,
        RatingBatch,
        batches.advance,
        lease=settings.LEASE,
        on_exhausted=batches.read_again,
        max_failures=4,
    )
)
TRIALS = register(
    WorkQueue(trials.QUEUE, PolicyTrial, trials.advance, lease=settings.LEASE)
)
DECISION_TRIALS = register(
    WorkQueue(
        decision_trials.QUEUE,
        DecisionTrial,
        decision_trials.advance,
        lease=settings.LEASE,
    )
)
AUTOMATIC_REVIEWS = register(
    WorkQueue(
        approvals.QUEUE,
        AutomaticReview,
        approvals.advance,
        lease=settings.LEASE,
        batch_size=4,
    )
)
PERIODIC_REVIEWS = register(
    WorkQueue(
        review_schedule.QUEUE,
        PeriodicReview,
        opening.advance,
        lease=settings.LEASE,
        batch_size=4,
    )
)


@shared_task
def advance_jobs() -> None:
    """Start jobs at their service, and poll those that run or have ended."""
    JOBS.drain()


@shared_task
def probe_paused_connections() -> None:
    """Ask services that refused their key whether it works again."""
    PAUSES.drain()


@shared_task
def draw_documents() -> None:
    """Draw the pages of new documents, in a process of their own."""
    DOCUMENTS.drain()


@shared_task
def scan_files() -> None:
    """Have new files scanned for malware, before anybody gets them."""
    SCANS.drain()


@shared_task
def seal_trail() -> None:
    """Link the new lines of the audit trail into its chain of hashes."""
    TRAIL.drain()


@shared_task
def send_anchors() -> None:
    """Send the newest anchor of the audit trail elsewhere."""
    ANCHORS.drain()


@shared_task
def expire_requests() -> None:
    """Close requests for information whose time is over."""
    REQUESTS.drain()


@shared_task
def expire_invitations() -> None:
    """Close invitations whose time is over."""
    INVITATIONS.drain()


@shared_task
def send_request_mails() -> None:
    """Send applicants the links of requests, and reminders."""
    REQUEST_MAILS.drain()


@shared_task
def send_notice_mails() -> None:
    """Send people lines of their inbox by e-mail."""
    NOTICE_MAILS.drain()


@shared_task
def watch_due_cases() -> None:
    """Tell analysts of cases that are due soon or overdue; rate cases whose relations change today;
    end dismissals on their day; put back what people had who can no longer do it.
    """
    DUE_WATCH.drain()


@shared_task
def draw_logo() -> None:
    """Draw the logo of the organisation, in a process of its own."""
    LOGOS.drain()


@shared_task
def send_announcements() -> None:
    """Send the desk's own webhooks to those who subscribed."""
    ANNOUNCEMENTS.drain()


@shared_task
def perform_bulk_acts() -> None:
    """Do what a person asked for many cases at a time."""
    BULK_ACTS.drain()


@shared_task
def open_imported_cases() -> None:
    """Open the cases of a file that was confirmed; remove files that nobody confirmed."""
    IMPORTS.drain()


@shared_task
def expire_draft_files() -> None:
    """Remove files of drafts that nobody submitted."""
    DRAFT_FILES.drain()


@shared_task
def plan_erasures() -> None:
    """Plan the erasure of cases that the rules of retention let go."""
    RETENTION.drain()


@shared_task
def erase_due() -> None:
    """Erase cases, and have their services erase them, too."""
    ERASURES.drain()


@shared_task
def rate_cases() -> None:
    """Rate the cases again whose facts have changed."""
    RATINGS.drain()


@shared_task
def rate_again() -> None:
    """Rate all cases by a new risk policy, from their stored inputs."""
    # One batch a task: with thousands of them, no other task waits for long.
    RATING_BATCHES.drain(seconds=0)


@shared_task
def try_policies() -> None:
    """Try new versions of the risk policy on the ratings that there are."""
    # One part of a trial a task, as for batches of ratings.
    TRIALS.drain(seconds=0)


@shared_task
def try_decision_policies() -> None:
    """Try new versions of the decision policy on the decisions that there are."""
    DECISION_TRIALS.drain(seconds=0)


@shared_task
def approve_by_policy() -> None:
    """Approve clean cases automatically, where the decision policy says so and it is switched on."""
    AUTOMATIC_REVIEWS.drain()


@shared_task
def open_periodic_reviews() -> None:
    """Compute when approved customers are reviewed, and open the cases of reviews that are due."""
    PERIODIC_REVIEWS.drain()
