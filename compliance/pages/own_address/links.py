"""The link that confirms a new e-mail address: made, mailed and opened once."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.socialaccount.models import SocialAccount
from django.conf import settings
from django.contrib.auth.models import User
from django.core import signing
from django.db import transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import constant_time_compare, salted_hmac

from compliance.approvals import lines
from compliance.identity import notices
from compliance.identity.passwords import confirmed_addresses
from compliance.models import DirectoryUser

SALT = "compliance.pages.own_address"
LINK_SECONDS = 3600


class OtherPersonError(Exception):
    """The link is for the owner of the account, logged in, because a colleague asked for it."""


def may_change(user: User) -> bool:
    """Whether the address is the person's own business, and no provider's or directory's."""
    if settings.SINGLE_SIGN_ON_ONLY or not user.has_usable_password():
        return False
    return not is_managed_elsewhere(user)


def is_managed_elsewhere(user: User) -> bool:
    """Whether a provider or a directory says what the address is."""
    is_linked = SocialAccount.objects.filter(user=user).exists()
    return is_linked or DirectoryUser.objects.filter(user=user).exists()


def send(
    request: HttpRequest, user: User, address: str, *, by: User | None = None
) -> None:
    """Mail the link to the new address, and tell the old one. `by`: the colleague who asked.

    Nothing is sent to an address that somebody else has, so that nobody learns of it.
    """
    _mail(request, user, address, by=by)
    notices.send(user, notices.ADDRESS_ASKED, request)


def ask_to_confirm(request: HttpRequest, user: User, **_: object) -> None:
    """Mail the link to the address that the account has already. Also a receiver of a signal."""
    if settings.EMAIL_HOST:
        _mail(request, user, user.email)


def _mail(
    request: HttpRequest, user: User, address: str, *, by: User | None = None
) -> None:
    if is_taken(user, address):
        return
    content = {"user": user.pk, "address": address, "seal": _seal(user)}
    if by is not None:
        content["by"] = by.pk
    key = signing.dumps(content, salt=SALT)
    link = f"{settings.DESK_URL}{reverse('account-email-open')}#{key}"
    context = {"user": user, "link": link, "request": request, "by": by}
    get_adapter(request).send_mail("account/email/own_address", address, context)


def confirm(key: str, *, opener: object = None) -> User | None:
    """Change the address. None: the link is wrong, too old, or used. `opener`: who is logged in.

    Raises OtherPersonError if a colleague asked for the change, and the opener is not the owner of
    the account. Else who changes addresses could take over accounts by addresses of their own.
    """
    try:
        content = signing.loads(key, salt=SALT, max_age=LINK_SECONDS)
    except signing.BadSignature:
        return None
    address = content["address"]
    if "by" in content and getattr(opener, "pk", None) != content["user"]:
        raise OtherPersonError
    with transaction.atomic():
        users = User.objects.select_for_update()
        user = users.filter(pk=content["user"], is_active=True).first()
        if user is None or not constant_time_compare(content["seal"], _seal(user)):
            return None
        if is_taken(user, address):
            return None
        if user.email == address:
            # Nothing changes, so it does not matter who manages the address.
            confirmed_addresses.confirm_address(user)
            return user
        if not may_change(user):
            return None
        with lines.acting(user):
            user.email = address
            # Signals mail both addresses, write the line of the trail, and remove the old address
            # from the rows of django-allauth.
            user.save(update_fields=["email"])
    return user


def _seal(user: User) -> str:
    """Ends the links of before once the address or the password is another one."""
    state = f"{user.pk} {user.email} {user.password}"
    return salted_hmac(SALT, state, algorithm="sha256").hexdigest()


def is_taken(user: User, address: str) -> bool:
    others = User.objects.exclude(pk=user.pk)
    return others.filter(email__iexact=address).exists()
