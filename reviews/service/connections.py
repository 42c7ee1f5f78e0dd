"""Facts about a service that the desk stores with its connection: timestamps and secrets."""

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
    """From now on, refuse webhooks of this connection without a timestamped signature.

    Returns False if this was so before.
    """
    without = Connection.objects.filter(
        pk=connection_id,
        timestamped_since=None,
    )
    if not without.update(timestamped_since=now()):
        return False
    connection = Connection.objects.get(pk=connection_id)
    data = {"connection": connection.slug}
    trail.record(None, "timestamps_demanded", data, about=[connection])
    return True


@transaction.atomic
def accept_untimed(connection: Connection, *, actor: User) -> bool:
    """Accept webhooks without a timestamp again, because the service stopped sending them.

    The next webhook with a timestamp ends this. Returns False if they were accepted before.
    Raises PermissionDenied.
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
    """Add a secret that is valid at once. Earlier secrets stay valid for `overlap`."""
    moment = now()
    end = moment + overlap
    later = Q(active_until=None) | Q(active_until__gt=end)
    # Saved one by one, because the post_save signal records a line for each.
    for row in connection.webhook_secrets.filter(later):
        row.active_until = end
        row.save(update_fields=["active_until"])
    name = f"since {moment:%Y-%m-%d %H:%M:%S}"
    return WebhookSecret.objects.create(
        connection=connection,
        name=name,
        secret=secret,
    )
