"""FollowTheMoney entities, one JSON object a line (entities.ftm.json, targets.nested.json)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    dates,
    gender,
    identifier,
    named,
)
from agenthub.screening.formats.files import Files, one
from checks.screening.records import Entity, Identifier, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "Person": "Person", "Vessel": "Vessel", "Airplane": "Aircraft", "LegalEntity": "LegalEntity",
    "Organization": "Organization", "Company": "Organization", "PublicBody": "Organization",
}  # fmt: skip
_NAMES: tuple[tuple[str, NameKind], ...] = (
    ("name", "primary"), ("alias", "alias"), ("previousName", "former"), ("weakAlias", "weak"),
)  # fmt: skip
_NUMBERS = {
    "passportNumber": "passport", "idNumber": "national identification", "taxNumber": "tax",
    "innCode": "tax", "vatCode": "tax", "registrationNumber": "registration", "ogrnCode": "ogrn",
    "leiCode": "lei", "imoNumber": "imo", "swiftBic": "swift", "mmsi": "other",
}  # fmt: skip
_WIKIDATA_ID = re.compile(r"Q\d+")  # stands for a name that nobody has written down
_Properties = Mapping[str, list[Any]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    posts = _posts(files)
    for line in _lines(files):
        if line["schema"] not in _SCHEMAS or line.get("target") is False:
            continue
        header.published_at = max(header.published_at, str(line.get("last_seen") or "")[:10])
        entity = _entity(line, posts.get(line["id"], ()), options)
        if entity.names:
            yield entity
        else:
            header.nameless += 1


def _lines(files: Files) -> Iterator[dict[str, Any]]:
    with one(files)() as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                said = json.loads(line)
                fits = isinstance(said["id"], str) and isinstance(said["properties"], dict)
            except (ValueError, KeyError, TypeError, RecursionError) as exc:
                raise ListError(
                    f"Line {number} is not an entity: cut off, or another format."
                ) from exc
            if b"\\u0000" in line or (b"\\ud" in line and not _is_text(said)):
                raise ListError(f"Line {number} is not text.")
            if not fits or not isinstance(said.get("schema"), str):
                raise ListError(f"Line {number} is not an entity.")
            yield said


def _is_text(said: object) -> bool:
    """Halves of a pair of surrogates are no letters, and no database takes them."""
    try:
        json.dumps(said, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _posts(files: Files) -> dict[str, list[str]]:
    """By person, the offices held: entities of their own, which refer to person and office."""
    offices: dict[str, str] = {}
    held: list[tuple[str, str, str, str]] = []
    for line in _lines(files):
        said = line["properties"]
        if line["schema"] == "Position":
            offices[line["id"]] = _first(said, "name")
        elif line["schema"] == "Occupancy":
            since, until = _first(said, "startDate"), _first(said, "endDate")
            held += [(who, _first(said, "post"), since, until) for who in _all(said, "holder")]
    found: dict[str, list[str]] = defaultdict(list)
    for who, post, since, until in held:
        if office := offices.get(post):
            span = f" ({since or '?'} to {until or 'now'})" if since or until else ""
            found[who].append(f"{office}{span}")
    return found


def _entity(line: dict[str, Any], posts: Any, options: Options) -> Entity:
    said: _Properties = line["properties"]
    whole = " ".join(filter(None, (_first(said, "firstName"), _first(said, "lastName"))))
    names = [
        (text, kind)
        for key, kind in _NAMES
        for text in _all(said, key)
        if not _WIKIDATA_ID.fullmatch(text)
    ]
    names = names or [(whole or str(line.get("caption") or ""), "primary")]
    given = [
        Identifier("tax" if key == "innCode" else found.type, found.value, found.country)
        for key, kind in _NUMBERS.items()
        for value in _all(said, key)
        if (found := identifier(kind, value))
    ]
    return Entity(
        id=line["id"],
        schema=_SCHEMAS[line["schema"]],
        names=named(names),
        birth_dates=[one for text in _all(said, "birthDate") for one in dates(text)],
        birth_places=_all(said, "birthPlace"),
        nationalities=codes([*_all(said, "nationality"), *_all(said, "citizenship")]),
        countries=codes([*_all(said, "country"), *_all(said, "jurisdiction"), *_all(said, "flag")]),
        genders=sorted({s for text in _all(said, "gender") for s in gender(text)}),
        identifiers=list(dict.fromkeys(given)),
        addresses=_all(said, "address"),
        positions=[*_all(said, "position"), *posts],
        topics=_all(said, "topics") or list(options.topics),
        programs=_all(said, "program") or [str(one) for one in line.get("datasets") or ()],
        listed_on=str(line.get("first_seen") or "")[:10],
        reason="; ".join([*_all(said, "reason"), *_all(said, "notes"), *_all(said, "description")]),
        source_url=_first(said, "sourceUrl"),
    )


def _all(said: _Properties, key: str) -> list[str]:
    """The texts of a property; a nested entity is named by its caption."""
    found = said.get(key) or ()
    texts = (one.get("caption") if isinstance(one, dict) else one for one in found)
    return [text for text in texts if isinstance(text, str) and text.strip()]


def _first(said: _Properties, key: str) -> str:
    """The first text, or the id of a nested entity."""
    found = said.get(key) or [""]
    return str(found[0].get("id") if isinstance(found[0], dict) else found[0])
