"""Somebody can always manage people: neither the provider nor a directory removes the last administrator."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.models import Permission, User
from django.db.models import Q, QuerySet

from compliance.http.api.errors import Problem
from compliance.identity.single_sign_on.events import administrators_kept

log = logging.getLogger(__name__)

LAST = "Nobody else could manage people at the desk. Add another administrator there first."
# The permission with which a person adds people and gives them roles.
APP, CODENAME = "auth", "change_user"


class LastAdministratorError(Problem):
    """The changes would leave nobody who may manage people.

    `people`: the ids of the administrators who would lose the right.
    """

    def __init__(self, people: list[int]) -> None:
        super().__init__(403, LAST)
        self.people = people


@contextmanager
def is_kept() -> Iterator[None]:
    """Raise LastAdministratorError if the changes in this block leave nobody who may manage people.

    Use it within a transaction, which the error rolls back. Whoever catches the error calls `report`.
    """
    before = set(_administrators().values_list("pk", flat=True))
    yield
    after = set(_administrators().values_list("pk", flat=True))
    if before <= after:
        return
    # Of two requests that take away one administrator each, the second sees what the first did.
    _permissions().select_for_update().get()
    if not _administrators().exists():
        raise LastAdministratorError(sorted(before - after))


def report(error: LastAdministratorError, *, by: str) -> None:
    """Log a refusal, and have the trail record it: after the transaction, which was rolled back."""
    log.warning("The last administrator was to go, by %s. It was refused.", by)
    administrators_kept.send(sender=User, people=error.people, by=by)


def _permissions() -> QuerySet[Permission]:
    return Permission.objects.filter(content_type__app_label=APP, codename=CODENAME)


def _administrators() -> QuerySet[User]:
    """Active people who may manage people. A superuser, whom no directory sees, is one."""
    has_right = Q(groups__permissions__in=_permissions())
    has_right |= Q(user_permissions__in=_permissions())
    rows = User.objects.filter(has_right | Q(is_superuser=True), is_active=True)
    return rows.distinct()
