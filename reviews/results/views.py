"""The three payloads that the interface describes, read for the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from reviews.results.details import comparison, faces, screening
from reviews.results.details.places import boxes
from reviews.results.kinds import (
    Barcode,
    Change,
    Comparison,
    Extraction,
    Fraud,
    Indicator,
    Section,
    SectionState,
    State,
    View,
    Visual,
)
from reviews.results.reading import items, label, number, obj, string, strings, text, truth

MAX_ROWS = 200  # no document has more fields or sections; a payload that does is in the payload tab
SECTIONS = {
    "document_analysis_and_classification": "Classification",
    "seal_verification": "Seal",
    "signature_verification": "Signature",
    "document_layout_and_content_verification": "Layout and content",
    "authenticity_verification": "Authenticity",
    "cross_referencing_and_consistency_check": "Cross-reference",
}
NOT_SENT = "Not checked: the service sent nothing on this."
ORDER = {"RISK": 0, "INFO": 1, "TRUST": 2}
SEVERITIES = {"high": 0, "medium": 1, "low": 2, "none": 3}
MAX_CHANGES = 20
RESULTS = {"HIGH_RISK": "fail", "WARNING": "warn", "NORMAL": "info", "TRUSTED": "pass"}
STATES: Mapping[str, State] = {
    "equal": "equal", "close": "close", "differs": "differs", "altered": "altered",
    "not_attested": "not_attested", "cannot_compare": "cannot_compare",
}  # fmt: skip
# Members of extraction_data that are no facts read from the document.
NO_FACTS = {
    "type", "is_valid_document", "analysis", "summary", "alerts", "evidence", "comparisons",
    "verdict", "passed", "explanation", "how", "confidence",
}  # fmt: skip
# Lists of everything found: worth a row where they hold more than the field itself.
LISTS = {
    "all_business_names": "business_name",
    "all_extracted_addresses": "business_address",
}


def extraction(data: Mapping[str, Any], attested: Mapping[str, Any]) -> Extraction:
    evidence = obj(data.get("evidence"))
    sent = [obj(item) for item in items(data.get("comparisons"))]
    rows = [_sent(number, item, evidence) for number, item in enumerate(sent) if item]
    compared = {row.field for row in rows}
    for name, value in data.items():
        if name in NO_FACTS or name in compared or _is_covered(name, value, data):
            continue
        row = _found(f"f{len(rows)}", name, value, evidence, {} if sent else attested)
        if row:
            rows.append(row)
        if len(rows) >= MAX_ROWS:
            break
    return Extraction(
        is_valid=truth(data.get("is_valid_document")),
        summary=text(data.get("summary")),
        analysis=text(data.get("analysis")),
        alerts=strings(data.get("alerts")),
        rows=tuple(rows),
        by_desk=not sent,
    )


def _sent(index: int, item: Mapping[str, Any], evidence: Mapping[str, Any]) -> Comparison:
    """A comparison that the service made itself."""
    field = string(item.get("field"), 120)
    one, other = text(item.get("attested")), text(item.get("extracted"))
    state = STATES.get(string(item.get("state")).casefold())
    if state is None:
        state = comparison.compare([one] if one else [], other)[0]
    left, right = comparison.plain(one), comparison.plain(other)
    if state in {"close", "differs"}:
        left, right = comparison.word_diff(one, other)
    found = obj(evidence.get(field))
    return Comparison(
        ref=f"f{index}",
        boxes=boxes(item.get("boxes")) or boxes(found.get("boxes")),
        field=field,
        label=string(item.get("label"), 120) or label(field) or "Unnamed field",
        state=state,
        attested=left,
        extracted=right,
        how=text(item.get("how"), 400) or text(found.get("how"), 400),
        read_by=_read_by(found),
    )


def _found(
    ref: str, name: str, value: Any, evidence: Mapping[str, Any], attested: Mapping[str, Any]
) -> Comparison | None:
    """A fact for which no comparison was sent: compared here, plainly."""
    known = comparison.candidates(name, attested)
    extracted = text(_without_places(value))
    if not extracted and not known:
        return None
    state, matched, how = comparison.compare(known, value)
    one = text(matched)
    left, right = comparison.plain(one), comparison.plain(extracted)
    if state == "differs":
        left, right = comparison.word_diff(one, extracted)
    found = obj(evidence.get(name))
    said = text(found.get("how"), 400)
    return Comparison(
        ref=ref,
        boxes=boxes(found.get("boxes")),
        field=name,
        label=label(name),
        state=state,
        attested=left,
        extracted=right,
        how="; ".join(filter(None, [how, said])) if state == "not_attested" else how,
        read_by=_read_by(found),
    )


def _without_places(value: Any) -> Any:
    """Of a list of things that were read, the things: where and how is not for the words."""
    if not isinstance(value, list):
        return value
    return [
        {key: one for key, one in item.items() if key not in {"boxes", "how", "confidence"}}
        if isinstance(item, dict)
        else item
        for item in value
    ]


def _read_by(found: Mapping[str, Any]) -> str:
    """Words of a picture were recognised, and may be misread: that is said beside them."""
    sure = number(found.get("confidence"))
    if string(found.get("source")) != "OCR":
        return ""
    return "read by OCR" + (f", {sure:.0%} sure" if sure is not None and 0 < sure <= 1 else "")


def _is_covered(name: str, value: Any, data: Mapping[str, Any]) -> bool:
    """A list of everything found says nothing new where it holds the one value alone."""
    if name not in LISTS:
        return False
    single = text(data.get(LISTS[name]))
    every = items(value) or list(obj(value).values())
    return all(text(one) == single for one in every)


def visual(data: Mapping[str, Any], _: Mapping[str, Any]) -> Visual:
    analysis = obj(data.get("visual_analysis"))
    names = list(SECTIONS) + [name for name in analysis if name not in SECTIONS and name != "type"]
    rows = [
        _section(f"v{index}", name, analysis.get(name))
        for index, name in enumerate(names[:MAX_ROWS])
    ]
    return Visual(
        passed=truth(data.get("inspection_passed")),
        summary=text(data.get("summary")),
        reasoning=text(data.get("reasoning")),
        comparison=text(data.get("comparison")),
        rows=tuple(rows),
        barcodes=tuple(
            _barcode(f"c{index}", obj(item))
            for index, item in enumerate(items(data.get("barcodes"))[:MAX_ROWS])
            if obj(item)
        ),
        not_checked=strings(data.get("not_checked")),
    )


def _barcode(ref: str, members: Mapping[str, Any]) -> Barcode:
    return Barcode(
        ref=ref,
        boxes=boxes(members.get("boxes")),
        format=string(members.get("format"), 60) or "Barcode",
        text=text(members.get("text"), 1000),
        state=string(members.get("state"), 40).casefold(),
        how=text(members.get("how"), 400),
    )


def _section(ref: str, name: str, value: Any) -> Section:
    members = obj(value)
    analysis = text(members.get("analysis")) if members else text(value)
    passed = truth(members.get("passed"))
    state: SectionState = "unknown" if passed is None else "pass" if passed else "fail"
    if value is None or truth(members.get("checked")) is False:
        state = "not_checked"
    return Section(
        ref=ref,
        boxes=boxes(members.get("boxes")),
        key=name,
        label=SECTIONS.get(name) or label(name),
        state=state,
        analysis=analysis or (NOT_SENT if value is None else ""),
        present=truth(members.get("present")),
    )


def fraud(data: Mapping[str, Any], _: Mapping[str, Any]) -> Fraud:
    sent = data.get("verification_data")
    found = [_indicator(item) for item in (items(sent) or ([sent] if sent else []))]
    found.sort(key=lambda row: (ORDER.get(row.type, 3), SEVERITIES.get(row.severity, 1)))
    result = string(data.get("verification_result"), 60)
    passed = truth(data.get("verification_passed"))
    by_passed = {True: "pass", False: "fail", None: "na"}[passed]
    return Fraud(
        passed=passed,
        result=label(result),
        tone=RESULTS.get(result.upper().replace(" ", "_"), by_passed),
        description=text(data.get("verification_description")),
        rows=tuple(_numbered(index, row) for index, row in enumerate(found)),
        not_checked=tuple(_reasons(data.get("not_checked"))),
        cannot_be_found=strings(data.get("cannot_be_found")),
    )


def _reasons(value: Any) -> Iterator[str]:
    for item in items(value)[:MAX_ROWS]:
        why = text(obj(item).get("why") or ("" if obj(item) else item), 300)
        if why:
            yield why


def _indicator(item: Any) -> Indicator:
    members = obj(item)
    title = text(members.get("title"), 300) or label(string(members.get("indicator_id")))
    return Indicator(
        ref="",
        boxes=boxes(members.get("boxes")),
        indicator_id=text(members.get("indicator_id"), 120),
        type=string(members.get("type"), 24).upper() or "OTHER",
        category=text(members.get("category"), 60),
        title=title or ("Untitled indicator" if members else text(item, 300)),
        description=text(members.get("description")),
        raw=text(members.get("raw"), 1000),
        severity=string(members.get("severity"), 12).lower(),
        changes=tuple(_change(item) for item in items(members.get("changes"))[:MAX_CHANGES]),
        documentation=_paragraphs(members.get("documentation")),
    )


def _numbered(index: int, row: Indicator) -> Indicator:
    if not row.changes:
        return replace(row, ref=f"i{index}")
    changes = (replace(change, ref=f"i{index}c{n}") for n, change in enumerate(row.changes))
    return replace(row, ref=f"i{index}", changes=tuple(changes))


def _change(item: Any) -> Change:
    members = obj(item)
    page = number(members.get("page"))
    before, after = text(members.get("before"), 400), text(members.get("after"), 400)
    left, right = comparison.word_diff(before, after)
    return Change(
        ref="",
        boxes=boxes(members.get("boxes")),
        on_page=int(page) if page and page > 0 else None,
        before=left,
        after=right,
    )


def _paragraphs(value: Any) -> tuple[str, ...]:
    """Behind the first line, which is the title."""
    blocks = value[:8000].split("\n\n")[1:9] if isinstance(value, str) else []
    return tuple(said for block in blocks if (said := text(block, 1500)))


READERS: Mapping[str, Callable[[Mapping[str, Any], Mapping[str, Any]], View]] = {
    "extraction_data": extraction,
    "visual_inspection": visual,
    "fraud_verification_data": fraud,
    "screening": screening.screening,
    "people_screening": screening.people,
    faces.KEY: faces.faces,
}


# Members without which a payload says nothing, and what they are.
FORMS: Mapping[str, tuple[str, type[Any]]] = {
    "fraud_verification_data": ("verification_data", list),
    "visual_inspection": ("visual_analysis", dict),
}


def in_form(key: str, data: Any) -> bool:
    """Whether a payload that the interface describes has the form that it gives it."""
    if key not in READERS:
        return True
    if not isinstance(data, dict):
        return False
    name, form = FORMS.get(key, ("", object))
    value = data.get(name)
    return value is None or isinstance(value, form)


def view(key: str, data: Any, attested: Mapping[str, Any]) -> View | None:
    """How the page shows this payload; None where it is shown raw (or by a template of its key)."""
    reader = READERS.get(key)
    if reader is None or not isinstance(data, dict):
        return None
    return reader(data, attested)
