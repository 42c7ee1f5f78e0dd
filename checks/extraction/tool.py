"""The common part of extraction tools: the members of the interface, the evidence, the verdict."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from checks.base import Outcome, Tool, Verdict
from checks.comparisons import DIFFERENT, Comparison
from checks.evidence import NOT_READ, Evidence
from checks.extraction.altered_values import with_altered
from checks.fields.extracted import ExtractedValue, nothing
from checks.text.words import Text
from checks.wire import JsonObject, Wire

# Interface §6. A tool fills the members that its kind of document states.
MEMBERS: JsonObject = {
    "date": None,
    "business_name": None,
    "all_business_names": (),
    "incorporation_date": None,
    "business_address": None,
    "all_extracted_addresses": {},
    "business_activity": None,
    "jurisdiction": None,
    "business_registration_number": (),
}


@dataclass(frozen=True, slots=True)
class Fact:
    """A field as it is sent, with the words that it rests on. `how` is the reason if it is missing.

    `candidates` are the possible values of an unsure field, which then has no value. They hold
    values as they are sent, like `wire`.
    """

    wire: Any
    extracted: ExtractedValue[Any] | None
    how: str = "not found in the text"
    candidates: Sequence[ExtractedValue[Any]] = ()

    def values(self) -> list[str]:
        """Return the value, or the possible ones of an unsure field."""
        known = [self.extracted] if self.extracted else self.candidates
        return [str(item.value) for item in known]

    def evidence(self, text: Text) -> Wire:
        if self.candidates:
            several = []
            for candidate in self.candidates:
                several.append(candidate.evidence(text, value=plain(candidate.value)))
            return nothing(self.how) | {"candidates": several}
        if self.extracted is None:
            return nothing(self.how)
        return self.extracted.evidence(text, value=plain(self.wire))


def plain(wire: object) -> object:
    """Return a value as text. An address is put on one line."""
    if isinstance(wire, Mapping):
        parts = ("street_1", "street_2", "city", "state", "postal_code")
        return ", ".join(str(wire[part]) for part in parts if wire.get(part))
    return wire


@dataclass(frozen=True, slots=True)
class Reading:
    """What was read from one document, and the complaints against it.

    `complaints` are reasons, in words, why the document is not the one that was asked for; a
    document without any is valid. `failures` are those that fail it (an expired passport); the
    others send it to manual review. `unsure_complaints` are those of the complaints that only say that
    a field is unsure: a person who chooses its value settles them. `cautions` are reasons for manual review of a
    valid document. `data` are members of the payload that are lists or numbers.
    """

    text: Text
    kind: str
    facts: Mapping[str, Fact]
    comparisons: Sequence[Comparison] = ()
    complaints: Sequence[str] = ()
    unsure_complaints: Sequence[str] = ()
    failures: Sequence[str] = ()
    cautions: Sequence[str] = ()
    notes: Sequence[str] = ()
    data: JsonObject = field(default_factory=dict)


class Extraction(Tool):
    """Reads the fields of one kind of document, and compares them with what was attested."""

    payload_key = "extraction_data"

    @abstractmethod
    def read(self, evidence: Evidence) -> Reading: ...

    def reading(self, evidence: Evidence) -> Reading:
        """Return what was read. Matches at edited places are marked as altered."""
        reading = evidence.once(self.read)
        return replace(reading, comparisons=with_altered(reading.comparisons, evidence))

    def run(self, evidence: Evidence) -> Outcome:
        if evidence.problem or self.is_blank(evidence):
            return self._unread(evidence)
        reading = self.reading(evidence)
        valid = not reading.complaints
        analysis = " ".join([reading.kind, *reading.complaints])
        differing = [c for c in reading.comparisons if c.state in DIFFERENT]
        cautions = [*reading.cautions, *_doubts(reading.comparisons)]
        alerts = [
            *reading.complaints,
            *cautions,
            *map(_difference, differing),
            *_unread_part(evidence),
        ]
        if reading.failures:
            verdict: Verdict = "fail"
        else:
            is_fine = valid and not differing and not cautions
            verdict = "pass" if is_fine else "review"
        notes = [*cautions, *reading.notes, *evidence.reading_notes]
        sentences = [analysis, *notes, *(f"{c.label}: {c.how}." for c in differing)]
        facts = {name: fact.wire for name, fact in reading.facts.items()}
        unsure = [name for name, fact in reading.facts.items() if fact.candidates]
        data = _members() | facts | {"unsure": unsure} | dict(reading.data)
        data |= self._common_members(evidence, alerts, valid=valid, analysis=analysis)
        data |= {
            "only_unsure": _asks_only_for_values(reading, [*differing, *cautions])
            and not _unread_part(evidence),
            "cautions": cautions,
            "summary": " ".join([analysis, *notes]),
            "evidence": {
                name: f.evidence(reading.text) for name, f in reading.facts.items()
            },
            "comparisons": [comparison.to_wire() for comparison in reading.comparisons],
        }
        return Outcome(
            passed=verdict == "pass",
            verdict=verdict,
            explanation=" ".join(sentences),
            payload={self.payload_key: data, "document": evidence.document_reference},
            answer=str(plain(next(iter(facts.values()), None)) or ""),
            alerts=alerts,
        )

    def is_blank(self, evidence: Evidence) -> bool:
        """Whether there is no text to read."""
        return not evidence.text.value.strip()

    def _unread(self, evidence: Evidence) -> Outcome:
        """Return the outcome for a document without readable text."""
        if evidence.problem:
            analysis = evidence.problem.explanation
        else:
            analysis = (
                f"The document could not be read ({evidence.unread or NOT_READ})."
            )
        data = _members() | self._common_members(
            evidence, [analysis], valid=False, analysis=analysis
        )
        data |= {"summary": analysis, "evidence": {}, "comparisons": []}
        return Outcome(
            passed=None,
            verdict="inconclusive",
            explanation=analysis,
            payload={self.payload_key: data, "document": evidence.document_reference},
            alerts=[analysis],
        )

    def _common_members(
        self, evidence: Evidence, alerts: Sequence[str], *, valid: bool, analysis: str
    ) -> Wire:
        return {
            "is_valid_document": valid,
            "analysis": analysis,
            "unread_pages": list(evidence.unread_pages),
            "alerts": {f"alert_{n}": alert for n, alert in enumerate(alerts, 1)}
            or None,
        }


def _asks_only_for_values(reading: Reading, doubts: Sequence[Comparison | str]) -> bool:
    """Whether unsure fields are all that the document asks a person for."""
    if doubts or reading.failures or not reading.complaints:
        return False
    return set(reading.complaints) == set(reading.unsure_complaints)


def _members() -> Wire:
    members: Wire = {}
    for key, value in MEMBERS.items():
        if isinstance(value, tuple):
            members[key] = list(value)
        else:
            members[key] = dict(value) if value == {} else value
    return members


def _doubts(comparisons: Sequence[Comparison]) -> list[str]:
    """Return a sentence for each value that is close to what was attested, and may be another's."""
    return [_difference(c) for c in comparisons if c.for_person]


def _difference(c: Comparison) -> str:
    return f"{c.label}: attested “{c.attested}”, document “{c.extracted}” ({c.how})"


def _unread_part(evidence: Evidence) -> list[str]:
    alerts = [evidence.unread] if evidence.unread else []
    if evidence.page_count > len(evidence.pages):
        read = len(evidence.pages)
        count = evidence.page_count
        alerts.append(f"Only the first {read} of {count} pages were read.")
    return alerts
