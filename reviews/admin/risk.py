"""Read-only admin of ratings, risk policies and periodic reviews."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from compliance.pages.admin import ReadOnlyAdmin, as_json
from reviews.admin.of_case import OfCaseAdmin
from reviews.models import CaseRating, PeriodicReview, RatingOverride, RiskPolicy


@admin.register(RiskPolicy)
class RiskPolicyAdmin(ReadOnlyAdmin):
    list_display = ("number", "note", "status", "made_by", "made_at", "live_at")
    list_filter = ("status",)
    list_select_related = ("made_by",)
    search_fields = ("note",)
    exclude = ("content",)
    readonly_fields = ("policy",)

    @admin.display(description=_("Content"))
    def policy(self, row: RiskPolicy) -> SafeString:
        return as_json(row.content)


@admin.register(CaseRating)
class CaseRatingAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "band", "score", "policy", "at")
    list_filter = ("band",)
    list_select_related = ("case", "policy")
    search_fields = ("case__reference",)
    date_hierarchy = "at"
    exclude = ("inputs", "result")
    readonly_fields = ("read", "contributions")

    @admin.display(description=_("Inputs"))
    def read(self, row: CaseRating) -> SafeString:
        return as_json(row.inputs)

    @admin.display(description=_("Result"))
    def contributions(self, row: CaseRating) -> SafeString:
        return as_json(row.result)


@admin.register(RatingOverride)
class RatingOverrideAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "was", "band", "status", "made_by", "made_at", "second_by")
    list_filter = ("status", "band")
    list_select_related = ("case", "made_by", "second_by")
    search_fields = ("case__reference",)
    date_hierarchy = "made_at"


@admin.register(PeriodicReview)
class PeriodicReviewAdmin(OfCaseAdmin):
    connection_path = "case__connection"
    list_display = ("case", "on", "reason", "status", "opened_case", "opened_at")
    list_filter = ("status", "reason")
    list_select_related = ("case", "opened_case")
    search_fields = ("case__reference",)
    date_hierarchy = "on"
    exclude = ("changes",)
    readonly_fields = ("since",)

    @admin.display(description=_("Changes"))
    def since(self, row: PeriodicReview) -> SafeString:
        return as_json(row.changes)
