"""Permission to manage the hub: a group of hub administrators."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from django.apps import AppConfig
from django.contrib.auth.decorators import login_required, permission_required
from django.contrib.auth.models import Group, Permission, User
from django.db.models import Model
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control

from compliance.approvals import lines
from compliance.approvals.interception import changes_settings

View = TypeVar("View", bound=Callable[..., HttpResponseBase])

# A separate group: people who manage the users of the desk need not see the keys of the hub.
HUB_ADMINISTRATOR = "hub administrator"
MANAGES = "agenthub.change_account"


def ensure(sender: AppConfig, **_: object) -> None:
    """Create the group with its permissions. A receiver of post_migrate."""
    group, _created = Group.objects.get_or_create(name=HUB_ADMINISTRATOR)
    permissions = Permission.objects.filter(content_type__app_label=sender.label)
    # No permission to delete: records of the hub must stay.
    without_deletion = permissions.exclude(codename__startswith="delete_")
    # The page of the queues belongs to another app. It includes the hub's queues.
    queues = Permission.objects.filter(
        content_type__app_label="compliance", codename="view_tally"
    )
    group.permissions.set(without_deletion | queues)


def record_resending(request: HttpRequest, deliveries: Iterable[Model]) -> None:
    """Record in the audit trail who had which deliveries sent again."""
    keys = [str(delivery.pk) for delivery in deliveries]
    if keys and isinstance(request.user, User):
        lines.record("deliveries_sent_again", {"deliveries": keys}, user=request.user)


def administrators_only(view: View) -> View:
    """A view decorator: requires a login, answers 403 to other users, and forbids caching.

    Changes of settings by POST are recorded, and may wait for a second person's approval.
    """
    intercepted = changes_settings(view)
    uncached = cache_control(private=True, no_store=True)(intercepted)
    is_administrator = permission_required(MANAGES, raise_exception=True)
    return login_required(is_administrator(uncached))
