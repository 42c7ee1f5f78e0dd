"""The front of a driving licence as a reading: its fields, complaints and comparisons."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from checks.comparisons import Comparison, absent
from checks.data_check import id_data
from checks.driving_licence import tunables
from checks.driving_licence.front import (
    Front,
    alike,
    british_disagreement,
    without_issue,
)
from checks.evidence import Evidence
from checks.extraction.tool import Fact, Reading
from checks.fields.extracted import ExtractedValue
from checks.fields.names.people import attested_person, compare_people
from checks.text.plurals import counted
from checks.text.words import Text

HOW = "from field {number} of the licence"
UNSURE = "OCR was not sure of a word of it"
BY_ORDER = "the number of its field was not read, and only its place names it"
MISTAKABLE = "it has characters that OCR takes for one another"
NOT_A_DATE = "what was read is not one possible date"


def read_licence(evidence: Evidence, front: Front) -> Reading:
    """Return what the numbered fields state.

    No check digit covers them, so an attested name must agree.
    """
    text = evidence.text
    facts = {
        "name": _name_fact(front, front.name, "2", "1"),
        "date_of_birth": _day_fact(front, front.born, "3"),
        "document_number": _number_fact(evidence, front),
        "expiration_date": _day_fact(front, front.expires, "4b"),
        "first_name": _name_fact(front, front.given_names, "2"),
        "last_name": _name_fact(front, front.surname, "1"),
        "issue_date": _day_fact(front, front.issued, "4a"),
        "issuing_authority": _fact(front, front.authority, "4c"),
    }
    compared = compare_fields(evidence, facts, text)
    expired: list[str] = []
    if front.is_sure("4b"):
        expired = expired_on(front.expires, evidence.today)
    return Reading(
        text=text,
        kind="This is the front of a driving licence.",
        facts=facts,
        comparisons=compared,
        complaints=[*_complaints(front, facts, compared), *expired],
        failures=expired,
        notes=["No check digit covers the fields that are printed on a licence."],
        data={
            "document_type": "driver_license",
            "expired": next(iter(expired), None),
            "licence_fields": sorted(front.fields),
        },
    )


def _fact(front: Front, value: str, number: str) -> Fact:
    field = front.fields.get(number)
    if field is None or not value:
        return Fact(None, None, f"field {number} was not found")
    how = HOW.format(number=number)
    extracted = ExtractedValue(value, field.span, how, tunables.CONFIDENCE)
    if not field.sure:
        return Fact(None, None, _doubt(front), candidates=[extracted])
    return Fact(value, extracted)


def _doubt(front: Front) -> str:
    return BY_ORDER if front.by_order else UNSURE


def _number_fact(evidence: Evidence, front: Front) -> Fact:
    """Return the number.

    One that OCR may have misread is returned only if the attested number is similar.
    """
    fact = _fact(front, front.number, front.number_field)
    if not front.has_mistakable_number or fact.extracted is None:
        return fact
    attested = str(id_data(evidence.attested).get("document_number") or "")
    if not attested or alike(attested) != alike(front.number):
        return Fact(None, None, MISTAKABLE, candidates=[fact.extracted])
    return Fact(attested, replace(fact.extracted, value=attested))


def _name_fact(front: Front, value: str, *numbers: str) -> Fact:
    """Return a name. It is left out if OCR was not sure or it has a digit."""
    if re.search(r"\d", value):
        return Fact(None, None, "what was read cannot be a name")
    fact = _fact(front, value, numbers[0])
    if front.is_sure(*numbers) or fact.extracted is None:
        return fact
    return Fact(None, None, _doubt(front), candidates=[fact.extracted])


def _day_fact(front: Front, day: date | None, number: str) -> Fact:
    if day is None and number in front.fields:
        return Fact(None, None, NOT_A_DATE)
    return _fact(front, day.isoformat() if day else "", number)


def expired_on(expires: date | None, today: date) -> list[str]:
    if expires is None or expires >= today:
        return []
    days = counted((today - expires).days, "day")
    return [f"It expired on {expires.isoformat()}, {days} ago."]


def _complaints(
    front: Front, facts: dict[str, Fact], compared: list[Comparison]
) -> list[str]:
    complaints = unread_fields(facts)
    if front.issued and front.expires and front.issued >= front.expires:
        complaints.append("It was issued on or after the day of its expiry.")
    disagreement = british_disagreement(front)
    if disagreement:
        complaints.append(disagreement)
    agrees = any(row.field == "name" and row.state == "equal" for row in compared)
    if not agrees and not complaints:
        complaints.append("No attested name is the same as the one on the licence.")
    return complaints


def unread_fields(facts: dict[str, Fact]) -> list[str]:
    complaints = []
    for key, called in (
        ("name", "name"),
        ("date_of_birth", "date of birth"),
        ("document_number", "number"),
        ("expiration_date", "date of expiry"),
    ):
        if facts[key].wire is None:
            complaints.append(f"Its {called} could not be read: {facts[key].how}.")
    return complaints


def compare_fields(
    evidence: Evidence, facts: dict[str, Fact], text: Text
) -> list[Comparison]:
    attested = evidence.attested
    card = id_data(attested)
    rows = [_compare_names(evidence, facts["name"], text)]
    for key, label, value in (
        ("date_of_birth", "Date of birth", attested.get("date_of_birth")),
        ("document_number", "Number of the document", card.get("document_number")),
        ("expiration_date", "Valid until", card.get("expiration_date")),
    ):
        rows.append(_compare(key, label, value, facts[key], text))
    return [row for row in rows if row.attested or row.extracted]


def _compare_names(evidence: Evidence, name: Fact, text: Text) -> Comparison:
    person = attested_person(evidence.attested)
    gap = absent("name", "Name", person, name.wire)
    if gap or name.extracted is None:
        return gap or Comparison(
            "name", "Name", person, None, "cannot_compare", name.how
        )
    match = compare_people(evidence.attested, str(name.wire))
    boxes = text.boxes(name.extracted.span)
    return Comparison("name", "Name", person, name.wire, match.state, match.how, boxes)


def _compare(
    key: str, label: str, attested: object, fact: Fact, text: Text
) -> Comparison:
    gap = absent(key, label, attested, fact.wire)
    if gap or fact.extracted is None:
        return gap or Comparison(key, label, attested, None, "cannot_compare", fact.how)
    boxes = text.boxes(fact.extracted.span)
    if _plain(str(attested)) == _plain(str(fact.wire)):
        return Comparison(key, label, attested, fact.wire, "equal", "the same", boxes)
    return Comparison(key, label, attested, fact.wire, "differs", "different", boxes)


def _plain(value: str) -> str:
    return without_issue(re.sub(r"[^A-Z0-9]", "", value.upper()))
