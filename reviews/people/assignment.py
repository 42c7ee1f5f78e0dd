"""Who works on which case, and which cases are snoozed until later."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from reviews.access import roles
from reviews.audit import trail
from reviews.inbox import notifications
from reviews.models import Case, Notification, SubscriptionEvent
from reviews.subscriptions import announcements

LONGEST_SNOOZE = timedelta(days=90)


class NotPossibleError(Exception):
    """It cannot be done; the text says why, for the person who asked."""


def awake(moment: datetime) -> Q:
    """Not snoozed at that moment."""
    return Q(snoozed_until=None) | Q(snoozed_until__lte=moment)


@transaction.atomic
def claim_next(actor: User, among: QuerySet[Case] | None = None) -> Case | None:
    """Assign the most urgent case of nobody to `actor`. No two people ever get the same.

    `among` narrows the choice, to the filters of a queue. None where nothing is left.
    """
    roles.require(actor, roles.REVIEW)
    cases = among
    if cases is None:
        cases = roles.visible(actor)
    waiting = cases.filter(
        awake(now()),
        status=Case.Status.TO_REVIEW,
        analyst=None,
    )
    waiting = waiting.order_by("due_at", "pk")
    if connection.features.has_select_for_update_skip_locked:
        # Past what another analyst claims at this moment, without waiting for them.
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    # SQLite has one writer at a time: since this transaction began, nobody else writes.
    case = waiting.first()
    if case is None:
        return None
    _set_analyst(case, actor, by=actor, what="claimed")
    return case


def person_by_name(username: str) -> User:
    """Raises NotPossibleError."""
    # PostgreSQL stores no NUL, and refuses to look for one.
    name = username.replace("\0", "")
    user = User.objects.filter(username=name).first()
    if user is None:
        raise NotPossibleError(
            _("There is nobody called %(name)s.") % {"name": username[:150]}
        )
    return user


@transaction.atomic
def assign(case: Case, to: User | None, *, actor: User) -> None:
    """Make the case somebody's, or nobody's. Raises NotPossibleError, PermissionDenied."""
    roles.require(actor, roles.REVIEW, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    to_id = None
    if to is not None:
        to_id = to.pk
    if case.analyst_id == to_id:
        return
    if case.status == Case.Status.DECIDED:
        raise NotPossibleError(_("The case is decided."))
    if to is None:
        _set_analyst(case, None, by=actor, what="unassigned")
        return
    reviewers = roles.colleagues(case, roles.REVIEW)
    if not reviewers.filter(pk=to.pk).exists():
        name = to.get_username()
        raise NotPossibleError(_("%(name)s cannot review this case.") % {"name": name})
    _set_analyst(case, to, by=actor, what="assigned")


def _set_analyst(case: Case, to: User | None, *, by: User, what: str) -> None:
    # updated_at stays: a decision does not rest on who works on a case.
    Case.objects.filter(pk=case.pk).update(analyst=to)
    case.analyst = to
    data = {}
    if to:
        data["to"] = to.get_username()
    trail.record(case, what, data, user=by)
    announcements.announce(case, SubscriptionEvent.ASSIGNED)
    notifications.notify(case, [to], Notification.Kind.ASSIGNED, by=by)


@transaction.atomic
def snooze(case: Case, until: datetime | None, *, actor: User) -> None:
    """Hide the case until a time, or show it again (None). Its due time stays.

    Raises NotPossibleError, PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status == Case.Status.DECIDED:
        raise NotPossibleError(_("The case is decided."))
    if until is not None:
        _check_time(until)
    if case.snoozed_until == until:
        return
    Case.objects.filter(pk=case.pk).update(snoozed_until=until)
    if until is None:
        trail.record(case, "woken", {}, user=actor)
    else:
        minute = until.isoformat(timespec="minutes")
        trail.record(case, "snoozed", {"until": minute}, user=actor)


def _check_time(until: datetime) -> None:
    """Raises NotPossibleError."""
    earliest = now()
    latest = earliest + LONGEST_SNOOZE
    if not earliest < until <= latest:
        raise NotPossibleError(_("A case sleeps until a time within 90 days from now."))
