"""The extraction tool for EIN letters."""

from __future__ import annotations

import re
from typing import Any

from stdnum.exceptions import ValidationError
from stdnum.us import ein

from checks.comparisons import Comparison, absent
from checks.evidence import Evidence
from checks.extraction.parties import compare_party, compare_places
from checks.extraction.tool import Extraction, Fact, Reading
from checks.fields.addresses.addressees import addressees_of, blocks_of
from checks.fields.dates import FoundDate, find_dates
from checks.fields.extracted import ExtractedValue
from checks.fields.general import type_of
from checks.text.words import Span, Text, phrase
from checks.wire import JsonObject

LETTERS = frozenset({"ein_letter", "irs_determination_letter"})
NUMBER = r"(?P<number>\d{2}[-\u2013] ?\d{7}|\d{9})(?!\d)"
LABELLED = phrase(
    r"(?:employer id(?:entification)?(?: number| no\.?)(?: \(?ein\)?)?|assigned you ein|\bein\b|taxpayer identification number)"
    rf"[^\d\n]{{0,40}}\n?[^\d\n]{{0,20}}{NUMBER}"
)
NOTICE = phrase(
    r"\b(?P<notice>CP ?575 ?[A-Z]?\b|(?:LTR|letter) ?147 ?C|147 ?C\b|letter 947|LTR 4158C)"
)
DATED = phrase(r"(?:date(?: of this (?:notice|letter))?|notice date)[:. ]{0,3}$")
TEMPORARY = phrase(r"applied[- ]for|pending")


class EinDocumentExtraction(Extraction):
    """Reads the EIN, the business, its address, the date and the kind of an EIN letter.

    The EIN must stand behind its label and have a prefix that the IRS assigns. The business is
    the first line above the address to which the letter was sent.
    """

    id = "kyb.ein_document_extraction_tool"

    def read(self, evidence: Evidence) -> Reading:
        text = evidence.once(blocks_of)
        kind = evidence.once(type_of)
        number, bad = _number(text)
        sent_to = next(
            (addressee for addressee in evidence.once(addressees_of) if addressee.name),
            None,
        )
        name = sent_to.name if sent_to else None
        address = sent_to.address if sent_to else None
        day = _date(text)
        notice = _notice(text)
        is_letter = bool(kind and kind.value.code in LETTERS) or bool(notice and number)
        if kind:
            analysis = f"This is {kind.value.name}."
        else:
            analysis = "The kind of document could not be recognised."
        if is_letter:
            complaints = []
        else:
            complaints = ["It was not recognised as a letter of the IRS about an EIN."]
        if number is None:
            complaints.append(
                f"The number {bad} has a prefix that the IRS does not assign."
                if bad
                else "No EIN was found."
            )
        if name is None:
            complaints.append("The addressee was not found.")
        numbers = [number.value] if number else []
        return Reading(
            text=text,
            kind=analysis,
            facts={
                "business_name": Fact(name.value if name else None, name),
                "ein": Fact(number.value if number else None, number),
                "date": Fact(day.value.isoformat() if day else None, day),
                "business_address": Fact(
                    address.value.to_wire() if address else None, address
                ),
                "notice_type": Fact(notice.value if notice else None, notice),
            },
            comparisons=[
                *compare_party(evidence.attested, name, text),
                *_compare_number(evidence.attested, number, text),
                *compare_places(evidence.attested, [address] if address else [], text),
            ],
            complaints=complaints,
            notes=_notes(number, name, day),
            data={
                "all_business_names": [name.value] if name else [],
                "all_extracted_addresses": {"mailing_address": address.value.to_wire()}
                if address
                else {},
                "business_registration_number": numbers,
                "jurisdiction": "United States" if is_letter else None,
                "document_type": kind.value.code if kind else None,
            },
        )


def _number(text: Text) -> tuple[ExtractedValue[str] | None, str]:
    """The EIN, or the first labelled number whose prefix is not one."""
    bad = ""
    for match in LABELLED.finditer(text.value):
        digits = re.sub(r"\D", "", match["number"])
        try:
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


def _date(text: Text) -> ExtractedValue[Any] | None:
    """The date of the letter: labelled, else the only one that stands on a line of its own."""
    dates = [fact for fact in find_dates(text.value, "MDY") if fact.value]
    for fact in dates:
        before = text.value[max(0, fact.span.start - 40) : fact.span.start]
        if DATED.search(before):
            return ExtractedValue(
                fact.value, fact.span, "labelled as the date of the notice", 0.93
            )
    alone = [fact for fact in dates if _stands_alone(text, fact)]
    if len({fact.value for fact in alone}) == 1:
        return ExtractedValue(
            alone[0].value, alone[0].span, "the date on a line of its own", 0.75
        )
    return None


def _stands_alone(text: Text, fact: FoundDate) -> bool:
    before = text.value[: fact.span.start].rpartition("\n")[2].rpartition("\f")[2]
    after = text.value[fact.span.end :].partition("\n")[0]
    return not before.strip() and not after.strip(" .")


def _compare_number(
    attested: JsonObject, number: ExtractedValue[str] | None, text: Text
) -> list[Comparison]:
    key = "tin_number"
    label = "EIN"
    attested_number = attested.get("tin_number")
    gap = absent(key, label, attested_number, number.value if number else None)
    if gap or number is None:
        return [gap] if gap else []
    same = re.sub(r"\D", "", str(attested_number)) == re.sub(r"\D", "", number.value)
    how = "same digits" if same else "other digits"
    state: Any = "equal" if same else "differs"
    boxes = text.boxes(number.span)
    return [Comparison(key, label, attested_number, number.value, state, how, boxes)]


def _notes(
    number: ExtractedValue[str] | None,
    name: ExtractedValue[str] | None,
    day: ExtractedValue[Any] | None,
) -> list[str]:
    if number and name:
        notes = [f"EIN {number.value} of {name.value.rstrip('.')}."]
    else:
        notes = []
    return notes + ([f"Dated {day.value.isoformat()}."] if day else [])
