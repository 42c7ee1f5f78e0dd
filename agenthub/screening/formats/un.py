"""Reader of the consolidated list of the UN Security Council, XML."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    codes,
    date,
    dates,
    elements,
    gender,
    identifier,
    listed_names,
    present,
    text,
    texts,
    un_references,
)
from agenthub.screening.formats.files import Files, single
from checks.screening.records import BirthDate, Entity, Identifier, NameKind
from papers import countries

ROOT = "CONSOLIDATED_LIST"


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    # Read the file once per kind: `elements` yields elements of one name.
    for kind in ("INDIVIDUAL", "ENTITY"):
        with single(files)() as file:
            entries = elements(file, kind, root=ROOT)
            root = next(entries)
            header.published_at = date(root.get("dateGenerated", ""))
            if not header.published_at:
                raise ListError("The list does not say when it was generated.")
            for entry in entries:
                yield _entity(entry, kind, options)


def _entity(entry: Element, kind: str, options: Options) -> Entity:
    address = f"{kind}_ADDRESS"
    birth_places = map(_place, entry.iterfind("INDIVIDUAL_PLACE_OF_BIRTH"))
    addresses = map(_place, entry.iterfind(address))
    numbers = map(_document, entry.iterfind("INDIVIDUAL_DOCUMENT"))
    list_type = text(entry, "UN_LIST_TYPE")
    reference = text(entry, "REFERENCE_NUMBER")
    return Entity(
        id=f"un-{text(entry, 'DATAID')}",
        schema="Person" if kind == "INDIVIDUAL" else "Organization",
        names=listed_names(_names(entry, kind)),
        birth_dates=tuple(dict.fromkeys(_birth_dates(entry))),
        birth_places=list(filter(None, birth_places)),
        nationalities=codes(texts(entry, "NATIONALITY/VALUE")),
        countries=codes(texts(entry, f"{address}/COUNTRY")),
        genders=gender(text(entry, "GENDER")),
        identifiers=present(numbers),
        addresses=list(filter(None, addresses)),
        positions=texts(entry, "DESIGNATION/VALUE"),
        topics=list(options.topics),
        programs=[f"{list_type} ({reference})"],
        listed_on=date(text(entry, "LISTED_ON")),
        reason=text(entry, "COMMENTS1"),
        references=un_references([reference]),
    )


def _names(entry: Element, kind: str) -> Iterator[tuple[str, NameKind]]:
    parts = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
    yield _joined(entry, parts, " "), "primary"
    yield from _aliases(entry, kind)
    for name in texts(entry, "NAME_ORIGINAL_SCRIPT"):
        yield name, "original_script"


def _joined(element: Element, parts: tuple[str, ...], between: str) -> str:
    values = [text(element, part) for part in parts]
    return between.join(filter(None, values))


def _aliases(entry: Element, kind: str) -> Iterator[tuple[str, NameKind]]:
    for alias in entry.iterfind(f"{kind}_ALIAS"):
        quality = text(alias, "QUALITY").casefold()
        name_kind: NameKind = "alias"
        if quality == "low":
            name_kind = "weak"
        elif quality.startswith("f"):
            name_kind = "former"
        # One element may contain several aliases, separated by semicolons.
        for name in text(alias, "ALIAS_NAME").split(";"):
            yield name, name_kind


def _birth_dates(entry: Element) -> Iterator[BirthDate]:
    for element in entry.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        first_year = text(element, "FROM_YEAR")
        if first_year:
            last_year = text(element, "TO_YEAR") or first_year
            yield from dates(f"{first_year} to {last_year}")
            continue
        day = date(text(element, "DATE")) or date(text(element, "YEAR"))
        if day:
            circa = text(element, "TYPE_OF_DATE").upper() == "APPROXIMATELY"
            yield BirthDate(day, circa)


def _place(element: Element) -> str:
    parts = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY")
    return _joined(element, parts, ", ")


def _document(element: Element) -> Identifier | None:
    kind = f"{text(element, 'TYPE_OF_DOCUMENT')} {text(element, 'TYPE_OF_DOCUMENT2')}"
    issuer = text(element, "ISSUING_COUNTRY") or text(element, "COUNTRY_OF_ISSUE")
    return identifier(kind, text(element, "NUMBER"), countries.code(issuer))
