"""JSON schemas of cases, jobs, documents, notes, messages and requests to applicants."""

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
from reviews import results
from reviews.api.parts.bodies import DOCUMENT_KIND, NUMBER
from reviews.api.parts.common import DAY, LATER, OF_RECOMMENDATION, SHA256, WHO, page
from reviews.models import (
    Band,
    Case,
    Document,
    Invitation,
    Job,
    Kind,
    Notification,
    Outcome,
    RatingOverride,
    RiskBand,
    Severity,
)
from reviews.models import InformationRequest as Request

_CASE: dict[str, Schema] = {
    "id": NUMBER,
    "reference": STRING,
    "kind": one_of(Kind.values),
    "subject": STRING,
    "country": STRING,
    "status": one_of(Case.Status.values),
    "recommendation": {**STRING, "description": "The agent's words; empty: none yet."},
    **OF_RECOMMENDATION,
    "revision": STRING,
    "connection": STRING,
    "agent": or_null(ref("Agent")),
    "submitted_by": WHO,
    "analyst": {**STRING, "description": "Whose case it is; empty: nobody's."},
    "risk": {
        **INTEGER,
        "description": "How many findings speak against it: RISK indicators, values that differ or were altered, "
        "parts that failed, and failed checks that name none of these. A count, not a rating of risk.",
    },
    "severity": {
        **one_of([severity.name.lower() for severity in Severity]),
        "description": "The worst of its findings.",
    },
    "risk_band": {
        **one_of([band.word for band in RiskBand]),
        "description": "The band of its rating, with what people say; none: not rated yet.",
    },
    "review_on": {
        **or_null(DAY),
        "description": "When its next periodic review is due; null: none is planned.",
    },
    "alarm": {
        **STRING,
        "description": "Why a person must look at it again, one reason a line: what came after "
        "the decision, or is not confirmed. The next decision settles it. Empty: nothing.",
    },
    "alarm_at": LATER,
    "erased_at": {
        **LATER,
        "description": "When its personal data were erased; null: they were not.",
    },
    "due_at": {**MOMENT, "description": "When it should be decided."},
    "snoozed_until": LATER,
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "url": {**STRING, "description": "The page of the case."},
}
_JOB: dict[str, Schema] = {
    "id": UUID,
    "case_id": NUMBER,
    "remote_id": STRING,
    "status": one_of(Job.Status.values),
    "recommendation": STRING,
    **OF_RECOMMENDATION,
    "error": STRING,
    "agent": or_null(ref("Agent")),
    "created_at": MOMENT,
    "started_at": LATER,
    "ended_at": LATER,
}
_WAITING: Schema = record(
    {
        "for": one_of(("sending", "room", "key", "retry", "result")),
        "ahead": {
            **INTEGER,
            "description": "Jobs of the connection that began before and have not ended, at most 200.",
        },
        "seconds_left": {
            **or_null(INTEGER),
            "description": "About how long until it has ended, as measured in the last ten minutes; "
            "null: unknown.",
        },
        "text": STRING,
    }
)
CASES: dict[str, Schema] = {
    "ReasonCode": record(
        {
            "code": STRING,
            "label": STRING,
            "hint": STRING,
            "outcome": one_of(Outcome.values),
        }
    ),
    "ReasonCodes": page("ReasonCode"),
    "CaseRow": record(_CASE),
    "Cases": page("CaseRow"),
    "Case": record(
        {
            **_CASE,
            "tags": listed(STRING),
            "self_attested_data": ANY_OBJECT,
            "schema_extra": ANY_OBJECT,
            "procedure": {
                **or_null(INTEGER),
                "description": "The version of the procedure that it was opened by; null: there was none.",
            },
            "custom_fields": {
                **ANY_OBJECT,
                "description": "The values of the procedure's fields by their keys.",
            },
            "extra_columns": {
                **ANY_OBJECT,
                "description": "Columns of the file that it was imported from which mean no member of a case.",
            },
            "open_items": {
                **INTEGER,
                "description": "Items of the checklist that hold the decision.",
            },
            "request": or_null(ref("InformationRequest")),
        }
    ),
    "InformationRequest": record(
        {
            "status": one_of(Request.Status.values),
            "message": STRING,
            "kinds": listed(STRING),
            "url": {
                **STRING,
                "description": "The applicant's link; empty once it has ended.",
            },
            "made_by": WHO,
            "made_at": MOMENT,
            "expires_at": MOMENT,
            "answer": STRING,
            "answered_at": LATER,
        }
    ),
    "Job": record(_JOB),
    "OneJob": record({**_JOB, "waiting": or_null(_WAITING)}),
    "Jobs": page("Job"),
    "Rating": record(
        {
            "band": {
                **one_of(Band.values),
                "description": "With what people say.",
            },
            "score": {"type": "integer", "minimum": 0, "maximum": 100},
            "band_of_policy": one_of(Band.values),
            "policy": {**NUMBER, "description": "The version of the risk policy."},
            "rated_at": MOMENT,
            "is_due": {
                **BOOLEAN,
                "description": "Something has changed: it is rated again in a moment.",
            },
            "contributions": listed(
                record(
                    {
                        "factor": STRING,
                        "title": STRING,
                        "label": STRING,
                        "words": STRING,
                        "points": INTEGER,
                        "weight": {**INTEGER, "description": "Percent."},
                        "amount": {
                            **INTEGER,
                            "description": "What it adds to the score.",
                        },
                        "is_unknown": BOOLEAN,
                    }
                )
            ),
            "overrides": {
                **listed(STRING),
                "description": "Why the band is higher than the score says.",
            },
            "unknown": {**listed(STRING), "description": "Factors without a value."},
            "override": or_null(
                record(
                    {
                        "id": NUMBER,
                        "status": one_of(RatingOverride.Status.values),
                        "was": one_of(Band.values),
                        "band": one_of(Band.values),
                        "reason": STRING,
                        "made_by": WHO,
                        "made_at": MOMENT,
                        "second_by": WHO,
                        "second_at": LATER,
                        "ended_at": LATER,
                    }
                )
            ),
        }
    ),
    "Hold": record(
        {
            "id": NUMBER,
            "reason": STRING,
            "by": WHO,
            "at": MOMENT,
            "until": LATER,
            "lifted_by": WHO,
            "lifted_at": LATER,
            "lifted_reason": STRING,
        }
    ),
    "Document": record(
        {
            "id": UUID,
            "case_id": NUMBER,
            "kind": DOCUMENT_KIND,
            "file_name": STRING,
            "size": INTEGER,
            "sha256": SHA256,
            "status": one_of(Document.Status.values),
            "reason": {**STRING, "description": "Why it cannot be shown."},
            "verdict": {
                **one_of((*results.SEVERITY, "not_checked")),
                "description": "What the checks that read it conclude.",
            },
            "pages": INTEGER,
            "created_at": MOMENT,
        }
    ),
    "Documents": page("Document"),
    "Note": record(
        {
            "id": NUMBER,
            "text": STRING,
            "by": WHO,
            "mentions": listed(STRING),
            "attachments": listed(
                record(
                    {
                        "id": NUMBER,
                        "file_name": STRING,
                        "size": INTEGER,
                        "sha256": SHA256,
                    }
                )
            ),
            "at": MOMENT,
            "edited_at": LATER,
        }
    ),
    "Notes": page("Note"),
    "Message": record(
        {
            "id": NUMBER,
            "kind": one_of(Notification.Kind.values),
            "case_id": NUMBER,
            "reference": STRING,
            "by": WHO,
            "at": MOMENT,
            "read_at": LATER,
        }
    ),
    "Messages": page("Message"),
    "MessagesRead": record({"count": INTEGER}),
    "Invitation": record(
        {
            "id": NUMBER,
            "agent": NUMBER,
            "status": one_of(Invitation.Status.values),
            "reference": STRING,
            "message": STRING,
            "made_by": WHO,
            "made_at": MOMENT,
            "expires_at": MOMENT,
            "submitted_at": LATER,
            "case_id": or_null(NUMBER),
            "link": or_null(STRING),
        }
    ),
    "Invitations": page("Invitation"),
    "Tags": record({"tags": listed(STRING)}),
}
