"""Permissions of a user in one query; Django's own backend takes two, on every page."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.backends import ModelBackend
from django.contrib.auth.models import Permission
from django.db.models import Q


class RoleBackend(ModelBackend):
    def get_all_permissions(self, user_obj: Any, obj: Any = None) -> set[str]:
        if not user_obj.is_active or user_obj.is_anonymous or obj is not None:
            return set()
        if not hasattr(user_obj, "_role_permissions"):
            granted = Permission.objects.all()
            if not user_obj.is_superuser:
                granted = granted.filter(Q(user=user_obj) | Q(group__user=user_obj)).distinct()
            names = granted.order_by().values_list("content_type__app_label", "codename")
            user_obj._role_permissions = {f"{app}.{codename}" for app, codename in names}
        return set(user_obj._role_permissions)
