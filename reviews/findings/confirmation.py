"""Compares the results of webhooks with the record of the service.

A webhook is only a hint. It fills the page, but a good result in it has no effect until
getJobById, which the desk calls with its own API key, returns the same. A bad result has its
effect at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from reviews import results
from reviews.audit import trail
from reviews.models import CheckResult, Job
from reviews.wire import JsonObject

State = CheckResult.Confirmation

# The record of the service may be late: it is asked this often before a missing result counts
# as absent.
TRIES = 4
# The states of webhook results that were not yet compared with an answer of the service.
OPEN = (State.LIVE, State.WAITING)
# Limits for reading an answer: depth and number of members. Results of a document have about a
# hundred members.
DEEPEST = 16
MOST_MEMBERS = 200_000
# Members of a tool's payload that name the document. They are not part of the result.
_NAMES_OF_DOCUMENT = frozenset({"type", "document"})


class Claim(NamedTuple):
    """A verdict, and the payload that it is based on."""

    verdict: str
    payload: JsonObject


@dataclass
class Record:
    """The content of the service's own answer, prepared for comparisons."""

    # By id of the check: the verdict for the check, and those for each of its documents.
    claims: dict[str, list[Claim]] = field(default_factory=dict)
    identities: set[tuple[str, str]] = field(default_factory=set)
    # All values in the results, by the name of the member that has them.
    members: dict[str, list[object]] = field(default_factory=dict)
    count: int = 0

    @classmethod
    def of(cls, rows: Sequence[CheckResult]) -> Record:
        """Build a record. `rows`: the check results that getJobById returned."""
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
        # A depth limit, because the answer comes from outside and may be nested without end.
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
        """Whether the record has a member of this name with the same value, at any depth."""
        for other in self.members.get(name, ()):
            if results.same(value, other):
                return True
        return False

    def judge(self, row: CheckResult) -> State:
        """Compare a webhook result with the record.

        CONFIRMED: the record has the same result. ABSENT: the record covers the same thing with
        another result. UNAVAILABLE: the record does not cover such things at all.
        """
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
            # The tool is named like a check, so the record has a result for it directly.
            return _judge_by_claims(verdict, payload, claims)
        return self._judge_by_members(verdict, payload)

    def _judge_by_members(self, verdict: str, payload: JsonObject) -> State:
        speaks_against = any(map(results.speaks_against, payload.values()))
        if verdict == "pass" and speaks_against:
            return State.ABSENT  # the verdict contradicts the content of the payload
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
    """Whether all members of the payload are in the other one.

    A check may add more than its tool.
    """
    for name, value in payload.items():
        if name not in whole or not results.same(whole[name], value):
            return False
    return True


def _without_document(payload: object) -> JsonObject:
    """The members of a payload that carry a result, without those that name the document."""
    members: JsonObject = {}
    if not isinstance(payload, dict):
        return members
    for name, value in payload.items():
        if value and name not in _NAMES_OF_DOCUMENT:
            members[name] = value
    return members


def _body_of(row: CheckResult) -> JsonObject:
    """The body of a webhook result; empty if it is not an object."""
    if isinstance(row.body, dict):
        return row.body
    return {}


def _payload_of(row: CheckResult) -> object:
    """The payload in a check result of the service's answer."""
    content = row.body.get("result") or row.body.get("payload")
    if isinstance(content, dict):
        return content.get("payload")
    return None


def mark_webhook_results(
    job: Job, rows: Sequence[CheckResult], *, is_over: bool
) -> None:
    """Set the confirmation of results from a webhook, before they are stored.

    `is_over`: the job has ended, so the record of the service may contain them already.
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
    """The result of comparing webhook results with the service's answer."""

    reasons: list[str]  # why a person must look at it
    waits: bool  # the service is to be asked again
    is_news: bool  # the state of some result has changed


def compare(job: Job, answer: Sequence[CheckResult], *, is_last: bool) -> Judgement:
    """Compare the webhook results of a job with the service's answer. The case is locked.

    Unless `is_last`, a missing result keeps waiting: the record of the service may be late.
    """
    hints = list(job.check_results.filter(confirmation__in=OPEN))
    if not hints:
        return Judgement([], waits=False, is_news=False)
    record = Record.of(answer)
    reasons = []
    waits = False
    changed = []
    for row in hints:
        state = record.judge(row)
        if state == State.ABSENT and not is_last:
            state = State.WAITING
        waits = waits or state == State.WAITING
        if row.confirmation != state:
            row.confirmation = state
            changed.append(row)
        if state == State.ABSENT:
            reasons.append(_reason(row))
    _store(job, changed)
    return Judgement(reasons, waits=waits, is_news=bool(changed))


def _store(job: Job, changed: Sequence[CheckResult]) -> None:
    """Store the new confirmations, with a line of the trail that proves them."""
    if not changed:
        return
    keys_by_state: dict[str, list[int]] = {}
    for row in changed:
        keys = keys_by_state.setdefault(row.confirmation, [])
        keys.append(row.pk)
    # One UPDATE per state, because a job may have hundreds of results.
    for state, keys in keys_by_state.items():
        rows = CheckResult.objects.filter(pk__in=keys)
        rows.update(confirmation=state)
    checks = {row.check_id for row in changed}
    data = {"job": job.remote_id, "checks": sorted(checks)}
    trail.record(job.case, "results_compared", data, about=changed)


def close_unconfirmed(job: Job, *, is_unknown: bool = False) -> list[str]:
    """Close the comparison when the service has no record: webhook results stay unproven.

    `is_unknown`: the service says that it does not know the job at all. Then the results count
    as absent, and the reasons why a person must look at them are returned.
    """
    hints = list(job.check_results.filter(confirmation__in=OPEN))
    reasons = []
    for row in hints:
        row.confirmation = State.ABSENT if is_unknown else State.UNAVAILABLE
        if is_unknown:
            reasons.append(_reason(row))
    _store(job, hints)
    return reasons


def _reason(row: CheckResult) -> str:
    body = _body_of(row)
    verdict = results.verdict(body, otherwise=row.passed)
    words = verdict.replace("_", " ")
    label = results.check_label(row.check_id)
    return f"The service does not confirm a result that a webhook brought: {label}, {words}."
