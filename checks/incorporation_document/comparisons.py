"""The attested data against the fields of the document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date
from typing import Any

from checks.altered import with_altered
from checks.comparisons import Comparison, absent
from checks.fields.addresses import Address, address_from_wire, compare_addresses
from checks.fields.dates import make_date
from checks.fields.jurisdictions import known
from checks.fields.names import compare_names
from checks.fields.registration_numbers import compact
from checks.incorporation_document.fields import IncorporationFields

NAME_FIELDS = (
    ("registered_business_name", "Registered business name"),
    ("business_name", "Business name"),
)
# Of the addresses of a document, the one that agrees best is compared.
ORDER = ("equal", "close")
ADDRESS_FIELDS = (
    ("address_of_incorporation", "Address of incorporation"),
    ("address_of_operation", "Address of operation"),
)


def compare(fields: IncorporationFields, attested: Mapping[str, Any]) -> list[Comparison]:
    compared = [
        *_names(fields, attested),
        _incorporation_date(fields, attested),
        _number(fields, attested),
        _jurisdiction(fields, attested),
        *_addresses(fields, attested),
    ]
    # What neither side has is nothing to look at.
    there = [one for one in compared if one.attested or one.extracted]
    return with_altered(there, fields.evidence)


def _names(fields: IncorporationFields, attested: Mapping[str, Any]) -> list[Comparison]:
    """The attested names against the name that the document states.

    A business may trade under another name than the one it is registered with, so that the trade
    name need not stand on the document where the registered name does.
    """
    compared = [
        _name(fields, key, label, attested.get(key))
        for key, label in NAME_FIELDS
        if attested.get(key) or key == "business_name"
    ]
    if len(compared) == 2 and compared[0].state == "equal" and compared[1].state == "differs":
        how = "another name than the registered one, which agrees"
        compared[1] = replace(compared[1], state="close", how=how)
    return compared


def _name(fields: IncorporationFields, key: str, label: str, own: Any) -> Comparison:
    best = fields.names[0] if fields.names else None
    gap = absent(key, label, own, best.value if best else None)
    if gap or best is None:
        return gap or Comparison(key, label, own, None, "cannot_compare", "not read")
    match = compare_names(str(own), best.value)
    boxes = fields.text.boxes(best.span)
    return Comparison(key, label, own, best.value, match.state, match.how, boxes)


def _incorporation_date(fields: IncorporationFields, attested: Mapping[str, Any]) -> Comparison:
    key, label = "incorporation_date", "Date of incorporation"
    own, read = attested.get(key), fields.incorporation_date
    gap = absent(key, label, own, read.value.isoformat() if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, own, None, "cannot_compare", "not read")
    boxes, written = fields.text.boxes(read.span), read.value.isoformat()
    given = _iso(str(own))
    if given is None:
        how = "the attested date is not of the form YYYY-MM-DD"
        return Comparison(key, label, own, written, "cannot_compare", how, boxes)
    apart = abs((given - read.value).days)
    if apart == 0:
        return Comparison(key, label, own, written, "equal", "same day", boxes)
    if apart <= 3:
        days = "one day" if apart == 1 else f"{apart} days"
        how = f"{days} apart, as between filing and effect"
        return Comparison(key, label, own, written, "close", how, boxes)
    return Comparison(key, label, own, written, "differs", f"{apart} days apart", boxes)


def _iso(written: str) -> date | None:
    try:
        year, month, day = (int(part) for part in written[:10].split("-"))
    except ValueError:
        return None
    return make_date(year, month, day)


def _number(fields: IncorporationFields, attested: Mapping[str, Any]) -> Comparison:
    key, label = "business_registration_number", "Registration number"
    own = attested.get(key)
    read = [found.value.number for found in fields.numbers]
    gap = absent(key, label, own, read)
    if gap:
        return gap
    for found in fields.numbers:
        if compact(str(own)) == compact(found.value.number):
            boxes = fields.text.boxes(found.span)
            return Comparison(key, label, own, found.value.number, "equal", "same number", boxes)
    boxes = fields.text.boxes(fields.numbers[0].span)
    how = "the document states other numbers"
    return Comparison(key, label, own, ", ".join(read), "differs", how, boxes)


def _jurisdiction(fields: IncorporationFields, attested: Mapping[str, Any]) -> Comparison:
    """The state and country of the address of incorporation are the attested jurisdiction."""
    key, label = "jurisdiction", "Jurisdiction"
    address = attested.get("address_of_incorporation")
    country = str(address.get("country_code") or "").upper() if isinstance(address, dict) else ""
    state = str(address.get("state") or "") if isinstance(address, dict) else ""
    read = fields.jurisdiction
    own = ", ".join(part for part in (state, country) if part)
    gap = absent(key, label, own, str(read.value) if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, own, None, "cannot_compare", "not read")
    boxes, written = fields.text.boxes(read.span), str(read.value)
    if country and country != read.value.country_code:
        return Comparison(key, label, own, written, "differs", "other country", boxes)
    code = f"{read.value.country_code}-{state.upper()}"
    own_code = code if code in known() else _state_code(state, read.value.country_code)
    if "-" not in read.value.code or not own_code:
        return Comparison(key, label, own, written, "equal", "same country", boxes)
    if own_code == read.value.code:
        return Comparison(key, label, own, written, "equal", "same state", boxes)
    # A company may sit in one state and be incorporated in another.
    return Comparison(key, label, own, written, "close", "same country, other state", boxes)


def _state_code(state: str, country: str) -> str:
    named = (j.code for j in known().values() if j.name.lower() == state.lower() and "-" in j.code)
    return next((code for code in named if code.startswith(country)), "")


def _addresses(fields: IncorporationFields, attested: Mapping[str, Any]) -> list[Comparison]:
    """Each attested address against those that the document prints.

    The company's own address on a certificate is its registered one: where it has another place of
    business, the document does not print that, and says nothing against it.
    """
    compared = []
    for key, label in ADDRESS_FIELDS:
        own = address_from_wire(attested.get(key))
        is_registered = key == "address_of_incorporation"
        if own is None and not is_registered:
            continue  # that of the register is not the place of business
        compared.append(_address(fields, key, label, own, is_registered=is_registered))
    return compared


def _address(
    fields: IncorporationFields, key: str, label: str, own: Address | None, *, is_registered: bool
) -> Comparison:
    read = fields.business_address
    written = str(own) if own else None
    ranked = [(compare_addresses(own, a.value.address), a) for a in fields.addresses if own]
    agreeing = [item for item in ranked if item[0][0] in ORDER]
    if agreeing:
        (state, how), best = min(agreeing, key=lambda item: ORDER.index(item[0][0]))
        boxes = fields.text.boxes(best.span)
        return Comparison(key, label, written, str(best.value.address), state, how, boxes)
    gap = absent(key, label, written, str(read.value.address) if read else None)
    if gap or read is None:
        return gap or Comparison(key, label, None, None, "not_attested", "not attested")
    if not is_registered:
        how = "the document does not print this address"
        return Comparison(key, label, written, None, "cannot_compare", how)
    how = compare_addresses(own, read.value.address)[1] if own else ""
    boxes = fields.text.boxes(read.span)
    return Comparison(key, label, written, str(read.value.address), "differs", how, boxes)
