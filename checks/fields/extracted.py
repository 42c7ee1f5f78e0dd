"""A value that was read, with the stretch of text that it rests on."""

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
    """`how` tells a person which rule read the value; `confidence` is the trust in that rule.

    As evidence, the confidence is that of the rule and of the reading of its words, in one.
    """

    value: T
    span: Span
    how: str
    confidence: float

    def evidence(self, text: Text, *, value: object = None) -> dict[str, object]:
        """The value as the interface has it; `value` is given where it is not JSON as it is."""
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
    """The evidence of a field that was not read, with the reason."""
    return {
        "value": None,
        "snippet": "",
        "boxes": [],
        "how": how,
        "source": None,
        "confidence": 0.0,
    }


def _how(rule: str, words: Sequence[Word]) -> str:
    """The rule, and who read the words, where it was not the engine that reads by default."""
    engines = dict.fromkeys(word.engine for word in words)
    engines.pop("", None)
    engines.pop("Tesseract", None)
    if engines:
        return f"{rule}; read by {', '.join(engines)}"
    return rule


def _source(words: Sequence[Word]) -> str | None:
    """Where the words were read; of several sources the least certain."""
    sources = {word.source for word in words}
    for source in LEAST_CERTAIN_FIRST:
        if source in sources:
            return source
    return None


def _mean_confidence(words: Sequence[Word]) -> float:
    if not words:
        return 1.0
    total = sum(word.confidence for word in words)
    return total / len(words)
