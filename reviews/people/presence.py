"""Shows who has the page of a case open, so that two users do not work on it unknowingly."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews.models import Case, Presence

INTERVAL = 20  # seconds between two reports of an open page
# A page counts as closed after three missing reports.
TIMEOUT = timedelta(seconds=3 * INTERVAL)


def report(case: Case, user: User) -> list[Presence]:
    """Record that the user has the page open. Returns the other users on it, the earliest first."""
    moment = now()
    # Remove pages that were closed without a message, e.g. by a crash.
    Presence.objects.filter(case=case, seen_at__lt=moment - TIMEOUT).delete()
    Presence.objects.update_or_create(
        case=case,
        user=user,
        defaults={"seen_at": moment},
        create_defaults={"seen_at": moment, "since": moment},
    )
    others = Presence.objects.filter(case=case).exclude(user=user)
    return list(others.select_related("user").order_by("since"))


def leave(case: Case, user: User) -> None:
    """Record that the user has closed the page."""
    Presence.objects.filter(case=case, user=user).delete()
