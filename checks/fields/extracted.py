"""A value that was read, with the stretch of text that it rests on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from checks.base import boxes_to_wire
from checks.text.words import Span, Text, Word

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ExtractedValue(Generic[T]):
    """`how` tells a person which rule read the value; `confidence` is the trust in that rule.

    As evidence, the confidence is that of the rule and of the reading of its words, in one.
    """

    value: T
    span: Span
    how: str
    confidence: float

    def evidence(self, text: Text, *, value: Any = None) -> dict[str, Any]:
        words = text.words(self.span)
        return {
            "value": self.value if value is None else value,
            "snippet": text.snippet(self.span),
            "boxes": boxes_to_wire(text.boxes(self.span)),
            "how": _how(self.how, words),
            "source": _source(words),
            "confidence": round(self.confidence * _mean_confidence(words), 2),
        }


def nothing(how: str) -> dict[str, Any]:
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
    others = dict.fromkeys(w.engine for w in words if w.engine not in {"", "Tesseract"})
    if others:
        return f"{rule}; read by {', '.join(others)}"
    return rule


def _source(words: Sequence[Word]) -> str | None:
    """Where the words were read; of several sources the least certain."""
    sources = {word.source for word in words}
    return next((s for s in ("OCR", "form value", "text layer") if s in sources), None)


def _mean_confidence(words: Sequence[Word]) -> float:
    if words:
        return sum(word.confidence for word in words) / len(words)
    return 1.0
