"""Read-only admin of tables of the installation."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.identity.scim import tokens
from compliance.models import CspReport, DirectoryGroup, DirectoryToken
from compliance.pages.admin import ReadOnlyAdmin


@admin.register(CspReport)
class CspReportAdmin(ReadOnlyAdmin):
    list_display = ("at", "directive", "source", "page")
    list_filter = ("directive",)
    search_fields = ("directive", "source", "page")
    fields = list_display
    readonly_fields = fields


@admin.register(DirectoryGroup)
class DirectoryGroupAdmin(ReadOnlyAdmin):
    list_display = ("name", "external_id", "changed_at")
    search_fields = ("name",)
    fields = ("name", "external_id", "members", "created_at", "changed_at")
    readonly_fields = fields


@admin.register(DirectoryToken)
class DirectoryTokenAdmin(ReadOnlyAdmin):
    list_display = (
        "prefix",
        "name",
        "created_at",
        "expires_at",
        "last_used_at",
        "revoked_at",
    )
    search_fields = ("prefix", "name")
    fields = list_display
    readonly_fields = fields
    actions = ("revoke",)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        # A separate permission: viewing the list is not enough.
        return request.user.has_perm("compliance.change_directorytoken")

    @admin.action(
        description=gettext_lazy("Revoke the selected tokens"), permissions=["revoke"]
    )
    def revoke(self, request: HttpRequest, chosen: QuerySet[DirectoryToken]) -> None:
        count = 0
        for token in chosen:
            count += tokens.revoke(token)
        self.message_user(request, _("Revoked: %(count)s.") % {"count": count})
