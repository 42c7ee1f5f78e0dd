"""A user with all that each page asks of them, in one statement; Django's own backend takes four."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db import connection
from django.db.models import Q

from compliance import statements, unasked
from compliance.logins import LimitedBackend

# The permissions as "app.codename", and the connections that the user sees: NULL where those are
# all, because none is kept to a team. Both as words.
_USER = """
SELECT {{columns}}, (
  SELECT {words}(app_label || '.' || codename, ' ')
  FROM (
    SELECT permission_id FROM auth_user_user_permissions WHERE user_id = auth_user.id
    UNION ALL
    SELECT permission_id FROM auth_group_permissions granted
    JOIN auth_user_groups member ON member.group_id = granted.group_id
    WHERE member.user_id = auth_user.id
    UNION ALL
    SELECT id FROM auth_permission WHERE auth_user.is_superuser
  ) held
  JOIN auth_permission ON auth_permission.id = held.permission_id
  JOIN django_content_type kind ON kind.id = content_type_id
) AS permissions, CASE WHEN EXISTS (SELECT 1 FROM reviews_team_connections) THEN COALESCE((
  SELECT {words}(CAST(seen.id AS varchar), ' ') FROM reviews_connection seen
  WHERE NOT EXISTS (SELECT 1 FROM reviews_team_connections kept WHERE kept.connection_id = seen.id)
  OR EXISTS (
    SELECT 1 FROM reviews_team_connections kept
    JOIN reviews_team_members member ON member.team_id = kept.team_id
    WHERE kept.connection_id = seen.id AND member.user_id = auth_user.id)
), '') END AS seen
FROM auth_user WHERE id = %s
"""


class RoleBackend(LimitedBackend):
    def get_user(self, user_id: int) -> Any:
        words = "string_agg" if connection.vendor == "postgresql" else "group_concat"
        sql = _USER.format(words=words)
        read = unasked.run(partial(statements.found, User, sql, [user_id]))
        if not read:
            return None
        user: Any = read[0][0]
        permissions, seen = read[0][1]
        if not self.user_can_authenticate(user):
            return None
        user._role_permissions = frozenset((permissions or "").split())
        user._seen_connections = None if seen is None else sorted(map(int, seen.split()))
        return user

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
