"""Standard Webhooks (www.standardwebhooks.com): one signature over the id, the time and the body.

    webhook-id: 6e3d…            the same for every try of one delivery
    webhook-timestamp: 1772445600   of this try, in seconds since 1970
    webhook-signature: v1,<base64(HMAC-SHA256(key, id.timestamp.body))>

The same secret may also sign by the interface's own two signatures (`compliance.http.signatures`), and
none of the three can stand in for another. A secret that begins with `whsec_` has two keys: its
whole text for the interface's, the decoded base64 for this one. Any other secret has one key, and
there the content keeps them apart: what is signed here begins with an id, which has no brace, and
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
# A sender that changes its secret signs with both: a few. More only cost time to compare.
MAX_SIGNATURES = 8

_ID = re.compile(r"[A-Za-z0-9_.:-]{1,255}")
_TIMESTAMP = re.compile(r"[0-9]{1,11}")


class InvalidError(Exception):
    """The signature does not hold; the text says why, and may be told to the sender."""


class Verified(NamedTuple):
    """Which secret signed, and the one of the sent signatures that is its."""

    secret_id: int
    signature: str


def new_secret() -> str:
    """A secret as the libraries of Standard Webhooks take it."""
    return SECRET_PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def key(secret: str) -> bytes:
    """The key of a secret: what stands in base64 after `whsec_`, or the bytes of any other text."""
    return _decoded(secret) or secret.encode()


def is_malformed(secret: str) -> bool:
    """Whether a secret begins with `whsec_`, and no key in base64 follows."""
    return secret.startswith(SECRET_PREFIX) and not _decoded(secret)


def _decoded(secret: str) -> bytes:
    if not secret.startswith(SECRET_PREFIX):
        return b""
    text = secret.removeprefix(SECRET_PREFIX).rstrip("=")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        return b""


def content(message_id: str, timestamp: str, body: bytes) -> bytes:
    """The bytes that are signed."""
    return f"{message_id}.{timestamp}.".encode() + body


def sign(message_id: str, timestamp: str, body: bytes, secret: str) -> str:
    digest = hmac.digest(key(secret), content(message_id, timestamp, body), "sha256")
    return f"v1,{base64.b64encode(digest).decode()}"


def headers(message_id: str, timestamp: int, body: bytes, secret: str) -> dict[str, str]:
    """The three headers of a webhook that is sent at `timestamp`, in seconds since 1970."""
    return {
        ID_HEADER: message_id,
        TIMESTAMP_HEADER: str(timestamp),
        SIGNATURE_HEADER: sign(message_id, str(timestamp), body, secret),
    }


def verify(
    given: Mapping[str, str],
    body: bytes,
    known: Iterable[tuple[int, str]],
    *,
    moment: float,
    tolerance: float,
) -> Verified:
    """Find the secret of `known`, pairs of an id and a secret, that signed `body`.

    `given` has those of the three headers that were sent. `moment` is the receiver's time in
    seconds since 1970, and `tolerance` how many seconds the sender's may be away from it.
    Raises InvalidError.
    """
    missing = [name for name in HEADERS if not given.get(name)]
    if missing:
        raise InvalidError(f"The header {missing[0]} is missing.")
    message_id, timestamp = given[ID_HEADER], given[TIMESTAMP_HEADER]
    if not _ID.fullmatch(message_id):
        raise InvalidError(f"{ID_HEADER} must be 1 to 255 of the characters A-Z a-z 0-9 _ . : -")
    if not _TIMESTAMP.fullmatch(timestamp):
        raise InvalidError(f"{TIMESTAMP_HEADER} must be whole seconds since 1970.")
    sent = given[SIGNATURE_HEADER].split(" ")
    if len(sent) > MAX_SIGNATURES:
        raise InvalidError(f"{SIGNATURE_HEADER} has more than {MAX_SIGNATURES} signatures.")
    verified = _signer(message_id, timestamp, body, sent, known)
    if verified is None:
        raise InvalidError(f"{SIGNATURE_HEADER} does not fit the id, the time and the body.")
    # Only now: whoever knows no secret is not told about our clock.
    if abs(moment - int(timestamp)) > tolerance:
        age = "old" if int(timestamp) < moment else "far ahead"
        raise InvalidError(f"{TIMESTAMP_HEADER} is too {age}: sign each try with its own time.")
    return verified


def _signer(
    message_id: str, timestamp: str, body: bytes, sent: list[str], known: Iterable[tuple[int, str]]
) -> Verified | None:
    """Compares all with all, so that time does not tell which secret it was."""
    verified = None
    for secret_id, secret in known:
        expected = sign(message_id, timestamp, body, secret)
        for signature in sent:
            # Bytes: compare_digest() raises on a text that is not ASCII.
            is_equal = hmac.compare_digest(expected.encode(), signature.encode(errors="replace"))
            if is_equal and verified is None:
                verified = Verified(secret_id, expected)
    return verified
