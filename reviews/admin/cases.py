"""Admin of connections, agents and webhook secrets, which are edited here, and read-only views
of cases.
"""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from compliance.pages.admin import (
    ReadOnlyAdmin,
    ReadOnlyInline,
    SettingsAdmin,
    SettingsInline,
    as_json,
)
from reviews.admin.of_case import OfCaseAdmin
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    CheckResult,
    Connection,
    Document,
    DraftFile,
    Job,
    Page,
    Pause,
    WebhookSecret,
)
from reviews.service.forms import AgentForm, ConnectionForm


class WebhookSecretInline(SettingsInline):
    model = WebhookSecret


class AgentInline(SettingsInline):
    model = Agent
    form = AgentForm


@admin.register(Connection)
class ConnectionAdmin(SettingsAdmin):
    list_display = ("name", "slug", "base_url", "is_active", "created_at")
    list_filter = ("is_active",)
    search_fields = ("name", "slug", "base_url")
    form = ConnectionForm
    prepopulated_fields = {"slug": ("name",)}
    inlines = (AgentInline, WebhookSecretInline)


@admin.register(Agent)
class AgentAdmin(SettingsAdmin):
    form = AgentForm
    list_display = ("name", "kind", "connection", "is_active")
    list_filter = ("kind", "is_active", "connection")
    list_select_related = ("connection",)
    search_fields = ("name",)


@admin.register(WebhookSecret)
class WebhookSecretAdmin(SettingsAdmin):
    list_display = ("name", "connection", "created_at", "active_until")
    list_filter = ("connection",)
    list_select_related = ("connection",)
    search_fields = ("name", "connection__name", "connection__slug")


class JobInline(ReadOnlyInline):
    model = Job
    fields = ("id", "status", "recommendation", "created_at", "ended_at")
    readonly_fields = fields


class DocumentInline(ReadOnlyInline):
    model = Document
    fields = ("file_name", "kind", "status", "size", "sha256")
    readonly_fields = fields


@admin.register(Case)
class CaseAdmin(OfCaseAdmin):
    connection_path = "connection"
    list_display = ("reference", "subject", "kind", "country", "status", "recommendation", "created_at")  # fmt: skip
    list_filter = ("status", "kind", "connection")
    search_fields = ("reference",)
    date_hierarchy = "created_at"
    # Columns that lists do not load.
    heavy = ("self_attested_data", "schema_extra", "summary")
    fields = (
        "reference", "subject", "kind", "country", "status", "recommendation",
        "recommendation_reasons", "requirements_version", "connection", "agent", "submitted_by",
        "created_at", "updated_at", "attested", "extra",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (DocumentInline, JobInline)

    @admin.display(description=_("Self-attested data"))
    def attested(self, case: Case) -> SafeString:
        return as_json(case.self_attested_data)

    @admin.display(description=_("Rest of the schema"))
    def extra(self, case: Case) -> SafeString:
        return as_json(case.schema_extra)


@admin.register(Document)
class DocumentAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("file_name", "case", "kind", "status", "size", "created_at")
    list_filter = ("kind", "status")
    list_select_related = ("case",)
    search_fields = ("sha256", "case__reference")
    date_hierarchy = "created_at"
    fields = (
        "id", "case", "kind", "file_name", "size", "sha256", "status", "reason", "source_url",
        "created_at", "due_at", "leased_until", "claim_count", "tries",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(Page)
class PageAdmin(OfCaseAdmin):
    connection_path = "document__case__connection"
    list_display = ("document", "number", "width", "height")
    list_select_related = ("document",)
    search_fields = ("document__sha256",)
    heavy = ("words",)
    fields = ("document", "number", "width", "height", "text")
    readonly_fields = fields

    @admin.display(description=_("Words"))
    def text(self, page: Page) -> SafeString:
        return as_json(page.words)


class CheckResultInline(ReadOnlyInline):
    model = CheckResult
    fields = ("check_id", "source", "subject", "status", "passed", "received_at")
    readonly_fields = fields


@admin.register(Job)
class JobAdmin(OfCaseAdmin):
    connection_path = "connection"
    list_display = (
        "id",
        "case",
        "status",
        "recommendation",
        "tries",
        "created_at",
        "ended_at",
    )
    list_filter = ("status", "connection")
    list_select_related = ("case",)
    search_fields = ("id", "remote_id", "case__reference")
    date_hierarchy = "created_at"
    fields = (
        "id", "case", "connection", "agent", "remote_id", "status", "recommendation",
        "recommendation_reasons", "requirements_version", "error", "tries",
        "has_results", "created_at", "started_at", "ended_at", "due_at", "leased_until",
        "claim_count",
    )  # fmt: skip
    readonly_fields = fields
    inlines = (CheckResultInline,)


@admin.register(CheckResult)
class CheckResultAdmin(OfCaseAdmin):
    connection_path = "job__connection"
    list_display = ("check_id", "source", "job", "status", "passed", "received_at")
    list_filter = ("source", "passed")
    list_select_related = ("job",)
    search_fields = ("check_id", "job__remote_id")
    date_hierarchy = "received_at"
    heavy = ("body",)
    fields = (
        "job",
        "source",
        "check_id",
        "subject",
        "status",
        "passed",
        "received_at",
        "verbatim",
    )
    readonly_fields = fields

    @admin.display(description=_("Body"))
    def verbatim(self, result: CheckResult) -> SafeString:
        return as_json(result.body)


@admin.register(CaseEvent)
class CaseEventAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("at", "case", "what", "actor", "user")
    list_filter = ("actor", "what")
    list_select_related = ("case", "user")
    search_fields = ("case__reference", "what")
    date_hierarchy = "at"
    heavy = ("data", "personal")
    fields = ("at", "case", "what", "actor", "user", "details")
    readonly_fields = fields

    @admin.display(description=_("Details"))
    def details(self, event: CaseEvent) -> SafeString:
        return as_json(event.details)


@admin.register(Pause)
class PauseAdmin(ReadOnlyAdmin):
    list_display = ("connection", "status", "since", "probes", "due_at")
    list_filter = ("status",)
    list_select_related = ("connection",)
    search_fields = ("connection__name", "connection__slug")
    fields = (
        "connection",
        "status",
        "reason",
        "since",
        "probes",
        "due_at",
        "leased_until",
        "claim_count",
    )
    readonly_fields = fields


@admin.register(DraftFile)
class DraftFileAdmin(ReadOnlyAdmin):
    list_display = ("file_name", "kind", "user", "size", "created_at")
    list_filter = ("kind",)
    list_select_related = ("user",)
    search_fields = ("sha256", "user__username")
    fields = (
        "id",
        "user",
        "kind",
        "file_name",
        "size",
        "sha256",
        "created_at",
        "due_at",
    )
    readonly_fields = fields
