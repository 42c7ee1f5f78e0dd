"""Invitations: people added by an administrator set their own password by a link in a mail."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _


def link(user: User) -> str:
    """A link that sets a password once. It expires after PASSWORD_RESET_TIMEOUT, or when used."""
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    address: str = get_adapter().get_reset_password_from_key_url(key)
    return address


def send(request: HttpRequest, user: User) -> None:
    """Mail the link to the person. Raises ValueError if they have no address."""
    if not user.email:
        raise ValueError(_("This person has no e-mail address."))
    context = {"user": user, "link": link(user), "request": request}
    get_adapter(request).send_mail("account/email/invitation", user.email, context)
