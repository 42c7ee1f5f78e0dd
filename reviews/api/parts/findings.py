"""JSON schemas of check results and findings, and of the marks that people set on them."""

from __future__ import annotations

from compliance.http.api.schemas import (
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
from reviews.api.parts.bodies import NUMBER
from reviews.api.parts.common import DAY, LATER, WHO, page
from reviews.models import CheckResult, CheckReview, HitLabel, ValueChoice

FINDINGS: dict[str, Schema] = {
    "Result": record(
        {
            "id": NUMBER,
            "source": one_of(("tool", "check")),
            "check_id": STRING,
            "subject": {
                **STRING,
                "description": "What tells it from other results of the same check or tool: a "
                "keyed hash of its document and of what it says. Empty while a check runs.",
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
            "hit_key": {
                **STRING,
                "description": "To confirm it as a match by; empty: no hit of a screening.",
            },
            "is_confirmed": {
                **BOOLEAN,
                "description": "A person confirmed the hit as a match.",
            },
            "confirmation": or_null(ref("HitConfirmation")),
            "folded_by": {
                **or_null(INTEGER),
                "description": "The version of the thresholds by which the hit asks nobody.",
            },
            "field_key": {
                **STRING,
                "description": "To choose or correct its value by; empty: no field of a document.",
            },
            "candidates": {
                **listed(ref("Candidate")),
                "description": "What an unsure field may be; empty: it is not unsure.",
            },
            "value_choice": or_null(ref("ValueChoice")),
        }
    ),
    "Place": record(
        {"page": NUMBER}
        | {side: {"type": "number"} for side in ("x0", "y0", "x1", "y1")}
    ),
    "Reviews": record(
        {
            "next": {
                **or_null(DAY),
                "description": "The day of the next review; null: none is planned.",
            },
            "next_reason": {
                **STRING,
                "description": "band, document, relation, ownership, alarm.",
            },
            "review_of": or_null(
                record(
                    {
                        "case_id": NUMBER,
                        "reference": STRING,
                        "on": or_null(DAY),
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
                    record({"case_id": NUMBER, "on": or_null(DAY), "reason": STRING})
                ),
                "description": "The cases that reviews of this one have opened.",
            },
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
    "Candidate": record(
        {
            "candidate": {**NUMBER, "description": "Its number, from 1."},
            "value": STRING,
            "snippet": {**STRING, "description": "The words that it was read from."},
            "how": STRING,
            "confidence": or_null({"type": "number"}),
            "places": listed(ref("Place")),
        }
    ),
    "ValueChoice": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "document_id": or_null(UUID),
            "field": STRING,
            "kind": one_of(ValueChoice.Kind.values),
            "offered": {
                **listed(STRING),
                "description": "The candidates, or the value that had been given.",
            },
            "candidates": {
                **NUMBER,
                "description": "How many were offered; 0: the value had been given.",
            },
            "value": {
                **STRING,
                "description": "Empty, with the kind `absent`: the document states none.",
            },
            "by": WHO,
            "at": MOMENT,
            "ended_at": LATER,
        }
    ),
    "ValueChoices": record({"items": listed(ref("ValueChoice"))}),
    "HitConfirmation": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "title": STRING,
            "list": STRING,
            "list_title": {
                **STRING,
                "description": "Of a hit on several lists, the first: the others were confirmed with it.",
            },
            "source": {
                **one_of(HitLabel.Source.values),
                "description": "Whether the screening of the case showed it, or a look-up.",
            },
            "by": WHO,
            "at": MOMENT,
            "taken_back_at": LATER,
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
}
