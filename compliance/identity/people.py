"""Administrators' actions on other people's logins. The caller must check the permission."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.dispatch import Signal

from compliance.identity import notices

# Sent with `user` when a person is deactivated, in whatever way.
deactivated = Signal()


def end_sessions(user: User) -> int:
    """End all sessions of a person at once, in all processes. Returns their number."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    return len(sessions)


def reset_factors(user: User) -> int:
    """Remove all second factors of a person who has lost them, and end the person's sessions.

    Returns the number of removed factors.
    """
    count: int = Authenticator.objects.filter(user=user).delete()[0]
    end_sessions(user)
    if count:
        notices.send(user, notices.FACTORS_RESET)
    return count


def end_if_inactive(instance: User, *, raw: bool = False, **_: object) -> None:
    """A receiver of post_save of users: deactivating a person ends all their sessions at once."""
    if instance.is_active or raw:
        return
    end_sessions(instance)
    deactivated.send(sender=User, user=instance)


def remove_earlier_addresses(instance: User, *, raw: bool = False, **_: object) -> None:
    """A receiver of post_save of users: an address that was changed is not the person's any more.

    django-allauth stores addresses in rows of its own, and would send links for new passwords to
    the one of before.
    """
    if raw:
        return
    rows = EmailAddress.objects.filter(user=instance)
    rows.exclude(email__iexact=instance.email).delete()
