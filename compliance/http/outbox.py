"""Outgoing webhooks: rows that hold the exact bytes, sent on a schedule until they are accepted.

The schedule is that of Svix: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with jitter; every attempt
sends the same bytes. The hub's webhooks and the desk's announcements use it. Each side decides what
is sent to whom, and with which headers.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar, TypeVar

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.db import clock, fast_sql
from compliance.db.durability import relaxed_durability
from compliance.db.states import move_all
from compliance.http import outbound, signatures, standard_webhooks
from compliance.tracing import spans
from compliance.tracing.spans import Kind
from compliance.work import notify, tallies, timing
from compliance.work.rows import Work

# Seconds to wait after the first, second, … failed attempt: 8 attempts in 27.6 hours. Even with the
# shortest jitter they last more than 24 hours, so a receiver may be down for a day.
SCHEDULE = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
JITTER = (0.9, 1.2)
TIMEOUT = 10.0
MAX_RESPONSE_BYTES = 2048
# In seconds. A receiver may ask for a longer wait than the schedule's, up to this.
LONGEST_WAIT = 86_400.0
# Seconds after which a batch stops and its attempts are written. A batch must end well within its
# lease: after this time, one more attempt may still take TIMEOUT.
BATCH_SECONDS = settings.LEASE.total_seconds() / 6
# Slow receivers are kept in memory: at most this many, and the oldest is dropped first.
MAX_SLOW = 1000
# The error of an attempt that was not made, because the row cannot be trusted.
CHANGED = "Its row was changed in the database, so nothing is sent."

ANSWERED_OR_EXPLAINED = Q(http_status__isnull=False) | ~Q(error="")


class Delivery(Work):
    """One webhook to send. It is written in the same transaction as the event that it reports."""

    class Status(models.TextChoices):
        DUE = "due", _("To be sent")
        DONE = "done", _("Delivered")
        DEAD = "dead", _("Failed")

    FLOW = {Status.DUE: {Status.DONE, Status.DEAD}, Status.DEAD: {Status.DUE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.TextField()
    body = models.BinaryField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    attempts: ClassVar[Any]  # reverse relation of the subclass's foreign key

    class Meta(Work.Meta):
        abstract = True
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.pk)

    @property
    def can_be_sent_now(self) -> bool:
        """Whether it failed, or waits for its next try."""
        is_waiting = self.due_at is not None and self.due_at > clock.now()
        return self.status == self.Status.DEAD or is_waiting


class Attempt(models.Model):
    """One attempt: the response, or the error. A subclass adds the foreign key `delivery`."""

    at = models.DateTimeField(auto_now_add=True)
    http_status = models.PositiveIntegerField(null=True)
    error = models.CharField(max_length=200, blank=True)
    response = models.TextField(blank=True, help_text="The first 2 KB of the answer.")
    took_ms = models.PositiveIntegerField()

    class Meta:
        abstract = True
        ordering = ["id"]
        constraints = [
            models.CheckConstraint(
                condition=ANSWERED_OR_EXPLAINED, name="%(class)s_answered_or_explained"
            )
        ]

    def __str__(self) -> str:
        return f"{self.http_status or self.error}"

    @property
    def is_blocked(self) -> bool:
        """Whether the receiver's address is not public, and OUTBOUND_ALLOW does not name it."""
        return self.error == outbound.NOT_ALLOWED


class ChangedError(Exception):
    """Somebody has changed the row of a delivery in the database: its body or its address."""


Row = TypeVar("Row", bound=Delivery)
# Returns the headers of a delivery, signatures included. Raises OutboundError if it cannot, and
# ChangedError, also where the body cannot be decrypted. It is called before the body is read.
Headers = Callable[[Row], Mapping[str, str]]


def send_together(
    due: Sequence[Row],
    headers: Headers[Row],
    *,
    owner: Callable[[Row], str] = lambda _: "",
    parent: Callable[[Row], str] = lambda _: "",
) -> int:
    """Send due deliveries in order for at most BATCH_SECONDS. Returns how many rows were handled.

    `owner` names the owner of a delivery, such as an account. All slow receivers of one owner
    together occupy one thread, however many host names they have. `parent` returns the traceparent
    of the span that queued the delivery.

    Any response but a 2xx within 10 s is a failure and is retried; 410 is final, and so is a row that
    was changed in the database, of which nothing is sent. The results of a
    batch are written together. If the worker dies before that, the deliveries are sent again; the
    receiver must recognise the repeated bytes. A delivery that would have to wait for a slow
    receiver is postponed.
    """
    results: list[_Result] = []
    postponed: list[Row] = []
    end = time.monotonic() + BATCH_SECONDS
    for delivery in due:
        # The receiver by host and port, and the owner: either may be slow.
        names = list(filter(None, (_receiver(delivery.url), owner(delivery))))
        if not _slow_receivers.enter(names):
            postponed.append(delivery)
            continue
        start = time.monotonic()
        try:
            with spans.span(
                "send webhook",
                kind=Kind.CONSUMER,
                parent=parent(delivery),
                attributes={"delivery": str(delivery.pk), "tries": delivery.tries},
            ):
                results.append(_send(delivery, headers))
        finally:
            _slow_receivers.leave(names, seconds=time.monotonic() - start)
        if time.monotonic() > end:
            # The other rows of the batch are released, and any worker may take them.
            break
    _write_results(results)
    # Release the rows that were not tried, and leave their number of tries as it is.
    for delivery in postponed:
        delivery.complete(
            due_at=clock.now() + timedelta(seconds=timing.POSTPONE_SECONDS)
        )
    return len(results) + len(postponed)


def _receiver(url: str) -> str:
    """The receiver by host and port; "" for a URL that is not allowed: the attempt says so."""
    try:
        return outbound.parse(url).netloc
    except outbound.BlockedError:
        return ""


class _SlowReceivers:
    """Limits a slow receiver, or all receivers of its owner, to one attempt at a time.

    So the other threads stay free for other receivers. The state is per process, in memory.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # Name of a slow receiver or owner → whether an attempt to it is running.
        self._is_busy: dict[str, bool] = {}

    def enter(self, names: Sequence[str]) -> bool:
        """Begin an attempt. Returns False if another thread is waiting for one of these names."""
        with self._lock:
            if any(self._is_busy.get(name) for name in names):
                return False
            for name in names:
                if name in self._is_busy:
                    self._is_busy[name] = True
            return True

    def leave(self, names: Sequence[str], *, seconds: float) -> None:
        """End an attempt that took `seconds`.

        After a fast one the receiver no longer counts as slow.
        """
        with self._lock:
            for name in names:
                self._is_busy.pop(name, None)
                # Removing and adding it again moves the name to the end: the first is the oldest.
                if seconds > timing.SLOW_RECEIVER_SECONDS:
                    self._is_busy[name] = False
            while len(self._is_busy) > MAX_SLOW:
                oldest = next(iter(self._is_busy))
                del self._is_busy[oldest]


_slow_receivers = _SlowReceivers()


@transaction.atomic
def send_again(delivery: Delivery, *, queue: str) -> bool:
    """Make a dead delivery due again, with a full number of attempts, or one that waits for its
    next try due now. Returns False if it is neither.
    """
    notify.after_commit(queue)
    moment = clock.now()
    if delivery.move(delivery.Status.DUE, tries=0, due_at=moment, leased_until=None):
        return True
    # A worker that sends it at this moment has a lease.
    waiting = type(delivery)._default_manager.filter(
        pk=delivery.pk,
        status=delivery.Status.DUE,
        due_at__gt=moment,
        leased_until=None,
    )
    return bool(waiting.update(due_at=moment, updated_at=now()))


def signed(
    body: bytes, *, delivery_id: object, sender: str, secret: str, case_id: str | None
) -> dict[str, str]:
    """The headers of a webhook: the interface's own signatures, and Standard Webhooks.

    `case_id` is signed as well if the body names the case. The timestamp is that of this attempt.
    """
    # The database's clock: the receiver compares the time with its own clock.
    moment = clock.now()
    standard = timestamped(
        body, delivery_id=delivery_id, sender=sender, secret=secret, moment=moment
    )
    return {
        **standard,
        "X-Delivery-Id": str(delivery_id),
        "X-Delivery-Timestamp": wire_time(moment),
        **signatures.headers(body, secret, case_id=case_id),
    }


def timestamped(
    body: bytes, *, delivery_id: object, sender: str, secret: str, moment: datetime
) -> dict[str, str]:
    """The headers of a webhook with only the Standard Webhooks signature, at the time `moment`."""
    timestamp = int(moment.timestamp())
    signature = standard_webhooks.headers(str(delivery_id), timestamp, body, secret)
    return {"Content-Type": "application/json", "User-Agent": sender, **signature}


def wire_time(moment: datetime) -> str:
    """ISO 8601 in UTC with Z."""
    return moment.isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class _Result:
    """The outcome of an attempt before it is written."""

    delivery: Delivery
    attempt: Attempt
    wait: float | None  # seconds that the receiver asked for
    is_changed: bool = False  # in the database, so it is not sent

    @property
    def is_delivered(self) -> bool:
        status = self.attempt.http_status or 0
        return 200 <= status < 300


def _send(delivery: Row, headers: Headers[Row]) -> _Result:
    start = time.monotonic()
    wait = None
    is_changed = False
    attempt: Attempt = delivery.attempts.model(delivery=delivery)
    try:
        signed_headers = headers(delivery)
        response = outbound.request(
            "POST",
            delivery.url,
            data=bytes(delivery.body),
            headers=signed_headers,
            timeout=TIMEOUT,
            max_bytes=MAX_RESPONSE_BYTES,
            truncate=True,
            is_personal=True,
        )
    except outbound.OutboundError as exc:
        attempt.error = str(exc)[:200]
    except ChangedError:
        is_changed = True
        attempt.error = CHANGED
    else:
        attempt.http_status = response.status_code
        # PostgreSQL text cannot hold NUL.
        text = response.content.decode("utf-8", "replace")
        attempt.response = text.replace("\x00", "")
        wait = outbound.retry_after(response, max_seconds=LONGEST_WAIT)
    seconds = time.monotonic() - start
    attempt.took_ms = int(seconds * 1000)
    return _Result(delivery, attempt, wait, is_changed)


def _write_results(results: Sequence[_Result]) -> None:
    # A lost commit is harmless here: the deliveries would be sent again.
    with relaxed_durability(), transaction.atomic():
        fast_sql.insert([result.attempt for result in results])
        # Nearly every delivery succeeds at its first attempt: one statement updates all of those.
        done: list[Delivery] = []
        for result in results:
            if result.is_delivered and result.delivery.tries == 0:
                done.append(result.delivery)
            else:
                _write_result(result)
        move_all(done, Delivery.Status.DONE, tries=1, due_at=None, leased_until=None)
    for result in results:
        _tally(result)


def _tally(result: _Result) -> None:
    outcome = {"done": "delivered", "due": "postponed"}.get(
        result.delivery.status, "dead"
    )
    name = result.delivery._meta.model_name or ""
    seconds = result.attempt.took_ms / 1000
    tallies.add(tallies.Kind.DELIVERY, name, outcome, seconds=seconds)


def _write_result(result: _Result) -> None:
    delivery = result.delivery
    tries = delivery.tries + 1
    if result.is_delivered:
        delivery.move(Delivery.Status.DONE, tries=tries, due_at=None, leased_until=None)
        return
    # 410 Gone: the receiver will never accept it.
    is_refused = result.attempt.http_status == 410
    if is_refused or result.is_changed or tries > len(SCHEDULE):
        # Not by move(), which would end the delivery of a worker that has taken it over.
        if delivery.complete(status=Delivery.Status.DEAD, tries=tries):
            delivery.status = Delivery.Status.DEAD
        return
    seconds = SCHEDULE[tries - 1] * random.uniform(*JITTER)  # noqa: S311
    # The receiver may ask for a longer wait, but not for a shorter one.
    wait = timedelta(seconds=max(seconds, result.wait or 0))
    delivery.complete(due_at=clock.now() + wait, tries=tries)
