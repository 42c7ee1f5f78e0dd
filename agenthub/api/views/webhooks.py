"""Trying webhooks: samples to a receiver, and a receiver for samples."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

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
from compliance.http import signatures, standard_webhooks
from compliance.http.api.errors import Problem
from compliance.http.api.json_bodies import AsItCame, Unreadable


class TestWebhook(HubView):
    def post(self, request: Request) -> Response:
        asked = self.asked(TryWebhook, self.body)
        sent = webhook_test.samples(
            webhook_url=asked.get("webhook_url") or "",
            tool_webhook_url=asked.get("tool_webhook_url") or "",
            tool_ids=list(dict.fromkeys(asked.get("tool_webhook_ids") or [])),
        )
        try:
            results = webhook_test.send(self.account, sent)
        except SigningSecret.DoesNotExist as exc:
            raise ValidationError(str(exc), code="no_secret") from None
        failed = [result for result in results if not result["ok"]]
        if not failed:
            return Response({"message": "Webhook test was successful.", "results": results})
        return Response({**_failure(failed), "results": results}, status=400)


def _failure(failed: Iterable[dict[str, Any]]) -> dict[str, Any]:
    detail = [
        {
            "loc": ["webhook_url" if result["kind"] == "job" else "tool_webhook_url"],
            "msg": result.get("error") or f"The receiver answered HTTP {result['status']}.",
            "type": "webhook_failed",
        }
        for result in failed
    ]
    first = detail[0]
    return errors.body(Problem(400, f"{first['loc'][0]}: {first['msg']}", faults=detail))


class TestWebhookReceiver(HubView):
    """What a receiver of webhooks does, to compare one's own signing with."""

    parser_classes = (AsItCame,)

    def post(self, request: Request) -> Response:
        body: bytes = self.content
        standard = {
            name: request.headers[name].strip()
            for name in standard_webhooks.HEADERS
            if name in request.headers
        }
        signature = request.headers.get(signatures.FULL_HEADER, "").strip()
        if not signature and not standard:
            words = f"The header {signatures.FULL_HEADER} is missing."
            raise ValidationError(words, code="missing_header")
        try:
            event = orjson.loads(body)
        except orjson.JSONDecodeError:
            raise Unreadable("The body is not valid JSON.", code="json_invalid") from None
        if not isinstance(event, dict):
            raise Unreadable("The body is not a JSON object.", code="not_an_object")
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
        compact = request.headers.get(signatures.COMPACT_HEADER, "").strip()
        if compact and not _is_compact(event, compact, secrets):
            raise Problem(401, "The compact signature does not match input_payload.id.")
        return Response({"status": "ok", "message": "The signature is valid."})


def _is_compact(event: dict[str, Any], compact: str, secrets: list[tuple[int, str]]) -> bool:
    payload = event.get("input_payload")
    case_id = payload.get("id") if isinstance(payload, dict) else None
    if case_id is None:
        return False
    message = str(case_id).encode(errors="surrogatepass")
    return signatures.signer(message, compact, secrets) is not None
