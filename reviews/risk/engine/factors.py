"""The factors of a rating, and the labels that each factor may have.

A label describes a fact. The policy gives each label points, and so says whether it is good or
bad.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

UNKNOWN = "unknown"
OTHER = "other"

Group = Literal["customer", "geography", "product", "channel", "findings"]
GROUPS: dict[Group, str] = {
    "customer": "Customer",
    "geography": "Geography",
    "product": "Product",
    "channel": "Channel",
    "findings": "Findings",
}

# The labels of a screening, for the subject and the parties of its case.
_SCREENING = {
    "none": "no hit",
    "cleared": "hits that people cleared",
    "possible": "a possible hit that nobody cleared",
    "strong": "a strong hit that nobody cleared",
    "confirmed": "a match that a person confirmed",
}


@dataclass(frozen=True, slots=True)
class Factor:
    """A factor of the rating.

    `labels` has the words for each label, the least risk first. If `is_open`, a policy may add
    labels of its own, and a value without a label counts as `other`.
    """

    name: str
    group: Group
    title: str
    labels: Mapping[str, str]
    is_open: bool = False

    def words(self, label: str) -> str:
        if label == UNKNOWN:
            return "unknown"
        return self.labels.get(label, label)


FACTORS: dict[str, Factor] = {
    factor.name: factor
    for factor in (
        Factor("pep", "customer", "Political exposure", _SCREENING),
        Factor(
            "structure",
            "customer",
            "Structure",
            {
                "simple": "owned by people who are named",
                "layered": "owned through other companies",
                "opaque": "trust, foundation, nominees or bearer shares",
            },
        ),
        Factor(
            "age",
            "customer",
            "Age of the company",
            {
                "over_3_years": "older than three years",
                "under_3_years": "younger than three years",
                "under_1_year": "younger than one year",
            },
        ),
        Factor(
            "ownership",
            "customer",
            "Listed owners",
            {
                "none": "no owner has a hit on a list of sanctions",
                "minority": "owners with a hit hold less than half",
                "suspected": "owners with a hit that nobody confirmed hold half or more",
                "possible": "listed owners may hold half or more: their shares are not known",
                "controlled": "listed owners control it",
                "blocked": "listed owners hold half or more",
            },
        ),
        Factor(
            "geography",
            "geography",
            "Countries",
            {OTHER: "on no list of the policy"},
            is_open=True,
        ),
        Factor(
            "product",
            "product",
            "Product and line of business",
            {OTHER: "on no list of the policy"},
            is_open=True,
        ),
        Factor(
            "channel",
            "channel",
            "Channel",
            {
                "desk": "submitted by a person at the desk",
                "interface": "sent by another system",
                OTHER: "on no list of the policy",
            },
            is_open=True,
        ),
        Factor("sanctions", "findings", "Sanctions screening", _SCREENING),
        Factor("adverse", "findings", "Adverse lists", _SCREENING),
        Factor(
            "documents",
            "findings",
            "Documents",
            {
                "clean": "examined, without a RISK indicator",
                "unsure": "not all could be examined",
                "risk": "a RISK indicator that nobody dismissed",
                "high_risk": "a document of high risk",
                "forged": "a document that people rejected as forged",
            },
        ),
        Factor(
            "checks",
            "findings",
            "Other checks",
            {
                "passed": "all passed, or people reviewed them",
                "unsure": "one came to no verdict",
                "review": "one asks for a review",
                "failed": "one failed",
            },
        ),
    )
}
