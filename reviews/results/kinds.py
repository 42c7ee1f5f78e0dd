"""What the page shows of a result, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, NamedTuple

Verdict = Literal[
    "pass", "review", "fail", "inconclusive", "not_applicable", "error", "running", "unknown"
]
State = Literal["equal", "close", "differs", "not_attested", "cannot_compare"]
SectionState = Literal["pass", "fail", "unknown", "not_checked"]


class Box(NamedTuple):
    """A rectangle on a page, in fractions of the page as displayed, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


class Segment(NamedTuple):
    """A run of words of one side of a comparison; `changed` where the other side has others."""

    text: str
    changed: bool


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of the page. `ref` is unique within a document and ties the row to its boxes."""

    ref: str
    boxes: Sequence[Box]

    @property
    def page(self) -> int | None:
        return self.boxes[0].page if self.boxes else None

    @property
    def tone(self) -> str:
        return "info"

    @property
    def name(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Comparison(Finding):
    field: str
    label: str
    state: State
    attested: Sequence[Segment]
    extracted: Sequence[Segment]
    how: str

    @property
    def tone(self) -> str:
        return {"equal": "pass", "close": "warn", "differs": "fail", "not_attested": "info"}.get(
            self.state, "na"
        )

    @property
    def name(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Section(Finding):
    key: str
    label: str
    state: SectionState
    analysis: str
    present: bool | None

    @property
    def tone(self) -> str:
        return {"pass": "pass", "fail": "fail"}.get(self.state, "na")

    @property
    def name(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Indicator(Finding):
    indicator_id: str
    type: str  # RISK, INFO, TRUST, or whatever else was sent
    category: str
    title: str
    description: str
    raw: str

    @property
    def tone(self) -> str:
        return {"RISK": "fail", "INFO": "info", "TRUST": "pass"}.get(self.type, "na")

    @property
    def name(self) -> str:
        return self.title


@dataclass(frozen=True, slots=True)
class Extraction:
    is_valid: bool | None
    summary: str
    analysis: str
    alerts: Sequence[str]
    rows: Sequence[Comparison]
    by_desk: bool

    @property
    def counts(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for row in self.rows:
            found[row.state] = found.get(row.state, 0) + 1
        return found


@dataclass(frozen=True, slots=True)
class Visual:
    passed: bool | None
    summary: str
    reasoning: str
    comparison: str
    rows: Sequence[Section]

    @property
    def checked(self) -> int:
        return sum(row.state in {"pass", "fail"} for row in self.rows)

    @property
    def passes(self) -> int:
        return sum(row.state == "pass" for row in self.rows)


@dataclass(frozen=True, slots=True)
class Fraud:
    passed: bool | None
    result: str
    tone: str
    description: str
    rows: Sequence[Indicator]

    @property
    def counts(self) -> list[tuple[str, int]]:
        kinds = dict.fromkeys(["RISK", "INFO", "TRUST", *(row.type for row in self.rows)])
        totals = [(kind, sum(row.type == kind for row in self.rows)) for kind in kinds]
        return [(kind, total) for kind, total in totals if total]


View = Extraction | Visual | Fraud


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a result about one document (or about the case): a section of the page."""

    key: str
    origin: str  # the id of the tool or check that sent it
    from_tool: bool
    document: str  # the Document's id in hex, empty where it is about the case as a whole
    verdict: Verdict
    explanation: str
    answer: str
    alerts: Sequence[str]
    data: Any
    title: str
    template: str
    at: datetime | None = None
    view: View | None = None

    @property
    def findings(self) -> Sequence[Finding]:
        return self.view.rows if self.view else ()


@dataclass(frozen=True, slots=True)
class Check:
    """One check of the job as the list of checks shows it."""

    id: str
    label: str
    group: str
    verdict: Verdict
    explanation: str
    answer: str
    error: str
    alerts: Sequence[str]
    documents: Sequence[str]
    rest: Any = None  # what no part shows, raw
    at: datetime | None = None
    parts: Sequence[Part] = field(default=())
