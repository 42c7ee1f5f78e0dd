"""The visual inspection tool, for any document check."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial

from checks.base import Outcome, Tool, Verdict
from checks.evidence import Evidence
from checks.visual_verification import marks, sections
from checks.visual_verification.codes import compared_codes
from checks.visual_verification.layout import layout
from checks.visual_verification.page_scan import look
from checks.visual_verification.sections import Section

CrossReference = Callable[[Evidence], Section]


class VisualVerification(Tool):
    """Inspects a document in six sections and says for each what was looked at.

    A section that could not be checked is sent as not passed with `checked` false, and does not
    count. The inspection passes when the kind of document was recognised and every section that
    was checked has passed; where not even the kind could be checked it is inconclusive.
    """

    id = "kyb.visual_verification_v3"
    payload_key = "visual_inspection"

    def __init__(
        self,
        *,
        expected: Collection[str],
        cross_reference: CrossReference,
        classify: Callable[[Evidence], Section] | None = None,
    ) -> None:
        self.cross_reference = cross_reference
        # The kind is read from the words, unless the check recognises its documents in another way.
        self.classify = classify or partial(sections.classification, expected=expected)

    def run(self, evidence: Evidence) -> Outcome:
        inspected = {
            "document_analysis_and_classification": self.classify(evidence),
            "seal_verification": marks.seal(evidence),
            "signature_verification": marks.signature(evidence),
            "document_layout_and_content_verification": layout(evidence),
            "authenticity_verification": sections.authenticity(evidence),
            "cross_referencing_and_consistency_check": self.cross_reference(evidence),
        }
        passed = _passed(inspected)
        summary = _summary(evidence, inspected, passed=passed)
        sentences = []
        alerts = []
        sections_to_wire = {}
        for key, section in inspected.items():
            sentence = f"{_title(key)}: {section.analysis}"
            sentences.append(sentence)
            if section.passed is False:
                alerts.append(sentence)
            sections_to_wire[key] = section.to_wire()
        payload = {
            "type": "VisualInspectionResults",
            "comparison": inspected["cross_referencing_and_consistency_check"].analysis,
            "reasoning": " ".join(sentences),
            "visual_analysis": sections_to_wire,
            "inspection_passed": bool(passed),
            "summary": summary,
            "barcodes": [code.to_wire() for code in evidence.once(compared_codes)],
            "not_checked": evidence.once(look).missed,
        }
        return Outcome(
            passed=passed,
            verdict=_verdict(passed),
            explanation=summary,
            payload={
                self.payload_key: payload,
                "document": evidence.document_reference,
            },
            alerts=alerts,
        )


def _verdict(passed: bool | None) -> Verdict:  # noqa: FBT001 - of one argument
    if passed is None:
        return "inconclusive"
    return "pass" if passed else "review"


def _passed(inspected: dict[str, Section]) -> bool | None:
    # Without the kind of document the other sections say too little.
    if inspected["document_analysis_and_classification"].passed is None:
        return None
    return all(section.passed is not False for section in inspected.values())


def _title(key: str) -> str:
    return key.replace("_", " ").capitalize()


def _summary(
    evidence: Evidence, inspected: dict[str, Section], *, passed: bool | None
) -> str:
    if evidence.problem:
        return evidence.problem.explanation
    failed = []
    checked = 0
    for key, section in inspected.items():
        checked += section.passed is not None
        if section.passed is False:
            failed.append(_title(key).lower())
    summary = f"{checked} of {len(inspected)} sections could be checked"
    if passed is None:
        return f"{summary}; the words of the document could not be read."
    if failed:
        return f"{summary}; not passed: {', '.join(failed)}."
    return f"{summary}, and passed."
