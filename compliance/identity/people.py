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
# Sent with `user` and `reason` when a person has a new password, or lost all second factors. What
# somebody else made with the earlier ones must end.
renewed = Signal()


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
    renewed.send(sender=User, user=user, reason="second factors reset")
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


def note_new_password(
    instance: User,
    *,
    raw: bool = False,
    update_fields: frozenset[str] | None = None,
    **_: object,
) -> None:
    """A receiver of pre_save of users: sends `renewed` for a new password, however it is set."""
    if raw or instance._state.adding or _keeps_password(instance, update_fields):
        return
    rows = User.objects.filter(pk=instance.pk).values_list("password", flat=True)
    before = rows.first()
    if before is not None and before != instance.password:
        renewed.send(sender=User, user=instance, reason="new password")


def _keeps_password(user: User, update_fields: frozenset[str] | None) -> bool:
    if update_fields is None:
        return False
    if "password" not in update_fields:
        return True
    # At a login, Django stores the hash again by today's parameters, and this field alone. A new
    # password is in `_password` until it is saved.
    return update_fields == {"password"} and getattr(user, "_password", None) is None
