"""Time stamps of RFC 3161: an authority signs that a text existed at a time.

The whole response of the authority is stored, in DER: it contains the token and the certificates.

Every process imports this module, and few make or verify a stamp. So these functions import the
libraries themselves.
"""

from __future__ import annotations

import hashlib
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from compliance.http import outbound

if TYPE_CHECKING:
    from cryptography.x509 import Certificate
    from rfc3161_client import TimeStampResponse

# A response with the certificates of a usual chain has 4 to 8 KB.
MAX_BYTES = 32 << 10
TIMEOUT = 30.0  # seconds for a whole exchange; authorities are asked about once an hour
# The status of RFC 3161 for a response that contains a stamp.
GRANTED = 0


class StampError(Exception):
    """There is no valid time stamp; the message says why."""


def fetch(url: str, text: bytes) -> bytes:
    """Request a stamp of the SHA-256 of `text` from an authority. Raises StampError, OutboundError.

    Returns the response in DER.
    """
    from rfc3161_client import HashAlgorithm, TimestampRequestBuilder

    builder = TimestampRequestBuilder().data(text)
    builder = builder.hash_algorithm(HashAlgorithm.SHA256).nonce(nonce=True)
    # Ask for the authority's certificates, so that the stamp can be verified without the network.
    query = builder.cert_request(cert_request=True).build()
    headers = {
        "Content-Type": "application/timestamp-query",
        "Accept": "application/timestamp-reply",
    }
    response = outbound.request(
        "POST",
        url,
        data=query.as_bytes(),
        headers=headers,
        timeout=TIMEOUT,
        max_bytes=MAX_BYTES,
    )
    if response.status_code != 200:
        raise StampError(f"the authority answered with {response.status_code}")
    # Check that the stamp belongs to this request: the nonce protects against a replayed response.
    stamp = _read(response.content, hashlib.sha256(text).digest())
    if stamp.tst_info.nonce != query.nonce:
        raise StampError("the time stamp answers another request")
    return response.content


def moment_of(content: bytes, digest: bytes) -> datetime:
    """The time in a stamp of this hash, without a check of its signature. Raises StampError."""
    return _read(content, digest).tst_info.gen_time


def verify(content: bytes, digest: bytes, roots: list[Certificate]) -> datetime:
    """The time in a stamp of this hash, signed by an authority under `roots`. Raises StampError."""
    from rfc3161_client import VerificationError, VerifierBuilder

    stamp = _read(content, digest)
    builder = VerifierBuilder()
    for root in roots:
        builder = builder.add_root_certificate(root)
    try:
        builder.build().verify(stamp, digest)
    except (VerificationError, ValueError) as exc:
        raise StampError(f"the time stamp is not valid: {exc}") from exc
    except Exception as exc:
        # A broken certificate in it has errors of many kinds, which the libraries do not name.
        name = type(exc).__name__
        raise StampError(f"the time stamp is not valid ({name})") from exc
    return stamp.tst_info.gen_time


def roots_in(file: str) -> list[Certificate]:
    """The certificates in a PEM file. Raises OSError and ValueError."""
    from cryptography.x509 import load_pem_x509_certificates

    return load_pem_x509_certificates(Path(file).read_bytes())


def _read(content: bytes, digest: bytes) -> TimeStampResponse:
    from rfc3161_client import decode_timestamp_response

    try:
        stamp = decode_timestamp_response(content)
        if stamp.status != GRANTED:
            raise StampError("the authority gave no time stamp")
        imprint = stamp.tst_info.message_imprint.message
    except StampError:
        raise
    except Exception as exc:
        # The bytes may be anything.
        raise StampError("this is no time stamp") from exc
    # Without this check, a genuine stamp of another text would be accepted.
    if imprint != digest:
        raise StampError("the time stamp is of something else")
    return stamp
