"""All JSON schemas of the interface. Bodies are validated by them, and tests validate every
response.
"""

from __future__ import annotations

from collections.abc import Mapping

from compliance.http.api.schemas import (
    BOOLEAN,
    INTEGER,
    STRING,
    UUID,
    Schema,
    listed,
    one_of,
    or_null,
    record,
    ref,
)
from reviews.api.parts.bodies import BODIES, NUMBER
from reviews.api.parts.cases import CASES
from reviews.api.parts.common import LATER, page
from reviews.api.parts.control import CONTROL
from reviews.api.parts.findings import FINDINGS
from reviews.api.parts.parties import PARTIES
from reviews.api.parts.searches import SEARCHES
from reviews.api.parts.subscription_events import SUBSCRIPTION_EVENTS
from reviews.api.parts.versions import POLICIES, PROCEDURES
from reviews.models import Kind, Scope

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
    **CASES,
    **FINDINGS,
    **CONTROL,
}

PARTS: dict[str, Schema] = {
    **ANSWERS,
    **PARTIES,
    **PROCEDURES,
    **POLICIES,
    **SUBSCRIPTION_EVENTS,
    "Parties": page("PartyRow"),
    **BODIES,
    **SEARCHES,
}


def register(schemas: Mapping[str, Schema]) -> None:
    """Add the schemas of endpoints that another package serves below the desk's prefix.

    Raises ValueError if a name is already in use.
    """
    if in_use := PARTS.keys() & schemas.keys():
        raise ValueError(f"Schemas of these names exist: {sorted(in_use)}.")
    PARTS.update(schemas)
