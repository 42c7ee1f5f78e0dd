"""What goes over the wire, as JSON Schema: bodies are judged by these, and the tests hold every
answer against them."""

from __future__ import annotations

from collections.abc import Mapping

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
from reviews.api.parts.bodies import BODIES, DOCUMENT_KIND, NUMBER
from reviews.api.parts.news import NEWS
from reviews.api.parts.parties import PARTIES
from reviews.api.parts.versions import POLICIES, PROCEDURES
from reviews.models import (
    Band,
    BulkApproval,
    Case,
    CaseEvent,
    CheckResult,
    CheckReview,
    Decision,
    Document,
    Erasure,
    Invitation,
    Job,
    Kind,
    Notification,
    Outcome,
    RatingOverride,
    RiskBand,
    Scope,
    Severity,
    SuspicionReport,
)
from reviews.models import InformationRequest as Request

LATER = or_null(MOMENT)
WHO = {**STRING, "description": "A user's name; empty: the service, or nobody."}
SHA256: Schema = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}


def page(name: str) -> Schema:
    return record(
        {
            "items": listed(ref(name)),
            "next_cursor": or_null(
                {**STRING, "description": "`cursor` of the next page."}
            ),
        }
    )


_OF_RECOMMENDATION: dict[str, Schema] = {
    "recommendation_reasons": {
        **listed(STRING),
        "description": "Why, in the service's words; empty: it says none.",
    },
    "requirements_version": {
        **STRING,
        "description": "Of the requirements by which the service judged; empty: it says none.",
    },
}
_DAY: Schema = {"type": "string", "format": "date"}
_CASE: dict[str, Schema] = {
    "id": NUMBER,
    "reference": STRING,
    "kind": one_of(Kind.values),
    "subject": STRING,
    "country": STRING,
    "status": one_of(Case.Status.values),
    "recommendation": {**STRING, "description": "The agent's words; empty: none yet."},
    **_OF_RECOMMENDATION,
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
        **or_null(_DAY),
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
    **_OF_RECOMMENDATION,
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

_BATCH: dict[str, Schema] = {
    "id": UUID,
    "name": STRING,
    "status": {**STRING, "description": "The service's word."},
    "error": STRING,
    "read_rows": INTEGER,
    "accepted": INTEGER,
    "rejected": INTEGER,
    "jobs_by_status": {"type": "object", "additionalProperties": INTEGER},
    "is_live": {**BOOLEAN, "description": "Rows are read, or jobs run."},
    "url": {**STRING, "description": "The page of the batch."},
}

ANSWERS: dict[str, Schema] = {
    "Problem": record(
        {
            "type": {"const": "about:blank"},
            "title": STRING,
            "status": INTEGER,
            "detail": STRING,
            "code": {
                **STRING,
                "description": "For programs; docs/desk-api.md lists them.",
            },
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
        {
            "id": NUMBER,
            "name": STRING,
            "kind": one_of(Kind.values),
            "connection": STRING,
        }
    ),
    "Agents": page("Agent"),
    "BatchStarted": record({"id": UUID, "url": STRING}),
    "BatchRow": record(_BATCH),
    "Batches": page("BatchRow"),
    "Batch": record(
        {
            **_BATCH,
            "jobs": {
                **listed(ref("BatchJob")),
                "description": "Fifty, and then by the cursor.",
            },
            "rejected_rows": {
                **listed(record({"line": INTEGER, "reason": STRING})),
                "description": "Of the first page: rows that no job was started for.",
            },
            "next_cursor": or_null(STRING),
        }
    ),
    "BatchJob": record(
        {
            "job_id": STRING,
            "reference": STRING,
            "name": STRING,
            "status": STRING,
            "recommendation": STRING,
            "error": STRING,
            "checks": {"type": "object", "additionalProperties": STRING},
            "case_id": {
                "type": ["integer", "null"],
                "description": "null: not at the desk yet.",
            },
        }
    ),
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
    "Result": record(
        {
            "id": NUMBER,
            "source": one_of(("tool", "check")),
            "check_id": STRING,
            "subject": {
                **STRING,
                "description": "What tells it from other results of the same check or tool: the "
                "document, if any, and #, or sha256:, before the SHA-256 of what it says. "
                "Empty while a check runs.",
            },
            "status": STRING,
            "passed": {"type": ["boolean", "null"]},
            "confirmation": {
                **one_of(CheckResult.Confirmation.values),
                "description": "Whether the service says the same when it is asked: confirmed; live "
                "and waiting, not yet; absent, it does not; unavailable, it cannot be known; empty, "
                "kept before results were confirmed. What is not confirmed never counts for a case.",
            },
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
            "is_open": {
                **BOOLEAN,
                "description": "Failed or in doubt, and not reviewed yet.",
            },
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
            "key": {
                **STRING,
                "description": "To dismiss it by; empty: not to be dismissed.",
            },
            "kind": STRING,
            "title": STRING,
            "tone": one_of(("pass", "info", "warn", "fail", "na")),
            "document_id": or_null(UUID),
            "places": {
                **listed(ref("Place")),
                "description": "Where it stands: fractions of the page, origin top left.",
            },
            "dismissal": or_null(ref("Dismissal")),
            "is_confirmed": {
                **BOOLEAN,
                "description": "A person confirmed the hit as a match.",
            },
            "folded_by": {
                **or_null(INTEGER),
                "description": "The version of the thresholds by which the hit asks nobody.",
            },
        }
    ),
    "Place": record(
        {"page": NUMBER}
        | {side: {"type": "number"} for side in ("x0", "y0", "x1", "y1")}
    ),
    "Reviews": record(
        {
            "next": {
                **or_null(_DAY),
                "description": "The day of the next review; null: none is planned.",
            },
            "next_reason": {
                **STRING,
                "description": "band, document, relation, alarm.",
            },
            "review_of": or_null(
                record(
                    {
                        "case_id": NUMBER,
                        "reference": STRING,
                        "on": or_null(_DAY),
                        "reason": STRING,
                        "opened_at": LATER,
                    }
                )
            ),
            "changes": {
                **listed(
                    record(
                        {
                            "on": STRING,
                            "words": STRING,
                            "case_id": {
                                "type": ["integer", "null"],
                                "description": "The case that states it, where you may see it.",
                            },
                        }
                    )
                ),
                "description": "What happened since the approval of that case.",
            },
            "opened": {
                **listed(
                    record({"case_id": NUMBER, "on": or_null(_DAY), "reason": STRING})
                ),
                "description": "The cases that reviews of this one have opened.",
            },
        }
    ),
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
    "ReviewState": record(
        {
            "revision": STRING,
            "job_id": or_null(UUID),
            "is_running": BOOLEAN,
            "agent_reasons": {
                **listed(STRING),
                "description": "Why the agent recommends what it does: where that is not Approve, the "
                "checks that did not pass, the worst first; then its own words.",
            },
            "checks": listed(ref("Check")),
            "findings": listed(ref("Finding")),
            "obstacles": {
                **listed(STRING),
                "description": "Why it cannot be approved now.",
            },
            "why_second": {
                **listed(STRING),
                "description": "Why a second person must agree to approve it; empty: one is enough.",
            },
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
    "Messages": page("Message"),
    "MessagesRead": record({"count": INTEGER}),
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
            "bulk_approval_id": {
                **or_null(NUMBER),
                "description": "The bulk approval that made it; null: it was made by itself.",
            },
            "decision_policy": {
                **or_null(INTEGER),
                "description": "The version of the decision policy that was in force; null: none."
                " With an empty `made_by` it approved the case by itself.",
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
            "noticed_on": _DAY,
            "due_on": _DAY,
            "sentences": listed(record({"text": STRING, "evidence": STRING})),
            "evidence": {
                **listed(record({"key": STRING, "label": STRING, "url": STRING})),
                "description": "What a sentence may rest on, in the answer about one report.",
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
        but=("evidence",),
    ),
    "SuspicionReports": page("SuspicionReport"),
    "PeriodReport": record(
        {
            "first": _DAY,
            "last": _DAY,
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

PARTS: dict[str, Schema] = {
    **ANSWERS,
    **PARTIES,
    **PROCEDURES,
    **POLICIES,
    **NEWS,
    "Parties": page("PartyRow"),
    **BODIES,
}


def register(schemas: Mapping[str, Schema]) -> None:
    """Add the schemas of endpoints that another package serves below the desk's prefix.

    Raises ValueError where a name is in use.
    """
    if in_use := PARTS.keys() & schemas.keys():
        raise ValueError(f"Schemas of these names exist: {sorted(in_use)}.")
    PARTS.update(schemas)
