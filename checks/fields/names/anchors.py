"""A wording in which a document states the name of a company."""

from __future__ import annotations

from dataclasses import dataclass

from checks.text.phrases import Pattern


@dataclass(frozen=True, slots=True)
class Anchor:
    """A wording. Its group `name` is the name of the company.

    `confidence` is the trust in the wording, and `how` describes it to a person.
    """

    pattern: Pattern
    confidence: float
    how: str
