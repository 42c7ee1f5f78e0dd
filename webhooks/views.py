"""The receiver: verify, keep, answer. events.py understands, later."""

from __future__ import annotations

from functools import cache

import orjson
from django.conf import settings
from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse
from django.http.request import HttpHeaders, RawPostDataException
from django.http.response import HttpResponseBase
from django.views.decorators.csrf import csrf_exempt

from compliance import signatures
from webhooks import events, senders
from webhooks.senders import Sender


def _say(status: int, /, **words: str) -> HttpResponse:
    return HttpResponse(orjson.dumps(words), status=status, content_type="application/json")


@csrf_exempt
def receive(request: HttpRequest, slug: str) -> HttpResponseBase:
    """`POST /webhooks/<connection>/`: 200 once the body is kept; 400, 401, 404, 405, 413 else.

    The same bytes again are 200 and change nothing. Interface §6: the full signature must hold,
    and the compact one too where it is sent.
    """
    if request.method != "POST":
        answer = _say(405, error="Method not allowed", message="Webhooks are sent by POST.")
        answer["Allow"] = "POST"
        return answer
    sender = senders.find(slug)
    if sender is None:
        return _say(404, error="Not found", message="There is no such connection.")
    if _length(request) > settings.MAX_WEBHOOK_BYTES:
        return _too_large()
    try:
        body = request.body
    except RequestDataTooBig:
        return _too_large()
    except (RawPostDataException, OSError):
        return _say(400, error="Bad request", message="The body could not be read.")
    if len(body) > settings.MAX_WEBHOOK_BYTES:
        return _too_large()
    return _verified(request, sender, body)


def _verified(request: HttpRequest, sender: Sender, body: bytes) -> HttpResponse:
    secret_id = _signer(request, sender, body)
    if secret_id is None:
        # A secret may have been added a moment ago.
        sender = senders.find(sender.slug, fresh=True) or sender
        secret_id = _signer(request, sender, body)
    if secret_id is None:
        return _say(401, error="Unauthorized", message="The signature does not fit the body.")
    try:
        payload = orjson.loads(body)
    except orjson.JSONDecodeError:
        return _say(400, error="Bad request", message="The body is not JSON.")
    if not isinstance(payload, dict):
        return _say(400, error="Bad request", message="The body is not a JSON object.")
    if not _compact_holds(request, sender, secret_id, payload):
        return _say(401, error="Unauthorized", message="The compact signature does not fit.")
    events.store(sender, body, headers=_headers(request, sender), secret_id=secret_id)
    return _say(200, status="ok")


def _signer(request: HttpRequest, sender: Sender, body: bytes) -> int | None:
    signature = _header(request, signatures.FULL_HEADER)
    return signatures.signer(body, signature, sender.active()) if signature else None


def _compact_holds(
    request: HttpRequest, sender: Sender, secret_id: int, payload: dict[str, object]
) -> bool:
    """True where no compact signature was sent, or it signs the case id that the body names."""
    signature = _header(request, sender.compact_header)
    if signature is None:
        return True
    named = payload.get("input_payload")
    case_id = named.get("id") if isinstance(named, dict) else None
    if case_id is None:
        return False
    return signatures.verify(str(case_id).encode(), signature, dict(sender.active())[secret_id])


def _headers(request: HttpRequest, sender: Sender) -> dict[str, str]:
    """What may be needed to verify the event years later; cookies and the like are not kept."""
    wanted = (
        *("Content-Type", "User-Agent", "X-Delivery-Id", "X-Delivery-Timestamp"),
        *(signatures.FULL_HEADER, sender.compact_header),
    )
    return {name: said[:500] for name in wanted if (said := _header(request, name)) is not None}


# The name of a header in META. Nearly all requests ask for the same few.
_in_meta = cache(HttpHeaders.to_wsgi_name)


def _header(request: HttpRequest, name: str) -> str | None:
    """One header. `request.headers` would first take all of them over, a tenth of a webhook."""
    said: str | None = request.META.get(_in_meta(name))
    return said


def _length(request: HttpRequest) -> int:
    said = request.META.get("CONTENT_LENGTH") or "0"
    return int(said) if said.isdigit() else 0


def _too_large() -> HttpResponse:
    most = settings.MAX_WEBHOOK_BYTES >> 20
    return _say(413, error="Too large", message=f"A webhook may have at most {most} MiB.")
