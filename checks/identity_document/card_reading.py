"""The front of an identity card as a reading, and whether the print agrees with the zone."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from checks.data_check import id_data
from checks.driving_licence.front import MISTAKABLE, alike
from checks.driving_licence.reading import MISTAKABLE as MAY_BE_MISREAD
from checks.driving_licence.reading import (
    NOT_A_DATE,
    UNSURE,
    compare_fields,
    expired_on,
    unread_fields,
)
from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.extraction.tool import Fact, Reading
from checks.fields.extracted import ExtractedValue
from checks.fields.names.people import compare_people
from checks.identity_document import tunables
from checks.identity_document.card_front import SURNAMES, CardFront, card_front_of
from checks.text.characters import has_letter
from checks.text.folding import folded
from checks.text.words import Span

HOW = "from the label of the card"
NO_LABEL = "the label was not found"
BY_PLACE = "no label names it: it stands next above an address or another field"
TWO_VALUES = "two labels of the card name different values"
NOT_ATTESTED = "No attested name is the same as the one on the card."
NOT_COVERED = "No check digit covers the fields that are printed on a card."


def read_card(evidence: Evidence, card: CardFront) -> Reading:
    """Return what the labelled fields state. No check digit covers them, so an attested name must agree."""
    facts = {
        "name": _fact(evidence, card, card.name, *card.name_fields),
        "date_of_birth": _day_fact(evidence, card, card.born, "birth"),
        "document_number": _number_fact(evidence, card),
        "expiration_date": _day_fact(evidence, card, card.expires, "expiry"),
        "first_name": _fact(evidence, card, card.given_names, "given_names"),
        "last_name": _fact(evidence, card, card.surname, *_surnames(card)),
    }
    compared = compare_fields(evidence, facts, evidence.text)
    expired: list[str] = []
    if facts["expiration_date"].wire:
        expired = expired_on(card.expires, evidence.today)
    complaints = unread_fields(facts)
    agrees = any(row.field == "name" and row.state == "equal" for row in compared)
    if not agrees and not complaints:
        complaints.append(NOT_ATTESTED)
    return Reading(
        text=evidence.text,
        kind="This is the front of an identity card or a licence.",
        facts=facts,
        comparisons=compared,
        complaints=[*complaints, *expired],
        failures=expired,
        notes=[NOT_COVERED],
        data={
            "document_type": "identity_document",
            "expired": next(iter(expired), None),
            "card_fields": sorted(card.fields),
        },
    )


def _fact(evidence: Evidence, card: CardFront, value: str, *fields: str) -> Fact:
    """Return the value, or a candidate if OCR did not read its words clearly."""
    labelled = [card.fields[name] for name in fields if name in card.fields]
    if not fields or len(labelled) < len(fields) or not value:
        return Fact(None, None, NO_LABEL)
    first = labelled[0]
    extracted = ExtractedValue(value, first.span, HOW, tunables.PRINTED)
    if not first.label and "whole_name" in fields:
        return _unlabelled(evidence, extracted)
    if card.doubtful.intersection(fields):
        return Fact(None, None, TWO_VALUES, candidates=[extracted])
    spans: list[Span] = []
    for field in labelled:
        spans += field.spans
    for span in spans:
        if not is_clear(evidence, evidence.text, span, None):
            return Fact(None, None, UNSURE, candidates=[extracted])
    return Fact(value, extracted)


def _unlabelled(evidence: Evidence, name: ExtractedValue[str]) -> Fact:
    """Return a name without a label: a candidate, unless the attested name is the same."""
    unsure = replace(name, how=BY_PLACE)
    if compare_people(evidence.attested, name.value).state == "equal":
        return Fact(name.value, unsure)
    return Fact(None, None, BY_PLACE, candidates=[unsure])


def _surnames(card: CardFront) -> list[str]:
    return [name for name in SURNAMES if name in card.fields]


def _day_fact(
    evidence: Evidence, card: CardFront, day: date | None, field: str
) -> Fact:
    if day is None and field in card.fields:
        return Fact(None, None, NOT_A_DATE)
    return _fact(evidence, card, day.isoformat() if day else "", field)


def _number_fact(evidence: Evidence, card: CardFront) -> Fact:
    """Return the number. One with letters and digits that OCR takes for one another is a candidate,
    if the attested number does not agree.
    """
    fact = _fact(evidence, card, card.number, "number")
    if fact.extracted is None:
        return fact
    words = evidence.text.words(fact.extracted.span)
    is_plain = not has_letter(card.number)
    by_ocr = any(word.source == "OCR" for word in words)
    if is_plain or not by_ocr or not MISTAKABLE.search(card.number.upper()):
        return fact
    attested = str(id_data(evidence.attested).get("document_number") or "")
    if attested and alike(attested) == alike(card.number):
        return fact
    return Fact(None, None, MAY_BE_MISREAD, candidates=[fact.extracted])


def print_agrees(evidence: Evidence, given_names: str, surname: str) -> bool:
    """Whether the words of the names in the zone are those of the labelled names printed above it."""
    card = evidence.once(card_front_of)
    if card is None or card.doubtful.intersection({"surname", "given_names"}):
        return False
    return _is_same(surname, card.surname) and _is_same(given_names, card.given_names)


def _is_same(of_zone: str, printed: str) -> bool:
    """Whether two spellings are of one name: a zone has AE for Ä, or A."""
    first, second = _plain(of_zone), _plain(printed)
    return bool(first) and first == second


def _plain(name: str) -> str:
    # OCR without the letters of a language drops the dots, and a zone writes them as an E.
    letters = folded(name).replace(" ", "")
    for long, short in (("ae", "a"), ("oe", "o"), ("ue", "u"), ("aa", "a")):
        letters = letters.replace(long, short)
    return letters
