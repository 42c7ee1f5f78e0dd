"""Who may manage the hub: hub administrators, by the permissions of its models."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from django.apps import AppConfig
from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import Group, Permission
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

# A group of its own: who manages the users of the desk need not see the keys of the hub.
HUB_ADMINISTRATOR = "hub administrator"
MANAGES = "agenthub.change_account"


def ensure(sender: AppConfig, **_: object) -> None:
    """Create the group, and let it manage the hub. Connected to post_migrate."""
    group, _created = Group.objects.get_or_create(name=HUB_ADMINISTRATOR)
    permissions = Permission.objects.filter(content_type__app_label=sender.label)
    # Records of the hub are never deleted by hand.
    without_deletion = permissions.exclude(codename__startswith="delete_")
    group.permissions.set(without_deletion)


def administrators_only(view: View) -> View:
    """Log in first; a user who is no administrator gets 403. Caches store nothing."""
    uncached = cache_control(private=True, no_store=True)(view)
    is_administrator = permission_required(MANAGES, raise_exception=True)
    return login_required(is_administrator(uncached))
