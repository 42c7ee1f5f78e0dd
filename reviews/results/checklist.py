"""The list of checks that a case page shows, and the summary of it that the queue shows."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence
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
from reviews.results.matching import Documents, kind_of
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
from reviews.results.views import without_places
from reviews.results.words import translated
from reviews.wire import JsonObject

GROUPS = ("Documents", "Business", "Screening", "People")
LABELS = {
    "kyb.incorporation_document_extraction_tool": "Text extraction",
    "kyb.incorporation_document_extractor": "Text extraction",
    "kyb.visual_verification_v3": "Visual inspection",
    "document_fraud_check": "Fraud indicators",
}
MAX_FINDING = 400
# Words that mark a sanctions check in its label, whatever service runs it.
SANCTIONS_WORDS = ("sanction", "watchlist", "ofac")
# Prefix of the members that hold facts proven by valid documents.
VERIFIED = "verified_"
SCREENING = re.compile(r"sanction|pep_|_pep|watchlist|adverse|screening")
# Members of an unreadable result that the page shows elsewhere, so they are left out of the raw
# rest.
BODY_MEMBERS = {
    "id", "check_id", "command_id", "type", "status", "error", "result", "payload",
    "status_messages", "created_at", "updated_at",
}  # fmt: skip
# Members that repeat the rows of a part. Other clients of the hub use them, the page does not.
REPEATED = {
    "mcc_code_check": {
        "mcc_code",
        "mcc_title",
        "mcc_code_description",
        "candidate_mcc_codes",
    },
}
# The order in which verified facts are shown. All others follow by name.
VERIFIED_FIRST = (
    "business_name", "registration_number", "ein", "incorporation_date", "jurisdiction",
    "business_address", "business_activity",
)  # fmt: skip
# Results of a job on the page and in the summary; all of them are stored.
MAX_RESULTS = 400


class Summary(TypedDict):
    """What the queue shows of a case. Stored as JSON in `Case.summary`."""

    checks: list[list[str]]  # pairs of label and verdict
    finding: str  # the most serious finding, as a sentence
    risks: int  # how many RISK indicators
    findings: int  # how many findings speak against the case
    # By hex id; only documents that a check or tool examined.
    documents: dict[str, Verdict]


def check_label(check_id: str) -> str:
    """The label of a check: "kyb.sanctions_screening_check_v2" becomes "Sanctions screening"."""
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
    """The checks of the job, then checks made from parts that belong to no check result.

    Each result appears once, in the order of the groups. Never raises. `awaited`: the job is still
    running, so a document without results is shown as waiting for them.
    """
    effective = effective_results(rows)
    check_ids = {row.check_id for row, _ in effective}
    # Made once: each check is compared with all parts.
    labels = {part.origin: check_label(part.origin) for part in all_parts}
    all_checks = []
    examined: set[str] = set()
    lookup = Documents(documents)
    for row, others in effective:
        own_documents = documents_of(row, lookup)
        own_parts = _parts_of_check(row, own_documents, all_parts, check_ids, labels)
        check = _check(row, others, own_documents, own_parts)
        all_checks.append(check)
        examined.update(check.documents)
    # Documents that no check result mentions, and tools without a check result, get a row too.
    for document in documents:
        if document.pk.hex not in examined:
            all_checks.append(_check_of_document(document, all_parts, awaited=awaited))
    all_checks.extend(_checks_of_tools(all_checks, all_parts))
    all_checks.sort(key=_order)
    return all_checks


def _order(check: Check) -> tuple[int, bool]:
    """Sort key: by group; checks that do not apply come last in their group."""
    return GROUPS.index(check.group), check.verdict == "not_applicable"


def _check(
    row: CheckResult,
    others: Sequence[CheckResult],
    examined: tuple[str, ...],
    own_parts: tuple[Part, ...],
) -> Check:
    """The check of a row. `others` are results of the same check that have no effect."""
    body = obj(row.body)
    content, payload = contents(row)
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
    labels: Mapping[str, str],
) -> tuple[Part, ...]:
    """The parts of the result pages that belong to this check.

    These are the parts about the documents that the check examined, and the parts of its own tool
    that are about no document. `labels`: those of the origins of the parts.
    """
    name = check_label(row.check_id)
    # If the tool events have the id of this check, the check owns exactly those parts.
    is_tool = any(part.from_tool and part.origin == row.check_id for part in all_parts)
    own_parts = []
    for part in all_parts:
        is_own = part.origin == row.check_id
        if part.document in examined:
            # A tool event does not say which check it belongs to. Its parts belong to every check
            # of the document.
            if is_own or not (is_tool or part.origin in check_ids):
                own_parts.append(part)
        elif not part.document and (is_own or labels[part.origin] == name):
            own_parts.append(part)
    return tuple(own_parts)


def _verdict_with_tools(row: CheckResult, own_parts: Sequence[Part]) -> Verdict:
    """The worst verdict among the check's own and those of its parts that count."""
    own_verdict = check_verdict(row)
    verdicts = [own_verdict]
    for part in own_parts:
        if part.verdict not in OPEN:
            continue
        is_own = part.origin == row.check_id
        if is_own and (part.from_tool or own_verdict == "pass"):
            verdicts.append(part.verdict)
        if own_verdict in {"pass", "not_applicable"}:
            # Its open parts contradict this verdict.
            verdicts.append("review")
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
    """The verdicts of the parts. Passes of unreadable parts count only if there is nothing else."""
    conclusions = []
    for part in own_parts:
        if part.is_readable or part.verdict in OPEN:
            conclusions.append(part.verdict)
    return conclusions or [part.verdict for part in own_parts]


def _rest(row: CheckResult, content: JsonObject, payload: JsonObject) -> object:
    """What the page shows nowhere else, to be shown raw. An unreadable body is shown whole."""
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
    # A payload that is not an object has no members that could be shown above.
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
    """The members `verified_…` of a result as pairs of label and value."""
    facts = {}
    for name, value in (*content.items(), *payload.items()):
        if _is_verified(name, value):
            facts[name.removeprefix(VERIFIED)] = text(without_places(value))
    # A JSON column does not preserve the order of members, so the order is restored here.
    names = [name for name in VERIFIED_FIRST if name in facts]
    other_names = facts.keys() - set(names)
    names += sorted(other_names)
    rows = []
    for name in names:
        row = (label(name), facts[name])
        rows.append(row)
    return tuple(rows)


def _is_verified(name: object, value: object) -> bool:
    """Whether a member is a verified fact with a value.

    A member named just `verified_`, or with a value of another type, is shown raw instead.
    """
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
    """The row of a document that has no check result (yet). It shows the parts of its tools."""
    key = document.pk.hex
    own_parts = []
    for part in all_parts:
        if part.document == key:
            own_parts.append(part)
    verdicts = _conclusions(own_parts)
    if awaited:
        verdicts.append("running")
    # The label is stored in the summary and compared with stored labels, so it is always English.
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
    """The rows of tools that have no check result and whose events name no document."""
    # Parts that a check shows already, compared by identity.
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
        # The latest part gives the texts, all parts together the verdict.
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
    """The versions behind several parts, each pair once."""
    pairs: set[tuple[str, str]] = set()
    for part in own_parts:
        pairs.update(part.versions)
    return tuple(sorted(pairs))


@english()
def summarise(
    case: Case, rows: Sequence[CheckResult], documents: Sequence[Document]
) -> Summary:
    """What the queue shows of the case: only the checks that apply to it. Never raises.

    `documents` are those of the case, the oldest first. Labels are English, because they are
    stored.
    """
    all_parts = parts(rows, documents, case.self_attested_data)
    all_checks = checks(rows, documents, all_parts)
    with_parts = {part.document for part in all_parts}
    applicable = []
    for check in all_checks:
        # A document that nothing examined has a row on the page, but not in the summary.
        is_of_document = check.id.startswith("document-")
        is_unexamined = is_of_document and with_parts.isdisjoint(check.documents)
        if check.verdict != "not_applicable" and not is_unexamined:
            applicable.append(check)
    all_findings: list[Finding] = []
    for part in all_parts:
        all_findings += part.findings
    finding = next(_most_important(applicable, all_findings), "")
    return Summary(
        checks=[[check.label, _conclusion(check.verdict)] for check in applicable],
        finding=_shortened(finding),
        documents=_verdicts_of_documents(all_checks),
        risks=sum(_is_risk(row) for row in all_findings),
        findings=_count_against(applicable),
    )


def _is_risk(row: Finding) -> bool:
    return isinstance(row, Indicator) and row.type == "RISK"


def _count_against(all_checks: Sequence[Check]) -> int:
    """How many findings speak against the case.

    A finding counts once, even if several checks show it. A failed check without any finding counts
    as one.
    """
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
    """The verdict to store. "running" becomes "unknown", because it is outdated soon."""
    return "unknown" if verdict == "running" else verdict


def verdict_of(document: Document) -> str:
    """The verdict on a document, taken from the summary of its case.

    "not_checked" if no check examined it. While checks run it is "running", unless something
    already speaks against the document. Reads `document.case`.
    """
    summary = obj(document.case.summary)
    verdicts = summary.get("documents")
    verdict = str(obj(verdicts).get(document.pk.hex))
    if document.case.status == Case.Status.CHECKING:
        if verdict in {"fail", "error", "review"}:
            return verdict
        return "running"
    if verdicts is None and summary.get("checks"):
        # An earlier version wrote this summary without verdicts of documents.
        return "unknown"
    return verdict if verdict in SEVERITY else "not_checked"


def risk_of(summary: object) -> int:
    """How many findings speak against the case, according to its summary."""
    members = obj(summary)
    if "findings" in members:
        return int(members["findings"])
    # An earlier version wrote this summary: it counts RISK indicators and failed checks instead.
    rows = members.get("checks")
    if not isinstance(rows, list):
        rows = []
    failed = 0
    for _, verdict in rows:
        failed += verdict == "fail"
    return failed + int(members.get("risks") or 0)


def severity_of(summary: object) -> Severity:
    """The severity of a case for the queue, from the verdicts and labels in its summary."""
    members = obj(summary)
    verdicts = set()
    # A failed sanctions check is the most serious finding.
    for name, verdict in members.get("checks") or []:
        verdicts.add(verdict)
        if verdict == "fail" and is_sanctions(name):
            return Severity.SANCTIONS
    if "fail" in verdicts:
        return Severity.FAILED
    if "review" in verdicts or members.get("findings") or members.get("risks"):
        return Severity.REVIEW
    # Any verdict other than a pass is unclear, e.g. an error or an inconclusive check.
    if verdicts - {"pass"}:
        return Severity.UNKNOWN
    return Severity.NONE


def is_sanctions(name: str) -> bool:
    """Whether a check with that label compares names with sanctions lists, whatever service runs
    it.
    """
    lower = name.lower()
    return any(word in lower for word in SANCTIONS_WORDS)


def _most_important(
    all_checks: Sequence[Check], all_findings: Sequence[Finding]
) -> Iterator[str]:
    """Sentences for the analyst, the most important first: findings by kind, then open checks."""
    # Edits of a document are more serious than differing values.
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
    """A finding that speaks against the case, as a sentence. "" for all other findings."""
    match row:
        case Indicator(type="RISK"):
            return row.title
        case Comparison(state="altered"):
            return f"{row.label} was altered"
        case Comparison(state="differs"):
            return f"{row.label} differs"
        case Section(state="fail"):
            if row.analysis:
                return f"{row.label}: {row.analysis}"
            return f"{row.label} did not pass"
    return ""


def headline(check: Check) -> str:
    """The label of a check and its result, shortened, in the language of the request."""
    words = check.error or check.explanation
    if not words and check.alerts:
        words = check.alerts[0]
    words = in_words(words) or str(STATE_WORDS[check.verdict])
    line = labelled(translated(check.label), words)
    return _shortened(line)


def _shortened(words: str) -> str:
    """As many whole sentences as have room.

    If the first one is too long, it is cut and ends with “…”. Such a text is not translated.
    """
    if len(words) <= MAX_FINDING:
        return words
    start = words[:MAX_FINDING]
    sentences, stop, _rest = start.rpartition(". ")
    if stop:
        return f"{sentences}."
    whole_words, _space, _rest = start[:-1].rpartition(" ")
    return f"{whole_words or start[:-1]}…"


def open_checks(all_checks: Sequence[Check]) -> list[Check]:
    """The checks that a person must look at, the worst first; among equals, sanctions checks
    first.
    """
    still_open = []
    for check in all_checks:
        if check.verdict in OPEN:
            still_open.append(check)
    still_open.sort(key=_gravest_first)
    return still_open


def _gravest_first(check: Check) -> tuple[int, bool]:
    return SEVERITY.index(check.verdict), not is_sanctions(check.label)
