"""Standard Webhooks (www.standardwebhooks.com): one signature over id, time and body.

        webhook-id: 6e3d…               the same for all attempts of a delivery
        webhook-timestamp: 1772445600   of this attempt, in seconds since 1970
        webhook-signature: v1,<base64(HMAC-SHA256(key, id.timestamp.body))>

The same secret may also make the interface's own two signatures (`compliance.http.signatures`).
None of the three signatures is valid in place of another:

* A secret that begins with `whsec_` has two keys: its whole text for the interface's signatures,
  and the decoded base64 for this one.
* Any other secret is one key, but the signed contents differ. Here the content begins with an id,
  which has no brace, and ends with a JSON object, which has braces. A body begins with a brace, and
  a case id contains none.
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
SECRET_BYTES = 32  # the output size of HMAC-SHA256
# A sender that rotates its secret signs with both for a while. Many more would only cost time.
MAX_SIGNATURES = 8

# 11 digits last until the year 5138.
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,255}")
_TIMESTAMP = re.compile(r"[0-9]{1,11}")


class InvalidError(Exception):
    """The signature is not valid. The message says why, and may be shown to the sender."""


class Verified(NamedTuple):
    """The id of the secret that matched, and which signature of the header it was."""

    secret_id: int
    signature: str


def new_secret() -> str:
    """A new secret in the format of the Standard Webhooks libraries."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def key(secret: str) -> bytes:
    """The HMAC key: the decoded base64 after `whsec_`, or the bytes of any other text."""
    return _decode_key(secret) or secret.encode()


def is_malformed(secret: str) -> bool:
    """Whether a secret begins with `whsec_` but no valid base64 follows."""
    return secret.startswith(SECRET_PREFIX) and not _decode_key(secret)


def _decode_key(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        return b""
    text = secret.removeprefix(SECRET_PREFIX).rstrip("=")
    # People often copy a secret without its padding: restore it.
    padding = "=" * (-len(text) % 4)
    try:
        return base64.b64decode(text + padding, validate=True)
    except (binascii.Error, ValueError):
        return b""


def content(message_id: str, timestamp: str, body: bytes) -> bytes:
    """The signed bytes."""
    return f"{message_id}.{timestamp}.".encode() + body


def sign(message_id: str, timestamp: str, body: bytes, secret: str) -> str:
    """The signature of a webhook, prefixed with its version: `v1,…`."""
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
    """Verify a webhook. Returns the secret that signed `body`; raises InvalidError.

    `headers` are the received headers, `secrets` pairs of an id and a secret. `moment` is the
    receiver's time in seconds since 1970, and `tolerance` the seconds by which the sender's time
    may differ from it.
    """
    message_id, timestamp, signatures = _read(headers)
    # Always compare every secret with every signature, so that the time taken does not reveal which
    # secret matched.
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
    # Check the time last: a sender without a secret must not learn anything about our clock.
    seconds = int(timestamp)
    if abs(moment - seconds) > tolerance:
        age = "old" if seconds < moment else "far ahead"
        raise InvalidError(
            f"{TIMESTAMP_HEADER} is too {age}: sign each try with its own time."
        )
    return verified


def _read(headers: Mapping[str, str]) -> tuple[str, str, list[str]]:
    """The id, the timestamp and the signatures of a webhook. Raises InvalidError."""
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
    # As bytes: compare_digest() raises TypeError for non-ASCII str.
    return hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
