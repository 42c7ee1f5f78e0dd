"""Whether the service says the same as a webhook did.

A webhook is a hint: it fills the page, and counts for nothing better until getJobById, which the
desk asks with a key of its own, says the same. What it says against a case stays in the meantime.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from compliance.db import fast_sql
from reviews import results
from reviews.findings.recommendations import AGREES
from reviews.models import CheckResult, Job, Outcome

State = CheckResult.Confirmation

# So often the service is asked for what its record does not hold: it may be behind.
TRIES = 4
# Webhooks that the service was not asked about yet.
OPEN = (State.LIVE, State.WAITING)
# A record is read no deeper and no longer than this; results of a document have some hundred members.
DEEPEST = 16
MOST_MEMBERS = 200_000
# Members of a tool's payload that name the document, and are no result.
_NAMES = frozenset({"type", "document"})


@dataclass
class Record:
    """What the service's own answer holds."""

    # By check: what it says, and what it says of each document, as (verdict, payload).
    said: dict[str, list[tuple[str, Mapping[str, Any]]]] = field(default_factory=dict)
    identities: set[tuple[str, str]] = field(default_factory=set)
    # All members of its results, by name.
    members: dict[str, list[Any]] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def of(cls, rows: Sequence[CheckResult]) -> Record:
        """`rows`: check results as getJobById gave them."""
        record = cls()
        for row in rows:
            record.identities.add((row.check_id, row.subject))
            own = record.said.setdefault(row.check_id, [])
            content = row.body.get("result") or row.body.get("payload")
            given = content if isinstance(content, dict) else {}
            own.append((results.check_verdict(row), _pieces(given.get("payload"))))
            record._read(row.body, 0, own)
        return record

    def _read(self, value: Any, depth: int, own: list[tuple[str, Mapping[str, Any]]]) -> None:
        if depth > DEEPEST or self.count > MOST_MEMBERS:
            return
        if isinstance(value, list):
            for item in value:
                self._read(item, depth + 1, own)
        elif isinstance(value, dict):
            self.count += len(value)
            if "payload" in value and not {"passed", "verdict"}.isdisjoint(value):
                own.append((results.verdict(value), _pieces(value["payload"])))
            for name, inner in value.items():
                self.members.setdefault(name, []).append(inner)
                self._read(inner, depth + 1, own)

    def holds(self, name: str, value: Any) -> bool:
        return any(results.same(value, one) for one in self.members.get(name, ()))

    def judge(self, row: CheckResult) -> State:
        """CONFIRMED where the record says the same; ABSENT where it speaks of the same thing and says
        another; UNAVAILABLE where it does not speak of such things at all."""
        if row.source == CheckResult.Source.CHECK:
            if (row.check_id, row.subject) in self.identities:
                return State.CONFIRMED
            return State.ABSENT if self.said else State.UNAVAILABLE
        body = row.body if isinstance(row.body, dict) else {}
        verdict, pieces = results.verdict(body, otherwise=row.passed), _pieces(body.get("payload"))
        if own := self.said.get(row.check_id):  # the tool is called as a check
            is_held = any(verdict == one and _is_within(pieces, other) for one, other in own)
            return State.CONFIRMED if is_held else State.ABSENT
        if verdict == "pass" and any(map(results.speaks_against, pieces.values())):
            return State.ABSENT  # it says of itself what its content does not
        if pieces and all(self.holds(name, value) for name, value in pieces.items()):
            return State.CONFIRMED
        is_comparable = any(name in self.members for name in pieces)
        return State.ABSENT if is_comparable else State.UNAVAILABLE


def _is_within(pieces: Mapping[str, Any], whole: Mapping[str, Any]) -> bool:
    """Whether all of the pieces are there: a check may say more than its tool."""
    return all(name in whole and results.same(whole[name], one) for name, one in pieces.items())


def _pieces(payload: Any) -> Mapping[str, Any]:
    """What a payload says, without the name of its document."""
    given = payload if isinstance(payload, dict) else {}
    return {name: value for name, value in given.items() if name not in _NAMES and value}


def mark(job: Job, rows: Sequence[CheckResult], *, is_over: bool) -> None:
    """Say of results that a webhook brought how they stand, before they are written."""
    for row in rows:
        row.confirmation = State.WAITING if is_over else State.LIVE
    if not is_over or not rows:
        return
    confirmed = fast_sql.fetch_models(
        CheckResult, job=job, source=CheckResult.Source.CHECK, confirmation=State.CONFIRMED
    )
    record = Record.of(confirmed)
    for row in rows:
        if record.judge(row) == State.CONFIRMED:
            row.confirmation = State.CONFIRMED


class Judgement(NamedTuple):
    """What came of holding webhooks against the service's answer."""

    reasons: list[str]  # why a person must look at it
    waits: bool  # something is to be asked for again
    is_news: bool  # some result counts otherwise than before


def judge(job: Job, answer: Sequence[CheckResult], *, is_last: bool) -> Judgement:
    """Hold what webhooks brought of a job against the service's answer. Unless `is_last`, what the
    answer does not hold waits. Runs with the case locked."""
    hints = fast_sql.fetch_models(CheckResult, job=job, confirmation__in=OPEN)
    if not hints:
        return Judgement([], waits=False, is_news=False)
    record = Record.of(answer)
    by_state: dict[State, list[CheckResult]] = {}
    for row in hints:
        state = record.judge(row)
        state = State.WAITING if state == State.ABSENT and not is_last else state
        by_state.setdefault(state, []).append(row)
    for state, rows in by_state.items():
        fast_sql.update(CheckResult, {"confirmation": state}, pk__in=[row.pk for row in rows])
    reasons = [_doubt(row) for row in by_state.get(State.ABSENT, ())]
    is_news = any(row.confirmation != state for state, rows in by_state.items() for row in rows)
    return Judgement(reasons, waits=State.WAITING in by_state, is_news=is_news)


def give_up(job: Job, *, is_unknown: bool = False) -> list[str]:
    """The service has no record of the job to hold webhooks against: what they brought stays, and is
    no proof. Returns why a person must look at it, where the service says that it knows no such job
    (`is_unknown`)."""
    hints = fast_sql.fetch_models(CheckResult, job=job, confirmation__in=OPEN) if is_unknown else []
    state = State.ABSENT if is_unknown else State.UNAVAILABLE
    fast_sql.update(CheckResult, {"confirmation": state}, job=job, confirmation__in=OPEN)
    return [_doubt(row) for row in hints]


def _doubt(row: CheckResult) -> str:
    said = _in_words(row)
    return f"The service does not confirm a result that a webhook brought: {said}."


def _in_words(row: CheckResult) -> str:
    body = row.body if isinstance(row.body, dict) else {}
    verdict = results.verdict(body, otherwise=row.passed)
    return f"{results.check_label(row.check_id)}, {verdict.replace('_', ' ')}"


def gravity(recommendation: str) -> int:
    """0 for Approve, 2 for Deny, 1 for whatever is neither: the greater stands. -1 for none."""
    said = recommendation.strip().casefold()
    if said in AGREES[Outcome.APPROVE]:
        return 0
    if said in AGREES[Outcome.REJECT]:
        return 2
    return 1 if said else -1


def notice(status: str, recommendation: str) -> dict[str, Any]:
    """What is kept of a job webhook until the service says the same."""
    return {"status": status, "recommendation": recommendation[:64]}


def agrees(said: Mapping[str, Any], status: str, recommendation: str) -> bool:
    """Whether a job that ended so confirms the notice."""
    told = str(said.get("recommendation") or "").strip()
    is_same = told.casefold() == recommendation.strip().casefold()
    return said.get("status") == status and (is_same or not told)


def worse(one: Mapping[str, Any], other: Mapping[str, Any]) -> Mapping[str, Any]:
    """Of two notices of one job the one that stays."""
    if not one:
        return other
    ranks = [
        (said.get("status") == Job.Status.FAILED, gravity(str(said.get("recommendation") or "")))
        for said in (one, other)
    ]
    return other if ranks[1] > ranks[0] else one


def is_adverse(said: Mapping[str, Any]) -> bool:
    """Whether a notice speaks against approving."""
    is_failed = said.get("status") == Job.Status.FAILED
    return is_failed or gravity(str(said.get("recommendation") or "")) > 0


def words(said: Mapping[str, Any]) -> str:
    """“complete, Approve”."""
    recommendation = str(said.get("recommendation") or "")
    parts = [str(said.get("status") or ""), f"“{recommendation}”" if recommendation else ""]
    return ", ".join(filter(None, parts))
