"""The filters of lists, and the bodies of searches.

Search words may be names, so they are sent in a body and never in an address.
"""

from __future__ import annotations

from compliance.http.api.schemas import Schema, one_of
from reviews.api.parts.bodies import body
from reviews.api.parts.common import CURSOR, PAGE_QUERY
from reviews.models import Kind, Party
from reviews.parties import search
from reviews.queue import filters

CASES: dict[str, Schema] = {
    "view": {
        **one_of(filters.VIEWS),
        "default": "all",
        "description": "As in the queue.",
    },
    "kind": one_of(Kind.values),
    "country": {"type": "string", "pattern": "^[A-Za-z]{2}$"},
    "agent": {
        "type": "string",
        "pattern": "^[0-9]{1,9}$",
        "description": "Its id, of /agents.",
    },
    "analyst": {
        "type": "string",
        "maxLength": 150,
        "description": "me, none or a user's name.",
    },
    "recommendation": one_of(filters.RECOMMENDATIONS),
    "band": {**one_of(filters.BANDS), "description": "Of the rating of its risk."},
    "origin": {
        **one_of(filters.ORIGINS),
        "description": "review: opened as a periodic review.",
    },
    "review_in": {
        **one_of(filters.REVIEW_IN),
        "description": "Days until the next review of an approved case, at most.",
    },
    "checklist": {
        **one_of(filters.CHECKLIST),
        "description": "open: items hold the decision; done: none does.",
    },
    "due": one_of(filters.DUE),
    "sort": one_of(filters.SORTS),
    "cursor": CURSOR,
}
PARTIES: dict[str, Schema] = {"kind": one_of(Party.Kind.values), **PAGE_QUERY}
_CASE_WORDS: dict[str, Schema] = {
    "q": {
        "type": "string",
        "maxLength": filters.MAX_SEARCH,
        "description": "A name, a reference, a number, or words of a document.",
    },
    "tag": {"type": "string", "maxLength": 40},
}
_PARTY_WORDS: dict[str, Schema] = {
    "q": {
        "type": "string",
        "maxLength": search.LONGEST,
        "description": "A whole name or number: parts of it are not found.",
    },
}


def _search(members: dict[str, Schema]) -> Schema:
    return body(members, but=tuple(members))


SEARCHES: dict[str, Schema] = {
    "CaseSearch": _search({**_CASE_WORDS, **CASES}),
    "PartySearch": _search({**_PARTY_WORDS, **PARTIES}),
}
