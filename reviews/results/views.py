"""Readers for the three payloads that the interface describes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from papers import countries
from reviews.results.details import comparison, faces, screening
from reviews.results.details.places import boxes
from reviews.results.kinds import (
    Barcode,
    Candidate,
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
from reviews.results.reading import (
    items,
    label,
    number,
    obj,
    string,
    strings,
    text,
    truth,
    worst_first,
)
from reviews.wire import JsonObject

# Rows of a view; a payload with more is shown in full in the payload tab.
MAX_ROWS = 200
# The sections that the interface describes, with their labels on the page.
SECTIONS = {
    "document_analysis_and_classification": "Classification",
    "seal_verification": "Seal",
    "signature_verification": "Signature",
    "document_layout_and_content_verification": "Layout and content",
    "authenticity_verification": "Authenticity",
    "cross_referencing_and_consistency_check": "Cross-reference",
}
NOT_SENT = "Not checked: the service sent nothing on this."
# Sort order of indicators: first by type, then by severity.
ORDER = {"RISK": 0, "INFO": 1, "TRUST": 2}
SEVERITIES = {"high": 0, "medium": 1, "low": 2, "none": 3}
# Edits of one indicator that are shown.
MAX_CHANGES = 20
# Candidates of one unsure field that are shown: each has a key, 1 to 9.
MAX_CANDIDATES = 9
# Result of a fraud verification → tone on the page.
RESULTS = {"HIGH_RISK": "fail", "WARNING": "warn", "NORMAL": "info", "TRUSTED": "pass"}
STATES: Mapping[str, State] = {
    "equal": "equal", "close": "close", "differs": "differs", "altered": "altered",
    "not_attested": "not_attested", "cannot_compare": "cannot_compare",
}  # fmt: skip
STATES_AGAINST = frozenset({"altered", "differs"})
# Members of extraction_data that are not facts read from the document.
NO_FACTS = {
    "type", "is_valid_document", "analysis", "summary", "alerts", "evidence", "comparisons",
    "verdict", "passed", "explanation", "how", "confidence", "unsure", "only_unsure",
}  # fmt: skip
# Members of a fact that describe where and how it was read.
READING_MEMBERS = {"boxes", "how", "confidence"}
SECTION_STATES: Mapping[bool | None, SectionState] = {
    True: "pass",
    False: "fail",
    None: "unknown",
}
# The tone of a fraud verification if the interface does not define its result.
FLAG_TONES = {True: "pass", False: "fail", None: "na"}
# Member with all values found on a document → the field. It gets a row only if it adds something.
LISTS = {
    "all_business_names": "business_name",
    "all_extracted_addresses": "business_address",
}


def extraction(data: JsonObject, attested: JsonObject) -> Extraction:
    evidence = obj(data.get("evidence"))
    # The fields that the service is unsure of, with the values that it gives nevertheless.
    unsure = {name: data.get(name) for name in strings(data.get("unsure"))}
    comparisons = worst_first(data.get("comparisons"), _gravity_of_comparison)
    rows = []
    for index, item in enumerate(comparisons):
        members = obj(item)
        if members:
            row = _comparison(index, members, evidence)
            rows.append(_with_candidates(row, unsure, evidence, attested))
    # Fields that the service has compared already.
    fields = {row.field for row in rows}
    # If the service sent comparisons, the desk adds none for the remaining members.
    to_compare = {} if comparisons else attested
    for name in _to_compare_first(data, to_compare):
        value = data[name]
        if name in NO_FACTS or name in fields or _is_covered(name, value, data):
            continue
        ref = f"f{len(rows)}"
        source = obj(evidence.get(name))
        fact = _fact(ref, name, value, source, to_compare)
        if fact is None and _candidates(ref, name, unsure, source):
            fact = _fact_without_value(ref, name, source)
        if fact:
            rows.append(_with_candidates(fact, unsure, evidence, attested))
        if len(rows) >= MAX_ROWS:
            break
    return Extraction(
        is_valid=truth(data.get("is_valid_document")),
        summary=text(data.get("summary")),
        analysis=text(data.get("analysis")),
        alerts=strings(data.get("alerts")),
        rows=tuple(rows),
        only_unsure=truth(data.get("only_unsure")) is True,
    )


def _to_compare_first(data: JsonObject, attested: JsonObject) -> list[str]:
    """The members of a document. Of more than a page shows, those that can be compared come first, so
    that they are not cut off. The sort keeps the order of all others.
    """
    names = list(data)
    if len(names) > MAX_ROWS:
        names.sort(key=lambda name: not comparison.candidates(name, attested))
    return names


def _candidates(
    ref: str, name: str, unsure: JsonObject, source: JsonObject
) -> list[Candidate]:
    """The values that an unsure field may have.

    A value that the service gives although it is unsure of it is the only candidate.
    """
    if name not in unsure:
        return []
    sent = items(source.get("candidates"))
    value = text(without_places(unsure[name]))
    if not sent and value:
        sent = [{**source, "value": value}]
    candidates = []
    for number_of_row, item in enumerate(sent[:MAX_CANDIDATES], 1):
        members = obj(item)
        words = text(without_places(members.get("value")))
        if words:
            candidates.append(
                Candidate(
                    ref=f"{ref}-{number_of_row}",
                    boxes=boxes(members.get("boxes")),
                    label=label(name),
                    value=words,
                    snippet=text(members.get("snippet"), 200),
                    how=text(members.get("how"), 400),
                    confidence=number(members.get("confidence")),
                )
            )
    return candidates


def _with_candidates(
    row: Comparison, unsure: JsonObject, evidence: JsonObject, attested: JsonObject
) -> Comparison:
    """The row with what a person may choose, and with what a choice is compared with."""
    expected: list[object] = comparison.candidates(row.field, attested)
    if not expected and row.attested:
        expected = [row.attested]
    if row.field == "jurisdiction":
        expected += _country_names(row.attested)
    source = obj(evidence.get(row.field))
    candidates = _candidates(row.ref, row.field, unsure, source)
    places = list(row.boxes)
    if not places:
        for candidate in candidates:
            places.extend(candidate.boxes)
    return replace(row, candidates=candidates, expected=expected, boxes=places)


def _country_names(attested: str) -> list[object]:
    """The country of an attested place by its name, as candidates state it: “Noord-Holland, NL”."""
    name = countries.NAMES.get(attested.rpartition(", ")[2])
    return [name] if name else []


def _fact_without_value(ref: str, name: str, source: JsonObject) -> Comparison:
    """The row of an unsure field that nothing was attested for."""
    return Comparison(
        ref=ref,
        boxes=[],
        field=name,
        label=label(name),
        state="not_attested",
        attested="",
        extracted="",
        how=text(source.get("how"), 400),
        read_by=_read_by(source),
    )


def _comparison(index: int, item: JsonObject, evidence: JsonObject) -> Comparison:
    """Reads a comparison that the service made."""
    field = string(item.get("field"), 120)
    attested = text(without_places(item.get("attested")))
    extracted = text(without_places(item.get("extracted")))
    word = string(item.get("state")).casefold()
    state = STATES.get(word)
    if state is None:
        # The service compared, but its word for the result is unknown: the desk compares again.
        values = [attested] if attested else []
        state, _, _ = comparison.compare(values, extracted)
    # Place and method may be in the comparison or in the evidence of the field.
    source = obj(evidence.get(field))
    places = boxes(item.get("boxes")) or boxes(source.get("boxes"))
    title = string(item.get("label"), 120) or label(field)
    how = text(item.get("how"), 400) or text(source.get("how"), 400)
    return Comparison(
        ref=f"f{index}",
        boxes=places,
        field=field,
        label=title or "Unnamed field",
        state=state,
        attested=attested,
        extracted=extracted,
        how=how,
        read_by=_read_by(source),
    )


def _fact(
    ref: str,
    name: str,
    value: object,
    source: JsonObject,
    attested: JsonObject,
) -> Comparison | None:
    """A fact for which the service sent no comparison. The desk compares it itself."""
    candidates = comparison.candidates(name, attested)
    extracted = text(without_places(value))
    if not extracted and not candidates:
        return None
    state, match, how = comparison.compare(candidates, value)
    how_read = text(source.get("how"), 400)
    if state == "not_attested" and how_read:
        # Nothing was compared, so the way it was read matters more.
        how = f"{how}; {how_read}"
    return Comparison(
        ref=ref,
        boxes=boxes(source.get("boxes")),
        field=name,
        label=label(name),
        state=state,
        attested=text(without_places(match)),
        extracted=extracted,
        how=how,
        read_by=_read_by(source),
    )


def without_places(value: object) -> object:
    """A list of facts without boxes and reading method, which are not part of the text.

    Owners are as people write them: "Ann Lee, 60 %".
    """
    if not isinstance(value, list):
        return value
    facts = []
    for item in value:
        fact = item
        if isinstance(item, dict):
            fact = dict(item)
            for name in READING_MEMBERS:
                fact.pop(name, None)
            fact = _owner(fact) or fact
        facts.append(fact)
    return facts


# Members of an owner with the name and the share, in the order in which they are tried.
OWNER_NAMES = ("name", "full_name", "business_name", "company_name")
OWNER_SHARES = ("percentage", "ownership_percentage", "percent")
MOST_LEVELS = 4  # of owners of owners in one text


def _owner(fact: JsonObject, level: int = 0) -> str:
    """A name with a share, and the owners behind it; "" if the fact is no owner."""
    name = _first(fact, OWNER_NAMES)
    share = _first(fact, OWNER_SHARES)
    if not name or not share or level > MOST_LEVELS:
        return ""
    words = f"{name}, {share.removesuffix('%').strip()} %"
    behind = []
    for item in items(fact.get("owners")):
        if owner := _owner(obj(item), level + 1):
            behind.append(owner)
    return f"{words} ({'; '.join(behind)})" if behind else words


def _first(fact: JsonObject, names: Sequence[str]) -> str:
    texts = (text(fact.get(name), 200) for name in names)
    return next(filter(None, texts), "")


def _read_by(source: JsonObject) -> str:
    """The words "read by OCR" with the confidence, if the value comes from a picture.

    Such words may be wrong, so the page shows this beside them.
    """
    if string(source.get("source")) != "OCR":
        return ""
    confidence = number(source.get("confidence"))
    if confidence is None or not 0 < confidence <= 1:
        return "read by OCR"
    return f"read by OCR, {confidence:.0%} sure"


def _is_covered(name: str, value: object, data: JsonObject) -> bool:
    """Whether a list of all values only repeats the value of the field itself."""
    if name not in LISTS:
        return False
    field = text(data.get(LISTS[name]))
    values = items(value) or list(obj(value).values())
    for item in values:
        if text(item) != field:
            return False
    return True


def visual(data: JsonObject, _: JsonObject) -> Visual:
    analysis = obj(data.get("visual_analysis"))
    # Every section of the interface gets a row, even if it was not sent. Unknown sections follow.
    names = list(SECTIONS)
    for name in analysis:
        if name not in SECTIONS and name != "type":
            names.append(name)
    # Of more than a page shows, those that did not pass are never cut off. The sort keeps the order
    # of all others.
    if len(names) > MAX_ROWS:
        names.sort(key=lambda name: _passed(analysis.get(name)) is not False)
    sections = []
    for index, name in enumerate(names[:MAX_ROWS]):
        section = _section(f"v{index}", name, analysis.get(name))
        sections.append(section)
    barcodes = []
    for index, item in enumerate(items(data.get("barcodes"))[:MAX_ROWS]):
        members = obj(item)
        if members:
            barcodes.append(_barcode(f"c{index}", members))
    return Visual(
        passed=truth(data.get("inspection_passed")),
        summary=text(data.get("summary")),
        reasoning=text(data.get("reasoning")),
        comparison=text(data.get("comparison")),
        rows=tuple(sections),
        barcodes=tuple(barcodes),
        not_checked=strings(data.get("not_checked")),
    )


def _barcode(ref: str, members: JsonObject) -> Barcode:
    return Barcode(
        ref=ref,
        boxes=boxes(members.get("boxes")),
        format=string(members.get("format"), 60) or "Barcode",
        text=text(members.get("text"), 1000),
        state=string(members.get("state"), 40).casefold(),
        how=text(members.get("how"), 400),
    )


def _passed(section: object) -> bool | None:
    """The flag of a section, which may come alone instead of within an object."""
    members = obj(section)
    return truth(members.get("passed") if members else section)


def _section(ref: str, name: str, value: object) -> Section:
    members = obj(value)
    if members:
        analysis = text(members.get("analysis"))
    else:
        analysis = "" if isinstance(value, bool) else text(value)
    # `checked: false` means that the section was skipped.
    state = SECTION_STATES[_passed(value)]
    if truth(members.get("checked")) is False:
        state = "not_checked"
    if value is None:
        state = "not_checked"
        analysis = NOT_SENT
    return Section(
        ref=ref,
        boxes=boxes(members.get("boxes")),
        key=name,
        label=SECTIONS.get(name) or label(name),
        state=state,
        analysis=analysis,
        present=truth(members.get("present")),
    )


def fraud(data: JsonObject, _: JsonObject) -> Fraud:
    sent = data.get("verification_data")
    entries = worst_first(sent, _gravity_of_indicator)
    not_shown = 0
    if isinstance(sent, list):
        not_shown = len(sent) - len(entries)
    # A single indicator may come without the list around it.
    if sent and not entries:
        entries = [sent]
    indicators = [_indicator(item) for item in entries]
    # RISK first, then INFO, then TRUST; the strongest first.
    indicators.sort(key=_gravest_first)
    rows = []
    for index, indicator in enumerate(indicators):
        row = _with_refs(f"i{index}", indicator)
        rows.append(row)
    result = string(data.get("verification_result"), 60)
    passed = truth(data.get("verification_passed"))
    # Some services send words instead of the constant: "high risk" for HIGH_RISK.
    constant = result.upper().replace(" ", "_")
    tone = RESULTS.get(constant)
    return Fraud(
        passed=passed,
        result=label(result),
        tone=tone or FLAG_TONES[passed],
        description=text(data.get("verification_description")),
        rows=tuple(rows),
        not_checked=tuple(_reasons(data.get("not_checked"))),
        cannot_be_found=strings(data.get("cannot_be_found")),
        not_shown=not_shown,
    )


def _gravity_of_indicator(item: object) -> int:
    kind = string(obj(item).get("type"), 24).upper()
    return ORDER.get(kind, 3)


def _gravity_of_comparison(item: object) -> int:
    state = string(obj(item).get("state")).casefold()
    return 0 if state in STATES_AGAINST else 1


def _gravest_first(indicator: Indicator) -> tuple[int, int]:
    # Unknown types come last; an unknown severity counts as medium.
    by_type = ORDER.get(indicator.type, 3)
    by_severity = SEVERITIES.get(indicator.severity, 1)
    return by_type, by_severity


def _reasons(value: object) -> Iterator[str]:
    for item in items(value)[:MAX_ROWS]:
        members = obj(item)
        if members:
            reason = members.get("why") or ""
        else:
            reason = item
        words = text(reason, 300)
        if words:
            yield words


def _indicator(item: object) -> Indicator:
    members = obj(item)
    title = text(members.get("title"), 300)
    if not title:
        name = string(members.get("indicator_id"))
        title = label(name)
    if not title:
        # Services may send a text in place of an object.
        if members:
            title = "Untitled indicator"
        else:
            title = text(item, 300)
    entries = items(members.get("changes"))
    changes = []
    for entry in entries[:MAX_CHANGES]:
        change = _change(obj(entry))
        changes.append(change)
    return Indicator(
        ref="",
        boxes=boxes(members.get("boxes")),
        indicator_id=text(members.get("indicator_id"), 120),
        type=string(members.get("type"), 24).upper() or "OTHER",
        category=text(members.get("category"), 60),
        title=title,
        description=text(members.get("description")),
        raw=text(members.get("raw"), 1000),
        severity=string(members.get("severity"), 12).lower(),
        changes=tuple(changes),
        documentation=_paragraphs(members.get("documentation")),
    )


def _with_refs(ref: str, row: Indicator) -> Indicator:
    changes = []
    for index, change in enumerate(row.changes):
        changes.append(replace(change, ref=f"{ref}c{index}"))
    return replace(row, ref=ref, changes=tuple(changes))


def _change(members: JsonObject) -> Change:
    page = number(members.get("page"))
    return Change(
        ref="",
        boxes=boxes(members.get("boxes")),
        on_page=int(page) if page and page > 0 else None,
        before=text(members.get("before"), 400),
        after=text(members.get("after"), 400),
    )


def _paragraphs(value: object) -> tuple[str, ...]:
    """The paragraphs after the first one, which holds the title. At most eight."""
    if not isinstance(value, str):
        return ()
    paragraphs = []
    for block in value[:8000].split("\n\n")[1:9]:
        # A paragraph is one text, however its lines were broken.
        paragraph = " ".join(text(block, 1500).split())
        if paragraph:
            paragraphs.append(paragraph)
    return tuple(paragraphs)


READERS: Mapping[str, Callable[[JsonObject, JsonObject], View]] = {
    "extraction_data": extraction,
    "visual_inspection": visual,
    "fraud_verification_data": fraud,
    "screening": screening.screening,
    "people_screening": screening.people,
    faces.KEY: faces.faces,
}


# The member that each payload must have, with its type, to be readable.
FORMS: Mapping[str, tuple[str, type]] = {
    "fraud_verification_data": ("verification_data", list),
    "visual_inspection": ("visual_analysis", dict),
    "extraction_data": ("comparisons", list),
    "screening": ("matches", list),
    "people_screening": ("people", list),
}


def in_form(key: str, data: object) -> bool:
    """Whether a payload has the form that the interface describes. True for unknown payloads."""
    if key not in READERS:
        return True
    if not isinstance(data, dict):
        return False
    name, form = FORMS.get(key, ("", object))
    value = data.get(name)
    return value is None or isinstance(value, form)


def view(key: str, data: object, attested: JsonObject) -> View | None:
    """The payload as a view for the page. None: it is shown raw, or by a template of its key."""
    reader = READERS.get(key)
    if reader is None or not isinstance(data, dict):
        return None
    return reader(data, attested)
