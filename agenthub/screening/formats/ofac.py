"""OFAC: SDN.XML and CONSOLIDATED.XML (the simple schema)."""

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
    named,
    text,
    texts,
)
from agenthub.screening.formats.files import Files, one
from checks.screening.records import Entity, NameKind, Schema
from papers import countries

_SCHEMAS: dict[str, Schema] = {
    "Individual": "Person", "Entity": "Organization", "Vessel": "Vessel", "Aircraft": "Aircraft",
}  # fmt: skip


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with one(files)() as file:
        found = elements(file, "sdnEntry", root="sdnList")
        root = next(found)
        for entry in found:
            if not header.published_at:
                _read_header(root, header)
            yield _entity(entry, options)
            _forget(root)
        if not header.published_at:
            _read_header(root, header)
        if header.record_count is None:
            raise ListError("The file does not say how many entries it holds.")


def _read_header(root: Element, header: Header) -> None:
    for element in root.iter():
        tag = element.tag.rpartition("}")[2]
        if tag == "Publish_Date":
            said = (element.text or "").strip()
            month, _, rest = said.partition("/")
            day, _, year = rest.partition("/")
            header.published_at = date(f"{year}-{month}-{day}")
        elif tag == "Record_Count":
            said = (element.text or "").strip()
            if not (said.isascii() and said.isdigit()):
                raise ListError("The file's own record count is not a number.")
            header.record_count = int(said)


def _forget(root: Element) -> None:
    """The root holds on to every entry that was read."""
    while len(root) > 1:
        root.remove(root[1])


def _entity(entry: Element, options: Options) -> Entity:
    kind = text(entry, "sdnType")
    born = [one for item in entry.iterfind("dateOfBirthList/dateOfBirthItem")
            for one in dates(text(item, "dateOfBirth"))]  # fmt: skip
    ids = list(entry.iterfind("idList/id"))
    found = (
        identifier(text(i, "idType"), text(i, "idNumber"), countries.code(text(i, "idCountry")))
        for i in ids
    )
    sexes = [s for i in ids if text(i, "idType") == "Gender" for s in gender(text(i, "idNumber"))]
    flags = texts(entry, "vesselInfo/vesselFlag")
    return Entity(
        id=f"ofac-{text(entry, 'uid')}",
        schema=_SCHEMAS.get(kind, "LegalEntity"),
        names=named(_names(entry)),
        birth_dates=tuple(dict.fromkeys(born)),
        birth_places=texts(entry, "placeOfBirthList/placeOfBirthItem/placeOfBirth"),
        nationalities=codes(
            [*texts(entry, "nationalityList/nationality/country"),
             *texts(entry, "citizenshipList/citizenship/country")]
        ),
        countries=codes([*texts(entry, "addressList/address/country"), *flags]),
        genders=sexes,
        identifiers=[one for one in found if one],
        addresses=[a for a in map(_address, entry.iterfind("addressList/address")) if a],
        topics=list(options.topics),
        programs=texts(entry, "programList/program"),
        reason=text(entry, "remarks"),
        positions=texts(entry, "title"),
        source_url=f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={text(entry, 'uid')}",
    )  # fmt: skip


def _names(entry: Element) -> Iterator[tuple[str, NameKind]]:
    yield _name(entry), "primary"
    for aka in entry.iterfind("akaList/aka"):
        if text(aka, "category") == "weak":
            yield _name(aka), "weak"
        else:
            yield _name(aka), "former" if text(aka, "type").startswith("f") else "alias"


def _name(element: Element) -> str:
    return f"{text(element, 'firstName')} {text(element, 'lastName')}"


def _address(address: Element) -> str:
    parts = ("address1", "address2", "address3", "city", "stateOrProvince", "postalCode", "country")
    return ", ".join(filter(None, (text(address, part) for part in parts)))
