"""The check of the file of every document: whether it can be opened safely, and what it does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from checks.base import (
    EVERY_DOCUMENT,
    Check,
    Evidence,
    Examined,
    Outcome,
    Tool,
    Verdict,
)
from checks.data_check import State, mapping, passed_of, row, worst
from checks.document_fraud_check.file import safety
from checks.document_fraud_check.rules import Finding, Rule
from checks.face_match.check import selfie_of
from checks.identity_document.check import IdentityDocumentCheck
from checks.wire import JsonObject

PAYLOAD_KEY = "document_safety"
# What a file may do or contain: the label of the row, and the indicator that detects it.
WITHIN: tuple[tuple[str, Rule[Evidence]], ...] = (
    ("Encrypted", safety.encrypted),
    ("Actions", safety.active_content),
    ("Files within", safety.embedded_file),
)
STATES: dict[Verdict, State] = {"pass": "pass", "review": "review"}
# The words for what is wrong with documents, after how many they are.
OPENED, UNOPENED, ACTING, UNEXAMINED = (
    "were opened safely",
    "could not be opened safely",
    "carry out actions",
    "could not be examined",
)


class DocumentSafety(Tool):
    """Opens the file in a process of its own, with limits, and says what is in the way.

    What could not be opened (damaged, no document at all, locked, or larger than it looks) is
    inconclusive, with the reason: nothing is then known of the document. A file that opens and
    carries out actions other than the usual ones of forms is left to a person.

    Not done: a search for known malicious software, which needs a scanner with daily signatures.
    """

    id = "document_safety_check"
    payload_key = PAYLOAD_KEY

    def run(self, evidence: Evidence) -> Outcome:
        if evidence.problem:
            return _unopened(evidence.problem.explanation, evidence.document_reference)
        rows = [row("Opened", _size(evidence), "pass")]
        risks = []
        # The indicators of the fraud check are used, but only a RISK needs a review.
        for label, rule in WITHIN:
            finding = rule.find(evidence)
            if not isinstance(finding, Finding):
                continue
            state: State = "info"
            if (finding.type or rule.type) == "RISK":
                state = "review"
                risks.append(finding.description)
            rows.append(row(label, "yes", state, finding.description))
        reference = evidence.document_reference
        if risks:
            return _outcome("review", " ".join(risks), rows, reference)
        return _outcome("pass", "The file was opened safely.", rows, reference)

    def broken_off(self, ending: str, document: JsonObject) -> Outcome:
        # A document whose examination ended early may be safe or not.
        why = f"The document could not be examined: {ending}."
        return _outcome(
            "inconclusive", why, [row("Examined", "no", "fail", why)], document
        )


class DocumentSafetyCheck(Check):
    """Could every document of the case be opened safely? Those of each kind, and pictures of IDs.

    - no document submitted: not applicable;
    - a document that could not be fetched, or not be opened safely: inconclusive, with the reason;
    - a document that carries out actions other than the usual ones of forms: review;
    - otherwise: pass.

    It never fails a subject: a bank locks its statements, and an upload breaks off. A document
    that could not be opened was not examined by any other check either.
    """

    id = "document_safety_check"
    title = "Document safety"
    documents = EVERY_DOCUMENT
    tools = (DocumentSafety(),)

    def documents_of(self, attested: JsonObject) -> Sequence[JsonObject]:
        """Return each document once, though it may be in several lists."""
        pictures = IdentityDocumentCheck().documents_of(attested)
        selfie = selfie_of(attested)
        documents = [*_of_lists(attested), *pictures]
        if selfie:
            documents.append(selfie)
        by_content = {}
        for document in documents:
            key = (document.get("url"), document.get("b64_document"))
            by_content[key] = document
        return list(by_content.values())

    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        if not examined:
            return Outcome(None, "not_applicable", "No document was submitted.")
        outcomes = [_outcome_of(document) for document in examined]
        verdict = worst(outcome["verdict"] for outcome in outcomes)
        rows = []
        for document, outcome in zip(examined, outcomes, strict=True):
            state = STATES.get(outcome["verdict"], "fail")
            rows.append(row(_name(document), "", state, outcome["explanation"]))
        bad = [line for line in rows if line["state"] != "pass"]
        return Outcome(
            passed=passed_of(verdict),
            verdict=verdict,
            explanation=_summary(outcomes),
            # The result of each tool is included, too, so that clients find what the webhooks sent.
            payload={
                PAYLOAD_KEY: {
                    "rows": rows,
                    "documents": [dict(outcome) for outcome in outcomes],
                }
            },
            alerts=[f"{line['label']}: {line['how']}" for line in bad],
        )


def _of_lists(attested: JsonObject) -> Iterator[JsonObject]:
    for name, documents in attested.items():
        if name.endswith("_documents") and isinstance(documents, list):
            for document in documents:
                if isinstance(document, Mapping):
                    yield document


def _size(evidence: Evidence) -> str:
    pages = f"{evidence.page_count} page{'s' * (evidence.page_count != 1)}"
    return f"{evidence.kind.upper()}, {pages}, {len(evidence.file) / 1000:,.0f} kB"


def _unopened(why: str, document: JsonObject) -> Outcome:
    return _outcome("inconclusive", why, [row("Opened", "no", "fail", why)], document)


def _outcome(
    verdict: Verdict,
    explanation: str,
    rows: Sequence[JsonObject],
    document: JsonObject,
) -> Outcome:
    alerts = []
    if verdict != "pass":
        alerts.append(explanation)
    return Outcome(
        passed=passed_of(verdict),
        verdict=verdict,
        explanation=explanation,
        payload={PAYLOAD_KEY: {"rows": list(rows)}, "document": dict(document)},
        alerts=alerts,
    )


def _outcome_of(document: Examined) -> JsonObject:
    """Return the outcome of the tool for a document; if it has none, one with the reason."""
    silent = {
        "verdict": "inconclusive",
        "explanation": document.error or "It was not examined.",
    }
    return document.outcomes.get(DocumentSafety.id) or silent


def _summary(outcomes: Sequence[JsonObject]) -> str:
    """Return a sentence for each trouble with how many documents have it; if none has, one for all."""
    counts = Counter(map(_trouble, outcomes))
    troubles = [words for words in (UNOPENED, ACTING, UNEXAMINED) if counts[words]]
    sentences = []
    for words in troubles or [OPENED]:
        sentences.append(f"{counts[words]} of {len(outcomes)} documents {words}.")
    return " ".join(sentences)


def _trouble(outcome: JsonObject) -> str:
    if outcome["verdict"] == "pass":
        return OPENED
    if outcome["verdict"] == "review":
        return ACTING
    payload = mapping(mapping(outcome.get("payload")).get(PAYLOAD_KEY))
    labels = []
    for line in payload.get("rows") or ():
        labels.append(mapping(line).get("label"))
    return UNOPENED if "Opened" in labels else UNEXAMINED


def _name(document: Examined) -> str:
    payload = mapping(mapping(document.outcomes.get(DocumentSafety.id)).get("payload"))
    name = mapping(payload.get("document")).get("file_name") or document.document.get(
        "file_name"
    )
    return str(name or "Document")
