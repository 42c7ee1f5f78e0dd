"""The next case to work on after a decision."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.http import numbers
from reviews.access import roles
from reviews.models import Case
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
