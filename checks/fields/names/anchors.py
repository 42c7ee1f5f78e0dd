"""A wording in which a document states the name of a company."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """A wording. Its group `name` is the name of the company.

    `confidence` is the trust in the wording, and `how` describes it to a person.
    """

    pattern: re.Pattern[str]
    confidence: float
    how: str
