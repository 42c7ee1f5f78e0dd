"""Compares the person or business and the addresses of a document with the attested ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from checks.comparisons import Comparison, absent
from checks.extraction.values import value_of
from checks.fields.addresses.comparison import compare_addresses, may_be_another
from checks.fields.addresses.postal import Address, address_from_wire
from checks.fields.extracted import ExtractedValue
from checks.fields.names.company_comparison import compare_names
from checks.fields.names.people import attested_person, compare_people
from checks.text.words import Text
from checks.wire import JsonObject

BUSINESS_NAMES = (
    ("registered_business_name", "Registered business name"),
    ("business_name", "Business name"),
)
ADDRESSES = (
    ("address_of_incorporation", "Address of incorporation"),
    ("address_of_operation", "Address of operation"),
    ("address", "Address"),
)
ORDER = ("equal", "close", "differs")
AGREES = frozenset({"equal", "close"})


def compare_party(
    attested: JsonObject, name: ExtractedValue[str] | None, text: Text
) -> list[Comparison]:
    """Compare the attested names, of a person or a business, with the name that was read."""
    person = attested_person(attested)
    if person:
        return _person(attested, person, name, text)
    compared = []
    for key, label in BUSINESS_NAMES:
        if attested.get(key):
            compared.append(_business(key, label, str(attested[key]), name, text))
    if any(c.state == "equal" for c in compared):
        compared = [replace(c, for_person=False) for c in compared]
        # Letters to a business use either its registered name or its trade name. If one agrees, the
        # other is not contradicted.
        how = "another name of the same business, whose other name agrees"
        comparisons: list[Comparison] = []
        for c in compared:
            if c.state == "differs":
                comparisons.append(replace(c, state="close", how=how))
            else:
                comparisons.append(c)
        return comparisons
    return compared


def _person(
    attested: JsonObject, person: str, name: ExtractedValue[str] | None, text: Text
) -> list[Comparison]:
    gap = absent("name", "Name", person, value_of(name))
    if gap:
        return [gap]
    if name is None:
        return []
    match = compare_people(attested, name.value)
    boxes = text.boxes(name.span)
    return [
        Comparison(
            "name",
            "Name",
            person,
            name.value,
            match.state,
            match.how,
            boxes,
            match.for_person,
        )
    ]


def _business(
    key: str, label: str, attested: str, name: ExtractedValue[str] | None, text: Text
) -> Comparison:
    if name is None:
        return Comparison(
            key, label, attested, None, "cannot_compare", "not read from the document"
        )
    match = compare_names(attested, name.value)
    boxes = text.boxes(name.span)
    return Comparison(
        key,
        label,
        attested,
        name.value,
        match.state,
        match.how,
        boxes,
        match.for_person,
    )


def compare_places(
    attested: JsonObject,
    addresses: Sequence[ExtractedValue[Address]],
    text: Text,
) -> list[Comparison]:
    """Compare each attested address with the best of the addresses that were read."""
    attested_places = []
    for key, label in ADDRESSES:
        attested_places.append((key, label, address_from_wire(attested.get(key))))
    more = attested.get("associated_addresses")
    if isinstance(more, list):
        label = "Associated address"
        for item in more:
            place = ("associated_addresses", label, address_from_wire(item))
            attested_places.append(place)
    complete = [
        (key, label, address) for key, label, address in attested_places if address
    ]
    compared = [
        _place(key, label, address, addresses, text) for key, label, address in complete
    ]
    if any(c.state in AGREES and not c.for_person for c in compared):
        compared = [replace(c, for_person=False) for c in compared]
    if any(c.state in AGREES for c in compared):
        # A document proves only one of several attested addresses.
        how = "the document is for another of the attested addresses"
        comparisons: list[Comparison] = []
        for c in compared:
            if c.state == "differs":
                comparisons.append(replace(c, state="close", how=how))
            else:
                comparisons.append(c)
        return comparisons
    return compared


def _place(
    key: str,
    label: str,
    attested: Address,
    addresses: Sequence[ExtractedValue[Address]],
    text: Text,
) -> Comparison:
    if not addresses:
        how = "not read from the document"
        return Comparison(key, label, str(attested), None, "cannot_compare", how)
    ranked = [(compare_addresses(attested, fact.value), fact) for fact in addresses]
    (state, how), best = min(ranked, key=lambda item: ORDER.index(item[0][0]))
    boxes = text.boxes(best.span)
    for_person = False
    if state in AGREES and may_be_another(attested, best.value):
        for_person = True
        if state == "equal":
            state, how = "close", "the street or the flat may be another"
    return Comparison(
        key, label, str(attested), str(best.value), state, how, boxes, for_person
    )
