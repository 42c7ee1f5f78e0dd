"""Whether somebody has confirmed that a person reads the mails of their address."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User

from compliance.models import DirectoryUser


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
