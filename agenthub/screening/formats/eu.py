"""The EU's Financial Sanctions Files: xmlFullSanctionsList 1.1."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    date,
    dates,
    elements,
    gender,
    identifier,
    named,
    text,
)
from agenthub.screening.formats.files import Files, one
from checks.screening.matching.names import parse
from checks.screening.matching.scripts import is_latin
from checks.screening.records import BirthDate, Entity, Identifier, NameKind


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with one(files)() as file:
        found = elements(file, "sanctionEntity", root="export")
        root = next(found)
        header.published_at = date(root.get("generationDate", ""))
        if not header.published_at:
            raise ListError("The file does not say when it was generated.")
        for entry in found:
            yield _entity(entry, options)
            root.clear()


def _entity(entry: Element, options: Options) -> Entity:
    subject = entry.find("subjectType")
    person = subject is not None and subject.get("code") == "person"
    rules = list(entry.iterfind("regulation"))
    born = [one for element in entry.iterfind("birthdate") for one in _born(element)]
    places = (
        _place(e, "city", "region", "place", "countryDescription")
        for e in entry.iterfind("birthdate")
    )
    homes = (
        _place(e, "street", "poBox", "city", "zipCode", "region", "countryDescription")
        for e in entry.iterfind("address")
    )
    aliases = list(entry.iterfind("nameAlias"))
    return Entity(
        id=f"eu-{entry.get('logicalId')}",
        schema="Person" if person else "Organization",
        names=named(_names(aliases, person=person)),
        birth_dates=tuple(dict.fromkeys(born)),
        birth_places=list(dict.fromkeys(filter(None, places))),
        nationalities=_countries(entry, "citizenship"),
        countries=_countries(entry, "address"),
        genders=sorted({s for alias in aliases for s in gender(alias.get("gender", ""))}),
        identifiers=[i for i in map(_identifier, entry.iterfind("identification")) if i],
        addresses=list(dict.fromkeys(filter(None, homes))),
        positions=list(dict.fromkeys(f for a in aliases if (f := a.get("function", "").strip()))),
        topics=list(options.topics),
        programs=sorted({rule.get("programme", "") for rule in rules} - {""}),
        listed_on=min((rule.get("publicationDate", "") for rule in rules), default=""),
        reason=text(entry, "remark"),
        source_url=next((u for rule in rules if (u := text(rule, "publicationUrl"))), ""),
    )


def _names(aliases: list[Element], *, person: bool) -> Iterator[tuple[str, NameKind]]:
    is_first = True
    for alias in aliases:
        name = alias.get("wholeName", "")
        if not parse(name, person=person).tokens:
            continue
        if alias.get("strong") == "false":
            yield name, "weak"
        elif not is_latin(name):
            yield name, "original_script"
        else:
            yield name, "primary" if is_first else "alias"
            is_first = False


def _born(element: Element) -> Iterator[BirthDate]:
    if element.get("calendarType", "GREGORIAN") != "GREGORIAN":
        return
    circa = element.get("circa") == "true"
    first, last = element.get("yearRangeFrom", ""), element.get("yearRangeTo", "")
    if said := date(element.get("birthdate", "")) or date(element.get("year", "")):
        yield BirthDate(said, circa)
    elif first or last:
        yield from dates(f"{first or last} to {last or first}")


def _countries(entry: Element, path: str) -> list[str]:
    found = (element.get("countryIso2Code", "") for element in entry.iterfind(path))
    return list(dict.fromkeys(code for code in found if code not in {"", "00"}))


def _place(element: Element, *parts: str) -> str:
    said = (" ".join(element.get(part, "").split()) for part in parts)
    return ", ".join(one for one in said if one and one != "UNKNOWN")


def _identifier(element: Element) -> Identifier | None:
    code = element.get("countryIso2Code", "")
    number = element.get("latinNumber", "") or element.get("number", "")
    kind = f"{element.get('identificationTypeCode')} {element.get('identificationTypeDescription')}"
    return identifier(kind, number, "" if code == "00" else code)
