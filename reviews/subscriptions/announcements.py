"""Informs other systems about events in cases by signed webhooks. See docs/webhooks.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson
from django.apps import AppConfig
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import OuterRef, QuerySet, Subquery
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from compliance.db import clock
from compliance.http import outbound, outbox
from compliance.http.outbox import wire_time
from compliance.security.data_keys import DataKeyError
from compliance.work import notify
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Announcement, Case, Decision, Subscription, SubscriptionEvent

QUEUE = "reviews.tasks.send_announcements"
NOT_SENT = _("It was delivered, it is being sent, or it was erased.")


def announce(case: Case, event: SubscriptionEvent) -> None:
    """Queue the webhooks of an event, in the transaction of the event. Not for decisions."""
    if subscriptions := _subscriptions(case, event):
        _queue(subscriptions, case, event, to_wire(case, event))


def announce_decision(decision: Decision, event: SubscriptionEvent) -> None:
    """Queue the webhooks of a decision or of its reopening, in the same transaction."""
    if subscriptions := _subscriptions(decision.case, event):
        content = decision_to_wire(decision, event)
        _queue(subscriptions, decision.case, event, content, decision=decision)


def _subscriptions(case: Case, event: SubscriptionEvent) -> list[Subscription]:
    """The subscriptions that want this event of the case. Most installations have none."""
    chosen = []
    for row in Subscription.objects.filter(is_active=True):
        is_for_case = row.connection_id in {None, case.connection_id}
        if is_for_case and event in row.events:
            chosen.append(row)
    return chosen


def _queue(
    subscriptions: Sequence[Subscription],
    case: Case,
    event: SubscriptionEvent,
    content: Mapping[str, object],
    *,
    decision: Decision | None = None,
) -> None:
    # The body is stored as bytes now, so every attempt sends the same content.
    body = orjson.dumps(content)
    for subscription in subscriptions:
        Announcement.objects.create(
            subscription=subscription,
            case=case,
            decision=decision,
            event=event,
            url=subscription.url,
            body=body,
        )
        notify.after_commit(QUEUE)


def to_wire(case: Case, event: SubscriptionEvent) -> dict[str, object]:
    assigned_to = None
    if case.analyst:
        assigned_to = case.analyst.get_username()
    return {
        "event": event.value,
        "case_id": case.reference,
        "case_type": case.kind,
        "connection": case.connection.slug,
        "status": case.status,
        "assigned_to": assigned_to,
        "created_at": wire_time(now()),
    }


def decision_to_wire(decision: Decision, event: SubscriptionEvent) -> dict[str, object]:
    reasons = []
    for code, label in decision.reasons:
        reasons.append({"code": code, "label": label})
    # A case that was approved automatically has no deciding user.
    decided_by = None
    if decision.made_by:
        decided_by = decision.made_by.get_username()
    second_person = None
    if decision.second_by:
        second_person = decision.second_by.get_username()
    members = {
        "outcome": decision.outcome,
        "reasons": reasons,
        "rationale": decision.rationale,
        "recommendation": decision.recommendation or None,
        "decided_by": decided_by,
        "decision_policy": decision.policy.number if decision.policy else None,
        "approved_by": second_person,
        "decided_at": wire_time(decision.second_at or decision.made_at),
    }
    return to_wire(decision.case, event) | members


def add_cases(sender: AppConfig | None = None, **_: object) -> None:
    """Fill in the case of rows that an earlier version wrote. Connected to post_migrate."""
    its_case = Decision.objects.filter(pk=OuterRef("decision")).values("case")[:1]
    # The bodies of these rows keep their event. Nearly all of them were decisions.
    Announcement.objects.filter(case=None).update(
        case=Subquery(its_case), event=SubscriptionEvent.DECIDED
    )


def send(announcement: Announcement) -> None:
    """Send an announcement, or schedule another attempt.

    It goes to the address that the subscription has now, which is bound to the trail: the one in the
    row would let whoever writes to the database have the body decrypted and sent anywhere.
    """
    address = announcement.subscription.url
    if announcement.url != address:
        announcement.write({"url": address})
        announcement.url = address
    outbox.send_together([announcement], _headers)


def _headers(announcement: Announcement) -> dict[str, str]:
    """The signature headers. Signed when it is sent, so a rotated secret takes effect at once.

    Raises OutboundError while the subscription is switched off: what waits is tried again later, and
    is sent if somebody switches it on in time.
    """
    if not announcement.subscription.is_active:
        raise outbound.OutboundError("the subscription is switched off")
    try:
        body = bytes(announcement.body)
    except DataKeyError as exc:
        raise outbox.ChangedError from exc
    return outbox.timestamped(
        body,
        delivery_id=announcement.pk,
        sender=outbound.USER_AGENT,
        secret=announcement.subscription.secret,
        moment=clock.now(),
    )


def narrowed(
    rows: QuerySet[Announcement],
    *,
    status: str = "",
    case: str = "",
    subscription: int | None = None,
) -> QuerySet[Announcement]:
    """The announcements with this status, of the case with this reference, of this subscription."""
    if status:
        rows = rows.filter(status=status)
    if case:
        rows = rows.filter(case__reference=case)
    if subscription is not None:
        rows = rows.filter(subscription=subscription)
    return rows


@transaction.atomic
def send_again(announcement: Announcement, *, actor: User) -> bool:
    """Send an announcement now that failed or waits for its next try; one that failed gets all
    attempts again. Returns False if it does neither, or its case was erased: then its body is
    empty.

    Raises PermissionDenied.
    """
    roles.require(actor, roles.SUBSCRIBE)
    if announcement.of_case.erased_at is not None:
        return False
    is_due = outbox.send_again(announcement, queue=QUEUE)
    if is_due:
        data = {"webhook": str(announcement.pk)}
        trail.record(announcement.of_case, "announcement_sent_again", data, user=actor)
    return is_due
