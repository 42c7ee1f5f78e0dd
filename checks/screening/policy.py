"""The thresholds of screening, with a version. The hash of the policy is part of every result."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass, fields, replace
from typing import Literal

from checks.arguments import Argument
from checks.screening.records import TOPICS
from checks.wire import JsonObject, JsonValue

ENGINE_VERSION = "26"

Band = Literal["identifier_match", "strong", "possible", "discounted", "weak"]
# The bands that need a person, the most serious first.
ALERTING: tuple[Band, ...] = ("identifier_match", "strong", "possible")


@dataclass(frozen=True, slots=True)
class Policy:
    """The thresholds. Scores are from 0 to 1. Any change needs a new version."""

    version: str = "2026-11.3"
    strong: float = 0.88
    possible_person: float = 0.80
    possible_company: float = 0.85
    # For a name in another script, if no date of birth, nationality or gender supports it.
    possible_other_script: float = 0.90
    weak: float = 0.70
    # The factor for an alias that the list itself marks as weak.
    weak_alias: float = 0.90
    # Exact dates of birth that differ by more years contradict a match.
    birth_years_apart: int = 1
    candidates: int = 50
    # A practically certain hit fails the check if the entry is listed for one of these topics.
    # Otherwise it goes to manual review.
    failing_topics: tuple[str, ...] = ("sanction",)

    @property
    def digest(self) -> str:
        content = {**asdict(self), "engine": ENGINE_VERSION}
        text = json.dumps(content, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:16]

    def to_wire(self) -> dict[str, str]:
        return {"version": self.version, "hash": self.digest, "engine": ENGINE_VERSION}

    def changed(self, thresholds: JsonObject) -> Policy:
        """Return a policy with these thresholds, by name.

        Raises ValueError if one is unknown or out of range.
        """
        names = {field.name for field in fields(self)}
        wrong: list[str] = []
        for name, value in thresholds.items():
            if name not in names or not _fits(name, value):
                wrong.append(name)
        if wrong:
            raise ValueError(f"not a threshold, or out of range: {', '.join(wrong)}")
        changes = dict(thresholds)
        if "failing_topics" in changes:
            changes["failing_topics"] = tuple(changes["failing_topics"])
        return replace(self, **changes)


_COUNTS = {"birth_years_apart": range(151), "candidates": range(1, 1001)}


def _fits(name: str, value: object) -> bool:
    if name == "version":
        return isinstance(value, str)
    if name == "failing_topics":
        if not isinstance(value, (list, tuple)):
            return False
        return all(topic in TOPICS for topic in value)
    # `True` is a number in Python, but no threshold.
    if isinstance(value, bool):
        return False
    if name in _COUNTS:
        return isinstance(value, int) and value in _COUNTS[name]
    return isinstance(value, (int, float)) and 0 < value <= 1


DEFAULT = Policy()


def _is_policy(value: JsonValue) -> bool:
    try:
        DEFAULT.changed(value)
    except (ValueError, AttributeError):
        return False
    return True


ARGUMENT = Argument(
    "policy",
    "an object of thresholds: scores over 0 up to 1 ("
    "strong, possible_person, possible_company, possible_other_script, weak, weak_alias), "
    "birth_years_apart (0 to 150), candidates (1 to 1000), failing_topics (a list), version",
    _is_policy,
)
