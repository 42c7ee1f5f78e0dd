"""The receiver: verify, keep, answer. events.py understands, later.

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

from compliance import signatures
from webhooks import events, senders
from webhooks.senders import Sender

log = logging.getLogger(__name__)

PREFIX = "/webhooks/"

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
        said = receive(environ, slug, environ["wsgi.input"])
    except Exception:
        log.exception("A webhook could not be kept.")
        return _no(HTTPStatus.INTERNAL_SERVER_ERROR, "It could not be kept: please send it again.")
    if said.status >= 400:
        log.warning("A webhook for %.40r was refused: %d", slug, said.status)
    return said


def receive(environ: Environ, slug: str, body: Body) -> Answer:
    """`POST /webhooks/<connection>/`: 200 once the body is kept; 400, 401, 404, 405, 413 else.

    The same bytes again are 200 and change nothing. Interface §6: the full signature must hold,
    and the compact one too where it is sent.
    """
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


def _verified(environ: Environ, sender: Sender, body: bytes) -> Answer:
    secret_id = _signer(environ, sender, body)
    if secret_id is None:
        # A secret may have been added a moment ago.
        sender = senders.find(sender.slug, fresh=True) or sender
        secret_id = _signer(environ, sender, body)
    if secret_id is None:
        return _no(HTTPStatus.UNAUTHORIZED, "The signature does not fit the body.")
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _no(HTTPStatus.BAD_REQUEST, "The body is not JSON.")
    if not isinstance(payload, dict):
        return _no(HTTPStatus.BAD_REQUEST, "The body is not a JSON object.")
    if not _compact_holds(environ, sender, secret_id, payload):
        return _no(HTTPStatus.UNAUTHORIZED, "The compact signature does not fit.")
    headers, is_last = _headers(environ, sender), payload.get("tool_id") is None
    events.store(sender, body, headers=headers, secret_id=secret_id, is_last=is_last)
    return _KEPT


_KEPT = Answer(HTTPStatus.OK, b'{"status":"ok"}')


def _no(status: HTTPStatus, message: str) -> Answer:
    error = _NAMES.get(status, status.phrase.capitalize())
    return Answer(status, orjson.dumps({"error": error, "message": message}))


# Of which Python has two, by its version.
_NAMES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Too large"}


def _signer(environ: Environ, sender: Sender, body: bytes) -> int | None:
    signature = _header(environ, signatures.FULL_HEADER)
    return signatures.signer(body, signature, sender.active()) if signature else None


def _compact_holds(
    environ: Environ, sender: Sender, secret_id: int, payload: dict[str, object]
) -> bool:
    """True where no compact signature was sent, or it signs the case id that the body names."""
    signature = _header(environ, sender.compact_header)
    if signature is None:
        return True
    named = payload.get("input_payload")
    case_id = named.get("id") if isinstance(named, dict) else None
    if case_id is None:
        return False
    return signatures.verify(str(case_id).encode(), signature, dict(sender.active())[secret_id])


def _headers(environ: Environ, sender: Sender) -> dict[str, str]:
    """What may be needed to verify the event years later; cookies and the like are not kept."""
    wanted = (
        *("Content-Type", "User-Agent", "X-Delivery-Id", "X-Delivery-Timestamp"),
        *(signatures.FULL_HEADER, sender.compact_header),
    )
    return {name: said[:500] for name in wanted if (said := _header(environ, name)) is not None}


# The name of a header in WSGI. Nearly all requests ask for the same few.
_in_environ = cache(HttpHeaders.to_wsgi_name)


def _header(environ: Environ, name: str) -> str | None:
    said: str | None = environ.get(_in_environ(name))
    return said


def _length(environ: Environ) -> int:
    said = environ.get("CONTENT_LENGTH") or "0"
    return int(said) if said.isdigit() else 0
