"""Base classes for the admin pages of all apps: rows that people only read, and secrets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from compliance.approvals.interception import ChangesSettings
from compliance.http import outbound, standard_webhooks
from compliance.security.data_map import hiding
from compliance.security.encryption import EncryptedTextField
from compliance.security.personal_fields import is_personal

# Nobody reads more of a body on a page, and more makes the page slow.
SHOWN_BYTES = 20_000


class _SearchesNoNames(admin.ModelAdmin[Any]):
    """No search or filter by a name: the admin would put it into an address, which logs keep.

    And whoever sees no names must not find out by one whose row it is.
    """

    def get_search_fields(self, request: HttpRequest) -> list[str]:
        names = [str(name) for name in super().get_search_fields(request)]
        return [name for name in names if not self._is_of_names(name)]

    def lookup_allowed(self, lookup: str, value: Any, request: Any = None) -> bool:
        if self._is_of_names(lookup):
            return False
        return super().lookup_allowed(lookup, value, request)

    def _is_of_names(self, lookup: str) -> bool:
        return hiding.names_hidden(self.model, lookup.lstrip("^=@"))


class ReadOnlyAdmin(_SearchesNoNames):
    """Rows that the software writes and people only read."""

    actions: Any = None
    show_full_result_count = False
    # Large columns, which the list does not show and so does not read.
    heavy: tuple[str, ...] = ()

    def get_sortable_by(self, request: HttpRequest) -> list[Any]:
        """Nobody can sort by a column that is encrypted."""
        fields = self.model._meta.fields
        encrypted = {field.name for field in fields if is_personal(field)}
        names = super().get_sortable_by(request)
        return [name for name in names if name not in encrypted]

    def has_add_permission(self, request: HttpRequest, *_: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        match = request.resolver_match
        page = match.url_name if match else ""
        if (page or "").endswith("_changelist"):
            return rows.defer(*self.heavy)
        return rows


class ReadOnlyInline(admin.StackedInline[Any, Any]):
    """Rows of a record, listed below it."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, *_: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


def _secrets(model: type[Model]) -> list[str]:
    """The names of the model's encrypted fields."""
    fields = model._meta.fields
    return [field.name for field in fields if isinstance(field, EncryptedTextField)]


class SecretsForm(forms.ModelForm[Any]):
    """Secrets can be set but never read back: an empty field keeps the one that is stored."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self._shown_secrets():
            field = self.fields[name]
            field.widget = forms.PasswordInput(
                attrs={"autocomplete": "new-password", "size": 60}
            )
            # The form must not know the value: else an empty field would count as a change.
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
            if not value and not self.instance._state.adding:
                cleaned[name] = getattr(self.instance, name)
            elif standard_webhooks.is_malformed(value):
                self.add_error(name, _("What follows whsec_ must be a key in base64."))
        return cleaned

    def refuse_stored(self, name: str, old: str, new: str) -> None:
        """Refuse to keep the stored secret `name` where its receiver moves to another host.

        A stored key goes only to the host that it was entered for: who may change an address must
        not get the key by it.
        """
        if not self.data.get(self.add_prefix(name)) and not _is_same_host(old, new):
            self.add_error(
                name, _("The address has another host. Enter the key again for it.")
            )

    def _shown_secrets(self) -> list[str]:
        return [name for name in _secrets(type(self.instance)) if name in self.fields]


def _is_same_host(old: str, new: str) -> bool:
    """Whether two addresses lead to the same scheme, host and port. False where one is no address."""
    try:
        same_place = outbound.origin(old) == outbound.origin(new)
    except outbound.BlockedError:
        return False
    return same_place and urlsplit(old).scheme == urlsplit(new).scheme


class MomentInput(forms.DateTimeInput):
    """One field with one label. Django's admin has two fields, and neither has a label."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class _HidesSecrets:
    """Django's admin would show secrets as plain text to users who may only look."""

    model: Any
    formfield_overrides: Any = {
        models.DateTimeField: {
            "form_class": forms.DateTimeField,
            "widget": MomentInput,
        },
        models.URLField: {"assume_scheme": "https"},
    }

    def get_exclude(self, request: HttpRequest, obj: object = None) -> list[str]:
        exclude = list(super().get_exclude(request, obj) or [])  # type: ignore[misc]
        if not self.has_change_permission(request, obj):  # type: ignore[attr-defined]
            exclude += _secrets(self.model)
        return exclude


class LogsEach:
    """Logs rows that are deleted together one by one.

    Django logs them in bulk. A bulk insert sends no signal, so the audit trail would miss them.
    """

    def log_deletions(
        self, request: HttpRequest, queryset: Iterable[Model]
    ) -> list[LogEntry]:
        log: Any = super().log_deletions  # type: ignore[misc]
        entries: list[LogEntry] = []
        for row in queryset:
            entries += log(request, [row])
        return entries


class SettingsAdmin(_HidesSecrets, LogsEach, ChangesSettings, _SearchesNoNames):
    """Rows that administrators make and change, some with secrets in them."""

    form = SecretsForm


class SettingsInline(_HidesSecrets, admin.StackedInline[Any, Any]):
    form = SecretsForm
    extra = 0
    show_change_link = True


def as_text(content: bytes | memoryview | str) -> SafeString:
    """A body as it was sent: escaped, and truncated where it is very long."""
    raw = content.encode() if isinstance(content, str) else bytes(content)
    text = raw[:SHOWN_BYTES].decode(errors="replace")
    if len(raw) > SHOWN_BYTES:
        text += f"\n… {len(raw) - SHOWN_BYTES:,} more bytes"
    return format_html('<pre class="wire">{}</pre>', text)


def as_json(value: object) -> SafeString:
    return as_text(json.dumps(value, indent=2, ensure_ascii=False, default=str))
