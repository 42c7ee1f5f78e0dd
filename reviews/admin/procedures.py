"""Read-only admin of procedure versions and of the marks in checklists."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from compliance.pages.admin import ReadOnlyAdmin, as_json
from reviews.admin.of_case import OfCaseAdmin
from reviews.models import ChecklistMark, Procedure


@admin.register(Procedure)
class ProcedureAdmin(ReadOnlyAdmin):
    list_display = ("kind", "number", "note", "status", "made_by", "made_at", "live_at")
    list_filter = ("kind", "status")
    list_select_related = ("made_by",)
    search_fields = ("note",)
    exclude = ("content",)
    readonly_fields = ("procedure",)

    @admin.display(description=_("Content"))
    def procedure(self, row: Procedure) -> SafeString:
        return as_json(row.content)


@admin.register(ChecklistMark)
class ChecklistMarkAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "item", "kind", "by", "at")
    list_filter = ("kind",)
    list_select_related = ("case", "by")
    search_fields = ("case__reference", "item")
    date_hierarchy = "at"
