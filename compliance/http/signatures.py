"""Signatures of webhooks: base64(HMAC-SHA256(secret, message)), interface §6.

The agent hub signs with this module and the receiver verifies with it. Neither imports the other.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping

from compliance.http import references, standard_webhooks
from compliance.tracing import spans

FULL_HEADER = "X-Signature-SHA256"
COMPACT_HEADER = "service-signature-compact"
# Stored headers of a webhook that are no signatures. All other stored headers are signatures,
# because each service may use its own names for them.
PLAIN_HEADERS = (
    "Content-Type",
    "User-Agent",
    "X-Delivery-Id",
    "X-Delivery-Timestamp",
    standard_webhooks.ID_HEADER,
    standard_webhooks.TIMESTAMP_HEADER,
    # The sender's trace. No signature covers it, and only the tracing code reads it.
    spans.HEADER,
)


def sign(message: bytes, secret: str) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), message, "sha256")).decode()


def headers(body: bytes, secret: str, *, case_id: str | None) -> dict[str, str]:
    """The signatures of a webhook: header → signature.

    The compact signature is included only if the payload names the case by an id that cannot be a
    body itself (see references.py).
    """
    signatures = {FULL_HEADER: sign(body, secret)}
    if case_id is not None and references.fits(case_id):
        signatures[COMPACT_HEADER] = sign(case_id.encode(), secret)
    return signatures


def verify(message: bytes, signature: str, secret: str) -> bool:
    """Whether the signature fits the message.

    The time taken does not depend on where it differs.
    """
    expected = sign(message, secret)
    # As bytes: compare_digest() raises TypeError for non-ASCII str, and anybody may send any
    # signature to the public URL.
    return hmac.compare_digest(expected.encode(), signature.encode())


def signer(
    message: bytes, signature: str, secrets: Iterable[tuple[int, str]]
) -> int | None:
    """The id of the secret that signed `message`, or None. `secrets` are pairs of id and secret.

    It always tries all secrets, so that the time taken does not reveal which one matched.
    """
    signer_id = None
    for secret_id, secret in secrets:
        is_signer = verify(message, signature, secret)
        if is_signer and signer_id is None:
            signer_id = secret_id
    return signer_id


def without(headers: Mapping[str, str]) -> dict[str, str]:
    """The stored headers of a webhook without its signatures.

    These may be shown on a page: with a signature, anybody could send the webhook again.
    """
    return {name: value for name, value in headers.items() if name in PLAIN_HEADERS}


def kinds(headers: Mapping[str, str]) -> list[str]:
    """The names of the stored headers that hold a signature."""
    return [name for name in headers if name not in PLAIN_HEADERS]


def hashes(headers: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of each signature, by header.

    Somebody with the secret can compare a hash with their own signature, but nobody can send it.
    """
    digests = {}
    for name in kinds(headers):
        signature = headers[name].encode()
        digests[name] = hashlib.sha256(signature).hexdigest()
    return digests
