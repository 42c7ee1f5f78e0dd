"""Turns rows of check results into the parts that the page shows. Each part appears once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from reviews.models import CheckResult, Document
from reviews.results.details import faces
from reviews.results.details.edits import with_edits
from reviews.results.kinds import Faces, Fraud, Part, Screening, Verdict, View
from reviews.results.matching import OF_DOCUMENTS, Documents
from reviews.results.reading import (
    identical,
    items,
    label,
    obj,
    same,
    strings,
    text,
    versions,
)
from reviews.results.verdicts import (
    HINTS,
    OPEN,
    SEVERITY,
    check_verdict,
    contents,
    effective_results,
    flag,
    gravity,
    if_confirmed,
    is_readable,
    passed,
    verdict,
    worst,
)
from reviews.results.views import READERS, in_form, view
from reviews.wire import JsonObject

UNKNOWN = "results/_unknown.html"
# Tools whose payload may be the content of a part itself, without the key around it.
TOOL_KEYS = {
    "kyb.incorporation_document_extraction_tool": "extraction_data",
    "kyb.incorporation_document_extractor": "extraction_data",
    "kyb.visual_verification_v3": "visual_inspection",
    "document_fraud_check": "fraud_verification_data",
}
# The parts that the interface announces for the examination of a document, with their titles.
EXPECTED = {
    "extraction_data": "Attested against document",
    "visual_inspection": "Visual inspection",
    "fraud_verification_data": "Fraud indicators",
}
LISTS = ("valid_documents", "invalid_documents")
# Members of a result that the heading of its part shows.
HEADING = {
    "passed", "verdict", "answer", "explanation", "alerts", "payload", "type", "document",
    "evidence", "versions",
}  # fmt: skip
# Members that say whether a part passed, the most specific first.
FLAGS = ("is_valid_document", "inspection_passed", "verification_passed", "passed")


class Contents:
    """Reads the contents of the results of one case as views.

    A check repeats what its tools sent about a document: the second time the view is there.
    """

    def __init__(self, lookup: Documents, attested: JsonObject) -> None:
        self.lookup = lookup
        self._attested = attested
        # The newest content and its view, by payload key and document.
        self._newest: dict[tuple[str, str], tuple[object, View | None]] = {}

    def view(self, key: str, data: object, document: str) -> View | None:
        newest = self._newest.get((key, document))
        if newest and identical(newest[0], data):
            return newest[1]
        content = _view(key, data, self._attested, self.lookup)
        self._newest[key, document] = data, content
        return content


Reader = Callable[[CheckResult, Contents], Iterator[Part]]


def parts(
    rows: Iterable[CheckResult], documents: Sequence[Document], attested: object
) -> list[Part]:
    """The content of all results in parts. Never raises, whatever the bodies hold.

    `attested` is the case's self-attested data.
    """
    content = Contents(Documents(documents), obj(attested))
    numbered = list(enumerate(rows))
    # Results that a better one replaces are left out.
    without_effect = set()
    for _, others in effective_results(row for _, row in numbered):
        for row in others:
            # A result that asks for a person stays on the page even if another result of the check
            # counts.
            if check_verdict(row) not in OPEN:
                without_effect.add(id(row))
    all_parts: list[Part] = []
    for number, row in numbered:
        if id(row) in without_effect:
            continue
        read = _reader(row)
        for part in read(row, content):
            all_parts.append(replace(part, number=number))
    return with_edits(_once(all_parts))


def rank(row: CheckResult, attested: object) -> int:
    """The worst verdict of a result, as an index into SEVERITY. Never raises.

    Rows are sorted by it, so that failures are read even if there are more results than the page
    reads.
    """
    read = _reader(row)
    verdicts: list[Verdict] = []
    if row.source == CheckResult.Source.CHECK:
        verdicts.append(check_verdict(row))
    for part in read(row, Contents(Documents(()), obj(attested))):
        verdicts.append(part.verdict)
        # Unreadable results come before passes.
        if not part.is_readable:
            verdicts.append("unknown")
        if any(finding.is_against for finding in part.findings):
            verdicts.append("review")
    return SEVERITY.index(worst(verdicts))


def effective_pass(row: CheckResult) -> bool | None:
    """`passed` of a result for REST and the evidence pack: no pass where its own content speaks against
    it, as on the page."""
    own = passed(row)
    if not own:
        return own
    read = _reader(row)
    for part in read(row, Contents(Documents(()), {})):
        if part.verdict in OPEN:
            return False
    return True


def _reader(row: CheckResult) -> Reader:
    if row.source == CheckResult.Source.TOOL:
        return _tool_parts
    return _check_parts


def speaks_against(data: object) -> bool:
    """Whether a flag in the content of a part says that it did not pass."""
    members = obj(data)
    for name in FLAGS:
        if flag(members.get(name)) is False:
            return True
    return False


@lru_cache(maxsize=512)
def template_for(key: str) -> str:
    """The template templates/results/<payload key>.html if it exists, else the raw view.

    This is the extension point of the page: a new template is used without any change of code.
    """
    is_name = key.isidentifier() and key.isascii() and len(key) < 80
    if not is_name or key.startswith("_"):
        return UNKNOWN
    template = f"results/{key}.html"
    try:
        get_template(template)
    except TemplateDoesNotExist:
        return UNKNOWN
    return template


def shown_keys(members: JsonObject) -> list[str]:
    """The payload keys that have a template."""
    keys = []
    for key, value in members.items():
        if value is not None and template_for(key) != UNKNOWN:
            keys.append(key)
    return keys


def _template(key: str, view: View | None) -> str:
    """The template of a part. A known key whose content has an unexpected shape is shown raw."""
    if view is None and key in READERS:
        return UNKNOWN
    return template_for(key)


def _tool_parts(row: CheckResult, content: Contents) -> Iterator[Part]:
    """The parts of a tool webhook, whose `results` object is the body."""
    members = obj(row.body)
    payload = members.get("payload")
    # Some services put the content beside the heading instead of into `payload`.
    if payload is None:
        payload = {
            key: value for key, value in members.items() if key not in HEADING
        } or None
    pieces = _split(row.check_id, payload)
    keys = [key for key, _ in pieces]
    reference = obj(payload).get("document") or members.get("document")
    document = content.lookup.find(
        reference,
        origin=row.check_id,
        keys=keys,
    )
    if not members:
        pieces = [("", row.body)]
    has_form = isinstance(row.body, dict) and is_readable(members)
    own_verdict = verdict(members, otherwise=row.passed)
    for key, data in pieces:
        view = content.view(key, data, document)
        is_read = has_form and in_form(key, data)
        conclusion = _conclusion(own_verdict, data, view, is_read=is_read)
        yield Part(
            key=key,
            origin=row.check_id,
            from_tool=True,
            document=document,
            verdict=if_confirmed(row, conclusion),
            is_readable=is_read,
            confirmation=row.confirmation,
            explanation=text(members.get("explanation")),
            answer=text(members.get("answer")),
            alerts=strings(members.get("alerts")),
            data=data,
            title=label(key or row.check_id),
            template=_template(key, view),
            at=row.received_at,
            view=view,
            versions=versions(members.get("versions")),
        )


def _conclusion(
    verdict: Verdict, data: object, view: View | None, *, is_read: bool
) -> Verdict:
    """The verdict of a part. A pass is not accepted if the content contradicts it or is
    unreadable.
    """
    if verdict in OPEN:
        return verdict
    # The fraud result itself is a failure, even if the heading says it passed.
    if isinstance(view, Fraud) and view.tone == "fail":
        return "fail"
    if verdict == "pass" and speaks_against(data):
        return "fail"
    if isinstance(view, Screening) and view.is_against:
        return "review"
    has_findings = view is not None and any(row.is_against for row in view.rows)
    if verdict == "not_applicable" and has_findings:
        return "review"  # it contradicts itself
    if not is_read:
        return "unknown"
    return verdict


def _view(
    key: str, data: object, attested: JsonObject, lookup: Documents
) -> View | None:
    content = view(key, data, attested)
    if isinstance(content, Faces):
        return content.with_documents(lookup.find)
    return content


def _split(tool_id: str, payload: object) -> list[tuple[str, object]]:
    """The payload's parts by key. Members without a template stay together under "" and are
    shown raw.
    """
    content = obj(payload)
    # Each key with a template becomes a part of the page.
    keys = shown_keys(content)
    if content and not keys and tool_id in TOOL_KEYS:
        return [
            (TOOL_KEYS[tool_id], payload)
        ]  # the payload is the content of the part itself
    pieces = [(key, content[key]) for key in keys]
    rest = {}
    for key, value in content.items():
        if value is not None and key not in {*keys, "document", "type"}:
            rest[key] = value
    if rest or not pieces:
        pieces.append(("", rest or payload))
    return pieces


def _check_parts(row: CheckResult, content: Contents) -> Iterator[Part]:
    """The parts of a check result of a job. The body is one member of its check_results."""
    for entry, document in _entries(row, content.lookup):
        for key in shown_keys(entry):
            data = entry[key]
            members = obj(data)
            first_flag = _first_flag(members)
            view = content.view(key, data, document)
            alerts: Sequence[str] = ()
            is_read = in_form(key, data)
            own_verdict = verdict(members, otherwise=first_flag)
            conclusion = _conclusion(own_verdict, data, view, is_read=is_read)
            # The view of an extraction shows its alerts itself.
            if key != "extraction_data":
                alerts = strings(members.get("alerts"))
            yield Part(
                key=key,
                origin=row.check_id,
                from_tool=False,
                document=document,
                verdict=if_confirmed(row, conclusion),
                is_readable=is_read,
                confirmation=row.confirmation,
                explanation="",
                answer="",
                alerts=alerts,
                data=data,
                title=label(key),
                template=_template(key, view),
                at=row.received_at,
                view=view,
            )


def _first_flag(members: JsonObject) -> bool | None:
    for name in FLAGS:
        if name in members:
            return flag(members[name])
    return None


def _entries(row: CheckResult, lookup: Documents) -> Iterator[tuple[JsonObject, str]]:
    """Each object of the body that may have parts, with the document that it is about."""
    origin = row.check_id
    for holder in contents(row):
        keys = shown_keys(holder)
        if keys:
            yield holder, lookup.find(holder.get("document"), origin=origin, keys=keys)
        for name in LISTS:
            for item in items(holder.get(name)):
                entry = obj(item)
                reference = entry.get("document")
                yield entry, lookup.find(reference, origin=origin, keys=OF_DOCUMENTS)


def documents_of(row: CheckResult, lookup: Documents) -> tuple[str, ...]:
    """The documents that a check result is about: by its content, otherwise by the check's name."""
    keys = []
    for entry, document in _entries(row, lookup):
        keys.append(document)
        # A comparison of faces names the documents that its pictures are from.
        payload = entry.get(faces.KEY)
        compared = _view(faces.KEY, payload, {}, lookup)
        if isinstance(compared, Faces):
            for face in compared.pictures:
                keys.append(face.document)
    by_content = filter(None, dict.fromkeys(keys))
    return tuple(by_content) or lookup.of_check(row.check_id)


def _once(all_parts: Sequence[Part]) -> list[Part]:
    """The parts of tools, and those parts of checks that no tool event brought.

    If several parts are of one kind and about one document, the worst counts whichever came last,
    because webhooks arrive in any order. Parts without a document may be about different ones, so
    all of them stay.
    """
    checks = [part for part in all_parts if not part.from_tool]
    # Tool events name no document; results of checks may tell it.
    tools = []
    for part in all_parts:
        if part.from_tool:
            tools.append(_with_document(part, checks))
    distinct: list[Part] = []
    # Indexes into `distinct` by key, because a case may have hundreds of parts.
    places: dict[str, list[int]] = {}
    documents: set[tuple[str, str]] = set()
    for part in [*tools, *checks]:
        of_same_key = places.setdefault(part.key, [])
        candidates = of_same_key
        # A part of a tool is compared by its document alone, and most have one of their own.
        if part.from_tool and (part.key, part.document) not in documents:
            candidates = []
        documents.add((part.key, part.document))
        for place in candidates:
            if _is_for_same(distinct[place], part):
                distinct[place] = _worse(distinct[place], part)
                break
        else:
            of_same_key.append(len(distinct))
            distinct.append(part)
    return distinct


def _is_for_same(part: Part, other: Part) -> bool:
    if part.key != other.key or not part.key:
        return False
    if part.document and part.document == other.document:
        return True
    return not other.from_tool and same(part.data, other.data)


def _worse(part: Part, other: Part) -> Part:
    """The worse of two parts; it keeps the other in `replaced`.

    If both are equally bad, a later part of a tool wins over an earlier one.
    """
    if not other.from_tool and same(part.data, other.data):
        return part
    rank, other_rank = _rank(part), _rank(other)
    is_other_worse = other_rank < rank
    if rank == other_rank and other.from_tool:
        is_other_worse = True
    # `first` takes effect, `second` becomes one of its replaced parts.
    first, second = part, other
    if is_other_worse:
        first, second = other, part
    replaced = [*part.replaced, *other.replaced]
    is_same = first.verdict == second.verdict and same(first.data, second.data)
    # A check usually repeats the results of its tools in other words.
    is_repeated = rank == other_rank and not other.from_tool
    if not is_same and not is_repeated and not _is_silent(second):
        replaced.append(second)
    return replace(first, replaced=tuple(replaced))


def _is_silent(part: Part) -> bool:
    """Whether a part of a check states nothing: no verdict, no words, nothing against the case.

    The verdict of its check does. An unreadable part, or one whose verdict waits for the service,
    is not silent.
    """
    if part.from_tool or part.verdict != "unknown":
        return False
    if not part.is_readable or part.confirmation in HINTS:
        return False
    has_words = bool(part.explanation or part.summary or part.alerts)
    has_findings = any(row.is_against for row in part.findings)
    return not has_words and not has_findings


def _rank(part: Part) -> tuple[int, int]:
    against = sum(row.is_against for row in part.findings)
    return gravity(part.verdict), -against


def _with_document(part: Part, checks: Sequence[Part]) -> Part:
    """A tool event names no document. A check result with the same content may name it."""
    if part.document or not part.view:
        return part
    for other in checks:
        if not other.document or other.key != part.key:
            continue
        if same(other.data, part.data):
            return replace(part, document=other.document)
    return part
