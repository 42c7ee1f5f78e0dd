"""Scores the labelled hits of a desk again: what the given thresholds would find and lose.

The file is the CSV of the page "Screening quality" of the desk, exported with names.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from checks.evaluation.report import wilson
from checks.screening import engine
from checks.screening.policy import Policy
from checks.screening.romanisation import scripts
from checks.wire import Wire

COLUMNS = frozenset(
    {"kind", "source", "list", "script", "schema", "band", "score", "certain"}
)
NAMES = frozenset({"name", "listed_name"})
CONFIRMED, DISMISSED = "confirmed", "dismissed"
ALL = "all"


class HitsError(ValueError):
    """The file is not a table of labelled hits. The message says why."""


@dataclass(frozen=True)
class LabelledHit:
    """A hit that a person confirmed or dismissed. `old_score` is the score of its screening."""

    line: int
    is_confirmed: bool
    list: str
    script: str
    schema: str
    old_score: float | None
    is_certain: bool
    name: str
    listed_name: str

    def score(self) -> float:
        return engine.compare(self.name, self.listed_name, schema=self.schema)

    def asks(self, score: float, policy: Policy) -> bool:
        """Whether the hit needs a manual review.

        Only the name counts, unless a number or the date of birth agrees.
        """
        if self.is_certain:
            return True
        is_person = self.schema == "Person"
        least = policy.possible_person if is_person else policy.possible_company
        # Names in different scripts need a higher score, as in the engine.
        is_latin = scripts.is_latin(self.name)
        if is_latin != scripts.is_latin(self.listed_name):
            least = max(least, policy.possible_other_script)
        return round(score, 3) >= least


@dataclass(frozen=True)
class ScoredHit:
    hit: LabelledHit
    score: float
    asks: bool


@dataclass(frozen=True)
class Figures:
    """The numbers of a group of hits: all, confirmed, those for manual review, and those that are
    both.
    """

    of: str
    which: str
    hits: int
    confirmed: int
    ask: int
    right: int

    def to_wire(self) -> Wire:
        return {
            "of": self.of,
            "which": self.which,
            "hits": self.hits,
            "confirmed": self.confirmed,
            "ask": self.ask,
            "precision": _share(self.right, self.ask),
            "precision_interval": list(wilson(self.right, self.ask)),
            "recall": _share(self.right, self.confirmed),
            "recall_interval": list(wilson(self.right, self.confirmed)),
        }


def _share(count: int, of: int) -> float | None:
    return count / of if of else None


def read(path: Path) -> list[LabelledHit]:
    """Read the labelled hits. Raises HitsError."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as exc:
        raise HitsError(f"{path.name} cannot be read: {exc}") from exc
    table = csv.DictReader(io.StringIO(text))
    columns = set(table.fieldnames or ())
    if missing := COLUMNS - columns:
        raise HitsError(f"{path.name} has no column {', '.join(sorted(missing))}.")
    if not columns >= NAMES:
        raise HitsError(
            f"{path.name} is without names: nothing can be compared. Who may export cases gets a"
            " file with names."
        )
    return list(_rows(table))


def _rows(table: csv.DictReader[str]) -> Iterator[LabelledHit]:
    for row in table:
        kind = row["kind"]
        if kind not in (CONFIRMED, DISMISSED):
            raise HitsError(f"Line {table.line_num}: no kind of label: {kind!r}.")
        if not row["name"] or not row["listed_name"]:
            # The case was erased, so its name is missing.
            continue
        try:
            score = float(row["score"]) if row["score"] else None
        except ValueError as exc:
            raise HitsError(
                f"Line {table.line_num}: no score: {row['score']!r}."
            ) from exc
        yield LabelledHit(
            line=table.line_num,
            is_confirmed=kind == CONFIRMED,
            list=row["list"],
            script=row["script"],
            schema=row["schema"] or "Person",
            old_score=score,
            is_certain=row["certain"] == "yes",
            name=row["name"],
            listed_name=row["listed_name"],
        )


def scored(hits: Iterable[LabelledHit], policy: Policy) -> list[ScoredHit]:
    rows = []
    for hit in hits:
        score = hit.score()
        rows.append(ScoredHit(hit, score, hit.asks(score, policy)))
    return rows


def figures(rows: Sequence[ScoredHit]) -> list[Figures]:
    """Return the figures of all hits, by list, by script, and by both."""
    groups: list[tuple[str, Callable[[LabelledHit], str]]] = [
        (ALL, lambda hit: ALL),
        ("list", lambda hit: hit.list),
        ("script", lambda hit: hit.script),
        ("list and script", lambda hit: f"{hit.list}, {hit.script}"),
    ]
    answers = []
    for of, name_of in groups:
        by_name: dict[str, list[ScoredHit]] = {}
        for row in rows:
            by_name.setdefault(name_of(row.hit), []).append(row)
        for which, own in sorted(by_name.items()):
            answers.append(_figures(of, which, own))
    return answers


def _figures(of: str, which: str, rows: Sequence[ScoredHit]) -> Figures:
    return Figures(
        of=of,
        which=which,
        hits=len(rows),
        confirmed=sum(row.hit.is_confirmed for row in rows),
        ask=sum(row.asks for row in rows),
        right=sum(row.asks and row.hit.is_confirmed for row in rows),
    )
