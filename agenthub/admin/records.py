"""Read-only admin of what clients sent to the hub, and of its lists."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from agenthub.models import (
    AddressEntry,
    AddressList,
    DocumentPrint,
    Feedback,
    JobBatch,
    QuarantinedFile,
    RejectedRow,
    SubjectMark,
    Upload,
)
from agenthub.models.companies import RegistryCompany, RegistryLoad
from agenthub.models.lists import (
    HeldVersion,
    ListEntity,
    ListRefresh,
    ListReindex,
    ListSource,
    ListVersion,
    Rescreening,
)
from compliance.pages.admin import ReadOnlyAdmin, as_json


@admin.register(JobBatch)
class JobBatchAdmin(ReadOnlyAdmin):
    list_display = (
        "batch_id",
        "name",
        "agent",
        "status",
        "accepted",
        "rejected",
        "created_at",
    )
    list_filter = ("status", "agent")
    list_select_related = ("agent",)
    # The name is encrypted, and cannot be searched.
    search_fields = ("batch_id",)
    date_hierarchy = "created_at"
    heavy = ("options",)
    # Without the file itself: it contains personal data.
    fields = (
        "batch_id", "name", "agent", "status", "read_rows", "accepted", "rejected", "error",
        "created_at", "updated_at", "due_at", "leased_until", "claim_count",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(RejectedRow)
class RejectedRowAdmin(ReadOnlyAdmin):
    list_display = ("batch", "line")
    list_select_related = ("batch",)
    search_fields = ("batch__batch_id",)
    heavy = ("detail",)
    fields = ("batch", "line", "reason", "verbatim")
    readonly_fields = fields

    @admin.display(description=_("Detail"))
    def verbatim(self, row: RejectedRow) -> SafeString:
        return as_json(row.detail)


@admin.register(QuarantinedFile)
class QuarantinedFileAdmin(ReadOnlyAdmin):
    list_display = ("signature", "status", "account", "sha256", "created_at")
    list_filter = ("status", "account")
    list_select_related = ("account",)
    search_fields = ("signature", "sha256")
    date_hierarchy = "created_at"
    fields = (
        "account", "job", "status", "signature", "scanner", "sha256", "size", "created_at",
        "ended_by", "ended_at", "reason",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(Upload)
class UploadAdmin(ReadOnlyAdmin):
    list_display = ("id", "file_name", "content_type", "size", "account", "created_at")
    list_filter = ("account", "content_type")
    list_select_related = ("account",)
    search_fields = ("id", "file_name", "sha256")
    date_hierarchy = "created_at"
    fields = (
        "id",
        "account",
        "file_name",
        "content_type",
        "size",
        "sha256",
        "created_at",
    )
    readonly_fields = fields


@admin.register(Feedback)
class FeedbackAdmin(ReadOnlyAdmin):
    list_display = ("job", "check_id", "created_at")
    list_select_related = ("job",)
    search_fields = ("job__job_id", "check_id")
    date_hierarchy = "created_at"
    heavy = ("text", "body")
    fields = ("job", "check_id", "created_at", "text", "verbatim")
    readonly_fields = fields

    @admin.display(description=_("Request"))
    def verbatim(self, feedback: Feedback) -> SafeString:
        return as_json(feedback.body)


@admin.register(DocumentPrint)
class DocumentPrintAdmin(ReadOnlyAdmin):
    list_display = ("kind", "value", "case_id", "account", "created_at")
    list_filter = ("kind", "account")
    list_select_related = ("account",)
    search_fields = ("value", "case_id")
    date_hierarchy = "created_at"
    fields = ("account", "job", "case_id", "kind", "value", "created_at")
    readonly_fields = fields


@admin.register(ListSource)
class ListSourceAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "format", "max_age_days")
    search_fields = ("slug", "title")
    # Without the URL, which may contain a token.
    fields = (
        "slug",
        "title",
        "format",
        "max_age_days",
        "max_shrink",
        "topics",
        "canaries",
    )
    readonly_fields = fields


@admin.register(ListVersion)
class ListVersionAdmin(ReadOnlyAdmin):
    list_display = (
        "source",
        "status",
        "published_at",
        "loaded_at",
        "entity_count",
        "note",
    )
    list_filter = ("status", "source")
    list_select_related = ("source",)
    search_fields = ("source__slug", "file_name", "sha256")
    date_hierarchy = "loaded_at"
    fields = (
        "source", "status", "published_at", "loaded_at", "file_name", "sha256", "size",
        "entity_count", "name_count", "engine_version", "note",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(HeldVersion)
class HeldVersionAdmin(ReadOnlyAdmin):
    list_display = ("version", "status", "file_name", "released_by", "released_at")
    list_filter = ("status",)
    list_select_related = ("version__source",)
    search_fields = (
        "version__source__slug",
        "file_name",
        "sha256",
        "released_by",
        "reason",
    )
    fields = (
        "version", "status", "file_name", "sha256", "released_by", "released_at", "reason", "error",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(ListEntity)
class ListEntityAdmin(ReadOnlyAdmin):
    list_display = ("external_id", "source", "first_version_id", "last_version_id")
    list_filter = ("source",)
    list_select_related = ("source",)
    search_fields = ("external_id",)
    heavy = ("content",)
    fields = (
        "source",
        "external_id",
        "content_hash",
        "first_version",
        "last_version",
        "verbatim",
    )
    readonly_fields = fields

    @admin.display(description=_("Content"))
    def verbatim(self, entity: ListEntity) -> SafeString:
        return as_json(entity.content)


@admin.register(Rescreening)
class RescreeningAdmin(ReadOnlyAdmin):
    list_display = ("version", "status", "raised", "updated_at")
    list_filter = ("status",)
    list_select_related = ("version__source",)
    search_fields = ("version__source__slug",)
    fields = (
        "version",
        "status",
        "reached",
        "until",
        "raised",
        "error",
        "updated_at",
        "due_at",
        "claim_count",
    )
    readonly_fields = fields


@admin.register(ListRefresh)
class ListRefreshAdmin(ReadOnlyAdmin):
    list_display = ("source", "status", "fetched_at", "due_at", "error")
    list_select_related = ("source",)
    search_fields = ("source__slug", "source__title", "error")
    fields = ("source", "status", "fetched_at", "due_at", "error")
    readonly_fields = fields


@admin.register(ListReindex)
class ListReindexAdmin(ReadOnlyAdmin):
    list_display = ("source", "version", "reached", "due_at", "error")
    list_select_related = ("source", "version__source")
    search_fields = ("source__slug", "source__title", "error")
    fields = ("source", "version", "reached", "due_at", "error")
    readonly_fields = fields


@admin.register(RegistryLoad)
class RegistryLoadAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "status", "loaded_at", "company_count", "note")
    list_filter = ("status",)
    search_fields = ("slug", "title")
    fields = (
        "slug", "title", "status", "loaded_at", "file_name", "sha256", "company_count", "has_leis",
        "note",
    )  # fmt: skip
    readonly_fields = fields


@admin.register(RegistryCompany)
class RegistryCompanyAdmin(ReadOnlyAdmin):
    list_display = ("name", "lei", "number", "country", "load")
    list_select_related = ("load",)
    search_fields = ("lei", "number")
    fields = ("name", "lei", "number", "country", "load", "facts")
    readonly_fields = fields


@admin.register(SubjectMark)
class SubjectMarkAdmin(ReadOnlyAdmin):
    list_display = ("value", "case_id", "account")
    list_filter = ("account",)
    list_select_related = ("account",)
    search_fields = ("value", "case_id")
    fields = ("account", "job", "case_id", "value")
    readonly_fields = fields


@admin.register(AddressList)
class AddressListAdmin(ReadOnlyAdmin):
    list_display = ("slug", "title", "loaded_at", "address_count")
    search_fields = ("slug", "title")
    fields = ("slug", "title", "loaded_at", "file_name", "sha256", "address_count")
    readonly_fields = fields


@admin.register(AddressEntry)
class AddressEntryAdmin(ReadOnlyAdmin):
    list_display = ("name", "kind", "place", "list")
    list_select_related = ("list",)
    search_fields = ("name", "place")
    fields = ("list", "kind", "name", "place", "address")
    readonly_fields = fields
