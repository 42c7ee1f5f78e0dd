"""What a check is, and what it says. No Django here: a check reads evidence and reports.

A `Check` examines one kind of document (or the attested data alone) with its tools, in order,
fastest first. Each tool gives an `Outcome`, which leaves as one tool webhook; the check sums its
tools' outcomes up in one verdict.
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
# What a check of documents of every kind names in the place of a member.
EVERY_DOCUMENT = "*"


@dataclass(frozen=True, slots=True)
class Change:
    """Words that a page showed before, or hides, and what it shows in their place."""

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
    # Shown in mono type beside the finding: the words or bytes that it rests on.
    raw: str = ""
    strong: bool = False
    changes: Sequence[Change] = ()
    # The docstring of its rule: what the finding means, how it is found, what else explains it.
    documentation: str = ""

    @property
    def severity(self) -> Severity:
        if self.type == "RISK":
            return "high" if self.strong else "medium"
        return "low" if self.type == "INFO" else "none"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a tool or a check says. `passed` is None where it could not tell."""

    passed: bool | None
    verdict: Verdict
    explanation: str
    payload: Wire = field(default_factory=dict)
    answer: str = ""
    alerts: Sequence[str] = ()
    # Of the libraries and tables that it rests on, beside those that the payload names.
    versions: Mapping[str, str] = field(default_factory=dict)

    def to_wire(self) -> Wire:
        """The `results` object of a tool webhook (interface §6), a superset of its members.

        `passed` is for those who know nothing else (docs/decisions/0020): true where the verdict
        is `pass`; null where the examination does not apply, which is no failure; else false, so
        that nothing inconclusive looks passed. `evidence` is what was looked at, `versions` by what.
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
    """As clients read them: an object of numbered texts; null where there is none."""
    return {
        f"alert_{number}": alert for number, alert in enumerate(alerts, start=1)
    } or None


def alerts_of(results: JsonObject) -> list[str]:
    """The alerts of a `results` object. Those that were kept before they were objects are lists."""
    alerts = results.get("alerts") or ()
    texts: list[str] = []
    for alert in alerts.values() if isinstance(alerts, Mapping) else alerts:
        texts.append(str(alert))
    return texts


class Tool(ABC):
    """One examination within a check; `payload_key` names its part of the payload."""

    id: ClassVar[str]
    aliases: ClassVar[Sequence[str]] = ()
    payload_key: ClassVar[str]

    @abstractmethod
    def run(self, evidence: Evidence) -> Outcome: ...

    def broken_off(self, ending: str, document: JsonObject) -> Outcome | None:
        """What it says of a document that crashed or stalled its reader; None: nothing.

        `ending` says in words how the examination ended, `document` which one it is.
        """
        return None


class Check(ABC):
    """What an agent can be asked to do. The docstring of a subclass is its public documentation."""

    id: ClassVar[str]
    aliases: ClassVar[Sequence[str]] = ()
    title: ClassVar[str]
    # The member of self_attested_data that holds its documents; EVERY_DOCUMENT: every list of
    # them, by `documents_of`; empty: needs no document.
    documents: ClassVar[str] = ""
    tools: ClassVar[Sequence[Tool]] = ()
    # It says little unless the installation lets checks look outside: where that is not so, agents
    # run it only if they name it.
    asks_outside: ClassVar[bool] = False
    # It proposes or sums up, and examines nothing that an Approve could rest on: it is run where an
    # agent or a request names it.
    on_request: ClassVar[bool] = False
    # What it does, as the status messages of its runs say it; empty: as its kind of check does.
    step: ClassVar[str] = ""
    # What it can be asked for beside the case; a check of documents takes OF_DOCUMENTS, too.
    arguments: ClassVar[Sequence[Argument]] = ()

    @property
    def doing(self) -> str:
        """What it does, in a few words: for those who follow a run."""
        return self.step or (
            "Reading the documents" if self.documents else "Reading the data"
        )

    @property
    def lacks(self) -> str:
        """What it needs and this installation does not have, in words. Where it lacks something,
        agents run it only if they name it."""
        return ""

    def taken(self) -> dict[str, Argument]:
        """The arguments that reach it, by name: others have no effect."""
        of_documents = OF_DOCUMENTS if self.documents else ()
        return {
            argument.name: argument for argument in (*self.arguments, *of_documents)
        }

    def documents_of(self, attested: JsonObject) -> Sequence[JsonObject]:
        """The wire's Document objects that this check examines."""
        if self.documents:
            return attested.get(self.documents) or []
        return []

    def beside(self, document: JsonObject, attested: JsonObject) -> JsonObject | None:
        """The wire's Document that its tools look at together with this one; None: there is none."""
        return None

    @abstractmethod
    def conclude(self, examined: Sequence[Examined], attested: JsonObject) -> Outcome:
        """Sum up the outcomes of the tools over every document of the check."""


@dataclass(frozen=True, slots=True)
class Examined:
    """One document (or none, for a check of the data alone) and its outcomes by tool id.

    `document` is the wire's Document object without its content; `error` says why the document
    could not be examined at all (it could not be fetched, or its examination was cut off).
    """

    document: JsonObject
    outcomes: Mapping[str, JsonObject]
    error: str = ""


def boxes_to_wire(boxes: Sequence[Box]) -> list[Wire]:
    return [asdict(box) for box in boxes]
