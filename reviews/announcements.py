"""Tells other systems of decisions, by signed webhooks of the desk: docs/webhooks.md."""

from __future__ import annotations

from typing import Any

import orjson
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from compliance import bell, outbox, signatures
from reviews.models import Announcement, AnnouncementAttempt, Decision, Subscription

LANE = "reviews.announcements"


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
        bell.ring(LANE)


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
        "decided_at": _wire_time(decision.second_at or decision.made_at),
        "created_at": _wire_time(now()),
    }


def send(announcement: Announcement) -> None:
    """Try once. Signed at send time: a secret that turned meanwhile is the new one."""
    body = bytes(announcement.body)
    case_id = announcement.decision.case.reference
    headers = {
        "Content-Type": "application/json",
        "User-Agent": "compliance-desk",
        "X-Delivery-Id": str(announcement.pk),
        "X-Delivery-Timestamp": _wire_time(now()),
        **signatures.headers(body, announcement.subscription.secret, case_id=case_id),
    }
    outbox.send(announcement, AnnouncementAttempt(delivery=announcement), headers=headers)


@transaction.atomic
def send_again(announcement: Announcement) -> bool:
    """Give a dead one its tries anew. Returns False where it is not dead."""
    bell.ring(LANE)
    return announcement.move(Announcement.Status.DUE, tries=0, due_at=now(), leased_until=None)


def _wire_time(moment: Any) -> str:
    return str(moment.isoformat().replace("+00:00", "Z"))
