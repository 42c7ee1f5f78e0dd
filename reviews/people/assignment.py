"""Assignment of cases to analysts, and snoozing of cases."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.timezone import now
from django.utils.translation import gettext as _

from compliance.work.queues import each
from reviews.access import roles
from reviews.audit import trail
from reviews.inbox import notifications
from reviews.models import Case, Notification, SubscriptionEvent
from reviews.subscriptions import announcements

LONGEST_SNOOZE = timedelta(days=90)
# Cases whose analyst must act on them. The others wait for the service or for an approver.
PUT_BACK = (Case.Status.TO_REVIEW, Case.Status.ATTENTION)
MOST = 500  # cases of a connection per run; the others follow a minute later
# Messages to the person who has the case.
OF_ANALYST = (
    Notification.Kind.ASSIGNED,
    Notification.Kind.DUE_SOON,
    Notification.Kind.OVERDUE,
)


class NotPossibleError(Exception):
    """The act is not possible. The message says why and is shown to the user."""


def awake(moment: datetime) -> Q:
    """A filter for cases that are not snoozed at that moment."""
    return Q(snoozed_until=None) | Q(snoozed_until__lte=moment)


@transaction.atomic
def claim_next(actor: User, among: QuerySet[Case] | None = None) -> Case | None:
    """Assign the most urgent unassigned case to `actor`. Two users never get the same case.

    `among` limits the choice, e.g. to the filters of a queue. Returns None if no case is left.
    Raises PermissionDenied.
    """
    roles.require(actor, roles.REVIEW)
    cases = among
    if cases is None:
        cases = roles.visible(actor)
    # Only cases that wait for a reviewer and are not snoozed.
    waiting = cases.filter(
        awake(now()),
        status=Case.Status.TO_REVIEW,
        analyst=None,
    )
    waiting = waiting.order_by("due_at", "pk")
    if connection.features.has_select_for_update_skip_locked:
        # Skip rows that another analyst claims at this moment, without waiting.
        waiting = waiting.select_for_update(skip_locked=True, of=("self",))
    # SQLite allows one writer at a time, so nobody else can write during this transaction.
    case = waiting.first()
    if case is None:
        return None
    _set_analyst(case, actor, by=actor, what="claimed")
    return case


def person_by_name(username: str) -> User:
    """The user with this name. Raises NotPossibleError."""
    # PostgreSQL rejects NUL in a query.
    name = username.replace("\0", "")
    user = User.objects.filter(username=name).first()
    if user is None:
        raise NotPossibleError(
            _("There is nobody called %(name)s.") % {"name": username[:150]}
        )
    return user


@transaction.atomic
def assign(
    case: Case, to: User | None, *, actor: User, seen: str | None = None
) -> None:
    """Assign the case to a user, or to nobody. Raises NotPossibleError and PermissionDenied.

    `seen` is the user name of the analyst that the actor saw, "" for nobody, or None if the caller
    does not know it. If somebody else has the case by now, it stays theirs.
    """
    roles.require(actor, roles.REVIEW, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    to_id = None
    if to is not None:
        to_id = to.pk
    if case.analyst_id == to_id:
        return
    if case.status == Case.Status.DECIDED:
        raise NotPossibleError(_("The case is decided."))
    holder = case.analyst.get_username() if case.analyst else ""
    if seen is not None and seen != holder:
        if not holder:
            raise NotPossibleError(
                _("Nobody has this case any more. Look at it again.")
            )
        raise NotPossibleError(
            _("%(name)s has this case by now. Look at it again.") % {"name": holder}
        )
    if to is None:
        _set_analyst(case, None, by=actor, what="unassigned")
        return
    # The user must be able to open and review the case.
    reviewers = roles.colleagues(case, roles.REVIEW)
    if not reviewers.filter(pk=to.pk).exists():
        name = to.get_username()
        raise NotPossibleError(_("%(name)s cannot review this case.") % {"name": name})
    _set_analyst(case, to, by=actor, what="assigned")


def put_back(queue: str) -> int:
    """Put the cases of analysts who can no longer review them back into the queue.

    Returns for how many cases that failed.

    Such an analyst was deactivated, or has lost the role or the team. Nobody else would be offered
    the case, or be told that it is overdue.
    """
    waiting = Case.objects.filter(status__in=PUT_BACK, erased_at=None)
    waiting = waiting.exclude(analyst=None)
    connections = waiting.order_by().values_list("connection", flat=True).distinct()
    failed = 0
    for connection_id in list(connections):
        of_connection = waiting.filter(connection=connection_id)
        case = of_connection.select_related("connection").first()
        if case is None:
            continue
        reviewers = roles.colleagues(case, roles.REVIEW)
        others = of_connection.exclude(analyst__in=reviewers.order_by())
        failed += each(queue, others.order_by("due_at"), _put_back, most=MOST)
    return failed


def _put_back(case: Case) -> None:
    case = Case.objects.select_for_update().get(pk=case.pk)
    analyst = case.analyst
    if analyst is None or case.status not in PUT_BACK:
        return
    # Somebody may have assigned it to another analyst meanwhile.
    if roles.colleagues(case, roles.REVIEW).filter(pk=analyst.pk).exists():
        return
    data = {"person": analyst.get_username()}
    _set_analyst(case, None, by=None, what="put_back", data=data)


def _set_analyst(
    case: Case,
    to: User | None,
    *,
    by: User | None,
    what: str,
    data: dict[str, str] | None = None,
) -> None:
    # `updated_at` is not changed: a decision in progress must not become stale through an
    # assignment.
    before = case.analyst
    if before is not None and before != to:
        # The case is no longer theirs.
        notifications.mark_done(case, *OF_ANALYST, to=before)
    Case.objects.filter(pk=case.pk).update(analyst=to)
    case.analyst = to
    data = data or {}
    if to:
        data["to"] = to.get_username()
    trail.record(case, what, data, user=by)
    announcements.announce(case, SubscriptionEvent.ASSIGNED)
    notifications.notify(case, [to], Notification.Kind.ASSIGNED, by=by)


@transaction.atomic
def snooze(case: Case, until: datetime | None, *, actor: User) -> None:
    """Hide the case from the queue until a time, or show it again (None). Its due time does not
    change.

    Raises NotPossibleError and PermissionDenied.
    """
    roles.require(actor, roles.REVIEW, case)
    case = Case.objects.select_for_update().get(pk=case.pk)
    if case.status == Case.Status.DECIDED:
        raise NotPossibleError(_("The case is decided."))
    if until is not None:
        _check_time(until)
    # Nothing changes, so no line in the audit trail.
    if case.snoozed_until == until:
        return
    Case.objects.filter(pk=case.pk).update(snoozed_until=until)
    if until is None:
        trail.record(case, "woken", {}, user=actor)
    else:
        minute = until.isoformat(timespec="minutes")
        trail.record(case, "snoozed", {"until": minute}, user=actor)


def _check_time(until: datetime) -> None:
    """Raise NotPossibleError unless the time is within the allowed range."""
    earliest = now()
    latest = earliest + LONGEST_SNOOZE
    if not earliest < until <= latest:
        raise NotPossibleError(
            _("A case can be snoozed for at most 90 days, until a time to come.")
        )
