"""Webhooks out: rows that hold the exact bytes, tried on a schedule until they are taken.

Svix's schedule: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with jitter, the same bytes each time.
The hub's webhooks and the desk's announcements are sent by this; each side says what it sends to
whom, and who signs.
"""

from __future__ import annotations

import random
import threading
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, ClassVar
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils.timezone import now

from compliance.db import fast_sql
from compliance.db.states import move_all
from compliance.http import outbound, signatures, standard_webhooks
from compliance.work import notify
from compliance.work.rows import Work

# Seconds to wait after the first, second, … try that failed: 8 tries in 27.6 hours, and in no
# fewer than 24 however the dice fall.
SCHEDULE = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
JITTER = (0.9, 1.2)
TIMEOUT = 10.0
RESPONSE_KEPT = 2048
# A receiver may ask for more patience than the schedule has, up to so many seconds.
LONGEST_WAIT = 86_400.0
# Seconds after which a batch is settled as far as it was sent: well within its lease.
BUSY = min(5.0, settings.LEASE.total_seconds() / 6)

# A try that took so many seconds makes a receiver slow; what has to wait for it waits so long.
SLOW, ASIDE = 2.0, timedelta(seconds=5)
MOST_SLOW = 1000

ANSWERED_OR_EXPLAINED = Q(http_status__isnull=False) | ~Q(error="")


class Delivery(Work):
    """One webhook to send, written in the transaction that made it true."""

    class Status(models.TextChoices):
        DUE = "due", "To be sent"
        DONE = "done", "Delivered"
        DEAD = "dead", "Failed"

    FLOW = {Status.DUE: {Status.DONE, Status.DEAD}, Status.DEAD: {Status.DUE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.TextField()
    body = models.BinaryField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    attempts: ClassVar[Any]  # those of the subclass: the other end of its foreign key

    class Meta(Work.Meta):
        abstract = True
        ordering = ["-created_at"]

    def __str__(self) -> str:
        return str(self.pk)


class Attempt(models.Model):
    """One try to deliver: what was answered, or why nothing was. A subclass names `delivery`."""

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


# What a delivery is sent with. Raises OutboundError where it cannot be sent as it should.
Headers = Callable[[Any], Mapping[str, str]]


def send_together(
    due: Sequence[Delivery], headers: Headers, *, owner: Callable[[Any], str] = lambda _: ""
) -> int:
    """Send what is due, in order, until BUSY seconds have passed; returns how many were sent.

    `owner` names whose a delivery is: an owner of slow receivers waits for them in one thread,
    under however many names they are.

    Anything but a 2xx within 10 s is a failure and is tried again; 410 is final. What came of
    them is written at once: a worker that dies before sends them again, and a receiver keeps the
    same bytes once. What waits for a slow receiver's turn is put aside for a moment.
    """
    tried: list[_Tried] = []
    aside: list[Delivery] = []
    end = time.monotonic() + BUSY
    for delivery in due:
        slow = tuple(filter(None, (urlsplit(delivery.url).netloc, owner(delivery))))
        if not _turns.take(slow):
            aside.append(delivery)
            continue
        asked = time.monotonic()
        try:
            tried.append(_try(delivery, headers))
        finally:
            _turns.give(slow, seconds=time.monotonic() - asked)
        if time.monotonic() > end:
            break
    _settle(tried)
    for delivery in aside:
        delivery.complete(due_at=now() + ASIDE)
    return len(tried) + len(aside)


class _Turns:
    """One try at a time for a receiver, and for an owner, whose last one was slow, so that the other
    threads are left to the others. Of this process alone, and forgotten with it."""

    def __init__(self) -> None:
        self._changing = threading.Lock()
        self._is_asked: dict[str, bool] = {}  # of the slow: whether a try is under way

    def take(self, names: Sequence[str]) -> bool:
        """Returns False where somebody else is waiting for one of them."""
        with self._changing:
            if any(self._is_asked.get(name) for name in names):
                return False
            self._is_asked.update({name: True for name in names if name in self._is_asked})
            return True

    def give(self, names: Sequence[str], *, seconds: float) -> None:
        """A try is over, after so many seconds."""
        with self._changing:
            for name in names:
                self._is_asked.pop(name, None)
                if seconds > SLOW:
                    self._is_asked[name] = False
            while len(self._is_asked) > MOST_SLOW:
                del self._is_asked[next(iter(self._is_asked))]


_turns = _Turns()


@transaction.atomic
def send_again(delivery: Delivery, *, queue: str) -> bool:
    """Give a dead delivery its tries anew. Returns False where it is not dead."""
    notify.after_commit(queue)
    return delivery.move(delivery.Status.DUE, tries=0, due_at=now(), leased_until=None)


def signed(
    body: bytes, *, delivery_id: Any, sender: str, secret: str, case_id: str | None
) -> dict[str, str]:
    """The headers of a webhook of the interface, signed in its way and with the time of this try.

    `case_id` is signed where the body names the case."""
    moment = now()
    return {
        **timestamped(body, delivery_id=delivery_id, sender=sender, secret=secret, moment=moment),
        "X-Delivery-Id": str(delivery_id),
        "X-Delivery-Timestamp": wire_time(moment),
        **signatures.headers(body, secret, case_id=case_id),
    }


def timestamped(
    body: bytes, *, delivery_id: Any, sender: str, secret: str, moment: datetime
) -> dict[str, str]:
    """The headers of a webhook that is signed by Standard Webhooks alone. `moment`: of this try."""
    timestamp = int(moment.timestamp())
    return {
        "Content-Type": "application/json",
        "User-Agent": sender,
        **standard_webhooks.headers(str(delivery_id), timestamp, body, secret),
    }


def wire_time(moment: datetime) -> str:
    """ISO 8601 in UTC with Z."""
    return moment.isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True)
class _Tried:
    delivery: Delivery
    attempt: Attempt
    wait: float | None  # seconds that the receiver asked for

    @property
    def is_delivered(self) -> bool:
        return 200 <= (self.attempt.http_status or 0) < 300


def _try(delivery: Delivery, headers: Headers) -> _Tried:
    began, wait = time.monotonic(), None
    attempt: Attempt = delivery.attempts.model(delivery=delivery)
    try:
        response = outbound.request(
            "POST",
            delivery.url,
            data=bytes(delivery.body),
            headers=headers(delivery),
            timeout=TIMEOUT,
            max_bytes=RESPONSE_KEPT,
            truncate=True,
        )
    except outbound.OutboundError as exc:
        attempt.error = str(exc)[:200]
    else:
        attempt.http_status = response.status_code
        attempt.response = response.content.decode("utf-8", "replace").replace("\x00", "")
        wait = outbound.retry_after(response, max_seconds=LONGEST_WAIT)
    attempt.took_ms = int((time.monotonic() - began) * 1000)
    return _Tried(delivery, attempt, wait)


def _settle(tried: Sequence[_Tried]) -> None:
    with (
        fast_sql.relaxed_durability(),
        transaction.atomic(),
    ):  # lost with the power, they are sent again
        fast_sql.insert([each.attempt for each in tried])
        # The first try of a delivery nearly always ends it: those end in one statement.
        first: list[Delivery] = []
        for each in tried:
            if each.is_delivered and not each.delivery.tries:
                first.append(each.delivery)
            else:
                _settle_one(each)
        move_all(first, Delivery.Status.DONE, tries=1, due_at=None, leased_until=None)


def _settle_one(tried: _Tried) -> None:
    delivery, tries = tried.delivery, tried.delivery.tries + 1
    ended = {"due_at": None, "leased_until": None}
    if tried.is_delivered:
        delivery.move(Delivery.Status.DONE, tries=tries, **ended)
    elif tried.attempt.http_status == 410 or tries > len(SCHEDULE):
        delivery.move(Delivery.Status.DEAD, tries=tries, **ended)
    else:
        seconds = SCHEDULE[tries - 1] * random.uniform(*JITTER)  # noqa: S311
        due_at = now() + timedelta(seconds=max(seconds, tried.wait or 0))
        delivery.complete(due_at=due_at, tries=tries)
