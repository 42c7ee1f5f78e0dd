"""Webhooks that were received and not applied, for the page of what failed for good."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db.models import Max, QuerySet
from django.urls import reverse

from compliance.operation import dead_letters
from compliance.operation.dead_letters import Kind, Letter
from reviews.access import roles
from webhooks import events
from webhooks.models import Event

# No index finds them: one more would cost every webhook. So only the newest are looked through.
NEWEST = 100_000


def _rows(user: User | None) -> QuerySet[Event]:
    newest = Event.objects.aggregate(pk=Max("pk"))["pk"] or 0
    rows = Event.objects.filter(pk__gt=newest - NEWEST, status=Event.Status.IGNORED)
    # What was erased is empty, and can never be applied.
    rows = rows.exclude(body=b"").select_related("connection").defer("body", "headers")
    rows = rows.order_by("-pk")
    if user is None:
        return rows
    return roles.only_visible(user, rows, "connection")


def _letter(row: Event) -> Letter:
    return Letter(
        key=str(row.pk),
        what=f"Webhook {row.pk} of {row.connection.name}",
        why=row.reason,
        at=row.received_at,
        address=reverse("webhook-event", args=[row.pk]),
    )


def _replay(row: Event, user: User) -> bool:
    return events.replay(row, actor=user)


def register() -> None:
    dead_letters.register(
        Kind(
            name="webhooks",
            title="Webhooks received and not applied",
            hint="Each says why. Some can never be applied, such as samples; those are not applied again.",
            permission=roles.REPLAY,
            rows=_rows,
            letter=_letter,
            retry=_replay,
        )
    )
