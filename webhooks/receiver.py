"""Verifies webhooks: which secret signed it, and whether every signature is valid. The view is
in views.py.

A webhook may be signed by the interface's own signatures, and by Standard Webhooks, which sign the
time as well. If the latter is present, it decides. A connection that has used it once must always
use it: otherwise an attacker could replay a recorded webhook without the time.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import orjson
from django.conf import settings
from django.http import HttpRequest
from django.http.request import HttpHeaders

from compliance.db import clock
from compliance.http import references, signatures, standard_webhooks
from reviews.models import Case
from webhooks import senders
from webhooks.senders import Sender

# Characters stored per header. All accepted signatures fit.
MAX_HEADER = 500


class SignatureError(Exception):
    """A signature is not valid. The message is shown to the sender."""


class Signed(NamedTuple):
    """What the sender has signed, and with which of the connection's secrets."""

    secret_id: int
    payload: dict[str, object]
    # Stored, so that the event can be verified years later.
    headers: dict[str, str]


def verify(request: HttpRequest, sender: Sender, body: bytes) -> tuple[Sender, Signed]:
    """Verify a webhook. Returns the sender, with the secrets that were tried, and the signed
    content.

    Every signature in the request must be valid, all by the same secret. One must cover the whole
    body: that of Standard Webhooks or, until the connection has used that, the interface's full
    signature (§6). Raises SignatureError.
    """
    try:
        return sender, _verify(request, sender, body)
    except SignatureError:
        # The cached sender may lack a secret that was just added, so read it again from the
        # database.
        sender = senders.find(sender.slug, fresh=True) or sender
    try:
        return sender, _verify(request, sender, body)
    except SignatureError as exc:
        senders.note_refusal(sender, str(exc))
        raise


def _verify(request: HttpRequest, sender: Sender, body: bytes) -> Signed:
    """Raise SignatureError if a signature is not valid or none covers the body."""
    headers = _headers(request, sender)
    secrets = sender.active_secrets()
    standard = {
        name: headers[name] for name in standard_webhooks.HEADERS if name in headers
    }
    full = _header(request, signatures.FULL_HEADER)
    if standard:
        secret_id, signature = _verify_standard(standard, body, secrets)
        # The header may hold several signatures. Store only the one that we verified.
        headers[standard_webhooks.SIGNATURE_HEADER] = signature
        if full is not None and not signatures.verify(body, full, secrets[secret_id]):
            raise SignatureError("The signature does not fit the body.")
    elif sender.timestamped_since is not None:
        # Verify first: only a sender that knows a secret may learn that the connection exists and
        # what it requires.
        _signer(full, body, secrets)
        raise SignatureError(
            f"Webhooks of this connection carry {', '.join(standard_webhooks.HEADERS)}."
            " One without them is refused."
        )
    else:
        secret_id = _signer(full, body, secrets)
    payload = _read_object(body)
    # The compact signature signs only the id of a case, and an applicant may choose that id. So a
    # body that equals a case id may have a valid signature without being a webhook.
    if payload is None or _is_reference(sender, body, standard):
        raise SignatureError("What is signed must be a JSON object of a webhook.")
    if not _is_compact_valid(request, sender, secrets[secret_id], payload):
        raise SignatureError("The compact signature does not fit.")
    return Signed(secret_id, payload, headers)


def _verify_standard(
    headers: Mapping[str, str], body: bytes, secrets: Mapping[int, str]
) -> standard_webhooks.Verified:
    try:
        return standard_webhooks.verify(
            headers,
            body,
            secrets.items(),
            moment=clock.now().timestamp(),
            tolerance=settings.WEBHOOK_TOLERANCE_SECONDS,
        )
    except standard_webhooks.InvalidError as exc:
        raise SignatureError(str(exc)) from exc


def _signer(full: str | None, body: bytes, secrets: Mapping[int, str]) -> int:
    secret_id = signatures.signer(body, full, secrets.items()) if full else None
    if secret_id is None:
        raise SignatureError("The signature does not fit the body.")
    return secret_id


def _read_object(body: bytes) -> dict[str, object] | None:
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return None
    return payload if isinstance(payload, dict) else None


def _is_reference(sender: Sender, body: bytes, standard: Mapping[str, str]) -> bool:
    """Whether the signed bytes are the reference of a case of this connection.

    New cases cannot have such a reference (see references.py), but cases of earlier versions may.
    """
    messages = [body]
    if standard:
        message_id = standard[standard_webhooks.ID_HEADER]
        timestamp = standard[standard_webhooks.TIMESTAMP_HEADER]
        messages.append(standard_webhooks.content(message_id, timestamp, body))
    texts = []
    for message in messages:
        # Almost all webhooks are longer than a reference (at most four bytes per character). They
        # need neither decoding nor a query.
        if 0 < len(message) <= 4 * references.LONGEST:
            texts.append(message.decode())
    texts = [text for text in texts if len(text) <= references.LONGEST]
    if not texts:
        return False
    cases = Case.objects.filter(connection=sender.connection_id, reference__in=texts)
    return cases.exists()


def _is_compact_valid(
    request: HttpRequest, sender: Sender, secret: str, payload: dict[str, object]
) -> bool:
    """True if there is no compact signature, or if it signs the case id in the body."""
    signature = _header(request, sender.compact_header)
    if signature is None:
        return True
    inputs = payload.get("input_payload")
    case_id = inputs.get("id") if isinstance(inputs, dict) else None
    if case_id is None:
        return False
    return signatures.verify(str(case_id).encode(), signature, secret)


def _headers(request: HttpRequest, sender: Sender) -> dict[str, str]:
    """The headers needed to verify the event years later. Cookies and other headers are not
    stored.
    """
    names = (
        *signatures.PLAIN_HEADERS,
        standard_webhooks.SIGNATURE_HEADER,
        signatures.FULL_HEADER,
        sender.compact_header,
    )
    headers = {}
    for name in names:
        value = _header(request, name)
        if value is not None:
            headers[name] = value[:MAX_HEADER]
    return headers


# The WSGI name of a header. Cached and read from META, because request.headers would convert every
# header of the request and only a few are needed.
_meta_name = cache(HttpHeaders.to_wsgi_name)


def _header(request: HttpRequest, name: str) -> str | None:
    value: str | None = request.META.get(_meta_name(name))
    return value
