"""The extraction tool for EIN letters."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from stdnum.exceptions import ValidationError
from stdnum.us import ein

from checks.comparisons import Comparison, State, absent
from checks.ein_document.tax_registration import read_tax_registration
from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.parties import compare_party, compare_places
from checks.extraction.tool import Extraction, Fact, Reading
from checks.extraction.values import (
    address_of,
    code_of,
    date_of,
    kind_sentence,
    value_of,
    values_of,
)
from checks.extraction.whole_names import whole_name
from checks.fields.addresses.addressees import addressees_of, blocks_of
from checks.fields.addresses.postal import Address
from checks.fields.dates import DateOrder, FoundDate, find_dates
from checks.fields.document_types import TAX_REGISTRATIONS
from checks.fields.extracted import ExtractedValue
from checks.fields.general import date_order_of, type_of
from checks.fields.labels.values import labelled_names
from checks.fields.names.companies import split_legal_form
from checks.fields.names.shape import is_at_two_places
from checks.fields.names.soundness import is_office
from checks.incorporation_document.extraction import UNSURE, cautions_of
from checks.incorporation_document.layout import pairs_of
from checks.incorporation_document.names import in_text
from checks.text.folding import folded
from checks.text.phrases import Phrase
from checks.text.words import (
    Span,
    Text,
)
from checks.wire import JsonObject

LETTERS = frozenset({"ein_letter", "irs_determination_letter"})
NUMBER = r"(?P<number>\d{2}[-\u2013] ?\d{7}|\d{9})(?!\d)"
LABELLED = Phrase(
    r"(?:employer id(?:entification)?(?: number| no\.?)(?: \(?ein\)?)?|assigned you ein|\bein\b|taxpayer identification number)"
    rf"[^\d\n]{{0,40}}\n?[^\d\n]{{0,20}}{NUMBER}"
)
NOTICE = Phrase(
    r"\b(?P<notice>CP ?(?:575|14[58]|2\d\d) ?[A-Z]?\b|(?:LTR|letter) ?147 ?C|147 ?C\b|letter 947|LTR 4158C)"
)
DATED = Phrase(r"(?:date(?: of this (?:notice|letter))?|notice date)[:. ]{0,3}$")
# What the IRS prints behind the notice: codes such as “E0”.
CODES_BEHIND = re.compile(r"\b[A-Z]\d\b")
OFFICE = Phrase(r"\binternal revenue service\b")


class EinDocumentExtraction(Extraction):
    """Reads the EIN, the business, its address, the date and the kind of an EIN letter.

    The EIN must stand behind its label and have a prefix that the IRS assigns. The business is
    the first line above the address to which the letter was sent. A registration of another tax
    office is read by the labels of its form: name, number, date and address.
    """

    id = "kyb.ein_document_extraction_tool"

    def read(self, evidence: Evidence) -> Reading:
        kind = evidence.once(type_of)
        if code_of(kind) in TAX_REGISTRATIONS:
            return read_tax_registration(evidence)
        text = evidence.once(blocks_of)
        number, bad = _number(text)
        name, address = _addressee(evidence)
        name = name or _labelled(evidence)
        name_fact = _name_fact(evidence, name)
        if name_fact.candidates:
            name = None
        day = _date(text, evidence.once(date_order_of), evidence.today)
        notice = _notice(text)
        # A notice number together with an EIN identifies a letter whose title was not recognised.
        is_letter = code_of(kind) in LETTERS or bool(notice and number)
        complaints = _complaints(number, bad, name_fact, is_letter=is_letter)
        unsure = _unsure_complaints(name_fact)
        places = []
        addresses = {}
        if address:
            places.append(address)
            addresses["mailing_address"] = address.value.to_wire()
        jurisdiction = None
        if is_letter:
            jurisdiction = "United States"
        return Reading(
            text=text,
            kind=kind_sentence(kind),
            facts={
                "business_name": name_fact,
                "ein": Fact(value_of(number), number),
                "date": Fact(date_of(day), day),
                "business_address": Fact(address_of(address), address),
                "notice_type": Fact(value_of(notice), notice),
                "issuer": _issuer(text),
            },
            comparisons=[
                *compare_party(evidence.attested, name, text),
                *_compare_number(evidence.attested, number, text),
                *compare_places(evidence.attested, places, text),
            ],
            complaints=[*complaints, *unsure],
            unsure_complaints=unsure,
            cautions=cautions_of(evidence, name_fact.values()),
            notes=_notes(number, name, day),
            data={
                "all_business_names": values_of(name),
                "all_extracted_addresses": addresses,
                "business_registration_number": values_of(number),
                "jurisdiction": jurisdiction,
                "document_type": code_of(kind),
            },
        )


def _addressee(
    evidence: Evidence,
) -> tuple[ExtractedValue[str] | None, ExtractedValue[Address] | None]:
    """Return the first name above an address, and that address."""
    for addressee in evidence.once(addressees_of):
        # A letter of another office has that office above its first address.
        if addressee.name and not is_office(addressee.name.value):
            return addressee.name, addressee.address
    return None, None


def _complaints(
    number: ExtractedValue[str] | None,
    bad: str,
    name: Fact,
    *,
    is_letter: bool,
) -> list[str]:
    complaints = []
    if not is_letter:
        complaints.append("It was not recognised as a letter of the IRS about an EIN.")
    if number is None and bad:
        complaints.append(
            f"The number {bad} has a prefix that the IRS does not assign."
        )
    elif number is None:
        complaints.append("No EIN was found.")
    if name.extracted is None and not name.candidates:
        complaints.append("The addressee was not found.")
    return complaints


def _unsure_complaints(name: Fact) -> list[str]:
    if not name.candidates:
        return []
    return [f"The name of the business is unsure: “{name.candidates[0].value}”."]


def _name_fact(evidence: Evidence, name: ExtractedValue[str] | None) -> Fact:
    """Return the name, or what it may be.

    The line below may be its rest; and what stands above an address on a paper of another office than the IRS may
    be the heading of the page.
    """
    if name is None:
        return Fact(None, None)
    text = evidence.once(blocks_of)
    whole = whole_name(text, name.span, name.value)
    if whole != name.value:
        return Fact(None, None, UNSURE, (replace(name, value=whole), name))
    is_of_irs = bool(OFFICE.search(text.value))
    is_named = bool(split_legal_form(name.value)[1]) or is_at_two_places(
        text, name.value
    )
    is_sure = is_of_irs or is_named
    if not is_sure or not is_clear(evidence, text, name.span, name.value):
        return Fact(None, None, UNSURE, (name,))
    return Fact(name.value, name)


def _labelled(evidence: Evidence) -> ExtractedValue[str] | None:
    """Return the name behind a label, if the labels name one business only."""
    names = labelled_names(evidence.once(pairs_of))
    if len({folded(name.value) for name in names}) != 1:
        return None
    return in_text(evidence.once(blocks_of), names[0])


def _number(text: Text) -> tuple[ExtractedValue[str] | None, str]:
    """Return the EIN, and the first labelled number with an invalid prefix if there is no EIN."""
    bad = ""
    for match in LABELLED.finditer(text.value):
        digits = re.sub(r"\D", "", match["number"])
        try:
            # The validation only knows which prefixes the IRS assigns: an EIN has no check digit.
            ein.validate(digits)
        except ValidationError:
            bad = bad or match["number"]
            continue
        how = "labelled as EIN, with a prefix that the IRS assigns"
        return ExtractedValue(
            f"{digits[:2]}-{digits[2:]}", Span(*match.span("number")), how, 0.95
        ), ""
    return None, bad


def _notice(text: Text) -> ExtractedValue[str] | None:
    match = NOTICE.search(text.value)
    if not match:
        return None
    value = " ".join(match["notice"].upper().split())
    return ExtractedValue(
        value, Span(*match.span("notice")), "the number of the notice", 0.95
    )


def _issuer(text: Text) -> Fact:
    match = OFFICE.search(text.value)
    if not match:
        return Fact(None, None)
    office = "Internal Revenue Service"
    how = "the name of the office"
    return Fact(office, ExtractedValue(office, Span(*match.span()), how, 0.9))


def _date(text: Text, order: DateOrder, today: date) -> ExtractedValue[date] | None:
    """Return the date of the letter: a labelled one, else the only one alone on its line.

    `order` is that of the country, for a letter that is not from the IRS.
    """
    alone: dict[date, ExtractedValue[date]] = {}
    days: set[date] = set()
    if OFFICE.search(text.value):
        order = "MDY"
    for fact in find_dates(text.value, order, today):
        if fact.value is None:
            continue
        days.add(fact.value)
        before = text.value[max(0, fact.span.start - 40) : fact.span.start]
        if DATED.search(before):
            return ExtractedValue(
                fact.value, fact.span, "labelled as the date of the notice", 0.93
            )
        if _stands_alone(text, fact) and fact.value not in alone:
            how = "the date on a line of its own"
            alone[fact.value] = ExtractedValue(fact.value, fact.span, how, 0.75)
    # Several dates alone on their lines give no date of the letter; and on a paper of another office one of several
    # days may be that of anything.
    is_only = bool(OFFICE.search(text.value)) or len(days) == 1
    if len(alone) == 1 and is_only:
        return next(iter(alone.values()))
    return None


def _stands_alone(text: Text, fact: FoundDate) -> bool:
    # The number of the notice often stands on the line of the date.
    rest = NOTICE.sub("", text.behind_on_line(fact.span))
    rest = CODES_BEHIND.sub("", rest)
    # A form feed that ends the page before is white space.
    before = text.before_on_line(fact.span).strip()
    return not before and not rest.strip(" .")


def _compare_number(
    attested: JsonObject, number: ExtractedValue[str] | None, text: Text
) -> list[Comparison]:
    key = "tin_number"
    label = "EIN"
    attested_number = attested.get("tin_number")
    gap = absent(key, label, attested_number, value_of(number))
    if gap:
        return [gap]
    if number is None:
        return []
    state: State
    # Only digits are compared, because people omit the hyphen.
    if _digits(str(attested_number)) == _digits(number.value):
        state = "equal"
        how = "same digits"
    else:
        state = "differs"
        how = "other digits"
    boxes = text.boxes(number.span)
    return [Comparison(key, label, attested_number, number.value, state, how, boxes)]


def _digits(text: str) -> str:
    return re.sub(r"\D", "", text)


def _notes(
    number: ExtractedValue[str] | None,
    name: ExtractedValue[str] | None,
    day: ExtractedValue[date] | None,
) -> list[str]:
    notes = []
    if number and name:
        notes.append(f"EIN {number.value} of {name.value.rstrip('.')}.")
    if day:
        notes.append(f"Dated {day.value.isoformat()}.")
    return notes
