"""The form of the decision policy: its rows, the policy that they mean, and what it changes."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from django.http import QueryDict
from django.utils.translation import gettext as _

from compliance.http import numbers
from reviews.decisions.policies.content import (
    BANDS,
    CLEAN,
    LONGEST_CHECK,
    MOST_RULES,
    NEVER,
    RESTRICTED,
    Policy,
    Rule,
)
from reviews.models import (
    ENDING,
    Agent,
    Document,
    Outcome,
    RiskBand,
)
from reviews.results.checklist import check_label
from reviews.results.words import translated

# Empty rules at the end of the form. After each save the form has as many empty ones again.
NEW_RULES = 2
LONGEST = 4_000  # characters of one input


@dataclass(frozen=True)
class Pick:
    """An option of a select or a checkbox: its value, its label, and whether it is chosen."""

    value: str
    words: str
    is_on: bool


@dataclass(frozen=True)
class Row:
    """A rule as the form shows it. `name` is the prefix of the names of its inputs."""

    name: str
    agent: str = ""
    band: str = ""
    checks: str = ""
    documents: Sequence[str] = ()
    checklist: bool = False
    senior: Sequence[str] = ()
    second: Sequence[str] = ()
    automatic: str = ""
    sample: str = ""
    agents: Sequence[tuple[str, str]] = field(default_factory=list)

    @property
    def is_empty(self) -> bool:
        """Whether the rule demands nothing. Such a rule is not saved."""
        demands = (
            self.checks,
            self.documents,
            self.checklist,
            self.senior,
            self.second,
            self.automatic,
            self.sample.strip("0 "),
        )
        return not any(demands)

    @property
    def agent_picks(self) -> list[Pick]:
        picks = [Pick("", _("Any agent"), self.agent == "")]
        for value, words in self.agents:
            picks.append(Pick(value, words, value == self.agent))
        return picks

    @property
    def band_picks(self) -> list[Pick]:
        picks = [Pick("", _("Any risk"), self.band == "")]
        for band in RiskBand:
            is_chosen = band.word == self.band
            picks.append(Pick(band.word, str(band.label), is_chosen))
        return picks

    @property
    def document_picks(self) -> list[Pick]:
        chosen = set(self.documents)
        return [
            Pick(kind.value, str(kind.label), kind.value in chosen)
            for kind in Document.Kind
        ]

    @property
    def senior_picks(self) -> list[Pick]:
        return _outcomes(RESTRICTED, self.senior)

    @property
    def second_picks(self) -> list[Pick]:
        return _outcomes(ENDING, self.second)

    @property
    def automatic_picks(self) -> list[Pick]:
        words = {
            "": _("This rule says nothing"),
            CLEAN: _("Clean cases, where it is switched on"),
            NEVER: _("Never, whatever another rule says"),
        }
        return [
            Pick(value, text, value == self.automatic) for value, text in words.items()
        ]


def _outcomes(outcomes: Sequence[Outcome], chosen: Sequence[str]) -> list[Pick]:
    return [
        Pick(outcome.value, str(outcome.label), outcome.value in chosen)
        for outcome in outcomes
    ]


def agents() -> list[tuple[str, str]]:
    """Every agent that a rule can name, with its connection."""
    rows = Agent.objects.select_related("connection")
    names = []
    for row in rows.order_by("connection__name", "name", "pk"):
        names.append((str(row.pk), f"{row.connection.name}: {row.name}"))
    return names


def rows_of(policy: Policy) -> list[Row]:
    all_agents = agents()
    rows = []
    for number, rule in enumerate(policy.rules, start=1):
        rows.append(
            Row(
                name=f"rule-{number}",
                agent="" if rule.agent is None else str(rule.agent),
                band=rule.band,
                checks="\n".join(rule.checks),
                documents=rule.documents,
                checklist=rule.checklist,
                senior=rule.senior,
                second=rule.second,
                automatic=rule.automatic,
                sample=str(rule.sample or ""),
                agents=all_agents,
            )
        )
    return _with_new(rows, all_agents)


def typed(sent: QueryDict) -> list[Row]:
    """The rows that were sent, without those that demand nothing, plus new empty rows."""
    all_agents = agents()
    rows = []
    for row in _typed_rows(sent, all_agents):
        if not row.is_empty:
            rows.append(row)
    return _with_new(rows, all_agents)


def _typed_rows(sent: QueryDict, all_agents: list[tuple[str, str]]) -> Iterator[Row]:
    for number in range(1, MOST_RULES + NEW_RULES + 1):
        name = f"rule-{number}"
        # Every form row has a band, also an empty one: without it the row was not sent.
        if f"{name}.band" not in sent:
            continue
        yield Row(
            name=name,
            agent=_text(sent, f"{name}.agent"),
            band=_text(sent, f"{name}.band"),
            checks=_text(sent, f"{name}.checks"),
            documents=sent.getlist(f"{name}.documents"),
            checklist=f"{name}.checklist" in sent,
            senior=sent.getlist(f"{name}.senior"),
            second=sent.getlist(f"{name}.second"),
            automatic=_text(sent, f"{name}.automatic"),
            sample=_text(sent, f"{name}.sample"),
            agents=all_agents,
        )


def _with_new(rows: list[Row], all_agents: list[tuple[str, str]]) -> list[Row]:
    """The rows, numbered from one, followed by empty rows."""
    numbered = []
    for number, row in enumerate(rows, start=1):
        numbered.append(replace(row, name=f"rule-{number}"))
    for number in range(len(rows) + 1, len(rows) + NEW_RULES + 1):
        numbered.append(Row(name=f"rule-{number}", agents=all_agents))
    return numbered


def _text(sent: QueryDict, name: str) -> str:
    # PostgreSQL rejects the character NUL in text.
    return sent.get(name, "").replace("\0", "").strip()[:LONGEST]


def content_of(rows: Sequence[Row]) -> dict[str, object]:
    """The rows as the JSON of a policy, valid or not: `Policy.from_json` finds the faults."""
    rules: list[dict[str, object]] = []
    for row in rows:
        if row.is_empty:
            continue
        rules.append(
            {
                "agent": _number(row.agent) if row.agent else None,
                "band": row.band,
                "checks": _words(row.checks),
                "documents": list(row.documents),
                "checklist": row.checklist,
                "senior": list(row.senior),
                "second": list(row.second),
                "automatic": row.automatic,
                "sample": _number(row.sample) if row.sample else 0,
            }
        )
    return {"rules": rules}


def _number(text: str) -> object:
    """A whole number. Other text is returned as text, and the policy then rejects it in words."""
    number = numbers.parse(text, digits=9)
    if number is None:
        return text[:40]
    return number


def _words(text: str) -> list[str]:
    # One character more than allowed stays, so that the policy finds an overlong word.
    words = re.split(r"[\s,;]+", text)
    return [word[: LONGEST_CHECK + 1] for word in words if word]


@dataclass(frozen=True)
class Line:
    """A rule in words: which cases it is for, and what it demands."""

    title: str
    demands: Sequence[str]


def lines(policy: Policy) -> list[Line]:
    names = dict(agents())
    return [Line(_title(rule, names), _demands(rule)) for rule in policy.rules]


def _title(rule: Rule, names: dict[str, str]) -> str:
    agent = _("any agent")
    if rule.agent is not None:
        agent = names.get(str(rule.agent), _("an agent that is gone"))
    band = _("any risk")
    if rule.band in BANDS:
        label = str(RiskBand[rule.band.upper()].label)
        band = _("risk: %(band)s") % {"band": label.lower()}
    return f"{agent}, {band}"


def _demands(rule: Rule) -> list[str]:
    demands = _of_an_approval(rule)
    if rule.senior:
        outcomes = _labels(rule.senior)
        demands.append(_("Only seniors decide: %(what)s") % {"what": outcomes})
    if rule.second:
        outcomes = _labels(rule.second)
        demands.append(_("A second person agrees to: %(what)s") % {"what": outcomes})
    if rule.automatic == CLEAN:
        demands.append(
            _("Clean cases are approved automatically, where that is switched on")
        )
    if rule.automatic == NEVER:
        demands.append(_("Nothing is approved automatically"))
    if rule.sample:
        words = _("%(share)s percent of the decisions get a second look")
        demands.append(words % {"share": rule.sample})
    return demands


def _of_an_approval(rule: Rule) -> list[str]:
    """The demands of a rule on an approval, in words."""
    demands = []
    if rule.checks:
        labels = ", ".join(translated(check_label(check)) for check in rule.checks)
        demands.append(_("An approval needs a verdict of: %(what)s") % {"what": labels})
    if rule.documents:
        names_of_kinds = [str(Document.Kind(kind).label) for kind in rule.documents]
        kinds = ", ".join(names_of_kinds)
        words = _("An approval needs these documents: %(what)s")
        demands.append(words % {"what": kinds})
    if rule.checklist:
        demands.append(_("An approval needs every item of the checklist settled"))
    return demands


def _labels(outcomes: Sequence[str]) -> str:
    return ", ".join(str(Outcome(outcome).label) for outcome in outcomes)


@dataclass(frozen=True)
class Difference:
    # A rule that two policies have differently. An empty text: that policy has no such rule.
    what: str
    before: str
    after: str


def differences(before: Policy, after: Policy) -> list[Difference]:
    """The rules that `after` has differently from `before`, in words."""
    old, new = _demands_by_title(before), _demands_by_title(after)
    rows = []
    # Titles of both policies, each once, those of `before` first.
    for title in dict.fromkeys([*old, *new]):
        was, becomes = old.get(title, ""), new.get(title, "")
        if was != becomes:
            rows.append(Difference(title, was, becomes))
    return rows


def _demands_by_title(policy: Policy) -> dict[str, str]:
    return {line.title: "; ".join(line.demands) for line in lines(policy)}
