"""The receiver: verify, keep, answer. events.py understands, later.

A webhook may be signed in two ways: by the interface's own signatures, and by Standard Webhooks,
which cover the time as well. The second decides wherever it is there, and a connection that has
used it once may not go without it: else whoever has the first could leave the second away.

It is plain WSGI, without Django's request and response: they cost as much as all the rest of it.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from http import HTTPStatus
from typing import Any, NamedTuple, Protocol

import orjson
from django.conf import settings
from django.db import connection
from django.http.request import HttpHeaders
from django.utils.timezone import now

from compliance import references, signatures, standard_webhooks, statements
from reviews import connections
from reviews.models import Case
from webhooks import events, senders
from webhooks.senders import Sender

log = logging.getLogger(__name__)

PREFIX = "/webhooks/"
# Of a header so many characters are read: as many as MAX_SIGNATURES signatures need, and more.
MAX_HEADER = 500

Environ = Mapping[str, Any]
Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Body(Protocol):
    def read(self, size: int, /) -> bytes: ...


class Answer(NamedTuple):
    """What is said to the sender: a status, and JSON."""

    status: HTTPStatus
    body: bytes
    headers: tuple[tuple[str, str], ...] = ()


def in_front_of(django: Application) -> Application:
    """Answer `/webhooks/<slug>/` here, and have Django answer the rest."""

    def application(environ: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if not (path.startswith(PREFIX) and path.endswith("/") and path.count("/") == 3):
            return django(environ, start_response)
        said = _answered(environ, path[len(PREFIX) : -1])
        start_response(
            f"{said.status.value} {said.status.phrase}",
            [*said.headers, _JSON, ("Content-Length", str(len(said.body)))],
        )
        return [said.body]

    return application


_JSON = ("Content-Type", "application/json")


def _answered(environ: Environ, slug: str) -> Answer:
    # As Django does before each request: one that failed or has grown old is opened anew.
    connection.close_if_unusable_or_obsolete()
    try:
        return receive(environ, slug, environ["wsgi.input"])
    except Exception:
        log.exception("A webhook could not be kept.")
        return _no(HTTPStatus.INTERNAL_SERVER_ERROR, "It could not be kept: please send it again.")


def receive(environ: Environ, slug: str, body: Body) -> Answer:
    """`POST /webhooks/<connection>/`: 200 once the body is kept; 400, 401, 404, 405, 413 else.

    The same bytes again are 200 and change nothing. Every signature that is sent must hold, all by
    one secret. One of the whole body must be there: that of Standard Webhooks, or, until the
    connection has used that, the interface's full one (§6).
    """
    answer = _received(environ, slug, body)
    if answer.status >= 400:
        reason = orjson.loads(answer.body)["message"]
        log.warning("A webhook for %.40r was refused (%s): %d", slug, reason, answer.status)
    return answer


def _received(environ: Environ, slug: str, body: Body) -> Answer:
    if environ["REQUEST_METHOD"] != "POST":
        refused = _no(HTTPStatus.METHOD_NOT_ALLOWED, "Webhooks are sent by POST.")
        return refused._replace(headers=(("Allow", "POST"),))
    sender = senders.find(slug)
    if sender is None:
        return _no(HTTPStatus.NOT_FOUND, "There is no such connection.")
    length = _length(environ)
    if length > settings.MAX_WEBHOOK_BYTES:
        most = settings.MAX_WEBHOOK_BYTES >> 20
        return _no(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A webhook may have at most {most} MiB.")
    try:
        content = body.read(length)
    except OSError:
        return _no(HTTPStatus.BAD_REQUEST, "The body could not be read.")
    return _verified(environ, sender, content)


class _RefusedError(Exception):
    """A signature does not hold; the text is told to the sender."""


class _Signed(NamedTuple):
    secret_id: int
    payload: dict[str, Any]
    headers: dict[str, str]  # to be kept: what may be needed to verify the event years later


def _verified(environ: Environ, sender: Sender, body: bytes) -> Answer:
    try:
        signed = _signed(environ, sender, body)
    except _RefusedError:
        # A secret may have been added a moment ago.
        sender = senders.find(sender.slug, fresh=True) or sender
        try:
            signed = _signed(environ, sender, body)
        except _RefusedError as exc:
            senders.note_refusal(sender, str(exc))
            return _no(HTTPStatus.UNAUTHORIZED, str(exc))
    is_last = signed.payload.get("tool_id") is None
    events.store(sender, body, headers=signed.headers, secret_id=signed.secret_id, is_last=is_last)
    if sender.timestamped_since is None and standard_webhooks.SIGNATURE_HEADER in signed.headers:
        connections.demand_timestamps(sender.connection_id)
        senders.forget()
    return _KEPT


def _signed(environ: Environ, sender: Sender, body: bytes) -> _Signed:
    """Raises _RefusedError where any signature that was sent does not hold, or none was."""
    headers = _headers(environ, sender)
    known = dict(sender.active())
    standard = {name: headers[name] for name in standard_webhooks.HEADERS if name in headers}
    full = _header(environ, signatures.FULL_HEADER)
    if standard:
        secret_id, signature = _timestamped(standard, body, known)
        headers[standard_webhooks.SIGNATURE_HEADER] = signature
        if full is not None and not signatures.verify(body, full, known[secret_id]):
            raise _RefusedError("The signature does not fit the body.")
    elif sender.timestamped_since is not None:
        raise _RefusedError(
            f"Webhooks of this connection carry {', '.join(standard_webhooks.HEADERS)}."
            " One without them is refused."
        )
    else:
        secret_id = _signer(full, body, known)
    payload = _object(body)
    if payload is None or _names_a_case(sender, body, standard):
        # Its signature may be the compact one of a case of that name, which anybody may choose.
        raise _RefusedError("What is signed must be a JSON object of a webhook.")
    if not _compact_holds(environ, sender, known[secret_id], payload):
        raise _RefusedError("The compact signature does not fit.")
    return _Signed(secret_id, payload, headers)


def _timestamped(
    given: Mapping[str, str], body: bytes, known: Mapping[int, str]
) -> standard_webhooks.Verified:
    try:
        return standard_webhooks.verify(
            given,
            body,
            known.items(),
            moment=now().timestamp(),
            tolerance=settings.WEBHOOK_TOLERANCE_SECONDS,
        )
    except standard_webhooks.InvalidError as exc:
        raise _RefusedError(str(exc)) from exc


def _signer(full: str | None, body: bytes, known: Mapping[int, str]) -> int:
    secret_id = signatures.signer(body, full, known.items()) if full else None
    if secret_id is None:
        raise _RefusedError("The signature does not fit the body.")
    return secret_id


_KEPT = Answer(HTTPStatus.OK, b'{"status":"ok"}')


def _no(status: HTTPStatus, message: str) -> Answer:
    error = _NAMES.get(status, status.phrase.capitalize())
    return Answer(status, orjson.dumps({"error": error, "message": message}))


# Of which Python has two, by its version.
_NAMES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Too large"}


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
    known = statements.rows(
        Case, only=("id",), connection=sender.connection_id, reference__in=names
    )
    return bool(known)


def _compact_holds(
    environ: Environ, sender: Sender, secret: str, payload: dict[str, object]
) -> bool:
    """True where no compact signature was sent, or it signs the case id that the body names."""
    signature = _header(environ, sender.compact_header)
    if signature is None:
        return True
    named = payload.get("input_payload")
    case_id = named.get("id") if isinstance(named, dict) else None
    if case_id is None:
        return False
    return signatures.verify(str(case_id).encode(), signature, secret)


def _headers(environ: Environ, sender: Sender) -> dict[str, str]:
    """What may be needed to verify the event years later; cookies and the like are not kept."""
    wanted = (
        *signatures.PLAIN_HEADERS,
        standard_webhooks.SIGNATURE_HEADER,
        signatures.FULL_HEADER,
        sender.compact_header,
    )
    return {
        name: value[:MAX_HEADER] for name in wanted if (value := _header(environ, name)) is not None
    }


# The name of a header in WSGI. Nearly all requests ask for the same few.
_in_environ = cache(HttpHeaders.to_wsgi_name)


def _header(environ: Environ, name: str) -> str | None:
    said: str | None = environ.get(_in_environ(name))
    return said


def _length(environ: Environ) -> int:
    said = environ.get("CONTENT_LENGTH") or "0"
    return int(said) if said.isdecimal() else 0
