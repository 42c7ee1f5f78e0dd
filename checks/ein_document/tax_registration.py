"""Registrations of other tax offices than the IRS: VAT, GST, Udyam, orders under section 12A, and the like."""

from __future__ import annotations

import re

from checks.comparisons import Comparison, absent
from checks.evidence import Evidence
from checks.extraction.parties import compare_party, compare_places
from checks.extraction.tool import Fact, Reading
from checks.extraction.values import address_of, code_of, date_of, kind_sentence
from checks.fields.extracted import ExtractedValue
from checks.fields.labels.values import labelled_numbers
from checks.fields.registration_numbers import RegistrationNumber
from checks.incorporation_document.fields import IncorporationFields
from checks.incorporation_document.layout import pairs_of


def read_tax_registration(evidence: Evidence) -> Reading:
    """Name, numbers, date and address by the rules that read documents of incorporation.

    A field whose readings differ is left out: the name of the business and a number must be read.
    """
    fields = evidence.once(IncorporationFields)
    text = fields.text
    name = next(iter(fields.names), None)
    numbers = _tax_numbers_first(evidence, list(fields.numbers))
    number = next(iter(numbers), None)
    day = fields.incorporation_date or fields.document_date
    place = fields.business_address
    address = None
    if place:
        address = ExtractedValue(
            place.value.address, place.span, place.how, place.confidence
        )
    complaints = []
    if name is None:
        complaints.append("The name of the business was not found.")
    if number is None:
        complaints.append("No number of the registration was found.")
    jurisdiction = None
    if fields.jurisdiction:
        jurisdiction = str(fields.jurisdiction.value)
    return Reading(
        text=text,
        kind=kind_sentence(fields.document_type),
        facts={
            "business_name": Fact(name.value if name else None, name),
            "tax_number": Fact(number.value.number if number else None, number),
            "date": Fact(date_of(day), day),
            "business_address": Fact(address_of(address), address),
        },
        comparisons=[
            *compare_party(evidence.attested, name, text),
            *_compare_number(evidence, numbers),
            *compare_places(evidence.attested, [address] if address else [], text),
        ],
        complaints=complaints,
        data={
            "all_business_names": [item.value for item in fields.names],
            "business_registration_number": [item.value.number for item in numbers],
            "jurisdiction": jurisdiction,
            "document_type": code_of(fields.document_type),
        },
    )


def _tax_numbers_first(
    evidence: Evidence, numbers: list[ExtractedValue[RegistrationNumber]]
) -> list[ExtractedValue[RegistrationNumber]]:
    """A registration also names the number of the company; its own is labelled as one of taxes."""
    labelled = labelled_numbers(evidence.once(pairs_of), "tax_number")
    own = {_plain(item.value[1]) for item in labelled}
    return sorted(numbers, key=lambda item: _plain(item.value.number) not in own)


def _plain(number: str) -> str:
    return re.sub(r"\W", "", number).upper()


def _compare_number(
    evidence: Evidence, numbers: list[ExtractedValue[RegistrationNumber]]
) -> list[Comparison]:
    """The attested tax number against each number of the document."""
    key, label = "tin_number", "Tax number"
    attested = evidence.attested.get(key)
    read = [item.value.number for item in numbers]
    gap = absent(key, label, attested, read)
    if gap:
        return [gap]
    text = evidence.text
    for item in numbers:
        if _plain(str(attested)) == _plain(item.value.number):
            boxes = text.boxes(item.span)
            how = "same characters"
            return [
                Comparison(key, label, attested, item.value.number, "equal", how, boxes)
            ]
    boxes = text.boxes(numbers[0].span)
    how = "the document states other numbers"
    return [Comparison(key, label, attested, ", ".join(read), "differs", how, boxes)]
