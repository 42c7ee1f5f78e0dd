"""A case whose extract has an unsure name, as the extraction tools send it."""

from __future__ import annotations

from typing import Any

from reviews.models import Case, Document, Job
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import (
    add_document,
    add_tool_result,
    reviewed_case,
    wire,
)

NAMES = ("Northwind Bakery Ltd", "Northwind Dakery Ltd")


def candidate(value: str, top: float = 0.2) -> dict[str, Any]:
    return {
        "value": value,
        "snippet": f"Name: {value}",
        "boxes": [{"page": 1, "x0": 0.1, "y0": top, "x1": 0.5, "y1": top + 0.03}],
        "how": "labelled as the name",
        "source": "OCR",
        "confidence": 0.8,
    }


def unsure_data(*names: str, **values: Any) -> dict[str, Any]:
    """The member `extraction_data`: the name is unsure, the jurisdiction was read."""
    candidates = []
    for number, name in enumerate(names or NAMES):
        candidates.append(candidate(name, 0.2 + number / 10))
    data = {
        "is_valid_document": False,
        "only_unsure": True,
        "summary": "The name of the company is unsure.",
        "business_name": None,
        "jurisdiction": "Delaware",
        "unsure": ["business_name"],
        "evidence": {
            "business_name": {"value": None, "boxes": [], "candidates": candidates},
            "jurisdiction": candidate("Delaware", 0.6),
        },
        "comparisons": [
            {
                "field": "business_name",
                "label": "Business name",
                "attested": "Northwind Bakery Ltd",
                "extracted": None,
                "state": "cannot_compare",
                "how": "unsure",
                "boxes": [],
            }
        ],
    }
    return data | values


def unsure_case(
    *names: str,
    data: dict[str, Any] | None = None,
    verdict: str = "review",
    **values: Any,
) -> tuple[Case, Document]:
    """A case that waits for a decision. Its only result asks for the name of the company."""
    values.setdefault(
        "self_attested_data", {"registered_business_name": "Northwind Bakery Ltd"}
    )
    case, job = reviewed_case(**values)
    return case, add_unsure_document(job, data or unsure_data(*names), verdict)


def add_unsure_document(
    job: Job, data: dict[str, Any] | None = None, verdict: str = "review"
) -> Document:
    document = add_document(job.case)
    body = payloads.tool_results(
        "extraction_data",
        data or unsure_data(),
        document=wire(document),
        passed=False,
        verdict=verdict,
    )
    add_tool_result(job, payloads.EXTRACTION, body, subject=str(document.pk))
    return document
