"""The words of two names that stand for one another, with what each pair is worth."""

from __future__ import annotations

from typing import Any, NamedTuple


class Pair(NamedTuple):
    """Words that stand for one another; an empty side means that the other side lacks it."""

    query: str
    listed: str
    how: str
    score: float
    weight: float

    def to_wire(self) -> dict[str, Any]:
        return {
            "query": self.query, "listed": self.listed, "how": self.how,
            "score": round(self.score, 2), "weight": round(self.weight, 2),
        }  # fmt: skip


class Alignment(NamedTuple):
    score: float
    pairs: tuple[Pair, ...]
