"""Subscriptions to webhooks: create, change and remove them. Each change is recorded in the
audit trail.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import IntegrityError, transaction
from django.db.models import ProtectedError, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from compliance.http import outbound, standard_webhooks
from reviews.access import roles
from reviews.audit import trail
from reviews.models import Connection, Subscription
from reviews.models.fields import of_decisions


class NameInUseError(Exception):
    """Another subscription has this name."""


# Why nothing can be sent to an address.
FAULTS = {
    outbound.NEEDS_TLS: gettext_lazy(
        "Webhooks have data of cases, so the address must start with https://. The setting"
        " OUTBOUND_ALLOW can allow another one."
    ),
    outbound.NOT_LISTED: gettext_lazy(
        "Nothing can be sent there: the host is not one of OUTBOUND_HOSTS."
    ),
    outbound.NOT_ALLOWED: gettext_lazy(
        "Nothing can be sent there: the address is not public. The setting OUTBOUND_ALLOW can allow it."
    ),
}


class InUseError(Exception):
    """The subscription has sent webhooks, and their record must stay."""


def visible(actor: User) -> QuerySet[Subscription]:
    """The subscriptions to cases that the actor sees.

    One without a connection gets the cases of all: only who sees them all may know and change it.
    """
    rows = Subscription.objects.select_related("connection")
    return roles.only_visible(actor, rows, "connection")


def connections(actor: User) -> QuerySet[Connection] | None:
    """The connections that the actor must choose from; None if all, or none at all, may be chosen."""
    ids = roles.connection_ids(actor)
    if ids is None:
        return None
    return Connection.objects.filter(pk__in=ids)


def require_connection(actor: User, connection: Connection | None) -> None:
    """Raise PermissionDenied if webhooks would say more about cases than the actor may see."""
    choices = connections(actor)
    if choices is None:
        return
    if connection is None or not choices.filter(pk=connection.pk).exists():
        raise PermissionDenied(
            _("You may only subscribe to the cases of a service whose cases you see.")
        )


def require_receiver(url: str) -> None:
    """Raise ValidationError if nothing can ever be sent to this address, as the settings are."""
    try:
        outbound.require_allowed(url)
    except outbound.BlockedError as exc:
        words = FAULTS.get(str(exc))
        # Another fault of the address is told by the validator of the model.
        if words is not None:
            raise ValidationError({"url": words}) from exc


def create(
    *,
    actor: User,
    name: str,
    url: str,
    connection: Connection | None = None,
    events: Sequence[str] | None = None,
) -> tuple[Subscription, str]:
    """Create a subscription. Returns it with its signing secret, which is shown only once.

    `connection`: limit it to the cases of this connection. Raises PermissionDenied, ValidationError
    for an invalid URL, and NameInUseError.
    """
    roles.require(actor, roles.SUBSCRIBE)
    require_connection(actor, connection)
    secret = standard_webhooks.new_secret()
    subscription = Subscription(
        name=name,
        url=url,
        connection=connection,
        secret=secret,
        events=list(events or of_decisions()),
    )
    # Validates the URL before anything is stored.
    subscription.clean_fields()
    require_receiver(url)
    _save(subscription, "subscription_made", actor)
    return subscription, secret


def change(
    subscription: Subscription, changes: Mapping[str, object], *, actor: User
) -> None:
    """Change name, url, events or is_active.

    Raises PermissionDenied, ValidationError and NameInUseError.
    """
    roles.require(actor, roles.SUBSCRIBE)
    require_connection(actor, subscription.connection)
    for name, value in changes.items():
        setattr(subscription, name, value)
    subscription.clean_fields()
    # A row of before can still be switched off.
    if "url" in changes:
        require_receiver(subscription.url)
    # Only what changes: the secret may have been rotated since the row was read.
    _save(subscription, "subscription_changed", actor, columns=list(changes))


@transaction.atomic
def rotate_secret(subscription: Subscription) -> str:
    """Replace the signing secret immediately. Returns the new one, which is shown only once.

    Webhooks that the receiver rejects until it has the new secret are retried, signed with the new
    one.
    """
    secret = standard_webhooks.new_secret()
    subscription.secret = secret
    # A signal on settings records the change.
    subscription.save(update_fields=["secret"])
    return secret


@transaction.atomic
def remove(subscription: Subscription, *, actor: User) -> None:
    """Delete a subscription. Raises InUseError if it has sent webhooks: it can only be
    deactivated.
    """
    roles.require(actor, roles.SUBSCRIBE)
    require_connection(actor, subscription.connection)
    data = _event_data(subscription)
    try:
        subscription.delete()
    except ProtectedError as exc:
        raise InUseError from exc
    trail.record(None, "subscription_removed", data, user=actor)


def _save(
    subscription: Subscription,
    what: str,
    actor: User,
    *,
    columns: Sequence[str] | None = None,
) -> None:
    try:
        with transaction.atomic():
            subscription.save(update_fields=columns)
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
