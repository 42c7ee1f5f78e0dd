"""Who is told of decisions: making, changing and removing subscriptions, each with its line."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from compliance.http import standard_webhooks
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Connection, Subscription


class TakenError(Exception):
    """Another subscription has that name."""


class InUseError(Exception):
    """Webhooks were sent by it, and their record stays."""


def make(
    *, actor: User, name: str, url: str, connection: Connection | None = None
) -> tuple[Subscription, str]:
    """Subscribe an address. The second value signs its webhooks, to be shown once.

    Raises ValidationError for an address that is none, and TakenError.
    """
    roles.require(actor, roles.SUBSCRIBE)
    secret = standard_webhooks.new_secret()
    made = Subscription(name=name, url=url, connection=connection, secret=secret)
    made.clean_fields()
    _save(made, "subscription_made", actor)
    return made, secret


def change(subscription: Subscription, given: Mapping[str, Any], *, actor: User) -> None:
    """Change name, url or is_active. Raises ValidationError and TakenError."""
    roles.require(actor, roles.SUBSCRIBE)
    for name, value in given.items():
        setattr(subscription, name, value)
    subscription.clean_fields()
    _save(subscription, "subscription_changed", actor)


@transaction.atomic
def remove(subscription: Subscription, *, actor: User) -> None:
    """Raises InUseError: switch off what has sent webhooks."""
    roles.require(actor, roles.SUBSCRIBE)
    told = _told(subscription)
    try:
        subscription.delete()
    except ProtectedError as exc:
        raise InUseError from exc
    trail.record(None, "subscription_removed", told, user=actor)


def _save(subscription: Subscription, what: str, actor: User) -> None:
    try:
        with transaction.atomic():
            subscription.save()
            trail.record(None, what, _told(subscription), user=actor)
    except IntegrityError as exc:
        raise TakenError from exc


def _told(subscription: Subscription) -> dict[str, object]:
    connection = subscription.connection
    return {
        "subscription": subscription.name,
        "url": subscription.url,
        "connection": connection.slug if connection else "",
        "is_active": subscription.is_active,
    }
