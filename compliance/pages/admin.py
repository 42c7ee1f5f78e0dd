"""What the admin pages of all apps stand on: records that only the desk writes, and secrets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.http import standard_webhooks
from compliance.security.encryption import EncryptedTextField

# More of a body than this says nothing more to a person, and makes the page slow.
SHOWN_BYTES = 20_000


class ReadOnlyAdmin(admin.ModelAdmin[Any]):
    """Rows that the software writes and people only read."""

    actions: Any = None
    show_full_result_count = False
    # Large columns that the list does not show, and hence does not fetch.
    heavy: tuple[str, ...] = ()

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        match = request.resolver_match
        is_list = match is not None and (match.url_name or "").endswith("_changelist")
        return rows.defer(*self.heavy) if is_list else rows


class ReadOnlyInline(admin.StackedInline[Any, Any]):
    """Rows of a record, listed below it."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


def _secrets(model: type[Model]) -> list[str]:
    return [field.name for field in model._meta.fields if isinstance(field, EncryptedTextField)]


class SecretsForm(forms.ModelForm[Any]):
    """Secrets can be set but never read back: an empty field keeps the one that is stored."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self._shown_secrets():
            field = self.fields[name]
            field.widget = forms.PasswordInput(attrs={"autocomplete": "new-password", "size": 60})
            # Not even the form may know it, else an empty field would count as a change.
            self.initial.pop(name, None)
            if not self.instance._state.adding:
                field.required = False
                field.help_text = "Stored. It is never shown; leave empty to keep it."

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in self._shown_secrets():
            if not cleaned.get(name) and not self.instance._state.adding:
                cleaned[name] = getattr(self.instance, name)
            elif standard_webhooks.is_malformed(cleaned.get(name) or ""):
                self.add_error(name, "What follows whsec_ must be a key in base64.")
        return cleaned

    def _shown_secrets(self) -> list[str]:
        return [name for name in _secrets(type(self.instance)) if name in self.fields]


class MomentInput(forms.DateTimeInput):
    """One field with one label, where the stock admin has two fields with none."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class _HidesSecrets:
    """Who may only look would otherwise be shown the secrets as plain text."""

    model: Any
    formfield_overrides: Any = {
        models.DateTimeField: {"form_class": forms.DateTimeField, "widget": MomentInput},
        models.URLField: {"assume_scheme": "https"},
    }

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> list[str]:
        exclude = list(super().get_exclude(request, obj) or [])  # type: ignore[misc]
        if not self.has_change_permission(request, obj):  # type: ignore[attr-defined]
            exclude += _secrets(self.model)
        return exclude


class LogsEach:
    """Rows that are removed together are logged one by one: Django logs them in bulk, of which no
    signal tells, and so they would leave no line in the audit trail."""

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Model]) -> list[LogEntry]:
        log: Any = super().log_deletions  # type: ignore[misc]
        return [entry for row in queryset for entry in log(request, [row])]


class SettingsAdmin(_HidesSecrets, LogsEach, admin.ModelAdmin[Any]):
    """Rows that administrators make and change, some with secrets in them."""

    form = SecretsForm


class SettingsInline(_HidesSecrets, admin.StackedInline[Any, Any]):
    form = SecretsForm
    extra = 0
    show_change_link = True


def as_text(content: bytes | memoryview | str) -> SafeString:
    """A body as it went over the wire: escaped, and cut where it is very long."""
    raw = content.encode() if isinstance(content, str) else bytes(content)
    shown = raw[:SHOWN_BYTES].decode(errors="replace")
    rest = f"\n… {len(raw) - SHOWN_BYTES:,} more bytes" if len(raw) > SHOWN_BYTES else ""
    return format_html('<pre class="wire">{}{}</pre>', shown, rest)


def as_json(value: Any) -> SafeString:
    return as_text(json.dumps(value, indent=2, ensure_ascii=False, default=str))
