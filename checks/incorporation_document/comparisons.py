"""Comparison of the attested data with the fields of the document."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from checks.attested.facts import country_of
from checks.attested.numbers import sameness
from checks.comparisons import Comparison, State, absent
from checks.data_check import texts
from checks.extraction.altered_values import with_altered
from checks.fields.addresses.comparison import compare_addresses
from checks.fields.addresses.postal import (
    Address,
    PlacedAddress,
    address_from_wire,
)
from checks.fields.calendars.days import make_date
from checks.fields.extracted import ExtractedValue
from checks.fields.jurisdictions import by_code
from checks.fields.names.company_comparison import compare_names
from checks.incorporation_document.fields import IncorporationFields
from checks.wire import JsonObject
from papers.geometry import Box

NAME_FIELDS = (
    ("registered_business_name", "Registered business name"),
    ("business_name", "Business name"),
)
SAME_DIGITS = "the same digits without the letters of the register"
# A document has several addresses. The one that agrees best is compared, in this order of states.
ORDER = ("equal", "close")
ADDRESS_FIELDS = (
    ("address_of_incorporation", "Address of incorporation"),
    ("address_of_operation", "Address of operation"),
)


def compare(fields: IncorporationFields, attested: JsonObject) -> list[Comparison]:
    compared = [
        *_names(fields, attested),
        _incorporation_date(fields, attested),
        _number(fields, attested),
        _jurisdiction(fields, attested),
        *_addresses(fields, attested),
    ]
    compared = [_with_candidates(fields, comparison) for comparison in compared]
    # Leave out fields that neither side has.
    there = [
        comparison
        for comparison in compared
        if comparison.attested or comparison.extracted or comparison.boxes
    ]
    return with_altered(there, fields.evidence)


def _with_candidates(fields: IncorporationFields, comparison: Comparison) -> Comparison:
    """If the readings of a field differ, list them all and mark where each stands."""
    candidates = fields.candidates(comparison.field)
    if comparison.extracted or not candidates:
        return comparison
    several = []
    boxes: list[Box] = []
    for candidate in candidates:
        several.append(f"“{candidate.text}” ({candidate.how})")
        boxes += fields.text.boxes(candidate.span)
    how = f"unsure: {' or '.join(several)}"
    state = comparison.state
    if comparison.attested:
        state = "cannot_compare"
    return replace(comparison, state=state, how=how, boxes=boxes)


def _names(fields: IncorporationFields, attested: JsonObject) -> list[Comparison]:
    """Compare the attested names with the name that the document states.

    A business may trade under another name than its registered one. So a different trade name is
    only "close" if the registered name agrees.
    """
    compared = []
    for key, label in NAME_FIELDS:
        # The row of the business name is always there, so that a person sees what the document
        # states even if nothing was attested.
        if attested.get(key) or key == "business_name":
            compared.append(_name(fields, key, label, attested.get(key)))
    if (
        len(compared) == 2
        and compared[0].state == "equal"
        and compared[1].state == "differs"
    ):
        how = "another name than the registered one, which agrees"
        compared[1] = replace(compared[1], state="close", how=how)
    return compared


def _name(
    fields: IncorporationFields, key: str, label: str, name: object
) -> Comparison:
    best = fields.names[0] if fields.names else None
    gap = absent(key, label, name, best.value if best else None)
    if gap or best is None:
        return gap or Comparison(key, label, name, None, "cannot_compare", "not read")
    match = compare_names(str(name), best.value)
    boxes = fields.text.boxes(best.span)
    return Comparison(key, label, name, best.value, match.state, match.how, boxes)


def _incorporation_date(
    fields: IncorporationFields, attested: JsonObject
) -> Comparison:
    key, label = "incorporation_date", "Date of incorporation"
    value = attested.get(key)
    read = fields.incorporation_date
    gap = absent(key, label, value, read.value.isoformat() if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, value, None, "cannot_compare", "not read")
    boxes = fields.text.boxes(read.span)
    iso = read.value.isoformat()
    attested_date = _iso(str(value))
    if attested_date is None:
        how = "the attested date is not of the form YYYY-MM-DD"
        return Comparison(key, label, value, iso, "cannot_compare", how, boxes)
    # Companies attest the day of filing or the day on which it took effect; registers often print
    # the other.
    apart = abs((attested_date - read.value).days)
    if apart == 0:
        return Comparison(key, label, value, iso, "equal", "same day", boxes)
    if apart <= 3:
        days = "one day" if apart == 1 else f"{apart} days"
        how = f"{days} apart, as between filing and effect"
        return Comparison(key, label, value, iso, "close", how, boxes)
    return Comparison(key, label, value, iso, "differs", f"{apart} days apart", boxes)


def _iso(text: str) -> date | None:
    try:
        year, month, day = (int(part) for part in text[:10].split("-"))
    except ValueError:
        return None
    return make_date(year, month, day)


def _number(fields: IncorporationFields, attested: JsonObject) -> Comparison:
    key, label = "business_registration_number", "Registration number"
    number = attested.get(key)
    read = [fact.value.number for fact in fields.numbers]
    gap = absent(key, label, number, read)
    if gap:
        return gap
    # Any of the numbers may be the attested one.
    numbers = texts(number)
    country = country_of(attested)
    candidates = [*fields.numbers, *fields.number_reading.beside]
    ways: tuple[tuple[State, str], ...] = (
        ("equal", "same number"),
        ("close", SAME_DIGITS),
    )
    for state, how in ways:
        for fact in candidates:
            if sameness(numbers, fact.value.number, country) == state:
                boxes = fields.text.boxes(fact.span)
                return Comparison(
                    key, label, number, fact.value.number, state, how, boxes
                )
    boxes = fields.text.boxes(fields.numbers[0].span)
    how = "the document states other numbers"
    return Comparison(key, label, number, ", ".join(read), "differs", how, boxes)


def _jurisdiction(fields: IncorporationFields, attested: JsonObject) -> Comparison:
    """Compare the jurisdiction with the state and country of the attested address of
    incorporation.
    """
    key, label = "jurisdiction", "Jurisdiction"
    country = ""
    state = ""
    address = attested.get("address_of_incorporation")
    if isinstance(address, dict):
        country = str(address.get("country_code") or "").upper()
        state = str(address.get("state") or "")
    read = fields.jurisdiction
    place = ", ".join(filter(None, (state, country)))
    gap = absent(key, label, place, str(read.value) if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, place, None, "cannot_compare", "not read")
    boxes = fields.text.boxes(read.span)
    name = str(read.value)
    if country and country != read.value.country_code:
        return Comparison(key, label, place, name, "differs", "other country", boxes)
    code = f"{read.value.country_code}-{state.upper()}"
    if code in by_code():
        own_code = code
    else:
        own_code = _state_code(state, read.value.country_code)
    if "-" not in read.value.code or not own_code:
        return Comparison(key, label, place, name, "equal", "same country", boxes)
    if own_code == read.value.code:
        return Comparison(key, label, place, name, "equal", "same state", boxes)
    # A company may have its address in one state and be incorporated in another, as many are in
    # Delaware.
    return Comparison(
        key, label, place, name, "close", "same country, other state", boxes
    )


def _state_code(state: str, country: str) -> str:
    """Return the code of the state with this name in the country; "" if there is none."""
    for place in by_code().values():
        is_state = "-" in place.code and place.code.startswith(country)
        if is_state and place.name.lower() == state.lower():
            return place.code
    return ""


def _addresses(fields: IncorporationFields, attested: JsonObject) -> list[Comparison]:
    """Compare each attested address with those that the document prints.

    A certificate prints the registered address. If it does not print another place of business,
    that is no contradiction.
    """
    compared = []
    for key, label in ADDRESS_FIELDS:
        address = address_from_wire(attested.get(key))
        is_registered = key == "address_of_incorporation"
        if address is None and not is_registered:
            # A certificate does not print the place of business, so nothing is missing without it.
            continue
        compared.append(
            _address(fields, key, label, address, is_registered=is_registered)
        )
    return compared


def _address(
    fields: IncorporationFields,
    key: str,
    label: str,
    attested: Address | None,
    *,
    is_registered: bool,
) -> Comparison:
    read = fields.business_address
    value = str(attested) if attested else None
    if attested:
        # One agreeing address is enough: a document also prints those of agents.
        best = _best_agreement(fields, attested)
        if best is not None:
            state, how, place = best
            boxes = fields.text.boxes(place.span)
            stated = str(place.value.address)
            return Comparison(key, label, value, stated, state, how, boxes)
    gap = absent(key, label, value, str(read.value.address) if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, None, None, "not_attested", "not attested")
    if not is_registered:
        how = "the document does not print this address"
        return Comparison(key, label, value, None, "cannot_compare", how)
    how = ""
    if attested:
        _, how = compare_addresses(attested, read.value.address)
    boxes = fields.text.boxes(read.span)
    return Comparison(key, label, value, str(read.value.address), "differs", how, boxes)


def _best_agreement(
    fields: IncorporationFields, attested: Address
) -> tuple[State, str, ExtractedValue[PlacedAddress]] | None:
    """Return the address that agrees best, with the state and how; None if none agrees."""
    agreeing = []
    for place in fields.addresses:
        state, how = compare_addresses(attested, place.value.address)
        if state in ORDER:
            agreeing.append((state, how, place))
    return min(agreeing, key=lambda item: ORDER.index(item[0]), default=None)
