"""Results of checks and tools as rows: read from what the service sent, and written once each."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import orjson

from compliance.tracing import spans
from reviews import results
from reviews.models import CheckResult, Job

# What makes two rows the same result.
_UNIQUE = ("job", "source", "check_id", "subject")
# A webhook does not change whether the service confirms the row that is there.
_FIELDS_OF_WEBHOOK = ("body", "passed", "status", "rank")
_FIELDS_OF_ANSWER = (*_FIELDS_OF_WEBHOOK, "confirmation")


def tool_result(job: Job, tool_id: str, body: object) -> CheckResult:
    """The result of a tool webhook, as a row that is not saved yet."""
    content = body if isinstance(body, dict) else {}
    row = CheckResult(
        job=job,
        source=CheckResult.Source.TOOL,
        check_id=tool_id[:200],
        subject=_subject_of_tool(content, body),
        body=body,
        passed=_flag(content.get("passed")),
    )
    row.passed = results.passed(row)
    return row


def check_results(job: Job, content: Mapping[str, object]) -> list[CheckResult]:
    """The check results that a job carries, as rows that are not saved yet."""
    items = content.get("check_results")
    if not isinstance(items, list):
        return []
    rows = []
    for item in items:
        if isinstance(item, dict):
            rows.append(_check_result(job, item))
    return rows


def _check_result(job: Job, item: Mapping[str, object]) -> CheckResult:
    inner = item.get("result")
    if isinstance(inner, dict):
        passed = inner.get("passed")
    else:
        passed = None
    # Services name the check in different ways.
    check_id = item.get("check_id") or item.get("command_id") or item.get("type")
    row = CheckResult(
        job=job,
        source=CheckResult.Source.CHECK,
        check_id=plain_text(check_id)[:200],
        subject=_subject_of_check(item),
        body=item,
        passed=_flag(passed),
        status=plain_text(item.get("status"))[:40],
    )
    row.passed = results.passed(row)
    return row


def save(job: Job, rows: Sequence[CheckResult], *, is_over: bool) -> list[CheckResult]:
    """Write the results. Where the job is over, returns those that were not there before."""
    present = set()
    if is_over and rows:
        present = _identities(job.check_results.defer("body"))
    # One statement must not write a row twice: of two equal rows the later one is written.
    by_identity = {}
    has_hints = False
    for row in rows:
        by_identity[_identity(row)] = row
        has_hints = has_hints or row.confirmation != CheckResult.Confirmation.CONFIRMED
    if rows:
        fields = _FIELDS_OF_WEBHOOK if has_hints else _FIELDS_OF_ANSWER
        _write(job, [*by_identity.values()], fields)
    if not is_over:
        return []
    return [row for row in rows if _identity(row) not in present]


def _write(job: Job, rows: Sequence[CheckResult], fields: Sequence[str]) -> None:
    checks = sorted({row.check_id for row in rows})
    attributes = {"job": str(job.pk), "checks": " ".join(checks)}
    with spans.span("write findings", attributes=attributes):
        CheckResult.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=_UNIQUE, update_fields=fields
        )


def plain_text(value: object) -> str:
    """The value as text; "" for None."""
    if value is None:
        return ""
    return str(value)


def _identities(rows: Iterable[CheckResult]) -> set[tuple[str, str, str]]:
    return {_identity(row) for row in rows}


def _identity(row: CheckResult) -> tuple[str, str, str]:
    return row.source, row.check_id, row.subject


def _flag(value: object) -> bool | None:
    if isinstance(value, bool):
        return value
    return None


def _subject_of_tool(content: Mapping[str, object], body: object) -> str:
    """What tells two results of one tool apart: the document, and the content itself."""
    digest = _digest(body)
    payload = content.get("payload")
    if isinstance(payload, dict):
        document = payload.get("document")
    else:
        document = None
    if isinstance(document, dict):
        # Not the name of the file: it may be a person's, and this column is in the clear.
        name = document.get("url")
        if name:
            text = plain_text(name)
            # With the digest it fits the column: 255 characters.
            return f"{text[:190]}#{digest}"
    return f"sha256:{digest}"


def _subject_of_check(item: Mapping[str, object]) -> str:
    """What tells two results of one check apart. "" while it runs, so the next replaces it.

    Times and messages are not part of it: they change while the result stays the same.
    """
    if results.is_under_way(item):
        return ""
    content = {}
    for name in ("result", "payload", "error", "passed", "verdict"):
        content[name] = item.get(name)
    content["status"] = plain_text(item.get("status"))[:40].casefold()
    return f"sha256:{_digest(content)}"


def _digest(body: object) -> str:
    text = orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(text).hexdigest()
