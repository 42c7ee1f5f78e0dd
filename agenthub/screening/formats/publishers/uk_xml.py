"""Reader of the UK Sanctions List of the FCDO, XML."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    Options,
    all_dates,
    codes,
    date,
    genders,
    identifiers,
    listed_names,
    text,
    texts,
    un_references,
    unique,
)
from agenthub.screening.formats.files import Files, single
from agenthub.screening.formats.publishers.xml_parts import at_depth
from checks.screening.records import Entity, Identifier, NameKind, Schema

ROOT = "Designations"
_SCHEMAS: dict[str, Schema] = {
    "individual": "Person", "entity": "Organization", "ship": "Vessel",
}  # fmt: skip
_PERSON, _SHIP = "IndividualDetails/Individual", "ShipDetails/Ship"
# Path of a number → the wording that base.identifier() understands.
_NUMBERS = {
    f"{_PERSON}/PassportDetails/Passport/PassportNumber": "passport",
    f"{_PERSON}/NationalIdentifierDetails/NationalIdentifier/NationalIdentifierNumber":
        "national identification",
    "EntityDetails/Entity/BusinessRegistrationNumbers/BusinessRegistrationNumber": "registration",
    f"{_SHIP}/IMONumbers/IMONumber": "imo",
}  # fmt: skip
_NAME_PARTS = tuple(f"Name{number}" for number in range(1, 7))
_ADDRESS = (
    *(f"AddressLine{number}" for number in range(1, 7)),
    "AddressPostalCode",
    "AddressCountry",
)


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        entries = at_depth(file, 1, root=ROOT)
        next(entries)
        for entry in entries:
            if entry.tag == "DateGenerated":
                header.published_at = date(" ".join((entry.text or "").split()))
            elif entry.tag == "Designation":
                yield _entity(entry, options)


def _entity(entry: Element, options: Options) -> Entity:
    numbers: list[Identifier] = []
    for path, kind in _NUMBERS.items():
        numbers += identifiers(kind, texts(entry, path))
    places = [
        *texts(entry, "Addresses/Address/AddressCountry"),
        *texts(entry, f"{_SHIP}/CurrentBelievedFlagOfShips/CurrentBelievedFlagOfShip"),
    ]
    births = map(_birth_place, entry.iterfind(f"{_PERSON}/BirthDetails/Location"))
    birth_dates = all_dates(texts(entry, f"{_PERSON}/DOBs/DOB"))
    return Entity(
        id=f"uk-{text(entry, 'UniqueID')}",
        schema=_SCHEMAS.get(
            text(entry, "IndividualEntityShip").casefold(), "LegalEntity"
        ),
        names=listed_names(_names(entry)),
        birth_dates=tuple(dict.fromkeys(birth_dates)),
        birth_places=unique(births),
        nationalities=codes(texts(entry, f"{_PERSON}/Nationalities/Nationality")),
        countries=codes(places),
        genders=genders(texts(entry, f"{_PERSON}/Genders/Gender")),
        identifiers=list(dict.fromkeys(numbers)),
        addresses=unique(map(_address, entry.iterfind("Addresses/Address"))),
        positions=texts(entry, f"{_PERSON}/Positions/Position"),
        topics=list(options.topics),
        programs=texts(entry, "RegimeName"),
        listed_on=date(text(entry, "DateDesignated")),
        reason=text(entry, "UKStatementofReasons") or text(entry, "OtherInformation"),
        references=un_references(texts(entry, "UNReferenceNumber")),
    )


def _names(entry: Element) -> Iterator[tuple[str, NameKind]]:
    for name in entry.iterfind("Names/Name"):
        words = " ".join(filter(None, (text(name, part) for part in _NAME_PARTS)))
        # The list capitalises its kinds inconsistently.
        kind = text(name, "NameType").casefold()
        if "low" in text(name, "AliasStrength").casefold():
            yield words, "weak"
        elif "primary" in kind and "variation" not in kind:
            yield words, "primary"
        else:
            yield words, "alias"
    for words in texts(entry, "NonLatinNames/NonLatinName/NameNonLatinScript"):
        yield words, "original_script"


def _birth_place(place: Element) -> str:
    return ", ".join(
        filter(None, [text(place, "TownOfBirth"), text(place, "CountryOfBirth")])
    )


def _address(address: Element) -> str:
    return ", ".join(filter(None, (text(address, part) for part in _ADDRESS)))
