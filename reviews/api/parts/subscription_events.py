"""JSON schemas of the webhooks that the desk sends."""

from __future__ import annotations

from compliance.http.api.schemas import (
    MOMENT,
    STRING,
    Schema,
    listed,
    one_of,
    or_null,
    record,
)
from reviews.models import Case, Kind, Outcome, SubscriptionEvent

_ABOUT_CASE: dict[str, Schema] = {
    "event": one_of(SubscriptionEvent.values),
    "case_id": {**STRING, "description": "The reference of the case."},
    "case_type": one_of(Kind.values),
    "connection": {**STRING, "description": "Its slug."},
    "status": one_of(Case.Status.values),
    "assigned_to": or_null(STRING),
    "created_at": MOMENT,
}
SUBSCRIPTION_EVENTS: dict[str, Schema] = {
    "SubscriptionEvent": record(_ABOUT_CASE),
    "DecisionEvent": record(
        {
            **_ABOUT_CASE,
            "outcome": one_of(Outcome.values),
            "reasons": listed(record({"code": STRING, "label": STRING})),
            "rationale": STRING,
            "recommendation": or_null(STRING),
            "decided_by": STRING,
            "approved_by": or_null(STRING),
            "decided_at": MOMENT,
        }
    ),
}
