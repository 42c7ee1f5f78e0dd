"""Who may send webhooks, kept in memory for a moment: a webhook then costs one statement."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models.signals import post_delete, post_save
from django.utils.timezone import now

from compliance.db import fast_sql
from compliance.http import standard_webhooks
from reviews.models import Connection, WebhookSecret

# A secret that was withdrawn by another process is accepted for at most this long, seconds.
KEPT_SECONDS = 1.0
# A connection's refused webhooks are noted once in so many seconds: a write each would be a burden.
NOTED_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Sender:
    connection_id: int
    slug: str
    compact_header: str
    timestamped_since: datetime | None
    secrets: tuple[tuple[int, str, datetime | None], ...]

    def active(self) -> Iterator[tuple[int, str]]:
        """(id, secret) of the secrets that are good now."""
        moment = now()
        return (
            (key, secret) for key, secret, until in self.secrets if until is None or until > moment
        )


_SLUG = re.compile(r"[-a-zA-Z0-9_]{1,40}")

_kept: dict[str, tuple[float, Sender]] = {}
_noted: dict[int, float] = {}  # by connection: until when nothing more is noted


def find(slug: str, *, fresh: bool = False) -> Sender | None:
    """The active connection of that slug, or None."""
    found = _kept.get(slug)
    if found and not fresh and found[0] > time.monotonic():
        return found[1]
    # The path is anybody's: what cannot be a slug need not reach the database. Prepared, because
    # whoever sends forgeries has this asked each time.
    known = (
        fast_sql.fetch_models(Connection, slug=slug, is_active=True)
        if _SLUG.fullmatch(slug)
        else ()
    )
    if not known:
        _kept.pop(slug, None)
        return None
    [connection] = known
    secrets = fast_sql.fetch_models(WebhookSecret, connection=connection)
    sender = Sender(
        connection_id=connection.pk,
        slug=slug,
        compact_header=connection.compact_header,
        timestamped_since=connection.timestamped_since,
        # Whoever knows that one is empty could sign with it: it is none.
        secrets=tuple(
            (row.pk, row.secret, row.active_until)
            for row in secrets
            if row.secret.strip() and not standard_webhooks.is_malformed(row.secret)
        ),
    )
    _kept[slug] = (time.monotonic() + KEPT_SECONDS, sender)
    return sender


def note_refusal(sender: Sender, reason: str) -> None:
    """Have the page of connections tell of a refused webhook: of one in NOTED_SECONDS, because
    anybody can send what is refused."""
    moment = time.monotonic()
    if _noted.get(sender.connection_id, 0.0) > moment:
        return
    _noted[sender.connection_id] = moment + NOTED_SECONDS
    changes = {"refused_at": now(), "refused_reason": reason[:200]}
    fast_sql.update(Connection, changes, pk=sender.connection_id)


def forget(**_: Any) -> None:
    """A connection or a secret changed in this process."""
    _kept.clear()
    _noted.clear()


for _model in (Connection, WebhookSecret):
    post_save.connect(forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.save")
    post_delete.connect(forget, sender=_model, dispatch_uid=f"senders.{_model.__name__}.delete")
