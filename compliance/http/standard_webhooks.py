"""Standard Webhooks (www.standardwebhooks.com): one signature over the id, the time and the body.

    webhook-id: 6e3d…            the same for every try of one delivery
    webhook-timestamp: 1772445600   of this try, in seconds since 1970
    webhook-signature: v1,<base64(HMAC-SHA256(key, id.timestamp.body))>

The same secret may also sign the interface's own two signatures (`compliance.http.signatures`), and
none of the three can be used as another. A secret that begins with `whsec_` has two keys: its whole
text for the interface's signatures, and the decoded base64 for this one. Any other secret is one
key, and then the content makes the difference: here it begins with an id, which has no brace, and
ends with a JSON object, which has one. A body begins with a brace; a case id has none.
"""

from __future__ import annotations

import base64
import binascii
import hmac
import re
import secrets
from collections.abc import Iterable, Mapping
from typing import NamedTuple

ID_HEADER = "webhook-id"
TIMESTAMP_HEADER = "webhook-timestamp"
SIGNATURE_HEADER = "webhook-signature"
HEADERS = (ID_HEADER, TIMESTAMP_HEADER, SIGNATURE_HEADER)

SECRET_PREFIX = "whsec_"  # noqa: S105 - the prefix alone
SECRET_BYTES = 32  # as many as HMAC-SHA256 gives
# A sender that replaces its secret signs with both for a while. Many more only cost time.
MAX_SIGNATURES = 8

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,255}")
_TIMESTAMP = re.compile(r"[0-9]{1,11}")


class InvalidError(Exception):
    """The signature is not valid; the text says why, and the sender may read it."""


class Verified(NamedTuple):
    """The secret that signed, and its signature: the header may hold several."""

    secret_id: int
    signature: str


def new_secret() -> str:
    """A secret as the libraries of Standard Webhooks take it."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def key(secret: str) -> bytes:
    """The key of a secret: the base64 after `whsec_` decoded, or the bytes of any other text."""
    return _decode_key(secret) or secret.encode()


def is_malformed(secret: str) -> bool:
    """Whether a secret begins with `whsec_` without a key in base64 after it."""
    return secret.startswith(SECRET_PREFIX) and not _decode_key(secret)


def _decode_key(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        return b""
    text = secret.removeprefix(SECRET_PREFIX).rstrip("=")
    # People who copy a secret lose its padding: it is put back.
    padding = "=" * (-len(text) % 4)
    try:
        return base64.b64decode(text + padding, validate=True)
    except (binascii.Error, ValueError):
        return b""


def content(message_id: str, timestamp: str, body: bytes) -> bytes:
    """The bytes that are signed."""
    return f"{message_id}.{timestamp}.".encode() + body


def sign(message_id: str, timestamp: str, body: bytes, secret: str) -> str:
    """The signature of a webhook, with the version before it."""
    message = content(message_id, timestamp, body)
    digest = hmac.digest(key(secret), message, "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def headers(
    message_id: str, timestamp: int, body: bytes, secret: str
) -> dict[str, str]:
    """The three headers of a webhook that is sent at `timestamp`, in seconds since 1970."""
    seconds = str(timestamp)
    return {
        ID_HEADER: message_id,
        TIMESTAMP_HEADER: seconds,
        SIGNATURE_HEADER: sign(message_id, seconds, body, secret),
    }


def verify(
    headers: Mapping[str, str],
    body: bytes,
    secrets: Iterable[tuple[int, str]],
    *,
    moment: float,
    tolerance: float,
) -> Verified:
    """The secret that signed `body`; `secrets` are pairs of an id and a secret.

    `headers` has those of the three headers that were sent. `moment` is the receiver's time in
    seconds since 1970, and `tolerance` how many seconds the sender's time may differ from it.
    Raises InvalidError.
    """
    message_id, timestamp, signatures = _read(headers)
    # Each secret is compared with each signature, so that the time that it takes does not tell
    # which secret it was.
    verified = None
    for secret_id, secret in secrets:
        expected = sign(message_id, timestamp, body, secret)
        for signature in signatures:
            if _is_equal(expected, signature) and verified is None:
                verified = Verified(secret_id, expected)
    if verified is None:
        raise InvalidError(
            f"{SIGNATURE_HEADER} does not fit the id, the time and the body."
        )
    # Checked last: who knows no secret learns nothing about our clock.
    seconds = int(timestamp)
    if abs(moment - seconds) > tolerance:
        age = "old" if seconds < moment else "far ahead"
        raise InvalidError(
            f"{TIMESTAMP_HEADER} is too {age}: sign each try with its own time."
        )
    return verified


def _read(headers: Mapping[str, str]) -> tuple[str, str, list[str]]:
    """The id, the time and the signatures of a webhook. Raises InvalidError."""
    for name in HEADERS:
        if not headers.get(name):
            raise InvalidError(f"The header {name} is missing.")
    message_id = headers[ID_HEADER]
    timestamp = headers[TIMESTAMP_HEADER]
    if not _ID.fullmatch(message_id):
        raise InvalidError(
            f"{ID_HEADER} must be 1 to 255 of the characters A-Z a-z 0-9 _ . : -"
        )
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidError(f"{TIMESTAMP_HEADER} must be whole seconds since 1970.")
    signatures = headers[SIGNATURE_HEADER].split(" ")
    if len(signatures) > MAX_SIGNATURES:
        raise InvalidError(
            f"{SIGNATURE_HEADER} has more than {MAX_SIGNATURES} signatures."
        )
    return message_id, timestamp, signatures


def _is_equal(expected: str, signature: str) -> bool:
    # As bytes: compare_digest() raises on a text that is not ASCII.
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
