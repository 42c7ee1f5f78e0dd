"""The extraction tool for ownership documents."""

from __future__ import annotations

import re
from collections.abc import Sequence

from checks.base import boxes_to_wire
from checks.business_ownership.attested import compare_owners
from checks.business_ownership.owners import (
    TOLERANCE,
    Owner,
    find_owners,
    is_partial,
)
from checks.evidence import Evidence
from checks.extraction.parties import compare_party
from checks.extraction.tool import Extraction, Fact, Reading
from checks.extraction.values import (
    code_of,
    date_of,
    kind_sentence,
    value_of,
    values_of,
)
from checks.fields.extracted import ExtractedValue
from checks.fields.general import issue_date_of, type_of
from checks.fields.names.companies import clean, find_names, is_plausible
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)
from checks.wire import Wire

LIST = "ownership_document"
DOCUMENTS = frozenset(
    {
        LIST,
        "articles_of_incorporation",
        "bylaws",
        "financial_statements",
    }
)
TITLE = Phrase(
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
        owners = find_owners(text, is_list=code_of(kind) == LIST)
        total = round(sum(owner.value.percent for owner in owners), 2)
        name = _business(text)
        day = evidence.once(issue_date_of)
        complaints = _complaints(
            is_of_ownership=code_of(kind) in DOCUMENTS,
            owners=owners,
            total=total,
            partial=is_partial(text),
        )
        notes = []
        for entry in owners:
            notes.append(f"{entry.value.name}: {entry.value.percent:g} %.")
        comparisons = compare_owners(evidence.attested, owners, text)
        if name:
            comparisons = [
                *compare_party(evidence.attested, name, text),
                *comparisons,
            ]
        stated_total = None
        if owners:
            stated_total = total
        return Reading(
            text=text,
            kind=kind_sentence(kind),
            facts={
                "business_name": Fact(value_of(name), name),
                "date": Fact(date_of(day), day),
            },
            comparisons=comparisons,
            complaints=complaints,
            notes=notes,
            data={
                "all_business_names": values_of(name),
                "owners": [_wire(entry, text) for entry in owners],
                "total_percentage": stated_total,
                "document_type": code_of(kind),
            },
        )


def _complaints(
    *,
    is_of_ownership: bool,
    owners: Sequence[ExtractedValue[Owner]],
    total: float,
    partial: bool,
) -> list[str]:
    complaints = []
    if not is_of_ownership:
        complaints.append("It was not recognised as a document of ownership.")
    if not owners:
        return [*complaints, "No owner with a share was found."]
    # A small tolerance, because documents round percentages.
    if total > 100 + TOLERANCE:
        complaints.append(f"The shares add up to {total:g} %, more than 100 %.")
    elif total < 100 - TOLERANCE and not partial:
        complaints.append(f"The shares add up to {total:g} %, not to 100 %.")
    return complaints


def _wire(entry: ExtractedValue[Owner], text: Text) -> Wire:
    owner = entry.value
    return {
        "name": owner.name,
        "percentage": owner.percent,
        "shares": owner.shares,
        "how": entry.how,
        "confidence": round(entry.confidence, 2),
        "boxes": boxes_to_wire(text.boxes(entry.span)),
    }


def _business(text: Text) -> ExtractedValue[str] | None:
    # The title names the business. Names in the rows below are those of owners.
    title = TITLE.search(text.value)
    if title and is_plausible(name := clean(LABEL.sub("", title["name"]))):
        start = title.start("name") + max(title["name"].find(name), 0)
        return ExtractedValue(name, Span.of(start, name), "title of the document", 0.85)
    return next(iter(find_names(text)), None)
