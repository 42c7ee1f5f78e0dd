"""The fraud tool, for any document check: its indicators, and the result that they add up to."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any, Literal

from checks.base import Change, Indicator, Outcome, Tool, Verdict, boxes_to_wire
from checks.document_fraud_check import meaning
from checks.document_fraud_check.catalogue import INDICATORS, OF_OTHER_CASES, OF_THE_END
from checks.document_fraud_check.content.fingerprints import (
    Earlier,
    Register,
    fingerprints_from_wire,
    fingerprints_of,
)
from checks.document_fraud_check.rules import Rule, Unchecked
from checks.evidence import MAX_PAGES, Evidence
from papers.geometry import Box

logger = logging.getLogger(__name__)

Result = Literal["TRUSTED", "NORMAL", "WARNING", "HIGH_RISK"]

# HIGH_RISK says what its strong signs say.
MEANINGS: Mapping[Result, str] = {
    "WARNING": "There are weak signs that a person should look at.",
    "TRUSTED": "There is no sign of editing, and a strong sign that the document is genuine.",
    "NORMAL": "There is no strong sign of editing. That does not prove that it is genuine.",
}
CANNOT = (
    "an edit of a file that was then saved again by the program that made it",
    "a forgery that was drawn as a whole, with the metadata of a genuine file",
    "traces in pictures after strong compression",
)
# Weak signs of these are each enough for a person to look: a fact may have been altered, and whether
# it was cannot be told from the file.
FOR_A_PERSON = frozenset(
    {
        "changed_after_signature",
        "hidden_layer_mismatch",
        "revision_text_changed",
        "revision_values_changed",
        "signature_broken",
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
        for rule in INDICATORS:
            result = ask(rule, evidence)
            if isinstance(result, Unchecked):
                unchecked.append(result.why)
            elif result:
                indicators.append(result)
        unopened = evidence.problem.explanation if evidence.problem else ""
        if evidence.file:
            prints = [asdict(fingerprint) for fingerprint in fingerprints_of(evidence)]
        else:
            prints = []
        return _outcome(
            indicators, unchecked, prints, evidence.document_reference, unopened
        )

    def broken_off(self, ending: str, document: Mapping[str, Any]) -> Outcome:
        result = OF_THE_END(ending)
        indicators = [result] if isinstance(result, Indicator) else []
        unchecked = ["everything else: the examination was stopped"]
        description = f"The document could not be examined: {ending}."
        return _outcome(indicators, unchecked, [], dict(document), description)


def with_reuse(results: Mapping[str, Any], register: Register) -> dict[str, Any]:
    """The `results` of this tool with what a register of earlier cases says, weighed anew."""
    payload = results["payload"].get(DocumentFraud.payload_key)
    if not payload:
        return dict(results)
    earlier: Sequence[Earlier] = register.elsewhere(fingerprints_from_wire(payload))
    result = OF_OTHER_CASES(earlier)
    indicators = [_from_wire(item) for item in payload["verification_data"]]
    if isinstance(result, Indicator):
        indicators.append(result)
    unchecked = []
    for item in payload["not_checked"]:
        if item["why"] != NO_REGISTER:
            unchecked.append(item["why"])
    if payload["unopened"]:
        unopened = payload["verification_description"]
    else:
        unopened = ""
    document = results["payload"]["document"]
    # The marks have been asked for; nobody else needs them.
    return _outcome(indicators, unchecked, [], document, unopened).to_wire()


def weigh(indicators: Sequence[Indicator]) -> Result:
    risks = [indicator for indicator in indicators if indicator.type == "RISK"]
    if any(risk.strong for risk in risks):
        return "HIGH_RISK"
    if len(risks) >= 2 or any(risk.indicator_id in FOR_A_PERSON for risk in risks):
        return "WARNING"
    if not risks and any(
        indicator.type == "TRUST" and indicator.strong for indicator in indicators
    ):
        return "TRUSTED"
    return "NORMAL"


def ask(rule: Rule[Evidence], evidence: Evidence) -> Indicator | Unchecked | None:
    """An indicator that breaks on a document must not take the others with it."""
    try:
        return rule(evidence)
    except Exception as exc:  # noqa: BLE001 - documents are hostile, and libraries many
        # The message may quote the document; the class does not.
        logger.error(  # noqa: TRY400
            "indicator %s failed with %s", rule.indicator_id, type(exc).__name__
        )
        return Unchecked(
            f"“{rule.title}”: its examination stopped ({type(exc).__name__})"
        )


def _outcome(
    indicators: Sequence[Indicator],
    unchecked: Sequence[str],
    prints: Sequence[Mapping[str, Any]],
    document: dict[str, Any],
    unopened: str,
) -> Outcome:
    """`unopened` says why the file could not be opened, or is empty."""
    result: Result = "WARNING" if unopened else weigh(indicators)
    passed = None if unopened else result != "HIGH_RISK"
    risks = [indicator for indicator in indicators if indicator.type == "RISK"]
    sentences = [] if unopened else [f"{risk.title}." for risk in risks]
    summary = unopened or meaning.of_document(indicators) or MEANINGS[result]
    description = " ".join([summary, *sentences])
    payload = {
        "verification_passed": bool(passed),
        "verification_result": result,
        "verification_data": [_to_wire(indicator) for indicator in indicators],
        "verification_description": description,
        "not_checked": [{"why": why} for why in dict.fromkeys(unchecked)],
        "cannot_be_found": list(CANNOT),
        "unopened": bool(unopened),
        **({"prints": list(prints)} if prints else {}),
    }
    return Outcome(
        passed=passed,
        verdict=_verdict(result, unopened=bool(unopened)),
        explanation=description,
        payload={DocumentFraud.payload_key: payload, "document": document},
        alerts=[f"{risk.title}: {risk.description}" for risk in risks],
    )


def _verdict(result: Result, *, unopened: bool) -> Verdict:
    if unopened:
        return "inconclusive"
    if result == "HIGH_RISK":
        return "fail"
    return "review" if result == "WARNING" else "pass"


def _to_wire(indicator: Indicator) -> dict[str, Any]:
    return asdict(indicator) | {
        "severity": indicator.severity,
        "boxes": boxes_to_wire(indicator.boxes),
        "changes": [asdict(change) for change in indicator.changes],
    }


def _from_wire(item: Mapping[str, Any]) -> Indicator:
    members = {key: value for key, value in item.items() if key != "severity"}
    members["boxes"] = [Box(**box) for box in item["boxes"]]
    members["changes"] = [
        Change(**(change | {"boxes": [Box(**box) for box in change["boxes"]]}))
        for change in item["changes"]
    ]
    return Indicator(**members)
