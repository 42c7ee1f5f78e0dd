"""Reader of OFAC's SDN.XML and CONSOLIDATED.XML (the simple schema)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from agenthub.screening.formats.base import (
    Header,
    ListError,
    Options,
    all_dates,
    codes,
    date,
    elements,
    gender,
    identifier,
    listed_names,
    present,
    text,
    texts,
)
from agenthub.screening.formats.files import Files, single
from checks.screening.records import Entity, Identifier, NameKind, Schema
from papers import countries

_SCHEMAS: dict[str, Schema] = {
    "Individual": "Person", "Entity": "Organization", "Vessel": "Vessel", "Aircraft": "Aircraft",
}  # fmt: skip


def read(files: Files, header: Header, options: Options) -> Iterator[Entity]:
    with single(files)() as file:
        entries = elements(file, "sdnEntry", root="sdnList")
        root = next(entries)
        for entry in entries:
            # The header precedes the first entry, and is complete only now.
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
        content = (element.text or "").strip()
        if tag == "Publish_Date":
            month, _, rest = content.partition("/")
            day, _, year = rest.partition("/")
            header.published_at = date(f"{year}-{month}-{day}")
        elif tag == "Record_Count":
            if not (content.isascii() and content.isdigit()):
                raise ListError("The file's own record count is not a number.")
            header.record_count = int(content)


def _forget(root: Element) -> None:
    """Remove the finished entries, to which the root holds references, except for the header."""
    while len(root) > 1:
        root.remove(root[1])


def _entity(entry: Element, options: Options) -> Entity:
    uid = text(entry, "uid")
    births = entry.iterfind("dateOfBirthList/dateOfBirthItem")
    birth_dates = all_dates(text(birth, "dateOfBirth") for birth in births)
    nationalities = [
        *texts(entry, "nationalityList/nationality/country"),
        *texts(entry, "citizenshipList/citizenship/country"),
    ]
    places = [
        *texts(entry, "addressList/address/country"),
        *texts(entry, "vesselInfo/vesselFlag"),
    ]
    addresses = map(_address, entry.iterfind("addressList/address"))
    ids = list(entry.iterfind("idList/id"))
    numbers = map(_identifier, ids)
    return Entity(
        id=f"ofac-{uid}",
        schema=_SCHEMAS.get(text(entry, "sdnType"), "LegalEntity"),
        names=listed_names(_names(entry)),
        birth_dates=tuple(dict.fromkeys(birth_dates)),
        birth_places=texts(entry, "placeOfBirthList/placeOfBirthItem/placeOfBirth"),
        nationalities=codes(nationalities),
        countries=codes(places),
        genders=_genders(ids),
        identifiers=present(numbers),
        addresses=list(filter(None, addresses)),
        topics=list(options.topics),
        programs=texts(entry, "programList/program"),
        reason=text(entry, "remarks"),
        positions=texts(entry, "title"),
        source_url=f"https://sanctionssearch.ofac.treas.gov/Details.aspx?id={uid}",
    )


def _identifier(element: Element) -> Identifier | None:
    country = countries.code(text(element, "idCountry"))
    return identifier(text(element, "idType"), text(element, "idNumber"), country)


def _genders(ids: list[Element]) -> list[str]:
    """The gender, which OFAC stores among the identifiers."""
    letters: list[str] = []
    for element in ids:
        if text(element, "idType") == "Gender":
            letters += gender(text(element, "idNumber"))
    return letters


def _names(entry: Element) -> Iterator[tuple[str, NameKind]]:
    yield _name(entry), "primary"
    for aka in entry.iterfind("akaList/aka"):
        if text(aka, "category") == "weak":
            yield _name(aka), "weak"
        elif text(aka, "type").startswith("f"):
            yield _name(aka), "former"
        else:
            yield _name(aka), "alias"


def _name(element: Element) -> str:
    return f"{text(element, 'firstName')} {text(element, 'lastName')}"


def _address(address: Element) -> str:
    texts_of_parts = [text(address, part) for part in _ADDRESS]
    return ", ".join(filter(None, texts_of_parts))


_ADDRESS = (
    "address1",
    "address2",
    "address3",
    "city",
    "stateOrProvince",
    "postalCode",
    "country",
)
