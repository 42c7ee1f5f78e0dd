"""What a Celery worker makes of a message that has come."""

from __future__ import annotations

from celery.worker.request import Request


class Ring(Request):
    """A ring is not waited for, so it is not acknowledged.

    kombu's Redis transport does not tell a consumer that wants no acknowledgement from others, and
    would ask Redis to forget what it never noted: a round trip for each ring.
    """

    def acknowledge(self) -> None:
        self.acknowledged = True
