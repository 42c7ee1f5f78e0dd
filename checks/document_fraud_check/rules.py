"""How an indicator is declared: a function that looks at evidence, with its docstring.

The first line of the docstring is the title beside a finding; the whole docstring is the
indicator's public documentation.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from checks.base import Indicator, IndicatorType
from checks.evidence import Evidence
from checks.geometry import Box

MAX_BOXES = 20
MAX_RAW = 500


@dataclass(frozen=True, slots=True)
class Finding:
    """What an indicator saw. `type` replaces the declared one where the case is milder."""

    description: str
    boxes: Sequence[Box] = ()
    raw: str = ""
    type: IndicatorType | None = None


@dataclass(frozen=True, slots=True)
class Rule:
    """An indicator; a `strong` RISK alone makes a document HIGH_RISK."""

    indicator_id: str
    type: IndicatorType
    category: str
    strong: bool
    documentation: str
    find: Callable[[Evidence], Finding | None]

    @property
    def title(self) -> str:
        return self.documentation.partition("\n")[0].rstrip(".")

    def __call__(self, evidence: Evidence) -> Indicator | None:
        finding = self.find(evidence)
        if finding is None:
            return None
        return Indicator(
            indicator_id=self.indicator_id,
            type=finding.type or self.type,
            category=self.category,
            title=self.title,
            description=finding.description,
            boxes=list(finding.boxes)[:MAX_BOXES],
            raw=finding.raw[:MAX_RAW],
            strong=self.strong and (finding.type or self.type) == self.type,
        )


def indicator(
    indicator_type: IndicatorType, category: str, *, strong: bool = False
) -> Callable[[Callable[[Evidence], Finding | None]], Rule]:
    """Declare a function as an indicator; its name is the indicator's id."""

    def declare(find: Callable[[Evidence], Finding | None]) -> Rule:
        documentation = inspect.getdoc(find) or ""
        return Rule(find.__name__, indicator_type, category, strong, documentation, find)

    return declare
