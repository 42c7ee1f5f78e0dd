"""How a webhook is signed: base64(HMAC-SHA256(secret, message)), interface §6.

The agent hub signs with this module, the receiver verifies with it, and neither
imports the other.
"""

from __future__ import annotations

import base64
import hmac
from collections.abc import Iterable

FULL_HEADER = "X-Signature-SHA256"
COMPACT_HEADER = "service-signature-compact"


def sign(message: bytes, secret: str) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), message, "sha256")).decode()


def headers(body: bytes, secret: str, *, case_id: str | None) -> dict[str, str]:
    """Sign a webhook. The compact signature is there only if the payload names the case."""
    signed = {FULL_HEADER: sign(body, secret)}
    if case_id is not None:
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
