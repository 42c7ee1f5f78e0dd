"""The extraction tool for ownership documents."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from checks.base import boxes_to_wire
from checks.business_ownership.owners import Owner, find_owners, is_partial
from checks.comparisons import Comparison
from checks.evidence import Evidence
from checks.extraction import Extraction, Fact, Reading
from checks.fields.found import Found
from checks.fields.names import clean, compare_names, find_names, folded, is_plausible
from checks.fields.of_document import issue_date_of, type_of
from checks.parties import compare_party
from checks.text import Span, Text, phrase

DOCUMENTS = frozenset(
    {"ownership_document", "articles_of_incorporation", "bylaws", "financial_statements"}
)
TOLERANCE = 0.5
TITLE = phrase(
    r"(?:register of (?:members|shareholders|beneficial owners)|share(?:holders?)? register|stock ledger|cap(?:italization|italisation)? table"
    r"|list of (?:shareholders|members)|schedule of members|shareholding structure|ownership structure|beneficial ownership declaration)"
    r"(?: of| for|:| [-\u2013])? (?P<name>[^\n]{3,90})"
)
LABEL = re.compile(
    r"(?i)^\W*(?:name of (?:the )?)?(?:company|corporation|entity|business)(?: name)?\s*:\s*"
)


class OwnershipExtraction(Extraction):
    """Reads the owners with their shares, the business, and the date.

    An owner is a name on a line with a percentage or, in a table of shares, with a number of
    them, from which the part is counted. Lines of totals are no owners: a stated total is
    compared with the sum.
    """

    id = "kyb.business_ownership_extraction_tool"

    def read(self, evidence: Evidence) -> Reading:
        text = evidence.text
        kind = evidence.once(type_of)
        owners = find_owners(text)
        total = round(sum(owner.value.percent for owner in owners), 2)
        name = _business(text)
        day = evidence.once(issue_date_of)
        said = (
            f"This is {kind.value.name}."
            if kind
            else "The kind of document could not be recognised."
        )
        complaints = _complaints(
            is_asked=bool(kind and kind.value.code in DOCUMENTS),
            owners=owners,
            total=total,
            partial=is_partial(text),
        )
        notes = [f"{found.value.name}: {found.value.percent:g} %." for found in owners]
        return Reading(
            text=text,
            kind=said,
            facts={
                "business_name": Fact(name.value if name else None, name),
                "date": Fact(day.value.isoformat() if day else None, day),
            },
            comparisons=[
                *(compare_party(evidence.attested, name, text) if name else []),
                *_compare_partners(evidence.attested, owners, text),
            ],
            complaints=complaints,
            notes=notes,
            data={
                "all_business_names": [name.value] if name else [],
                "owners": [_wire(found, text) for found in owners],
                "total_percentage": total if owners else None,
                "document_type": kind.value.code if kind else None,
            },
        )


def _complaints(
    *, is_asked: bool, owners: Sequence[Found[Owner]], total: float, partial: bool
) -> list[str]:
    complaints = [] if is_asked else ["It was not recognised as a document of ownership."]
    if not owners:
        return [*complaints, "No owner with a share was found."]
    if total > 100 + TOLERANCE:
        complaints.append(f"The shares add up to {total:g} %, more than 100 %.")
    elif total < 100 - TOLERANCE and not partial:
        complaints.append(f"The shares add up to {total:g} %, not to 100 %.")
    return complaints


def _wire(found: Found[Owner], text: Text) -> dict[str, Any]:
    owner = found.value
    return {
        "name": owner.name,
        "percentage": owner.percent,
        "shares": owner.shares,
        "how": found.how,
        "confidence": round(found.confidence, 2),
        "boxes": boxes_to_wire(text.boxes(found.span)),
    }


def _business(text: Text) -> Found[str] | None:
    title = TITLE.search(text.value)
    if title and is_plausible(name := clean(LABEL.sub("", title["name"]))):
        start = title.start("name") + max(title["name"].find(name), 0)
        return Found(name, Span(start, start + len(name)), "title of the document", 0.85)
    return next(iter(find_names(text)), None)


def _compare_partners(
    attested: Mapping[str, Any], owners: Sequence[Found[Owner]], text: Text
) -> list[Comparison]:
    """Each attested partner must be among the owners, with the part that was attested."""
    given = attested.get("partners")
    if not isinstance(given, list) or not owners:
        return []
    return [compared for one in given if (compared := _partner(one, owners, text))]


def _partner(one: Any, owners: Sequence[Found[Owner]], text: Text) -> Comparison | None:
    known = one if isinstance(one, Mapping) else {"name": one}
    name = str(known.get("name") or known.get("full_name") or "").strip()
    if not name:
        return None
    ranked = [(_likeness(name, found.value.name), found) for found in owners]
    (state, how), best = min(ranked, key=lambda item: item[0][0])
    own = _percent(known)
    written = f"{best.value.name}, {best.value.percent:g} %"
    boxes = text.boxes(best.span)
    if state == 2:
        how = "not among the owners that the document lists"
        return Comparison("partners", f"Partner {name}", name, written, "differs", how, boxes)
    if own is not None and abs(own - best.value.percent) > TOLERANCE:
        how = f"attested with {own:g} %, listed with {best.value.percent:g} %"
        said = f"{name}, {own:g} %"
        return Comparison("partners", f"Partner {name}", said, written, "differs", how, boxes)
    is_same = state == 0
    return Comparison(
        "partners", f"Partner {name}", name, written, "equal" if is_same else "close", how, boxes
    )


def _likeness(own: str, other: str) -> tuple[int, str]:
    if sorted(folded(own).split()) == sorted(folded(other).split()):
        return 0, "same name"
    match = compare_names(own, other)
    return ("equal", "close", "differs").index(match.state), match.how


def _percent(known: Mapping[str, Any]) -> float | None:
    for key in ("percentage", "ownership_percentage", "share", "ownership"):
        try:
            return float(str(known[key]).rstrip("% "))
        except (KeyError, ValueError):
            continue
    return None
