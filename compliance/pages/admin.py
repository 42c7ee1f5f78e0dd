"""Base classes for the admin of all apps: read-only rows, and settings with secrets."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.core.exceptions import PermissionDenied
from django.db import models
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from compliance.approvals.interception import ChangesSettings
from compliance.http.api.form_fields import JSONField
from compliance.pages.secrets_form import SecretsForm, secrets_of
from compliance.security.data_map import hiding
from compliance.security.personal_fields import is_personal

# The most bytes of a body that are shown: nobody reads more, and it would make the page slow.
SHOWN_BYTES = 20_000


class _SearchesNoNames(admin.ModelAdmin[Any]):
    """Disables searching and filtering by names.

    The admin would put the name into the URL, which is logged. And a person from whom names are
    hidden must not find out by a search whose row it is.
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


class AsksBeforeHistory:
    """Asks for the permission before the row of a history is looked up.

    Django looks first, so its answer tells whoever may not see the table which keys it has.
    """

    def history_view(
        self,
        request: HttpRequest,
        object_id: str,
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        if not self.has_view_or_change_permission(request):  # type: ignore[attr-defined]
            raise PermissionDenied
        page: HttpResponse = super().history_view(request, object_id, extra_context)  # type: ignore[misc]
        return page


class ReadOnlyAdmin(AsksBeforeHistory, _SearchesNoNames):
    """Rows that the software writes. People can only read them."""

    actions: Any = None
    show_full_result_count = False
    # Large columns that the list does not show and therefore does not load.
    heavy: tuple[str, ...] = ()

    def get_sortable_by(self, request: HttpRequest) -> list[Any]:
        """Sorting by encrypted columns is impossible."""
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
    """Rows that belong to a record, listed on its page."""

    extra = 0
    can_delete = False
    show_change_link = True

    def has_add_permission(self, request: HttpRequest, *_: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return False


class MomentInput(forms.DateTimeInput):
    """One input for date and time with one label. Django's admin has two inputs without labels."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format="%Y-%m-%dT%H:%M")


class _HidesSecrets:
    """Hides secrets from users with view permission only. Django's admin would show them."""

    model: Any
    formfield_overrides: Any = {
        models.DateTimeField: {
            "form_class": forms.DateTimeField,
            "widget": MomentInput,
        },
        models.URLField: {"assume_scheme": "https"},
        models.JSONField: {"form_class": JSONField},
    }

    def get_exclude(self, request: HttpRequest, obj: object = None) -> list[str]:
        exclude = list(super().get_exclude(request, obj) or [])  # type: ignore[misc]
        if not self.has_change_permission(request, obj):  # type: ignore[attr-defined]
            exclude += secrets_of(self.model)
        return exclude


class LogsEach:
    """Logs each row of a bulk deletion separately.

    Django logs them with one bulk insert, which sends no signals, so the audit trail would miss
    them.
    """

    def log_deletions(
        self, request: HttpRequest, queryset: Iterable[Model]
    ) -> list[LogEntry]:
        log: Any = super().log_deletions  # type: ignore[misc]
        entries: list[LogEntry] = []
        for row in queryset:
            entries += log(request, [row])
        return entries


class SettingsAdmin(
    AsksBeforeHistory, _HidesSecrets, LogsEach, ChangesSettings, _SearchesNoNames
):
    """Rows that administrators create and change, some of which contain secrets."""

    form = SecretsForm


class SettingsInline(_HidesSecrets, admin.StackedInline[Any, Any]):
    form = SecretsForm
    extra = 0
    show_change_link = True


def as_text(content: bytes | memoryview | str) -> SafeString:
    """A body as it was sent: escaped, and cut to SHOWN_BYTES."""
    raw = content.encode() if isinstance(content, str) else bytes(content)
    text = raw[:SHOWN_BYTES].decode(errors="replace")
    if len(raw) > SHOWN_BYTES:
        text += f"\n… {len(raw) - SHOWN_BYTES:,} more bytes"
    return format_html('<pre class="wire">{}</pre>', text)


def as_json(value: object) -> SafeString:
    return as_text(json.dumps(value, indent=2, ensure_ascii=False, default=str))
