"""The common part of the document checks: their rule, and what they send."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import filterfalse
from typing import ClassVar

from checks.base import Check, Examined, Outcome, Verdict, alerts_of
from checks.comparisons import COMPARED, DIFFERENT, WORDS
from checks.data_check import passed_of
from checks.document_fraud_check import meaning
from checks.evidence import NOT_READ, Evidence
from checks.extraction.tool import Extraction
from checks.fields.addresses.postal import address_from_wire
from checks.visual_verification.sections import Section
from checks.wire import JsonObject, Wire
from papers.geometry import Box

# How the explanation of a check names the rows that do not agree, by state.
NOT_EQUAL = {
    "altered": "Altered on the document",
    "differs": "Differs from the data",
    "close": "Close to the data, not the same",
    "cannot_compare": "Not compared",
}
PAYLOADS = ("extraction_data", "visual_inspection", "fraud_verification_data")


class DocumentCheck(Check):
    """Every document is read, inspected and searched for signs of editing. The rule:

    - no document attested: not applicable;
    - a document with a strong sign of fraud (`HIGH_RISK`): fail;
    - a document that could not be fetched or read: inconclusive, if no other one is valid;
    - a tool that did not pass, or a field that differs from what was attested: review;
    - a valid document with pages that could not be read: review;
    - a value that was read and cannot be compared with what was attested: inconclusive;
    - at least one valid document, and no tool with a complaint: pass.

    A document is valid when its extraction says so and its fraud verification is not `HIGH_RISK`.
    The verified fields come from the first valid document that has them.
    """

    # The noun for one document in sentences: "No {called} was submitted."
    called: ClassVar[str]
    # The kinds of document (checks.fields.document_types) that belong to this check.
    kinds: ClassVar[Collection[str]]
    result_type: ClassVar[str]
    # The members of the extraction that a valid document verifies.
    verified: ClassVar[Sequence[str]]

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        if not examined:
            sentence = f"No {self.called} was submitted."
            return Outcome(
                None, "not_applicable", sentence, payload=self._payload([], [])
            )
        items = list(map(_item, examined))
        valid = list(filter(_is_valid, items))
        invalid = list(filterfalse(_is_valid, items))
        verdict, explanation = self._verdict(examined, items, valid)
        alerts = []
        for document in examined:
            for outcome in document.outcomes.values():
                alerts.extend(alerts_of(outcome))
        alerts += _errors(examined)
        return Outcome(
            passed=passed_of(verdict),
            verdict=verdict,
            explanation=explanation,
            payload=self._payload(valid, invalid),
            answer=_answer(_verified(valid, self.verified[0])),
            alerts=alerts,
        )

    def _verdict(
        self,
        examined: Sequence[Examined],
        items: Sequence[JsonObject],
        valid: Sequence[JsonObject],
    ) -> tuple[Verdict, str]:
        """The verdict and its explanation.

        From the most to the least serious: fraud, no valid document, findings of tools, unread
        pages, values that cannot be compared.
        """
        forged = [item for item in items if _is_forged(item)]
        if forged:
            return "fail", _of_forged(forged, len(items))
        errors = _errors(examined)
        verdicts = _tool_verdicts(examined)
        is_unread = bool(errors) or "inconclusive" in verdicts
        if not valid and is_unread:
            # Unread documents may have been valid, so this is no finding.
            words = ["The documents could not be read completely.", *errors]
            return "inconclusive", " ".join(dict.fromkeys(words))
        if not valid:
            return "review", self._why_none(items)
        agreement = _agreement(valid, len(items))
        if is_unread or not verdicts.isdisjoint({"review", "fail"}):
            words = [agreement, *_cautions(valid), "A person must look at it."]
            return "review", " ".join(words)
        if any(item["extraction_data"].get("unread_pages") for item in valid):
            return "review", f"{agreement} Some pages could not be read."
        if any(_is_not_comparable(row) for row in _rows(valid)):
            return "inconclusive", agreement
        return "pass", agreement

    def _why_none(self, items: Sequence[JsonObject]) -> str:
        extractions = [
            item["extraction_data"] for item in items if item["extraction_data"]
        ]
        why = dict.fromkeys(str(data.get("analysis") or "") for data in extractions)
        sentences = [f"No valid {self.called} was submitted.", *filter(None, why)]
        return " ".join([*sentences, *_cautions(items), *_unequal(items)])

    def _payload(
        self, valid: Sequence[JsonObject], invalid: Sequence[JsonObject]
    ) -> Wire:
        verified = {
            f"verified_{field}": _verified(valid, field) for field in self.verified
        }
        return {
            "type": self.result_type,
            "valid_documents": list(valid),
            "invalid_documents": list(invalid),
        } | verified


def _errors(examined: Sequence[Examined]) -> list[str]:
    return [document.error for document in examined if document.error]


def _item(examined: Examined) -> Wire:
    """Return one document with the payloads of its tools, as it is sent."""
    item: Wire = dict.fromkeys(PAYLOADS)
    for outcome in examined.outcomes.values():
        payload = outcome.get("payload") or {}
        for key in PAYLOADS:
            if item[key] is None:
                item[key] = payload.get(key)
    document = dict(examined.document)
    document.pop("b64_document", None)
    return item | {"document": document, "error": examined.error or None}


def _is_valid(item: JsonObject) -> bool:
    extraction = item["extraction_data"]
    fraud = item["fraud_verification_data"]
    return (
        not item["error"]
        and bool(extraction and extraction.get("is_valid_document"))
        and not (fraud and fraud.get("verification_result") == "HIGH_RISK")
    )


def _is_forged(item: JsonObject) -> bool:
    verification = item["fraud_verification_data"] or {}
    return bool(verification.get("verification_result") == "HIGH_RISK")


def _of_forged(forged: Sequence[JsonObject], count: int) -> str:
    """Return what the fraud check says of forged documents, of `count` submitted ones."""
    verifications = [item["fraud_verification_data"] for item in forged]
    names = []
    for item in forged:
        names.append(str(item["document"].get("file_name") or ""))
    sentence = meaning.of_documents(verifications, count, names)
    return " ".join([sentence, *_unequal(forged)])


def _tool_verdicts(examined: Sequence[Examined]) -> set[str | None]:
    verdicts = set()
    for document in examined:
        for outcome in document.outcomes.values():
            verdicts.add(outcome.get("verdict"))
    return verdicts


def _cautions(items: Sequence[JsonObject]) -> list[str]:
    """Return what documents say that a person must know: that the company has ended."""
    sentences: list[str] = []
    for item in items:
        extraction = item["extraction_data"] or {}
        sentences += extraction.get("cautions") or []
    return list(dict.fromkeys(sentences))


def _is_not_comparable(row: JsonObject) -> bool:
    """Whether the document states a value, and nobody can say whether it is the attested one."""
    return row["state"] == "cannot_compare" and bool(row["extracted"])


def _agreement(valid: Sequence[JsonObject], count: int) -> str:
    """Return a sentence about the rows of the valid documents.

    It says that all agree only if all do.
    """
    rows = _rows(valid)
    many = len(valid) > 1
    if count == 1:
        head = "The document is valid"
    else:
        head = f"{len(valid)} of {count} documents {'are' if many else 'is'} valid"
    sentence = _unequal(valid)
    if not any(row["state"] in COMPARED for row in rows):
        return f"{head}. Nothing on it could be compared with the data."
    if not sentence:
        return f"{head} and {'agree' if many else 'agrees'} with the data."
    return " ".join([f"{head}.", *sentence])


def _unequal(items: Sequence[JsonObject]) -> list[str]:
    """Return a sentence for each state in which rows of the documents do not agree with
    the data.
    """
    rows = _rows(items)
    sentences: list[str] = []
    for state, words in NOT_EQUAL.items():
        labels = dict.fromkeys(_label(row) for row in rows if row["state"] == state)
        if labels:
            sentences.append(f"{words}: {', '.join(labels)}.")
    return sentences


def _label(row: JsonObject) -> str:
    """Return the label of the field, with the reason if a value that was read could not be
    compared.
    """
    if row["state"] == "cannot_compare" and row["extracted"]:
        return f"{row['label']} ({row['how']})"
    return str(row["label"])


def _rows(items: Sequence[JsonObject]) -> list[JsonObject]:
    rows: list[JsonObject] = []
    for item in items:
        extraction = item["extraction_data"] or {}
        rows += extraction.get("comparisons") or []
    return rows


def _verified(valid: Sequence[JsonObject], field: str) -> object:
    """Return the value of the first valid document that has it.

    An unsure value verifies nothing.
    """
    for item in valid:
        value = item["extraction_data"].get(field)
        if value and field not in (item["extraction_data"].get("unsure") or ()):
            return value
    return None


def _answer(value: object) -> str:
    """The verified value as a line of text: `answer` is a text on the wire."""
    address = address_from_wire(value)
    if address is not None:
        return str(address)
    return str(value or "")


def agreement(tool: Extraction) -> Callable[[Evidence], Section]:
    """Return the section of the visual inspection that reports the comparisons of an extraction."""

    def cross_reference(evidence: Evidence) -> Section:
        if evidence.problem or tool.is_blank(evidence):
            return Section(evidence.unread or NOT_READ, None)
        reading = tool.reading(evidence)
        sentences = []
        boxes: list[Box] = []
        passed = True
        for comparison in reading.comparisons:
            if comparison.state not in COMPARED:
                continue
            words = WORDS[comparison.state]
            sentences.append(f"{comparison.label} {words} ({comparison.how}).")
            if comparison.state in DIFFERENT:
                passed = False
                boxes += comparison.boxes
        if not sentences:
            return Section("not checked: nothing to compare was attested or read", None)
        return Section(" ".join(sentences), passed=passed, boxes=boxes)

    return cross_reference
