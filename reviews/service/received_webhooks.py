"""The webhooks that a service sent, as far as the desk needs them.

They are rows of the receiver, another package that imports the desk, so the desk must not
import it. The receiver registers itself here instead. Without a receiver there are no webhooks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from reviews.models import Case, Connection, Job


@dataclass(frozen=True)
class ReceivedWebhook:
    received_at: datetime
    body: bytes  # as it was signed
    headers: Mapping[str, str]  # signatures included
    status: str  # in words
    reason: str  # why it waits, or was not applied; empty otherwise
    secret: str  # name of the secret that signed it; empty if removed since


class Receiver(Protocol):
    """The functions of the webhook receiver that the desk uses."""

    def of_jobs(self, jobs: Sequence[Job], limit: int | None) -> list[ReceivedWebhook]:
        """The webhooks of these jobs, newest first, at most `limit`."""

    def retry_now(self, connection: Connection) -> None:
        """Make the webhooks due that wait for this service."""

    def has_unread(self, case: Case) -> bool:
        """Whether a webhook of the case, or one that may be of it, is not applied yet."""


_receivers: list[Receiver] = []


def register(receiver: Receiver) -> None:
    """Called once, when the receiver's app is ready."""
    _receivers.append(receiver)


def of_jobs(jobs: Sequence[Job], *, limit: int | None = None) -> list[ReceivedWebhook]:
    """The webhooks of these jobs, newest first, at most `limit`; None: all."""
    webhooks: list[ReceivedWebhook] = []
    for receiver in _receivers:
        webhooks += receiver.of_jobs(jobs, limit)
    return webhooks


def retry_now(connection: Connection) -> None:
    """The service answers again: make the webhooks due that wait for it."""
    for receiver in _receivers:
        receiver.retry_now(connection)


def has_unread(case: Case) -> bool:
    """Whether a webhook of the case, or one that may be of it, is not applied yet."""
    return any(receiver.has_unread(case) for receiver in _receivers)
