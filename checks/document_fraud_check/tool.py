"""The fraud tool for all document checks: it runs the indicators and combines them into a
result.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Literal

from checks.base import Change, Indicator, Outcome, Tool, Verdict, boxes_to_wire
from checks.document_fraud_check import meaning, tunables
from checks.document_fraud_check.catalogue import (
    INDICATORS,
    OF_OTHER_CASES,
    OF_THE_END,
    OF_THE_FORM,
)
from checks.document_fraud_check.content.fingerprints import (
    Earlier,
    Fingerprint,
    Register,
    fingerprints_from_wire,
    fingerprints_of,
)
from checks.document_fraud_check.content.forms import FORM, marks_of
from checks.document_fraud_check.rules import Rule, Unchecked
from checks.evidence import MAX_PAGES, Evidence
from checks.wire import JsonObject, Wire
from papers.geometry import Box

logger = logging.getLogger(__name__)

Result = Literal["TRUSTED", "NORMAL", "WARNING", "HIGH_RISK"]

# HIGH_RISK has no sentence here: its strong indicators are quoted instead.
MEANINGS: Mapping[Result, str] = {
    "WARNING": "There are weak signs that a person should look at.",
    "TRUSTED": "There is no sign of editing, and a strong sign that the document is genuine.",
    "NORMAL": "There is no strong sign of editing. That does not prove that it is genuine.",
}
VERDICTS: Mapping[Result, Verdict] = {
    "HIGH_RISK": "fail",
    "WARNING": "review",
    "TRUSTED": "pass",
    "NORMAL": "pass",
}
CANNOT = (
    "an edit of a file that was then saved again by the program that made it",
    "a forgery that was drawn as a whole, with the metadata of a genuine file",
    "traces in pictures after strong compression",
)
# Each of these weak indicators is enough for a manual review: a fact may have been altered, and the
# file does not show whether it was.
FOR_A_PERSON = frozenset(
    {
        "added_between_saves",
        "amounts_inconsistent",
        "changed_after_signature",
        "date_contradicted",
        "duplicated_glyphs",
        "facts_unseen",
        "font_outlier",
        "hidden_layer_mismatch",
        "issuer_page_redrawn",
        "issuer_record_without_text",
        "issuer_signature_removed",
        "letters_of_font_unshown",
        "page_packed_anew",
        "patch_without_grain",
        "revision_text_changed",
        "revision_values_changed",
        "signature_broken",
        "text_covered",
        "text_unlike_page",
        "words_on_patch",
    }
)
NO_REGISTER = "the same document in other cases: no register of earlier cases was asked"


class DocumentFraud(Tool):
    """Looks for signs of editing in the file, its earlier versions, its layers and its words.

    HIGH_RISK: at least one strong RISK indicator. WARNING: two weak ones, one that leaves open
    whether a fact was altered, or a file that could not be opened. TRUSTED: no RISK, and a strong TRUST. NORMAL: all else. The verification
    passes unless the result is HIGH_RISK or the file could not be opened.
    """

    id = "document_fraud_check"
    payload_key = "fraud_verification_data"

    def run(self, evidence: Evidence) -> Outcome:
        indicators: list[Indicator] = []
        unchecked = [NO_REGISTER]
        if evidence.page_count > MAX_PAGES:
            unchecked.append(f"pages behind the first {MAX_PAGES}")
        # An indicator returns a finding, a reason why it could not check, or nothing.
        for rule in INDICATORS:
            result = ask(rule, evidence)
            if isinstance(result, Unchecked):
                unchecked.append(result.why)
            elif result:
                indicators.append(result)
        unopened = _unopened(evidence, indicators)
        # The fingerprints leave with the result. The caller looks them up in other cases with
        # `with_reuse`.
        prints = []
        if evidence.file:
            prints = [*fingerprints_of(evidence), *marks_of(evidence.pages)]
        return _outcome(
            indicators, unchecked, prints, evidence.document_reference, unopened
        )

    def broken_off(self, ending: str, document: JsonObject) -> Outcome:
        indicators = []
        result = OF_THE_END(ending)
        if isinstance(result, Indicator):
            indicators.append(result)
        unchecked = ["everything else: the examination was stopped"]
        description = f"The document could not be examined: {ending}."
        return _outcome(indicators, unchecked, [], dict(document), description)


def with_reuse(results: JsonObject, register: Register) -> Wire:
    """Return the `results` of this tool with the answer of a register of earlier cases, weighed
    again.

    The register is asked outside the process that opened the file, so this works on the payload.
    """
    payload = results["payload"].get(DocumentFraud.payload_key)
    if not payload:
        return dict(results)
    earlier: Sequence[Earlier] = register.elsewhere(fingerprints_from_wire(payload))
    # A case with the same file has the same form, too: it is reported once, as the stronger sign.
    same = [document for document in earlier if document.kinds != (FORM,)]
    of_form = [document for document in earlier if document.kinds == (FORM,)]
    # Restore the indicators from the payload, add those of other cases, and weigh them all again.
    indicators = [_from_wire(item) for item in payload["verification_data"]]
    for result in (OF_OTHER_CASES(same), OF_THE_FORM(of_form)):
        if isinstance(result, Indicator):
            indicators.append(result)
    unchecked = []
    for item in payload["not_checked"]:
        if item["why"] != NO_REGISTER:
            unchecked.append(item["why"])
    unopened = ""
    if payload["unopened"]:
        unopened = payload["verification_description"]
    document = results["payload"]["document"]
    # The fingerprints have been looked up and are not needed any more.
    return _outcome(indicators, unchecked, [], document, unopened).to_wire()


def weigh(indicators: Sequence[Indicator]) -> Result:
    """Return the result of a document, by the rule in the docstring of `DocumentFraud`."""
    risks = _risks(indicators)
    if any(risk.strong for risk in risks):
        return "HIGH_RISK"
    if len(risks) >= tunables.WEAK_SIGNS:
        return "WARNING"
    if any(risk.indicator_id in FOR_A_PERSON for risk in risks):
        return "WARNING"
    # A single weak sign is shown, but changes nothing.
    if risks:
        return "NORMAL"
    for indicator in indicators:
        if indicator.type == "TRUST" and indicator.strong:
            return "TRUSTED"
    return "NORMAL"


def _risks(indicators: Sequence[Indicator]) -> list[Indicator]:
    return [indicator for indicator in indicators if indicator.type == "RISK"]


def ask(rule: Rule[Evidence], evidence: Evidence) -> Indicator | Unchecked | None:
    """Run an indicator. If it fails on a document, the others still run."""
    try:
        return rule(evidence)
    except Exception as exc:  # noqa: BLE001 - documents are hostile, and libraries many
        # The message may quote the document; the class does not.
        logger.error(  # noqa: TRY400
            "indicator %s failed with %s", rule.indicator_id, type(exc).__name__
        )
        reason = f"its examination stopped ({type(exc).__name__})"
        return Unchecked(f"“{rule.title}”: {reason}")


def _alert(risk: Indicator) -> str:
    # Some findings say no more than the name of their indicator.
    if risk.description == f"{risk.title}.":
        return risk.description
    return f"{risk.title}: {risk.description}"


def _unopened(evidence: Evidence, indicators: Sequence[Indicator]) -> str:
    """Return why there was nothing to examine, or ""."""
    if evidence.problem:
        return evidence.problem.explanation
    # A file whose content was taken away has signs of that.
    if _risks(indicators) or not all(page.is_blank for page in evidence.pages):
        return ""
    return "There is nothing on any page of the document."


def _outcome(
    indicators: Sequence[Indicator],
    unchecked: Sequence[str],
    prints: Sequence[Fingerprint],
    document: JsonObject,
    unopened: str,
) -> Outcome:
    """Combine indicators into an outcome.

    `unopened` is the reason why nothing could be examined, or "".
    """
    risks = _risks(indicators)
    passed: bool | None
    if unopened:
        passed = None
        result: Result = "WARNING"
        verdict: Verdict = "inconclusive"
        description = unopened
    else:
        result = weigh(indicators)
        passed = result != "HIGH_RISK"
        verdict = VERDICTS[result]
        summary = meaning.of_document(indicators) or MEANINGS[result]
        description = " ".join([summary, *(f"{risk.title}." for risk in risks)])
    payload = {
        "verification_passed": bool(passed),
        "verification_result": result,
        "verification_data": list(map(_to_wire, indicators)),
        "verification_description": description,
        "not_checked": [{"why": why} for why in dict.fromkeys(unchecked)],
        "cannot_be_found": list(CANNOT),
        "unopened": bool(unopened),
    }
    if prints:
        payload["prints"] = list(map(asdict, prints))
    return Outcome(
        passed=passed,
        verdict=verdict,
        explanation=description,
        payload={DocumentFraud.payload_key: payload, "document": document},
        alerts=[_alert(risk) for risk in risks],
    )


def _to_wire(indicator: Indicator) -> dict[str, object]:
    return asdict(indicator) | {
        "severity": indicator.severity,
        "boxes": boxes_to_wire(indicator.boxes),
        "changes": list(map(asdict, indicator.changes)),
    }


def _from_wire(item: JsonObject) -> Indicator:
    members = dict(item)
    # The severity follows from the type and the strength.
    members.pop("severity", None)
    members["boxes"] = _boxes_from_wire(item)
    members["changes"] = []
    for change in item["changes"]:
        boxes = _boxes_from_wire(change)
        members["changes"].append(Change(**(change | {"boxes": boxes})))
    return Indicator(**members)


def _boxes_from_wire(item: JsonObject) -> list[Box]:
    return [Box(**box) for box in item["boxes"]]
