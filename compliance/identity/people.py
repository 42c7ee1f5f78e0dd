"""What an administrator does to the login of another person. The caller asks for the right to do so."""

from __future__ import annotations

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import User
from django.dispatch import Signal

from compliance.identity import notices

# Sent with `user` when somebody is deactivated, by whatever way.
deactivated = Signal()


def end_sessions(user: User) -> int:
    """End all logins of a person at once, in all processes. Returns how many there were."""
    sessions = list(UserSession.objects.filter(user=user))
    for session in sessions:
        session.end()
    return len(sessions)


def reset_factors(user: User) -> int:
    """Remove all second factors of a person who has lost them, and end what they had opened.

    Returns how many there were.
    """
    count: int = Authenticator.objects.filter(user=user).delete()[0]
    end_sessions(user)
    if count:
        notices.send(user, notices.FACTORS_RESET)
    return count


def end_if_inactive(instance: User, *, raw: bool = False, **_: object) -> None:
    """Connected to post_save of people: who is deactivated is out at once, and stays out."""
    if instance.is_active or raw:
        return
    end_sessions(instance)
    deactivated.send(sender=User, user=instance)
