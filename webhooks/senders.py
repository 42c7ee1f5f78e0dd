"""Who may send webhooks. Cached in memory for a second: a webhook then costs one statement."""

from __future__ import annotations

import re
import time
from dataclasses import dataclass
from datetime import datetime

from django.db.models.signals import post_delete, post_save
from django.utils.timezone import now

from compliance.db import clock
from compliance.http import standard_webhooks
from reviews.models import Connection, WebhookSecret

# A secret that another process has removed is accepted for at most this long.
CACHE_SECONDS = 1.0
# A refused webhook is written to its connection at most this often: anybody can send such webhooks,
# and each would be a write.
REFUSAL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Secret:
    """A webhook secret, decrypted. `active_until`: None means without end."""

    id: int
    text: str
    active_until: datetime | None


@dataclass(frozen=True, slots=True)
class Sender:
    """A connection and its webhook secrets, as far as the receiver needs them."""

    connection_id: int
    slug: str
    compact_header: str
    timestamped_since: datetime | None
    secrets: tuple[Secret, ...]

    def active_secrets(self) -> dict[int, str]:
        """The secrets that are valid now, by id."""
        moment = clock.now()
        active = {}
        for secret in self.secrets:
            if secret.active_until is None or secret.active_until > moment:
                active[secret.id] = secret.text
        return active


_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,40}")

_cache: dict[str, tuple[float, Sender]] = {}  # by slug: until when, and the sender
_next_refusal: dict[
    int, float
] = {}  # by connection: when the next refusal may be written


def find(slug: str, *, fresh: bool = False) -> Sender | None:
    """The active connection of that slug, or None. `fresh`: not from the cache."""
    cached = _cache.get(slug)
    if cached and not fresh:
        until, sender = cached
        if until > time.monotonic():
            return sender
    # Anybody chooses the path of a request: what cannot be a slug does not reach the database.
    if not _SLUG.fullmatch(slug):
        return None
    connection = Connection.objects.filter(slug=slug, is_active=True).first()
    if connection is None:
        _cache.pop(slug, None)
        return None
    sender = Sender(
        connection_id=connection.pk,
        slug=slug,
        compact_header=connection.compact_header,
        timestamped_since=connection.timestamped_since,
        secrets=_secrets_of(connection),
    )
    _cache[slug] = (time.monotonic() + CACHE_SECONDS, sender)
    return sender


def nobody(slug: str) -> Sender:
    """Stands for a connection that is not there: its webhooks are refused as forged ones are.

    So the answer does not tell which connections exist.
    """
    secret = Secret(0, standard_webhooks.new_secret(), None)
    return Sender(
        connection_id=0,
        slug=slug,
        compact_header="",
        timestamped_since=None,
        secrets=(secret,),
    )


def _secrets_of(connection: Connection) -> tuple[Secret, ...]:
    secrets = []
    for row in WebhookSecret.objects.filter(connection=connection):
        # Anybody who guesses that a secret is empty could sign with it, so it does not count.
        if row.secret.strip() and not standard_webhooks.is_malformed(row.secret):
            secrets.append(Secret(row.pk, row.secret, row.active_until))
    return tuple(secrets)


def note_refusal(sender: Sender, reason: str) -> None:
    """Show a refused webhook on the page of connections: one in REFUSAL_SECONDS."""
    if not sender.connection_id:
        return
    moment = time.monotonic()
    if _next_refusal.get(sender.connection_id, 0.0) > moment:
        return
    _next_refusal[sender.connection_id] = moment + REFUSAL_SECONDS
    connection = Connection.objects.filter(pk=sender.connection_id)
    connection.update(refused_at=now(), refused_reason=reason[:200])


def forget(**_: object) -> None:
    """Empty the cache: a connection or a secret changed in this process."""
    _cache.clear()
    _next_refusal.clear()


for _model in (Connection, WebhookSecret):
    post_save.connect(
        forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.save"
    )
    post_delete.connect(
        forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.delete"
    )
