"""Admin of API tokens: list and revoke. They are created on a page of the desk, which shows each
once.
"""

from __future__ import annotations

from typing import cast

from django.contrib import admin
from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http.limits import quotas
from compliance.pages.admin import ReadOnlyAdmin
from reviews.access import api_tokens, roles
from reviews.models import ApiToken


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    list_display = ("prefix", "name", "user", "made_by", "created_at", "expires_at", "last_used_at", "revoked_at", "used_today")  # fmt: skip
    list_filter = ("user",)
    list_select_related = ("user", "made_by")
    search_fields = ("name", "prefix", "user__username")
    fields = (
        "prefix", "name", "user", "scopes", "made_by", "created_at", "expires_at", "last_used_at",
        "revoked_at",
    )  # fmt: skip
    readonly_fields = fields
    actions = ("revoke",)

    @admin.display(description=gettext_lazy("Brought today"))
    def used_today(self, token: ApiToken) -> str:
        return quotas.used_in_words(quotas.TOKEN, token.pk)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm(roles.EVERY_TOKEN)

    @admin.action(
        description=gettext_lazy("Revoke the selected tokens"), permissions=["revoke"]
    )
    def revoke(self, request: HttpRequest, chosen: QuerySet[ApiToken]) -> None:
        actor = cast(User, request.user)
        count = 0
        for token in chosen:
            count += api_tokens.revoke(token, actor=actor)
        self.message_user(request, _("Revoked: %(count)s.") % {"count": count})
