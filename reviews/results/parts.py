"""From the rows that were kept to the parts that the page shows, each of them once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from django.template import TemplateDoesNotExist
from django.template.loader import get_template

from reviews.models import CheckResult, Document
from reviews.results.details import faces
from reviews.results.details.edits import linked
from reviews.results.kinds import Faces, Fraud, Part, Verdict, View
from reviews.results.matching import OF_DOCUMENTS, Documents
from reviews.results.reading import (
    items,
    label,
    obj,
    same,
    strings,
    text,
    versions,
)
from reviews.results.verdicts import (
    OPEN,
    SEVERITY,
    check_verdict,
    contents,
    flag,
    gravity,
    hinted,
    is_readable,
    standing,
    verdict,
    worst,
)
from reviews.results.views import READERS, in_form, view

UNKNOWN = "results/_unknown.html"
TOOL_KEYS = {
    "kyb.incorporation_document_extraction_tool": "extraction_data",
    "kyb.incorporation_document_extractor": "extraction_data",
    "kyb.visual_verification_v3": "visual_inspection",
    "document_fraud_check": "fraud_verification_data",
}
# The parts that an examination of a document brings, by the interface, and how each is awaited.
EXPECTED = {
    "extraction_data": ("Attested against document", "text extraction"),
    "visual_inspection": ("Visual inspection", "visual inspection"),
    "fraud_verification_data": ("Fraud indicators", "fraud detection"),
}
LISTS = ("valid_documents", "invalid_documents")
# Members of a result that stand in the heading of its part.
SAID = {
    "passed", "verdict", "answer", "explanation", "alerts", "payload", "type", "document",
    "evidence", "versions",
}  # fmt: skip
FLAGS = ("is_valid_document", "inspection_passed", "verification_passed", "passed")


def parts(rows: Iterable[CheckResult], documents: Sequence[Document], attested: Any) -> list[Part]:
    """Everything that was said, in parts. Never raises, whatever the bodies hold."""
    known = Documents(documents)
    found: list[Part] = []
    came = list(rows)
    hidden = {id(row) for _, others in standing(came) for row in others if not _is_open(row)}
    for number, row in enumerate(came):
        if id(row) in hidden:
            continue
        read = _tool_parts if row.source == CheckResult.Source.TOOL else _check_parts
        found += [replace(part, number=number) for part in read(row, known, obj(attested))]
    return linked(_once(found))


def rank(row: CheckResult, attested: Any) -> int:
    """The worst that a result says, as a place in SEVERITY. Never raises.

    Rows are sorted by it, so that what failed is read however many results there are.
    """
    read = _tool_parts if row.source == CheckResult.Source.TOOL else _check_parts
    own = list(read(row, Documents(()), obj(attested)))
    verdicts = [part.verdict for part in own]
    if row.source == CheckResult.Source.CHECK:
        verdicts.append(check_verdict(row))
    if any(not part.is_readable for part in own):
        verdicts.append("unknown")
    if any(finding.is_against for part in own for finding in part.findings):
        verdicts.append("review")
    return SEVERITY.index(worst(verdicts))


def speaks_against(data: Any) -> bool:
    """Whether the content of a part says by a flag of its own that it did not pass."""
    return any(flag(obj(data).get(name)) is False for name in FLAGS)


def _is_open(row: CheckResult) -> bool:
    """Whether what it found must stay on the page, although another of the check stands."""
    return check_verdict(row) in OPEN


@lru_cache(maxsize=512)
def template_for(key: str) -> str:
    """The plug-in point of the page: templates/results/<payload key>.html where there is one."""
    if key.isidentifier() and key.isascii() and not key.startswith("_") and len(key) < 80:
        try:
            get_template(f"results/{key}.html")
        except TemplateDoesNotExist:
            return UNKNOWN
        return f"results/{key}.html"
    return UNKNOWN


def shown_keys(members: Mapping[str, Any]) -> list[str]:
    """The members that have a template of their own."""
    return [k for k, v in members.items() if v is not None and template_for(k) != UNKNOWN]


def _template(key: str, seen: View | None) -> str:
    """What the interface describes but came in another shape is shown raw."""
    return UNKNOWN if key in READERS and seen is None else template_for(key)


def _tool_parts(row: CheckResult, known: Documents, attested: Mapping[str, Any]) -> Iterator[Part]:
    """The body is the `results` object of a tool webhook."""
    members = obj(row.body)
    payload = members.get("payload")
    if payload is None:
        payload = {k: v for k, v in members.items() if k not in SAID} or None
    content = obj(payload)
    said = content.get("document") or members.get("document")
    shown = _split(row.check_id, payload)
    keys = [key for key, _ in shown]
    document = known.find(said, subject=row.subject, origin=row.check_id, keys=keys)
    if not members:
        shown = [("", row.body)]
    for key, data in shown:
        seen = _seen(key, data, attested, known)
        is_read = isinstance(row.body, dict) and is_readable(members) and in_form(key, data)
        yield Part(
            key=key,
            origin=row.check_id,
            from_tool=True,
            document=document,
            verdict=hinted(
                row, _concluded(verdict(members, otherwise=row.passed), seen, is_read=is_read)
            ),
            is_readable=is_read,
            confirmation=row.confirmation,
            explanation=text(members.get("explanation")),
            answer=text(members.get("answer")),
            alerts=strings(members.get("alerts")),
            data=data,
            title=label(key or row.check_id),
            template=_template(key, seen),
            at=row.received_at,
            view=seen,
            versions=versions(members.get("versions")),
        )


def _concluded(said: Verdict, seen: View | None, *, is_read: bool) -> Verdict:
    """A pass is none where the result itself says otherwise, or could not be read."""
    if said in OPEN:
        return said
    if isinstance(seen, Fraud) and seen.tone == "fail":
        return "fail"
    if said == "not_applicable" and seen and any(row.is_against for row in seen.rows):
        return "review"  # it contradicts itself
    return said if is_read else "unknown"


def _seen(key: str, data: Any, attested: Mapping[str, Any], known: Documents) -> View | None:
    seen = view(key, data, attested)
    return seen.on(known.find) if isinstance(seen, Faces) else seen


def _split(tool_id: str, payload: Any) -> list[tuple[str, Any]]:
    """The payload's parts by key; what has no template of its own stays together, raw."""
    content = obj(payload)
    own = shown_keys(content)
    if not own and tool_id in TOOL_KEYS and content:
        return [(TOOL_KEYS[tool_id], payload)]  # the part itself in the place of the payload
    shown = [(key, content[key]) for key in own]
    rest = {
        k: v for k, v in content.items() if k not in {*own, "document", "type"} and v is not None
    }
    if rest or not shown:
        shown.append(("", rest or payload))
    return shown


def _check_parts(row: CheckResult, known: Documents, attested: Mapping[str, Any]) -> Iterator[Part]:
    """The body is one check result of a job; the parts are about its documents."""
    for entry, document in _examined(row, known):
        for key in shown_keys(entry):
            data = entry[key]
            flags = obj(data)
            passed = next((flag(flags[f]) for f in FLAGS if f in flags), None)
            seen = _seen(key, data, attested, known)
            yield Part(
                key=key,
                origin=row.check_id,
                from_tool=False,
                document=document,
                verdict=hinted(row, verdict(flags, otherwise=passed)),
                is_readable=in_form(key, data),
                confirmation=row.confirmation,
                explanation="",
                answer="",
                alerts=strings(flags.get("alerts")) if key != "extraction_data" else (),
                data=data,
                title=label(key),
                template=_template(key, seen),
                at=row.received_at,
                view=seen,
            )


def _examined(row: CheckResult, known: Documents) -> Iterator[tuple[Mapping[str, Any], str]]:
    """Each object that may carry parts, with the document it is about."""
    for holder in contents(row):
        if keys := shown_keys(holder):
            yield holder, known.find(holder.get("document"), origin=row.check_id, keys=keys)
        for name in LISTS:
            for item in items(holder.get(name)):
                entry = obj(item)
                yield (
                    entry,
                    known.find(entry.get("document"), origin=row.check_id, keys=OF_DOCUMENTS),
                )


def documents_of(row: CheckResult, documents: Sequence[Document]) -> tuple[str, ...]:
    """The documents that a check result speaks of, told by its content, else by its name."""
    known = Documents(documents)
    named = []
    for entry, document in _examined(row, known):
        seen = _seen(faces.KEY, entry.get(faces.KEY), {}, known)
        others = seen.pictures if isinstance(seen, Faces) else ()
        named += [document, *(one.document for one in others)]
    return tuple(filter(None, dict.fromkeys(named))) or known.of_check(row.check_id)


def _once(found: Sequence[Part]) -> list[Part]:
    """The tools' parts, and of the checks' those that no tool event brought.

    Of several of one kind for a document the worst stands, whichever came last: events come in any
    order. Without a document they may be about different ones, so all stay.
    """
    checks = [part for part in found if not part.from_tool]
    tools = [_settle(part, checks) for part in found if part.from_tool]
    kept: list[Part] = []
    places: dict[str, list[int]] = {}  # in `kept`, by key: a case may have hundreds of parts
    for part in [*tools, *checks]:
        alike = places.setdefault(part.key, [])
        at = next((at for at in alike if _is_for_same(kept[at], part)), None)
        if at is None:
            alike.append(len(kept))
            kept.append(part)
        else:
            kept[at] = _worse(kept[at], part)
    return kept


def _is_for_same(one: Part, other: Part) -> bool:
    if one.key != other.key or not one.key:
        return False
    is_of_document = bool(one.document) and one.document == other.document
    return is_of_document or (not other.from_tool and same(one.data, other.data))


def _worse(one: Part, other: Part) -> Part:
    """The worse of two, which remembers the other; of two that are equally bad a tool's later."""
    if not other.from_tool and same(one.data, other.data):
        return one
    ranks = _rank(one), _rank(other)
    first, second = one, other
    if ranks[1] < ranks[0] or (ranks[0] == ranks[1] and other.from_tool):
        first, second = other, one
    known = (*one.replaced, *other.replaced)
    is_same = first.verdict == second.verdict and same(first.data, second.data)
    # A check repeats what its tools said, in other words.
    is_repeated = ranks[0] == ranks[1] and not other.from_tool
    return replace(first, replaced=known if is_same or is_repeated else (*known, second))


def _rank(part: Part) -> tuple[int, int]:
    return gravity(part.verdict), -sum(row.is_against for row in part.findings)


def _settle(part: Part, checks: Sequence[Part]) -> Part:
    """A tool event names no document; the same content among the check results may do so."""
    if part.document or not part.view:
        return part
    for other in checks:
        if other.document and other.key == part.key and same(other.data, part.data):
            return replace(part, document=other.document)
    return part
