"""What the desk answers about procedures, as JSON Schema."""

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
from reviews.models import ChecklistMark, Kind, Procedure
from reviews.procedures.content import TYPES

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
