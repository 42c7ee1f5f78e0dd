"""What the service sent, byte for byte, for those who may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import orjson
from django.db.models import prefetch_related_objects

from compliance.http import signatures
from reviews import results
from reviews.models import Job

MOST = 200
LONGEST = 40_000


@dataclass(frozen=True)
class Webhook:
    at: datetime
    kind: str
    status: str
    reason: str
    secret: str
    signed_in: str
    headers: Mapping[str, Any]
    body: str


def webhooks_of(jobs: Sequence[Job]) -> list[Webhook]:
    """The newest first. Webhooks know jobs, and jobs not them: hence by the relation's name."""
    prefetch_related_objects(list(jobs), "events__secret")
    events: list[Any] = [event for job in jobs for event in getattr(job, "events").all()]  # noqa: B009
    events.sort(key=lambda event: -event.pk)
    return [_webhook(event) for event in events[:MOST]]


def _webhook(event: Any) -> Webhook:
    raw = bytes(event.body)
    return Webhook(
        at=event.received_at,
        kind=kind_of(raw),
        status=event.get_status_display(),
        reason=event.reason,
        secret=event.secret.name if event.secret else "",
        # Not the signatures: whoever sees one can send it with another body.
        headers=signatures.without(event.headers),
        signed_in=" and ".join(signatures.kinds(event.headers)),
        body=shown(raw),
    )


def kind_of(raw: bytes) -> str:
    try:
        said = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return "not JSON"
    if not isinstance(said, dict):
        return "no object"
    tool, status = results.text(said.get("tool_id"), 200), results.text(said.get("status"), 40)
    return tool or (f"job {status}" if status else "unknown")


def shown(raw: bytes) -> str:
    """The very text that was signed, not laid out anew; a NUL is shown, not sent."""
    text = raw[:LONGEST].decode(errors="replace").replace("\x00", "�")
    return f"{text}\n… ({len(raw):,} bytes, cut here)" if len(raw) > LONGEST else text
