"""What services send, as small as the tests need it."""

from __future__ import annotations

from typing import Any

EXTRACTION = "kyb.incorporation_document_extraction_tool"
VISUAL = "kyb.visual_verification_v3"
FRAUD = "document_fraud_check"
CHECK = "kyb.incorporation_document_verification"


def box(
    page: int = 1, x0: float = 0.1, y0: float = 0.1, x1: float = 0.4, y1: float = 0.15
) -> Any:
    return {"page": page, "x0": x0, "y0": y0, "x1": x1, "y1": y1}


def comparison(
    label: str = "Incorporation date",
    *,
    attested: Any = "2023-03-28",
    extracted: Any = "2023-03-29",
    state: str = "differs",
    **values: Any,
) -> dict[str, Any]:
    return {
        "field": label.lower().replace(" ", "_"), "label": label, "attested": attested,
        "extracted": extracted, "state": state, "how": "one day apart", "boxes": [box()], **values,
    }  # fmt: skip


def extraction(*comparisons: dict[str, Any], **values: Any) -> dict[str, Any]:
    data = {"comparisons": list(comparisons)} if comparisons else {}
    return {
        "is_valid_document": True,
        "summary": "A certificate.",
        "alerts": None,
        **data,
        **values,
    }


def visual(**sections: Any) -> dict[str, Any]:
    names = (
        "document_analysis_and_classification",
        "seal_verification",
        "signature_verification",
        "document_layout_and_content_verification",
        "authenticity_verification",
        "cross_referencing_and_consistency_check",
    )
    each = {
        name: {"analysis": f"{name} is in order.", "passed": True} for name in names
    }
    return {
        "type": "VisualInspectionResults",
        "inspection_passed": True,
        "summary": "Looked at.",
        "visual_analysis": each | sections,
    }


def indicator(
    type_: str = "RISK", title: str = "Text was covered", **values: Any
) -> dict[str, Any]:
    return {
        "indicator_id": title.lower().replace(" ", "_"), "type": type_, "category": "overlay",
        "title": title, "description": "A white box hides words.", **values,
    }  # fmt: skip


def fraud(*indicators: dict[str, Any], **values: Any) -> dict[str, Any]:
    return {
        "verification_passed": False,
        "verification_result": "HIGH_RISK",
        "verification_data": list(indicators),
        "verification_description": "One strong sign of editing.",
        **values,
    }


def tool_results(
    key: str, part: Any, *, document: Any = None, **values: Any
) -> dict[str, Any]:
    """The `results` object of a tool webhook."""
    payload = {key: part} | ({"document": document} if document else {})
    return {"passed": True, "explanation": "", "payload": payload, **values}
