"""JSON schemas of procedures, the decision and risk policies, and screening quality."""

from __future__ import annotations

from compliance.http.api.schemas import (
    BOOLEAN,
    INTEGER,
    MOMENT,
    STRING,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    ref,
)
from reviews.decisions.automatic.trials import FIGURES
from reviews.decisions.policies.content import BANDS, CLEAN, NEVER, RESTRICTED
from reviews.models import (
    ENDING,
    ChecklistMark,
    DecisionPolicy,
    DecisionTrial,
    Document,
    Kind,
    PolicyTrial,
    Procedure,
    RiskPolicy,
    ScreeningPolicy,
)
from reviews.procedures.content import TYPES
from reviews.results.scripts import SCRIPTS

_MARK: Schema = record(
    {
        "kind": one_of(ChecklistMark.Kind.values),
        "note": STRING,
        "by": STRING,
        "at": MOMENT,
    }
)
_ITEM: dict[str, Schema] = {
    "key": STRING,
    "label": STRING,
    "required": {**BOOLEAN, "description": "It holds the decision while it is open."},
    "help": STRING,
}

PROCEDURES: dict[str, Schema] = {
    "Procedure": record(
        {
            "kind": one_of(Kind.values),
            "number": INTEGER,
            "status": one_of(Procedure.Status.values),
            "note": STRING,
            "made_at": MOMENT,
            "live_at": or_null(MOMENT),
            "fields": listed(
                record(
                    {
                        "key": STRING,
                        "label": STRING,
                        "type": one_of(tuple(TYPES)),
                        "required": BOOLEAN,
                        "help": STRING,
                        "choices": listed(STRING),
                    }
                )
            ),
            "items": listed(record(_ITEM)),
        }
    ),
    "Checklist": record(
        {
            "procedure": or_null(INTEGER),
            "open_items": INTEGER,
            "items": listed(record({**_ITEM, "mark": or_null(_MARK)})),
        }
    ),
    "Procedures": record(
        {"items": listed(ref("Procedure")), "next_cursor": or_null(STRING)}
    ),
}

_RULE: Schema = record(
    {
        "agent": {**or_null(INTEGER), "description": "Null: any agent."},
        "band": {**one_of(("", *BANDS)), "description": "Empty: any risk."},
        "checks": listed(STRING),
        "documents": listed(STRING),
        "checklist": BOOLEAN,
        "senior": listed(one_of([outcome.value for outcome in RESTRICTED])),
        "second": listed(one_of([outcome.value for outcome in ENDING])),
        "automatic": one_of(("", CLEAN, NEVER)),
        "sample": {**INTEGER, "description": "Percent of the decisions."},
    }
)
_TRIAL: Schema = record(
    {
        "status": one_of(DecisionTrial.Status.values),
        "begun_at": MOMENT,
        "ended_at": or_null(MOMENT),
        "cases": INTEGER,
        "counts": record(dict.fromkeys(FIGURES, INTEGER)),
        "not_acknowledged": {
            **INTEGER,
            "description": "Cases that people decided otherwise, and nobody has acknowledged.",
        },
    }
)

_RISK_TRIAL: Schema = record(
    {
        "status": one_of(PolicyTrial.Status.values),
        "begun_at": MOMENT,
        "ended_at": or_null(MOMENT),
        "cases": {**INTEGER, "description": "Cases that are rated by this version."},
        "total": {**INTEGER, "description": "Cases that had a rating when it began."},
        "changed": {**INTEGER, "description": "Cases whose band would change."},
        "unread": {**INTEGER, "description": "Cases whose inputs cannot be read."},
    }
)
_FOLLOWING: Schema = {
    **record(
        {
            "batches": INTEGER,
            "done": INTEGER,
            "changed": {**INTEGER, "description": "Cases with another rating."},
            "stayed": INTEGER,
            "read_again": {
                **INTEGER,
                "description": "Cases whose inputs are read again.",
            },
        }
    ),
    "description": "How far the cases follow it. Null: no batch waits.",
}

NUMBER: Schema = {"type": "number"}
_FIELD: Schema = record(
    {
        "document_kind": one_of(Document.Kind.values),
        "field": STRING,
        "unsure": {**INTEGER, "description": "Documents that offered candidates."},
        "first": {**INTEGER, "description": "The first candidate was chosen."},
        "other": {**INTEGER, "description": "Another candidate was chosen."},
        "none": {**INTEGER, "description": "None of them: the value was typed."},
        "absent": {**INTEGER, "description": "The document states no such value."},
        "given": {**INTEGER, "description": "Documents whose value was given."},
        "corrected": {**INTEGER, "description": "A person corrected the value."},
    }
)
_GROUP: Schema = record(
    {
        "name": STRING,
        "looks": INTEGER,
        "differ": INTEGER,
        "rate": NUMBER,
        "low": {**NUMBER, "description": "Of an interval of 95 percent."},
        "high": NUMBER,
    }
)

_SHARE: Schema = or_null(
    record(
        {
            "rate": NUMBER,
            "low": {**NUMBER, "description": "Of an interval of 95 percent."},
            "high": NUMBER,
        }
    )
)
_QUALITY: Schema = record(
    {
        "name": STRING,
        "hits": INTEGER,
        "ask": {**INTEGER, "description": "Hits that ask a person."},
        "precision": _SHARE,
        "confirmed": INTEGER,
        "recall": _SHARE,
    }
)

POLICIES: dict[str, Schema] = {
    "ScreeningQuality": record(
        {
            "version": {
                **or_null(INTEGER),
                "description": "Of the thresholds; null: none is in force, every hit asks.",
            },
            "status": or_null(one_of(ScreeningPolicy.Status.values)),
            "live_at": or_null(MOMENT),
            "rules": listed(
                record(
                    {
                        "list": {**STRING, "description": "Empty: any list."},
                        "script": {
                            **one_of(("", *SCRIPTS)),
                            "description": "Empty: any.",
                        },
                        "threshold": NUMBER,
                    }
                )
            ),
            "lost": {
                **INTEGER,
                "description": "Confirmed hits that the version asks nobody about.",
            },
            "gone": {
                **INTEGER,
                "description": "Dismissed hits that ask today, and would not by the version.",
            },
            "all": _QUALITY,
            "lists": listed(_QUALITY),
            "scripts": listed(_QUALITY),
            "lists_and_scripts": listed(_QUALITY),
            "bands": listed(_QUALITY),
        }
    ),
    "ErrorRates": record(
        {
            "all": _GROUP,
            "agents": listed(_GROUP),
            "versions": listed(_GROUP),
            "people": listed(_GROUP),
            "fields": {
                **listed(_FIELD),
                "description": "Fields of documents that were unsure, or that people corrected.",
            },
        }
    ),
    "DecisionPolicy": record(
        {
            "number": INTEGER,
            "status": one_of(DecisionPolicy.Status.values),
            "note": STRING,
            "made_by": STRING,
            "made_at": MOMENT,
            "live_at": or_null(MOMENT),
            "sha256": STRING,
            "allows_automatic_approval": {
                **BOOLEAN,
                "description": "Whether it is in force, and automatic approvals are on.",
            },
            "trial": or_null(_TRIAL),
            "rules": listed(_RULE),
        }
    ),
    "DecisionPolicies": record(
        {"items": listed(ref("DecisionPolicy")), "next_cursor": or_null(STRING)}
    ),
    "RiskPolicy": record(
        {
            "number": INTEGER,
            "status": one_of(RiskPolicy.Status.values),
            "note": STRING,
            "made_by": STRING,
            "made_at": MOMENT,
            "live_at": or_null(MOMENT),
            "sha256": STRING,
            "trial": or_null(_RISK_TRIAL),
            "following": or_null(_FOLLOWING),
        }
    ),
    "RiskPolicies": record(
        {"items": listed(ref("RiskPolicy")), "next_cursor": or_null(STRING)}
    ),
}
