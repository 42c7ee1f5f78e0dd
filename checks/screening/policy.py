"""The thresholds of screening, with a version: its hash stands in every result."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, Literal

from checks.screening.records import TOPICS

ENGINE_VERSION = "3"

Band = Literal["identifier_match", "strong", "possible", "discounted", "weak"]
# What calls for a person, the worst first.
ALERTING: tuple[Band, ...] = ("identifier_match", "strong", "possible")


@dataclass(frozen=True, slots=True)
class Policy:
    """Scores are from 0 to 1. A change is a new version."""

    version: str = "2026-11.1"
    strong: float = 0.88
    possible_person: float = 0.80
    possible_company: float = 0.85
    # Without a date of birth, nationality or gender beside it, a name in another script is weak.
    possible_other_script: float = 0.90
    weak: float = 0.70
    # What an alias that the list itself calls weak is worth.
    weak_alias: float = 0.90
    # Exact dates of birth that differ by more than this many years speak against a match.
    birth_years_apart: int = 1
    candidates: int = 50
    # A hit that is as good as certain fails where the entry is listed for one of these; else a
    # person decides.
    failing_topics: tuple[str, ...] = ("sanction",)

    @property
    def digest(self) -> str:
        text = json.dumps({**asdict(self), "engine": ENGINE_VERSION}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_wire(self) -> dict[str, Any]:
        return {"version": self.version, "hash": self.digest, "engine": ENGINE_VERSION}

    def changed(self, given: Mapping[str, Any]) -> Policy:
        """With the thresholds that `given` names. Raises ValueError for one out of range."""
        known = {one.name for one in fields(self)}
        changes = {name: value for name, value in given.items() if name in known}
        if "failing_topics" in changes:
            changes["failing_topics"] = _topics(changes["failing_topics"])
        for name, value in changes.items():
            is_score = name not in _NO_SCORES
            if is_score and not (isinstance(value, (int, float)) and 0 < value <= 1):
                raise ValueError(f"{name}: not a score between 0 and 1")
        return replace(self, **changes)


_NO_SCORES = {"version", "birth_years_apart", "candidates", "failing_topics"}


def _topics(said: object) -> tuple[str, ...]:
    if not isinstance(said, (list, tuple)) or not {*said} <= {*TOPICS}:
        raise ValueError(f"failing_topics: not a list of topics ({', '.join(TOPICS)})")
    return tuple(said)


DEFAULT = Policy()
