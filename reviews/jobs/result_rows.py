"""Reads results of checks and tools from JSON, and writes each of them once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import orjson

from compliance.tracing import spans
from reviews import results
from reviews.findings.values import keyed_hashes
from reviews.models import CheckResult, Job

# The columns that identify a result.
_UNIQUE = ("job", "source", "check_id", "subject")
# A webhook does not change the confirmation of an existing row.
_FIELDS_OF_WEBHOOK = ("body", "passed", "status", "rank")
# Services use different names for the id of a check.
_NAMES_OF_CHECK = ("check_id", "command_id", "type")
# The check of a result that does not say which it is of.
UNNAMED = "check_results"
_FIELDS_OF_ANSWER = (*_FIELDS_OF_WEBHOOK, "confirmation")


def tool_result(job: Job, tool_id: str, body: object) -> CheckResult:
    """The result in a tool webhook, as an unsaved row."""
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
    """The check results in a job, as unsaved rows."""
    return [_check_result(job, item) for item in _items(content.get("check_results"))]


def _items(value: object) -> list[Mapping[str, object]]:
    """The check results as objects, whatever shape the service sent.

    What is no object has no verdict. It is kept as a result, so that a person looks at it.
    """
    if isinstance(value, dict) and not _names_check(value):
        # Some services name each result by its check instead of listing them.
        return [_item(item, check_id=name) for name, item in value.items()]
    listed = value if isinstance(value, list) else [value]
    return [_item(item, check_id=UNNAMED) for item in listed if item is not None]


def _item(value: object, *, check_id: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        return {"check_id": check_id, "result": value}
    if _names_check(value):
        return value
    return {**value, "check_id": check_id}


def _names_check(item: Mapping[str, object]) -> bool:
    return any(map(item.get, _NAMES_OF_CHECK))


def _check_result(job: Job, item: Mapping[str, object]) -> CheckResult:
    inner = item.get("result")
    if isinstance(inner, dict):
        passed = inner.get("passed")
    else:
        passed = None
    names = filter(None, map(item.get, _NAMES_OF_CHECK))
    check_id = next(names, "")
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
    """Write the results. If the job is over, return those that did not exist before."""
    present = set()
    if is_over and rows:
        present = _identities(job.check_results.defer("body"))
    # ON CONFLICT cannot update one row twice. Of two equal rows the later one is written.
    by_identity = {}
    has_unconfirmed = False
    for row in rows:
        by_identity[_identity(row)] = row
        has_unconfirmed = (
            has_unconfirmed or row.confirmation != CheckResult.Confirmation.CONFIRMED
        )
    if rows:
        fields = _FIELDS_OF_WEBHOOK if has_unconfirmed else _FIELDS_OF_ANSWER
        _write(job, [*by_identity.values()], fields)
    if has_unconfirmed:
        _read_confirmations(rows)
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


def _read_confirmations(rows: Sequence[CheckResult]) -> None:
    """Set the confirmations as stored: a line of the trail proves the rows as they are there.

    A webhook that repeats a result has left the confirmation of its row as it was.
    """
    keys = [row.pk for row in rows if row.pk]
    stored = CheckResult.objects.filter(pk__in=keys)
    confirmations = dict(stored.values_list("pk", "confirmation"))
    for row in rows:
        if row.pk:
            row.confirmation = confirmations[row.pk]


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
    """The identity of a result among those of one tool: its document, and its content.

    Keyed, because the content has names and dates, and the URL of a document may be a link to it.
    """
    digest = _digest(body)
    payload = content.get("payload")
    if isinstance(payload, dict):
        document = payload.get("document")
    else:
        document = None
    if isinstance(document, dict):
        url = document.get("url")
        if url:
            # As an earlier version stored it in the clear, so that its rows could be keyed.
            return keyed_hashes.keyed(f"{plain_text(url)[:190]}#{digest}")
    return keyed_hashes.keyed(f"sha256:{digest}")


def _subject_of_check(item: Mapping[str, object]) -> str:
    """The identity of a result among those of one check.

    "" while the check runs, so that the next result replaces the row. Times and messages are
    left out, because they change while the result stays the same.
    """
    if results.is_under_way(item):
        return ""
    content = {}
    for name in ("result", "payload", "error", "passed", "verdict"):
        content[name] = item.get(name)
    content["status"] = plain_text(item.get("status"))[:40].casefold()
    return keyed_hashes.keyed(f"sha256:{_digest(content)}")


def _digest(body: object) -> str:
    text = orjson.dumps(body, option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS)
    return hashlib.sha256(text).hexdigest()
