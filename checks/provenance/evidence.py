"""The evidence of a result, read from its payload."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from checks.provenance.members import mapping, mappings
from checks.wire import JsonObject

MOST, LONGEST = 100, 300
ATTESTED, DOCUMENT = "Attested", "Document"
_Items = Iterator[dict[str, str]]


def evidence_of(payload: JsonObject) -> list[dict[str, str]]:
    """Return the evidence: each item with its value, its source, and its place in the source."""
    evidence: list[dict[str, str]] = []
    for item in _within(payload, source=_name(payload.get("document"))):
        if item not in evidence:
            evidence.append(item)
        if len(evidence) == MOST:
            break
    return evidence


def _within(part: JsonObject, *, source: str) -> _Items:
    # Members with a known form have a reader. All other objects are searched for such members.
    for key, read in _READERS.items():
        if key in part:
            yield from read(part[key], part, source)
    for key, inner in part.items():
        if isinstance(inner, Mapping) and key not in _READERS:
            yield from _within(inner, source=source)


def _item(
    label: object, value: object, source: object, location: object = ""
) -> dict[str, str]:
    return {
        "label": str(label or "")[:LONGEST],
        "value": str("" if value is None else value)[:LONGEST],
        "source": str(source or "")[:LONGEST],
        "location": str(location or "")[:LONGEST],
    }


def _rows(value: object, part: JsonObject, source: str) -> _Items:
    sides = []
    for name in part.get("sides") or (ATTESTED, ""):
        sides.append(str(name))
    for row in mappings(value):
        is_compared = "against" in row
        if row.get("against"):
            yield _item(row.get("label"), row["against"], sides[0])
        # The empty side of a comparison is no evidence.
        if is_compared and not row.get("value"):
            continue
        side = row.get("source") or source or ATTESTED
        if is_compared:
            side = sides[-1]
        yield _item(row.get("label"), row.get("value"), side, row.get("location"))


def _matches(entries: object, part: JsonObject, source: str) -> _Items:
    for match in mappings(entries):
        place = _list_in_words(mapping(match.get("list")))
        entry = mapping(match.get("entry")).get("id")
        name = mapping(match.get("name"))
        names = f"{name.get('query')} / {name.get('listed')}"
        yield _item("Name", f"{names}: {match.get('score')}", place, entry)
        for fact in mappings(match.get("facts")):
            listed = fact.get("listed") or "not stated"
            sides = f"{fact.get('subject')} / {listed}"
            value = f"{sides}: {fact.get('how')}"
            yield _item(fact.get("label"), value, place, entry)


def _list_in_words(row: JsonObject) -> str:
    day = row.get("published_at") or "no date"
    return f"{row.get('title')}, version {row.get('version')} of {day}"


def _subject(value: object, part: JsonObject, source: str) -> _Items:
    names = mapping(value).get("names")
    for name in names if isinstance(names, list) else []:
        yield _item("Name asked for", name, ATTESTED)


def _lists(value: object, part: JsonObject, source: str) -> _Items:
    for item in mappings(value):
        description = f"{item.get('entities')} entries, loaded {item.get('loaded_at')}"
        yield _item("List", description, item.get("title"), item.get("sha256"))


def _people(value: object, part: JsonObject, source: str) -> _Items:
    for person in mappings(value):
        for item in _within(mapping(person.get("screening")), source=source):
            label = f"{person.get('name')}: {item['label']}"
            yield item | {"label": label[:LONGEST]}


def _links(value: object, part: JsonObject, source: str) -> _Items:
    for link in mappings(value):
        shared = ", ".join(
            str(fact.get("label")) for fact in mappings(link.get("shared"))
        )
        yield _item(
            f"The same {shared}", link.get("name"), "Another case", link.get("case_id")
        )


def _sources(value: object, part: JsonObject, source: str) -> _Items:
    for item in mappings(value):
        yield _item("Date of birth", item.get("date_of_birth"), item.get("source"))


def _facts(value: object, part: JsonObject, source: str) -> _Items:
    """Yield what was read from a document, by field."""
    for field, fact in mapping(value).items():
        details = mapping(fact)
        if details.get("value") not in (None, ""):
            yield _item(
                field.replace("_", " "),
                details["value"],
                source or DOCUMENT,
                _page(details),
            )


def _sections(value: object, part: JsonObject, source: str) -> _Items:
    for name, section in mapping(value).items():
        yield _item(
            name.replace("_", " "),
            mapping(section).get("analysis"),
            source or DOCUMENT,
        )


def _indicators(value: object, part: JsonObject, source: str) -> _Items:
    for indicator in mappings(value):
        yield _item(
            indicator.get("title"),
            indicator.get("description"),
            source or DOCUMENT,
            _page(indicator),
        )


def _page(item: JsonObject) -> str:
    pages = []
    for box in mappings(item.get("boxes")):
        if box.get("page"):
            pages.append(box["page"])
    return f"page {min(pages)}" if pages else ""


def _documents(value: object, part: JsonObject, source: str) -> _Items:
    for document in mappings(value):
        yield from _within(document, source=_name(document.get("document")) or source)


_READERS: dict[str, Callable[[object, JsonObject, str], _Items]] = {
    "rows": _rows, "matches": _matches, "subject": _subject, "lists": _lists, "people": _people, "links": _links,
    "sources": _sources, "evidence": _facts, "visual_analysis": _sections,
    "verification_data": _indicators, "valid_documents": _documents,
    "invalid_documents": _documents,
}  # fmt: skip


def _name(document: object) -> str:
    details = mapping(document)
    return str(details.get("file_name") or details.get("url") or "")
