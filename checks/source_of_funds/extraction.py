"""The extraction tool for documents on the source of funds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from typing import Literal

from rapidfuzz import fuzz

from checks.comparisons import Comparison, State
from checks.evidence import Evidence
from checks.extraction.parties import BUSINESS_NAMES, compare_party
from checks.extraction.tool import Extraction, Fact, Reading
from checks.extraction.values import code_of, date_of, kind_sentence, value_of
from checks.fields.addresses.addressees import blocks_of, holder_of
from checks.fields.amounts import AMOUNT, currency_of, number_of
from checks.fields.dates import DateOrder, find_dates
from checks.fields.document_types import DocumentType
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of, type_of
from checks.fields.names.companies import split_legal_form
from checks.fields.names.people import attested_person
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

# The source of funds that each type of document shows, in the words of attested data.
SOURCES: Mapping[str, str] = {
    "payslip": "salary",
    "sale_agreement": "sale",
    "loan_agreement": "loan",
    "investment_agreement": "investment",
    "inheritance_document": "inheritance",
    "financial_statements": "business income",
    "bank_statement": "bank balance",
    "tax_document": "declared income",
}
LABELS = Phrase(
    r"(?:purchase price|sale price|net pay|principal(?: amount| sum)?|purchase amount|subscription amount|consideration"
    r"|(?:closing|ending) balance|net (?:proceeds|income|profit)|amount (?:of|paid|invested)|proceeds|dividend|sum of)[^\n$£€¥]{0,60}$"
)
# “USD 3 million”: the digits are not the amount.
IN_THOUSANDS = re.compile(
    r"\s*(?:k|thousand|m|mn|mio|millions?|bn|billions?|lakhs?|crores?)\b", re.IGNORECASE
)
DATED = Phrase(
    r"(?:dated?|pay date|date of payment|as of|effective date|made (?:on|as of)|entered into)[^\n]{0,30}$"
)


class SourceOfFundsExtraction(Extraction):
    """Reads what source of money a document shows, for whom, how much, and of which day.

    The party is whom the document is addressed to or names as its holder; where that is nobody,
    the attested name is looked for in the words. The amount is the one with a label (price, net
    pay, principal, closing balance …), else none.
    """

    def __init__(self, case_kind: Literal["kyb", "kyc"]) -> None:
        self.id = f"{case_kind}.source_of_funds_extraction_tool"  # type: ignore[misc]

    def read(self, evidence: Evidence) -> Reading:
        text = evidence.once(blocks_of)
        kind = evidence.once(type_of)
        source = SOURCES.get(code_of(kind) or "")
        # The attested name comes first, because contracts have no addressee.
        party = _mentioned(evidence, text) or evidence.once(holder_of)
        amount = _amount(evidence, text)
        day = _date(evidence, text)
        complaints = []
        if source is None:
            complaints.append(
                "It was not recognised as a kind of document that shows a source of funds."
            )
        if party is None:
            complaints.append("The person or business that it is for was not found.")
        if amount is None:
            complaints.append("No amount with a label was found.")
        notes = []
        source_kind = None
        if source:
            notes.append(f"Source: {source}.")
            source_kind = kind
        return Reading(
            text=text,
            kind=kind_sentence(kind),
            facts={
                "source_of_funds": Fact(source, source_kind),
                "party_name": Fact(value_of(party), party),
                "amount": Fact(value_of(amount), amount),
                "date": Fact(date_of(day), day),
            },
            comparisons=[
                *compare_party(evidence.attested, party, text),
                *_compare_source(evidence, source, source_kind),
            ],
            complaints=complaints,
            notes=notes,
            data={"document_type": code_of(kind)},
        )


def _mentioned(evidence: Evidence, text: Text) -> ExtractedValue[str] | None:
    """Return the attested name if the text contains it. Contracts name parties but no addressee."""
    names = [attested_person(evidence.attested)]
    for key, _ in BUSINESS_NAMES:
        names.append(str(evidence.attested.get(key) or ""))
    for name in filter(None, names):
        words = (re.escape(word) for word in split_legal_form(name)[0].split())
        pattern = r"\W+".join(words)
        if not pattern:
            continue
        match = re.search(rf"\b{pattern}\b", text.value, re.IGNORECASE)
        if match:
            quote = " ".join(match[0].split())
            return ExtractedValue(
                quote, Span(*match.span()), "the attested name stands in the words", 0.8
            )
    return None


def _amount(evidence: Evidence, text: Text) -> ExtractedValue[str] | None:
    """Return the largest labelled amount, with its currency: `USD 1250000.00`."""
    place = evidence.once(jurisdiction_of)
    country = place.value.country_code if place else ""
    largest: Decimal | None = None
    amount: ExtractedValue[str] | None = None
    for match in AMOUNT.finditer(text.value):
        sign = match["before"] or match["second"] or match["behind"]
        is_negative = match["minus"] or match["after_minus"]
        if not sign or is_negative or IN_THOUSANDS.match(text.value, match.end()):
            continue
        before = text.value[max(0, match.start() - 90) : match.start()]
        # An amount without a label may be anything, so it is ignored.
        if not LABELS.search(before):
            continue
        number = number_of(match["number"])
        if largest is None or number > largest:
            largest = number
            value = f"{currency_of(sign, country)} {number:.2f}".strip()
            amount = ExtractedValue(value, Span(*match.span()), "labelled amount", 0.8)
    return amount


def _date(evidence: Evidence, text: Text) -> ExtractedValue[date] | None:
    place = evidence.once(jurisdiction_of)
    order: DateOrder = ""
    if place:
        order = place.value.date_order
    for fact in find_dates(text.value, order, evidence.today):
        before = text.value[max(0, fact.span.start - 60) : fact.span.start]
        if fact.value and DATED.search(before):
            return ExtractedValue(fact.value, fact.span, "labelled as its date", 0.8)
    return None


def _compare_source(
    evidence: Evidence,
    source: str | None,
    kind: ExtractedValue[DocumentType] | None,
) -> list[Comparison]:
    """Compare the source of funds.

    Attested sources are free text, so a difference is only shown.
    """
    attested_source = str(evidence.attested.get("source_of_funds") or "")
    if not attested_source or source is None or kind is None:
        return []
    state: State
    if fuzz.partial_ratio(folded(attested_source), folded(source)) >= 80:
        state = "equal"
        how = "the words are alike"
    else:
        state = "close"
        how = "other words: compare them by hand"
    boxes = evidence.text.boxes(kind.span)
    return [
        Comparison(
            "source_of_funds",
            "Source of funds",
            attested_source,
            source,
            state,
            how,
            boxes,
        )
    ]
