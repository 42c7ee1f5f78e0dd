"""The check of incorporation documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from checks.base import Check, Examined, Outcome, Verdict
from checks.document_fraud_check.tool import DocumentFraud
from checks.fields.document_types import INCORPORATION
from checks.incorporation_document.consistency import cross_reference
from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from checks.visual_verification.tool import VisualVerification

RESULT = "IncorporationDocumentVerificationResult"
VERIFIED = (
    "business_name",
    "incorporation_date",
    "business_address",
    "business_activity",
    "jurisdiction",
    "business_registration_number",
)


class IncorporationDocumentCheck(Check):
    """Does a document of incorporation show the company that was attested?

    Every document is read, inspected and searched for signs of editing. The rule:

    - no document attested: not applicable;
    - a document with a strong sign of fraud (`HIGH_RISK`): fail;
    - a document that could not be fetched or read: inconclusive, if no other one is valid;
    - a tool that did not pass, or a decisive field that differs from what was attested: review;
    - a valid document with pages that could not be read: review;
    - at least one valid document, and no tool with a complaint: pass.

    A document is valid when its extraction says so and its fraud verification is not `HIGH_RISK`.
    The verified fields come from the first valid document that has them.
    """

    id = "kyb.incorporation_document_verification"
    title = "Incorporation documents"
    documents = "incorporation_documents"
    tools = (
        IncorporationDocumentExtraction(),
        VisualVerification(expected=INCORPORATION, cross_reference=cross_reference),
        DocumentFraud(),
    )

    def conclude(self, examined: Sequence[Examined], attested: Mapping[str, Any]) -> Outcome:
        if not examined:
            return Outcome(
                None,
                "not_applicable",
                "No incorporation document was attested.",
                payload=_payload([], []),
            )
        items = [_item(one) for one in examined]
        valid = [item for item in items if _is_valid(item)]
        invalid = [item for item in items if not _is_valid(item)]
        verdict, explanation = _verdict(examined, items, valid)
        alerts = [
            alert
            for one in examined
            for outcome in one.outcomes.values()
            for alert in outcome.get("alerts") or []
        ]
        alerts += [one.error for one in examined if one.error]
        return Outcome(
            passed=None if verdict == "inconclusive" else verdict == "pass",
            verdict=verdict,
            explanation=explanation,
            payload=_payload(valid, invalid),
            answer=str(_verified(valid, "business_name") or ""),
            alerts=alerts,
        )


def _item(one: Examined) -> dict[str, Any]:
    keys = ("extraction_data", "visual_inspection", "fraud_verification_data")
    payloads = [outcome.get("payload") or {} for outcome in one.outcomes.values()]
    item: dict[str, Any] = {
        key: next((payload[key] for payload in payloads if key in payload), None) for key in keys
    }
    document = {key: value for key, value in one.document.items() if key != "b64_document"}
    return item | {"document": document, "error": one.error or None}


def _is_valid(item: Mapping[str, Any]) -> bool:
    extraction, fraud = item["extraction_data"], item["fraud_verification_data"]
    return (
        not item["error"]
        and bool(extraction and extraction.get("is_valid_document"))
        and not (fraud and fraud.get("verification_result") == "HIGH_RISK")
    )


def _verdict(
    examined: Sequence[Examined],
    items: Sequence[Mapping[str, Any]],
    valid: Sequence[Mapping[str, Any]],
) -> tuple[Verdict, str]:
    risky = [
        item
        for item in items
        if (item["fraud_verification_data"] or {}).get("verification_result") == "HIGH_RISK"
    ]
    if risky:
        return "fail", f"{len(risky)} of {len(items)} documents show strong signs of editing."
    verdicts = [o.get("verdict") for one in examined for o in one.outcomes.values()]
    unread = any(one.error for one in examined) or "inconclusive" in verdicts
    if not valid:
        if unread:
            return "inconclusive", "The documents could not be read to their end."
        return "review", "No attested document is a valid document of incorporation."
    if unread or any(verdict in {"review", "fail"} for verdict in verdicts):
        return (
            "review",
            "A valid document was read, and there is something for a person to look at.",
        )
    if any(item["extraction_data"].get("unread_pages") for item in valid):
        return "review", "A valid document agrees with the data, but some pages could not be read."
    return "pass", f"{len(valid)} of {len(items)} documents are valid and agree with the data."


def _payload(
    valid: Sequence[Mapping[str, Any]], invalid: Sequence[Mapping[str, Any]]
) -> dict[str, Any]:
    verified = {f"verified_{field}": _verified(valid, field) for field in VERIFIED}
    return {
        "type": RESULT,
        "valid_documents": list(valid),
        "invalid_documents": list(invalid),
    } | verified


def _verified(valid: Sequence[Mapping[str, Any]], field: str) -> Any:
    return next((v for item in valid if (v := item["extraction_data"].get(field))), None)
