"""Two readings of one field: where they agree it is read, where they differ it is unsure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from checks.fields.extracted import ExtractedValue
from checks.incorporation_document import tunables
from checks.text.words import Span, Text

T = TypeVar("T")


class Candidate(NamedTuple):
    """What a field may be, as text, with how it was read and where it stands."""

    text: str
    how: str
    span: Span


@dataclass(frozen=True, slots=True)
class FieldReading(Generic[T]):
    """`values`: what was read, the best first. `candidates`: what it may be, where that is unsure."""

    values: Sequence[ExtractedValue[T]] = ()
    candidates: Sequence[ExtractedValue[T]] = ()

    def written(self, form: Callable[[T], str]) -> list[Candidate]:
        """The candidates as texts."""
        return [
            Candidate(form(item.value), item.how, item.span) for item in self.candidates
        ]


def read_clearly(
    text: Text, reading: FieldReading[T], form: Callable[[T], str]
) -> FieldReading[T]:
    """The reading as it is, or as a candidate alone where OCR was not sure of one of its words."""
    if not reading.values:
        return reading
    first = reading.values[0]
    written = form(first.value)
    for word in text.words(first.span):
        is_of_value = (
            any(map(str.isalnum, word.text)) and word.text.strip(".,;:") in written
        )
        if word.source == "OCR" and is_of_value and word.confidence < tunables.CLEAR:
            return FieldReading(candidates=reading.values[: tunables.CANDIDATES])
    return reading


def distinct(
    values: Sequence[ExtractedValue[T]], same: Callable[[T, T], bool]
) -> list[ExtractedValue[T]]:
    """Each value once, in their order."""
    kept: list[ExtractedValue[T]] = []
    for value in values:
        if not any(same(value.value, other.value) for other in kept):
            kept.append(value)
    return kept
