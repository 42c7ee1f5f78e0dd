"""A wording that states the name of a company."""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Anchor:
    """The name is the group `name`. `confidence` is the trust in the wording, `how` says it to a person."""

    pattern: re.Pattern[str]
    confidence: float
    how: str
