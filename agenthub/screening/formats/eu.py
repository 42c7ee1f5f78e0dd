"""Reader of the EU's Financial Sanctions Files: xmlFullSanctionsList 1.1."""

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
    genders,
    identifier,
    listed_names,
    present,
    text,
    un_references,
    unique,
)
from agenthub.screening.formats.files import Files, single
from checks.screening.matching.names import parse
from checks.screening.records import BirthDate, Entity, Identifier, NameKind
from checks.screening.romanisation.scripts import is_latin


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        entries = elements(file, "sanctionEntity", root="export")
        root = next(entries)
        header.published_at = date(root.get("generationDate", ""))
        if not header.published_at:
            raise ListError("The file does not say when it was generated.")
        for entry in entries:
            yield _entity(entry, options)
            # Drop the finished entries, to which the root holds references.
            root.clear()


_BIRTH_PLACE = ("city", "region", "place", "countryDescription")
_ADDRESS = ("street", "poBox", "city", "zipCode", "region", "countryDescription")


def _entity(entry: Element, options: Options) -> Entity:
    subject = entry.find("subjectType")
    person = subject is not None and subject.get("code") == "person"
    aliases = list(entry.iterfind("nameAlias"))
    births = list(entry.iterfind("birthdate"))
    addresses = list(entry.iterfind("address"))
    regulations = list(entry.iterfind("regulation"))
    publication_urls = unique(text(rule, "publicationUrl") for rule in regulations)
    publication_dates = _attributes(regulations, "publicationDate")
    numbers = map(_identifier, entry.iterfind("identification"))
    birth_places = unique(_place(birth, _BIRTH_PLACE) for birth in births)
    return Entity(
        id=f"eu-{entry.get('logicalId')}",
        schema="Person" if person else "Organization",
        names=listed_names(_names(aliases, person=person)),
        birth_dates=_birth_dates(births),
        birth_places=birth_places,
        nationalities=_countries(entry, "citizenship"),
        countries=_countries(entry, "address"),
        genders=genders(_attributes(aliases, "gender")),
        identifiers=present(numbers),
        addresses=unique(_place(address, _ADDRESS) for address in addresses),
        positions=unique(_attributes(aliases, "function")),
        topics=list(options.topics),
        programs=sorted(unique(_attributes(regulations, "programme"))),
        listed_on=min(publication_dates, default=""),
        reason=text(entry, "remark"),
        source_url="".join(publication_urls[:1]),
        references=un_references([entry.get("unitedNationId", "")]),
    )


def _attributes(elements_of_entry: list[Element], name: str) -> list[str]:
    attributes: list[str] = []
    for element in elements_of_entry:
        attributes.append(element.get(name, "").strip())
    return attributes


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
        elif is_first:
            yield name, "primary"
            is_first = False
        else:
            yield name, "alias"


def _birth_dates(births: list[Element]) -> tuple[BirthDate, ...]:
    # Dates in other calendars cannot be compared.
    birth_dates: list[BirthDate] = []
    for birth in births:
        if birth.get("calendarType", "GREGORIAN") == "GREGORIAN":
            birth_dates += _dates_of(birth)
    return tuple(dict.fromkeys(birth_dates))


def _dates_of(birth: Element) -> list[BirthDate]:
    day = date(birth.get("birthdate", "")) or date(birth.get("year", ""))
    if day:
        return [BirthDate(day, birth.get("circa") == "true")]
    first = birth.get("yearRangeFrom", "")
    last = birth.get("yearRangeTo", "")
    if first or last:
        return dates(f"{first or last} to {last or first}")
    return []


def _countries(entry: Element, path: str) -> list[str]:
    country_codes = unique(_attributes(entry.findall(path), "countryIso2Code"))
    # The EU writes 00 for an unknown country.
    return [code for code in country_codes if code != "00"]


def _place(element: Element, parts: tuple[str, ...]) -> str:
    words = []
    for part in parts:
        words.append(" ".join(element.get(part, "").split()))
    return ", ".join(word for word in words if word not in {"", "UNKNOWN"})


def _identifier(element: Element) -> Identifier | None:
    kind = f"{element.get('identificationTypeCode')} {element.get('identificationTypeDescription')}"
    number = element.get("latinNumber", "") or element.get("number", "")
    country = element.get("countryIso2Code", "")
    if country == "00":
        country = ""
    return identifier(kind, number, country)
