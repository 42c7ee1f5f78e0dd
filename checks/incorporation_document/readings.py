"""Two readings of one field: where they agree it is read, where they differ it is unsure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from checks.fields.extracted import ExtractedValue
from checks.text.words import Span

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


def distinct(
    values: Sequence[ExtractedValue[T]], same: Callable[[T, T], bool]
) -> list[ExtractedValue[T]]:
    """Each value once, in their order."""
    kept: list[ExtractedValue[T]] = []
    for value in values:
        if not any(same(value.value, other.value) for other in kept):
            kept.append(value)
    return kept
