"""The fields of passports, visas and identity cards, from their machine-readable zone."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from checks import countries
from checks.base import Outcome
from checks.comparisons import Comparison, absent
from checks.evidence import Evidence
from checks.extraction import Extraction, Fact, Reading
from checks.fields.found import Found
from checks.fields.people import attested_person, compare_people
from checks.identity_document.zone import ReadZone, zone_of
from checks.text import Span

HOW = "from the machine-readable zone"
NOT_COVERED = "from the machine-readable zone; no check digit covers it"
# Filler that was taken for letters stands behind the names as words of these alone.
NOISE = re.compile(r"[KCSELX]{1,2}|(.)\1+|.*\d.*")
KINDS = {"P": "passport", "V": "visa", "I": "identity card", "A": "identity card", "C": "identity card"}  # fmt: skip


class IdentityDocumentExtraction(Extraction):
    """Reads the machine-readable zone of ICAO 9303 on a picture of a passport, visa or card.

    Every check digit is computed anew. Characters that OCR mistakes for one another are mended
    where only a digit or only a letter can stand, and in the number where all digits hold then;
    `mended` names such fields. Names have no check digit: their last words may be filler that was
    misread, and such words are left away.
    """

    id = "kyc.identity_document_extraction_tool"

    def run(self, evidence: Evidence) -> Outcome:
        if not evidence.problem and evidence.once(zone_of) is None:
            return self._without_zone(evidence)
        return super().run(evidence)

    def is_blank(self, evidence: Evidence) -> bool:
        return evidence.once(zone_of) is None

    def read(self, evidence: Evidence) -> Reading:
        read = evidence.once(zone_of)
        assert read  # noqa: S101 - `run` asks first
        zone = read.zone
        kind = KINDS.get(zone.fields["code"][:1], "identity document")
        facts = _facts(read)
        return Reading(
            text=read.text,
            kind=f"This is the machine-readable zone of a {kind} ({zone.format}).".replace(
                " a identity", " an identity"
            ),
            facts=facts,
            comparisons=_comparisons(facts, evidence.attested, read),
            decisive=frozenset({"name", "date_of_birth", "document_number", "expiration_date"}),
            complaints=_complaints(read, evidence),
            notes=_notes(read),
            data={
                "document_type": "identity_document",
                "mrz": list(read.lines),
                "mrz_format": zone.format,
                "check_digits": [
                    {
                        "field": digit.field,
                        "found": digit.found,
                        "expected": digit.expected,
                        "holds": digit.holds,
                    }
                    for digit in zone.digits
                ],
                "mended": list(read.mended),
            },
        )

    def _without_zone(self, evidence: Evidence) -> Outcome:
        """The front of a card has none, so that this is no fault of the document."""
        outcome = self._unread(evidence)
        said = [
            "not checked: no machine-readable zone could be read on it.",
            *evidence.reading_notes,
        ]
        analysis = " ".join(said)
        data = outcome.payload[self.payload_key] | {"analysis": analysis, "summary": analysis}
        return Outcome(
            passed=None,
            verdict="not_applicable",
            explanation=analysis,
            payload={**outcome.payload, self.payload_key: data | {"alerts": None}},
        )


def names_of(read: ReadZone) -> tuple[str, str]:
    """Given names and surname, without the words behind them that are no names."""
    return _names(read.zone.given_names), _names(read.zone.surname)


def _names(said: str) -> str:
    words = said.split()
    noise = next((n for n, word in enumerate(words) if n and NOISE.fullmatch(word)), len(words))
    return " ".join(words[:noise])


def _facts(read: ReadZone) -> dict[str, Fact]:
    zone = read.zone
    broken = {digit.field for digit in read.broken}
    given, surname = names_of(read)

    def fact(value: str, *, line: int, field: str = "") -> Fact:
        if not value or field in broken:
            return Fact(None, None, "its check digit does not hold" if value else HOW)
        how, confidence = (HOW, 0.95) if field else (NOT_COVERED, 0.7)
        return Fact(value, Found(value, _line(read, line), how, confidence))

    last = len(read.lines) - 1
    named, number = (last, 0) if last == 2 else (0, 1)
    return {
        "name": fact(f"{given} {surname}".strip(), line=named),
        "date_of_birth": fact(_day(zone.birth_date), line=1, field="birth"),
        "document_number": fact(zone.fields["number"], line=number, field="number"),
        "expiration_date": fact(_day(zone.expiry_date), line=1, field="expiry"),
        "first_name": fact(given, line=named),
        "last_name": fact(surname, line=named),
        "issuing_country": fact(zone.fields["issuer"], line=0),
        "nationality": fact(zone.fields["nationality"], line=1),
        "sex": fact(zone.fields["sex"], line=1),
    }


def _line(read: ReadZone, number: int) -> Span:
    start = sum(len(line) + 1 for line in read.lines[:number])
    return Span(start, start + len(read.lines[number]))


def _day(day: Any) -> str:
    return day.isoformat() if day else ""


def _complaints(read: ReadZone, evidence: Evidence) -> list[str]:
    complaints = [
        f"The check digit of {digit.field} is {digit.found}, and would be {digit.expected}."
        for digit in read.broken
    ]
    expires = read.zone.expiry_date
    visa = read.zone.format.startswith("MRV")
    if expires is None and not visa:
        complaints.append("Its date of expiry could not be read.")
    elif expires and expires < evidence.today and not any(d.field == "expiry" for d in read.broken):
        days = (evidence.today - expires).days
        complaints.append(f"It expired on {expires.isoformat()}, {days} days ago.")
    return complaints


def _notes(read: ReadZone) -> list[str]:
    notes = [] if read.broken else [f"All {len(read.zone.digits)} check digits hold."]
    if read.mended:
        notes.append(f"Mended as OCR misreads it: {', '.join(dict.fromkeys(read.mended))}.")
    return notes


def _comparisons(
    facts: Mapping[str, Fact], attested: Mapping[str, Any], read: ReadZone
) -> list[Comparison]:
    card = attested.get("government_id_verification_data")
    card = card.get("id_data") if isinstance(card, Mapping) else None
    card = card if isinstance(card, Mapping) else {}
    person = attested_person(attested)
    compared = [_compare_names(facts["name"], attested, person, read)]
    for key, label, own in (
        ("date_of_birth", "Date of birth", attested.get("date_of_birth")),
        ("document_number", "Number of the document", card.get("document_number")),
        ("expiration_date", "Valid until", card.get("expiration_date")),
        ("issuing_country", "Issued by", card.get("issuing_country")),
        ("nationality", "Nationality", attested.get("country_of_nationality")),
    ):
        compared.append(_compare(key, label, own, facts[key], read))
    return [one for one in compared if one.attested or one.extracted]


def _compare_names(
    name: Fact, attested: Mapping[str, Any], person: str, read: ReadZone
) -> Comparison:
    gap = absent("name", "Name", person, name.wire)
    if gap or name.found is None:
        return gap or Comparison("name", "Name", person, None, "cannot_compare", "not read")
    match = compare_people(attested, str(name.wire))
    boxes = read.text.boxes(name.found.span)
    return Comparison("name", "Name", person, name.wire, match.state, match.how, boxes)


def _compare(key: str, label: str, own: Any, fact: Fact, read: ReadZone) -> Comparison:
    gap = absent(key, label, own, fact.wire)
    if gap or fact.found is None:
        return gap or Comparison(key, label, own, None, "cannot_compare", fact.how)
    same = _plain(key, str(own)) == _plain(key, str(fact.wire))
    how = "the same" if same else "another one"
    state: Any = "equal" if same else "differs"
    return Comparison(key, label, own, fact.wire, state, how, read.text.boxes(fact.found.span))


def _plain(key: str, said: str) -> str:
    if key in {"issuing_country", "nationality"}:
        return countries.code(said) or said.upper()
    return re.sub(r"[^A-Z0-9]", "", said.upper())
