"""Whether somebody has confirmed that a person reads the mails of their address."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.dispatch import Signal

from compliance.models import DirectoryUser

# Sent with `request` and `user` when a person comes for the first time, by a provider that has not
# verified their address.
unverified_came = Signal()


def is_doubted(user: User) -> bool:
    """Whether nobody has confirmed that the person reads the mails of their address.

    So it is after a directory changed it, and if the provider of the first login did not say that
    it has verified it. Addresses that an administrator of the desk entered have no row here.
    """
    rows = EmailAddress.objects.filter(user=user, email__iexact=user.email)
    return bool(rows.filter(verified=False).exists())


def is_held(user: User) -> bool:
    """Whether messages about the work wait until the address is confirmed.

    A company's directory may say where its people get them: when it changes all addresses, nobody
    must miss what is theirs to do.
    """
    if DirectoryUser.objects.filter(user=user).exists():
        return False
    return is_doubted(user)


def doubt_address(user: User) -> None:
    """Note that nobody has confirmed the address: it gets no link for a new password."""
    if user.email:
        EmailAddress.objects.update_or_create(
            user=user,
            email=user.email.lower(),
            defaults={"verified": False, "primary": True},
        )


def confirm_address(user: User) -> None:
    """Note that the person reads the mails of the address."""
    EmailAddress.objects.filter(user=user, verified=False).delete()


def confirm_by_link(user: User, **_: object) -> None:
    """A receiver of `password_reset`: the link for the password was in a mail to the address."""
    confirm_address(user)
