"""Who has the page of a case open, so that two people do not work on one without knowing."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.models import Case, Presence

EVERY = 20  # seconds between two signs of life of a page
GONE = timedelta(seconds=3 * EVERY)


def here(case: Case, user: User) -> list[Presence]:
    """Say that the user is at the case. Returns who else is, the first to come first."""
    moment = now()
    Presence.objects.filter(case=case, seen_at__lt=moment - GONE).delete()
    Presence.objects.update_or_create(
        case=case,
        user=user,
        defaults={"seen_at": moment},
        create_defaults={"seen_at": moment, "since": moment},
    )
    others = Presence.objects.filter(case=case).exclude(user=user)
    return list(others.select_related("user").order_by("since"))


def gone(case: Case, user: User) -> None:
    Presence.objects.filter(case=case, user=user).delete()
