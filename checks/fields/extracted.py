"""A value that was read from a document, with the span of text that it was read from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from checks.base import boxes_to_wire
from checks.text.words import Source, Span, Text, Word

T = TypeVar("T")

LEAST_CERTAIN_FIRST: tuple[Source, ...] = ("OCR", "form value", "text layer")


@dataclass(frozen=True, slots=True)
class ExtractedValue(Generic[T]):
    """A value with its evidence.

    `how` names the rule that read the value, in words for a person. `confidence` is the trust in
    that rule. `evidence()` multiplies it by the mean confidence of the words that were read.
    """

    value: T
    span: Span
    how: str
    confidence: float

    def evidence(self, text: Text, *, value: object = None) -> dict[str, object]:
        """Return the value as the JSON of the interface.

        Pass `value` if the value itself is not JSON, such as a date or an address.
        """
        words = text.words(self.span)
        if value is None:
            value = self.value
        return {
            "value": value,
            "snippet": text.snippet(self.span),
            "boxes": boxes_to_wire(text.boxes(self.span)),
            "how": _how(self.how, words),
            "source": _source(words),
            "confidence": round(self.confidence * _mean_confidence(words), 2),
        }


def nothing(how: str) -> dict[str, object]:
    """Return the evidence of a field that was not read. `how` is the reason."""
    return {
        "value": None,
        "snippet": "",
        "boxes": [],
        "how": how,
        "source": None,
        "confidence": 0.0,
    }


def _how(rule: str, words: Sequence[Word]) -> str:
    """Return the rule, and the OCR engine that read the words if it is not the default engine."""
    engines = dict.fromkeys(word.engine for word in words)
    engines.pop("", None)
    engines.pop("Tesseract", None)
    if engines:
        return f"{rule}; read by {', '.join(engines)}"
    return rule


def _source(words: Sequence[Word]) -> str | None:
    """Return where the words come from; of several sources, the least certain one."""
    sources = {word.source for word in words}
    for source in LEAST_CERTAIN_FIRST:
        if source in sources:
            return source
    return None


def _mean_confidence(words: Sequence[Word]) -> float:
    # A value without words, such as one that was computed, does not lose confidence.
    if not words:
        return 1.0
    total = sum(word.confidence for word in words)
    return total / len(words)
