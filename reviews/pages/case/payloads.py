"""The received webhooks of a case, byte for byte, for users who may see payloads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import orjson
from django.utils.translation import gettext as _

from compliance.http import signatures
from compliance.languages import number
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
    """The received webhooks of these jobs, the newest first."""
    received = received_webhooks.of_jobs(jobs, limit=MOST)
    return [_for_page(webhook) for webhook in received]


def _for_page(webhook: ReceivedWebhook) -> Webhook:
    return Webhook(
        at=webhook.received_at,
        kind=kind_of(webhook.body),
        status=webhook.status,
        reason=webhook.reason,
        secret=webhook.secret,
        # Signatures are left out: a user who sees one could send the webhook again.
        headers=signatures.without(webhook.headers),
        signed_in=_(" and ").join(signatures.kinds(webhook.headers)),
        body=shown(webhook.body),
    )


def kind_of(raw: bytes) -> str:
    try:
        body = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return _("not JSON")
    if not isinstance(body, dict):
        return _("no object")
    tool = results.text(body.get("tool_id"), 200)
    status = results.text(body.get("status"), 40)
    if tool or not status:
        return tool or _("unknown")
    return _("job %(status)s") % {"status": status}


def shown(raw: bytes) -> str:
    """The exact text that was signed, without reformatting. NUL is replaced, because it must not
    be sent.
    """
    text = raw[:LONGEST].decode(errors="replace")
    text = text.replace("\x00", "�")
    size = len(raw)
    if size > LONGEST:
        cut = _("(%(size)s bytes, cut here)") % {"size": number(size)}
        return f"{text}\n… {cut}"
    return text
