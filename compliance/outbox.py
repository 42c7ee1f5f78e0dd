"""Webhooks out: rows that hold the exact bytes, tried on a schedule until they are taken.

Svix's schedule: 5 s, 5 min, 30 min, 2 h, 5 h, 10 h, 10 h with jitter, the same bytes each time.
"""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Mapping
from datetime import timedelta

from django.db import models, transaction
from django.db.models import Q
from django.utils.timezone import now

from compliance import outbound
from compliance.work import Work

# Seconds to wait after the first, second, … try that failed: 8 tries in 27.6 hours.
SCHEDULE = (5, 300, 1800, 7200, 18_000, 36_000, 36_000)
TIMEOUT = 10.0
RESPONSE_KEPT = 2048


class Delivery(Work):
    """One webhook to send, written in the transaction that made it true."""

    class Status(models.TextChoices):
        DUE = "due", "To be sent"
        DONE = "done", "Delivered"
        DEAD = "dead", "Given up"

    FLOW = {Status.DUE: {Status.DONE, Status.DEAD}, Status.DEAD: {Status.DUE}}

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    url = models.TextField()
    body = models.BinaryField()
    status = models.CharField(max_length=16, choices=Status.choices, default=Status.DUE)
    tries = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta(Work.Meta):
        abstract = True

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
                condition=Q(http_status__isnull=False) | ~Q(error=""),
                name="%(class)s_answered_or_explained",
            )
        ]

    def __str__(self) -> str:
        return f"{self.http_status or self.error}"


def send(delivery: Delivery, attempt: Attempt, *, headers: Mapping[str, str]) -> None:
    """Try once, and keep what came of it in `attempt`.

    Anything but a 2xx within 10 s is a failure and is tried again; 410 is final.
    """
    began, wait = time.monotonic(), None
    try:
        answer = outbound.request(
            "POST", delivery.url, data=bytes(delivery.body), headers=headers, deadline=TIMEOUT
        )
    except outbound.OutboundError as exc:
        attempt.error = str(exc)[:200]
    else:
        said = answer.body[:RESPONSE_KEPT].decode("utf-8", "replace")
        attempt.http_status, attempt.response = answer.status, said.replace("\0", "")
        wait = outbound.retry_after(answer)
    attempt.took_ms = int((time.monotonic() - began) * 1000)
    _settle(delivery, attempt, wait)


@transaction.atomic
def _settle(delivery: Delivery, attempt: Attempt, wait: float | None) -> None:
    attempt.save(force_insert=True)
    tries, status = delivery.tries + 1, attempt.http_status or 0
    if 200 <= status < 300:
        delivery.move(delivery.Status.DONE, tries=tries, due_at=None, leased_until=None)
    elif status == 410 or tries > len(SCHEDULE):
        delivery.move(delivery.Status.DEAD, tries=tries, due_at=None, leased_until=None)
    else:
        seconds = SCHEDULE[tries - 1] * random.uniform(0.8, 1.2)  # noqa: S311
        delivery.settle(due_at=now() + timedelta(seconds=max(seconds, wait or 0)), tries=tries)
