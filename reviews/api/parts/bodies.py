"""JSON schemas of request bodies. A body may have only the members listed here."""

from __future__ import annotations

from django.conf import settings

from compliance.http import references
from compliance.http.api.schemas import (
    ANY_OBJECT,
    BOOLEAN,
    STRING,
    UUID,
    Schema,
    listed,
    one_of,
    record,
    ref,
)
from reviews.decisions.decisions import LONGEST
from reviews.filings.fincen import codes, facts
from reviews.models import (
    Band,
    ChecklistMark,
    CheckReview,
    Document,
    Kind,
    Outcome,
    Party,
    PartyRelation,
    SubscriptionEvent,
)
from reviews.models.parties import Source

# The id of a row. A greater number is none that a database can compare with an id.
NUMBER: Schema = {"type": "integer", "minimum": 1, "maximum": 2**63 - 1}
REVISION: Schema = {
    **STRING,
    "maxLength": 40,
    "description": "That of the case as you saw it; where it is another now, 409.",
}
SAYING: Schema = {
    "type": "string",
    "minLength": 1,
    "maxLength": LONGEST,
    "pattern": r"\S",
}
PROSE: Schema = {"type": "string", "maxLength": LONGEST}
DOCUMENT_KIND = one_of(Document.Kind.values)
LANGUAGE: Schema = {
    **one_of([code for code, _name in settings.LANGUAGES]),
    "description": "Of the e-mails to the applicant; without it English.",
}


_EVIDENCE: Schema = {"type": "string", "maxLength": 300}
_DOLLARS: Schema = {
    "type": "string",
    "maxLength": 15,
    "description": "Whole US dollars; empty: not entered.",
}
_DAY_OR_NONE: Schema = {
    "type": "string",
    "maxLength": 10,
    "description": "YYYY-MM-DD; empty: not entered.",
}
_WORDS: Schema = {"type": "string", "maxLength": 50}
# The facts for FinCEN's form. An empty value means that it was not entered.
FINCEN: dict[str, Schema] = {
    "kind": one_of(("", *facts.KINDS)),
    "prior_number": {
        "type": "string",
        "maxLength": 14,
        "description": "Of the earlier report: 14 digits, 14 zeros where it is unknown.",
    },
    "activities": {
        "type": "array",
        "items": {"type": "integer", "enum": sorted(codes.ACTIVITIES)},
        "maxItems": 99,
        "description": "FinCEN's codes of the subtypes of suspicious activity.",
    },
    "other_activities": {
        "type": "object",
        "maxProperties": 20,
        "additionalProperties": _WORDS,
        "description": "What other means, by the code of the type of suspicious activity.",
    },
    "activity_evidence": _EVIDENCE,
    "first_day": _DAY_OR_NONE,
    "last_day": _DAY_OR_NONE,
    "amount": one_of(("", *facts.AMOUNTS)),
    "dollars": _DOLLARS,
    "cumulative_dollars": _DOLLARS,
    "amount_evidence": _EVIDENCE,
    "relationship": one_of(("", *codes.RELATIONSHIPS)),
    "other_relationship": _WORDS,
    "role": one_of(("", *codes.ROLES)),
    "relationship_evidence": _EVIDENCE,
}


def body(
    members: dict[str, Schema], *, but: tuple[str, ...] = (), words: str = ""
) -> Schema:
    return {**record(members, but=but, words=words), "additionalProperties": False}


_SUBSCRIPTION: dict[str, Schema] = {
    "name": {"type": "string", "minLength": 1, "maxLength": 80},
    "url": {"type": "string", "minLength": 1, "maxLength": 500},
    "events": {
        "type": "array",
        "items": one_of(SubscriptionEvent.values),
        "minItems": 1,
        "maxItems": 20,
        "description": "Without it: decisions and their reopening.",
    },
}
CUSTOM_FIELDS: Schema = {
    "type": "object",
    "maxProperties": 40,
    "additionalProperties": {"type": ["string", "number", "boolean", "null"]},
    "description": "By the keys of the fields of /procedures: texts, numbers, days such as 2026-03-28, one of the "
    "values of a choice, true or false.",
}
_SHARE: Schema = {"type": "string", "maxLength": 60}
_DAY: Schema = {"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"}
BODIES: dict[str, Schema] = {
    "CaseDraft": body(
        {
            "agent": {
                **NUMBER,
                "description": "Its id, of /agents; it settles the kind.",
            },
            "self_attested_data": {
                **ANY_OBJECT,
                "description": "As in the interface of the service; judged by the rules of the "
                "form, and kept with the members that it does not know.",
            },
            "reference": {
                **STRING,
                "maxLength": references.LONGEST,
                "description": references.REFUSAL,
            },
            "submission": {
                **UUID,
                "description": "Names this act: sent again, it gives the same case.",
            },
            "documents": {**listed(ref("NewDocument")), "maxItems": 200},
            "custom_fields": CUSTOM_FIELDS,
        },
        but=("reference", "submission", "documents", "custom_fields"),
    ),
    "ChecklistMark": body(
        {
            "item": {**STRING, "maxLength": 60, "description": "Its key."},
            "kind": {
                **one_of(("", *ChecklistMark.Kind.values)),
                "description": "Empty: takes the mark back.",
            },
            "note": {
                "type": "string",
                "maxLength": 2_000,
                "description": "Why an item is not needed: wanted where it is explained.",
            },
        },
        but=("note",),
    ),
    "CustomFields": body(
        {"custom_fields": CUSTOM_FIELDS, "revision": REVISION},
        but=("revision",),
        words="All values of the case: one that is left out is emptied.",
    ),
    "NewDocument": body(
        {
            "kind": DOCUMENT_KIND,
            "file_name": {"type": "string", "minLength": 1, "maxLength": 255},
            "b64_document": {"type": "string", "minLength": 1},
        }
    ),
    "Nothing": body({}),
    "Reason": body({"reason": SAYING}),
    "NewHold": body(
        {"reason": {**SAYING, "description": "Why the case must be kept; no name."}}
    ),
    "NewBatch": body(
        {
            "file_name": {"type": "string", "minLength": 1, "maxLength": 255},
            "csv": {
                "type": "string",
                "minLength": 1,
                "description": "The file itself, one case a row; its columns are named as in the "
                "interface of the service.",
            },
            "batch_id": {
                **UUID,
                "description": "Names this act: sent again, it starts no other batch.",
            },
        },
        but=("batch_id",),
    ),
    "Claim": body(
        {
            "kind": one_of(Kind.values),
            "agent": NUMBER,
            "country": {**STRING, "maxLength": 2},
        },
        but=("kind", "agent", "country"),
        words="Which cases to choose among; of all that wait, where nothing is said.",
    ),
    "Assignment": body(
        {
            "to": {
                "type": ["string", "null"],
                "minLength": 1,
                "maxLength": 150,
                "description": "A user's name; null: nobody.",
            }
        }
    ),
    "Snoozing": body(
        {
            "until": {
                "type": ["string", "null"],
                "format": "date-time",
                "description": "With its zone, within 90 days from now; null takes it up again.",
            }
        }
    ),
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
            "email": {
                "type": "string",
                "maxLength": 254,
                "description": "Where the link is sent, where information is requested.",
            },
            "remind_days": {
                "type": "integer",
                "minimum": 0,
                "maximum": 89,
                "description": "Days before the link ends that a reminder is sent; 0: none.",
            },
            "language": LANGUAGE,
            "second": {
                "type": "string",
                "maxLength": 150,
                "description": "The user name of the second person who is asked, where one must agree; without it all who may are.",
            },
        },
        but=(
            "message",
            "kinds",
            "days",
            "email",
            "remind_days",
            "language",
            "second",
        ),
    ),
    "NewBulkApproval": body(
        {
            "cases": {
                **listed(NUMBER),
                "minItems": 1,
                "maxItems": 100,
                "description": "Their ids. Those that do not fit are left out, with the reasons.",
            }
        }
    ),
    "BulkConfirmation": body(
        {
            "reasons": {
                **listed({"type": "string", "maxLength": 12}),
                "minItems": 1,
                "maxItems": 50,
                "description": "Codes of /reason-codes, for each of the cases.",
            }
        }
    ),
    "NewSuspicionReport": body({"noticed_on": _DAY}),
    "SuspicionSentences": body(
        {
            "sentences": {
                **listed(
                    body(
                        {
                            "text": {
                                "type": "string",
                                "minLength": 1,
                                "maxLength": 1000,
                            },
                            "evidence": {"type": "string", "maxLength": 300},
                        }
                    )
                ),
                "maxItems": 60,
            },
            "fincen": body(
                FINCEN, but=tuple(FINCEN), words="Without it all of it stays as it is."
            ),
            "revision": REVISION,
        },
        but=("fincen",),
    ),
    "SuspicionAct": body(
        {
            "act": one_of(("propose", "agree", "return", "file", "withdraw")),
            "note": {"type": "string", "maxLength": 2000},
            "receipt": {"type": "string", "maxLength": 100},
            "revision": REVISION,
        },
        but=("note", "receipt"),
    ),
    "NewInvitation": body(
        {
            "agent": {
                **NUMBER,
                "description": "Its id, of /agents; it says which form the applicant gets.",
            },
            "reference": {
                "type": "string",
                "maxLength": 255,
                "description": "Of the case; without it one is made.",
            },
            "message": {
                "type": "string",
                "maxLength": 2000,
                "description": "Shown to the applicant, above the form.",
            },
            "days": {"type": "integer", "minimum": 1, "maximum": 90},
            "email": {
                "type": "string",
                "maxLength": 254,
                "description": "Where the link is sent; without it you give it on yourself.",
            },
            "language": LANGUAGE,
        },
        but=("reference", "message", "days", "email", "language"),
    ),
    "ReadMessages": body(
        {
            "ids": {
                **listed(NUMBER),
                "maxItems": 500,
                "description": "Without it all messages are marked.",
            }
        },
        but=("ids",),
    ),
    "SecondLook": body(
        {"agrees": BOOLEAN, "note": PROSE, "revision": REVISION}, but=("note",)
    ),
    "Reopening": body({"reason": SAYING, "revision": REVISION}),
    "CheckMark": body(
        {
            "check_id": {"type": "string", "minLength": 1, "maxLength": 255},
            "kind": {
                **one_of((*CheckReview.Kind.values, "")),
                "description": "Empty: the mark is removed.",
            },
            "reason": PROSE,
        },
        but=("reason",),
    ),
    "NewLookUp": body(
        {
            "name": {"type": "string", "minLength": 1, "maxLength": 200},
            "date_of_birth": {**_DAY, "description": "YYYY-MM-DD."},
            "lists": {
                "type": "array",
                "items": {"type": "string", "maxLength": 60},
                "maxItems": 50,
                "description": "Slugs of lists; without it all.",
            },
            "case_id": {
                **NUMBER,
                "description": "The case that it is for: kept and erased with it.",
            },
        },
        but=("date_of_birth", "lists", "case_id"),
    ),
    "NewRelation": body(
        {
            "case_id": {**NUMBER, "description": "One of the cases of the party."},
            "kind": one_of(PartyRelation.Kind.values),
            "holder_id": NUMBER,
            "name": {"type": "string", "maxLength": 400},
            "holder_kind": one_of(Party.Kind.values),
            "share": {**_SHARE, "description": "As people write it: 60, 25-50 %."},
            "votes": _SHARE,
            "since": _DAY,
            "until": _DAY,
            "detail": {"type": "string", "maxLength": 400},
            "source": one_of((Source.ANALYST.value, Source.FILE.value)),
        },
        but=(
            "holder_id",
            "name",
            "holder_kind",
            "share",
            "votes",
            "since",
            "until",
            "detail",
            "source",
        ),
    ),
    "NewRating": body({"band": one_of(Band.values), "reason": SAYING}),
    "NewDismissal": body(
        {
            "key": {"type": "string", "minLength": 1, "maxLength": 64},
            "reason": SAYING,
            "days": {"type": "integer", "minimum": 1, "maximum": 3650},
        },
        but=("days",),
        words="Without `days` it holds until it is taken back.",
    ),
    "NewValueChoice": body(
        {
            "field_key": {"type": "string", "minLength": 1, "maxLength": 64},
            "candidate": {"type": "integer", "minimum": 0, "maximum": 9},
            "value": {"type": "string", "minLength": 1, "maxLength": 1000},
        },
        but=("candidate", "value"),
        words="`candidate` is the number of a candidate; 0: the document states no such value. "
        "Without it, `value` is what the document states.",
    ),
    "NewHitConfirmation": body(
        {"key": {"type": "string", "minLength": 1, "maxLength": 64}},
        words="`key` is `hit_key` of a finding.",
    ),
    "NewSubscription": body(
        {**_SUBSCRIPTION, "connection": {"type": "string", "maxLength": 40}},
        but=("connection", "events"),
    ),
    "SubscriptionChange": body(
        {**_SUBSCRIPTION, "is_active": BOOLEAN},
        but=("name", "url", "events", "is_active"),
    ),
}
