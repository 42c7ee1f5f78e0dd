"""A value that was read, with the stretch of text that it rests on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from checks.base import boxes_to_wire
from checks.text import Span, Text

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Found(Generic[T]):
    """`how` tells a person which rule read the value; `confidence` is the trust in that rule."""

    value: T
    span: Span
    how: str
    confidence: float

    def evidence(self, text: Text, *, value: Any = None) -> dict[str, Any]:
        return {
            "value": self.value if value is None else value,
            "snippet": text.snippet(self.span),
            "boxes": boxes_to_wire(text.boxes(self.span)),
            "how": self.how,
            "confidence": round(self.confidence, 2),
        }


def nothing(how: str) -> dict[str, Any]:
    """The evidence of a field that was not read, with the reason."""
    return {"value": None, "snippet": "", "boxes": [], "how": how, "confidence": 0.0}
