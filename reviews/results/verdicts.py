"""What a result concludes, and which of two is the worse."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from reviews.models import CheckResult
from reviews.results.kinds import Verdict
from reviews.results.reading import items, obj, same, string, strings, truth

# Worst first: what decides how a group of results looks.
SEVERITY: tuple[Verdict, ...] = (
    "fail", "error", "review", "inconclusive", "unknown", "running", "pass", "not_applicable",
)  # fmt: skip
OPEN = frozenset({"fail", "error", "review", "inconclusive"})  # these ask for a person
VERDICTS = frozenset({"pass", "review", "fail", "inconclusive", "not_applicable"})
FAILED = {"failed", "error", "failure"}
RUNNING = {"pending", "running", "in_progress", "in progress", "queued", "started", "submitted"}
# How services spell that an examination does not apply, without blanks and signs between the words.
_NO_SUBJECT = frozenset({"notapplicable", "na", "doesnotapply", "skipped"})
# What says nothing, or not yet, takes the place of nothing that was said.
_SILENT: tuple[Verdict, ...] = ("not_applicable", "unknown", "running")


def gravity(verdict: Verdict) -> int:
    """Of two results for the same, the one with the smaller number stands."""
    if verdict in _SILENT:
        return len(SEVERITY) + _SILENT.index(verdict)
    return SEVERITY.index(verdict)


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    return min(verdicts, key=SEVERITY.index, default="unknown")


def flag(value: Any) -> bool | None:
    """A boolean. A word may speak against somebody, but none for him: "yes" is no pass."""
    said = truth(value)
    return None if said and value is not True else said


def is_readable(members: Mapping[str, Any]) -> bool:
    """Whether the verdict of a result has the form that the interface gives it."""
    passed = members.get("passed")
    is_flag = passed is None or isinstance(passed, bool)
    return is_flag or string(members.get("verdict"), 40).casefold() in VERDICTS


def verdict(members: Mapping[str, Any], *, otherwise: bool | None = None) -> Verdict:
    said = string(members.get("verdict"), 40).casefold()
    if said == "pass" and flag(members.get("passed")) is False:
        return "fail"  # it contradicts itself
    if said in VERDICTS:
        return cast(Verdict, said)
    if _does_not_apply(members):
        return "not_applicable"
    passed = flag(members.get("passed"))
    passed = otherwise if passed is None else passed
    return "unknown" if passed is None else "pass" if passed else "fail"


def _does_not_apply(members: Mapping[str, Any]) -> bool:
    """Whether one that knows no verdict says so in words. An alert beside them speaks against it."""
    if string(members.get("verdict"), 40).casefold() in VERDICTS - {"not_applicable"}:
        return False
    names = ("verdict", "status", "answer", "explanation")
    spelled = {_bare(string(members.get(name), 40)) for name in names}
    is_told = bool(spelled & _NO_SUBJECT)
    return is_told and members.get("passed") is not True and not strings(members.get("alerts"))


def _bare(words: str) -> str:
    return "".join(filter(str.isalnum, words.casefold()))


def passed(row: CheckResult) -> bool | None:
    """What a result says to those who know `passed` alone: null where it does not apply, and true
    only where it concludes so, whatever a service sent in its form of old."""
    if row.source == CheckResult.Source.CHECK:
        said = check_verdict(row)
    else:
        said = verdict(obj(row.body), otherwise=row.passed)
    if said == "not_applicable" or row.passed is None:
        return None
    if row.passed and row.confirmation in HINTS:
        return None  # nobody but a webhook says so
    return row.passed and said == "pass"


def contents(row: CheckResult) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """What a check result says, and the payload within that: either may be where the other is."""
    body = obj(row.body)
    content = obj(body.get("result")) or obj(body.get("payload"))
    return content, obj(content.get("payload"))


# What a webhook brought and the service was asked about, but has not confirmed.
HINTS = frozenset(
    {
        CheckResult.Confirmation.WAITING,
        CheckResult.Confirmation.ABSENT,
        CheckResult.Confirmation.UNAVAILABLE,
    }
)


def hinted(row: CheckResult, verdict: Verdict) -> Verdict:
    """What counts of a result: one that the service has not confirmed speaks for nobody."""
    return "unknown" if row.confirmation in HINTS and verdict not in OPEN else verdict


def check_verdict(row: CheckResult) -> Verdict:
    return hinted(row, _check_verdict(row))


def _check_verdict(row: CheckResult) -> Verdict:
    body = obj(row.body)
    content, payload = contents(row)
    status = (row.status or string(body.get("status"), 40)).casefold()
    if _does_not_apply({**content, "status": status}):
        return "not_applicable"
    if status in FAILED:
        return "error"
    if status in RUNNING:
        return "running"
    for members in (content, payload, body):
        said = verdict(members)
        if said != "unknown":
            return said
    if row.passed is not None:
        return "pass" if row.passed else "fail"
    return _by_documents(content, payload)


def _by_documents(content: Mapping[str, Any], payload: Mapping[str, Any]) -> Verdict:
    """Services of an older kind say it within: a flag one level down, or lists of documents."""
    for holder in (content, payload):
        for value in holder.values():
            passed = flag(obj(value).get("verification_passed"))
            if passed is not None:
                return "pass" if passed else "fail"
        if items(holder.get("invalid_documents")):
            return "fail"
        if items(holder.get("valid_documents")):
            return "pass"
    return "unknown"


def is_under_way(body: Mapping[str, Any]) -> bool:
    """Whether a check result says that the check has not ended."""
    return string(body.get("status"), 40).casefold() in RUNNING


def check_is_readable(row: CheckResult) -> bool:
    body = obj(row.body)
    held = body.get("result") or body.get("payload") or {}
    return isinstance(held, dict) and all(map(is_readable, (body, *contents(row))))


def standing(rows: Iterable[CheckResult]) -> list[tuple[CheckResult, list[CheckResult]]]:
    """The check results, of several of one check in one job the worst, and beside it the others.

    Of two that are equally bad the later one stands. What was still running says nothing.
    """
    groups: dict[Any, list[CheckResult]] = {}
    for row in rows:
        if row.source == CheckResult.Source.CHECK:
            key = (row.job_id, row.check_id) if row.check_id else id(row)
            groups.setdefault(key, []).append(row)
    return [_worst_of(group) for group in groups.values()]


def _worst_of(group: Sequence[CheckResult]) -> tuple[CheckResult, list[CheckResult]]:
    if len(group) == 1:
        return group[0], []
    first = min(reversed(group), key=lambda row: gravity(check_verdict(row)))
    others = [
        row
        for row in group
        if row is not first
        and check_verdict(row) != "running"
        and not (
            check_verdict(row) == check_verdict(first) and same(contents(row), contents(first))
        )
    ]
    return first, others
