"""The readings of one field.

If they agree, the field has a value; if they differ, it has candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from checks.evidence import Evidence
from checks.extraction.clear_words import is_clear
from checks.fields.extracted import ExtractedValue
from checks.incorporation_document import tunables
from checks.text.words import Span

T = TypeVar("T")


class Candidate(NamedTuple):
    """A possible value of a field as text, with its rule and its position."""

    text: str
    how: str
    span: Span


@dataclass(frozen=True, slots=True)
class FieldReading(Generic[T]):
    """`values` are the values that are given, the best first.

    `candidates` are possible values if no reading is sure. `beside` are further values of the document that may
    belong to somebody else: they are not given, and serve only to agree with an attested value.
    """

    values: Sequence[ExtractedValue[T]] = ()
    candidates: Sequence[ExtractedValue[T]] = ()
    beside: Sequence[ExtractedValue[T]] = ()

    def written(self, form: Callable[[T], str]) -> list[Candidate]:
        """Return the candidates as texts."""
        return [
            Candidate(form(item.value), item.how, item.span) for item in self.candidates
        ]


def read_clearly(
    evidence: Evidence,
    reading: FieldReading[T],
    form: Callable[[T], str | None],
) -> FieldReading[T]:
    """Return the reading, but only as candidates if OCR did not read the words of the value clearly."""
    if not reading.values:
        return reading
    first = reading.values[0]
    if is_clear(evidence, evidence.text, first.span, form(first.value)):
        return reading
    return FieldReading(candidates=reading.values[: tunables.CANDIDATES])


def distinct(
    values: Sequence[ExtractedValue[T]], same: Callable[[T, T], bool]
) -> list[ExtractedValue[T]]:
    """Return each value once, in the given order. `same` decides which values are equal."""
    kept: list[ExtractedValue[T]] = []
    for value in values:
        if not any(same(value.value, other.value) for other in kept):
            kept.append(value)
    return kept
