"""The list of checks beside the document, and the line of the queue that sums them up."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from typing import TypedDict

from compliance.languages import english
from reviews.models import Case, CheckResult, Document, Severity
from reviews.results.kinds import (
    STATE_WORDS,
    Check,
    Comparison,
    Finding,
    Indicator,
    Other,
    Part,
    Section,
    Verdict,
)
from reviews.results.matching import kind_of
from reviews.results.parts import HEADING, LISTS, documents_of, parts, shown_keys
from reviews.results.reading import (
    is_empty,
    label,
    obj,
    strings,
    text,
    versions,
)
from reviews.results.sentences import in_words, labelled
from reviews.results.verdicts import (
    OPEN,
    SEVERITY,
    check_is_readable,
    check_verdict,
    contents,
    effective_results,
    gravity,
    worst,
)
from reviews.results.words import translated
from reviews.wire import JsonObject

GROUPS = ("Documents", "Business", "Screening", "People")
LABELS = {
    "kyb.incorporation_document_extraction_tool": "Text extraction",
    "kyb.incorporation_document_extractor": "Text extraction",
    "kyb.visual_verification_v3": "Visual inspection",
    "document_fraud_check": "Fraud indicators",
}
MAX_FINDING = 200
# Words in the names that services give to checks of sanctions.
SANCTIONS_WORDS = ("sanction", "watchlist", "ofac")
VERIFIED = "verified_"
SCREENING = re.compile(r"sanction|pep_|_pep|watchlist|adverse|screening")
# Members of a result that could not be read, which the page shows in other places.
BODY_MEMBERS = {
    "id", "check_id", "command_id", "type", "status", "error", "result", "payload",
    "status_messages", "created_at", "updated_at",
}  # fmt: skip
# Members that repeat the rows of a part, for other clients.
REPEATED = {
    "mcc_code_check": {
        "mcc_code",
        "mcc_title",
        "mcc_code_description",
        "candidate_mcc_codes",
    },
}
VERIFIED_FIRST = (
    "business_name", "registration_number", "ein", "incorporation_date", "jurisdiction",
    "business_address", "business_activity",
)  # fmt: skip
MAX_RESULTS = 400  # of a job, for the page and the summary; all of them are stored


class Summary(TypedDict):
    """What the queue shows of a case, as it is stored with the case."""

    checks: list[list[str]]  # label and verdict of each
    finding: str  # the worst one, in words
    risks: int  # how many RISK indicators
    findings: int  # how many speak against the case
    documents: dict[
        str, Verdict
    ]  # by hex id; those alone that a check or tool examined


def check_label(check_id: str) -> str:
    """kyb.sanctions_screening_check_v2 → Sanctions screening."""
    if check_id in LABELS:
        return LABELS[check_id]
    name = re.sub(r"^(kyb|kyc)[._]", "", check_id[:200])
    name = re.sub(r"(_(v\d+|check|tool|verification))+$", "", name)
    return label(name) or "Unnamed check"


def checks(
    rows: Sequence[CheckResult],
    documents: Sequence[Document],
    all_parts: Sequence[Part],
    *,
    awaited: bool = False,
) -> list[Check]:
    """The checks of the job, then what came without one. Never raises.

    `awaited`: the job is still under way, so a document without results is waiting for them.
    """
    effective = effective_results(rows)
    check_ids = {row.check_id for row, _ in effective}
    all_checks = []
    examined: set[str] = set()
    for row, others in effective:
        check = _check(row, others, documents, all_parts, check_ids)
        all_checks.append(check)
        examined.update(check.documents)
    for document in documents:
        if document.pk.hex not in examined:
            all_checks.append(_check_of_document(document, all_parts, awaited=awaited))
    all_checks.extend(_checks_of_tools(all_checks, all_parts))
    all_checks.sort(key=_order)
    return all_checks


def _order(check: Check) -> tuple[int, bool]:
    """What does not apply to this case comes last in its group."""
    return GROUPS.index(check.group), check.verdict == "not_applicable"


def _check(
    row: CheckResult,
    others: Sequence[CheckResult],
    documents: Sequence[Document],
    all_parts: Sequence[Part],
    check_ids: Container[str],
) -> Check:
    """The check of a row; `others` are results of the same check that have no effect."""
    body = obj(row.body)
    content, payload = contents(row)
    examined = documents_of(row, documents)
    own_parts = tuple(_parts_of_check(row, examined, all_parts, check_ids))
    return Check(
        id=row.check_id or f"result-{row.pk}",
        label=check_label(row.check_id),
        group=_group(row.check_id, examined),
        verdict=_verdict_with_tools(row, own_parts),
        is_readable=check_is_readable(row),
        confirmation=row.confirmation,
        explanation=text(content.get("explanation") or payload.get("explanation")),
        answer=text(content.get("answer")),
        error=text(body.get("error") or content.get("error"), 1000),
        alerts=strings(content.get("alerts")),
        documents=examined,
        verified=_verified(content, payload),
        rest=_rest(row, content, payload),
        at=row.received_at,
        versions=versions(content.get("versions")),
        parts=own_parts,
        replaced=[_other(other, row) for other in others],
    )


def _parts_of_check(
    row: CheckResult,
    examined: Sequence[str],
    all_parts: Sequence[Part],
    check_ids: Container[str],
) -> Iterator[Part]:
    """The parts about its documents, and of those about no document the ones of its tool."""
    name = check_label(row.check_id)
    # A tool that is called as a check has all its own parts, and no others.
    is_tool = any(part.from_tool and part.origin == row.check_id for part in all_parts)
    for part in all_parts:
        is_own = part.origin == row.check_id
        if part.document in examined:
            # Tools do not say whose they are: their parts belong to all checks of the document.
            if is_own or not (is_tool or part.origin in check_ids):
                yield part
        elif not part.document and (is_own or check_label(part.origin) == name):
            yield part


def _verdict_with_tools(row: CheckResult, own_parts: Sequence[Part]) -> Verdict:
    """The worst of the verdicts of the check and of its tool."""
    own_verdict = check_verdict(row)
    verdicts = [own_verdict]
    for part in own_parts:
        if part.verdict not in OPEN:
            continue
        if part.from_tool and part.origin == row.check_id:
            verdicts.append(part.verdict)
        if own_verdict == "not_applicable":
            verdicts.append("review")  # it contradicts itself
    return min(verdicts, key=gravity)


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


def _conclusions(own_parts: Sequence[Part]) -> list[Verdict]:
    """What the parts conclude; of unreadable ones only where there is nothing else."""
    conclusions = []
    for part in own_parts:
        if part.is_readable or part.verdict in OPEN:
            conclusions.append(part.verdict)
    return conclusions or [part.verdict for part in own_parts]


def _rest(row: CheckResult, content: JsonObject, payload: JsonObject) -> object:
    """What is shown nowhere else, raw. A body that could not be read at all is shown whole."""
    if not content:
        return _unreadable(row)
    shown = {"error", *HEADING, *LISTS, *shown_keys(content), *shown_keys(payload)}
    for key, repeated in REPEATED.items():
        if key in shown:
            shown |= repeated
    rest = {}
    for name, value in (*content.items(), *payload.items()):
        if name not in shown and not _is_verified(name, value):
            rest[name] = value
    raw_payload = content.get("payload")
    if not isinstance(raw_payload, dict):
        rest["payload"] = raw_payload
    not_empty = {name: value for name, value in rest.items() if not is_empty(value)}
    return not_empty or None


def _unreadable(row: CheckResult) -> object:
    body = obj(row.body)
    if not body:
        return row.body
    content = body.get("result") or body.get("payload")
    if content:
        return content
    rest = {}
    for name, value in body.items():
        if name not in BODY_MEMBERS:
            rest[name] = value
    return rest or None


def _verified(content: JsonObject, payload: JsonObject) -> tuple[tuple[str, str], ...]:
    """The members `verified_…` of a result, in words: the facts that valid documents prove."""
    facts = {}
    for name, value in (*content.items(), *payload.items()):
        if _is_verified(name, value):
            facts[name.removeprefix(VERIFIED)] = text(value)
    # A JSON column need not keep the order of the members.
    names = [name for name in VERIFIED_FIRST if name in facts]
    other_names = facts.keys() - set(names)
    names += sorted(other_names)
    rows = []
    for name in names:
        row = (label(name), facts[name])
        rows.append(row)
    return tuple(rows)


def _is_verified(name: object, value: object) -> bool:
    """Whether it is one, with a value. `verified_` alone, or in another shape, is shown raw."""
    if not isinstance(name, str) or not name.startswith(VERIFIED):
        return False
    words = label(name.removeprefix(VERIFIED))
    return bool(words and text(value))


def _group(check_id: str, examined: Sequence[str]) -> str:
    name = check_id.casefold()
    if examined or "document" in name or kind_of(check_id):
        return "Documents"
    if SCREENING.search(name):
        return "Screening"
    if name.startswith(("kyc.", "kyc_")):
        return "People"
    return "Business"


def _check_of_document(
    document: Document, all_parts: Sequence[Part], *, awaited: bool
) -> Check:
    """A document without a check result (yet): the parts of its tools."""
    key = document.pk.hex
    own_parts = []
    for part in all_parts:
        if part.document == key:
            own_parts.append(part)
    verdicts = _conclusions(own_parts)
    if awaited:
        verdicts.append("running")
    # The name of a check is stored, and compared with stored ones.
    with english():
        name = document.get_kind_display()
    return Check(
        id=f"document-{key}",
        label=name,
        group="Documents",
        verdict=worst(verdicts),
        explanation="",
        answer="",
        error="",
        alerts=(),
        documents=(key,),
        parts=tuple(own_parts),
        versions=_versions(own_parts),
    )


def _checks_of_tools(
    all_checks: Sequence[Check], all_parts: Sequence[Part]
) -> Iterator[Check]:
    """Tool events about no document, of tools without a check result."""
    of_checks = set()
    for check in all_checks:
        for part in check.parts:
            of_checks.add(id(part))
    by_tool: dict[str, list[Part]] = {}
    for part in all_parts:
        if not part.document and id(part) not in of_checks:
            group = by_tool.setdefault(part.origin, [])
            group.append(part)
    for origin, own_parts in by_tool.items():
        last = own_parts[-1]
        yield Check(
            id=origin or "unnamed",
            label=check_label(origin),
            group=_group(origin, ()),
            verdict=worst(_conclusions(own_parts)),
            explanation=last.explanation,
            answer=last.answer,
            error="",
            alerts=last.alerts,
            documents=(),
            at=last.at,
            parts=tuple(own_parts),
            versions=_versions(own_parts),
        )


def _versions(own_parts: Sequence[Part]) -> tuple[tuple[str, str], ...]:
    """The versions of what several results were made with, each once."""
    pairs: set[tuple[str, str]] = set()
    for part in own_parts:
        pairs.update(part.versions)
    return tuple(sorted(pairs))


@english()
def summarise(
    case: Case, rows: Sequence[CheckResult], documents: Sequence[Document]
) -> Summary:
    """What the queue shows of the case: the checks that apply to it. Never raises.

    `documents`: those of the case, the oldest first.
    """
    all_parts = parts(rows, documents, case.self_attested_data)
    all_checks = checks(rows, documents, all_parts)
    with_parts = {part.document for part in all_parts}
    applicable = []
    for check in all_checks:
        is_of_document = check.id.startswith("document-")
        is_empty = is_of_document and with_parts.isdisjoint(check.documents)
        if check.verdict != "not_applicable" and not is_empty:
            applicable.append(check)
    all_findings: list[Finding] = []
    for part in all_parts:
        all_findings += part.findings
    finding = next(_most_important(applicable, all_findings), "")
    return Summary(
        checks=[[check.label, _conclusion(check.verdict)] for check in applicable],
        finding=finding[:MAX_FINDING],
        documents=_verdicts_of_documents(all_checks),
        risks=sum(_is_risk(row) for row in all_findings),
        findings=_count_against(applicable),
    )


def _is_risk(row: Finding) -> bool:
    return isinstance(row, Indicator) and row.type == "RISK"


def _count_against(all_checks: Sequence[Check]) -> int:
    """How many findings speak against the case: each once, however many checks show it, and each
    failed check that shows none."""
    findings: set[int] = set()
    without_finding = 0
    for check in all_checks:
        against = check.against
        findings.update(id(row) for row in against)
        if check.verdict == "fail" and not against:
            without_finding += 1
    return len(findings) + without_finding


def _verdicts_of_documents(all_checks: Sequence[Check]) -> dict[str, Verdict]:
    verdicts: dict[str, list[Verdict]] = {}
    for check in all_checks:
        if check.id.startswith("document-") and not check.parts:
            continue  # nothing examined it
        for key in check.documents:
            group = verdicts.setdefault(key, [])
            group.append(check.verdict)
    return {key: _conclusion(worst(group)) for key, group in verdicts.items()}


def _conclusion(verdict: Verdict) -> Verdict:
    """The stored verdict: "running" would not be true for long."""
    return "unknown" if verdict == "running" else verdict


def verdict_of(document: Document) -> str:
    """What the checks that read a document conclude, as its case sums it up: "not_checked" where
    none did, "running" while they run, unless something speaks against it already."""
    summary = obj(document.case.summary)
    verdicts = summary.get("documents")
    verdict = str(obj(verdicts).get(document.pk.hex))
    if document.case.status == Case.Status.CHECKING:
        if verdict in {"fail", "error", "review"}:
            return verdict
        return "running"
    if verdicts is None and summary.get("checks"):
        # The summary is of a version that had no verdicts of documents.
        return "unknown"
    return verdict if verdict in SEVERITY else "not_checked"


def risk_of(summary: object) -> int:
    """How many findings speak against the case, by its summary."""
    members = obj(summary)
    if "findings" in members:
        return int(members["findings"])
    # The summary is of an earlier version: RISK indicators and failed checks.
    rows = members.get("checks")
    if not isinstance(rows, list):
        rows = []
    failed = 0
    for _, verdict in rows:
        failed += verdict == "fail"
    return failed + int(members.get("risks") or 0)


def severity_of(summary: object) -> Severity:
    """The worst of the findings of a case's summary, by the verdicts and names of its checks."""
    members = obj(summary)
    verdicts = set()
    for name, verdict in members.get("checks") or []:
        verdicts.add(verdict)
        if verdict == "fail" and is_sanctions(name):
            return Severity.SANCTIONS
    if "fail" in verdicts:
        return Severity.FAILED
    if "review" in verdicts or members.get("findings") or members.get("risks"):
        return Severity.REVIEW
    if verdicts - {"pass"}:
        return Severity.UNKNOWN
    return Severity.NONE


def is_sanctions(name: str) -> bool:
    """Whether a check with that label compares names with lists of sanctions, on any service."""
    lower = name.lower()
    return any(word in lower for word in SANCTIONS_WORDS)


def _most_important(
    all_checks: Sequence[Check], all_findings: Sequence[Finding]
) -> Iterator[str]:
    """What an analyst should read first, worst first."""
    for kind in (Indicator, Comparison, Section):
        for row in all_findings:
            if isinstance(row, kind):
                sentence = _sentence(row)
                if sentence:
                    yield sentence
    for check in sorted(all_checks, key=lambda check: SEVERITY.index(check.verdict)):
        if check.verdict in OPEN:
            yield headline(check)


def _sentence(row: Finding) -> str:
    """A finding that speaks against the case, in words; "" for all others."""
    match row:
        case Indicator(type="RISK"):
            return row.title
        case Comparison(state="altered"):
            return f"{row.label} was altered"
        case Comparison(state="differs"):
            return f"{row.label} differs"
        case Section(state="fail"):
            return (
                f"{row.label}: {row.analysis}"
                if row.analysis
                else f"{row.label} did not pass"
            )
    return ""


def headline(check: Check) -> str:
    """The check and its first words, in the language of this request."""
    words = check.error or check.explanation
    if not words and check.alerts:
        words = check.alerts[0]
    words = in_words(words) or str(STATE_WORDS[check.verdict])
    line = labelled(translated(check.label), words)
    return line[:MAX_FINDING]


def open_checks(all_checks: Sequence[Check]) -> list[Check]:
    """The checks that ask for a person, the worst first; of equals, those of sanctions first."""
    still_open = []
    for check in all_checks:
        if check.verdict in OPEN:
            still_open.append(check)
    still_open.sort(key=_gravest_first)
    return still_open


def _gravest_first(check: Check) -> tuple[int, bool]:
    return SEVERITY.index(check.verdict), not is_sanctions(check.label)
