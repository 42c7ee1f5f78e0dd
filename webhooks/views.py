"""The receiver of webhooks: verifies and stores them. events.py applies them later in the
background.
"""

from __future__ import annotations

import logging
from http import HTTPStatus

import orjson
from django.conf import settings
from django.http import HttpRequest, HttpResponse, UnreadablePostError
from django.views.decorators.csrf import csrf_exempt

from compliance.http import standard_webhooks, unavailable
from compliance.http.api.views import NOTHING_RUNS
from reviews.service import connections
from webhooks import events, receiver, senders
from webhooks.senders import Sender

log = logging.getLogger(__name__)


class _RefusedError(Exception):
    """The webhook is not stored. The message is for the sender."""

    def __init__(self, status: HTTPStatus, message: str) -> None:
        super().__init__(message)
        self.status = status


@csrf_exempt
def receive(request: HttpRequest, slug: str) -> HttpResponse:
    """`POST /webhooks/<connection>/` returns 200 once the body is stored.

    A repeated body returns 200 and changes nothing. Other responses: 400, 401, 405, 413; 500 if it
    could not be stored; 503 and 507 as in compliance/http/unavailable.py.
    """
    try:
        _receive(request, slug)
    except _RefusedError as exc:
        name = senders.name_of(slug)
        log.warning("A webhook for %s was refused (%s): %d", name, exc, exc.status)
        return _error(exc.status, str(exc))
    except Exception as exc:
        log.exception("A webhook could not be stored.")
        # A full disk or an unreachable database: the sender should try again later.
        outage = unavailable.outage_of(exc)
        if outage is None:
            message = "It could not be stored: please send it again."
            return _error(HTTPStatus.INTERNAL_SERVER_ERROR, message)
        response = _error(HTTPStatus(outage.status), str(outage.message))
        response["Retry-After"] = str(unavailable.RETRY_SECONDS)
        return response
    return _response(HTTPStatus.OK, b'{"status":"ok"}')


def _receive(request: HttpRequest, slug: str) -> None:
    """Verify and store a webhook. Raises _RefusedError."""
    if request.method != "POST":
        raise _RefusedError(HTTPStatus.METHOD_NOT_ALLOWED, "Webhooks are sent by POST.")
    # An unknown connection is refused like a wrong signature, so that slugs cannot be probed.
    sender = senders.find(slug) or senders.nobody(slug)
    body = _body(request)
    try:
        sender, signed = receiver.verify(request, sender, body)
    except receiver.SignatureError as exc:
        raise _RefusedError(HTTPStatus.UNAUTHORIZED, str(exc)) from exc
    events.store(sender, body, headers=signed.headers, secret_id=signed.secret_id)
    _note_timestamps(sender, signed)


def _body(request: HttpRequest) -> bytes:
    """The body. The declared length is checked before anything is read."""
    header = request.META.get("CONTENT_LENGTH") or "0"
    length = int(header) if header.isdecimal() else 0
    if length > settings.MAX_WEBHOOK_BYTES:
        limit = settings.MAX_WEBHOOK_BYTES >> 20
        message = f"A webhook may have at most {limit} MiB."
        raise _RefusedError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, message)
    try:
        return request.read(length)
    except UnreadablePostError as exc:
        raise _RefusedError(
            HTTPStatus.BAD_REQUEST, "The body could not be read."
        ) from exc


def _note_timestamps(sender: Sender, signed: receiver.Signed) -> None:
    """After the first webhook with a signed time, the connection requires it for all webhooks."""
    is_timestamped = standard_webhooks.SIGNATURE_HEADER in signed.headers
    if is_timestamped and sender.timestamped_since is None:
        connections.demand_timestamps(sender.connection_id)
        senders.forget()


# Python versions use different phrases for this status.
_NAMES = {HTTPStatus.REQUEST_ENTITY_TOO_LARGE: "Too large"}


def _error(status: HTTPStatus, message: str) -> HttpResponse:
    name = _NAMES.get(status, status.phrase.capitalize())
    content = orjson.dumps({"error": name, "message": message})
    response = _response(status, content)
    if status == HTTPStatus.METHOD_NOT_ALLOWED:
        response["Allow"] = "POST"
    return response


def _response(status: HTTPStatus, content: bytes) -> HttpResponse:
    headers = {**_HEADERS, "Content-Length": str(len(content))}
    return HttpResponse(content, status=status, headers=headers)


# Webhooks bypass the middleware that adds these headers to other responses (see middleware.py).
_HEADERS = {
    "Content-Type": "application/json",
    "Content-Security-Policy": NOTHING_RUNS,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
