"""Invitations: people added by an administrator set their own password by a link in a mail."""

from __future__ import annotations

from allauth.account.adapter import get_adapter
from allauth.account.forms import default_token_generator
from allauth.account.utils import user_pk_to_url_str
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils.translation import gettext as _

from compliance.http.responses import hidden_characters


def link(user: User) -> str:
    """A link that sets a password once. It expires after PASSWORD_RESET_TIMEOUT, or when used."""
    key = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
    address: str = get_adapter().get_reset_password_from_key_url(key)
    return address


def send(request: HttpRequest, user: User, *, by: User, organisation: str) -> None:
    """Mail the link to the person. `organisation`: its name, or empty.

    Raises ValueError if the person has no address.
    """
    if not user.email:
        raise ValueError(_("This person has no e-mail address."))
    context = {
        "user": user,
        "link": link(user),
        "request": request,
        "by": _line(by.get_full_name() or by.get_username()),
        "organisation": _line(organisation),
    }
    get_adapter(request).send_mail("account/email/invitation", user.email, context)


def _line(text: str) -> str:
    """A name as one line, with its invisible characters shown."""
    return " ".join(hidden_characters.show(text).split())
