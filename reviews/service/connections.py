"""What the desk learns of a service, and keeps on its connection."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.timezone import now

from reviews.access import roles
from reviews.audit import trail
from reviews.models import Connection


@transaction.atomic
def demand_timestamps(connection_id: int) -> bool:
    """From now on, refuse webhooks of this connection that are not signed with a time.

    Returns False where this was so before.
    """
    first = Connection.objects.filter(pk=connection_id, timestamped_since=None)
    if not first.update(timestamped_since=now()):
        return False
    slug = Connection.objects.values_list("slug", flat=True).get(pk=connection_id)
    trail.record(None, "timestamps_demanded", {"connection": slug})
    return True


@transaction.atomic
def accept_untimed(connection: Connection, *, actor: User) -> bool:
    """Take webhooks without a time again: the service has stopped to sign with one.

    Until its next webhook with a time. Returns False where they were accepted.
    """
    roles.require(actor, roles.CONNECT)
    standing = Connection.objects.filter(pk=connection.pk, timestamped_since__isnull=False)
    if not standing.update(timestamped_since=None):
        return False
    trail.record(None, "timestamps_not_demanded", {"connection": connection.slug}, user=actor)
    return True
