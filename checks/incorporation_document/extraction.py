"""The extraction tool: reads the fields of a document of incorporation and compares them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date
from operator import attrgetter
from typing import TypeVar

from checks.base import Outcome, Tool, Verdict, alerts_to_wire
from checks.comparisons import DIFFERENT, Comparison
from checks.evidence import NOT_READ, Evidence
from checks.extraction.company_states import caution_of
from checks.extraction.values import code_of, date_of, value_of
from checks.fields.addresses.postal import PlacedAddress
from checks.fields.document_types import INCORPORATION
from checks.fields.extracted import ExtractedValue, nothing
from checks.fields.names.parties import is_in_block_of_another
from checks.incorporation_document.addresses import role_of
from checks.incorporation_document.comparisons import compare
from checks.incorporation_document.fields import IncorporationFields
from checks.incorporation_document.names import (
    is_at_another,
    is_in_record_of_another,
)
from checks.text.words import Span
from checks.wire import Wire

T = TypeVar("T")
UNSURE = "unsure: what it may be is listed, and a person decides"


class IncorporationDocumentExtraction(Tool):
    """Reads name, date, number, jurisdiction, addresses and purpose from the words of a document.

    Every field carries its place on the page, the words about it, and the rule that read it. A
    field that no rule reads with certainty stays empty. The document is valid when it is a
    certificate or articles of incorporation and states the name of a company; the tool passes
    when, besides, nothing differs from what was attested, and the document does not say that the
    company is wound up, insolvent, struck off or not active.
    """

    id = "kyb.incorporation_document_extraction_tool"
    aliases = ("kyb.incorporation_document_extractor",)
    payload_key = "extraction_data"

    def run(self, evidence: Evidence) -> Outcome:
        fields = evidence.once(IncorporationFields)
        comparisons = compare(fields, evidence.attested)
        valid, analysis = _validity(fields)
        differing = [c for c in comparisons if c.state in DIFFERENT]
        names = [*fields.names, *fields.name_reading.candidates]
        cautions = cautions_of(evidence, [name.value for name in names])
        alerts = [*_alerts(fields, comparisons), *cautions]
        unread = not evidence.text.value.strip()
        if unread:
            verdict: Verdict = "inconclusive"
        else:
            is_fine = valid and not differing and not cautions
            verdict = "pass" if is_fine else "review"
        differences = [f"{c.label}: {c.how}." for c in differing]
        sentences = [analysis, *cautions, *differences]
        passed = None
        if not unread:
            passed = verdict == "pass"
        data = _extraction(fields) | {
            "is_valid_document": valid,
            "only_unsure": _asks_only_for_the_name(fields)
            and not (differing or cautions),
            "cautions": cautions,
            "unread_pages": list(evidence.unread_pages),
            "analysis": analysis,
            "summary": " ".join([_summary(fields, analysis), *evidence.reading_notes]),
            "alerts": alerts_to_wire(alerts),
            "comparisons": [comparison.to_wire() for comparison in comparisons],
        }
        return Outcome(
            passed=passed,
            verdict=verdict,
            explanation=" ".join(sentences),
            payload={self.payload_key: data, "document": evidence.document_reference},
            answer=value_of(_first(fields.names)) or "",
            alerts=alerts,
        )


def _validity(fields: IncorporationFields) -> tuple[bool, str]:
    evidence = fields.evidence
    if evidence.problem:
        return False, evidence.problem.explanation
    if not evidence.text.value.strip():
        return False, f"The document could not be read ({evidence.unread or NOT_READ})."
    kind = fields.document_type
    # The checks are ordered by how much was read, so that the explanation names the first obstacle.
    if kind is None:
        return False, "The kind of document could not be recognised."
    if kind.value.code not in INCORPORATION:
        return (
            False,
            f"This looks like {kind.value.name}, not like a document of incorporation.",
        )
    if fields.name_reading.candidates:
        several = " or ".join(f"“{n.value}”" for n in fields.name_reading.candidates)
        return (
            False,
            f"This is {kind.value.name}, but the name of the company is unsure: {several}.",
        )
    if not fields.names:
        return (
            False,
            f"This is {kind.value.name}, but the name of the company was not found.",
        )
    name = fields.names[0].value
    # A name such as “Acme Inc.” ends with a full stop. The sentence must not end with two.
    return True, f"This is {kind.value.name} of {name.removesuffix('.')}."


def cautions_of(evidence: Evidence, names: Sequence[str]) -> list[str]:
    """Return what a person must know of the company before the document may pass: that it has ended."""

    def is_of_other(span: Span) -> bool:
        return (
            is_in_block_of_another(evidence.text, span)
            or is_at_another(evidence, span)
            or is_in_record_of_another(evidence, span)
        )

    text = evidence.text.value
    caution = caution_of(text, names, evidence.today, is_of_other)
    return [caution] if caution else []


def _asks_only_for_the_name(fields: IncorporationFields) -> bool:
    """Whether the unsure name is all that the document asks a person for."""
    evidence = fields.evidence
    kind = fields.document_type
    is_read = not evidence.problem and not evidence.unread
    if not is_read or evidence.page_count > len(evidence.pages):
        return False
    is_accepted = kind is not None and kind.value.code in INCORPORATION
    return is_accepted and bool(fields.name_reading.candidates)


def _summary(fields: IncorporationFields, analysis: str) -> str:
    sentences = [analysis]
    if fields.incorporation_date:
        sentences.append(
            f"Incorporated on {fields.incorporation_date.value.isoformat()}."
        )
    if fields.jurisdiction:
        sentences.append(f"Jurisdiction: {fields.jurisdiction.value}.")
    if fields.numbers:
        sentences.append(f"Registration number: {fields.numbers[0].value.number}.")
    if fields.evidence.unread and fields.evidence.text.value.strip():
        sentences.append(f"{fields.evidence.unread}.")
    return " ".join(sentences)


def _alerts(
    fields: IncorporationFields, comparisons: Sequence[Comparison]
) -> list[str]:
    evidence = fields.evidence
    alerts = []
    if evidence.problem:
        alerts.append(evidence.problem.explanation)
    for c in comparisons:
        if c.state in DIFFERENT:
            alerts.append(
                f"{c.label}: attested “{c.attested}”, document “{c.extracted}” ({c.how})"
            )
    if evidence.page_count > len(evidence.pages):
        alerts.append(
            f"Only the first {len(evidence.pages)} of {evidence.page_count} pages were read."
        )
    if evidence.unread:
        alerts.append(evidence.unread)
    return alerts


def _extraction(fields: IncorporationFields) -> Wire:
    """Return the fields of the interface. `evidence` holds what each of them rests on."""
    address = None
    if fields.business_address:
        address = fields.business_address.value.address.to_wire()
    jurisdiction = None
    if fields.jurisdiction:
        jurisdiction = str(fields.jurisdiction.value)
    return {
        "date": date_of(fields.document_date),
        "business_name": value_of(_first(fields.names)),
        "all_business_names": [fact.value for fact in fields.names],
        "incorporation_date": date_of(fields.incorporation_date),
        "business_address": address,
        "all_extracted_addresses": _by_role(fields),
        "business_activity": value_of(fields.activity),
        "jurisdiction": jurisdiction,
        "business_registration_number": [fact.value.number for fact in fields.numbers],
        "document_type": code_of(fields.document_type),
        "unsure": [
            name for name, candidates in _candidates(fields).items() if candidates
        ],
        "evidence": _evidence(fields),
    }


def _by_role(fields: IncorporationFields) -> Wire:
    """Return the addresses by role.

    Further addresses with the same role get a number: `mailing_address_2`.
    """
    addresses: Wire = {}
    for fact in fields.addresses:
        role = own_role = role_of(fields.evidence, fact, fields.business_address)
        number = 2
        while role in addresses:
            role = f"{own_role}_{number}"
            number = number + 1
        addresses[role] = fact.value.address.to_wire()
    return addresses


def _evidence(fields: IncorporationFields) -> Wire:
    text = fields.text
    if text.value.strip():
        missing = nothing("not found in the text")
        date_missing = nothing(_why_no_date(fields))
    else:
        missing = nothing(fields.evidence.unread or NOT_READ)
        date_missing = missing

    def evidence_of(
        extracted: ExtractedValue[T] | None,
        form: Callable[[T], str],
        absent: Wire = missing,
    ) -> Wire:
        if extracted is None:
            return absent
        return extracted.evidence(text, value=form(extracted.value))

    evidence = {
        "business_name": evidence_of(_first(fields.names), str),
        "incorporation_date": evidence_of(
            fields.incorporation_date, date.isoformat, date_missing
        ),
        "date": evidence_of(fields.document_date, date.isoformat, date_missing),
        "business_registration_number": evidence_of(
            _first(fields.numbers), attrgetter("number")
        ),
        "jurisdiction": evidence_of(fields.jurisdiction, str),
        "business_address": evidence_of(fields.business_address, _one_line),
        "business_activity": evidence_of(fields.activity, str),
        "document_type": evidence_of(fields.document_type, attrgetter("code")),
    }
    for name, candidates in _candidates(fields).items():
        if candidates:
            evidence[name] = nothing(UNSURE) | {"candidates": candidates}
    return evidence


def _candidates(fields: IncorporationFields) -> dict[str, list[Wire]]:
    """Return the possible values of fields whose readings differ, each with its place and
    its rule.
    """
    text = fields.text
    return {
        "business_name": [n.evidence(text) for n in fields.name_reading.candidates],
        "incorporation_date": [
            d.evidence(text, value=d.value.isoformat())
            for d in fields.date_reading.candidates
        ],
        "business_registration_number": [
            n.evidence(text, value=n.value.number)
            for n in fields.number_reading.candidates
        ],
        "jurisdiction": [
            j.evidence(text, value=str(j.value))
            for j in fields.jurisdiction_reading.candidates
        ],
        "business_address": [
            a.evidence(text, value=str(a.value.address))
            for a in fields.address_reading.candidates
        ],
    }


def _one_line(place: PlacedAddress) -> str:
    return str(place.address)


def _first(values: Sequence[T]) -> T | None:
    return next(iter(values), None)


def _why_no_date(fields: IncorporationFields) -> str:
    if not fields.dates:
        return "the text has no date"
    if all(fact.value is None for fact in fields.dates):
        return "the order of day and month is unclear"
    return "no date of the text is labelled as this one"
