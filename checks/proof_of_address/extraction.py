"""The extraction tool for proofs of address."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date
from typing import Any, Literal, TypeVar

from checks.arguments import Argument, whole_number
from checks.evidence import Evidence
from checks.extraction.parties import compare_party, compare_places
from checks.extraction.tool import Extraction, Fact, Reading
from checks.extraction.values import (
    address_of,
    code_of,
    date_of,
    kind_sentence,
    value_of,
)
from checks.fields.addresses.addressees import blocks_of
from checks.fields.addresses.postal import Address
from checks.fields.document_types import DocumentType
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of, type_of
from checks.proof_of_address import tunables
from checks.proof_of_address.days import days_of, sure_day
from checks.proof_of_address.issuers import issuer_of
from checks.proof_of_address.roles import roles_of
from checks.proof_of_address.totals import UNSURE, total_of
from checks.text.plurals import counted
from checks.wire import JsonObject, Wire

T = TypeVar("T")
# The kinds of the argument `accepted_documents`, each with the document types that count as one.
ACCEPTED: Mapping[str, Collection[str]] = {
    "BANK_STATEMENT": ("bank_statement",),
    "VAT_INVOICE": ("invoice",),
    "UTILITY_BILL": ("utility_bill",),
    "TENANCY_AGREEMENT": ("tenancy_agreement",),
    "TAX_DOCUMENT": (
        "tax_document",
        "tax_registration",
        "ein_letter",
        "irs_determination_letter",
    ),
    "MORTGAGE_STATEMENT": ("mortgage_statement",),
    "CREDIT_CARD_STATEMENT": ("credit_card_statement",),
    "INSURANCE_POLICY": ("insurance_policy",),
    "LEASE_AGREEMENT": ("tenancy_agreement",),
    "DRIVER_LICENSE": ("driver_license",),
}


def _are_accepted(value: object) -> bool:
    return isinstance(value, list) and all(
        str(code).upper() in ACCEPTED for code in value
    )


ARGUMENTS = (
    whole_number("validity_period", of="days", least=1, most=36_500),
    Argument("accepted_documents", f"a list of {', '.join(ACCEPTED)}", _are_accepted),
)


class ProofOfAddressExtraction(Extraction):
    """Reads what kind of document it is, whose, for which address, and of which day.

    The holder is the name in the window of the letter or behind a label (account holder, customer,
    tenant …), where a second reading agrees; else it is unsure. The date is that of issue, else the end of the period that
    the document is for; dates on which something is due are none. Age is counted to the day of
    the check.
    """

    def __init__(self, case_kind: Literal["kyb", "kyc"]) -> None:
        self.id = f"{case_kind}.proof_of_address_extraction_tool"  # type: ignore[misc]
        self.name_field = "business_name" if case_kind == "kyb" else "name"
        self.address_field = "business_address" if case_kind == "kyb" else "address"

    def read(self, evidence: Evidence) -> Reading:
        text = evidence.once(blocks_of)
        kind = evidence.once(type_of)
        roles = evidence.once(roles_of)
        holder = roles.name
        addresses = roles.addresses
        address = next(iter(addresses), None)
        days = days_of(evidence, text)
        day = sure_day(evidence, text, days)
        requested = _requested(evidence)
        # A document type may count as several accepted kinds. The first is reported.
        accepted = [code for code in requested if code_of(kind) in ACCEPTED[code]]
        accepted_type = None
        type_evidence = None
        if accepted:
            accepted_type = accepted[0]
            type_evidence = kind
        age = None
        if day:
            age = (evidence.today - day.value).days
        country = address.value.country_code if address else ""
        place = evidence.once(jurisdiction_of)
        if place and not country:
            country = place.value.country_code
        possible = [] if holder else [name.value for name in roles.names]
        issuer = issuer_of(evidence, value_of(holder), possible)
        total = total_of(evidence, code_of(kind) or "", country)
        complaints = _kind_complaints(accepted, requested)
        unsure = []
        names = roles.names
        places = roles.places
        # Two windows are equally likely, or what was read is no sure reading: the candidates are named.
        if holder is None and names:
            several = " or ".join(f"“{name.value}”" for name in names)
            unsure.append(f"The holder is unsure: {several}.")
        elif holder is None:
            complaints.append("The holder was not found.")
        if address is None and places:
            unsure.append("The address of the holder is unsure.")
        elif address is None:
            complaints.append("No address of the holder was found.")
        complaints += unsure
        complaints += _age_complaints(day, age, validity_days(evidence.arguments))
        return Reading(
            text=text,
            kind=kind_sentence(kind),
            facts={
                "holder_name": _fact(holder, names, value_of),
                self.address_field: _fact(address, places, address_of),
                "date": _fact(day, days, date_of),
                "proof_of_address_type": Fact(accepted_type, type_evidence),
                "issuer": issuer,
                "total": total,
            },
            comparisons=[
                *compare_party(evidence.attested, holder, text),
                *compare_places(evidence.attested, addresses, text),
            ],
            complaints=complaints,
            unsure_complaints=unsure,
            notes=_notes(holder, address, day, age),
            data=self._data(evidence, kind, holder, addresses, age),
        )

    def _data(
        self,
        evidence: Evidence,
        kind: ExtractedValue[DocumentType] | None,
        holder: ExtractedValue[str] | None,
        addresses: Sequence[ExtractedValue[Address]],
        age: int | None,
    ) -> Wire:
        name = value_of(holder)
        business_names = []
        if name and self.name_field == "business_name":
            business_names.append(name)
        addresses_by_number = {}
        for number, fact in enumerate(addresses, start=1):
            addresses_by_number[f"address_{number}"] = fact.value.to_wire()
        return {
            self.name_field: name,
            "all_business_names": business_names,
            "all_extracted_addresses": addresses_by_number,
            "age_in_days": age,
            "validity_period": validity_days(evidence.arguments),
            "document_type": code_of(kind),
        }


def validity_days(arguments: JsonObject) -> int:
    """Return the argument `validity_period` in days, or the default if it is missing, zero or no
    number.
    """
    days = arguments.get("validity_period")
    # `True` is an integer in Python, but no number of days.
    if isinstance(days, bool) or not str(days or "").isdigit():
        return tunables.VALIDITY_DAYS
    return int(str(days)) or tunables.VALIDITY_DAYS


def _requested(evidence: Evidence) -> list[str]:
    """Return the accepted kinds of document: those of the argument, or all."""
    codes = evidence.arguments.get("accepted_documents")
    requested = []
    if isinstance(codes, list):
        for code in codes:
            name = str(code).upper()
            if name in ACCEPTED:
                requested.append(name)
    return requested or list(ACCEPTED)


def _in_words(code: str) -> str:
    return code.replace("_", " ").lower().replace("vat ", "VAT ")


def _kind_complaints(accepted: Sequence[str], requested: Sequence[str]) -> list[str]:
    if accepted:
        return []
    names = ", ".join(_in_words(code) for code in requested)
    return [f"It was not recognised as an accepted kind of document ({names})."]


def _age_complaints(
    day: ExtractedValue[date] | None, age: int | None, validity: int
) -> list[str]:
    if day is None or age is None:
        return ["Its date could not be read, so its age is unknown."]
    if age < 0:
        return [f"Its date, {day.value.isoformat()}, is in the future."]
    if age > validity:
        return [f"It is {counted(age, 'day')} old. Limit: {counted(validity, 'day')}."]
    return []


def _fact(
    value: ExtractedValue[T] | None,
    rivals: Sequence[ExtractedValue[T]],
    wire_of: Callable[[ExtractedValue[T] | None], Wire | str | None],
) -> Fact:
    """Return the value, or the rivals as candidates if there is none.

    `wire_of` turns a value into what is sent, because a date or an address is not JSON.
    """
    if value is None and rivals:
        candidates: list[ExtractedValue[Any]] = []
        for rival in rivals:
            value_sent = wire_of(rival)
            candidate = ExtractedValue(
                value_sent, rival.span, rival.how, rival.confidence
            )
            candidates.append(candidate)
        return Fact(None, None, UNSURE, candidates)
    return Fact(wire_of(value), value)


def _notes(
    holder: ExtractedValue[str] | None,
    address: ExtractedValue[Address] | None,
    day: ExtractedValue[date] | None,
    age: int | None,
) -> list[str]:
    notes = []
    if holder:
        notes.append(f"Holder: {holder.value}.")
    if address:
        notes.append(f"Address: {address.value}.")
    if day:
        days = counted(age or 0, "day")
        notes.append(f"Dated {day.value.isoformat()}, {days} old.")
    return notes
