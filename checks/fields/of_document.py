"""The general fields of a document, for `Evidence.once`: read once for all of its tools."""

from __future__ import annotations

from datetime import date

from checks.evidence import Evidence
from checks.fields.dates import FoundDate, find_dates, words_before
from checks.fields.document_types import DocumentType, classify
from checks.fields.found import Found
from checks.fields.jurisdictions import Jurisdiction, find_jurisdiction
from checks.fields.registration_numbers import RegistrationNumber, find_registration_numbers
from checks.text import phrase

BEFORE = 110
BEARING = phrase(
    r"(?:given|done|dated?|witness whereof|testimony whereof|issued|signed|executed|date of issue)"
    r"[^.;]{0,100}$"
)
NOT_ISSUED = phrase(
    r"(?:expir|valid (?:until|to)|renew|due|birth|born|print(?:ed|ing)|revised|verif)[^.;]{0,40}$"
)


def type_of(evidence: Evidence) -> Found[DocumentType] | None:
    return classify(evidence.text)


def jurisdiction_of(evidence: Evidence) -> Found[Jurisdiction] | None:
    return find_jurisdiction(evidence.text)


def numbers_of(evidence: Evidence) -> list[Found[RegistrationNumber]]:
    return find_registration_numbers(evidence.text)


def dates_of(evidence: Evidence) -> list[FoundDate]:
    """Every date of the text; the jurisdiction settles the order of day and month."""
    place = evidence.once(jurisdiction_of)
    return find_dates(evidence.text.value, place.value.date_order if place else "")


def issue_date_of(evidence: Evidence) -> Found[date] | None:
    """The date that the document itself bears: when it was given, dated or signed."""
    value = evidence.text.value
    for found in reversed(evidence.once(dates_of)):
        before = words_before(value, found.span.start, BEFORE)
        if found.value and BEARING.search(before) and not NOT_ISSUED.search(before):
            return Found(found.value, found.span, "the date that the document bears", 0.8)
    return None
