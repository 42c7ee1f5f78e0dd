"""The desk's access to received webhooks.

It implements `reviews.service.received_webhooks`, declares what is erased with a case (`TABLES`),
and lists the webhooks that were not applied as dead letters for operators.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import orjson
from django.contrib.auth.models import User
from django.db.models import Max, Q, QuerySet
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.db import clock
from compliance.operation import dead_letters
from compliance.operation.dead_letters import Kind, Letter
from compliance.security.data_map import Act, Table
from reviews.access import roles
from reviews.models import Case, Connection, Job, PartyStatement
from reviews.models.search import forms
from reviews.service.received_webhooks import ReceivedWebhook
from webhooks import events
from webhooks.models import Event

_WORD = re.compile(r"[^\W_]+")


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
        waiting.update(due_at=clock.now())

    def has_unread(self, case: Case) -> bool:
        waiting = Event.objects.filter(
            connection=case.connection_id,
            status=Event.Status.RECEIVED,
            due_at__isnull=False,
        )
        unread = list(waiting.only("pk", "body")[: MOST_UNREAD + 1])
        # Nobody opens thousands of bodies for one case: it waits until the backlog is gone.
        if len(unread) > MOST_UNREAD:
            return True
        remote_ids = set(case.jobs.values_list("remote_id", flat=True))
        return any(events.names_job(event, remote_ids) for event in unread)


# Webhooks to be applied that are opened to see whether one of them is of a case.
MOST_UNREAD = 200


def _to_desk(event: Event) -> ReceivedWebhook:
    return ReceivedWebhook(
        received_at=event.received_at,
        body=bytes(event.body),
        headers=event.headers,
        status=event.get_status_display(),
        reason=event.reason,
        secret=event.secret.name if event.secret else "",
    )


def _of_case(case: Case) -> QuerySet[Event]:
    """The webhooks of the case's jobs, including those that were never linked to a job.

    Those name the case, a job of it, or one of its parties.
    """
    names = [case.reference.encode()]
    for remote_id in case.jobs.values_list("remote_id", flat=True):
        names.append(remote_id.encode())
    parties = _words_of_names(case)
    unapplied = Event.objects.filter(connection=case.connection_id, job=None)
    others = []
    # Bodies are encrypted, so they are searched here and not in the database. Few webhooks have no
    # job.
    for event in unapplied.only("pk", "body", "status").iterator(chunk_size=200):
        body = bytes(event.body)
        is_of_case = any(name in body for name in names)
        # One that is still to be applied may belong to another case of the same person.
        is_ended = event.status == Event.Status.IGNORED
        if is_of_case or (is_ended and _names_one(body, parties)):
            others.append(event.pk)
    return Event.objects.filter(Q(job__case=case) | Q(pk__in=others))


def _words_of_names(case: Case) -> list[set[str]]:
    """The words of each name of the subject and of the parties of a case."""
    statements = PartyStatement.objects.filter(
        case_party__case=case, kind=PartyStatement.Kind.NAME
    )
    names = [case.subject]
    for statement in statements:
        names.append(statement.value)
    words = [set(_WORD.findall(forms.plain_text(name))) for name in names]
    # A single word may be part of many other names.
    return [parts for parts in words if len(parts) > 1]


def _names_one(body: bytes, names: list[set[str]]) -> bool:
    """Whether all words of one of the names are in the body: a webhook of an unknown job."""
    # The body is JSON, which may write letters as codes.
    try:
        text = orjson.dumps(orjson.loads(body)).decode()
    except ValueError:
        text = body.decode("utf-8", "replace")
    words = set(_WORD.findall(forms.plain_text(text)))
    return any(name <= words for name in names)


TABLES = (
    Table(
        "webhooks.Event",
        plain=(
            "id updated_at due_at leased_until claim_count failures connection digest secret status job"
            " received_at size"
        ),
        personal={
            "body": "what the service sent, byte for byte",
            "headers": "the headers that came with it",
            "reason": "why it was not applied; may quote it",
        },
        why="To prove what the service sent, and to apply it again.",
        kept="as long as the case: until it is erased by a rule or at a request.",
        act=Act.BLANK,
        rows=_of_case,
        values={"due_at": None},
        note="A keyed hash of it stays, so that the same webhook is not taken a second time.",
    ),
)

# There is no index for them, because it would slow down every webhook. So only the newest are
# searched.
NEWEST = 100_000


def _dead(user: User | None) -> QuerySet[Event]:
    newest = Event.objects.aggregate(pk=Max("pk"))["pk"] or 0
    rows = Event.objects.filter(pk__gt=newest - NEWEST, status=Event.Status.IGNORED)
    # Erased events are empty and can never be applied.
    rows = rows.exclude(body=b"").select_related("connection").defer("body", "headers")
    rows = rows.order_by("-pk")
    if user is None:
        return rows
    return roles.only_visible(user, rows, "connection")


def _letter(row: Event) -> Letter:
    return Letter(
        key=str(row.pk),
        what=_("Webhook %(number)d of %(service)s")
        % {"number": row.pk, "service": row.connection.name},
        why=row.reason,
        at=row.received_at,
        address=reverse("webhook-event", args=[row.pk]),
    )


def _replay(row: Event, user: User) -> bool:
    return events.replay(row, actor=user)


def register_dead_letters() -> None:
    dead_letters.register(
        Kind(
            name="webhooks",
            title=gettext_lazy("Webhooks received and not applied"),
            hint=gettext_lazy(
                "Each says why. Some can never be applied, such as samples: they come back here."
            ),
            permission=roles.REPLAY,
            rows=_dead,
            letter=_letter,
            retry=_replay,
        )
    )
