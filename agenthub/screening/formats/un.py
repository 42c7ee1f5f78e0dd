"""The consolidated list of the UN Security Council, XML."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
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
    named,
    text,
    texts,
)
from agenthub.screening.formats.files import Files, one
from checks.screening.records import BirthDate, Entity, Identifier, NameKind
from papers import countries

ROOT = "CONSOLIDATED_LIST"


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    for wanted in ("INDIVIDUAL", "ENTITY"):
        with one(files)() as file:
            found = elements(file, wanted, root=ROOT)
            root = next(found)
            header.published_at = date(root.get("dateGenerated", ""))
            if not header.published_at:
                raise ListError("The list does not say when it was generated.")
            for entry in found:
                yield _entity(entry, wanted, options)


def _entity(entry: Element, kind: str, options: Options) -> Entity:
    parts = ("FIRST_NAME", "SECOND_NAME", "THIRD_NAME", "FOURTH_NAME")
    name = " ".join(filter(None, (text(entry, part) for part in parts)))
    address = f"{kind}_ADDRESS"
    return Entity(
        id=f"un-{text(entry, 'DATAID')}",
        schema="Person" if kind == "INDIVIDUAL" else "Organization",
        names=named(chain([(name, "primary")], _aliases(entry, kind), _original(entry))),
        birth_dates=tuple(dict.fromkeys(_born(entry))),
        birth_places=[p for p in map(_place, entry.iterfind("INDIVIDUAL_PLACE_OF_BIRTH")) if p],
        nationalities=codes(texts(entry, "NATIONALITY/VALUE")),
        countries=codes(texts(entry, f"{address}/COUNTRY")),
        genders=gender(text(entry, "GENDER")),
        identifiers=[d for d in map(_document, entry.iterfind("INDIVIDUAL_DOCUMENT")) if d],
        addresses=[p for p in map(_place, entry.iterfind(address)) if p],
        positions=texts(entry, "DESIGNATION/VALUE"),
        topics=list(options.topics),
        programs=[f"{text(entry, 'UN_LIST_TYPE')} ({text(entry, 'REFERENCE_NUMBER')})"],
        listed_on=date(text(entry, "LISTED_ON")),
        reason=text(entry, "COMMENTS1"),
    )


def _aliases(entry: Element, kind: str) -> Iterator[tuple[str, NameKind]]:
    for alias in entry.iterfind(f"{kind}_ALIAS"):
        quality = text(alias, "QUALITY").casefold()
        said: NameKind = (
            "weak" if quality == "low" else "former" if quality.startswith("f") else "alias"
        )
        # Several aliases are written in one element, apart by semicolons.
        for name in text(alias, "ALIAS_NAME").split(";"):
            yield name, said


def _original(entry: Element) -> Iterator[tuple[str, NameKind]]:
    for name in texts(entry, "NAME_ORIGINAL_SCRIPT"):
        yield name, "original_script"


def _born(entry: Element) -> Iterator[BirthDate]:
    for element in entry.iterfind("INDIVIDUAL_DATE_OF_BIRTH"):
        circa = text(element, "TYPE_OF_DATE").upper() == "APPROXIMATELY"
        if first := text(element, "FROM_YEAR"):
            yield from dates(f"{first} to {text(element, 'TO_YEAR') or first}")
        elif said := date(text(element, "DATE")) or date(text(element, "YEAR")):
            yield BirthDate(said, circa)


def _place(element: Element) -> str:
    parts = ("STREET", "CITY", "STATE_PROVINCE", "ZIP_CODE", "COUNTRY")
    return ", ".join(filter(None, (text(element, part) for part in parts)))


def _document(element: Element) -> Identifier | None:
    kind = f"{text(element, 'TYPE_OF_DOCUMENT')} {text(element, 'TYPE_OF_DOCUMENT2')}"
    issuer = text(element, "ISSUING_COUNTRY") or text(element, "COUNTRY_OF_ISSUE")
    return identifier(kind, text(element, "NUMBER"), countries.code(issuer))
