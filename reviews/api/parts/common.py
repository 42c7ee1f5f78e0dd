"""Parts that the schemas of several responses share."""

from __future__ import annotations

from compliance.http.api.schemas import (
    MOMENT,
    STRING,
    Schema,
    listed,
    or_null,
    record,
    ref,
)

LATER = or_null(MOMENT)
WHO = {**STRING, "description": "A user's name; empty: the service, or nobody."}
SHA256: Schema = {"type": "string", "pattern": "^([0-9a-f]{64})?$"}
DAY: Schema = {"type": "string", "format": "date"}
LIMIT, MOST = 50, 200  # rows of a page: default, maximum
CURSOR: Schema = {
    "type": "string",
    "maxLength": 300,
    "description": "`next_cursor` of the page before.",
}
PAGE_QUERY: dict[str, Schema] = {
    "cursor": CURSOR,
    "limit": {"type": "integer", "minimum": 1, "maximum": MOST, "default": LIMIT},
}
OF_RECOMMENDATION: dict[str, Schema] = {
    "recommendation_reasons": {
        **listed(STRING),
        "description": "Why, in the service's words; empty: it says none.",
    },
    "requirements_version": {
        **STRING,
        "description": "Of the requirements by which the service judged; empty: it says none.",
    },
}


def page(name: str) -> Schema:
    return record(
        {
            "items": listed(ref(name)),
            "next_cursor": or_null(
                {**STRING, "description": "`cursor` of the next page."}
            ),
        }
    )
