"""What a result rests on, in one form for all checks: its evidence, and versions of what was used.

Both are read from the payload, so that neither can say something else than what the page shows.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from importlib.resources import files
from typing import Any

# The version of the rules of the checks; tests hold it to that of the project.
RULES = "0.1.0"
MOST, LONGEST = 100, 300
ATTESTED, DOCUMENT = "Attested", "Document"
_Part = Mapping[str, Any]
_Grounds = Iterator[dict[str, str]]


def evidence_of(payload: _Part) -> list[dict[str, str]]:
    """What was looked at: each with its value, where that comes from, and the place in there."""
    found: list[dict[str, str]] = []
    for one in _within(payload, source=_name(payload.get("document"))):
        if one not in found:
            found.append(one)
        if len(found) == MOST:
            break
    return found


def versions_of(payload: _Part) -> dict[str, str]:
    """Versions of the rules, and of the data that parts of the payload say they used."""
    found = {"checks": RULES}
    for part in [payload, *(one for one in payload.values() if isinstance(one, Mapping))]:
        found |= _versions(part)
        for one in _mappings(part.get("people")):
            found |= _versions(_mapping(one.get("screening")))
    return found


@cache
def version_of(name: str) -> str:
    """Of a library, or of a table in checks/data (`table:name`): the start of its hash."""
    kind, _, rest = name.partition(":")
    if kind == "table":
        content = files("checks.data").joinpath(f"{rest}.csv").read_bytes()
        return hashlib.sha256(content).hexdigest()[:12]
    return metadata.version(name)


def _versions(part: _Part) -> dict[str, str]:
    found = {}
    for name, said in _mapping(part.get("versions")).items():
        told = _mapping(said)
        found[name] = f"{told['version']} ({told['hash']})" if "hash" in told else str(said)
    for one in _mappings(part.get("lists")):
        if "sha256" in one:
            said = f"version {one.get('version')}, published {one.get('published_at') or 'undated'}"
            found[f"list {one.get('slug')}"] = f"{said}, sha256 {one['sha256']}"
    return found


def _within(part: _Part, *, source: str) -> _Grounds:
    for key, read in _READERS.items():
        if key in part:
            yield from read(part[key], part, source)
    for key, inner in part.items():
        if isinstance(inner, Mapping) and key not in _READERS:
            yield from _within(inner, source=source)


def _said(label: object, value: object, source: object, location: object = "") -> dict[str, str]:
    return {
        "label": str(label or "")[:LONGEST],
        "value": str("" if value is None else value)[:LONGEST],
        "source": str(source or "")[:LONGEST],
        "location": str(location or "")[:LONGEST],
    }


def _rows(said: object, part: _Part, source: str) -> _Grounds:
    sides = [str(one) for one in part.get("sides") or (ATTESTED, "")]
    for row in _mappings(said):
        if row.get("against"):
            yield _said(row.get("label"), row["against"], sides[0])
        if row.get("value") or "against" not in row:
            side = sides[-1] if "against" in row else row.get("source") or source or ATTESTED
            yield _said(row.get("label"), row.get("value"), side, row.get("location"))


def _matches(said: object, part: _Part, source: str) -> _Grounds:
    for match in _mappings(said):
        name, entry, on = (_mapping(match.get(key)) for key in ("name", "entry", "list"))
        place = f"{on.get('title')}, version {on.get('version')} of {on.get('published_at') or 'no date'}"
        score = f"{name.get('query')} / {name.get('listed')}: {match.get('score')}"
        yield _said("Name", score, place, entry.get("id"))
        for fact in _mappings(match.get("facts")):
            value = f"{fact.get('subject')} / {fact.get('listed') or 'not told'}: {fact.get('how')}"
            yield _said(fact.get("label"), value, place, entry.get("id"))


def _subject(said: object, part: _Part, source: str) -> _Grounds:
    names = _mapping(said).get("names")
    for name in names if isinstance(names, list) else []:
        yield _said("Name asked for", name, ATTESTED)


def _lists(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        told = f"{one.get('entities')} entries, loaded {one.get('loaded_at')}"
        yield _said("List", told, one.get("title"), one.get("sha256"))


def _people(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        for ground in _within(_mapping(one.get("screening")), source=source):
            yield ground | {"label": f"{one.get('name')}: {ground['label']}"[:LONGEST]}


def _links(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        shared = ", ".join(str(fact.get("label")) for fact in _mappings(one.get("shared")))
        yield _said(f"The same {shared}", one.get("name"), "Another case", one.get("case_id"))


def _sources(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        yield _said("Date of birth", one.get("date_of_birth"), one.get("source"))


def _read(said: object, part: _Part, source: str) -> _Grounds:
    """What was read from a document, by field."""
    for field, one in _mapping(said).items():
        told = _mapping(one)
        if told.get("value") not in (None, ""):
            yield _said(field.replace("_", " "), told["value"], source or DOCUMENT, _page(told))


def _sections(said: object, part: _Part, source: str) -> _Grounds:
    for name, one in _mapping(said).items():
        yield _said(name.replace("_", " "), _mapping(one).get("analysis"), source or DOCUMENT)


def _indicators(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        yield _said(one.get("title"), one.get("description"), source or DOCUMENT, _page(one))


def _page(one: _Part) -> str:
    pages = [box["page"] for box in _mappings(one.get("boxes")) if box.get("page")]
    return f"page {min(pages)}" if pages else ""


def _documents(said: object, part: _Part, source: str) -> _Grounds:
    for one in _mappings(said):
        yield from _within(one, source=_name(one.get("document")) or source)


_READERS: dict[str, Callable[[object, _Part, str], _Grounds]] = {
    "rows": _rows, "matches": _matches, "subject": _subject, "lists": _lists, "people": _people, "links": _links,
    "sources": _sources, "evidence": _read, "visual_analysis": _sections,
    "verification_data": _indicators, "valid_documents": _documents,
    "invalid_documents": _documents,
}  # fmt: skip


def _name(document: object) -> str:
    said = _mapping(document)
    return str(said.get("file_name") or said.get("url") or "")


def _mapping(said: object) -> _Part:
    return said if isinstance(said, Mapping) else {}


def _mappings(said: object) -> Iterable[_Part]:
    return [one for one in said if isinstance(one, Mapping)] if isinstance(said, list) else []
