"""Adapters of django-allauth: this installation's decisions about accounts and second factors."""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from smtplib import SMTPException
from threading import BoundedSemaphore
from urllib.parse import urlsplit

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db import close_old_connections
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation

from compliance import languages
from compliance.http.callers import address_of
from compliance.identity import step_up
from compliance.identity.passwords import confirmed_addresses
from compliance.security import encryption

log = logging.getLogger(__name__)

# One thread sends mail, each message for at most EMAIL_TIMEOUT. At most 200 messages wait.
_thread = ThreadPoolExecutor(1, thread_name_prefix="mail")
_waiting = BoundedSemaphore(200)
# django-allauth's messages that only repeat what the person has just done, or what the page says.
NO_MESSAGES = {
    "account/messages/logged_in.txt",
    "account/messages/logged_out.txt",
    "mfa/messages/recovery_codes_generated.txt",
}
# Prevents automatic replies, such as out-of-office messages.
AUTOMATIC = {"Auto-Submitted": "auto-generated"}
UNKNOWN_ADDRESS = "0.0.0.0"  # noqa: S104 - a value of a column, not an address to bind


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Sign-up is closed: administrators create accounts."""
        return False

    def get_client_ip(self, request: HttpRequest) -> str:
        """The caller's address as declared proxies report it; for IPv6 the network's first one."""
        address = address_of(request).partition("/")[0]
        return address or UNKNOWN_ADDRESS

    def get_reset_password_from_key_url(self, key: str) -> str:
        """A link for a mail: DESK_URL with the key after `#`, where servers cannot see it."""
        return f"{settings.DESK_URL}{reverse('password-open')}#{key}"

    def send_password_reset_mail(
        self, user: User, email: str, context: dict[str, object]
    ) -> None:
        """Send the link for a new password, unless it could go to the mailbox of somebody else."""
        if confirmed_addresses.is_doubted(user):
            log.warning(
                "Account %s gets no link for a password: nobody confirmed its address.",
                user.pk,
            )
            return
        super().send_password_reset_mail(user, email, context)

    def is_reauthentication_required(self, *, app: str, **_: object) -> bool:
        """Whether account pages ask for the password again: by the same rule as all other pages."""
        if app == "allauth.mfa" and step_up.may_add_first_factor(self.request):
            return False
        return not step_up.is_recent(self.request)

    def add_message(
        self, request: HttpRequest, level: int, message_template: object = None,
        *args: object, **options: object,
    ) -> None:  # fmt: skip
        if message_template not in NO_MESSAGES:
            super().add_message(request, level, message_template, *args, **options)

    def render_mail(
        self, template_prefix: str, email: str | list[str],
        context: dict[str, object], headers: dict[str, str] | None = None,
    ) -> EmailMessage:  # fmt: skip
        headers = {**AUTOMATIC, **(headers or {})}
        message: EmailMessage = super().render_mail(
            template_prefix, email, context, headers
        )
        return message

    def send_mail(
        self, template_prefix: str, email: str, context: dict[str, object]
    ) -> None:
        """Send a mail in the background. A failure is logged without the address, and not shown.

        The page must look the same and answer as fast for known and unknown addresses, or it would
        reveal which addresses have accounts.

        The language is that of the recipient: somebody else may have asked for the mail.
        """
        with languages.of_reader(context.get("user")):
            language = languages.current()
        in_background(partial(self._send_in, language, template_prefix, email, context))

    def _send_in(
        self,
        language: str,
        template_prefix: str,
        email: str,
        context: dict[str, object],
    ) -> None:
        # The thread has a language of its own, whatever context it runs in.
        with translation.override(language):
            super().send_mail(template_prefix, email, context)


def in_background(send: Callable[[], object]) -> None:
    """Send a mail in a thread. A failure is logged without the address."""
    if not settings.MAIL_IN_BACKGROUND:
        _send(send)
        return
    if not _waiting.acquire(blocking=False):
        log.error("A mail was not sent (too many wait).")
        return
    _thread.submit(copy_context().run, _send_and_release, send)


def _send_and_release(send: Callable[[], object]) -> None:
    try:
        _send(send)
    except Exception as exc:  # noqa: BLE001 - nobody reads the result of the thread
        # Without a traceback, as below.
        log.error("A mail was not sent (%s).", type(exc).__name__)  # noqa: TRY400
    finally:
        _waiting.release()
        close_old_connections()


def _send(send: Callable[[], object]) -> None:
    try:
        send()
    except (OSError, SMTPException) as exc:
        # Without a traceback, which may repeat the address.
        log.error("A mail was not sent (%s).", type(exc).__name__)  # noqa: TRY400


class SecondFactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def encrypt(self, text: str) -> str:
        return encryption.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        return encryption.decrypt(encrypted_text)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The relying party of passkeys: the host of DESK_URL."""
        host = urlsplit(settings.DESK_URL).hostname or "localhost"
        return {"id": host, "name": "Compliance desk"}
