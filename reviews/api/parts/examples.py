"""Examples of requests and responses. The company and the people are fictitious.

Tests validate each example against its schema.
"""

from __future__ import annotations

from collections.abc import Mapping

_REVISION = "20260302101500000000"
_AT = "2026-03-02T10:15:00.120931Z"
_CHECK = "kyb.sanctions_screening_check_v2"
_BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"
_SUBSCRIPTION_EVENT = {
    "event": "case.ready",
    "case_id": "C-10428",
    "case_type": "kyb",
    "connection": "hub",
    "status": "to_review",
    "assigned_to": None,
    "created_at": _AT,
}

# Schema of the body → example.
BODIES: Mapping[str, object] = {
    "Assignment": {"to": "sven"},
    "BulkConfirmation": {"reasons": ["A01"]},
    "CaseDraft": {
        "agent": 1,
        "reference": "C-10428",
        "self_attested_data": {
            "business_name": "Northwind Ltd",
            "address_of_incorporation": {"city": "Dover", "country_code": "US"},
        },
    },
    "CheckMark": {
        "check_id": _CHECK,
        "kind": "overridden",
        "reason": "The listed company is in another country.",
    },
    "CaseSearch": {"view": "review", "q": "Northwind"},
    "ChecklistMark": {"item": "called", "kind": "ticked"},
    "Claim": {"kind": "kyb", "country": "US"},
    "CustomFields": {"custom_fields": {"channel": "Branch"}},
    "NewBatch": {
        "batch_id": _BATCH,
        "file_name": "march.csv",
        "csv": "id,business_name\nC-1,Northwind Ltd\n",
    },
    "NewBulkApproval": {"cases": [4, 5, 6]},
    "NewDecision": {
        "outcome": "approve",
        "reasons": ["A02"],
        "rationale": "The register confirms it.",
        "revision": _REVISION,
    },
    "NewDismissal": {
        "key": "sanctions:ofac-sdn:12345",
        "reason": "Another birth date.",
        "days": 365,
    },
    "NewHitConfirmation": {
        "key": "9c1185a5c5e9fc54612808977ee8f548b2258d31a4b1c2f0e0d1a2b3c4d5e6f7"
    },
    "NewValueChoice": {
        "field_key": "9c1185a5c5e9fc54612808977ee8f548b2258d31a4b1c2f0e0d1a2b3c4d5e6f7",
        "candidate": 1,
    },
    "NewHold": {"reason": "A court asks for it: 4 C 17/26."},
    "NewInvitation": {"agent": 1, "reference": "app-17", "days": 7},
    "NewLookUp": {"name": "Northwind", "date_of_birth": "1970-05-02"},
    "NewNote": {"text": "The register was asked, @sven."},
    "NewRating": {"band": "high", "reason": "A new owner in a country of high risk."},
    "NewRelation": {
        "case_id": 1,
        "kind": "owner",
        "name": "Halden Holding AS",
        "holder_kind": "company",
        "share": "60",
    },
    "NewSubscription": {
        "name": "ERP",
        "url": "https://erp.example/cases",
        "events": ["case.ready", "case.decided"],
    },
    "NewSuspicionReport": {"noticed_on": "2026-03-02"},
    "NewTag": {"name": "new owner"},
    "Nothing": {},
    "PartySearch": {"q": "HRB 12345"},
    "ReadMessages": {"ids": [7, 8]},
    "Reason": {"reason": "The case is closed."},
    "Reopening": {"reason": "The owner has changed.", "revision": _REVISION},
    "SecondLook": {"agrees": True, "note": "Seen.", "revision": _REVISION},
    "Snoozing": {"until": "2026-03-09T08:00:00Z"},
    "SubscriptionChange": {"is_active": False},
    "SuspicionAct": {"act": "propose", "revision": _REVISION},
    "SuspicionSentences": {
        "sentences": [
            {"text": "The year on the certificate was changed.", "evidence": ""}
        ],
        "revision": _REVISION,
    },
}
# Schema of the response → example.
ANSWERS: Mapping[str, object] = {
    "Decision": {
        "id": 3,
        "case_id": 1,
        "outcome": "approve",
        "status": "standing",
        "reasons": [{"code": "A02", "label": "Explained by a third party"}],
        "rationale": "The register confirms it.",
        "recommendation": "Review",
        "made_by": "ana",
        "made_at": _AT,
        "needs_second": False,
        "why_second": [],
        "second_by": "",
        "second_at": None,
        "second_note": "",
        "reopened_for": "",
        "bulk_approval_id": None,
        "decision_policy": None,
    },
    "Me": {
        "user": "ana",
        "token": "ERP",
        "scopes": ["cases:read"],
        "expires_at": None,
        "roles": ["analyst"],
    },
    "SentWebhook": {
        "id": _BATCH,
        "subscription_id": 2,
        "event": "case.ready",
        "case_id": 1,
        "url": "https://erp.example/cases",
        "status": "dead",
        "tries": 8,
        "created_at": _AT,
        "due_at": None,
    },
    "Subscription": {
        "id": 2,
        "name": "ERP",
        "url": "https://erp.example/cases",
        "connection": "",
        "events": ["case.ready", "case.decided"],
        "is_active": True,
        "created_at": _AT,
    },
}
# Schema of a webhook that the desk sends → example.
SUBSCRIPTION_EVENTS: Mapping[str, object] = {
    "SubscriptionEvent": _SUBSCRIPTION_EVENT,
    "DecisionEvent": {
        **_SUBSCRIPTION_EVENT,
        "event": "case.decided",
        "status": "decided",
        "assigned_to": "ana",
        "outcome": "approve",
        "reasons": [{"code": "A02", "label": "Explained by a third party"}],
        "rationale": "The register confirms it.",
        "recommendation": "Review",
        "decided_by": "ana",
        "approved_by": "sven",
        "decided_at": _AT,
    },
}
# HTTP status → example of an error.
PROBLEMS: Mapping[int, object] = {
    401: {
        "type": "about:blank",
        "title": "Unauthorized",
        "status": 401,
        "detail": "The token is missing, unknown, revoked or expired.",
        "code": "unauthenticated",
    },
    403: {
        "type": "about:blank",
        "title": "Forbidden",
        "status": 403,
        "detail": "The token has not the scope cases:decide.",
        "code": "missing_scope",
    },
    409: {
        "type": "about:blank",
        "title": "Conflict",
        "status": 409,
        "detail": "The case has changed since you saw it.",
        "code": "stale",
    },
    422: {
        "type": "about:blank",
        "title": "Unprocessable Content",
        "status": 422,
        "detail": "The decision is refused.",
        "code": "refused",
        "errors": [{"detail": "Sanctions screening failed and is not reviewed."}],
    },
}
