"""The extraction tool for documents on the source of funds."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Literal

from rapidfuzz import fuzz

from checks.comparisons import Comparison, State
from checks.evidence import Evidence
from checks.extraction.parties import BUSINESS_NAMES, compare_party
from checks.extraction.tool import Extraction, Fact, Reading
from checks.extraction.values import code_of, date_of, kind_sentence, value_of
from checks.fields.addresses.addressees import blocks_of
from checks.fields.amounts import amounts_in, currency_of, in_digits
from checks.fields.dates import DateOrder, find_dates
from checks.fields.document_types import DocumentType
from checks.fields.extracted import ExtractedValue
from checks.fields.general import jurisdiction_of, type_of
from checks.fields.names.companies import split_legal_form
from checks.fields.names.people import attested_person
from checks.proof_of_address.days import days_of, sure_day
from checks.proof_of_address.roles import roles_of
from checks.proof_of_address.totals import UNSURE
from checks.proof_of_address.tunables import CANDIDATES
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
# The words before an amount that say what it is. No other amount stands between: on a payslip that is the one of the year.
LABELS = Phrase(
    r"(?P<label>purchase price|sale price|net pay|principal(?: amount| sum)?|purchase amount|subscription amount|consideration"
    r"|(?:closing|ending) balance|net (?:proceeds|income|profit)|amount (?:of|paid|invested)|proceeds|dividend|sum of|gift of|total (?:monthly )?salary"
    r"|prix de (?:vente|cession)|somme de|net [àa] payer|kaufpreis|verkaufserl[öo]s|auszahlungsbetrag|darlehensbetrag|precio de venta|l[íi]quido a percibir"
    r"|importe de|prezzo di vendita|netto (?:in busta|a pagare)|pre[çc]o de venda|valor l[íi]quido|verkoopprijs|nettoloon)"
    r"(?:(?!\d[.,]\d{2}(?!\d))[^\n$£€¥]){0,60}$"
)
# What the amount of a kind of document is called.
OF_KINDS: Mapping[str, Phrase] = {
    "payslip": Phrase(r"^net|auszahlung|l[íi]quido|nettoloon"),
    "sale_agreement": Phrase(
        r"price|purchase amount|consideration|^prix|kaufpreis|precio|prezzo|pre[çc]o|verkoopprijs"
    ),
    "loan_agreement": Phrase(r"principal|darlehensbetrag"),
    "investment_agreement": Phrase(
        r"subscription|purchase amount|invested|consideration"
    ),
    "bank_statement": Phrase(r"balance"),
    "financial_statements": Phrase(r"net (?:income|profit)"),
}
DATED = Phrase(
    r"(?:dated?|pay date|date of payment|as of|effective date|made (?:on|as of)|entered into)[^\n]{0,30}$"
)


class SourceOfFundsExtraction(Extraction):
    """Reads what source of money a document shows, for whom, how much, and of which day.

    The party is the attested name, if the words have it; else the holder, as of a letter or a bill, where two
    readings agree. The amount is the one with a label (price, net pay, principal, closing balance …), else none.
    """

    def __init__(self, case_kind: Literal["kyb", "kyc"]) -> None:
        self.id = f"{case_kind}.source_of_funds_extraction_tool"  # type: ignore[misc]

    def read(self, evidence: Evidence) -> Reading:
        text = evidence.once(blocks_of)
        kind = evidence.once(type_of)
        source = SOURCES.get(code_of(kind) or "")
        # The attested name comes first, because contracts have no addressee.
        roles = evidence.once(roles_of)
        party = _mentioned(evidence, text) or roles.name
        possible = [] if party else roles.names
        if source is None and party is roles.name and not _is_labelled(party):
            # A letter about somebody's money is addressed to whoever asks for it.
            possible = [party] if party else possible
            party = None
        amount = _amount(evidence, text, kind)
        day = _date(evidence, text)
        complaints = []
        if source is None:
            complaints.append(
                "It was not recognised as a kind of document that shows a source of funds."
            )
        if possible:
            several = " or ".join(f"“{name.value}”" for name in possible)
            complaints.append(f"The holder is unsure: {several}.")
        elif party is None:
            complaints.append("The person or business that it is for was not found.")
        if amount.wire is None:
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
                "party_name": _party(party, possible),
                "amount": amount,
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


def _is_labelled(party: ExtractedValue[str] | None) -> bool:
    return party is not None and party.how.startswith("labelled")


def _party(
    party: ExtractedValue[str] | None, possible: Sequence[ExtractedValue[str]]
) -> Fact:
    if possible:
        return Fact(None, None, UNSURE, possible)
    return Fact(value_of(party), party)


def _mentioned(evidence: Evidence, text: Text) -> ExtractedValue[str] | None:
    """Return the attested name if the text contains it, in capitals or without accents, too.

    Contracts name parties but no addressee.
    """
    person = attested_person(evidence.attested)
    names = [person]
    if len(person.split()) > 1:
        # “BRIGHTWATER Eleanor”
        *first, last = person.split()
        names.append(" ".join([last, *first]))
    for key, _ in BUSINESS_NAMES:
        names.append(str(evidence.attested.get(key) or ""))
    words = _words(text)
    for name in names:
        span = _place_of(split_legal_form(name)[0].split(), words)
        if span is not None:
            quote = " ".join(text.value[span.start : span.end].split())
            return ExtractedValue(
                quote, span, "the attested name stands in the words", 0.8
            )
    return None


def _words(text: Text) -> list[tuple[str, Span]]:
    """Return the words as names are compared, each with the place of the word that it is of."""
    words = []
    for match in re.finditer(r"[^\W_]+", text.value):
        words += [(word, Span(*match.span())) for word in folded(match[0]).split()]
    return words


def _place_of(name: Sequence[str], words: Sequence[tuple[str, Span]]) -> Span | None:
    if not name:
        return None
    for index, (word, start) in enumerate(words):
        if word != name[0]:
            continue
        following = words[index : index + len(name)]
        if [each for each, _ in following] == list(name):
            return Span(start.start, following[-1][1].end)
    return None


def _amount(
    evidence: Evidence, text: Text, kind: ExtractedValue[DocumentType] | None
) -> Fact:
    """Return the labelled amount with its currency: `USD 1250000.00`.

    Of several it is the one with the label of its kind of document, else a person decides.
    """
    place = evidence.once(jurisdiction_of)
    country = place.value.country_code if place else ""
    of_kind = OF_KINDS.get(code_of(kind) or "")
    amounts: dict[str, ExtractedValue[str]] = {}
    fitting: dict[str, ExtractedValue[str]] = {}
    for written in amounts_in(text.value):
        # On a statement, `DR` and `S` tell that the account is overdrawn.
        if not written.sign or written.value <= 0 or written.side in {"DR", "S"}:
            continue
        # An amount without a label may be anything, so it is ignored.
        label = LABELS.search(text.value[max(0, written.start - 90) : written.start])
        if label is None:
            continue
        code = currency_of(written.sign, country)
        value = f"{code} {in_digits(written.value, code)}".strip()
        amount = ExtractedValue(value, written.span, "labelled amount", 0.8)
        amounts.setdefault(value, amount)
        if of_kind is not None and of_kind.search(label["label"]):
            fitting.setdefault(value, amount)
    for several in (fitting, amounts):
        if len(several) == 1:
            [(value, amount)] = several.items()
            return Fact(value, amount)
    if not amounts:
        return Fact(None, None)
    return Fact(None, None, UNSURE, tuple(amounts.values())[:CANDIDATES])


def _date(evidence: Evidence, text: Text) -> ExtractedValue[date] | None:
    place = evidence.once(jurisdiction_of)
    order: DateOrder = ""
    if place:
        order = place.value.date_order
    for fact in find_dates(text.value, order, evidence.today):
        before = text.value[max(0, fact.span.start - 60) : fact.span.start]
        if fact.value and DATED.search(before):
            return ExtractedValue(fact.value, fact.span, "labelled as its date", 0.8)
    return sure_day(evidence, text, days_of(evidence, text))


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
