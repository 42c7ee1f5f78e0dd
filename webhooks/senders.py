"""The connections that may send webhooks, cached for a second, so that a webhook needs one
statement.
"""

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

# Seconds. A secret that another process removed is accepted for at most this long.
CACHE_SECONDS = 1.0
# Seconds between two refusals recorded for a connection. Anybody can send invalid webhooks, and
# each record is a database write.
REFUSAL_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Secret:
    """A decrypted webhook secret. `active_until` None means that it does not expire."""

    id: int
    text: str
    active_until: datetime | None


@dataclass(frozen=True, slots=True)
class Sender:
    """A connection and its webhook secrets, reduced to what the receiver needs."""

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

# By slug: expiry (monotonic seconds) and sender.
_cache: dict[str, tuple[float, Sender]] = {}
# By connection: when the next refusal may be recorded (monotonic seconds).
_next_refusal: dict[int, float] = {}


def find(slug: str, *, fresh: bool = False) -> Sender | None:
    """The active connection with this slug, or None. `fresh` skips the cache."""
    cached = _cache.get(slug)
    if cached and not fresh:
        until, sender = cached
        if until > time.monotonic():
            return sender
    # The path is untrusted: text that cannot be a slug does not reach the database.
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


def name_of(slug: str) -> str:
    """A slug for the log: anybody may send a webhook to any address. It reads no database."""
    if slug in _cache:
        return slug
    return "no known connection"


def nobody(slug: str) -> Sender:
    """A sender without a connection and with a random secret. It refuses every webhook like a
    forged one.

    So the response does not reveal which connections exist.
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
        # A secret that is empty or malformed could be guessed, so it does not count.
        if row.secret.strip() and not standard_webhooks.is_malformed(row.secret):
            secrets.append(Secret(row.pk, row.secret, row.active_until))
    return tuple(secrets)


def note_refusal(sender: Sender, reason: str) -> None:
    """Record a refused webhook for the page of connections, at most once per REFUSAL_SECONDS."""
    if not sender.connection_id:
        return
    moment = time.monotonic()
    if _next_refusal.get(sender.connection_id, 0.0) > moment:
        return
    _next_refusal[sender.connection_id] = moment + REFUSAL_SECONDS
    connection = Connection.objects.filter(pk=sender.connection_id)
    connection.update(refused_at=now(), refused_reason=reason[:200])


def forget(**_: object) -> None:
    """Empty the cache. Called when a connection or a secret changes in this process."""
    _cache.clear()
    _next_refusal.clear()


for _model in (Connection, WebhookSecret):
    post_save.connect(
        forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.save"
    )
    post_delete.connect(
        forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.delete"
    )
