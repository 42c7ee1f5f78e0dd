"""What the page shows of a result, as frozen dataclasses."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, NamedTuple

Verdict = Literal[
    "pass", "review", "fail", "inconclusive", "not_applicable", "error", "running", "unknown"
]
State = Literal["equal", "close", "differs", "altered", "not_attested", "cannot_compare"]
# The word for each state of checks, comparisons, sections and indicators, wherever it is shown.
STATE_WORDS = {
    "pass": "passed",
    "review": "to review",
    "fail": "failed",
    "inconclusive": "inconclusive",
    "not_applicable": "not applicable",
    "error": "could not run",
    "running": "running",
    "unknown": "no verdict",
    "not_checked": "not checked",
    "equal": "equal",
    "close": "close",
    "differs": "differs",
    "altered": "altered",
    "not_attested": "not attested",
    "cannot_compare": "not compared",
    "RISK": "risk",
    "INFO": "info",
    "TRUST": "trust",
}
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

    @property
    def is_against(self) -> bool:
        """Whether a check that is in doubt is so because of this."""
        return self.tone == "fail"


@dataclass(frozen=True, slots=True)
class Comparison(Finding):
    field: str
    label: str
    state: State
    attested: Sequence[Segment]
    extracted: Sequence[Segment]
    how: str
    read_by: str = ""
    edit: str = ""  # of an altered value: the ref of the edit at its place

    @property
    def tone(self) -> str:
        return {
            "equal": "pass",
            "close": "warn",
            "differs": "fail",
            "altered": "fail",
            "not_attested": "info",
        }.get(self.state, "na")

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
class Change(Finding):
    """Words before and after an edit, each in runs that are marked where they differ.

    It points at its place, but is no finding of its own: its indicator is.
    """

    on_page: int | None
    before: Sequence[Segment]
    after: Sequence[Segment]

    @property
    def tone(self) -> str:
        return "fail"

    @property
    def name(self) -> str:
        return "Changed here"


@dataclass(frozen=True, slots=True)
class Indicator(Finding):
    indicator_id: str
    type: str  # RISK, INFO, TRUST, or whatever else was sent
    category: str
    title: str
    description: str
    raw: str
    severity: str = ""
    changes: Sequence[Change] = ()
    documentation: Sequence[str] = ()  # its paragraphs, without the title

    @property
    def is_strong(self) -> bool:
        return self.severity == "high"

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
class Barcode(Finding):
    """A code of the document, decoded; `state` is what holding it against the text has shown."""

    format: str
    text: str
    state: str
    how: str

    @property
    def tone(self) -> str:
        return {"agrees": "pass", "conflicts": "fail"}.get(self.state, "na")

    @property
    def name(self) -> str:
        return self.format


@dataclass(frozen=True, slots=True)
class Visual:
    passed: bool | None
    summary: str
    reasoning: str
    comparison: str
    rows: Sequence[Section]
    barcodes: Sequence[Barcode] = ()
    not_checked: Sequence[str] = ()

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
    not_checked: Sequence[str] = ()
    cannot_be_found: Sequence[str] = ()

    @property
    def counts(self) -> list[tuple[str, int]]:
        kinds = dict.fromkeys(["RISK", "INFO", "TRUST", *(row.type for row in self.rows)])
        totals = [(kind, sum(row.type == kind for row in self.rows)) for kind in kinds]
        return [(kind, total) for kind, total in totals if total]


@dataclass(frozen=True, slots=True)
class Hit(Finding):
    """An entry of a list that may be the subject.

    `identity` is what the entry and the subject say, so that either saying something else makes
    it another finding. `is_told` where the subject says more than a name, which others have too.
    """

    listed: str
    band: str
    score: float | None
    list_title: str
    identity: Sequence[str]
    is_told: bool
    said: Mapping[str, Any]  # the entry, its list, the alignment and the facts, for the page

    @property
    def tone(self) -> str:
        return {"identifier_match": "fail", "strong": "fail", "possible": "warn"}.get(
            self.band, "info"
        )

    @property
    def name(self) -> str:
        return self.listed

    @property
    def is_against(self) -> bool:
        return self.tone in {"fail", "warn"}

    @property
    def how(self) -> str:
        known = {
            "identifier_match": "same number", "strong": "strong match",
            "possible": "possible match", "discounted": "contradicted",
        }  # fmt: skip
        return known.get(self.band, "weak")

    @property
    def description(self) -> str:
        score = "" if self.score is None else f", score {self.score:.2f}"
        return f"{self.how.capitalize()}{score}, on {self.list_title}."


@dataclass(frozen=True, slots=True)
class Asked:
    """One subject held against lists. `said` names the lists and the policy, for the page."""

    title: str
    verdict: str
    explanation: str
    said: Mapping[str, Any]
    rows: Sequence[Hit]
    not_shown: int

    @property
    def is_whole(self) -> bool:
        """Whether every hit that asks for a person is among the rows: the worst come first."""
        return not self.not_shown or any(not row.is_against for row in self.rows)


@dataclass(frozen=True, slots=True)
class Screened:
    asked: Sequence[Asked]
    not_shown: int = 0  # parties beyond those that a page holds

    @property
    def rows(self) -> Sequence[Hit]:
        return [row for one in self.asked for row in one.rows]

    @property
    def is_whole(self) -> bool:
        return all(one.is_whole for one in self.asked)


@dataclass(frozen=True, slots=True)
class Face(Finding):
    """The faces on one of the pictures that were compared: a place to look at, no finding."""

    label: str
    said: Mapping[str, Any]  # the wire's Document that it is on
    document: str = ""  # the Document's id in hex, once it is known

    @property
    def name(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Faces:
    pictures: Sequence[Face]

    @property
    def rows(self) -> Sequence[Finding]:
        return ()

    def on(self, find: Callable[[Mapping[str, Any]], str]) -> Faces:
        """With the documents of the case that they are on."""
        return Faces(tuple(replace(one, document=find(one.said)) for one in self.pictures))


View = Extraction | Visual | Fraud | Screened | Faces


@dataclass(frozen=True, slots=True)
class Other:
    """A result for the same thing that does not stand, because another is worse or was read."""

    origin: str
    verdict: Verdict
    words: str
    is_readable: bool
    is_earlier: bool  # than the one that stands
    at: datetime | None = None


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
    versions: Sequence[tuple[str, str]] = ()  # of what the result rests on: name and version
    is_readable: bool = True  # False: it is not in the form that the interface gives it
    confirmation: str = ""  # whether the service says the same: CheckResult.Confirmation
    number: int = 0  # in the order of arrival
    replaced: Sequence[Part] = ()  # for the same thing, less bad than this one

    @property
    def others(self) -> Sequence[Other]:
        """What other results said of the same, in the order of arrival."""
        listed = sorted(self.replaced, key=lambda part: part.number)
        return [
            Other(
                origin=part.origin,
                verdict=part.verdict,
                words=part.explanation or part.summary,
                is_readable=part.is_readable,
                is_earlier=part.number < self.number,
                at=part.at,
            )
            for part in listed
        ]

    @property
    def summary(self) -> str:
        if isinstance(self.view, Fraud):
            return ". ".join(filter(None, [self.view.result, self.view.description]))
        return self.view.summary if isinstance(self.view, Extraction | Visual) else ""

    @property
    def findings(self) -> Sequence[Finding]:
        if isinstance(self.view, Visual):
            return [*self.view.rows, *self.view.barcodes]
        return self.view.rows if self.view else ()

    @property
    def documents(self) -> Sequence[str]:
        """Those that it speaks of: of two pictures that were compared, both."""
        others = self.view.pictures if isinstance(self.view, Faces) else ()
        return list(dict.fromkeys(filter(None, [self.document, *(one.document for one in others)])))

    def places_on(self, document: str) -> Sequence[Finding]:
        """All that may point at its pages: the findings, each edit that an indicator tells of, and
        faces that were compared."""
        if isinstance(self.view, Faces):
            return [one for one in self.view.pictures if one.document == document]
        if document != self.document:
            return ()
        rows = self.view.rows if isinstance(self.view, Fraud) else ()
        return [*self.findings, *(change for row in rows for change in row.changes)]

    @property
    def is_whole(self) -> bool:
        """Whether the findings are all there are."""
        return not isinstance(self.view, Screened) or self.view.is_whole


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
    verified: Sequence[tuple[str, str]] = ()  # what valid documents back: label and value
    rest: Any = None  # what no part shows, raw
    at: datetime | None = None
    parts: Sequence[Part] = field(default=())
    versions: Sequence[tuple[str, str]] = ()
    is_readable: bool = True
    confirmation: str = ""
    replaced: Sequence[Other] = ()  # other results of this very check

    @property
    def against(self) -> Sequence[Finding]:
        """Its findings that speak against the case; those to look at are not among them."""
        return [row for part in self.parts for row in part.findings if row.tone == "fail"]

    @property
    def others(self) -> Sequence[Other]:
        """Results of the check and of its tools that do not stand."""
        return [*self.replaced, *(other for part in self.parts for other in part.others)]

    @property
    def unconfirmed(self) -> Sequence[tuple[str, str]]:
        """What a webhook brought and the service has not confirmed: whose, and how that stands."""
        parts = [one for part in self.parts for one in (part, *part.replaced)]
        named = [(self.id, self.confirmation), *((one.origin, one.confirmation) for one in parts)]
        return [pair for pair in dict.fromkeys(named) if pair[1] not in {"", "confirmed"}]

    @property
    def unread(self) -> Sequence[str]:
        """The tools, or the check, whose result stands although it could not be read."""
        tools = [part.origin for part in self.parts if not part.is_readable]
        return list(dict.fromkeys([*tools, *([] if self.is_readable else [self.id])]))
