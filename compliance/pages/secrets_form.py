"""A form for rows with secrets, which can be set but not read."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.db.models import Model
from django.utils.translation import gettext as _

from compliance.http import outbound, standard_webhooks
from compliance.security.encryption import EncryptedTextField


def secrets_of(model: type[Model]) -> list[str]:
    """The names of the model's encrypted secrets."""
    fields = model._meta.fields
    return [field.name for field in fields if isinstance(field, EncryptedTextField)]


class SecretsForm(forms.ModelForm[Any]):
    """A form in which secrets can be set but not read: an empty field keeps the stored secret."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Secrets that this form sets. Spaces alone are no secret: the field removes them.
        self._entered: set[str] = set()
        for name in self._shown_secrets():
            field = self.fields[name]
            field.widget = forms.PasswordInput(
                attrs={"autocomplete": "new-password", "size": 60}
            )
            # The form must not contain the value: otherwise an empty field would count as a change.
            self.initial.pop(name, None)
            if not self.instance._state.adding:
                field.required = False
                field.help_text = _(
                    "Stored. It is never shown; leave empty to keep it."
                )

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in self._shown_secrets():
            value = cleaned.get(name) or ""
            if value:
                self._entered.add(name)
            if not value and not self.instance._state.adding:
                cleaned[name] = getattr(self.instance, name)
            elif standard_webhooks.is_malformed(value):
                self.add_error(name, _("What follows whsec_ must be a key in base64."))
        return cleaned

    def refuse_stored(self, name: str, old: str, new: str) -> None:
        """Require the secret `name` again if its receiver moves to another host.

        A stored secret is sent only to the host for which it was entered: otherwise a person who
        may change the address could send the secret to a host of their own.
        """
        if name not in self._entered and not _is_same_host(old, new):
            self.add_error(
                name, _("The address has another host. Enter the key again for it.")
            )

    def _shown_secrets(self) -> list[str]:
        return [name for name in secrets_of(type(self.instance)) if name in self.fields]


def _is_same_host(old: str, new: str) -> bool:
    """Whether two URLs have the same scheme, host and port. False if one is not a valid URL."""
    try:
        same_place = outbound.origin(old) == outbound.origin(new)
    except outbound.BlockedError:
        return False
    return same_place and urlsplit(old).scheme == urlsplit(new).scheme
