"""People and their roles: as Django keeps them, with limits for who is no superuser."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User
from django.http import HttpRequest

from compliance.pages.admin import LogsEach

admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(LogsEach, UserAdmin[User]):
    """An administrator manages people by their roles, and cannot get more rights by it."""

    def has_change_permission(
        self, request: HttpRequest, obj: User | None = None
    ) -> bool:
        # Who could set the password of a superuser would be one.
        if obj is not None and obj.is_superuser and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def get_readonly_fields(
        self, request: HttpRequest, obj: User | None = None
    ) -> list[str]:
        fields = list(super().get_readonly_fields(request, obj))
        if request.user.is_superuser:
            return fields
        # Rights come by roles only.
        fields += ["is_superuser", "user_permissions"]
        if obj is not None and obj.pk == request.user.pk:
            # Nobody gives themselves a role: another administrator does.
            fields += ["groups", "is_staff"]
        return fields


@admin.register(Group)
class RoleAdmin(LogsEach, GroupAdmin):
    pass
