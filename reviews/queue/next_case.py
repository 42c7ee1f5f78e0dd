"""The next case to work on after a decision, or after the answer of a second person."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.db.models import Exists, OuterRef
from django.utils.timezone import now

from compliance.http import numbers
from reviews.access import roles
from reviews.models import Case, Decision, Notification
from reviews.people.assignment import awake

WAITING = (Case.Status.TO_REVIEW, Case.Status.ATTENTION)
# Only users who may approve decide escalated cases.
WAITING_FOR_SENIOR = (*WAITING, Case.Status.ESCALATED)


def after(case: Case, user: User, *, preferred: str = "") -> Case | None:
    """The next case that `user` may decide, or None. Nothing is assigned.

    `preferred`: the id of the case that follows in the list that the user came from, if there
    is one. Otherwise the most urgent case of the user, then the most urgent unassigned case.
    """
    statuses: Collection[Case.Status] = WAITING
    if user.has_perm(roles.APPROVE):
        statuses = WAITING_FOR_SENIOR
    cases = roles.visible(user).filter(status__in=statuses).exclude(pk=case.pk)
    number = numbers.parse(preferred)
    if number is not None:
        following = cases.filter(pk=number).first()
        if following is not None:
            return following
    urgent = cases.filter(awake(now())).order_by("due_at", "pk")
    own_case = urgent.filter(analyst=user).first()
    return own_case or urgent.filter(analyst=None).first()


def after_approval(case: Case, user: User, *, preferred: str = "") -> Case | None:
    """The next case after `user` has answered as the second person, or None.

    `preferred`: as for `after`. Otherwise the most urgent case for which `user` was asked to be the
    second person, then the next case to decide.
    """
    proposals = Decision.objects.filter(
        case=OuterRef("pk"), status=Decision.Status.PROPOSED
    )
    cases = roles.visible(user).filter(
        Exists(proposals.exclude(made_by=user)), status=Case.Status.SECOND
    )
    cases = cases.exclude(pk=case.pk)
    number = numbers.parse(preferred)
    if number is not None:
        following = cases.filter(pk=number).first()
        if following is not None:
            return following
    notices = Notification.objects.filter(
        case=OuterRef("pk"), to=user, kind=Notification.Kind.SECOND
    )
    asked = cases.filter(Exists(notices)).order_by("due_at", "pk").first()
    return asked or after(case, user, preferred=preferred)
