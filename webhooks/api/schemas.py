"""JSON schemas of the responses and filters of these endpoints."""

from __future__ import annotations

from compliance.http.api.schemas import (
    MOMENT,
    STRING,
    UUID,
    Schema,
    listed,
    one_of,
    or_null,
    record,
)
from reviews.api.parts.bodies import NUMBER
from reviews.api.parts.common import SHA256, page
from webhooks.models import Event

_WEBHOOK: dict[str, Schema] = {
    "id": NUMBER,
    "connection": STRING,
    "status": one_of(Event.Status.values),
    "reason": {**STRING, "description": "Why it waits, or was not applied."},
    "job_id": or_null(UUID),
    "case_id": or_null(NUMBER),
    "sha256": {**SHA256, "description": "Of the body; empty after its erasure."},
    "size": {"type": "integer", "minimum": 0, "description": "Bytes of the body."},
    "received_at": MOMENT,
}
SCHEMAS: dict[str, Schema] = {
    "ReceivedWebhook": record(_WEBHOOK),
    "ReceivedWebhooks": page("ReceivedWebhook"),
    "WholeWebhook": record(
        {
            **_WEBHOOK,
            "headers": {
                "type": "object",
                "additionalProperties": STRING,
                "description": "Without the signatures: whoever has one could send it again.",
            },
            "signed_in": {
                **listed(STRING),
                "description": "The headers whose signatures held when it came.",
            },
            "secret": or_null(
                {
                    **STRING,
                    "description": "The secret that signed it; null: removed since.",
                }
            ),
            "body": {
                **STRING,
                "description": "In UTF-8 the very bytes that were signed.",
            },
        }
    ),
}

FILTERS: dict[str, Schema] = {
    "connection": {**STRING, "maxLength": 40, "description": "Its slug."},
    "status": one_of(Event.Status.values),
    "case": {**STRING, "maxLength": 200, "description": "The reference of a case."},
}
