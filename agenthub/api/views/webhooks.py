"""Tests of webhooks: samples to a receiver, and a receiver for samples."""

from __future__ import annotations

from collections.abc import Iterable

import orjson
from django.conf import settings
from django.utils.timezone import now
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import ValidationError

from agenthub.api import errors
from agenthub.api.base import HubView
from agenthub.deliveries import webhook_test
from agenthub.models import SigningSecret
from agenthub.schemas.requests import TryWebhook
from agenthub.wire import Wire
from compliance.http import signatures, standard_webhooks
from compliance.http.api.errors import Problem
from compliance.http.api.json_bodies import RawJSON, Unreadable


class TestWebhook(HubView):
    def post(self, request: Request) -> Response:
        values = self.values(TryWebhook, self.body)
        tool_ids = values.get("tool_webhook_ids") or []
        samples = webhook_test.samples(
            webhook_url=values.get("webhook_url") or "",
            tool_webhook_url=values.get("tool_webhook_url") or "",
            tool_ids=list(dict.fromkeys(tool_ids)),
        )
        try:
            results = webhook_test.send(self.account, samples)
        except SigningSecret.DoesNotExist as exc:
            raise ValidationError(str(exc), code="no_secret") from None
        failures = [result for result in results if not result["ok"]]
        if failures:
            return Response({**_failure(failures), "results": results}, status=400)
        return Response({"message": "Webhook test was successful.", "results": results})


def _failure(results: Iterable[Wire]) -> Wire:
    detail = [_problem(result) for result in results]
    first = detail[0]
    return errors.body(
        Problem(400, f"{first['loc'][0]}: {first['msg']}", faults=detail)
    )


def _problem(result: Wire) -> Wire:
    if result["kind"] == "job":
        member = "webhook_url"
    else:
        member = "tool_webhook_url"
    words = result.get("error") or f"The receiver answered HTTP {result['status']}."
    return {
        "loc": [member],
        "msg": words,
        "type": "webhook_failed",
    }


class TestWebhookReceiver(HubView):
    """What a receiver of webhooks does, to compare one's own signing with."""

    parser_classes = (RawJSON,)

    def post(self, request: Request) -> Response:
        body: bytes = self.content
        headers = request.headers
        standard = {}
        for name in standard_webhooks.HEADERS:
            if name in headers:
                standard[name] = headers[name].strip()
        signature = headers.get(signatures.FULL_HEADER, "").strip()
        if not signature and not standard:
            words = (
                f"The headers {signatures.FULL_HEADER} and "
                f"{standard_webhooks.SIGNATURE_HEADER} are missing: one of them is needed."
            )
            raise ValidationError(words, code="missing_header")
        event = _event(body)
        secrets = webhook_test.secrets(self.account)
        if standard:
            try:
                standard_webhooks.verify(
                    standard,
                    body,
                    secrets,
                    moment=now().timestamp(),
                    tolerance=settings.WEBHOOK_TOLERANCE_SECONDS,
                )
            except standard_webhooks.InvalidError as exc:
                raise Problem(401, str(exc)) from None
        if signature and signatures.signer(body, signature, secrets) is None:
            raise Problem(401, "The signature does not match the body.")
        compact = headers.get(signatures.COMPACT_HEADER, "").strip()
        if compact and not _is_compact(event, compact, secrets):
            raise Problem(401, "The compact signature does not match input_payload.id.")
        return Response({"status": "ok", "message": "The signature is valid."})


def _event(body: bytes) -> Wire:
    try:
        event = orjson.loads(body)
    except orjson.JSONDecodeError:
        raise Unreadable("The body is not valid JSON.", code="json_invalid") from None
    if not isinstance(event, dict):
        raise Unreadable("The body is not a JSON object.", code="not_an_object")
    return event


def _is_compact(event: Wire, compact: str, secrets: list[tuple[int, str]]) -> bool:
    payload = event.get("input_payload")
    if isinstance(payload, dict):
        case_id = payload.get("id")
    else:
        case_id = None
    if case_id is None:
        return False
    message = str(case_id).encode(errors="surrogatepass")
    return signatures.signer(message, compact, secrets) is not None
