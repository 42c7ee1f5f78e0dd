"""Bearer keys: long random texts that callers send with each request. Only their hashes are stored.

The app defines the table, the owner and the mark at the start of a key:
`agenthub.accounts.api_keys` and `reviews.access.api_tokens` each have one kind.
"""

from __future__ import annotations

import hashlib
import logging
import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.conf import settings
from django.db import InternalError, OperationalError, models
from django.db.models import Q
from django.utils.timezone import now

from compliance.http import counters

log = logging.getLogger(__name__)

# The stored characters after the mark: enough to tell keys apart, far too few to guess the rest.
PREFIX_CHARACTERS = 4
# Owners are warned this long before a key expires, so that they can replace it.
ENDS_SOON = timedelta(days=14)
# The least time between two writes of `last_used_at`: a write per request would be expensive.
LAST_USE_INTERVAL = timedelta(minutes=1)


class NewKey(NamedTuple):
    """A generated key. `raw` is shown once to the person who made it; the rest is stored."""

    raw: str
    prefix: str
    digest: str


class BearerKey(models.Model):
    """A stored key. An app inherits from it and adds the owner."""

    prefix = models.CharField(
        max_length=20, help_text="The first characters, to tell keys apart."
    )
    digest = models.CharField(
        max_length=64, unique=True, help_text="sha256 of the key, hex."
    )
    created_at = models.DateTimeField(auto_now_add=True)
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True
        ordering = ["-id"]

    def __str__(self) -> str:
        return f"{self.prefix}…"

    @property
    def is_valid(self) -> bool:
        is_expired = self.expires_at is not None and self.expires_at <= now()
        return self.revoked_at is None and not is_expired

    @property
    def ends_soon(self) -> bool:
        """Whether the key is valid and expires within ENDS_SOON."""
        if not self.is_valid or self.expires_at is None:
            return False
        return self.expires_at - now() <= ENDS_SOON


def generate(mark: str) -> NewKey:
    """Generate a key that starts with `mark`."""
    raw = mark + secrets.token_urlsafe(32)
    prefix = raw[: len(mark) + PREFIX_CHARACTERS]
    return NewKey(raw, prefix=prefix, digest=digest(raw))


def digest(raw: str) -> str:
    """The hash that is stored in place of a key."""
    # A plain hash is enough: nobody can guess a key of 256 random bits.
    # surrogateescape: a header may contain any bytes.
    return hashlib.sha256(raw.encode(errors="surrogateescape")).hexdigest()


def default_end() -> datetime | None:
    """The default expiry of a key, by TOKEN_DAYS; None: it does not expire."""
    if not settings.TOKEN_DAYS:
        return None
    return now() + timedelta(days=settings.TOKEN_DAYS)


def _warn(key: BearerKey) -> None:
    """Log a warning, once a day and key, if a key in use expires soon."""
    if key.expires_at is None or key.expires_at - now() > ENDS_SOON:
        return
    if counters.count(f"key-ends:{key.digest}", seconds=86_400) == 1:
        log.warning("The key %s ends on %s.", key, f"{key.expires_at:%Y-%m-%d}")


def of_header(authorization: str) -> str:
    """The key in an Authorization header; empty if there is none."""
    scheme, _, raw = authorization.partition(" ")
    if scheme.lower() != "bearer":
        return ""
    return raw.strip()


def revoke(key: BearerKey) -> bool:
    """Revoke a key at once. Returns False if it was revoked before; the first time stays."""
    rows = type(key)._default_manager.filter(pk=key.pk, revoked_at=None)
    count = rows.update(revoked_at=now())
    key.refresh_from_db(fields=["revoked_at"])
    return count > 0


def note_use(key: BearerKey) -> None:
    """Store when the key was last used, at most once per LAST_USE_INTERVAL."""
    moment = now()
    due = moment - LAST_USE_INTERVAL
    if key.last_used_at is not None and key.last_used_at > due:
        return
    # Here, and not for each request: a key in use gets here once per interval.
    _warn(key)
    # Repeat the condition in the database: of several simultaneous requests, one writes.
    stale = Q(last_used_at=None) | Q(last_used_at__lte=due)
    try:
        type(key)._default_manager.filter(stale, pk=key.pk).update(last_used_at=moment)
    except (InternalError, OperationalError) as exc:
        # The database is read-only (InternalError on PostgreSQL) or unavailable. The request itself
        # may still succeed, and the next request stores its own use.
        log.warning(
            "The last use of a key could not be noted (%s).", type(exc).__name__
        )
