"""Creates what the set-up page asked for, in one transaction.

Afterwards the hub fetches the chosen lists in the background.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction

from compliance.setup import code
from compliance.setup.answers import Answers, ServiceChoice


class ClosedError(Exception):
    """Somebody has an account by now, so the set-up is closed."""


@transaction.atomic
def make(answers: Answers) -> User:
    """Create the first user, the service and the lists. Raises ClosedError if set-up is closed."""
    # Lock, so that only one request proceeds. The second waits here and then finds the first's
    # user.
    list(Group.objects.select_for_update().order_by("pk"))
    if not code.is_open():
        raise ClosedError
    user = _first_user(answers)
    if settings.DESK_ENABLED:
        from reviews.organisation import organisation

        organisation.begin(actor=user, name=answers.organisation)
    if answers.external_service is not None:
        from compliance.setup import external

        external.connect(answers.external_service)
    if settings.HUB_ENABLED:
        if settings.DESK_ENABLED and answers.connects_hub:
            from compliance.setup import embedded, sample_cases

            service = embedded.connect(answers.organisation)
            if answers.sample_cases:
                sample_cases.submit(user, service.agents)
        _fetch_lists(answers.lists)
    return user


def _first_user(answers: Answers) -> User:
    first, _, last = answers.full_name.partition(" ")
    user = User.objects.create_user(
        answers.username,
        answers.email,
        answers.password,
        first_name=first,
        last_name=last,
        is_staff=True,
        # Without the desk there are no roles for managing users, so make this person a superuser.
        is_superuser=not settings.DESK_ENABLED,
    )
    names = _roles(reviews_cases=answers.reviews_cases)
    user.groups.set(Group.objects.filter(name__in=names))
    return user


def _roles(*, reviews_cases: bool) -> set[str]:
    names = set()
    if settings.DESK_ENABLED:
        from reviews.access import roles

        names |= {roles.ADMINISTRATOR, roles.RULE_OWNER}
        if reviews_cases:
            names.add(roles.SENIOR)
    if settings.HUB_ENABLED:
        from agenthub.accounts.permissions import HUB_ADMINISTRATOR

        names.add(HUB_ADMINISTRATOR)
    return names


def offered_services() -> list[tuple[str, str]]:
    """(value, title) of the choices: the embedded hub is one unless it was removed."""
    offers = []
    for choice in ServiceChoice:
        if choice != ServiceChoice.HUB or settings.HUB_ENABLED:
            offers.append((choice.value, str(choice.label)))
    return offers


def offered_lists() -> list[tuple[str, str]]:
    """(slug, title) of well-known lists that can be fetched without an account at the publisher."""
    if not settings.HUB_ENABLED:
        return []
    from agenthub.screening import catalogue

    offers = []
    for slug, (title, _, url) in catalogue.WELL_KNOWN.items():
        if url:
            offers.append((slug, title))
    return offers


def _fetch_lists(slugs: Sequence[str]) -> None:
    from agenthub.screening import catalogue, refreshing

    for slug in slugs:
        refreshing.switch(catalogue.source(slug), url="", on=True)
