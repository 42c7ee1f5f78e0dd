"""The readings of one field.

If they agree, the field has a value; if they differ, it has candidates.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from checks.fields.extracted import ExtractedValue
from checks.incorporation_document import tunables
from checks.text.words import Span, Text

T = TypeVar("T")


class Candidate(NamedTuple):
    """A possible value of a field as text, with its rule and its position."""

    text: str
    how: str
    span: Span


@dataclass(frozen=True, slots=True)
class FieldReading(Generic[T]):
    """`values` are what was read, the best first.

    `candidates` are possible values if no reading is sure.
    """

    values: Sequence[ExtractedValue[T]] = ()
    candidates: Sequence[ExtractedValue[T]] = ()

    def written(self, form: Callable[[T], str]) -> list[Candidate]:
        """Return the candidates as texts."""
        return [
            Candidate(form(item.value), item.how, item.span) for item in self.candidates
        ]


def read_clearly(
    text: Text, reading: FieldReading[T], form: Callable[[T], str]
) -> FieldReading[T]:
    """Return the reading, but only as candidates if OCR was not sure of one of the words of the
    value.
    """
    if not reading.values:
        return reading
    first = reading.values[0]
    written = form(first.value)
    for word in text.words(first.span):
        is_of_value = (
            any(map(str.isalnum, word.text)) and word.text.strip(".,;:") in written
        )
        # Only words of the value itself count: a bad reading beside it does no harm.
        if word.source == "OCR" and is_of_value and word.confidence < tunables.CLEAR:
            return FieldReading(candidates=reading.values[: tunables.CANDIDATES])
    return reading


def distinct(
    values: Sequence[ExtractedValue[T]], same: Callable[[T, T], bool]
) -> list[ExtractedValue[T]]:
    """Return each value once, in the given order. `same` decides which values are equal."""
    kept: list[ExtractedValue[T]] = []
    for value in values:
        if not any(same(value.value, other.value) for other in kept):
            kept.append(value)
    return kept
