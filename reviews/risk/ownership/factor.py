"""Reads the factor "ownership": whether listed owners hold the subject of a case.

Parties of other cases are named by their numbers: their names belong to those cases, and are
erased with them.
"""

from __future__ import annotations

from datetime import date

from compliance.languages import english
from ownership import shares
from reviews.access import roles
from reviews.findings.review_state import ReviewState
from reviews.models import Case, CaseRating, Party
from reviews.parties import visibility
from reviews.parties.sanctioned import listed_owners
from reviews.parties.sanctioned.listed_owners import Answer
from reviews.risk.engine.inputs import Value

FACTOR = "ownership"
# Labels by which no business may be done with a customer.
BLOCKED = ("blocked", "controlled")
# Labels that a person has to look at, whatever points the policy gives them.
OF_LISTED = (*BLOCKED, "possible", "suspected")
MOST_NAMED = 5  # owners, and listed parties, that the source names


def value(case: Case, state: ReviewState) -> tuple[Value | None, date | None]:
    """The value of the factor, and the next day on which it may change without an event.

    The value is None for a person, because nobody owns a person.
    """
    head = visibility.subject_of(case)
    if head is None:
        return Value([]), None
    visibility.fill_kinds([head])
    if head.kind == Party.Kind.PERSON:
        return None, None
    # Everybody who sees the case sees its rating, so it must only contain what all of them may know.
    viewers = roles.Audience.of(case.connection_id)
    answer = listed_owners.read(viewers, head, {case.pk: state})
    if not answer.label:
        return Value([]), answer.changes_on
    words = source(answer)
    sources = {answer.label: words} if words else {}
    return Value([answer.label], sources), answer.changes_on


@english()
def source(answer: Answer) -> str:
    """The owners and shares: "party 7: 30 %, party 9: 25 %, together 55 %; listed: party 9"."""
    shares_of_owners = []
    for key, share in answer.owners[:MOST_NAMED]:
        # A number below zero: the unknown owner behind the nominee of this number.
        shares_of_owners.append(f"party {abs(key)}: {shares.words(share)}")
    if len(answer.owners) > 1:
        shares_of_owners.append(f"together {shares.words(answer.together)}")
    listed = [f"party {key}" for key in answer.listed[:MOST_NAMED]]
    more = len(answer.listed) - MOST_NAMED
    if more > 0:
        listed.append(f"{more} more")
    parts = [", ".join(shares_of_owners)]
    if listed:
        parts.append(f"listed: {', '.join(listed)}")
    return "; ".join(filter(None, parts))


def label_of(rating: CaseRating) -> str:
    """The label of the factor in a stored rating; "" if it has none."""
    result = rating.result if isinstance(rating.result, dict) else {}
    rows = result.get("contributions")
    for row in rows if isinstance(rows, list) else []:
        if row["factor"] == FACTOR:
            return str(row["label"])
    return ""
