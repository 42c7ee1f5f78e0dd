"""People and their roles: as Django keeps them, but for the trail of what is removed."""

from __future__ import annotations

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, User

from compliance.pages.admin import LogsEach

admin.site.unregister([User, Group])


@admin.register(User)
class PersonAdmin(LogsEach, UserAdmin[User]):
    pass


@admin.register(Group)
class RoleAdmin(LogsEach, GroupAdmin):
    pass
