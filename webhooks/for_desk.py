"""What the desk asks about the webhooks that came: `reviews.service.received_webhooks`."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.timezone import now

from reviews.models import Connection, Job
from reviews.service.received_webhooks import ReceivedWebhook
from webhooks.models import Event


class EventsForDesk:
    def of_jobs(self, jobs: Sequence[Job], limit: int | None) -> list[ReceivedWebhook]:
        events = (
            Event.objects.filter(job__in=jobs).select_related("secret").order_by("-pk")
        )
        return [_to_desk(event) for event in events[:limit]]

    def retry_now(self, connection: Connection) -> None:
        waiting = Event.objects.filter(
            connection=connection, due_at__gt=now(), leased_until=None
        )
        waiting.update(due_at=now())


def _to_desk(event: Event) -> ReceivedWebhook:
    return ReceivedWebhook(
        received_at=event.received_at,
        body=bytes(event.body),
        headers=event.headers,
        status=event.get_status_display(),
        reason=event.reason,
        secret=event.secret.name if event.secret else "",
    )
