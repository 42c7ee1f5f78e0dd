"""Thresholds of the screening policy: hits on the name alone below a score need no review.

The service decides what a hit is. The desk only decides which hits a person must review, and
shows the others folded. Each result is judged by the version of its time.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from reviews import results
from reviews.models import ScreeningPolicy
from reviews.results.kinds import HIT_TONES
from reviews.results.scripts import SCRIPTS

MOST_RULES = 50
LONGEST_LIST = 200
DECIMALS = 3  # decimals of a score, as services send it


class ThresholdError(ValueError):
    """The content is not a valid screening policy. `faults` has the reasons as sentences."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(" ".join(faults))
        self.faults = faults


@dataclass(frozen=True)
class Rule:
    """The least score of hits that need a review.

    `list` is the slug of a list, "" for any; `script` is the script of the compared name, ""
    for any.
    """

    list: str
    script: str
    threshold: float

    def fits(self, list_slug: str, script: str) -> bool:
        return self.list in {"", list_slug} and self.script in {"", script}

    @property
    def rank(self) -> tuple[bool, bool]:
        """The specificity of a rule: of two rules that fit, the one with the greater rank
        applies.
        """
        return bool(self.list), bool(self.script)

    def to_json(self) -> dict[str, object]:
        return {"list": self.list, "script": self.script, "threshold": self.threshold}


@dataclass(frozen=True)
class Thresholds:
    rules: Sequence[Rule]

    @classmethod
    def from_json(cls, content: object) -> Thresholds:
        """Read the JSON of a version: `{"rules": [{…}, …]}`. Raises ThresholdError."""
        if isinstance(content, dict):
            rows = content.get("rules")
        else:
            rows = None
        if not isinstance(rows, list):
            raise ThresholdError([_("A policy is a list of rules.")])
        faults: list[str] = []
        if len(rows) > MOST_RULES:
            faults.append(_("At most %(most)s rules.") % {"most": MOST_RULES})
        rules: list[Rule] = []
        places = set()
        for number, row in enumerate(rows[:MOST_RULES], start=1):
            rule, faults_of_row = _read(row if isinstance(row, dict) else {})
            if (rule.list, rule.script) in places:
                words = _("another rule is of the same list and script")
                faults_of_row.append(words)
            places.add((rule.list, rule.script))
            for words in faults_of_row:
                faults.append(f"{_('Rule')} {number}: {words}.")
            rules.append(rule)
        if faults:
            raise ThresholdError(faults)
        return cls(tuple(rules))

    def to_json(self) -> dict[str, object]:
        return {"rules": [rule.to_json() for rule in self.rules]}

    def least(self, list_slug: str, script: str) -> float:
        """The threshold of the most specific rule that fits; 0.0 if none fits: every hit is
        reviewed.
        """
        fitting = []
        for rule in self.rules:
            if rule.fits(list_slug, script):
                fitting.append(rule)
        if not fitting:
            return 0.0
        return max(fitting, key=_rank).threshold

    def asks(
        self,
        *,
        list_slug: str,
        script: str,
        band: str,
        score: float | None,
        is_certain: bool,
    ) -> bool:
        """Whether a person must review the hit."""
        if band not in HIT_TONES:
            return False
        # A matching number or date of birth is more than a name: no threshold applies.
        if is_certain or score is None:
            return True
        return score >= self.least(list_slug, script)


EMPTY = Thresholds(())


def _rank(rule: Rule) -> tuple[bool, bool]:
    return rule.rank


def _read(row: dict[str, object]) -> tuple[Rule, list[str]]:
    faults = []
    list_slug = row.get("list", "")
    if not isinstance(list_slug, str) or len(list_slug) > LONGEST_LIST:
        faults.append(_("no list"))
        list_slug = ""
    script = row.get("script", "")
    if not isinstance(script, str) or script not in ("", *SCRIPTS):
        faults.append(_("no script"))
        script = ""
    threshold = row.get("threshold")
    is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool)
    if not is_number or not 0 < threshold <= 1:  # type: ignore[operator]
        faults.append(_("a threshold is over 0 and at most 1"))
        threshold = 1.0
    assert isinstance(threshold, int | float)  # noqa: S101 - for the type checker
    return Rule(list_slug, script, round(float(threshold), DECIMALS)), faults


def content_of(version: ScreeningPolicy | None) -> Thresholds:
    if version is None:
        return EMPTY
    return Thresholds.from_json(version.content)


@dataclass(frozen=True)
class Line:
    """A version of the policy, and the time from which it was in force."""

    since: datetime
    number: int
    thresholds: Thresholds


class History:
    """All versions that were ever in force. A result is judged by the version of its time.

    So a new version does not change what people decided under an earlier one.
    """

    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    @classmethod
    def read(cls) -> History:
        rows = ScreeningPolicy.objects.exclude(live_at=None).order_by("-live_at")
        lines = []
        for row in rows:
            assert row.live_at is not None  # noqa: S101 - for the type checker
            lines.append(Line(row.live_at, row.number, content_of(row)))
        return cls(lines)

    def at(self, moment: datetime | None) -> Line | None:
        # The lines are newest first. Without a moment the newest applies.
        for line in self._lines:
            if moment is None or line.since <= moment:
                return line
        return None


def folded(parts: Iterable[results.Part]) -> dict[int, int]:
    """The hits that need no review: their `id()`, with the number of the version.

    A hit on several lists needs a review if the hit on one of them does.
    """
    pairs = []
    for part in parts:
        for finding in part.findings:
            if isinstance(finding, results.Hit) and finding.is_against:
                pairs.append((part.at, finding))
    if not pairs:
        return {}
    history = History.read()
    versions = {}
    for moment, hit in pairs:
        line = history.at(moment)
        if line is not None and not any(_answers(hit, line.thresholds)):
            versions[id(hit)] = line.number
    return versions


def _answers(hit: results.Hit, thresholds: Thresholds) -> Iterable[bool]:
    for member in hit.members:
        yield thresholds.asks(
            list_slug=member.list_slug,
            script=member.script,
            band=member.band,
            score=member.score,
            is_certain=member.is_certain,
        )
