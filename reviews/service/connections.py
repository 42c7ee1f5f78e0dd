"""What the desk learns of a service, and stores with its connection."""

from __future__ import annotations

from datetime import timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Q
from django.utils.timezone import now

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Connection, WebhookSecret


@transaction.atomic
def demand_timestamps(connection_id: int) -> bool:
    """From now on, refuse webhooks of this connection that are not signed with a time.

    Returns False where this was so before.
    """
    without = Connection.objects.filter(pk=connection_id, timestamped_since=None)
    if not without.update(timestamped_since=now()):
        return False
    connection = Connection.objects.get(pk=connection_id)
    data = {"connection": connection.slug}
    trail.record(None, "timestamps_demanded", data, about=[connection])
    return True


@transaction.atomic
def accept_untimed(connection: Connection, *, actor: User) -> bool:
    """Accept webhooks without a time again: the service does not sign with one any more.

    This ends with its next webhook that has a time. Returns False where they were accepted.
    """
    roles.require(actor, roles.CONNECT)
    demanding = Connection.objects.filter(
        pk=connection.pk, timestamped_since__isnull=False
    )
    if not demanding.update(timestamped_since=None):
        return False
    connection.timestamped_since = None
    trail.record(
        None,
        "timestamps_not_demanded",
        {"connection": connection.slug},
        user=actor,
        about=[connection],
    )
    return True


@transaction.atomic
def add_webhook_secret(
    connection: Connection, secret: str, *, overlap: timedelta
) -> WebhookSecret:
    """Accept another secret from now on, and those before it for `overlap` more."""
    moment = now()
    end = moment + overlap
    later = Q(active_until=None) | Q(active_until__gt=end)
    # Each by itself: the signal of settings writes a line for each.
    for row in connection.webhook_secrets.filter(later):
        row.active_until = end
        row.save(update_fields=["active_until"])
    name = f"since {moment:%Y-%m-%d %H:%M:%S}"
    return WebhookSecret.objects.create(connection=connection, name=name, secret=secret)
