"""How a webhook is signed: base64(HMAC-SHA256(secret, message)), interface §6.

The agent hub signs with this module, the receiver verifies with it, and neither
imports the other.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Iterable, Mapping

from compliance.http import references, standard_webhooks

FULL_HEADER = "X-Signature-SHA256"
COMPACT_HEADER = "service-signature-compact"
# What is kept of a webhook's headers beside its signatures, which any service may call otherwise.
PLAIN_HEADERS = (
    "Content-Type",
    "User-Agent",
    "X-Delivery-Id",
    "X-Delivery-Timestamp",
    standard_webhooks.ID_HEADER,
    standard_webhooks.TIMESTAMP_HEADER,
)


def sign(message: bytes, secret: str) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), message, "sha256")).decode()


def headers(body: bytes, secret: str, *, case_id: str | None) -> dict[str, str]:
    """Sign a webhook. The compact signature is there only if the payload names the case, by a name
    that could not be a body itself: else whoever chose the name had a body of his own signed."""
    signed = {FULL_HEADER: sign(body, secret)}
    if case_id is not None and references.fits(case_id):
        signed[COMPACT_HEADER] = sign(case_id.encode(), secret)
    return signed


def verify(message: bytes, signature: str, secret: str) -> bool:
    # Compare bytes: compare_digest() raises on a str with non-ASCII characters,
    # and the signature is whatever the caller of a public URL sent us.
    return hmac.compare_digest(sign(message, secret).encode(), signature.encode())


def signer(message: bytes, signature: str, secrets: Iterable[tuple[int, str]]) -> int | None:
    """The id of the secret that signed `message`. Tries all, so that time does not tell which."""
    found = None
    for key, secret in secrets:
        if verify(message, signature, secret) and found is None:
            found = key
    return found


def without(headers: Mapping[str, str]) -> dict[str, str]:
    """The kept headers of a webhook as they may be read: whoever sees a signature can send it
    again, with whatever it fits."""
    return {name: value for name, value in headers.items() if name in PLAIN_HEADERS}


def kinds(headers: Mapping[str, str]) -> list[str]:
    """The names of the kept headers that hold a signature."""
    return [name for name in headers if name not in PLAIN_HEADERS]


def hashes(headers: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of each signature: whoever has the secret can verify it, and nobody can send it."""
    return {name: hashlib.sha256(headers[name].encode()).hexdigest() for name in kinds(headers)}
