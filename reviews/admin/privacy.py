"""Admin of retention rules, which are edited here, and of holds and erasures, which are
read-only.
"""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest

from compliance.pages.admin import ReadOnlyAdmin, SettingsAdmin
from reviews.access import roles
from reviews.access.decorators import person_of
from reviews.admin.of_case import OfCaseAdmin
from reviews.models import Case, Erasure, LegalHold, RetentionRule


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

    def get_queryset(self, request: HttpRequest) -> QuerySet[LegalHold]:
        """Holds on cases that the user sees, and holds on a reference, which belong to no team."""
        visible = roles.only_visible(
            person_of(request), Case.objects.all(), "connection"
        )
        visible_rows = Q(case=None) | Q(case__in=visible)
        rows: QuerySet[LegalHold] = super().get_queryset(request)
        return rows.filter(visible_rows)


@admin.register(Erasure)
class ErasureAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "status", "by", "rule_name", "planned_at", "erased_at")
    list_filter = ("status",)
    list_select_related = ("case", "by")
    search_fields = ("case__reference",)
    date_hierarchy = "planned_at"
