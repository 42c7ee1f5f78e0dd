"""Registrations of tax offices other than the IRS: VAT, GST, Udyam, orders under section 12A and
others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date

from checks.attested.facts import country_of
from checks.attested.numbers import sameness
from checks.comparisons import Comparison, absent
from checks.data_check import texts
from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.parties import compare_party, compare_places
from checks.extraction.tool import Fact, Reading
from checks.extraction.values import (
    address_of,
    code_of,
    date_of,
    kind_sentence,
)
from checks.extraction.whole_names import (
    is_before_colon,
    to_end_of_quotation,
    whole_name,
)
from checks.fields.addresses.recipients import recipient_of
from checks.fields.extracted import ExtractedValue
from checks.fields.general import tax_office_of
from checks.fields.jurisdictions import by_code
from checks.fields.labels.values import (
    labelled_dates,
    labelled_names,
    labelled_numbers,
)
from checks.fields.names.companies import split_legal_form
from checks.fields.names.parties import is_of_another
from checks.fields.names.shape import looks_like_name
from checks.fields.registration_numbers import RegistrationNumber, compact
from checks.fields.tax_offices import TaxOffice, is_called_number, plain
from checks.incorporation_document.extraction import UNSURE, cautions_of
from checks.incorporation_document.fields import IncorporationFields
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.names import in_text
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)

OF_WINDOW = "only the address of the letter names it: a person decides"
RIVALS = (
    "two numbers of one form, one of them with wrong check digits: a person decides"
)
WRONG_DIGITS = "its check digits are wrong: a person decides"
Number = ExtractedValue[RegistrationNumber]

# A number on a line with these words belongs to the adviser who files the holder's taxes.
ADVISER = Phrase(
    r"\b(?:(?:tax|fiscal|vat) (?:agent|advis[eo]r|representative)s?|agents?(?=:)|^agents?|accountants?|bookkeepers?|steuerberater(?:in)?"
    r"|steuerkanzlei|kanzlei|representantes?(?: legal)?|contabilista|gestor|asesor|expert[- ]comptable|commercialista"
    r"|intermediario|rappresentante|belastingadviseur|boekhouder|doradca|biuro rachunkowe|ombud|revisor|contador)\b"
)
# Labels of the day of issue. They rank after those of the registration itself.
OF_ISSUE = Phrase(r"\bissue|\bemisi|\bexpedici|“datum”")


@dataclass(frozen=True, slots=True)
class OfficeNumbers:
    """Numbers of one format on a document: those of the holder, and those with wrong check
    digits.
    """

    own: Sequence[Number]
    wrong: Sequence[ExtractedValue[str]]


def read_tax_registration(evidence: Evidence) -> Reading:
    """Read name, numbers, date and address by the labels of the form and by the issuing office.

    The office is recognised by its name and the title of its document. It determines the country
    and the format of the numbers, whose check digits are verified if there are any. A number on a
    line about an agent or adviser is never that of the holder. A field whose readings differ is
    left out, but the name of the business and a number are required.
    """
    fields = evidence.once(IncorporationFields)
    text = fields.text
    office = evidence.once(tax_office_of)
    possible = _name(evidence, fields)
    name_fact = _name_fact(evidence, possible)
    name = possible if not name_fact.candidates else None
    numbers = [
        item
        for item in _tax_numbers_first(evidence, fields.numbers)
        if not _is_of_adviser(text, item.span)
    ]
    wrong: Sequence[ExtractedValue[str]] = ()
    if office:
        of_office = _numbers_of(text, office.value)
        numbers = _with(of_office, numbers)
        wrong = of_office.wrong
    number = next(iter(numbers), None)
    tax_number = Fact(number.value.number if number else None, number)
    unsure = []
    if number is not None and wrong and number.value.kind == office_name(office):
        # One of two such numbers was misread, or is another party's.
        rivals = [
            ExtractedValue(
                number.value.number, number.span, number.how, number.confidence
            ),
            *wrong,
        ]
        tax_number = Fact(None, None, RIVALS, rivals)
        unsure = ["tax_number", "business_registration_number"]
        number = None
        numbers = []
    elif number is None and wrong:
        tax_number = Fact(None, None, WRONG_DIGITS, wrong)
        unsure = ["tax_number", "business_registration_number"]
    day = _date(evidence, fields, office)
    place = fields.business_address
    address = None
    if place:
        address = ExtractedValue(
            place.value.address, place.span, place.how, place.confidence
        )
    missing, in_doubt = _complaints(evidence, name_fact, number, tax_number)
    return Reading(
        text=text,
        kind=kind_sentence(fields.document_type),
        facts={
            "business_name": name_fact,
            "tax_number": tax_number,
            "date": Fact(date_of(day), day),
            "business_address": Fact(address_of(address), address),
            "issuer": _issuer(office),
        },
        comparisons=[
            *compare_party(evidence.attested, name, text),
            *_compare_number(evidence, numbers),
            *compare_places(evidence.attested, [address] if address else [], text),
        ],
        complaints=[*missing, *in_doubt],
        unsure_complaints=in_doubt,
        cautions=cautions_of(evidence, name_fact.values()),
        data={
            "all_business_names": [item.value for item in fields.names],
            "business_registration_number": [item.value.number for item in numbers],
            "unsure": [*unsure, *(["business_name"] if name_fact.candidates else [])],
            "jurisdiction": _jurisdiction(fields, office),
            "document_type": code_of(fields.document_type),
        },
    )


def office_name(office: ExtractedValue[TaxOffice] | None) -> str:
    return office.value.name if office else ""


def _name(
    evidence: Evidence, fields: IncorporationFields
) -> ExtractedValue[str] | None:
    """Return the name by its label, if only one name is labelled as the holder's; else as in other
    documents.
    """
    labelled = []
    for name in labelled_names(evidence.once(pairs_of)):
        labelled.append(to_end_of_quotation(evidence.text, name))
    surest = []
    for item in labelled:
        if item.confidence == labelled[0].confidence:
            surest.append(item)
    first = next(iter(surest), None)
    is_only = len({folded(item.value) for item in surest}) == 1
    if first and is_only and looks_like_name(fields.text, first.value):
        return first
    labelled_name = next(iter(fields.names), None)
    # A letter only names its addressee.
    return labelled_name or _addressee(evidence, of_business=True)


def _name_fact(evidence: Evidence, name: ExtractedValue[str] | None) -> Fact:
    """The name, or what it may be: an addressee without a legal form may be an adviser, and a name may go on."""
    if name:
        whole = whole_name(evidence.text, name.span, name.value)
        if whole != name.value:
            return Fact(None, None, UNSURE, (replace(name, value=whole), name))
        is_label = is_before_colon(evidence.text, name.span)
        if is_label or not is_clear(evidence, evidence.text, name.span, name.value):
            return Fact(None, None, UNSURE, (name,))
        return Fact(name.value, name)
    addressee = _addressee(evidence, of_business=False)
    if addressee:
        return Fact(None, None, OF_WINDOW, (addressee,))
    return Fact(None, None)


def _addressee(evidence: Evidence, *, of_business: bool) -> ExtractedValue[str] | None:
    """The addressee; `of_business`: only where its legal form says that it is a business."""
    name = evidence.once(recipient_of).name
    if name is None or (of_business and not split_legal_form(name.value)[1]):
        return None
    return in_text(evidence.text, name)


def _numbers_of(text: Text, office: TaxOffice) -> OfficeNumbers:
    """Return the numbers in the format of the office that the text calls a number, except those of
    others.
    """
    by_number: dict[str, Number] = {}
    wrong: list[ExtractedValue[str]] = []
    for match in office.number.finditer(text.value):
        span = Span(*match.span("number"))
        if (
            not is_called_number(text, span)
            or is_of_another(text, span)
            or _is_of_adviser(text, span)
            or _is_of_office(text, span, office)
        ):
            continue
        number = re.sub(r"\s+", "", match["number"])
        valid = office.is_valid(number)
        # A number with wrong check digits is only reported as a candidate.
        if valid is False:
            wrong.append(ExtractedValue(number, span, WRONG_DIGITS, 0.4))
            continue
        how = f"in the form of the numbers of {office.name}"
        if valid:
            how += ", check digits right"
        value = RegistrationNumber(office.name, number, valid)
        by_number.setdefault(compact(number), ExtractedValue(value, span, how, 0.95))
    return OfficeNumbers(list(by_number.values()), wrong)


def _is_of_office(text: Text, span: Span, office: TaxOffice) -> bool:
    """An office prints its own number behind its own name: “… des Bundeszentralamtes: DE 122119035”."""
    line = plain(text.before_on_line(span))
    if office.words.search(line):
        return True
    head = plain(office.name).split()[0]
    has_head = re.search(rf"\b{re.escape(head)}", line) is not None
    return has_head and len(head) > 8


def _is_of_adviser(text: Text, span: Span) -> bool:
    line = plain(text.before_on_line(span))
    return ADVISER.search(line) is not None


def _with(of_office: OfficeNumbers, others: Sequence[Number]) -> list[Number]:
    """Return the numbers of the office, followed by other numbers that are not part of them."""
    numbers = list(of_office.own)
    known_keys = [compact(item.value.number) for item in numbers]
    known_keys += [compact(item.value) for item in of_office.wrong]
    for other in others:
        key = compact(other.value.number)
        if not any(_is_part(key, one) for one in known_keys):
            numbers.append(other)
    return numbers


def _is_part(key: str, other: str) -> bool:
    return key.endswith(other) or other.endswith(key) or other.startswith(key)


def _date(
    evidence: Evidence,
    fields: IncorporationFields,
    office: ExtractedValue[TaxOffice] | None,
) -> ExtractedValue[date] | None:
    """Return since when the business exists or is registered according to the form; else the date
    of the document.
    """
    if fields.incorporation_date:
        return fields.incorporation_date
    place = fields.jurisdiction
    order = place.value.date_order if place else ""
    # The office tells the order of day and month, if no law does.
    if office and not order:
        order = by_code()[office.value.country].date_order
    pairs = evidence.once(pairs_of)
    labelled = labelled_dates(pairs, order, "tax_date", latest=evidence.today)
    # The date of the registration comes before the date of issue.
    labelled.sort(key=lambda item: bool(OF_ISSUE.search(item.how)))
    return next(iter(labelled), None) or fields.document_date


def _issuer(office: ExtractedValue[TaxOffice] | None) -> Fact:
    if office is None:
        return Fact(None, None)
    extracted = ExtractedValue(
        office.value.name, office.span, office.how, office.confidence
    )
    return Fact(office.value.name, extracted)


def _jurisdiction(
    fields: IncorporationFields, office: ExtractedValue[TaxOffice] | None
) -> str | None:
    """Return the jurisdiction that the text names, else the country of the office."""
    if fields.jurisdiction:
        return str(fields.jurisdiction.value)
    if office:
        return str(by_code()[office.value.country])
    return None


def _complaints(
    evidence: Evidence,
    name: Fact,
    number: Number | None,
    tax_number: Fact,
) -> tuple[list[str], list[str]]:
    """Return what is missing or wrong, and what a person only has to choose."""
    missing: list[str] = []
    in_doubt: list[str] = []
    names = name.candidates
    if names:
        in_doubt.append(f"The name of the business is unsure: “{names[0].value}”.")
    elif name.extracted is None:
        missing.append("The name of the business was not found.")
    if number is not None:
        return missing, in_doubt
    numbers = tax_number.candidates
    if not numbers:
        missing.append("No number of the registration was found.")
    elif len(numbers) > 1 or evidence.text.has_ocr(numbers[0].span):
        several = " or ".join(f"“{item.value}”" for item in numbers)
        in_doubt.append(f"The number of the registration is unsure: {several}.")
    else:
        # Letters of a text layer are not misread: the document itself states a wrong number.
        missing.append(f"The check digits of the number {numbers[0].value} are wrong.")
    return missing, in_doubt


def _tax_numbers_first(evidence: Evidence, numbers: Sequence[Number]) -> list[Number]:
    """Sort numbers with a tax label first. A registration also names the number of the company."""
    labelled = labelled_numbers(evidence.once(pairs_of), "tax_number")
    own_numbers = {_bare(item.value[1]) for item in labelled}
    return sorted(numbers, key=lambda item: _bare(item.value.number) not in own_numbers)


def _bare(number: str) -> str:
    return re.sub(r"\W", "", number).upper()


def _compare_number(evidence: Evidence, numbers: Sequence[Number]) -> list[Comparison]:
    """Compare the attested tax number with each number of the document."""
    key, label = "tin_number", "Tax number"
    attested = evidence.attested.get(key)
    read = [item.value.number for item in numbers]
    gap = absent(key, label, attested, read)
    if gap:
        return [gap]
    text = evidence.text
    country = country_of(evidence.attested)
    for item in numbers:
        if sameness(texts(attested), item.value.number, country) == "equal":
            boxes = text.boxes(item.span)
            how = "same characters"
            return [
                Comparison(key, label, attested, item.value.number, "equal", how, boxes)
            ]
    boxes = text.boxes(numbers[0].span)
    how = "the document states other numbers"
    return [Comparison(key, label, attested, ", ".join(read), "differs", how, boxes)]
