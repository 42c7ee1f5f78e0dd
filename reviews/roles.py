"""Who may do what: a role is a group with the permissions of its acts."""

from __future__ import annotations

from typing import Any

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission

# Role → permissions as "app.codename". An administrator also gets into Django's admin.
ANALYST, SENIOR, ADMINISTRATOR = "analyst", "senior", "administrator"
_READ = {
    f"reviews.view_{model}"
    for model in ("case", "document", "page", "job", "checkresult", "caseevent")
}
_REVIEW = _READ | {"reviews.add_case", "reviews.change_case"}
ROLES = {ANALYST: _REVIEW, SENIOR: _REVIEW, ADMINISTRATOR: _REVIEW}


def ensure(sender: AppConfig, **_: Any) -> None:
    """Make the groups, and give each the permissions above. Connected to post_migrate."""
    for name, wanted in ROLES.items():
        group, _created = Group.objects.get_or_create(name=name)
        codenames = {entry.partition(".")[2] for entry in wanted}
        permissions = Permission.objects.filter(
            content_type__app_label="reviews", codename__in=codenames
        )
        group.permissions.set(permissions)
