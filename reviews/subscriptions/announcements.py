"""Tells other systems of decisions, by signed webhooks of the desk: docs/webhooks.md."""

from __future__ import annotations

from typing import Any

import orjson
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.timezone import now

from compliance.http import outbound, outbox
from compliance.http.outbox import wire_time
from compliance.work import notify
from reviews.access import roles
from reviews.models import Announcement, Decision, Subscription

QUEUE = "reviews.tasks.send_announcements"


def queue(decision: Decision, what: str) -> None:
    """Write the webhooks of a decision (`what`: decided, reopened) with the decision itself."""
    connection = decision.case.connection_id
    wanted = Subscription.objects.filter(
        Q(connection=None) | Q(connection=connection), is_active=True
    )
    body = orjson.dumps(to_wire(decision, what))
    for subscription in wanted:
        Announcement.objects.create(
            subscription=subscription, decision=decision, url=subscription.url, body=body
        )
        notify.after_commit(QUEUE)


def to_wire(decision: Decision, what: str) -> dict[str, Any]:
    case = decision.case
    second = decision.second_by.get_username() if decision.second_by else None
    return {
        "event": f"case.{what}",
        "case_id": case.reference,
        "case_type": case.kind,
        "connection": case.connection.slug,
        "outcome": decision.outcome,
        "reasons": [{"code": code, "label": label} for code, label in decision.reasons],
        "rationale": decision.rationale,
        "recommendation": decision.recommendation or None,
        "decided_by": decision.made_by.get_username(),
        "approved_by": second,
        "decided_at": wire_time(decision.second_at or decision.made_at),
        "created_at": wire_time(now()),
    }


def send(announcement: Announcement) -> None:
    outbox.send_together([announcement], _headers)


def _headers(announcement: Announcement) -> dict[str, str]:
    """Signed at send time: a secret that turned meanwhile is the new one."""
    return outbox.timestamped(
        bytes(announcement.body),
        delivery_id=announcement.pk,
        sender=outbound.USER_AGENT,
        secret=announcement.subscription.secret,
        moment=now(),
    )


def send_again(announcement: Announcement, *, actor: User) -> bool:
    """Give a dead one its tries anew. Returns False where it is not dead."""
    roles.require(actor, roles.SUBSCRIBE)
    return outbox.send_again(announcement, queue=QUEUE)
