"""The list of checks beside the document, and the line of the queue that sums them up."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from compliance.db import fast_sql
from reviews.models import Case, CheckResult, Document, Severity
from reviews.results.kinds import (
    STATE_WORDS,
    Check,
    Comparison,
    Indicator,
    Other,
    Part,
    Section,
    Verdict,
)
from reviews.results.matching import kind_of
from reviews.results.parts import LISTS, SAID, documents_of, parts, shown_keys
from reviews.results.reading import label, obj, strings, text, versions
from reviews.results.verdicts import (
    OPEN,
    SEVERITY,
    check_is_readable,
    check_verdict,
    contents,
    gravity,
    standing,
    worst,
)

GROUPS = ("Documents", "Business", "Screening", "People")
LABELS = {
    "kyb.incorporation_document_extraction_tool": "Text extraction",
    "kyb.incorporation_document_extractor": "Text extraction",
    "kyb.visual_verification_v3": "Visual inspection",
    "document_fraud_check": "Fraud indicators",
}
MAX_FINDING = 200
# What checks of sanctions are called by services.
SANCTIONS_WORDS = ("sanction", "watchlist", "ofac")
VERIFIED = "verified_"
# Members that say for other clients what the rows of a part say.
REPEATED = {
    "mcc_code_check": {"mcc_code", "mcc_title", "mcc_code_description", "candidate_mcc_codes"},
}
VERIFIED_FIRST = (
    "business_name", "registration_number", "ein", "incorporation_date", "jurisdiction",
    "business_address", "business_activity",
)  # fmt: skip
MAX_RESULTS = 400  # of a job, for the page and the summary; what floods us is kept all the same


def check_label(check_id: str) -> str:
    """kyb.sanctions_screening_check_v2 → Sanctions screening."""
    if check_id in LABELS:
        return LABELS[check_id]
    short = re.sub(r"^(kyb|kyc)[._]", "", check_id[:200])
    while True:
        shorter = re.sub(r"_(v\d+|check|tool|verification)$", "", short)
        if shorter == short:
            break
        short = shorter
    return label(short) or "Unnamed check"


def checks(
    rows: Sequence[CheckResult],
    documents: Sequence[Document],
    found: Sequence[Part],
    *,
    awaited: bool = False,
) -> list[Check]:
    """The checks of the job, then what came without one. Never raises.

    `awaited`: the job is still under way, so a document without results is waiting for them.
    """
    said = standing(rows)
    ids = {row.check_id for row, _ in said}
    listed = [_beside(_check(row, documents, found, ids), row, others) for row, others in said]
    covered = {document for check in listed for document in check.documents}
    listed += [
        _of_document(document, found, awaited=awaited)
        for document in documents
        if document.pk.hex not in covered
    ]
    listed += _of_tools(listed, found)
    # What does not apply to this case comes last in its group.
    return sorted(
        listed, key=lambda check: (GROUPS.index(check.group), check.verdict == "not_applicable")
    )


def _check(
    row: CheckResult, documents: Sequence[Document], found: Sequence[Part], ids: Container[str]
) -> Check:
    body = obj(row.body)
    content, payload = contents(row)
    examined = documents_of(row, documents)
    name = check_label(row.check_id)
    return Check(
        id=row.check_id or f"result-{row.pk}",
        label=name,
        group=_group(row.check_id, examined),
        verdict=check_verdict(row),
        is_readable=check_is_readable(row),
        confirmation=row.confirmation,
        explanation=text(content.get("explanation") or payload.get("explanation")),
        answer=text(content.get("answer")),
        error=text(body.get("error") or content.get("error"), 1000),
        alerts=strings(content.get("alerts")),
        documents=examined,
        verified=_verified(content, payload),
        rest=_rest(row, body, content, payload),
        at=row.received_at,
        versions=versions(content.get("versions")),
        parts=tuple(
            part
            for part in found
            if (
                _is_of(part, row.check_id, found, ids)
                if part.document in examined
                else _is_named(part, row.check_id, name)
            )
        ),
    )


def _beside(check: Check, row: CheckResult, others: Sequence[CheckResult]) -> Check:
    """The check beside what its own tool said, and what other results of it say."""
    tools = [part for part in check.parts if part.from_tool and part.origin == row.check_id]
    said = [part.verdict for part in tools if part.verdict in OPEN]
    if check.verdict == "not_applicable" and any(part.verdict in OPEN for part in check.parts):
        said.append("review")  # it contradicts itself
    return replace(
        check,
        verdict=min([check.verdict, *said], key=gravity),
        replaced=[_other(other, row) for other in others],
    )


def _other(row: CheckResult, first: CheckResult) -> Other:
    content, payload = contents(row)
    return Other(
        origin=row.check_id,
        verdict=check_verdict(row),
        words=text(content.get("explanation") or payload.get("explanation")),
        is_readable=check_is_readable(row),
        is_earlier=(row.pk or 0) < (first.pk or 0),
        at=row.received_at,
    )


def _of_parts_read(own: Sequence[Part]) -> list[Verdict]:
    """What the parts conclude; what could not be read only where there is nothing else."""
    read = [part.verdict for part in own if part.is_readable or part.verdict in OPEN]
    return read or [part.verdict for part in own]


def _is_named(part: Part, check_id: str, name: str) -> bool:
    """A part about no document belongs to the check of its tool, told by id or by name."""
    return not part.document and (part.origin == check_id or check_label(part.origin) == name)


def _is_of(part: Part, check_id: str, found: Sequence[Part], ids: Container[str]) -> bool:
    """A part about a document belongs to the checks of that document, since tools do not say whose
    they are; but a tool that is called as a check is that check's alone, and its whole."""
    is_tool = any(other.from_tool and other.origin == check_id for other in found)
    return part.origin == check_id or not (is_tool or part.origin in ids)


def _rest(
    row: CheckResult,
    body: Mapping[str, Any],
    content: Mapping[str, Any],
    payload: Mapping[str, Any],
) -> Any:
    """What is shown nowhere else, raw. A body that could not be read at all is kept whole."""
    if not content:
        known = {"id", "check_id", "command_id", "type", "status", "error", "result", "payload",
                 "status_messages", "created_at", "updated_at"}  # fmt: skip
        odd = body.get("result") or body.get("payload")
        return (
            odd or {k: v for k, v in body.items() if k not in known} or (None if body else row.body)
        )
    shown = {*SAID, *shown_keys(content), *shown_keys(payload), *LISTS, "error"}
    for part, repeated in REPEATED.items():
        shown |= repeated if part in shown else set()
    rest = {
        k: v
        for k, v in (*content.items(), *payload.items())
        if k not in shown and not _is_verified(k, v)
    }
    odd = content.get("payload")
    if odd is not None and not isinstance(odd, dict):
        rest["payload"] = odd
    return {key: value for key, value in rest.items() if value not in (None, "", [], {})} or None


def _verified(
    content: Mapping[str, Any], payload: Mapping[str, Any]
) -> tuple[tuple[str, str], ...]:
    """The members `verified_…` of a result, in words: what its valid documents say."""
    said = {
        name.removeprefix(VERIFIED): text(value)
        for name, value in (*content.items(), *payload.items())
        if _is_verified(name, value)
    }
    # A JSON column need not keep the order of the members.
    known = [name for name in VERIFIED_FIRST if name in said]
    return tuple((label(name), said[name]) for name in [*known, *sorted(said.keys() - {*known})])


def _is_verified(name: Any, value: Any) -> bool:
    """Whether it is one, and says something. `verified_` alone, or in another shape, is raw."""
    return (
        isinstance(name, str)
        and name.startswith(VERIFIED)
        and bool(label(name.removeprefix(VERIFIED)) and text(value))
    )


def _group(check_id: str, examined: Sequence[str]) -> str:
    folded = check_id.casefold()
    if examined or "document" in folded or kind_of(check_id):
        return "Documents"
    if re.search(r"sanction|pep_|_pep|watchlist|adverse|screening", folded):
        return "Screening"
    return "People" if folded.startswith(("kyc.", "kyc_")) else "Business"


def _of_document(document: Document, found: Sequence[Part], *, awaited: bool) -> Check:
    """A document whose check has not spoken (yet): what its tools said."""
    key = document.pk.hex
    own = [part for part in found if part.document == key]
    verdicts = _of_parts_read(own)
    if awaited and worst(verdicts) not in {"fail", "error", "review"}:
        verdicts.append("running")
        verdicts = [v for v in verdicts if v != "pass"]
    return Check(
        id=f"document-{key}",
        label=document.get_kind_display(),
        group="Documents",
        verdict=worst(verdicts),
        explanation="",
        answer="",
        error="",
        alerts=(),
        documents=(key,),
        parts=tuple(own),
        versions=_of_parts(own),
    )


def _of_tools(listed: Sequence[Check], found: Sequence[Part]) -> Iterator[Check]:
    """Tool events about no document, of tools that no check result speaks for."""
    taken = {id(part) for check in listed for part in check.parts}
    loose: dict[str, list[Part]] = {}
    for part in found:
        if not part.document and id(part) not in taken:
            loose.setdefault(part.origin, []).append(part)
    for origin, own in loose.items():
        last = own[-1]
        yield Check(
            id=origin or "unnamed",
            label=check_label(origin),
            group=_group(origin, ()),
            verdict=worst(_of_parts_read(own)),
            explanation=last.explanation,
            answer=last.answer,
            error="",
            alerts=last.alerts,
            documents=(),
            at=last.at,
            parts=tuple(own),
            versions=_of_parts(own),
        )


def _of_parts(own: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """The versions that several results rest on, each once."""
    return tuple(sorted({one for part in own for one in part.versions}))


def summarise(case: Case, rows: Sequence[CheckResult]) -> dict[str, Any]:
    """What the queue shows of the case: what applied to it. Never raises.

    {"checks": [[label, verdict], …], "finding": text, "risks": how many RISK indicators,
    "findings": how many speak against the case, "documents": {hex id: verdict}, those alone that a check or tool spoke of}
    """
    documents = fast_sql.fetch_models(Document, order="created_at", case=case)
    found = parts(rows, documents, case.self_attested_data)
    all_checks = checks(rows, documents, found)
    listed = [
        check
        for check in all_checks
        if check.verdict != "not_applicable"
        and (
            not check.id.startswith("document-")
            or any(part.document in check.documents for part in found)
        )
    ]
    return {
        "checks": [[check.label, _brief(check.verdict)] for check in listed],
        "finding": next(_findings(listed, found), "")[:MAX_FINDING],
        "documents": _of_documents(all_checks),
        "risks": sum(
            isinstance(row, Indicator) and row.type == "RISK"
            for part in found
            for row in part.findings
        ),
        "findings": _count_against(listed),
    }


def _count_against(listed: Sequence[Check]) -> int:
    """How many findings speak against the case: each once, however many checks show it, and each
    failed check that shows none."""
    rows = {id(row) for check in listed for row in check.against}
    bare = [check for check in listed if check.verdict == "fail" and not check.against]
    return len(rows) + len(bare)


def _of_documents(listed: Sequence[Check]) -> dict[str, Verdict]:
    said: dict[str, list[Verdict]] = {}
    for check in listed:
        if check.id.startswith("document-") and not check.parts:
            continue  # nobody looked at it
        for key in check.documents:
            said.setdefault(key, []).append(check.verdict)
    return {key: _brief(worst(verdicts)) for key, verdicts in said.items()}


def verdict_of(document: Document) -> str:
    """What the checks that read a document conclude, as its case sums it up: "not_checked" where
    none did, "running" while they run, unless something speaks against it already."""
    summary = document.case.summary if isinstance(document.case.summary, dict) else {}
    kept = summary.get("documents")
    said = kept.get(document.pk.hex) if isinstance(kept, dict) else None
    if document.case.status == Case.Status.CHECKING:
        return said if said in {"fail", "error", "review"} else "running"
    if kept is None and summary.get("checks"):
        return "unknown"  # summed up before documents were told apart
    return said if said in SEVERITY else "not_checked"


def risk_of(summary: Any) -> int:
    """How many findings speak against the case, by its summary."""
    said = summary if isinstance(summary, dict) else {}
    if "findings" in said:
        return int(said["findings"])
    # Summed up by an earlier version: RISK indicators and failed checks.
    pairs = said.get("checks")
    failed = sum(pair[1] == "fail" for pair in pairs) if isinstance(pairs, list) else 0
    return failed + int(said.get("risks") or 0)


def severity_of(summary: Any) -> Severity:
    """The worst of the findings of a case's summary, by the verdicts and names of its checks."""
    kept = summary if isinstance(summary, dict) else {}
    pairs = kept.get("checks") or []
    verdicts = {verdict for _, verdict in pairs}
    if "fail" in verdicts:
        is_hit = any(verdict == "fail" and is_sanctions(name) for name, verdict in pairs)
        return Severity.SANCTIONS if is_hit else Severity.FAILED
    if "review" in verdicts or kept.get("findings") or kept.get("risks"):
        return Severity.REVIEW
    return Severity.UNKNOWN if verdicts - {"pass"} else Severity.NONE


def is_sanctions(name: str) -> bool:
    """Whether a check of that label compares names with lists of sanctions, whoever named it."""
    return any(word in name.lower() for word in SANCTIONS_WORDS)


def _brief(said: Verdict) -> Verdict:
    return "unknown" if said == "running" else said


def _findings(listed: Sequence[Check], found: Sequence[Part]) -> Iterator[str]:
    """What an analyst should read first, worst first."""
    rows = [row for part in found for row in part.findings]
    yield from (row.title for row in rows if isinstance(row, Indicator) and row.type == "RISK")
    yield from (
        f"{row.label} {'was altered' if row.state == 'altered' else 'differs'}"
        for row in rows
        if isinstance(row, Comparison) and row.state in {"differs", "altered"}
    )
    yield from (
        f"{row.label}: {row.analysis}" if row.analysis else f"{row.label} did not pass"
        for row in rows
        if isinstance(row, Section) and row.state == "fail"
    )
    for check in sorted(listed, key=lambda check: SEVERITY.index(check.verdict)):
        if check.verdict in OPEN:
            yield headline(check)


def headline(check: Check) -> str:
    """The check, and what it says first."""
    words = check.error or check.explanation or next(iter(check.alerts), "")
    return f"{check.label}: {words or STATE_WORDS[check.verdict]}"[:MAX_FINDING]


def open_checks(listed: Sequence[Check]) -> list[Check]:
    """The checks that ask for a person, the worst first; a match on a list of sanctions before all."""
    found = [check for check in listed if check.verdict in OPEN]
    return sorted(
        found, key=lambda check: (SEVERITY.index(check.verdict), not is_sanctions(check.label))
    )
