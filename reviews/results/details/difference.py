"""Differences between two runs of the checks of a case: changed states, changed texts, additions
and removals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from reviews.results.kinds import Check, Comparison, Finding, Indicator, Part, Section

# flipped: another state. reads: the same state, another text. went: missing in the later run.
Kind = Literal["flipped", "reads", "appeared", "went"]
ORDER: Sequence[Kind] = ("flipped", "appeared", "went", "reads")


@dataclass(frozen=True, slots=True)
class Statement:
    """What a run states about one check or finding: its state, its text, and its place on the
    page.
    """

    label: str
    state: str
    words: str = ""
    # One of `document` and `check` may be empty: `check` is set for checks only.
    document: str = ""
    check: str = ""
    ref: str = ""


@dataclass(frozen=True, slots=True)
class Difference:
    kind: Kind
    before: Statement | None
    after: Statement | None

    @property
    def latest(self) -> Statement:
        """The statement of the later run, or that of the earlier run if the later one has none."""
        statement = self.after or self.before
        assert statement is not None  # noqa: S101 - one side is always there
        return statement


Key = tuple[str, ...]
Run = tuple[Iterable[Check], Iterable[Part]]


def differences(before: Run, after: Run) -> list[Difference]:
    """What differs between two runs: checks first, then findings, each in the order of ORDER."""
    earlier = _statements(*before)
    later = _statements(*after)
    rows = list(_differences(earlier, later))
    rows.sort(key=_order)
    return rows


def _order(difference: Difference) -> tuple[bool, int]:
    is_finding = not difference.latest.check
    return is_finding, ORDER.index(difference.kind)


def _differences(
    earlier: Mapping[Key, Statement], later: Mapping[Key, Statement]
) -> Iterator[Difference]:
    # In the order of the earlier run. Additions come last.
    keys = dict.fromkeys([*earlier, *later])
    for key in keys:
        before = earlier.get(key)
        after = later.get(key)
        if before is None:
            yield Difference("appeared", None, after)
        elif after is None:
            yield Difference("went", before, None)
        elif before.state != after.state:
            yield Difference("flipped", before, after)
        elif before.words != after.words:
            yield Difference("reads", before, after)


def _statements(checks: Iterable[Check], parts: Iterable[Part]) -> dict[Key, Statement]:
    statements: dict[Key, Statement] = {}
    for check in checks:
        statements["check", check.id] = Statement(
            check.label, check.verdict, check=check.id
        )
    counts: dict[Key, int] = {}
    for part in parts:
        for row in part.findings:
            name, state, words = _identity(row)
            key = (part.document, part.key, type(row).__name__, name)
            # Findings may share a name. Their number keeps the keys apart.
            count = counts.get(key, 0) + 1
            counts[key] = count
            statements[(*key, str(count))] = Statement(
                row.name,
                state,
                words,
                document=part.document,
                ref=row.ref,
            )
    return statements


def _identity(row: Finding) -> tuple[str, str, str]:
    """The stable name of a finding, its state, and the text that may differ between runs."""
    if isinstance(row, Comparison):
        name = row.field or row.label
        return name, row.state, row.extracted
    if isinstance(row, Section):
        return row.key, row.state, ""
    if isinstance(row, Indicator):
        name = row.indicator_id or row.title
        return name, row.type, row.description
    return row.name, row.tone, ""
