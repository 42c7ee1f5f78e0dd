"""Tells other systems of decisions, by signed webhooks of the desk: docs/webhooks.md."""

from __future__ import annotations

import orjson
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from compliance.db import clock
from compliance.http import outbound, outbox
from compliance.http.outbox import wire_time
from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Announcement, Decision, Subscription

QUEUE = "reviews.tasks.send_announcements"


def queue(decision: Decision, what: str) -> None:
    """Write the webhooks of a decision in its transaction. `what`: decided, reopened."""
    is_for_case = Q(connection=None) | Q(connection=decision.case.connection_id)
    body = orjson.dumps(to_wire(decision, what))
    for subscription in Subscription.objects.filter(is_for_case, is_active=True):
        Announcement.objects.create(
            subscription=subscription,
            decision=decision,
            url=subscription.url,
            body=body,
        )
        notify.after_commit(QUEUE)


def to_wire(decision: Decision, what: str) -> dict[str, object]:
    case = decision.case
    reasons = []
    for code, label in decision.reasons:
        reasons.append({"code": code, "label": label})
    # A case that was approved by itself was decided by no person.
    decided_by = None
    if decision.made_by:
        decided_by = decision.made_by.get_username()
    second_person = None
    if decision.second_by:
        second_person = decision.second_by.get_username()
    return {
        "event": f"case.{what}",
        "case_id": case.reference,
        "case_type": case.kind,
        "connection": case.connection.slug,
        "outcome": decision.outcome,
        "reasons": reasons,
        "rationale": decision.rationale,
        "recommendation": decision.recommendation or None,
        "decided_by": decided_by,
        "decision_policy": decision.policy.number if decision.policy else None,
        "approved_by": second_person,
        "decided_at": wire_time(decision.second_at or decision.made_at),
        "created_at": wire_time(now()),
    }


def send(announcement: Announcement) -> None:
    """Send one, or have it tried again later."""
    outbox.send_together([announcement], _headers)


def _headers(announcement: Announcement) -> dict[str, str]:
    """Signed when it is sent: if the secret was changed meanwhile, the new one signs."""
    return outbox.timestamped(
        bytes(announcement.body),
        delivery_id=announcement.pk,
        sender=outbound.USER_AGENT,
        secret=announcement.subscription.secret,
        moment=clock.now(),
    )


@transaction.atomic
def send_again(announcement: Announcement, *, actor: User) -> bool:
    """Have a dead one sent again, with all its tries. Returns False where it is not dead.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.SUBSCRIBE)
    is_due = outbox.send_again(announcement, queue=QUEUE)
    if is_due:
        data = {"webhook": str(announcement.pk)}
        case = announcement.decision.case
        trail.record(case, "announcement_sent_again", data, user=actor)
    return is_due
