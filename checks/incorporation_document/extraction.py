"""The extraction tool: reads the fields of a document of incorporation and compares them."""

from __future__ import annotations

from collections.abc import Sequence

from checks.base import Outcome, Tool, Verdict
from checks.comparisons import DIFFERENT, Comparison
from checks.evidence import NOT_READ, Evidence
from checks.fields.document_types import INCORPORATION
from checks.fields.extracted import nothing
from checks.incorporation_document.comparisons import compare
from checks.incorporation_document.fields import IncorporationFields
from checks.wire import Wire


class IncorporationDocumentExtraction(Tool):
    """Reads name, date, number, jurisdiction, addresses and purpose from the words of a document.

    Every field carries its place on the page, the words about it, and the rule that read it. A
    field that no rule reads with certainty stays empty. The document is valid when it is a
    certificate or articles of incorporation and states the name of a company; the tool passes
    when, besides, nothing differs from what was attested.
    """

    id = "kyb.incorporation_document_extraction_tool"
    aliases = ("kyb.incorporation_document_extractor",)
    payload_key = "extraction_data"

    def run(self, evidence: Evidence) -> Outcome:
        fields = evidence.once(IncorporationFields)
        comparisons = compare(fields, evidence.attested)
        valid, analysis = _validity(fields)
        differing = [c for c in comparisons if c.state in DIFFERENT]
        alerts = _alerts(fields, comparisons)
        unread = not evidence.text.value.strip()
        if unread:
            verdict: Verdict = "inconclusive"
        else:
            verdict = "pass" if valid and not differing else "review"
        data = _extraction(fields) | {
            "is_valid_document": valid,
            "unread_pages": list(evidence.unread_pages),
            "analysis": analysis,
            "summary": " ".join([_summary(fields, analysis), *evidence.reading_notes]),
            "alerts": {f"alert_{n}": alert for n, alert in enumerate(alerts, 1)}
            or None,
            "comparisons": [comparison.to_wire() for comparison in comparisons],
        }
        return Outcome(
            passed=None if unread else verdict == "pass",
            verdict=verdict,
            explanation=" ".join(
                [analysis, *(f"{c.label}: {c.how}." for c in differing)]
            ),
            payload={self.payload_key: data, "document": evidence.document_reference},
            answer=fields.names[0].value if fields.names else "",
            alerts=alerts,
        )


def _validity(fields: IncorporationFields) -> tuple[bool, str]:
    evidence = fields.evidence
    if evidence.problem:
        return False, evidence.problem.explanation
    if not evidence.text.value.strip():
        return False, f"The document could not be read ({evidence.unread or NOT_READ})."
    kind = fields.document_type
    if kind is None:
        return False, "The kind of document could not be recognised."
    if kind.value.code not in INCORPORATION:
        return (
            False,
            f"This looks like {kind.value.name}, not like a document of incorporation.",
        )
    if not fields.names:
        return (
            False,
            f"This is {kind.value.name}, but the name of the company was not found.",
        )
    name = fields.names[0].value
    return True, f"This is {kind.value.name} of {name}" + (
        "" if name.endswith(".") else "."
    )


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
    alerts = [evidence.problem.explanation] if evidence.problem else []
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
    """The fields of the interface, and under `evidence` what each of them rests on."""
    name = fields.names[0] if fields.names else None
    incorporated = fields.incorporation_date
    dated = fields.document_date
    address = fields.business_address
    place = fields.jurisdiction
    activity = fields.activity
    return {
        "date": dated.value.isoformat() if dated else None,
        "business_name": name.value if name else None,
        "all_business_names": [fact.value for fact in fields.names],
        "incorporation_date": incorporated.value.isoformat() if incorporated else None,
        "business_address": address.value.address.to_wire() if address else None,
        "all_extracted_addresses": _by_role(fields),
        "business_activity": activity.value if activity else None,
        "jurisdiction": str(place.value) if place else None,
        "business_registration_number": [fact.value.number for fact in fields.numbers],
        "document_type": fields.document_type.value.code
        if fields.document_type
        else None,
        "evidence": _evidence(fields),
    }


def _by_role(fields: IncorporationFields) -> Wire:
    """Addresses by role; a second one of a role gets a number."""
    addresses: Wire = {}
    for fact in fields.addresses:
        role = fact.value.role
        number = 2
        while role in addresses:
            role = f"{fact.value.role}_{number}"
            number = number + 1
        addresses[role] = fact.value.address.to_wire()
    return addresses


def _evidence(fields: IncorporationFields) -> Wire:
    text = fields.text
    missing = nothing(
        fields.evidence.unread or NOT_READ
        if not text.value.strip()
        else "not found in the text"
    )
    name = fields.names[0] if fields.names else None
    number = fields.numbers[0] if fields.numbers else None
    if text.value.strip():
        date_missing = nothing(_why_no_date(fields))
    else:
        date_missing = missing
    incorporated = fields.incorporation_date
    dated = fields.document_date
    address = fields.business_address
    place = fields.jurisdiction
    activity = fields.activity
    kind = fields.document_type
    return {
        "business_name": name.evidence(text) if name else missing,
        "incorporation_date": incorporated.evidence(
            text, value=incorporated.value.isoformat()
        )
        if incorporated
        else date_missing,
        "date": dated.evidence(text, value=dated.value.isoformat())
        if dated
        else date_missing,
        "business_registration_number": number.evidence(text, value=number.value.number)
        if number
        else missing,
        "jurisdiction": place.evidence(text, value=str(place.value))
        if place
        else missing,
        "business_address": address.evidence(text, value=str(address.value.address))
        if address
        else missing,
        "business_activity": activity.evidence(text) if activity else missing,
        "document_type": kind.evidence(text, value=kind.value.code)
        if kind
        else missing,
    }


def _why_no_date(fields: IncorporationFields) -> str:
    if not fields.dates:
        return "the text has no date"
    if all(fact.value is None for fact in fields.dates):
        return "the order of day and month is unclear"
    return "no date of the text is labelled as this one"
