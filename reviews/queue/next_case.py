"""The case that comes after the one that was decided."""

from __future__ import annotations

from collections.abc import Collection

from django.contrib.auth.models import User
from django.utils.timezone import now

from compliance.http import numbers
from reviews.access import roles
from reviews.models import Case
from reviews.people.assignment import awake

WAITING = (Case.Status.TO_REVIEW, Case.Status.ATTENTION)
# Escalated cases are decided by those who may approve.
WAITING_FOR_SENIOR = (*WAITING, Case.Status.ESCALATED)


def after(case: Case, user: User, *, preferred: str = "") -> Case | None:
    """The next case that `user` may decide, or None.

    `preferred`: the id of the case that follows in the list that was looked at, if there is one. Else
    the most urgent of the user's own, else the most urgent of nobody's. Nothing is assigned by this.
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
