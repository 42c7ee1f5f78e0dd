"""JSON schemas of parties."""

from __future__ import annotations

from compliance.http.api.schemas import (
    ANY_OBJECT,
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
from reviews.api.parts.bodies import NUMBER
from reviews.models import RiskBand
from reviews.models.parties import CaseParty, Party
from reviews.parties import visibility

_DAY = or_null({"type": "string", "format": "date"})
_SHARE: Schema = {
    **or_null(STRING),
    "description": "Percent, from 0 to 100, as a decimal; null: not known.",
}
_SOURCE: Schema = {"type": "string", "description": "attested, analyst or file."}
_PARTY: dict[str, Schema] = {
    "id": NUMBER,
    "kind": one_of(Party.Kind.values),
    "name": {**STRING, "description": "The newest one that a case states."},
}
_STATEMENT = record(
    {
        "label": STRING,
        "value": STRING,
        "issuer": {**STRING, "description": "The country that issued a number."},
        "cases": listed(NUMBER),
        "is_replaced": {**BOOLEAN, "description": "No case states it any more."},
    }
)
PARTIES: dict[str, Schema] = {
    "PartyRow": record(
        {
            **_PARTY,
            "cases": {
                **listed(NUMBER),
                "description": f"The newest, of up to {visibility.MOST_LINKS} mentions.",
            },
        }
    ),
    "Party": record(
        {
            **_PARTY,
            "names": listed(_STATEMENT),
            "identifiers": listed(_STATEMENT),
            "facts": listed(_STATEMENT),
            "cases": listed(
                record(
                    {
                        "case_id": NUMBER,
                        "role": one_of(CaseParty.Role.values),
                        "risk_band": one_of([band.word for band in RiskBand]),
                        "review_on": _DAY,
                    }
                )
            ),
            "risk_band": {
                **one_of([band.word for band in RiskBand]),
                "description": "The greatest of the cases that are about it.",
            },
            "review_on": {**_DAY, "description": "The first of their next reviews."},
            "is_listed": {
                **STRING,
                "description": "no, perhaps or yes: on a sanctions list, by hits that nobody dismissed.",
            },
            "relations": {
                **listed(ref("Relation")),
                "description": "Those that count, of all parties above it, and what it holds itself.",
            },
            "owners": {
                **listed(
                    record(
                        {
                            "party_id": NUMBER,
                            "name": STRING,
                            "share_min": STRING,
                            "share_max": STRING,
                            "reasons": listed(STRING),
                            "is_certain": BOOLEAN,
                        }
                    )
                ),
                "description": "Beneficial owners; of a person none.",
            },
            "is_whole": {
                **BOOLEAN,
                "description": "false: there are more parties than are read.",
            },
        }
    ),
    "LookUp": record(
        {
            "id": NUMBER,
            "case_id": or_null(NUMBER),
            "by": STRING,
            "at": MOMENT,
            "query": ANY_OBJECT,
            "hits": INTEGER,
            "answer": {
                **ANY_OBJECT,
                "description": "As the service gave it: `hits` with list, entry, score, alignment and facts, the "
                "`lists` that were searched, and what could not be compared.",
            },
        }
    ),
    "Relation": record(
        {
            "id": NUMBER,
            "case_id": NUMBER,
            "kind": STRING,
            "holder_id": NUMBER,
            "holder": STRING,
            "held_id": NUMBER,
            "held": STRING,
            "share_min": _SHARE,
            "share_max": _SHARE,
            "votes_min": _SHARE,
            "votes_max": _SHARE,
            "since": _DAY,
            "until": _DAY,
            "detail": STRING,
            "source": _SOURCE,
            "by": STRING,
        }
    ),
}
