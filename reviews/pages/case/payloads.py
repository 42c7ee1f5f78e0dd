"""What the service sent, byte for byte, for those who may see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson

from compliance.http import signatures
from reviews import results
from reviews.models import Job
from reviews.service import received_webhooks
from reviews.service.received_webhooks import ReceivedWebhook

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
    headers: Mapping[str, str]
    body: str


def webhooks_of(jobs: Sequence[Job]) -> list[Webhook]:
    """The newest first."""
    received = received_webhooks.of_jobs(jobs, limit=MOST)
    return [_for_page(webhook) for webhook in received]


def _for_page(webhook: ReceivedWebhook) -> Webhook:
    return Webhook(
        at=webhook.received_at,
        kind=kind_of(webhook.body),
        status=webhook.status,
        reason=webhook.reason,
        secret=webhook.secret,
        # Not the signatures: whoever sees one can send it with another body.
        headers=signatures.without(webhook.headers),
        signed_in=" and ".join(signatures.kinds(webhook.headers)),
        body=shown(webhook.body),
    )


def kind_of(raw: bytes) -> str:
    try:
        said = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return "not JSON"
    if not isinstance(said, dict):
        return "no object"
    tool, status = (
        results.text(said.get("tool_id"), 200),
        results.text(said.get("status"), 40),
    )
    return tool or (f"job {status}" if status else "unknown")


def shown(raw: bytes) -> str:
    """The very text that was signed, not laid out anew; a NUL is shown, not sent."""
    text = raw[:LONGEST].decode(errors="replace")
    text = text.replace("\x00", "�")
    size = len(raw)
    if size > LONGEST:
        return f"{text}\n… ({size:,} bytes, cut here)"
    return text
