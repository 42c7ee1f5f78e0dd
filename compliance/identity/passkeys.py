"""Forms of passkeys: whose answers count, and what is recorded of the others.

The library that parses the browser's data does not expect malformed input. It accepts answers that
were made at a subdomain of the desk; here the page must have been the desk's own.
"""

from __future__ import annotations

import logging
from typing import Any
from urllib.parse import urlsplit

from allauth.core import context
from allauth.mfa import signals
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn import forms
from allauth.mfa.webauthn.internal import auth
from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.signals import user_login_failed
from django.core.exceptions import ValidationError
from django.db import transaction
from django.forms import CharField, HiddenInput
from django.utils.translation import gettext_lazy
from fido2.webauthn import CollectedClientData

from compliance.http.api.form_fields import JSONField
from compliance.security import logins

log = logging.getLogger(__name__)

# The member of an authenticator's data with the counter of its last answer.
COUNTER = "counter"
# Exceptions that the library raises on malformed JSON, in addition to its own.
MALFORMED = (AttributeError, LookupError, TypeError, ValueError)
# Browsers leave these out of an origin.
PORTS = {"http": 80, "https": 443}


def _require_own_page(client_data: CollectedClientData) -> None:
    """Raise ValidationError unless a page of the desk itself asked for this answer."""
    if client_data.origin != _own_origin() or client_data.cross_origin:
        raise get_adapter().validation_error("incorrect_code")


def _own_origin() -> str:
    """The origin of DESK_URL, as browsers write it."""
    parts = urlsplit(settings.DESK_URL)
    if parts.port in {None, PORTS.get(parts.scheme)}:
        return f"{parts.scheme}://{parts.hostname}"
    return f"{parts.scheme}://{parts.hostname}:{parts.port}"


@transaction.atomic
def _require_later_counter(authenticator: Authenticator, counter: int) -> None:
    """Raise ValidationError unless the counter of the answer is beyond that of the last one.

    WebAuthn 7.2: a counter that stands still or goes back is the sign of a copy, which counts by
    itself. Keys that synchronise have none and always answer 0.
    """
    # The lock keeps two answers with one counter apart.
    stored = Authenticator.objects.select_for_update().get(pk=authenticator.pk)
    at_first = stored.wrap().authenticator_data.counter
    last = stored.data.get(COUNTER, at_first)
    if counter == last == 0:
        return
    if counter <= last:
        log.warning("Passkey %d may have been copied: its counter.", authenticator.pk)
        raise get_adapter().validation_error("incorrect_code")
    authenticator.data = {**stored.data, COUNTER: counter}
    authenticator.save(update_fields=["data"])


class _ReadsAnything:
    """Treats a malformed credential, or one of another page or of a copied key, as a wrong one."""

    cleaned_data: dict[str, Any]

    def clean_credential(self) -> object:
        try:
            response = auth.parse_authentication_response(
                self.cleaned_data["credential"]
            )
            _require_own_page(response.response.client_data)
            authenticator: Authenticator = super().clean_credential()  # type: ignore[misc]
            counter = response.response.authenticator_data.counter
            _require_later_counter(authenticator, counter)
            return authenticator
        except ValidationError:
            raise
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class LoginForm(_ReadsAnything, forms.LoginWebAuthnForm):  # type: ignore[misc]
    credential = JSONField(widget=HiddenInput)

    def clean_credential(self) -> object:
        try:
            return super().clean_credential()
        except ValidationError:
            names = {"username": self._username()}
            user_login_failed.send(
                sender=__name__, credentials=names, request=context.request
            )
            raise

    def _username(self) -> str:
        """The name of the account that the answer claims to be of; empty if of none."""
        try:
            user = auth.extract_user_from_response(self.cleaned_data["credential"])
        except (ValidationError, *MALFORMED):
            return ""
        return str(user.get_username())


class _SecondFactor(_ReadsAnything):
    """A passkey as the second factor of a known person: wrong ones are limited and recorded."""

    user: User
    reauthenticated: bool

    def clean_credential(self) -> object:
        return logins.with_limit(self.user, self._examine)

    def _examine(self) -> object:
        try:
            return super().clean_credential()
        except ValidationError:
            signals.authentication_failed.send(
                sender=Authenticator,
                request=context.request,
                user=self.user,
                authenticator=None,
                reauthentication=self.reauthenticated,
            )
            raise


class AuthenticateForm(_SecondFactor, forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    credential = JSONField(widget=HiddenInput)


class ConfirmForm(_SecondFactor, forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    credential = JSONField(widget=HiddenInput)


class AddForm(forms.AddWebAuthnForm):  # type: ignore[misc]
    name = CharField(label=gettext_lazy("Name"), required=False)
    credential = JSONField(widget=HiddenInput)

    def clean(self) -> object:
        try:
            credential = self.cleaned_data.get("credential")
            if credential:
                response = auth.parse_registration_response(credential)
                _require_own_page(response.response.client_data)
            return super().clean()
        except ValidationError:
            raise
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None
