"""Whether the service says the same as a webhook did.

A webhook is a hint: it fills the page, and counts for nothing better until getJobById, which the
desk calls with a key of its own, says the same. What it says against a case stays in the meantime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from reviews import results
from reviews.models import CheckResult, Job
from reviews.wire import JsonObject

State = CheckResult.Confirmation

# So often the service is asked for what its record does not contain: it may be behind.
TRIES = 4
# Results of webhooks that no answer of the service was compared with yet.
OPEN = (State.LIVE, State.WAITING)
# Nothing deeper, and no more members, are read. Results of a document have some hundred members.
DEEPEST = 16
MOST_MEMBERS = 200_000
# Members of a tool's payload that name the document, and are no result.
_NAMES_OF_DOCUMENT = frozenset({"type", "document"})


class Claim(NamedTuple):
    """One verdict, and the payload that it rests on."""

    verdict: str
    payload: JsonObject


@dataclass
class Record:
    """What the service's own answer contains."""

    # By check: what the record says of it, and of each of its documents.
    claims: dict[str, list[Claim]] = field(default_factory=dict)
    identities: set[tuple[str, str]] = field(default_factory=set)
    # The values of all members of its results, by name.
    members: dict[str, list[object]] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def of(cls, rows: Sequence[CheckResult]) -> Record:
        """`rows`: check results as getJobById gave them."""
        record = cls()
        for row in rows:
            identity = (row.check_id, row.subject)
            record.identities.add(identity)
            verdict = results.check_verdict(row)
            payload = _payload_of(row)
            claim = Claim(verdict, _without_document(payload))
            claims = record.claims.setdefault(row.check_id, [])
            claims.append(claim)
            record._read(row.body, 0, claims)
        return record

    def _read(self, value: object, depth: int, claims: list[Claim]) -> None:
        if depth > DEEPEST or self.count > MOST_MEMBERS:
            return
        if isinstance(value, list):
            for item in value:
                self._read(item, depth + 1, claims)
        if not isinstance(value, dict):
            return
        self.count += len(value)
        has_verdict = "passed" in value or "verdict" in value
        if "payload" in value and has_verdict:
            verdict = results.verdict(value)
            payload = _without_document(value["payload"])
            claim = Claim(verdict, payload)
            claims.append(claim)
        for name, inner in value.items():
            others = self.members.setdefault(name, [])
            others.append(inner)
            self._read(inner, depth + 1, claims)

    def contains(self, name: str, value: object) -> bool:
        """Whether a member of this name has the same value anywhere in the record."""
        for other in self.members.get(name, ()):
            if results.same(value, other):
                return True
        return False

    def judge(self, row: CheckResult) -> State:
        """CONFIRMED where the record says the same. ABSENT where it speaks of the same thing and
        says something else. UNAVAILABLE where it does not speak of such things at all."""
        if row.source == CheckResult.Source.CHECK:
            identity = (row.check_id, row.subject)
            if identity in self.identities:
                return State.CONFIRMED
            if self.claims:
                return State.ABSENT
            return State.UNAVAILABLE
        body = _body_of(row)
        verdict = results.verdict(body, otherwise=row.passed)
        payload = _without_document(body.get("payload"))
        claims = self.claims.get(row.check_id)
        if claims:
            # The tool has the name of a check: the record speaks of it directly.
            return _judge_by_claims(verdict, payload, claims)
        return self._judge_by_members(verdict, payload)

    def _judge_by_members(self, verdict: str, payload: JsonObject) -> State:
        speaks_against = any(map(results.speaks_against, payload.values()))
        if verdict == "pass" and speaks_against:
            return State.ABSENT  # its verdict contradicts its own content
        is_complete = bool(payload)
        is_comparable = False
        for name, value in payload.items():
            is_complete = is_complete and self.contains(name, value)
            is_comparable = is_comparable or name in self.members
        if is_complete:
            return State.CONFIRMED
        return State.ABSENT if is_comparable else State.UNAVAILABLE


def _judge_by_claims(
    verdict: str, payload: JsonObject, claims: Sequence[Claim]
) -> State:
    for claim in claims:
        if claim.verdict == verdict and _is_part(payload, claim.payload):
            return State.CONFIRMED
    return State.ABSENT


def _is_part(payload: JsonObject, whole: JsonObject) -> bool:
    """Whether all of the payload is in the other: a check may say more than its tool."""
    for name, value in payload.items():
        if name not in whole or not results.same(whole[name], value):
            return False
    return True


def _without_document(payload: object) -> JsonObject:
    """The members of a payload that say something, without the name of its document."""
    members: JsonObject = {}
    if not isinstance(payload, dict):
        return members
    for name, value in payload.items():
        if value and name not in _NAMES_OF_DOCUMENT:
            members[name] = value
    return members


def _body_of(row: CheckResult) -> JsonObject:
    """The body of a webhook; empty where it is no object."""
    if isinstance(row.body, dict):
        return row.body
    return {}


def _payload_of(row: CheckResult) -> object:
    """The payload of a check's result in the service's answer."""
    content = row.body.get("result") or row.body.get("payload")
    if isinstance(content, dict):
        return content.get("payload")
    return None


def mark_webhook_results(
    job: Job, rows: Sequence[CheckResult], *, is_over: bool
) -> None:
    """Set the confirmation of results that a webhook brought, before they are written.

    `is_over`: the job has ended, so the service's record may contain them already.
    """
    state = State.WAITING if is_over else State.LIVE
    for row in rows:
        row.confirmation = state
    if not is_over or not rows:
        return
    checks = job.check_results.filter(source=CheckResult.Source.CHECK)
    confirmed = checks.filter(confirmation=State.CONFIRMED)
    record = Record.of(list(confirmed))
    for row in rows:
        if record.judge(row) == State.CONFIRMED:
            row.confirmation = State.CONFIRMED


class Judgement(NamedTuple):
    """What came of the comparison of webhooks with the service's answer."""

    reasons: list[str]  # why a person must look at it
    waits: bool  # the service is to be asked again
    is_news: bool  # some result counts otherwise than before


def compare(job: Job, answer: Sequence[CheckResult], *, is_last: bool) -> Judgement:
    """Compare the results of webhooks with the service's answer. Runs with the case locked.

    Unless `is_last`, what the answer does not contain waits: the service may be behind.
    """
    hints = list(job.check_results.filter(confirmation__in=OPEN))
    if not hints:
        return Judgement([], waits=False, is_news=False)
    record = Record.of(answer)
    keys_by_state: dict[State, list[int]] = {}
    reasons = []
    is_news = False
    for row in hints:
        state = record.judge(row)
        if state == State.ABSENT and not is_last:
            state = State.WAITING
        keys = keys_by_state.setdefault(state, [])
        keys.append(row.pk)
        is_news = is_news or row.confirmation != state
        if state == State.ABSENT:
            reasons.append(_reason(row))
    # One statement for each state: a job may have some hundred results.
    for state, keys in keys_by_state.items():
        rows = CheckResult.objects.filter(pk__in=keys)
        rows.update(confirmation=state)
    waits = State.WAITING in keys_by_state
    return Judgement(reasons, waits=waits, is_news=is_news)


def close_unconfirmed(job: Job, *, is_unknown: bool = False) -> list[str]:
    """The service has no record of the job: what webhooks brought stays, and is no proof.

    Returns why a person must look at it, where the service says that it knows no such job
    (`is_unknown`).
    """
    hints = job.check_results.filter(confirmation__in=OPEN)
    if not is_unknown:
        hints.update(confirmation=State.UNAVAILABLE)
        return []
    reasons = [_reason(row) for row in hints]
    hints.update(confirmation=State.ABSENT)
    return reasons


def _reason(row: CheckResult) -> str:
    body = _body_of(row)
    verdict = results.verdict(body, otherwise=row.passed)
    words = verdict.replace("_", " ")
    label = results.check_label(row.check_id)
    return f"The service does not confirm a result that a webhook brought: {label}, {words}."
