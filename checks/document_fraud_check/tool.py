"""The fraud tool, for any document check: its indicators, and the result that they add up to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from checks.base import Indicator, Outcome, Tool, Verdict, boxes_to_wire
from checks.document_fraud_check import content, fonts, metadata, overlays, revisions, safety
from checks.document_fraud_check.rules import Rule
from checks.evidence import Evidence

Result = Literal["TRUSTED", "NORMAL", "WARNING", "HIGH_RISK"]

INDICATORS: tuple[Rule, ...] = (
    safety.malformed,
    safety.encrypted,
    safety.active_content,
    safety.embedded_file,
    revisions.revision_text_changed,
    revisions.revision_text_added,
    revisions.revision_content_identical,
    overlays.text_covered,
    overlays.text_under_image,
    overlays.annotation_overlay,
    fonts.font_outlier,
    fonts.font_rare_unembedded,
    metadata.producer_conflict,
    metadata.editing_tool,
    metadata.writer_rewritten,
    metadata.metadata_missing,
    metadata.modified_long_after_issue,
    metadata.created_before_document_date,
    metadata.future_date,
    content.placeholder_or_sample,
    content.image_only_document,
    content.number_checksum_ok,
    content.number_checksum_bad,
    safety.signature_present,
)
MEANINGS: dict[Result, str] = {
    "HIGH_RISK": "There is a strong sign that the document was edited or is not a real one.",
    "WARNING": "There are weak signs that a person should look at.",
    "TRUSTED": "There is no sign of editing, and a strong sign that the document is genuine.",
    "NORMAL": "There is no strong sign of editing. That does not prove that it is genuine.",
}


class DocumentFraud(Tool):
    """Looks for signs of editing in the file, its earlier versions, its layers and its words.

    HIGH_RISK: at least one strong RISK indicator. WARNING: two weak ones, or a file that could
    not be opened. TRUSTED: no RISK, and a strong TRUST. NORMAL: all else. The verification
    passes unless the result is HIGH_RISK or the file could not be opened.
    """

    id = "document_fraud_check"
    payload_key = "fraud_verification_data"

    def run(self, evidence: Evidence) -> Outcome:
        found = [indicator for rule in INDICATORS if (indicator := rule(evidence))]
        unopened = evidence.problem is not None
        result: Result = "WARNING" if unopened else weigh(found)
        passed = None if unopened else result != "HIGH_RISK"
        risks = [indicator for indicator in found if indicator.type == "RISK"]
        said = evidence.problem.explanation if evidence.problem else MEANINGS[result]
        description = " ".join([said, *(f"{risk.title}." for risk in risks if not unopened)])
        payload = {
            "verification_passed": bool(passed),
            "verification_result": result,
            "verification_data": [_to_wire(indicator) for indicator in found],
            "verification_description": description,
        }
        return Outcome(
            passed=passed,
            verdict=_verdict(result, unopened=unopened),
            explanation=description,
            payload={self.payload_key: payload, "document": evidence.document_reference},
            alerts=[f"{risk.title}: {risk.description}" for risk in risks],
        )


def weigh(found: Sequence[Indicator]) -> Result:
    risks = [indicator for indicator in found if indicator.type == "RISK"]
    if any(risk.strong for risk in risks):
        return "HIGH_RISK"
    if len(risks) >= 2:
        return "WARNING"
    if not risks and any(indicator.type == "TRUST" and indicator.strong for indicator in found):
        return "TRUSTED"
    return "NORMAL"


def _verdict(result: Result, *, unopened: bool) -> Verdict:
    if unopened:
        return "inconclusive"
    return "fail" if result == "HIGH_RISK" else "review" if result == "WARNING" else "pass"


def _to_wire(indicator: Indicator) -> dict[str, Any]:
    return {
        "indicator_id": indicator.indicator_id,
        "type": indicator.type,
        "category": indicator.category,
        "title": indicator.title,
        "description": indicator.description,
        "boxes": boxes_to_wire(indicator.boxes),
        "raw": indicator.raw,
        "strong": indicator.strong,
    }
