"""How an indicator is declared: a function that examines evidence, with its docstring.

The first line of the docstring is the title of a finding. The whole docstring is the public
documentation of the indicator: its meaning, its method, and other explanations.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from checks.base import Change, Indicator, IndicatorType
from checks.document_fraud_check import tunables
from papers.geometry import Box

Subject = TypeVar("Subject")


@dataclass(frozen=True, slots=True)
class Finding:
    """What an indicator found.

    `type` and `strong` override the declared values if this case differs.
    """

    description: str
    boxes: Sequence[Box] = ()
    raw: str = ""
    type: IndicatorType | None = None
    strong: bool | None = None
    changes: Sequence[Change] = ()


@dataclass(frozen=True, slots=True)
class Unchecked:
    """The reason why an indicator could not check something that a reader may assume was
    checked.
    """

    why: str


IndicatorResult = Finding | Unchecked | None


@dataclass(frozen=True, slots=True)
class Rule(Generic[Subject]):
    """An indicator. A single RISK with `strong` makes a document HIGH_RISK."""

    indicator_id: str
    type: IndicatorType
    category: str
    strong: bool
    documentation: str
    find: Callable[[Subject], IndicatorResult]

    @property
    def title(self) -> str:
        return self.documentation.partition("\n")[0].rstrip(".")

    def __call__(self, subject: Subject) -> Indicator | Unchecked | None:
        result = self.find(subject)
        if isinstance(result, Finding):
            return self.report(result)
        return result

    def report(self, finding: Finding) -> Indicator:
        # A finding may lower the declared type, such as a RISK that is only an INFO in this case.
        kind = finding.type or self.type
        if finding.strong is None:
            strong = self.strong
        else:
            strong = finding.strong
        return Indicator(
            indicator_id=self.indicator_id,
            type=kind,
            category=self.category,
            title=self.title,
            description=finding.description,
            boxes=list(finding.boxes)[: tunables.MAX_BOXES],
            raw=finding.raw[: tunables.MAX_RAW],
            # An INFO is never strong, whatever the declaration says.
            strong=strong and kind != "INFO",
            changes=list(finding.changes)[: tunables.MAX_CHANGES],
            documentation=self.documentation,
        )


def indicator(
    indicator_type: IndicatorType, category: str, *, strong: bool = False
) -> Callable[[Callable[[Subject], IndicatorResult]], Rule[Subject]]:
    """Declare a function as an indicator. Its name is the id of the indicator."""

    def declare(find: Callable[[Subject], IndicatorResult]) -> Rule[Subject]:
        documentation = inspect.getdoc(find) or ""
        return Rule(
            find.__name__, indicator_type, category, strong, documentation, find
        )

    return declare


def boxes_of(changes: Iterable[Change]) -> list[Box]:
    """Return the places of several changes, in order."""
    boxes: list[Box] = []
    for change in changes:
        boxes.extend(change.boxes)
    return boxes


def quoted(words: str, limit: int = tunables.LONGEST_QUOTE) -> str:
    if len(words) > limit:
        return f"“{words[:limit]}…”"
    return f"“{words}”"
