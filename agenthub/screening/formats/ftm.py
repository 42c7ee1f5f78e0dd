"""Reader of FollowTheMoney entities, one JSON object per line (*.ftm.json, *.nested.json)."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    genders,
    identifiers,
    listed_names,
)
from agenthub.screening.formats.files import Files, lines, single
from agenthub.wire import JsonValue, Wire
from checks.screening.records import Entity, Identifier, NameKind, Schema

_SCHEMAS: dict[str, Schema] = {
    "Person": "Person", "Vessel": "Vessel", "Airplane": "Aircraft", "LegalEntity": "LegalEntity",
    "Organization": "Organization", "Company": "Organization", "PublicBody": "Organization",
    "CryptoWallet": "LegalEntity",
}  # fmt: skip
_NAMES: tuple[tuple[str, NameKind], ...] = (
    ("name", "primary"), ("alias", "alias"), ("previousName", "former"), ("weakAlias", "weak"),
)  # fmt: skip
# Property of an entity → the wording that base.identifier() understands.
_NUMBERS = {
    "passportNumber": "passport", "idNumber": "national identification", "taxNumber": "tax",
    "innCode": "tax", "vatCode": "tax", "registrationNumber": "registration", "ogrnCode": "ogrn",
    "leiCode": "lei", "imoNumber": "imo", "swiftBic": "swift", "mmsi": "other",
    "publicKey": "wallet",
}  # fmt: skip
_WIKIDATA_ID = re.compile(r"Q\d+")  # used in place of a missing name
_Properties = Mapping[str, list[JsonValue]]


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    # Posts and wallets are entities of their own. They may follow their holders, so read them
    # first.
    posts = _posts(files)
    wallets = _wallets(files)
    for line in _lines(files):
        if line["schema"] not in _SCHEMAS or line.get("target") is False:
            continue
        header.published_at = max(
            header.published_at, str(line.get("last_seen") or "")[:10]
        )
        entity = _entity(line, posts.get(line["id"], ()), options)
        if line["id"] in wallets:
            entity = replace(
                entity, identifiers=[*entity.identifiers, *wallets[line["id"]]]
            )
        if entity.names:
            yield entity
        else:
            header.nameless += 1


def _lines(files: Files) -> Iterator[Wire]:
    with single(files)() as file:
        for number, line in enumerate(lines(file), start=1):
            if not line.strip():
                continue
            try:
                entity = json.loads(line)
                fits = isinstance(entity["id"], str) and _are_properties(
                    entity["properties"]
                )
            except (ValueError, KeyError, TypeError, RecursionError) as exc:
                raise ListError(
                    f"Line {number} is not an entity: cut off, or another format."
                ) from exc
            # The digits of an escape may be capitals: \uD800.
            escapes = line.lower() if b"\\u" in line else b""
            if b"\\u0000" in line or (b"\\ud" in escapes and not _is_text(entity)):
                raise ListError(f"Line {number} is not text.")
            if not fits or not isinstance(entity.get("schema"), str):
                raise ListError(f"Line {number} is not an entity.")
            yield entity


def _are_properties(properties: object) -> bool:
    if not isinstance(properties, dict):
        return False
    return all(isinstance(values, list) for values in properties.values())


def _is_text(entity: object) -> bool:
    """Whether all strings are valid text: databases refuse lone surrogates."""
    try:
        json.dumps(entity, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    return True


def _posts(files: Files) -> dict[str, list[str]]:
    """Offices by the id of the person: "Occupancy" entities refer to a person and an office."""
    offices: dict[str, str] = {}
    occupancies: list[_Properties] = []
    for line in _lines(files):
        properties = line["properties"]
        if line["schema"] == "Position":
            offices[line["id"]] = _first(properties, "name")
        elif line["schema"] == "Occupancy":
            occupancies.append(
                {
                    name: properties.get(name) or []
                    for name in _OCCUPANCY
                    if properties.get(name)
                }
            )
    posts: dict[str, list[str]] = defaultdict(list)
    for occupancy in occupancies:
        office = offices.get(_first(occupancy, "post"))
        if office:
            for holder in _all(occupancy, "holder"):
                posts[holder].append(office + _span(occupancy))
    return posts


def _wallets(files: Files) -> dict[str, list[Identifier]]:
    """Wallets by the id of the holder: "CryptoWallet" entities refer to their holder."""
    wallets: dict[str, list[Identifier]] = defaultdict(list)
    for line in _lines(files):
        if line["schema"] == "CryptoWallet":
            properties = line["properties"]
            for holder in _all_ids(properties, "holder"):
                wallets[holder] += identifiers("wallet", _all(properties, "publicKey"))
    return wallets


# Prefixes of OpenSanctions for publishers whose own ids also appear in other lists.
PUBLISHERS = ("ofac-", "unsc-")
MOST_REFERENTS = 20


def _all_ids(properties: _Properties, key: str) -> list[str]:
    """The ids of all entities that a property refers to, nested or not."""
    values = properties.get(key) or ()
    return [_first({key: [value]}, key) for value in values]


_OCCUPANCY = ("holder", "post", "startDate", "endDate")


def _span(occupancy: _Properties) -> str:
    since = _first(occupancy, "startDate")
    until = _first(occupancy, "endDate")
    if not since and not until:
        return ""
    return f" ({since or '?'} to {until or 'now'})"


def _entity(line: Wire, posts: Sequence[str], options: Options) -> Entity:
    properties: _Properties = line["properties"]
    reasons = [
        *_all(properties, "reason"),
        *_all(properties, "notes"),
        *_all(properties, "description"),
    ]
    places = [
        *_all(properties, "country"),
        *_all(properties, "jurisdiction"),
        *_all(properties, "flag"),
    ]
    nationalities = [*_all(properties, "nationality"), *_all(properties, "citizenship")]
    programs = _all(properties, "program")
    return Entity(
        id=line["id"],
        schema=_SCHEMAS[line["schema"]],
        names=listed_names(_names(line)),
        birth_dates=all_dates(_all(properties, "birthDate")),
        birth_places=_all(properties, "birthPlace"),
        nationalities=codes(nationalities),
        countries=codes(places),
        genders=genders(_all(properties, "gender")),
        identifiers=_identifiers(properties),
        addresses=_all(properties, "address"),
        positions=[*_all(properties, "position"), *posts],
        topics=_all(properties, "topics") or list(options.topics),
        programs=programs or [str(dataset) for dataset in line.get("datasets") or ()],
        listed_on=str(line.get("first_seen") or "")[:10],
        reason="; ".join(reasons),
        source_url=_first(properties, "sourceUrl"),
        references=_referents(line),
    )


def _referents(line: Wire) -> list[str]:
    """The ids of the merged source entries, only those of PUBLISHERS."""
    referents = line.get("referents")
    if not isinstance(referents, list):
        return []
    ids = []
    for referent in referents:
        if isinstance(referent, str):
            ids.append(referent)
    return [entry_id for entry_id in ids if entry_id.startswith(PUBLISHERS)][
        :MOST_REFERENTS
    ]


def _names(line: Wire) -> list[tuple[str, NameKind]]:
    properties: _Properties = line["properties"]
    names: list[tuple[str, NameKind]] = []
    for key, kind in _NAMES:
        for name in _all(properties, key):
            if not _WIKIDATA_ID.fullmatch(name):
                names.append((name, kind))
    if names:
        return names
    parts = (_first(properties, "firstName"), _first(properties, "lastName"))
    whole = " ".join(filter(None, parts))
    return [(whole or str(line.get("caption") or ""), "primary")]


def _identifiers(properties: _Properties) -> list[Identifier]:
    numbers: list[Identifier] = []
    for key, kind in _NUMBERS.items():
        for number in identifiers(kind, _all(properties, key)):
            # base.identifier() decides by the wording, but an INN is always a tax number.
            if key == "innCode":
                number = Identifier("tax", number.value, number.country)
            numbers.append(number)
    return list(dict.fromkeys(numbers))


def _all(properties: _Properties, key: str) -> list[str]:
    """The texts of a property. A nested entity is represented by its caption."""
    texts = []
    for value in properties.get(key) or ():
        if isinstance(value, dict):
            text = value.get("caption")
        else:
            text = value
        if isinstance(text, str) and text.strip():
            texts.append(text)
    return texts


def _first(properties: _Properties, key: str) -> str:
    """The first text of a property, or the id of a nested entity; empty if there is none."""
    values = properties.get(key)
    if not values:
        return ""
    value = values[0]
    if isinstance(value, dict):
        value = value.get("id")
    return str(value)
