"""What the checks of documents have in common: their rule, and what they send."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar

from checks.base import Check, Examined, Outcome, Verdict
from checks.evidence import NOT_READ, Evidence
from checks.extraction import Extraction
from checks.visual_verification.sections import Section

PAYLOADS = ("extraction_data", "visual_inspection", "fraud_verification_data")


class DocumentCheck(Check):
    """Every document is read, inspected and searched for signs of editing. The rule:

    - no document attested: not applicable;
    - a document with a strong sign of fraud (`HIGH_RISK`): fail;
    - a document that could not be fetched or read: inconclusive, if no other one is valid;
    - a tool that did not pass, or a decisive field that differs from what was attested: review;
    - a valid document with pages that could not be read: review;
    - at least one valid document, and no tool with a complaint: pass.

    A document is valid when its extraction says so and its fraud verification is not `HIGH_RISK`.
    The verified fields come from the first valid document that has them.
    """

    # What one document is called in sentences: "No attested document is {noun}."
    noun: ClassVar[str]
    # The kinds of document (checks.fields.document_types) that belong to this check.
    kinds: ClassVar[Collection[str]]
    result_type: ClassVar[str]
    # The members of the extraction that a valid document verifies.
    verified: ClassVar[Sequence[str]]

    def conclude(self, examined: Sequence[Examined], attested: Mapping[str, Any]) -> Outcome:
        if not examined:
            said = f"No document was attested that would be {self.noun}."
            return Outcome(None, "not_applicable", said, payload=self._payload([], []))
        items = [_item(one) for one in examined]
        valid = [item for item in items if _is_valid(item)]
        invalid = [item for item in items if not _is_valid(item)]
        verdict, explanation = self._verdict(examined, items, valid)
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
            payload=self._payload(valid, invalid),
            answer=str(_verified(valid, self.verified[0]) or ""),
            alerts=alerts,
        )

    def _verdict(
        self,
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
            return "review", f"No attested document is, as far as its words tell, {self.noun}."
        if unread or any(verdict in {"review", "fail"} for verdict in verdicts):
            return (
                "review",
                "A valid document was read, and there is something for a person to look at.",
            )
        if any(item["extraction_data"].get("unread_pages") for item in valid):
            return (
                "review",
                "A valid document agrees with the data, but some pages could not be read.",
            )
        return "pass", f"{len(valid)} of {len(items)} documents are valid and agree with the data."

    def _payload(
        self, valid: Sequence[Mapping[str, Any]], invalid: Sequence[Mapping[str, Any]]
    ) -> dict[str, Any]:
        verified = {f"verified_{field}": _verified(valid, field) for field in self.verified}
        return {
            "type": self.result_type,
            "valid_documents": list(valid),
            "invalid_documents": list(invalid),
        } | verified


def _item(one: Examined) -> dict[str, Any]:
    payloads = [outcome.get("payload") or {} for outcome in one.outcomes.values()]
    item: dict[str, Any] = {
        key: next((payload[key] for payload in payloads if key in payload), None)
        for key in PAYLOADS
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


def _verified(valid: Sequence[Mapping[str, Any]], field: str) -> Any:
    return next((v for item in valid if (v := item["extraction_data"].get(field))), None)


def agreement(tool: Extraction) -> Callable[[Evidence], Section]:
    """The section of the visual inspection that compares, from what an extraction compared."""

    def cross_reference(evidence: Evidence) -> Section:
        if evidence.problem or tool.is_blank(evidence):
            return Section(evidence.unread or NOT_READ, None)
        reading = evidence.once(tool.read)
        compared = [c for c in reading.comparisons if c.state in {"equal", "close", "differs"}]
        if not compared:
            return Section("not checked: nothing was attested or read that could be compared", None)
        differing = [c for c in compared if c.state == "differs" and c.field in reading.decisive]
        words = {"equal": "agrees", "close": "is close", "differs": "differs"}
        said = " ".join(f"{c.label} {words[c.state]} ({c.how})." for c in compared)
        boxes = [box for c in differing for box in c.boxes]
        return Section(said, passed=not differing, boxes=boxes)

    return cross_reference
