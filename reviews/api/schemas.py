"""What goes over the wire, as JSON Schema: bodies are judged by these, and the tests hold every
answer against them."""

from __future__ import annotations

from compliance.openapi import (
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
from reviews.decisions import LONGEST
from reviews.models import (
    Case,
    CaseEvent,
    CheckReview,
    Decision,
    Document,
    Job,
    Kind,
    Outcome,
    Scope,
)
from reviews.models import InformationRequest as Request

NUMBER: Schema = {"type": "integer", "minimum": 1}
LATER = or_null(MOMENT)
WHO = {**STRING, "description": "A user's name; empty: the service, or nobody."}
SHA256: Schema = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
REVISION: Schema = {
    **STRING,
    "maxLength": 40,
    "description": "That of the case as you saw it; where it is another now, 409.",
}
SAYING: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST, "pattern": r"\S"}
PROSE: Schema = {"type": "string", "maxLength": LONGEST}
DOCUMENT_KIND = one_of(Document.Kind.values)


def body(members: dict[str, Schema], *, but: tuple[str, ...] = (), words: str = "") -> Schema:
    """What may be sent: these members and no other."""
    return {**record(members, but=but, words=words), "additionalProperties": False}


def page(name: str) -> Schema:
    return record(
        {
            "items": listed(ref(name)),
            "next_cursor": or_null({**STRING, "description": "`cursor` of the next page."}),
        }
    )


_CASE: dict[str, Schema] = {
    "id": NUMBER,
    "reference": STRING,
    "kind": one_of(Kind.values),
    "subject": STRING,
    "country": STRING,
    "status": one_of(Case.Status.values),
    "recommendation": {**STRING, "description": "The agent's words; empty: none yet."},
    "revision": STRING,
    "connection": STRING,
    "agent": or_null(ref("Agent")),
    "submitted_by": WHO,
    "created_at": MOMENT,
    "updated_at": MOMENT,
    "url": {**STRING, "description": "The page of the case."},
}

ANSWERS: dict[str, Schema] = {
    "Problem": record(
        {
            "type": {"const": "about:blank"},
            "title": STRING,
            "status": INTEGER,
            "detail": STRING,
            "code": {**STRING, "description": "For programs; docs/desk-api.md lists them."},
            "errors": listed(
                record(
                    {"detail": STRING, "pointer": STRING, "parameter": STRING},
                    but=("pointer", "parameter"),
                )
            ),
        },
        but=("errors",),
        words="RFC 9457.",
    ),
    "Me": record(
        {
            "user": STRING,
            "token": STRING,
            "scopes": listed(one_of(Scope.values)),
            "expires_at": LATER,
            "roles": listed(STRING),
        }
    ),
    "Agent": record(
        {"id": NUMBER, "name": STRING, "kind": one_of(Kind.values), "connection": STRING}
    ),
    "Agents": page("Agent"),
    "ReasonCode": record(
        {"code": STRING, "label": STRING, "hint": STRING, "outcome": one_of(Outcome.values)}
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
            "request": or_null(ref("InformationRequest")),
        }
    ),
    "InformationRequest": record(
        {
            "status": one_of(Request.Status.values),
            "message": STRING,
            "kinds": listed(STRING),
            "url": {**STRING, "description": "The applicant's link; empty once it has ended."},
            "made_by": WHO,
            "made_at": MOMENT,
            "expires_at": MOMENT,
            "answer": STRING,
            "answered_at": LATER,
        }
    ),
    "Job": record(
        {
            "id": UUID,
            "case_id": NUMBER,
            "remote_id": STRING,
            "status": one_of(Job.Status.values),
            "recommendation": STRING,
            "error": STRING,
            "agent": or_null(ref("Agent")),
            "created_at": MOMENT,
            "started_at": LATER,
            "ended_at": LATER,
        }
    ),
    "Jobs": page("Job"),
    "Result": record(
        {
            "id": NUMBER,
            "source": one_of(("tool", "check")),
            "check_id": STRING,
            "subject": STRING,
            "status": STRING,
            "passed": {"type": ["boolean", "null"]},
            "received_at": MOMENT,
            "body": {"description": "What the service sent, word for word."},
        }
    ),
    "Results": page("Result"),
    "Check": record(
        {
            "check_id": STRING,
            "label": STRING,
            "verdict": STRING,
            "explanation": STRING,
            "documents": listed(UUID),
            "is_open": {**BOOLEAN, "description": "Failed or in doubt, and nobody settled it."},
            "review": or_null(
                record(
                    {
                        "kind": one_of(CheckReview.Kind.values),
                        "reason": STRING,
                        "by": WHO,
                        "at": MOMENT,
                    }
                )
            ),
        }
    ),
    "Finding": record(
        {
            "key": {**STRING, "description": "To dismiss it by; empty: not to be dismissed."},
            "kind": STRING,
            "title": STRING,
            "tone": one_of(("pass", "info", "warn", "fail", "na")),
            "document_id": or_null(UUID),
            "places": {
                **listed(ref("Place")),
                "description": "Where it stands: fractions of the page, origin top left.",
            },
            "dismissal": or_null(ref("Dismissal")),
        }
    ),
    "Place": record(
        {"page": NUMBER} | {side: {"type": "number"} for side in ("x0", "y0", "x1", "y1")}
    ),
    "Dismissal": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "title": STRING,
            "reason": STRING,
            "by": WHO,
            "at": MOMENT,
            "until": LATER,
            "taken_back_at": LATER,
        }
    ),
    "Situation": record(
        {
            "revision": STRING,
            "job_id": or_null(UUID),
            "is_running": BOOLEAN,
            "checks": listed(ref("Check")),
            "findings": listed(ref("Finding")),
            "obstacles": {**listed(STRING), "description": "Why it cannot be approved now."},
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
                record({"id": NUMBER, "file_name": STRING, "size": INTEGER, "sha256": SHA256})
            ),
            "at": MOMENT,
            "edited_at": LATER,
        }
    ),
    "Notes": page("Note"),
    "Tags": record({"tags": listed(STRING)}),
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
        }
    ),
    "Decisions": page("Decision"),
    "Event": record(
        {
            "id": NUMBER,
            "at": MOMENT,
            "actor": one_of(CaseEvent.Actor.values),
            "by": WHO,
            "what": STRING,
            "data": ANY_OBJECT,
            "seq": {"type": ["integer", "null"], "description": "In the chain; null: not yet."},
            "hash": {"type": ["string", "null"]},
            "line": {**STRING, "description": "What the hash is taken over: docs/audit.md."},
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
            "is_active": BOOLEAN,
            "created_at": MOMENT,
            "secret": {**STRING, "description": "Signs the webhooks. Only in the first answer."},
        },
        but=("secret",),
    ),
    "Subscriptions": page("Subscription"),
}

_SUBSCRIPTION: dict[str, Schema] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 80},
    "url": {"type": "string", "minLength": 1, "maxLength": 500},
}
BODIES: dict[str, Schema] = {
    "CaseDraft": body(
        {
            "agent": {**NUMBER, "description": "Its id, of /agents; it settles the kind."},
            "self_attested_data": {
                **ANY_OBJECT,
                "description": "As in the interface of the service; judged by the rules of the "
                "form, and kept with the members that it does not know.",
            },
            "reference": {"type": "string", "maxLength": 255},
            "submission": {
                **UUID,
                "description": "Names this act: sent again, it gives the same case.",
            },
            "documents": {**listed(ref("NewDocument")), "maxItems": 200},
        },
        but=("reference", "submission", "documents"),
    ),
    "NewDocument": body(
        {
            "kind": DOCUMENT_KIND,
            "file_name": {"type": "string", "minLength": 1, "maxLength": 255},
            "b64_document": {"type": "string", "minLength": 1},
        }
    ),
    "Nothing": body({}),
    "NewNote": body({"text": SAYING}),
    "NewTag": body({"name": {"type": "string", "minLength": 1, "maxLength": 40}}),
    "NewDecision": body(
        {
            "outcome": one_of(Outcome.values),
            "reasons": {
                **listed({"type": "string", "maxLength": 12}),
                "minItems": 1,
                "maxItems": 50,
            },
            "rationale": SAYING,
            "revision": REVISION,
            "message": {
                **PROSE,
                "description": "To the applicant, where information is requested.",
            },
            "kinds": {**listed(DOCUMENT_KIND), "maxItems": 50},
            "days": {"type": "integer", "minimum": 1, "maximum": 90},
        },
        but=("message", "kinds", "days"),
    ),
    "SecondLook": body({"agrees": BOOLEAN, "note": PROSE, "revision": REVISION}, but=("note",)),
    "Reopening": body({"reason": SAYING, "revision": REVISION}),
    "CheckMark": body(
        {
            "check_id": {"type": "string", "minLength": 1, "maxLength": 255},
            "kind": {
                **one_of((*CheckReview.Kind.values, "")),
                "description": "Empty: take back what was said.",
            },
            "reason": PROSE,
        },
        but=("reason",),
    ),
    "NewDismissal": body(
        {
            "key": {"type": "string", "minLength": 1, "maxLength": 64},
            "reason": SAYING,
            "days": {"type": "integer", "minimum": 1, "maximum": 3650},
        },
        but=("days",),
        words="Without `days` it holds until it is taken back.",
    ),
    "NewSubscription": body(
        {**_SUBSCRIPTION, "connection": {"type": "string", "maxLength": 40}}, but=("connection",)
    ),
    "SubscriptionChange": body(
        {**_SUBSCRIPTION, "is_active": BOOLEAN}, but=("name", "url", "is_active")
    ),
}
PARTS: dict[str, Schema] = {**ANSWERS, **BODIES}
