"""Verifies the signature of the desk's webhooks (Standard Webhooks), and reads them."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import time
from collections.abc import Mapping
from typing import cast

from compliance_desk_client import models
from compliance_desk_client.errors import WebhookError

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix alone
LONGEST_TIMESTAMP = 20
TOLERANCE = 300  # seconds that a webhook's time may differ from now


def verify_webhook(
    headers: Mapping[str, str],
    body: bytes,
    secret: str,
    *,
    now: float | None = None,
    tolerance: int = TOLERANCE,
) -> str:
    """Verify a webhook and return its id. Raises WebhookError.

    `body` must be the bytes as received. All attempts to deliver a webhook have the same id, so a
    receiver can recognise repetitions.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    message_id = lower.get("webhook-id", "")
    timestamp = lower.get("webhook-timestamp", "")
    # Anybody can send a header: an endless number would be another error than WebhookError.
    is_number = timestamp.isdecimal() and len(timestamp) <= LONGEST_TIMESTAMP
    if not message_id or not is_number:
        raise WebhookError("The headers of Standard Webhooks are missing.")
    moment = time.time() if now is None else now
    # Without this check, an attacker could replay a recorded webhook at any time.
    if abs(moment - int(timestamp)) > tolerance:
        raise WebhookError("The webhook is too old, or the clocks differ.")
    signed = f"{message_id}.{timestamp}.".encode() + body
    digest = hmac.new(_key(secret), signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    # While a secret is rotated, the header holds several signatures.
    for signature in lower.get("webhook-signature", "").split():
        if hmac.compare_digest(signature.encode(), expected):
            return message_id
    raise WebhookError("No signature is made with this secret.")


def read_webhook(
    headers: Mapping[str, str], body: bytes, secret: str
) -> models.WebhookBody:
    """Verify a webhook and return its content. Raises WebhookError."""
    verify_webhook(headers, body, secret)
    return cast("models.WebhookBody", json.loads(body))


def _key(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        return secret.encode()
    # Some tools remove the padding of base64, so restore it.
    text = secret.removeprefix(SECRET_PREFIX).rstrip("=")
    padding = "=" * (-len(text) % 4)
    try:
        return base64.b64decode(text + padding, validate=True)
    except (binascii.Error, ValueError) as exc:
        raise WebhookError("The secret is not base64.") from exc
