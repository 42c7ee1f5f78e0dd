"""JSON schemas of decisions, reports, erasures, the audit trail and settings."""

from __future__ import annotations

from compliance.http.api.schemas import (
    ANY_OBJECT,
    BOOLEAN,
    INTEGER,
    MOMENT,
    STRING,
    UUID,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    ref,
)
from reviews.api.parts.bodies import FINCEN, NUMBER
from reviews.api.parts.common import DAY, LATER, WHO, page
from reviews.models import (
    Announcement,
    BulkApproval,
    CaseEvent,
    Decision,
    Erasure,
    Outcome,
    SuspicionReport,
)

_SENT_WEBHOOK: dict[str, Schema] = {
    "id": UUID,
    "subscription_id": NUMBER,
    "event": {**STRING, "description": "Empty: an earlier version made it."},
    "case_id": or_null(NUMBER),
    "url": STRING,
    "status": one_of(Announcement.Status.values),
    "tries": INTEGER,
    "created_at": MOMENT,
    "due_at": {**LATER, "description": "Its next try; null: none."},
}
SENT_FILTERS: dict[str, Schema] = {
    "subscription": NUMBER,
    "status": one_of(Announcement.Status.values),
    "case": {**STRING, "maxLength": 200, "description": "The reference of a case."},
}
CONTROL: dict[str, Schema] = {
    "Erasure": record(
        {
            "id": NUMBER,
            "status": one_of(Erasure.Status.values),
            "rule": {**STRING, "description": "Empty: at somebody's request."},
            "reason": STRING,
            "by": {**STRING, "description": "A user's name; empty: the rule."},
            "planned_at": MOMENT,
            "due_at": LATER,
            "needs_second": BOOLEAN,
            "second_by": WHO,
            "second_at": LATER,
            "refusal": {
                **STRING,
                "description": "Why it was refused or withdrawn.",
            },
            "erased_at": LATER,
            "erased": {
                "type": "object",
                "additionalProperties": INTEGER,
                "description": "How many rows of each table, and files.",
            },
            "remains": {**listed(STRING), "description": "What remains, and why."},
            "service": {
                **STRING,
                "description": "What became of it at the service; empty: not yet.",
            },
            "done_at": LATER,
        }
    ),
    "Decision": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "outcome": one_of(Outcome.values),
            "status": one_of(Decision.Status.values),
            "reasons": listed(record({"code": STRING, "label": STRING})),
            "rationale": STRING,
            "recommendation": STRING,
            "made_by": WHO,
            "made_at": MOMENT,
            "needs_second": BOOLEAN,
            "why_second": listed(STRING),
            "second_by": WHO,
            "second_at": LATER,
            "second_note": STRING,
            "reopened_for": STRING,
            "bulk_approval_id": {
                **or_null(NUMBER),
                "description": "The bulk approval that made it; null: it was made otherwise.",
            },
            "decision_policy": {
                **or_null(INTEGER),
                "description": "The version of the decision policy that was in force; null: none."
                " With an empty `made_by` it approved the case automatically.",
            },
        }
    ),
    "Decisions": page("Decision"),
    "BulkApproval": record(
        {
            "id": NUMBER,
            "status": one_of(BulkApproval.Status.values),
            "by": WHO,
            "made_at": MOMENT,
            "share": {
                **INTEGER,
                "description": "Percent of the cases that were drawn.",
            },
            "reasons": listed(STRING),
            "cases": listed(
                record(
                    {
                        "case_id": NUMBER,
                        "is_sample": BOOLEAN,
                        "outcome": {
                            **one_of(("agrees", "differs", "approved", "open")),
                            "description": "Of a sample what the full look came to.",
                        },
                    }
                )
            ),
            "left_out": {
                **listed(record({"case_id": NUMBER, "reasons": listed(STRING)})),
                "description": "The cases that did not fit, in the answer to the draw.",
            },
        },
        but=("left_out",),
    ),
    "BulkApprovals": page("BulkApproval"),
    "SuspicionReport": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "status": one_of(SuspicionReport.Status.values),
            "revision": STRING,
            "noticed_on": DAY,
            "due_on": DAY,
            "sentences": listed(record({"text": STRING, "evidence": STRING})),
            "evidence": {
                **listed(record({"key": STRING, "label": STRING, "url": STRING})),
                "description": "What a sentence may rest on, in the answer about one report.",
            },
            "fincen": ref("FincenFacts"),
            "fincen_missing": {
                **listed(STRING),
                "description": "What FinCEN's form still needs, in words, in the answer about one report.",
            },
            "made_by": WHO,
            "made_at": MOMENT,
            "proposed_by": WHO,
            "proposed_at": LATER,
            "second_by": WHO,
            "second_at": LATER,
            "second_note": STRING,
            "filed_by": WHO,
            "filed_at": LATER,
            "receipt": STRING,
        },
        but=("evidence", "fincen_missing"),
    ),
    "FincenFacts": record(FINCEN, words="What FinCEN's form asks. Empty: not entered."),
    "SuspicionReports": page("SuspicionReport"),
    "PeriodReport": record(
        {
            "first": DAY,
            "last": DAY,
            "figures": listed(
                record(
                    {
                        "section": STRING,
                        "name": STRING,
                        "value": {
                            "type": ["number", "null"],
                            "description": "null: there is nothing to count it from.",
                        },
                        "of": {
                            **or_null(INTEGER),
                            "description": "The number that it is a part of.",
                        },
                        "unit": one_of(("", "minutes")),
                    }
                )
            ),
        }
    ),
    "Holds": page("Hold"),
    "Erasures": page("Erasure"),
    "Event": record(
        {
            "id": NUMBER,
            "at": MOMENT,
            "actor": one_of(CaseEvent.Actor.values),
            "by": WHO,
            "what": STRING,
            "data": ANY_OBJECT,
            "seq": {
                "type": ["integer", "null"],
                "description": "In the chain; null: not yet.",
            },
            "hash": {"type": ["string", "null"]},
            "line": {
                **STRING,
                "description": "What the hash is taken over: docs/audit.md.",
            },
        },
        but=("line",),
    ),
    "Events": page("Event"),
    "Subscription": record(
        {
            "id": NUMBER,
            "name": STRING,
            "url": STRING,
            "connection": {**STRING, "description": "Its slug; empty: all."},
            "events": {"type": "array", "items": STRING},
            "is_active": BOOLEAN,
            "created_at": MOMENT,
            "secret": {
                **STRING,
                "description": "Signs the webhooks. Only in the first answer.",
            },
        },
        but=("secret",),
    ),
    "Subscriptions": page("Subscription"),
    "SentWebhook": record(_SENT_WEBHOOK),
    "SentWebhooks": page("SentWebhook"),
    "WholeSentWebhook": record(
        {
            **_SENT_WEBHOOK,
            "body": {
                **STRING,
                "description": "In UTF-8 the bytes that are signed; empty: erased with its case.",
            },
            "attempts": listed(
                record(
                    {
                        "at": MOMENT,
                        "http_status": or_null(INTEGER),
                        "error": {**STRING, "description": "Why there was no answer."},
                        "response": {
                            **STRING,
                            "description": "The first 2 KB of the answer.",
                        },
                        "took_ms": INTEGER,
                    }
                )
            ),
        }
    ),
    # A change of settings that waits for a second person.
    "Proposal": record(
        {
            "proposal": NUMBER,
            "detail": STRING,
            "secret": {
                **STRING,
                "description": "Of what is proposed. It is valid once it is approved.",
            },
        },
        but=("secret",),
    ),
}
