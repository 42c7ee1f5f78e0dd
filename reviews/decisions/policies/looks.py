"""Second looks at a share of the decisions: drawn, taken, given, and what they say of the first ones.

Whether a decision is drawn follows from a secret key, the case, and how often it was decided before: it
is settled before anybody decides, and nobody who has not the key knows it.
"""

from __future__ import annotations

import hmac
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import reads, roles
from reviews.audit import trail
from reviews.inbox import notifications
from reviews.models import (
    ENDING,
    CaseEvent,
    Decision,
    Notification,
    Read,
    SecondLook,
)
from reviews.models.trail import derived_key
from reviews.versions.errors import RefusedError

Status = SecondLook.Status
LONGEST = 10_000
PARTS = 10_000  # a share of a percent has a hundred of them
# Pages of documents show no decision; all other pages of a case do.
BLIND_READS = (Read.Kind.DOCUMENT, Read.Kind.COPY, Read.Kind.ORIGINAL, Read.Kind.LOOK)


def is_drawn(case_id: int, before: int, share: int) -> bool:
    """Whether the next decision of the case is drawn. `before`: how many there were already."""
    key = derived_key(settings.ENCRYPTION_KEY.split(",")[0])
    text = f"second look:{case_id}:{before}".encode()
    number = int.from_bytes(hmac.digest(key, text, "sha256")[:8])
    return number % PARTS < share * PARTS // 100


def draw(decision: Decision, *, share: int) -> SecondLook | None:
    """Put the decision on the list, if it was drawn. Part of the transaction that made it."""
    if decision.outcome not in ENDING or not share:
        return None
    earlier = decision.case.decisions.filter(outcome__in=ENDING, pk__lt=decision.pk)
    if not is_drawn(decision.case_id, earlier.count(), share):
        return None
    look = SecondLook.objects.create(case=decision.case, decision=decision, share=share)
    data = {"share": share}
    trail.record(decision.case, "second_look_drawn", data, about=[look])
    return look


def visible(user: User) -> QuerySet[SecondLook]:
    """The looks at cases that the user sees."""
    rows = roles.only_visible(user, SecondLook.objects.all(), "case__connection")
    return rows.select_related("case", "case__agent", "by")


def waiting(user: User) -> QuerySet[SecondLook]:
    """Those that the user may take, and those that they have taken, the oldest first."""
    is_mine = Q(status=Status.TAKEN, by=user)
    is_free = Q(status=Status.OPEN, decision__status=Decision.Status.STANDING)
    rows = visible(user).filter(is_mine | is_free, case__erased_at=None)
    rows = rows.exclude(decision__made_by=user).exclude(decision__second_by=user)
    return rows.order_by("drawn_at", "pk")


def objection(look: SecondLook, actor: User) -> str:
    """Why this person cannot look at the case without knowing the decision; "" where they can."""
    decision = look.decision
    if actor.pk in {decision.made_by_id, decision.second_by_id}:
        return _("You took part in this decision: somebody else must look at it.")
    acts = CaseEvent.objects.filter(case=look.case_id, user=actor)
    if acts.exclude(what__startswith="second_look").exists():
        return _("You have worked on this case: somebody else must look at it.")
    if has_seen(look, actor, since=decision.made_at):
        return _(
            "You have opened the case since it was decided: somebody else must look at it."
        )
    return ""


def has_seen(look: SecondLook, actor: User, *, since: datetime) -> bool:
    """Whether the person was shown a page of the case that names the decision."""
    reads.flush()
    rows = Read.objects.filter(case=look.case_id, user=actor, at__gte=since)
    return rows.exclude(kind__in=BLIND_READS).exists()


def take(look: SecondLook, *, actor: User) -> None:
    """Begin a look. Raises PermissionDenied and RefusedError."""
    roles.require(actor, roles.DECIDE, look.case)
    if words := objection(look, actor):
        raise RefusedError(words)
    if look.decision.status != Decision.Status.STANDING:
        raise RefusedError(_("The decision does not stand any more."))
    with transaction.atomic():
        if not look.move(Status.TAKEN, by=actor, taken_at=now()):
            raise RefusedError(_("Somebody else has taken it."))
        trail.record(
            look.case, "second_look_taken", {}, user=actor, about=[_stored(look)]
        )


def put_back(look: SecondLook, *, actor: User) -> None:
    """Leave a look to somebody else. Raises PermissionDenied and RefusedError."""
    roles.require(actor, roles.DECIDE, look.case)
    _require_own(look, actor)
    with transaction.atomic():
        if not look.move(Status.OPEN, by=None, taken_at=None):
            raise RefusedError(_("It is not open any more."))
        trail.record(
            look.case, "second_look_put_back", {}, user=actor, about=[_stored(look)]
        )


def _require_own(look: SecondLook, actor: User) -> None:
    if look.status != Status.TAKEN or look.by_id != actor.pk:
        raise RefusedError(_("It is not yours: take it first."))


def give(look: SecondLook, *, actor: User, outcome: str, rationale: str) -> bool:
    """Say how one would have decided. Returns whether that agrees with the decision.

    A difference changes nothing by itself: seniors are told. Who opened the case meanwhile has seen the
    decision, and the look goes to somebody else. Raises PermissionDenied and RefusedError.
    """
    roles.require(actor, roles.DECIDE, look.case)
    _require_own(look, actor)
    rationale = rationale.strip()
    if outcome not in ENDING:
        raise RefusedError(_("Choose how you would have decided."))
    if not rationale:
        raise RefusedError(_("Write why: it is what is read years later."))
    if has_seen(look, actor, since=look.decision.made_at):
        put_back(look, actor=actor)
        raise RefusedError(
            _(
                "You have opened the case since it was decided. The look waits for"
                " somebody else now."
            )
        )
    with transaction.atomic():
        values = {
            "outcome": outcome,
            "rationale": rationale[:LONGEST],
            "given_at": now(),
        }
        if not look.move(Status.GIVEN, **values):
            raise RefusedError(_("It is not open any more."))
        agrees = outcome == look.decision.outcome
        data = {"outcome": outcome, "was": look.decision.outcome}
        trail.record(
            look.case, "second_look_given", data, user=actor, about=[_stored(look)]
        )
        if not agrees:
            seniors = roles.colleagues(look.case, roles.APPROVE)
            kind = Notification.Kind.LOOK
            notifications.notify(look.case, seniors, kind, by=actor)
    return agrees


def _stored(look: SecondLook) -> SecondLook:
    return SecondLook.objects.get(pk=look.pk)
