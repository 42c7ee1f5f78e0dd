"""What the page shows of a result, as frozen dataclasses."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from operator import attrgetter
from typing import TYPE_CHECKING, Literal, NamedTuple, TypedDict

from django.utils import formats
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from reviews.results.scripts import script_of
from reviews.results.word_diff import Sides, joined, plain, word_diff
from reviews.wire import JsonObject

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

Verdict = Literal[
    "pass",
    "review",
    "fail",
    "inconclusive",
    "not_applicable",
    "error",
    "running",
    "unknown",
]
State = Literal[
    "equal", "close", "differs", "altered", "not_attested", "cannot_compare"
]
# A row of a finding about other cases: the reference of a case, a day, and perhaps more.
CASE_AND_DAY = re.compile(r"(.+) \d{4}-\d\d-\d\d(?:: .*)?")
# The word for each state of checks, comparisons, sections and indicators, wherever it is shown.
STATE_WORDS: Mapping[str, StrOrPromise] = {
    "pass": _("passed"),
    "review": _("to review"),
    "fail": _("failed"),
    "inconclusive": _("inconclusive"),
    "not_applicable": _("not applicable"),
    "error": _("could not run"),
    "running": _("running"),
    "unknown": _("no verdict"),
    "not_checked": _("not checked"),
    "equal": _("equal"),
    "close": _("close"),
    "differs": _("differs"),
    "altered": _("altered"),
    "not_attested": _("not attested"),
    "cannot_compare": _("not compared"),
    "RISK": _("risk"),
    "INFO": _("info"),
    "TRUST": _("trust"),
}
SectionState = Literal["pass", "fail", "unknown", "not_checked"]
# The CSS colour class of a finding, by its state, type or band. All others are "na" or "info".
COMPARISON_TONES = {
    "equal": "pass",
    "close": "warn",
    "differs": "fail",
    "altered": "fail",
    "not_attested": "info",
}
SECTION_TONES = {"pass": "pass", "fail": "fail"}
INDICATOR_TONES = {"RISK": "fail", "INFO": "info", "TRUST": "pass"}
BARCODE_TONES = {"agrees": "pass", "conflicts": "fail"}
HIT_TONES = {"identifier_match": "fail", "strong": "fail", "possible": "warn"}
# Facts that, besides the name, make a hit certain (see Hit.is_certain).
_TELLING_FACTS = frozenset({"identifier", "birth_date"})
BAND_WORDS: Mapping[str, StrOrPromise] = {
    "identifier_match": _("same number"),
    "strong": _("strong match"),
    "possible": _("possible match"),
    "discounted": _("contradicted"),
}


class Box(NamedTuple):
    """A rectangle on a page, in fractions of the page as displayed, origin top left."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Finding:
    """One row of the page. `ref` is unique within a document and connects the row to its boxes."""

    ref: str
    boxes: Sequence[Box]

    @property
    def page(self) -> int | None:
        if self.boxes:
            return self.boxes[0].page
        return None

    @property
    def tone(self) -> str:
        return "info"

    @property
    def name(self) -> str:
        return ""

    @property
    def may_be_dismissed(self) -> bool:
        """Whether the finding asks for a decision at all, so that an analyst may dismiss it."""
        return self.tone in {"fail", "warn"}

    @property
    def is_against(self) -> bool:
        """Whether this finding can be the reason that a check is in doubt."""
        return self.tone == "fail"


# How soon a person should look at a finding, by its tone. Lower is sooner.
_URGENCY = {"fail": 0, "warn": 1}
LEAST_URGENT = 2


def urgency(finding: Finding) -> int:
    """0 for what speaks against the case, 1 for what is in doubt, LEAST_URGENT for all else."""
    return _URGENCY.get(finding.tone, LEAST_URGENT)


@dataclass(frozen=True, slots=True)
class Candidate(Finding):
    """One of the values that an unsure field may have: a place to look at, not a finding.

    `snippet` are the words of the document that it was read from; `how` says by which rule.
    """

    label: str  # of the field
    value: str
    snippet: str = ""
    how: str = ""
    confidence: float | None = None

    @property
    def tone(self) -> str:
        return "warn"

    @property
    def name(self) -> str:
        return f"{self.label}: {self.value}"

    @property
    def percent(self) -> str:
        """The confidence as text; empty if the service gave none that can be one."""
        if self.confidence is None or not 0 < self.confidence <= 1:
            return ""
        return f"{self.confidence:.0%}"


@dataclass(frozen=True, slots=True)
class Comparison(Finding):
    field: str
    label: str
    state: State
    attested: str
    extracted: str
    how: str
    read_by: str = ""
    edit: str = ""  # the ref of the edit at the place of an altered value
    # Not empty: the field is unsure, and a person chooses among these.
    candidates: Sequence[Candidate] = ()
    # The attested values that a chosen value is compared with.
    expected: Sequence[object] = ()

    @property
    def is_unsure(self) -> bool:
        return bool(self.candidates)

    @property
    def offered(self) -> list[str]:
        """What a person chooses among, or corrects: the candidates, or the value that was read."""
        if self.candidates:
            return [candidate.value for candidate in self.candidates]
        return [self.extracted]

    @property
    def sides(self) -> Sides:
        """Both values in runs of words.

        Computed only when the row is shown: most documents are never opened.
        """
        if self.state in {"close", "differs", "altered"}:
            return word_diff(self.attested, self.extracted)
        return plain(self.attested), plain(self.extracted)

    @property
    def texts(self) -> tuple[str, str]:
        """The texts of both sides. Needs no comparison, which takes most of the time of a key."""
        if self.state in {"close", "differs", "altered"}:
            return joined(self.attested, self.extracted)
        return self.attested, self.extracted

    @property
    def tone(self) -> str:
        # An unsure field asks a person, unless it speaks against the case already.
        if self.is_unsure and self.state not in {"differs", "altered"}:
            return "warn"
        return COMPARISON_TONES.get(self.state, "na")

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
        return SECTION_TONES.get(self.state, "na")

    @property
    def name(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Change(Finding):
    """The words before and after an edit.

    A change marks a place on the page, but is not a finding of its own: its indicator is.
    """

    on_page: int | None
    before: str
    after: str

    @property
    def sides(self) -> Sides:
        return word_diff(self.before, self.after)

    @property
    def tone(self) -> str:
        return "fail"

    @property
    def name(self) -> str:
        return gettext("Changed here")


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
    # The paragraphs of its documentation, without the title.
    documentation: Sequence[str] = ()

    @property
    def is_strong(self) -> bool:
        return self.severity == "high"

    @property
    def other_cases(self) -> Sequence[str]:
        """The references of the cases that a finding of the network names, each once."""
        if self.category != "network":
            return ()
        references = {}
        for line in self.raw.splitlines():
            match = CASE_AND_DAY.fullmatch(line.strip())
            if match:
                references[match[1]] = True
        return tuple(references)

    @property
    def tone(self) -> str:
        return INDICATOR_TONES.get(self.type, "na")

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
    # The service says that the document asks a person for nothing but its unsure fields.
    only_unsure: bool = False

    @property
    def unsure(self) -> Sequence[Comparison]:
        return [row for row in self.rows if row.is_unsure]

    @property
    def counts(self) -> dict[str, int]:
        counts: Counter[str] = Counter(row.state for row in self.rows)
        return dict(counts)


@dataclass(frozen=True, slots=True)
class Barcode(Finding):
    """A decoded barcode of the document. `state`: whether its content agrees with the text."""

    format: str
    text: str
    state: str
    how: str

    @property
    def tone(self) -> str:
        return BARCODE_TONES.get(self.state, "na")

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
    not_shown: int = (
        0  # indicators beyond those that a page holds; the worst come first
    )

    @property
    def counts(self) -> list[tuple[str, int]]:
        """The types of indicators with their counts: RISK, INFO, TRUST, then any unknown types."""
        totals = {"RISK": 0, "INFO": 0, "TRUST": 0}
        for row in self.rows:
            totals.setdefault(row.type, 0)
            totals[row.type] += 1
        return [(kind, total) for kind, total in totals.items() if total]


class HitDetails(TypedDict):
    """What the page shows of a hit below its heading. Mappings are as the service sent them."""

    list: JsonObject
    kind: str  # of the name that matches: "primary", "weak", …
    query: str  # the name that was compared
    schema: str  # of the entry: "Person", "Organization", …
    entry: Mapping[str, str]
    alignment: Sequence[JsonObject]
    facts: Sequence[JsonObject]


@dataclass(frozen=True, slots=True)
class Hit(Finding):
    """An entry of a list that may be the subject.

    `identity` holds the list, the entry's id, its content and the subject. If one of them changes,
    it is a new finding, so an earlier dismissal no longer applies. `has_more_than_name`: facts
    besides the name of the subject were compared.
    """

    entry_name: str
    band: str
    score: float | None
    list_title: str
    identity: Sequence[str]
    has_more_than_name: bool
    details: HitDetails
    # The same listed entity on other lists: one hit with several sources (details.same_entity).
    others: Sequence[Hit] = ()
    # Set on members of `others`: the feature they share with the first hit.
    same_by: str = ""

    @property
    def members(self) -> Sequence[Hit]:
        """The hits on all lists, this one first."""
        return (self, *self.others)

    @property
    def list_titles(self) -> str:
        return ", ".join(hit.list_title for hit in self.members)

    @property
    def tone(self) -> str:
        return HIT_TONES.get(self.band, "info")

    @property
    def name(self) -> str:
        return self.entry_name

    @property
    def is_against(self) -> bool:
        return self.tone in {"fail", "warn"}

    @property
    def list_slug(self) -> str:
        return self.identity[0]

    @property
    def script(self) -> str:
        """The script (Latin, Cyrillic, …) of the name that was compared."""
        return script_of(self.details["query"])

    @property
    def is_certain(self) -> bool:
        """Whether more than the name agrees: an identifying number, or the date of birth."""
        if self.band == "identifier_match":
            return True
        for fact in self.details["facts"]:
            agrees = fact.get("stand") == "corroborates"
            if agrees and fact.get("field") in _TELLING_FACTS:
                return True
        return False

    @property
    def how(self) -> str:
        return str(BAND_WORDS.get(self.band, _("weak")))

    @property
    def description(self) -> str:
        words = {"band": capfirst(self.how), "lists": self.list_titles}
        if self.score is None:
            return gettext("%(band)s, on %(lists)s.") % words
        # number_format truncates: 0.866 is 0.87 everywhere else.
        words["score"] = formats.number_format(round(self.score, 2), decimal_pos=2)
        return gettext("%(band)s, score %(score)s, on %(lists)s.") % words


@dataclass(frozen=True, slots=True)
class SubjectScreening:
    """The screening of one subject. `what` is the service's name for the kind of lists.

    `lists` and `policy` are as the service sent them.
    """

    title: str
    what: str
    verdict: str
    explanation: str
    lists: Sequence[JsonObject]
    policy: JsonObject
    rows: Sequence[Hit]
    not_shown: int

    @property
    def is_whole(self) -> bool:
        """Whether the rows include every hit that asks for a person.

        Hits come worst first. So if some rows need nobody, the hits that were left out need nobody
        either.
        """
        if not self.not_shown:
            return True
        return not all(row.is_against for row in self.rows)


@dataclass(frozen=True, slots=True)
class Screening:
    subjects: Sequence[SubjectScreening]
    # How many subjects were left out because a page holds only so many.
    not_shown: int = 0

    @property
    def rows(self) -> Sequence[Hit]:
        rows: list[Hit] = []
        for subject in self.subjects:
            rows.extend(subject.rows)
        return rows

    @property
    def is_whole(self) -> bool:
        return all(subject.is_whole for subject in self.subjects)

    @property
    def is_against(self) -> bool:
        """Whether a strong hit speaks against a subject, or the service says so of a person."""
        if any(subject.verdict.casefold() == "fail" for subject in self.subjects):
            return True
        return any(row.tone == "fail" for row in self.rows)


@dataclass(frozen=True, slots=True)
class Face(Finding):
    """The faces in one of the compared pictures: a place to look at, not a finding."""

    label: str
    reference: JsonObject  # the Document object of the payload that the face is on
    document: str = ""  # hex id of the Document, once it is known

    @property
    def name(self) -> str:
        return self.label


@dataclass(frozen=True, slots=True)
class Faces:
    pictures: Sequence[Face]

    @property
    def rows(self) -> Sequence[Finding]:
        return ()

    def with_documents(self, find: Callable[[JsonObject], str]) -> Faces:
        """A copy in which each face has the hex id of the document that it is on."""
        pictures = []
        for face in self.pictures:
            document = find(face.reference)
            pictures.append(replace(face, document=document))
        return Faces(tuple(pictures))


View = Extraction | Visual | Fraud | Screening | Faces


@dataclass(frozen=True, slots=True)
class Other:
    """A result for the same check that has no effect, because another one is worse or readable."""

    origin: str
    verdict: Verdict
    words: str
    is_readable: bool
    is_earlier: bool  # whether it arrived before the result that has effect
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Part:
    """One piece of a result, about one document or about the whole case: a section of the page."""

    key: str
    origin: str  # the id of the tool or check that sent it
    from_tool: bool
    # The Document's id in hex; empty if the part is about the whole case.
    document: (
        str  # the Document's id in hex, empty where it is about the case as a whole
    )
    verdict: Verdict
    explanation: str
    answer: str
    alerts: Sequence[str]
    data: object
    title: str
    template: str
    at: datetime | None = None
    view: View | None = None
    # Pairs of name and version: what the result rests on.
    versions: Sequence[tuple[str, str]] = ()
    # False if it does not have the form that the interface describes.
    is_readable: bool = True
    # CheckResult.Confirmation: whether the service confirms what the webhook brought.
    confirmation: str = ""
    number: int = 0  # position in the order of arrival
    # Parts for the same thing that are less bad than this one.
    replaced: Sequence[Part] = ()

    @property
    def others(self) -> Sequence[Other]:
        """The other results for the same thing, in the order of arrival."""
        others = []
        for part in sorted(self.replaced, key=attrgetter("number")):
            other = Other(
                origin=part.origin,
                verdict=part.verdict,
                words=part.explanation or part.summary,
                is_readable=part.is_readable,
                is_earlier=part.number < self.number,
                at=part.at,
            )
            others.append(other)
        return others

    @property
    def summary(self) -> str:
        if isinstance(self.view, Fraud):
            sentences = [self.view.result, self.view.description]
            return ". ".join(filter(None, sentences))
        if isinstance(self.view, Extraction | Visual):
            return self.view.summary
        return ""

    @property
    def findings(self) -> Sequence[Finding]:
        if self.view is None:
            return ()
        if isinstance(self.view, Visual):
            return [*self.view.rows, *self.view.barcodes]
        return self.view.rows

    @property
    def documents(self) -> Sequence[str]:
        """Hex ids of the documents it is about. A comparison of two pictures is about both
        documents.
        """
        documents = [self.document]
        if isinstance(self.view, Faces):
            for face in self.view.pictures:
                documents.append(face.document)
        return list(dict.fromkeys(filter(None, documents)))

    def places_on(self, document: str) -> Sequence[Finding]:
        """Everything that may mark a place on the document: findings, edits of indicators,
        compared faces.
        """
        if isinstance(self.view, Faces):
            return [face for face in self.view.pictures if face.document == document]
        if document != self.document:
            return ()
        places = list(self.findings)
        if isinstance(self.view, Fraud):
            for row in self.view.rows:
                places.extend(row.changes)
        if isinstance(self.view, Extraction):
            for compared in self.view.rows:
                places.extend(compared.candidates)
        return places

    @property
    def is_whole(self) -> bool:
        """Whether `findings` holds all findings: there may be more than the page shows."""
        if isinstance(self.view, Fraud):
            return not self.view.not_shown
        if isinstance(self.view, Screening):
            return self.view.is_whole
        return True


@dataclass(frozen=True, slots=True)
class Check:
    """One row in the list of checks."""

    id: str
    label: str
    group: str
    verdict: Verdict
    explanation: str
    answer: str
    error: str
    alerts: Sequence[str]
    documents: Sequence[str]
    # Pairs of label and value that valid documents prove.
    verified: Sequence[tuple[str, str]] = ()
    rest: object = None  # raw content that no part shows
    at: datetime | None = None
    parts: Sequence[Part] = field(default=())
    versions: Sequence[tuple[str, str]] = ()
    is_readable: bool = True
    confirmation: str = ""
    replaced: Sequence[Other] = ()  # other results of the same check

    @property
    def against(self) -> Sequence[Finding]:
        """The findings that speak against the case. Findings that are only worth a look are not
        included.
        """
        rows = []
        for part in self.parts:
            for row in part.findings:
                if row.tone == "fail":
                    rows.append(row)
        return rows

    @property
    def others(self) -> Sequence[Other]:
        """Results of the check and of its tools that have no effect."""
        others = list(self.replaced)
        for part in self.parts:
            others.extend(part.others)
        return others

    @property
    def unconfirmed(self) -> Sequence[tuple[str, str]]:
        """Pairs of origin and CheckResult.Confirmation for results that the service has not
        confirmed.
        """
        pairs = [(self.id, self.confirmation)]
        for part in self.parts:
            pairs.append((part.origin, part.confirmation))
            for other in part.replaced:
                pairs.append((other.origin, other.confirmation))
        return [
            pair for pair in dict.fromkeys(pairs) if pair[1] not in {"", "confirmed"}
        ]

    @property
    def unreadable(self) -> Sequence[str]:
        """The ids of the tools or the check whose result has effect although it could not be
        read.
        """
        origins = []
        for part in self.parts:
            if not part.is_readable:
                origins.append(part.origin)
        if not self.is_readable:
            origins.append(self.id)
        return list(dict.fromkeys(origins))
