"""Two readings of one field: where they agree it is read, where they differ it is unsure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from checks.fields.extracted import ExtractedValue

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class FieldReading(Generic[T]):
    """`values`: what was read, the best first. `candidates`: what it may be, where that is unsure."""

    values: Sequence[ExtractedValue[T]] = ()
    candidates: Sequence[ExtractedValue[T]] = ()


def distinct(
    values: Sequence[ExtractedValue[T]], same: Callable[[T, T], bool]
) -> list[ExtractedValue[T]]:
    """Each value once, in their order."""
    kept: list[ExtractedValue[T]] = []
    for value in values:
        if not any(same(value.value, other.value) for other in kept):
            kept.append(value)
    return kept
