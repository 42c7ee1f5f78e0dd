"""Privacy: rules of retention are set here, holds and erasures are only read."""

from __future__ import annotations

from django.contrib import admin

from compliance.pages.admin import ReadOnlyAdmin, SettingsAdmin
from reviews.models import Erasure, LegalHold, RetentionRule


@admin.register(RetentionRule)
class RetentionRuleAdmin(SettingsAdmin):
    list_display = ("name", "kind", "outcome", "months", "clock", "is_active")
    list_filter = ("is_active", "kind")
    search_fields = ("name",)


@admin.register(LegalHold)
class LegalHoldAdmin(ReadOnlyAdmin):
    list_display = ("case", "reference", "by", "at", "until", "lifted_at")
    list_select_related = ("case", "by")
    search_fields = ("case__reference", "reference")
    date_hierarchy = "at"


@admin.register(Erasure)
class ErasureAdmin(ReadOnlyAdmin):
    list_display = ("case", "status", "by", "rule_name", "planned_at", "erased_at")
    list_filter = ("status",)
    list_select_related = ("case", "by")
    search_fields = ("case__reference",)
    date_hierarchy = "planned_at"
