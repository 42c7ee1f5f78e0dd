"""Forms of passkeys. The library that parses the browser's data does not expect malformed input."""

from __future__ import annotations

from allauth.mfa.adapter import get_adapter
from allauth.mfa.webauthn import forms
from django.core.exceptions import ValidationError
from django.forms import CharField
from django.utils.translation import gettext_lazy

# Exceptions that the library raises on malformed JSON, in addition to its own.
MALFORMED = (AttributeError, LookupError, TypeError, ValueError)


class _ReadsAnything:
    """Treats a malformed credential as a wrong one."""

    def clean_credential(self) -> object:
        try:
            return super().clean_credential()  # type: ignore[misc]
        except ValidationError:
            raise
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None


class LoginForm(_ReadsAnything, forms.LoginWebAuthnForm):  # type: ignore[misc]
    pass


class AuthenticateForm(_ReadsAnything, forms.AuthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class ConfirmForm(_ReadsAnything, forms.ReauthenticateWebAuthnForm):  # type: ignore[misc]
    pass


class AddForm(forms.AddWebAuthnForm):  # type: ignore[misc]
    name = CharField(label=gettext_lazy("Name"), required=False)

    def clean(self) -> object:
        try:
            return super().clean()
        except ValidationError:
            raise
        except MALFORMED:
            raise get_adapter().validation_error("incorrect_code") from None
