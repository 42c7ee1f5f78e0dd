"""Mails to people about their own login, so that they notice what an attacker would do.

They are sent to the address of the account; after a change of address also to the old one. Without
a mail server (EMAIL_HOST) none is sent; the audit trail has the events in any case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from allauth.account import signals as account
from allauth.mfa import signals as second_factors
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.core.mail import EmailMessage
from django.db import transaction
from django.db.models.signals import pre_save
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from compliance import languages
from compliance.http.callers import address_of
from compliance.identity import accounts
from compliance.security import logins

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

TEMPLATE = "account/email/notice.txt"
# The most characters of the User-Agent: the sender of the request chooses this text.
BROWSER_LENGTH = 120


@dataclass(frozen=True)
class Notice:
    """What happened, in the words of the subject and in those of the mail."""

    subject: StrOrPromise
    sentence: StrOrPromise


PASSWORD = Notice(
    _("Compliance desk: your password was changed"),
    _("Your password was changed."),
)
FACTOR_ADDED = Notice(
    _("Compliance desk: a second factor was added to your account"),
    _("A second factor was added to your account."),
)
FACTOR_REMOVED = Notice(
    _("Compliance desk: a second factor was removed from your account"),
    _("A second factor was removed from your account."),
)
NEW_CODES = Notice(
    _("Compliance desk: your recovery codes were made again"),
    _("Your recovery codes were made again."),
)
FACTORS_RESET = Notice(
    _("Compliance desk: all second factors of your account were removed"),
    _("An administrator removed all second factors of your account."),
)
FACTOR_WRONG = Notice(
    _("Compliance desk: your password, then a wrong code"),
    _("Somebody typed your password, and then a wrong code of the second factor."),
)
CODE_USED = Notice(
    _("Compliance desk: a recovery code was used"),
    _(
        "One of your recovery codes was used. If that was not you, tell an administrator."
    ),
)
TOKEN_MADE = Notice(
    _("Compliance desk: an API token was made"),
    _(
        "An API token was made by you or for you. If you did not expect it, tell an administrator."
    ),
)
TOKENS_REVOKED = Notice(
    _("Compliance desk: your API tokens were revoked"),
    _(
        "The API tokens that you made for yourself were revoked: your password or your second factors"
        " are new."
    ),
)
ADDRESS_ASKED = Notice(
    _("Compliance desk: a new e-mail address is asked for"),
    _("Somebody asked to change the e-mail address of your account."),
)
ADDRESS = Notice(
    _("Compliance desk: your e-mail address was changed"),
    _("The e-mail address of your account was changed."),
)
NEW_BROWSER = Notice(
    _("Compliance desk: your account was used from a new browser"),
    _("Your account was used from a browser that has not used it before."),
)


def connect() -> None:
    user_logged_in.connect(_login)
    for signal in (
        account.password_set,
        account.password_changed,
        account.password_reset,
    ):
        signal.connect(_password)
    second_factors.authenticator_added.connect(_factor_added)
    second_factors.authenticator_removed.connect(_factor_removed)
    second_factors.authenticator_reset.connect(_factor_reset)
    second_factors.authenticator_used.connect(_factor_used)
    second_factors.authentication_failed.connect(_factor_wrong)
    pre_save.connect(_address, sender=User)


def send(user: User, notice: Notice, request: HttpRequest | None = None) -> None:
    """Mail one sentence about the account to its owner, with time, address and browser."""
    _send_to(user.email, user, notice, request)


def _send_to(
    address: str, user: User, notice: Notice, request: HttpRequest | None
) -> None:
    if not address or not settings.EMAIL_HOST:
        return
    context: dict[str, object] = {
        "user": user,
        "sentence": notice.sentence,
        "moment": timezone.now(),
        "desk": settings.DESK_URL,
    }
    if request is not None:
        context["address"] = address_of(request)
        context["browser"] = request.headers.get("User-Agent", "")[:BROWSER_LENGTH]
    with languages.of(user):
        body = render_to_string(TEMPLATE, context)
        subject = str(notice.subject)
    mail = EmailMessage(subject, body, to=[address], headers=accounts.AUTOMATIC)
    # A change that waits for a second person is rolled back, and nothing has happened.
    transaction.on_commit(partial(accounts.in_background, mail.send))


def _login(request: HttpRequest | None, user: User, **_: object) -> None:
    if request is None or "REMOTE_ADDR" not in request.META:
        return
    if not logins.is_known(request, user.get_username()):
        send(user, NEW_BROWSER, request)


def _password(request: HttpRequest, user: User, **_: object) -> None:
    send(user, PASSWORD, request)


def _factor_added(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: object
) -> None:
    if not _are_codes(authenticator):
        send(user, FACTOR_ADDED, request)


def _factor_removed(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: object
) -> None:
    if not _are_codes(authenticator):
        send(user, FACTOR_REMOVED, request)


def _are_codes(authenticator: Authenticator) -> bool:
    """Recovery codes come with the first factor and go with the last, which have mails."""
    return bool(authenticator.type == Authenticator.Type.RECOVERY_CODES)


def _factor_reset(request: HttpRequest, user: User, **_: object) -> None:
    send(user, NEW_CODES, request)


def _factor_used(
    request: HttpRequest, user: User, authenticator: Authenticator, **_: object
) -> None:
    if _are_codes(authenticator):
        send(user, CODE_USED, request)


def _factor_wrong(request: HttpRequest, user: User, **_: object) -> None:
    send(user, FACTOR_WRONG, request)


def _address(instance: User, *, raw: bool = False, **_: object) -> None:
    """Notify the old and the new address of a change, however it was made."""
    if raw or instance.pk is None:
        return
    earlier = User.objects.filter(pk=instance.pk).values_list("email", flat=True)
    before = earlier.first()
    if before is None or before.casefold() == instance.email.casefold():
        return
    _send_to(before, instance, ADDRESS, None)
    _send_to(instance.email, instance, ADDRESS, None)
