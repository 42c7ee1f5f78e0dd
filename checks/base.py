"""The interface of a check. No Django here: a check reads evidence and reports.

A `Check` examines one kind of document (or only the attested data) with its tools, the fastest
first. Each tool returns an `Outcome`, which is sent as one tool webhook. The check combines the
outcomes of its tools into one verdict.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal

from checks import provenance
from checks.arguments import OF_DOCUMENTS, Argument
from checks.evidence import Evidence
from checks.wire import JsonObject, Wire
from papers.geometry import Box

__all__ = [
    "EVERY_DOCUMENT",
    "NOT_APPLICABLE",
    "Argument",
    "Box",
    "Change",
    "Check",
    "Evidence",
    "Examined",
    "Indicator",
    "IndicatorType",
    "Outcome",
    "Tool",
    "Verdict",
    "alerts_of",
    "alerts_to_wire",
    "boxes_to_wire",
]

Verdict = Literal["pass", "review", "fail", "inconclusive", "not_applicable"]
IndicatorType = Literal["RISK", "TRUST", "INFO"]
Severity = Literal["high", "medium", "low", "none"]
NOT_APPLICABLE: Verdict = "not_applicable"
# The value of `Check.documents` for a check of documents of every kind.
EVERY_DOCUMENT = "*"


@dataclass(frozen=True, slots=True)
class Change:
    """Words that a page showed before, or hides, and the words that it shows instead."""

    page: int
    before: str
    after: str
    boxes: Sequence[Box] = ()

    def __str__(self) -> str:
        return f"page {self.page}: “{self.before}” → “{self.after}”"


@dataclass(frozen=True, slots=True)
class Indicator:
    """One RISK, TRUST or INFO finding about the authenticity of a document."""

    indicator_id: str
    type: IndicatorType
    category: str
    title: str
    description: str
    boxes: Sequence[Box] = ()
    # The words or bytes that the finding rests on, shown in a monospaced font.
    raw: str = ""
    strong: bool = False
    changes: Sequence[Change] = ()
    # The docstring of its rule: the meaning of the finding, its method, and other explanations.
    documentation: str = ""

    @property
    def severity(self) -> Severity:
        if self.type == "RISK":
            return "high" if self.strong else "medium"
        return "low" if self.type == "INFO" else "none"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a tool or a check. `passed` is None if it could not decide."""

    passed: bool | None
    verdict: Verdict
    explanation: str
    payload: Wire = field(default_factory=dict)
    answer: str = ""
    alerts: Sequence[str] = ()
    # Versions of libraries and tables that the result rests on, besides those that the payload
    # names.
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_wire(self) -> Wire:
        """Return the `results` object of a tool webhook (interface §6), with further members.

        `passed` is for clients that read nothing else (docs/decisions/0020): true if the verdict is
        `pass`; null if the examination does not apply, which is no failure; otherwise false, so
        that nothing inconclusive looks passed. `evidence` is what was examined, `versions` is with
        which versions.
        """
        is_passed = self.verdict == "pass" and self.passed is True
        return {
            "passed": None if self.verdict == NOT_APPLICABLE else is_passed,
            "verdict": self.verdict,
            "answer": self.answer,
            "explanation": self.explanation,
            "alerts": alerts_to_wire(self.alerts),
            "payload": self.payload,
            "evidence": provenance.evidence_of(self.payload),
            "versions": {**provenance.versions_of(self.payload), **self.versions},
        }


def alerts_to_wire(alerts: Sequence[str]) -> dict[str, str] | None:
    """Return the alerts as clients read them: an object of numbered texts, or null if there are
    none.
    """
    return {
        f"alert_{number}": alert for number, alert in enumerate(alerts, start=1)
    } or None


def alerts_of(results: JsonObject) -> list[str]:
    """Return the alerts of a `results` object.

    Older stored results have a list instead of an object.
    """
    alerts = results.get("alerts") or ()
    texts: list[str] = []
    for alert in alerts.values() if isinstance(alerts, Mapping) else alerts:
        texts.append(str(alert))
    return texts


class Tool(ABC):
    """One examination within a check. `payload_key` is the key of its part of the payload."""

    id: ClassVar[str]
    aliases: ClassVar[Sequence[str]] = ()
    payload_key: ClassVar[str]

    @abstractmethod
    def run(self, evidence: Evidence) -> Outcome: ...

    def broken_off(self, ending: str, document: JsonObject) -> Outcome | None:
        """Return the outcome for a document that crashed or stalled its reader; None for no
        outcome.

        `ending` says in words how the examination ended. `document` is the Document object.
        """
        return None


class Check(ABC):
    """A check that an agent can run. The docstring of a subclass is its public documentation."""

    id: ClassVar[str]
    aliases: ClassVar[Sequence[str]] = ()
    title: ClassVar[str]
    # The member of self_attested_data with its documents. EVERY_DOCUMENT: all lists of documents,
    # by `documents_of`. Empty: it needs no document.
    documents: ClassVar[str] = ""
    tools: ClassVar[Sequence[Tool]] = ()
    # It needs requests to the internet. If the installation does not allow these, agents run it
    # only if they name it.
    asks_outside: ClassVar[bool] = False
    # It proposes or summarises, and examines nothing that an approval could rest on. So it runs
    # only if an agent or a request names it.
    on_request: ClassVar[bool] = False
    # What it does, for the status messages of its runs; empty for the default of its kind of check.
    step: ClassVar[str] = ""
    # Its arguments. A check of documents also takes OF_DOCUMENTS.
    arguments: ClassVar[Sequence[Argument]] = ()

    @property
    def doing(self) -> str:
        """What it does, in a few words, for people who follow a run."""
        return self.step or (
            "Reading the documents" if self.documents else "Reading the data"
        )

    @property
    def lacks(self) -> str:
        """What it needs but this installation does not have, in words; empty if nothing is missing.

        If something is missing, agents run the check only if they name it.
        """
        return ""

    def taken(self) -> dict[str, Argument]:
        """Return the arguments that it takes, by name. Others have no effect."""
        of_documents = OF_DOCUMENTS if self.documents else ()
        return {
            argument.name: argument for argument in (*self.arguments, *of_documents)
        }

    def documents_of(self, attested: JsonObject) -> Sequence[JsonObject]:
        """Return the Document objects of the interface that this check examines."""
        if self.documents:
            return attested.get(self.documents) or []
        return []

    def beside(self, document: JsonObject, attested: JsonObject) -> JsonObject | None:
        """Return the Document that its tools examine together with this one, or None."""
        return None

    @abstractmethod
    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        """Combine the outcomes of the tools over all documents of the check."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One document (or none, for a check of data) and its outcomes by tool id.

    `document` is the Document object without its content. `error` is the reason if the document
    could not be examined at all: it could not be fetched, or its examination was stopped.
    """

    document: JsonObject
    outcomes: Mapping[str, JsonObject]
    error: str = ""


def boxes_to_wire(boxes: Sequence[Box]) -> list[Wire]:
    return [asdict(box) for box in boxes]
