"""Second looks at a share of the decisions: they are drawn, taken and completed.

A secret key, the case and the number of its earlier decisions determine whether a decision is
drawn. So the draw is fixed before anybody decides, and nobody can predict it without the key.
"""

from __future__ import annotations

import hmac
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.work.queues import each
from reviews.access import reads, roles
from reviews.audit import trail
from reviews.decisions import same_customer
from reviews.inbox import notifications
from reviews.models import (
    ENDING,
    CaseEvent,
    CaseParty,
    Decision,
    Notification,
    Read,
    SecondLook,
)
from reviews.models.trail import derived_key
from reviews.versions.errors import RefusedError

Status = SecondLook.Status
LONGEST = 10_000
PARTS = 10_000  # a draw has a resolution of 0.01 percent
# Pages that show documents do not name the decision. All other pages of a case do.
BLIND_READS = (Read.Kind.DOCUMENT, Read.Kind.COPY, Read.Kind.ORIGINAL, Read.Kind.LOOK)
# Lists over REST, and tables of the administration, that tell how cases were decided.
TELLING_ANSWERS = ("cases", "cases/search", "parties", "parties/search")
TELLING_TABLES = ("reviews_decision", "reviews_periodicreview", "reviews_caseevent")


def is_drawn(case_id: int, before: int, share: int) -> bool:
    """Whether the next decision of the case gets a second look.

    `before` is the number of its earlier decisions, `share` the percentage of decisions drawn.
    """
    key = derived_key(settings.ENCRYPTION_KEY.split(",")[0])
    text = f"second look:{case_id}:{before}".encode()
    # An HMAC is uniform: modulo PARTS it falls below the limit for `share` percent of the
    # cases.
    number = int.from_bytes(hmac.digest(key, text, "sha256")[:8])
    return number % PARTS < share * PARTS // 100


def draw(decision: Decision, *, share: int) -> SecondLook | None:
    """Create the second look if the decision is drawn, else return None.

    Runs in the transaction of the decision.
    """
    if decision.outcome not in ENDING or not share:
        return None
    earlier = decision.case.decisions.filter(
        outcome__in=ENDING,
        pk__lt=decision.pk,
    )
    is_due = is_drawn(decision.case_id, earlier.count(), share)
    if not is_due and not _was_evaded(decision):
        return None
    look = SecondLook.objects.create(
        case=decision.case,
        decision=decision,
        share=share,
    )
    data = {"share": share}
    trail.record(decision.case, "second_look_drawn", data, about=[look])
    return look


def _was_evaded(decision: Decision) -> bool:
    """Whether the last decision of the case that was drawn was taken back before its look.

    Whoever may reopen a case reads that its decision was drawn. To decide anew is no way out.
    """
    newest = decision.case.second_looks.first()
    return newest is not None and newest.status != Status.GIVEN


def visible(user: User) -> QuerySet[SecondLook]:
    """The second looks at cases that the user may see."""
    rows = roles.only_visible(user, SecondLook.objects.all(), "case__connection")
    return rows.select_related("case", "case__agent", "by")


def not_given(user: User) -> QuerySet[SecondLook]:
    """The looks that are still to be given, whoever may give them."""
    ended = (Decision.Status.RETURNED, Decision.Status.REOPENED)
    is_free = Q(status=Status.OPEN) & ~Q(decision__status__in=ended)
    return visible(user).filter(Q(status=Status.TAKEN) | is_free)


def awaited() -> Q:
    """The condition that the second look at a decision is still to be given. Figures of a day leave
    the outcome of such a decision out, for they would tell it to whoever gives the look.
    """
    is_taken = Q(second_look__status=Status.TAKEN)
    is_free = Q(second_look__status=Status.OPEN, status=Decision.Status.STANDING)
    return Q(is_taken | is_free, case__erased_at=None)


def waiting(user: User) -> QuerySet[SecondLook]:
    """The looks that the user may take or has taken, the oldest first."""
    is_mine = Q(status=Status.TAKEN, by=user)
    is_free = Q(status=Status.OPEN, decision__status=Decision.Status.STANDING)
    rows = visible(user).filter(is_mine | is_free, case__erased_at=None)
    rows = rows.exclude(decision__made_by=user).exclude(decision__second_by=user)
    return rows.order_by("drawn_at", "pk")


def objection(look: SecondLook, actor: User) -> str:
    """Why this person cannot judge the case blindly, as a sentence; "" if they can."""
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
    """Whether the person has been shown since then how the case was decided."""
    # Reads are written with a delay; those of this person must be in the database now.
    reads.flush()
    # A page that was opened shortly before may have been loaded again without another note.
    since -= timedelta(seconds=reads.SAME_SECONDS)
    rows = Read.objects.filter(user=actor, at__gte=since)
    of_case = Q(case=look.case_id) & ~Q(kind__in=BLIND_READS)
    return rows.filter(of_case | _elsewhere(look)).exists()


def _elsewhere(look: SecondLook) -> Q:
    """The reads of no case whose answers tell how this one was decided: its outcome, or the day of
    its next review, which only an approved case has.
    """
    links = CaseParty.objects.filter(case=look.case_id).select_related("party")
    parties = {link.party.head_id_or_own for link in links}
    lists = Q(kind=Read.Kind.INTERFACE, item__in=TELLING_ANSWERS)
    for table in TELLING_TABLES:
        lists |= Q(item__startswith=f"list/admin/{table}")
        lists |= Q(item__startswith=f"admin/{table}/")
    # They say which cases they leave out because another case of the customer was rejected.
    if look.decision.bulk_id or same_customer.waiting(look.case):
        lists |= Q(item__startswith="list/bulk-approvals")
        lists |= Q(kind=Read.Kind.INTERFACE, item__startswith="bulk-approvals")
    pages = Q(kind=Read.Kind.PARTY, item__in=[str(pk) for pk in parties])
    answers = [f"parties/{pk}" for pk in parties]
    return lists | pages | Q(kind=Read.Kind.INTERFACE, item__in=answers)


def take(look: SecondLook, *, actor: User) -> None:
    """Take a look: reserve it for the actor. Raises PermissionDenied and RefusedError."""
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
    """Put a look back, so that somebody else can take it.

    Raises PermissionDenied and RefusedError.
    """
    roles.require(actor, roles.DECIDE, look.case)
    _require_own(look, actor)
    with transaction.atomic():
        if not look.move(Status.OPEN, by=None, taken_at=None):
            raise RefusedError(_("It is not open any more."))
        trail.record(
            look.case, "second_look_put_back", {}, user=actor, about=[_stored(look)]
        )


def put_back_of_leavers(queue: str) -> int:
    """Put the looks back whose takers can no longer give them: nobody else could take them.

    Returns for how many looks that failed.
    """
    taken = SecondLook.objects.filter(status=Status.TAKEN, case__erased_at=None)
    taken = taken.select_related("case__connection", "by").order_by("pk")
    return each(queue, taken, _put_back_of_leaver)


def _put_back_of_leaver(look: SecondLook) -> None:
    deciders = roles.colleagues(look.case, roles.DECIDE)
    if look.by is None or look.by in deciders:
        return
    if look.move(Status.OPEN, by=None, taken_at=None):
        about = [_stored(look)]
        trail.record(look.case, "second_look_put_back", {}, about=about)


def _require_own(look: SecondLook, actor: User) -> None:
    if look.status != Status.TAKEN or look.by_id != actor.pk:
        raise RefusedError(_("It is not yours: take it first."))


def give(look: SecondLook, *, actor: User, outcome: str, rationale: str) -> bool:
    """Complete a look with one's own outcome. Returns whether it agrees with the decision.

    A difference does not change the decision: seniors are notified. If the actor has opened the
    case meanwhile, they have seen the decision; the look is put back for somebody else.

    Raises PermissionDenied and RefusedError.
    """
    roles.require(actor, roles.DECIDE, look.case)
    _require_own(look, actor)
    rationale = rationale.strip()
    if outcome not in ENDING:
        raise RefusedError(_("Choose how you would have decided."))
    if not rationale:
        raise RefusedError(_("Write why: it is what is read years later."))
    if has_seen(look, actor, since=look.decision.made_at):
        # This is outside of the transaction below: the look stays put back although an error
        # follows.
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
    """The row as it is stored now: `move` updates the database."""
    return SecondLook.objects.get(pk=look.pk)
