"""The verdict of a result, and which of several results of the same check counts."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import cast

from reviews.models import CheckResult
from reviews.results.kinds import Verdict
from reviews.results.reading import items, obj, same, string, strings, truth
from reviews.wire import JsonObject

# Worst first. The worst verdict decides how a group of results looks.
SEVERITY: tuple[Verdict, ...] = (
    "fail", "error", "review", "inconclusive", "unknown", "running", "pass", "not_applicable",
)  # fmt: skip
# Verdicts that a person must look at.
OPEN = frozenset({"fail", "error", "review", "inconclusive"})
# The verdicts of the interface. All other members of SEVERITY are the desk's own.
VERDICTS = frozenset({"pass", "review", "fail", "inconclusive", "not_applicable"})
# Values of `status` in results of services, in lower case.
FAILED = {"failed", "error", "failure"}
RUNNING = {
    "pending",
    "running",
    "in_progress",
    "in progress",
    "queued",
    "started",
    "submitted",
}
# How services spell that a check ran to its end. With any other status a pass is none: a check that
# was skipped, cancelled or too slow has examined nothing, whatever its result says.
ENDED = {
    "", "complete", "completed", "done", "finished", "ok", "pass", "passed", "success",
    "successful", "succeeded",
}  # fmt: skip
# The words that services use for "does not apply", without spaces and punctuation.
_NOT_APPLICABLE = frozenset({"notapplicable", "na", "doesnotapply", "skipped"})
# Verdicts without a conclusion, or without one so far: any other verdict takes precedence.
_WITHOUT_CONCLUSION: tuple[Verdict, ...] = ("not_applicable", "unknown", "running")
# A webhook brought the result, but the service has not confirmed it.
HINTS = frozenset(
    {
        CheckResult.Confirmation.WAITING,
        CheckResult.Confirmation.ABSENT,
        CheckResult.Confirmation.UNAVAILABLE,
    }
)


def gravity(verdict: Verdict) -> int:
    """Rank of a verdict: among results of the same check, the smallest number takes effect."""
    if verdict in _WITHOUT_CONCLUSION:
        return len(SEVERITY) + _WITHOUT_CONCLUSION.index(verdict)
    return SEVERITY.index(verdict)


def worst(verdicts: Sequence[Verdict]) -> Verdict:
    return min(verdicts, key=SEVERITY.index, default="unknown")


def flag(value: object) -> bool | None:
    """A boolean. A word may mean a failure, but never a pass: "yes" gives None."""
    answer = truth(value)
    if answer and value is not True:
        return None
    return answer


def is_readable(members: JsonObject) -> bool:
    """Whether the verdict of a result has the form that the interface describes."""
    passed = members.get("passed")
    if passed is None or isinstance(passed, bool):
        return True
    return _verdict_word(members) in VERDICTS


def _verdict_word(members: JsonObject) -> str:
    return string(members.get("verdict"), 40).casefold()


def _pass_or_fail(*, passed: bool | None) -> Verdict:
    if passed is None:
        return "unknown"
    return "pass" if passed else "fail"


def verdict(members: JsonObject, *, otherwise: bool | None = None) -> Verdict:
    """The verdict of an object with `verdict` or `passed`; `otherwise` is used if it has
    neither.
    """
    # An explicit verdict counts before `passed`, unless `passed` is worse.
    word = _verdict_word(members)
    passed = flag(members.get("passed"))
    if word == "pass" and passed is False:
        return "fail"  # the members contradict each other: the worse one counts
    if word in VERDICTS:
        return cast(Verdict, word)
    if _does_not_apply(members):
        return "not_applicable"
    if passed is None:
        passed = otherwise
    return _pass_or_fail(passed=passed)


def _does_not_apply(members: JsonObject) -> bool:
    """Whether the words of a result mean "does not apply".

    For services without that verdict. A pass or an alert in the same result overrules the words.
    """
    if _verdict_word(members) in VERDICTS - {"not_applicable"}:
        return False
    # Any of these members may hold the words.
    for name in ("verdict", "status", "answer", "explanation"):
        words = string(members.get(name), 40).casefold()
        letters = "".join(filter(str.isalnum, words))
        if letters in _NOT_APPLICABLE:
            break
    else:
        return False
    is_pass = members.get("passed") is True
    return not is_pass and not strings(members.get("alerts"))


def passed(row: CheckResult) -> bool | None:
    """The result as true, false or null, for callers that read only `passed`.

    None if the check does not apply. True only if the verdict is a pass, too.
    """
    if row.source == CheckResult.Source.CHECK:
        conclusion = check_verdict(row)
    else:
        conclusion = verdict(obj(row.body), otherwise=row.passed)
    if conclusion == "not_applicable" or row.passed is None:
        return None
    if row.passed and row.confirmation in HINTS:
        return None  # only a webhook reports this pass
    if row.passed and conclusion in {"error", "unknown", "running"}:
        return None  # it did not run to its end
    return row.passed and conclusion == "pass"


def contents(row: CheckResult) -> tuple[JsonObject, JsonObject]:
    """The content of a check result, and the payload within it.

    Services send the content as `result` or as `payload`.
    """
    body = obj(row.body)
    content = obj(body.get("result"))
    if not content:
        content = obj(body.get("payload"))
    return content, obj(content.get("payload"))


def if_confirmed(row: CheckResult, verdict: Verdict) -> Verdict:
    """The verdict that counts: an unconfirmed pass becomes "unknown", an unconfirmed failure
    counts.
    """
    if row.confirmation in HINTS and verdict not in OPEN:
        return "unknown"
    return verdict


def check_verdict(row: CheckResult) -> Verdict:
    return if_confirmed(row, _unconfirmed_verdict(row))


def _unconfirmed_verdict(row: CheckResult) -> Verdict:
    body = obj(row.body)
    content, payload = contents(row)
    status = row.status or string(body.get("status"), 40)
    status = status.strip().casefold()
    if _does_not_apply({**content, "status": status}):
        return "not_applicable"
    if status in FAILED:
        return "error"
    if status in RUNNING:
        return "running"
    conclusion = _conclusion(row, content, payload)
    if conclusion != "pass":
        return conclusion
    if any(map(_names_error, (body, content, payload))):
        return "error"
    return "pass" if status in ENDED else "unknown"


def _conclusion(row: CheckResult, content: JsonObject, payload: JsonObject) -> Verdict:
    """What a check that ended concludes. A pass that another member contradicts is none."""
    conclusions: list[Verdict] = []
    for members in (content, payload, obj(row.body)):
        conclusion = verdict(members)
        if conclusion != "unknown":
            conclusions.append(conclusion)
    if not conclusions:
        if row.passed is not None:
            return _pass_or_fail(passed=row.passed)
        return _verdict_of_documents(content, payload)
    if conclusions[0] != "pass":
        return conclusions[0]
    for holder in (content, payload):
        if items(holder.get("invalid_documents")):
            conclusions.append("review")
    return worst(conclusions)


def _names_error(members: JsonObject) -> bool:
    """Whether a result names an error, as a text or in any other form."""
    error = members.get("error")
    if isinstance(error, str):
        return bool(error.strip())
    return isinstance(error, dict | list) and bool(error)


def _verdict_of_documents(content: JsonObject, payload: JsonObject) -> Verdict:
    """The verdict from older forms: a flag one level down, or lists of valid and invalid
    documents.
    """
    has_passed = False
    for holder in (content, payload):
        for value in holder.values():
            passed = flag(obj(value).get("verification_passed"))
            if passed is False:
                return "fail"
            has_passed = has_passed or passed is True
        if items(holder.get("invalid_documents")):
            return "fail"
        if items(holder.get("valid_documents")):
            has_passed = True
    return "pass" if has_passed else "unknown"


def is_under_way(body: Mapping[str, object]) -> bool:
    """Whether the check has not ended, according to its `status`."""
    status = string(body.get("status"), 40)
    return status.casefold() in RUNNING


def check_is_readable(row: CheckResult) -> bool:
    body = obj(row.body)
    content = body.get("result") or body.get("payload") or {}
    if not isinstance(content, dict):
        return False
    objects = (body, *contents(row))
    return all(map(is_readable, objects))


def effective_results(
    rows: Iterable[CheckResult],
) -> list[tuple[CheckResult, list[CheckResult]]]:
    """The check results that count, each with the other results of the same check in the same
    job.

    The worst result counts; among equally bad ones the latest. The others do not include results
    with the verdict "running".
    """
    groups: dict[Hashable, list[CheckResult]] = {}
    for row in rows:
        if row.source != CheckResult.Source.CHECK:
            continue
        # A result without an id of a check is a group of its own.
        key: Hashable = id(row)
        if row.check_id:
            key = (row.job_id, row.check_id)
        groups.setdefault(key, []).append(row)
    return [_split_group(group) for group in groups.values()]


def _split_group(group: Sequence[CheckResult]) -> tuple[CheckResult, list[CheckResult]]:
    if len(group) == 1:
        return group[0], []
    verdicts = [check_verdict(row) for row in group]
    gravities = [gravity(verdict) for verdict in verdicts]
    worst_gravity = min(gravities)
    # The last result with the worst verdict takes effect.
    last = len(group) - 1
    while gravities[last] != worst_gravity:
        last -= 1
    effective = group[last]
    others = []
    for row, verdict in zip(group, verdicts, strict=True):
        if row is effective or verdict == "running":
            continue
        # A repetition of the same content is not worth a row on the page.
        is_repeated = verdict == verdicts[last]
        if is_repeated and same(contents(row), contents(effective)):
            continue
        others.append(row)
    return effective, others
