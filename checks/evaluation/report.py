"""Sums up judgements for each kind and field, with confidence intervals."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field

from checks.evaluation import tunables
from checks.evaluation.judging import Judgement
from checks.evaluation.labels import FIELDS
from checks.wire import Wire

EVERY_KIND = "all kinds"


def wilson(hits: int, count: int) -> tuple[float, float]:
    """Return the confidence interval of a share, by Wilson's score; (0, 1) if nothing was
    counted.
    """
    if not count:
        return 0.0, 1.0
    z = tunables.Z
    share = hits / count
    scale = 1 + z * z / count
    middle = share + z * z / (2 * count)
    variance = share * (1 - share) / count
    correction = z * z / (4 * count * count)
    reach = z * math.sqrt(variance + correction)
    low = (middle - reach) / scale
    high = (middle + reach) / scale
    return max(0.0, low), min(1.0, high)


@dataclass
class Row:
    """The counts of one field of one kind.

    `known` is the number of documents whose value is stated and labelled.
    """

    kind: str
    field: str
    counts: Counter[str] = dataclass_field(default_factory=Counter)

    @property
    def known(self) -> int:
        return self.counts.total() - self.counts["rightly empty"]

    @property
    def given(self) -> int:
        return self.counts["right"] + self.counts["wrong"]

    def to_wire(self) -> Wire:
        right = self.counts["right"]
        return {
            "kind": self.kind,
            "field": self.field,
            "n": self.known,
            "right": right,
            "wrong": self.counts["wrong"],
            "unsure": self.counts["unsure"],
            "missing": self.counts["missing"],
            "recall": _share(right, self.known),
            "recall_interval": _interval(right, self.known),
            "given": self.given,
            "precision": _share(right, self.given),
            "precision_interval": _interval(right, self.given),
        }


def _share(hits: int, count: int) -> float | None:
    if not count:
        return None
    return round(hits / count, 4)


def _interval(hits: int, count: int) -> list[float]:
    return [round(bound, 4) for bound in wilson(hits, count)]


def rows_of(judgements: Iterable[Judgement]) -> list[Row]:
    """Return the rows by kind, followed by those of all kinds together."""
    rows: dict[tuple[str, str], Row] = {}
    for judgement in judgements:
        for kind in (judgement.kind, EVERY_KIND):
            row = rows.setdefault((kind, judgement.field), Row(kind, judgement.field))
            row.counts[judgement.verdict] += 1
    return sorted(
        rows.values(),
        key=lambda row: (row.kind == EVERY_KIND, row.kind, FIELDS.index(row.field)),
    )


def table_of(rows: Sequence[Row]) -> str:
    """Return the rows as a Markdown table."""
    lines = [
        "| kind | field | n | right | wrong | unsure | missing | recall | precision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for row in rows:
        wire = row.to_wire()
        cells = [
            row.kind.replace("|", "/"),
            row.field,
            *(str(wire[key]) for key in ("n", "right", "wrong", "unsure", "missing")),
            _percent(wire["recall"], wire["recall_interval"]),
            _percent(wire["precision"], wire["precision_interval"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def _percent(share: float | None, interval: Sequence[float]) -> str:
    if share is None:
        return "-"
    low, high = interval
    return f"{share:.0%} ({low:.0%} to {high:.0%})"


def faults_of(judgements: Iterable[Judgement]) -> list[Wire]:
    """Return the values that are wrong, unsure or missing, with the truth."""
    faults: list[Wire] = []
    for judgement in judgements:
        if judgement.verdict in {"right", "rightly empty"}:
            continue
        faults.append(
            {
                "file": judgement.file,
                "kind": judgement.kind,
                "field": judgement.field,
                "verdict": judgement.verdict,
                "read": judgement.read,
                "truth": judgement.truth,
            }
        )
    return faults
