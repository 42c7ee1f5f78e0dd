"""Reader of the Swiss list of SECO, XML (`swiss-sanctions-list`).

The file contains history: delisted targets, and copies of earlier states inside of modifications.
Only what is listed now is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    date,
    gender,
    identifier,
    listed_names,
    present,
    text,
    un_references,
    unique,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.publishers.xml_parts import at_depth
from checks.screening.records import (
    BirthDate,
    Entity,
    Identifier,
    NameKind,
    Schema,
)
from papers import countries

ROOT = "swiss-sanctions-list"
_SCHEMAS: dict[str, Schema] = {"individual": "Person", "entity": "Organization"}
_KINDS: dict[str, NameKind] = {"primary-name": "primary", "formerly-known-as": "former"}
_NOT_IN_NAME = frozenset({"title"})
_LATIN = "LATN"
# For example "IMO number: 9187629" or "Taxpayer Identification Number: 7710140679".
_NUMBER = re.compile(
    r"((?:IMO|Tax\w*|State registration|Business registration|Registration|Identification)"
    r"[\w ]*?number) ?: ?([\w/-]*\d[\w/-]*)",
    re.IGNORECASE,
)
_PLACE = ("address-details", "p-o-box", "zip-code", "location", "area", "country")


@dataclass
class _Shared:
    """The parts that targets refer to: programmes by the id of their set, places by their id."""

    programs: dict[str, str] = field(default_factory=dict)
    places: dict[str, dict[str, str]] = field(default_factory=dict)


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    shared = _Shared()
    with single(files)() as file:
        # Places follow after the targets that refer to them, so the file is read twice.
        entries = at_depth(file, 1, root=ROOT)
        header.published_at = date(next(entries).get("date", ""))
        if not header.published_at:
            raise ListError("The list does not say of which day it is.")
        for entry in entries:
            if entry.tag == "sanctions-program":
                name = _in_english(entry, "program-name") or text(entry, "program-name")
                for program_set in entry.iterfind("sanctions-set"):
                    shared.programs[program_set.get("ssid", "")] = name
            elif entry.tag == "place":
                shared.places[entry.get("ssid", "")] = _place(entry)
    with single(files)() as file:
        for entry in at_depth(file, 1, root=ROOT):
            if entry.tag == "target" and _is_listed(entry):
                yield _entity(entry, shared, options)


def _in_english(element: Element, tag: str) -> str:
    for child in element.iterfind(tag):
        if child.get("lang") == "eng":
            return " ".join((child.text or "").split())
    return ""


def _is_listed(target: Element) -> bool:
    """Whether the newest modification is no delisting. Of two on one day the first in the file
    counts: the newest comes first."""
    newest, kind = "", ""
    for change in target.iterfind("modification"):
        day = change.get("effective-date") or change.get("publication-date") or ""
        if not kind or day > newest:
            newest, kind = day, change.get("modification-type", "")
    return kind != "de-listed"


def _entity(target: Element, shared: _Shared, options: Options) -> Entity:
    node = _first(target, "individual", "entity", "object")
    if node is None:
        raise ListError(
            "A target is neither an individual nor an entity nor an object."
        )
    is_vessel = node.get("object-type") == "vessel"
    schema: Schema = _SCHEMAS.get(node.tag, "Vessel" if is_vessel else "LegalEntity")
    identities = node.findall("identity")
    others = []
    for info in node.iterfind("other-information"):
        others.append(" ".join((info.text or "").split()))
    days = []
    for change in target.iterfind("modification"):
        days.append(change.get("publication-date", ""))
    sets = {set_id.text or "" for set_id in target.iterfind("sanctions-set-id")}
    sets.add(target.get("sanctions-set-id", ""))
    addresses = []
    for address in _below(identities, "address"):
        addresses.append(_address(address, shared.places))
    reasons = []
    for reason in node.iterfind("justification"):
        reasons.append(" ".join((reason.text or "").split()))
    return Entity(
        id=f"seco-{target.get('ssid', '')}",
        schema=schema,
        names=listed_names(_names(identities)),
        birth_dates=_dates(identities) if schema == "Person" else (),
        birth_places=unique(
            ", ".join(_address(birthplace, shared.places).values())
            for birthplace in _below(identities, "place-of-birth")
        ),
        nationalities=codes(_nationalities(identities)),
        countries=codes(address.get("country", "") for address in addresses),
        genders=gender(node.get("sex", "")),
        identifiers=_identifiers(identities, others),
        addresses=unique(", ".join(address.values()) for address in addresses),
        topics=list(options.topics),
        programs=unique(shared.programs.get(set_id, "") for set_id in sorted(sets)),
        listed_on=date(min(filter(None, days), default="")),
        reason="; ".join(unique([*reasons, *others])),
        references=un_references(
            number.text or "" for number in target.iterfind("foreign-identifier")
        ),
    )


def _first(element: Element, *tags: str) -> Element | None:
    for tag in tags:
        child = element.find(tag)
        if child is not None:
            return child
    return None


def _below(elements: Iterable[Element], tag: str) -> Iterator[Element]:
    for element in elements:
        yield from element.iter(tag)


def _names(identities: Iterable[Element]) -> Iterator[tuple[str, NameKind]]:
    for name in _below(identities, "name"):
        kind: NameKind = _KINDS.get(name.get("name-type", ""), "alias")
        if name.get("quality") == "low":
            kind = "weak"
        parts = _parts(name)
        yield _joined(parts, ""), kind
        scripts = unique(script for variants in parts for script in variants)
        for script in scripts:
            if script != _LATIN:
                yield _joined(parts, script), "original_script"
        yield from _spellings(parts, kind)


_Variants = dict[str, list[str]]  # by script; "": the part as the list writes it


def _parts(name: Element) -> list[_Variants]:
    """The parts of a name in their order, each with its spellings by script."""
    parts: list[tuple[int, _Variants]] = []
    for part in name.iterfind("name-part"):
        if part.get("name-part-type") in _NOT_IN_NAME:
            continue
        variants: _Variants = {"": [text(part, "value")]}
        for spelling in part.iterfind("spelling-variant"):
            words = " ".join((spelling.text or "").split())
            if words:
                variants.setdefault(spelling.get("script") or _LATIN, []).append(words)
        order = part.get("order", "")
        parts.append((int(order) if order.isdecimal() else len(parts), variants))
    parts.sort(key=_order)
    return [variants for _place_of, variants in parts]


def _order(part: tuple[int, _Variants]) -> int:
    return part[0]


def _joined(parts: Iterable[_Variants], script: str) -> str:
    """The whole name in one script. A part without that script is taken as the list writes it."""
    words = []
    for part in parts:
        words.append((part.get(script) or part[""])[0])
    return " ".join(filter(None, words))


def _spellings(
    parts: list[_Variants], kind: NameKind
) -> Iterator[tuple[str, NameKind]]:
    """The name with another spelling of one part. All combinations could be thousands."""
    if kind == "primary":
        kind = "alias"
    for place, part in enumerate(parts):
        for words in part.get(_LATIN, ()):
            other = [*parts[:place], {"": [words]}, *parts[place + 1 :]]
            yield _joined(other, ""), kind


def _dates(identities: Iterable[Element]) -> tuple[BirthDate, ...]:
    births: dict[BirthDate, None] = {}
    for day_node in _below(identities, "day-month-year"):
        year = day_node.get("year", "")
        month, day = day_node.get("month", ""), day_node.get("day", "")
        whole = "-".join(part.zfill(2) for part in (year, month, day) if part)
        born = date(whole if month else year)
        if born:
            births[BirthDate(born, circa=day_node.get("quality") == "low")] = None
    return tuple(births)


def _nationalities(identities: Iterable[Element]) -> Iterator[str]:
    for nationality in _below(identities, "nationality"):
        for country in nationality.iterfind("country"):
            yield country.get("iso-code") or country.text or ""


def _identifiers(
    identities: Iterable[Element], others: Iterable[str]
) -> list[Identifier]:
    numbers: list[Identifier | None] = []
    for document in _below(identities, "identification-document"):
        issuer = document.find("issuer")
        country = ""
        if issuer is not None:
            country = countries.code(issuer.get("code") or issuer.text or "")
        kind = document.get("document-type", "").replace("-", " ")
        numbers.append(identifier(kind, text(document, "number"), country))
    for words in others:
        for kind, number in _NUMBER.findall(words):
            numbers.append(identifier(kind, number))
    return list(dict.fromkeys(present(numbers)))


def _place(element: Element) -> dict[str, str]:
    parts = {}
    for part in _PLACE:
        parts[part] = text(element, part)
    return {part: words for part, words in parts.items() if words}


def _address(
    element: Element, places: Mapping[str, Mapping[str, str]]
) -> dict[str, str]:
    parts = {**places.get(element.get("place-id", ""), {}), **_place(element)}
    address: dict[str, str] = {}
    for part in _PLACE:
        if part in parts:
            address[part] = parts[part]
    return address
