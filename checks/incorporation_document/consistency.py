"""Whether a document of incorporation agrees with the attested data and with itself."""

from __future__ import annotations

import re
from dataclasses import dataclass

from checks.comparisons import COMPARED, DIFFERENT, WORDS, Comparison
from checks.evidence import NOT_READ, Evidence
from checks.fields.names.company_comparison import compare_names
from checks.incorporation_document.comparisons import compare
from checks.incorporation_document.fields import IncorporationFields
from checks.visual_verification.sections import Section
from papers.geometry import Box

CIN = re.compile(r"^[LUF]\d{5}(?P<state>[A-Z]{2})(?P<year>\d{4})[A-Z]{3}\d{6}$")


@dataclass(frozen=True, slots=True)
class Contradiction:
    description: str
    boxes: list[Box]


def cross_reference(evidence: Evidence) -> Section:
    """Return the section of the visual inspection about consistency."""
    if not evidence.text.value.strip():
        return Section(NOT_READ, None)
    fields = evidence.once(IncorporationFields)
    # Only real comparisons count: a field that one side lacks says nothing about consistency.
    comparisons = compare(fields, evidence.attested)
    compared = [row for row in comparisons if row.state in COMPARED]
    differing = [row for row in compared if row.state in DIFFERENT]
    contradictions = find_contradictions(fields)
    if not compared and not contradictions and not fields.names:
        return Section("not checked: nothing to compare was attested or read", None)
    sentences = list(map(_sentence, compared))
    if not compared:
        sentences.append(
            "Nothing was attested that could be compared with the document."
        )
    sentences += [contradiction.description for contradiction in contradictions]
    if not contradictions:
        sentences.append("No contradiction within the document was found.")
    boxes: list[Box] = []
    findings: list[Comparison | Contradiction] = [*differing, *contradictions]
    for finding in findings:
        boxes += finding.boxes
    return Section(
        " ".join(sentences), passed=not differing and not contradictions, boxes=boxes
    )


def _sentence(comparison: Comparison) -> str:
    return f"{comparison.label} {WORDS[comparison.state]} ({comparison.how})."


def find_contradictions(fields: IncorporationFields) -> list[Contradiction]:
    contradictions = [
        _names_disagree(fields),
        _number_disagrees(fields),
        _date_to_come(fields),
    ]
    return [contradiction for contradiction in contradictions if contradiction]


def _names_disagree(fields: IncorporationFields) -> Contradiction | None:
    """Report two names of high trust that name different companies.

    Weaker readings are left out: they are often the names of agents or shareholders.
    """
    sure = [name for name in fields.names if name.confidence >= 0.95]
    for other in sure[1:]:
        if compare_names(sure[0].value, other.value).state == "differs":
            boxes = fields.text.boxes(sure[0].span) + fields.text.boxes(other.span)
            sentence = f"It states two names: {sure[0].value} and {other.value}."
            return Contradiction(sentence, boxes)
    return None


def _number_disagrees(fields: IncorporationFields) -> Contradiction | None:
    """Report an Indian CIN whose year differs from the date of incorporation.

    The CIN contains that year.
    """
    for number in fields.numbers:
        match = CIN.match(number.value.number)
        incorporated = fields.incorporation_date
        if match and incorporated and int(match["year"]) != incorporated.value.year:
            sentence = f"The number {number.value.number} encodes {match['year']}; the document says {incorporated.value.year}."
            return Contradiction(sentence, fields.text.boxes(number.span))
    return None


def _date_to_come(fields: IncorporationFields) -> Contradiction | None:
    """Report a date of incorporation in the future."""
    incorporated = fields.incorporation_date
    if incorporated and incorporated.value > fields.evidence.today:
        sentence = f"The date of incorporation, {incorporated.value.isoformat()}, is in the future."
        return Contradiction(sentence, fields.text.boxes(incorporated.span))
    return None
