"""Who gets webhooks of cases: create, change and remove subscriptions, each with its event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError

from compliance.http import standard_webhooks
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Connection, Subscription
from reviews.models.fields import of_decisions


class NameInUseError(Exception):
    """Another subscription has that name."""


class InUseError(Exception):
    """Webhooks were sent by it, and their record stays."""


def create(
    *,
    actor: User,
    name: str,
    url: str,
    connection: Connection | None = None,
    events: Sequence[str] | None = None,
) -> tuple[Subscription, str]:
    """Subscribe an address. The second value signs its webhooks, to be shown once.

    Raises ValidationError for a wrong address, and NameInUseError.
    """
    roles.require(actor, roles.SUBSCRIBE)
    secret = standard_webhooks.new_secret()
    subscription = Subscription(
        name=name,
        url=url,
        connection=connection,
        secret=secret,
        events=list(events or of_decisions()),
    )
    subscription.clean_fields()
    _save(subscription, "subscription_made", actor)
    return subscription, secret


def change(
    subscription: Subscription, changes: Mapping[str, object], *, actor: User
) -> None:
    """Change name, url, events or is_active. Raises ValidationError and NameInUseError."""
    roles.require(actor, roles.SUBSCRIBE)
    for name, value in changes.items():
        setattr(subscription, name, value)
    subscription.clean_fields()
    _save(subscription, "subscription_changed", actor)


@transaction.atomic
def rotate_secret(subscription: Subscription) -> str:
    """Replace the secret at once. Returns the new one, to be shown once.

    What the receiver refuses until it knows the new one is sent again, signed with that.
    """
    secret = standard_webhooks.new_secret()
    subscription.secret = secret
    # The signal of settings writes the line.
    subscription.save(update_fields=["secret"])
    return secret


@transaction.atomic
def remove(subscription: Subscription, *, actor: User) -> None:
    """Raises InUseError where it has sent webhooks: such a one can only be switched off."""
    roles.require(actor, roles.SUBSCRIBE)
    data = _event_data(subscription)
    try:
        subscription.delete()
    except ProtectedError as exc:
        raise InUseError from exc
    trail.record(None, "subscription_removed", data, user=actor)


def _save(subscription: Subscription, what: str, actor: User) -> None:
    try:
        with transaction.atomic():
            subscription.save()
            trail.record(None, what, _event_data(subscription), user=actor)
    except IntegrityError as exc:
        raise NameInUseError from exc


def _event_data(subscription: Subscription) -> dict[str, object]:
    connection = subscription.connection
    return {
        "subscription": subscription.name,
        "url": subscription.url,
        "connection": connection.slug if connection else "",
        "events": ", ".join(subscription.events),
        "is_active": subscription.is_active,
    }
