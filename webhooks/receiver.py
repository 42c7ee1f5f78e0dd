"""Who signed a webhook, and whether every signature holds. The view is in views.py.

A webhook may be signed in two ways: by the interface's own signatures, and by Standard Webhooks,
which cover the time as well. The second decides wherever it is there, and a connection that has
used it once may not go without it: else whoever has the first could leave the second away.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import orjson
from django.conf import settings
from django.http import HttpRequest
from django.http.request import HttpHeaders
from django.utils.timezone import now

from compliance.db import fast_sql
from compliance.http import references, signatures, standard_webhooks
from reviews.models import Case
from webhooks import senders
from webhooks.senders import Sender

# Of a header so many characters are read: as many as MAX_SIGNATURES signatures need, and more.
MAX_HEADER = 500


class SignatureError(Exception):
    """A signature does not hold; the text is for the sender."""


class Signed(NamedTuple):
    """What a sender has signed, and by which of the connection's secrets."""

    secret_id: int
    payload: dict[str, Any]
    headers: dict[str, str]  # to be kept: what may be needed to verify the event years later


def verify(request: HttpRequest, sender: Sender, body: bytes) -> tuple[Sender, Signed]:
    """The sender with the secrets that were tried, and what it has signed.

    Every signature that is sent must hold, all by one secret. One of the whole body must be there:
    that of Standard Webhooks, or, until the connection has used that, the interface's full one (§6).
    Raises SignatureError.
    """
    try:
        return sender, _signed(request, sender, body)
    except SignatureError:
        # A secret may have been added a moment ago.
        sender = senders.find(sender.slug, fresh=True) or sender
    try:
        return sender, _signed(request, sender, body)
    except SignatureError as exc:
        senders.note_refusal(sender, str(exc))
        raise


def _signed(request: HttpRequest, sender: Sender, body: bytes) -> Signed:
    """Raises SignatureError where any signature that was sent does not hold, or none was."""
    headers = _headers(request, sender)
    secrets = dict(sender.active())
    standard = {name: headers[name] for name in standard_webhooks.HEADERS if name in headers}
    full = _header(request, signatures.FULL_HEADER)
    if standard:
        secret_id, signature = _timestamped(standard, body, secrets)
        headers[standard_webhooks.SIGNATURE_HEADER] = signature
        if full is not None and not signatures.verify(body, full, secrets[secret_id]):
            raise SignatureError("The signature does not fit the body.")
    elif sender.timestamped_since is not None:
        raise SignatureError(
            f"Webhooks of this connection carry {', '.join(standard_webhooks.HEADERS)}."
            " One without them is refused."
        )
    else:
        secret_id = _signer(full, body, secrets)
    payload = _object(body)
    if payload is None or _names_a_case(sender, body, standard):
        # Its signature may be the compact one of a case of that name, which anybody may choose.
        raise SignatureError("What is signed must be a JSON object of a webhook.")
    if not _compact_holds(request, sender, secrets[secret_id], payload):
        raise SignatureError("The compact signature does not fit.")
    return Signed(secret_id, payload, headers)


def _timestamped(
    headers: Mapping[str, str], body: bytes, secrets: Mapping[int, str]
) -> standard_webhooks.Verified:
    try:
        return standard_webhooks.verify(
            headers,
            body,
            secrets.items(),
            moment=now().timestamp(),
            tolerance=settings.WEBHOOK_TOLERANCE_SECONDS,
        )
    except standard_webhooks.InvalidError as exc:
        raise SignatureError(str(exc)) from exc


def _signer(full: str | None, body: bytes, secrets: Mapping[int, str]) -> int:
    secret_id = signatures.signer(body, full, secrets.items()) if full else None
    if secret_id is None:
        raise SignatureError("The signature does not fit the body.")
    return secret_id


def _object(body: bytes) -> dict[str, Any] | None:
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return payload if isinstance(payload, dict) else None


def _names_a_case(sender: Sender, body: bytes, standard: Mapping[str, str]) -> bool:
    """Whether a case of this connection has all that was signed as its reference. None can be named
    so any more; those of old stay."""
    signed = [body]
    if standard:
        message_id = standard[standard_webhooks.ID_HEADER]
        timestamp = standard[standard_webhooks.TIMESTAMP_HEADER]
        signed.append(standard_webhooks.content(message_id, timestamp, body))
    # A character has at most four bytes. Most webhooks are longer, and cost nothing here.
    names = [text.decode() for text in signed if 0 < len(text) <= 4 * references.LONGEST]
    names = [name for name in names if len(name) <= references.LONGEST]
    if not names:
        return False
    known = fast_sql.fetch_models(
        Case, only=("id",), connection=sender.connection_id, reference__in=names
    )
    return bool(known)


def _compact_holds(
    request: HttpRequest, sender: Sender, secret: str, payload: dict[str, object]
) -> bool:
    """True where no compact signature was sent, or it signs the case id that the body names."""
    signature = _header(request, sender.compact_header)
    if signature is None:
        return True
    named = payload.get("input_payload")
    case_id = named.get("id") if isinstance(named, dict) else None
    if case_id is None:
        return False
    return signatures.verify(str(case_id).encode(), signature, secret)


def _headers(request: HttpRequest, sender: Sender) -> dict[str, str]:
    """What may be needed to verify the event years later; cookies and the like are not kept."""
    wanted = (
        *signatures.PLAIN_HEADERS,
        standard_webhooks.SIGNATURE_HEADER,
        signatures.FULL_HEADER,
        sender.compact_header,
    )
    values = {name: _header(request, name) for name in wanted}
    return {name: value[:MAX_HEADER] for name, value in values.items() if value is not None}


# The name of a header in WSGI. Nearly all requests ask for the same few, and request.headers reads
# all that were sent.
_meta_name = cache(HttpHeaders.to_wsgi_name)


def _header(request: HttpRequest, name: str) -> str | None:
    value: str | None = request.META.get(_meta_name(name))
    return value
