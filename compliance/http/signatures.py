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
from compliance.tracing import spans

FULL_HEADER = "X-Signature-SHA256"
COMPACT_HEADER = "service-signature-compact"
# The headers of a webhook that are stored beside its signatures. Every other stored header is a
# signature: services have names of their own for them.
PLAIN_HEADERS = (
    "Content-Type",
    "User-Agent",
    "X-Delivery-Id",
    "X-Delivery-Timestamp",
    standard_webhooks.ID_HEADER,
    standard_webhooks.TIMESTAMP_HEADER,
    # The trace that the sender made it in. No signature covers it, and spans alone read it.
    spans.HEADER,
)


def sign(message: bytes, secret: str) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), message, "sha256")).decode()


def headers(body: bytes, secret: str, *, case_id: str | None) -> dict[str, str]:
    """The signatures of a webhook, by header.

    The compact one is only there if the payload names the case, by an id that cannot be a body
    itself (see references.py).
    """
    signatures = {FULL_HEADER: sign(body, secret)}
    if case_id is not None and references.fits(case_id):
        signatures[COMPACT_HEADER] = sign(case_id.encode(), secret)
    return signatures


def verify(message: bytes, signature: str, secret: str) -> bool:
    """Whether this is the signature of the message. Takes the same time for every wrong one."""
    expected = sign(message, secret)
    # As bytes: compare_digest() raises on a str with non-ASCII characters, and a caller of a public
    # URL may send any signature.
    return hmac.compare_digest(expected.encode(), signature.encode())


def signer(
    message: bytes, signature: str, secrets: Iterable[tuple[int, str]]
) -> int | None:
    """The id of the secret that signed `message`; None: none did. `secrets`: pairs of id and secret.

    It tries all secrets, so that the time that it takes does not tell which one it was.
    """
    signer_id = None
    for secret_id, secret in secrets:
        is_signer = verify(message, signature, secret)
        if is_signer and signer_id is None:
            signer_id = secret_id
    return signer_id


def without(headers: Mapping[str, str]) -> dict[str, str]:
    """The stored headers of a webhook without its signatures.

    So they may be shown: whoever sees a signature can send what it signs again.
    """
    return {name: value for name, value in headers.items() if name in PLAIN_HEADERS}


def kinds(headers: Mapping[str, str]) -> list[str]:
    """The names of the stored headers that hold a signature."""
    return [name for name in headers if name not in PLAIN_HEADERS]


def hashes(headers: Mapping[str, str]) -> dict[str, str]:
    """The SHA-256 of each signature, by header.

    Who has the secret can compare it with a signature of his own, and nobody can send it.
    """
    digests = {}
    for name in kinds(headers):
        signature = headers[name].encode()
        digests[name] = hashlib.sha256(signature).hexdigest()
    return digests
