"""`manage.py evaluate_hits FILE.csv`: the labelled hits of a desk, by this engine and these thresholds."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from checks.evaluation import hits
from checks.evaluation.hits import Figures, HitsError, ScoredHit
from checks.screening.policy import DEFAULT, Policy

THRESHOLDS = ("possible_person", "possible_company", "possible_other_script")


class Command(BaseCommand):
    help = (
        "Score the hits that people confirmed or dismissed again, and print precision and recall by list"
        " and script, with each confirmed hit that would be lost. Nothing is stored or sent."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "file", type=Path, help="the CSV of the page Screening quality, with names"
        )
        for name in THRESHOLDS:
            parser.add_argument(
                f"--{name.replace('_', '-')}",
                type=float,
                help=f"instead of {getattr(DEFAULT, name)}",
            )
        parser.add_argument(
            "--json", action="store_true", help="print JSON instead of a table"
        )
        parser.add_argument(
            "--figures-only", action="store_true", help="print no names"
        )

    def handle(self, *_: object, **options: Any) -> None:
        policy = _policy(options)
        try:
            rows = hits.scored(hits.read(options["file"]), policy)
        except HitsError as exc:
            raise CommandError(str(exc)) from exc
        figures = hits.figures(rows)
        lost = [row for row in rows if row.hit.is_confirmed and not row.asks]
        if options["json"]:
            report = {
                "policy": policy.to_wire(),
                "rows": [row.to_wire() for row in figures],
                "lost": [row.hit.line for row in lost],
            }
            self.stdout.write(json.dumps(report, indent=2, ensure_ascii=False))
            return
        self.stdout.write(f"{len(rows)} hits, engine {policy.to_wire()['engine']}\n")
        for figure in figures:
            self.stdout.write(_line(figure))
        for row in lost:
            self.stdout.write(_lost(row, names=not options["figures_only"]))


def _policy(options: dict[str, Any]) -> Policy:
    changes = {}
    for name in THRESHOLDS:
        if options[name] is not None:
            changes[name] = options[name]
    try:
        return DEFAULT.changed(changes)
    except ValueError as exc:
        raise CommandError(str(exc)) from exc


def _line(figure: Figures) -> str:
    wire = figure.to_wire()
    precision = _percent(wire["precision"], wire["precision_interval"])
    recall = _percent(wire["recall"], wire["recall_interval"])
    return (
        f"{figure.of}: {figure.which}: {figure.hits} hits, {figure.ask} ask, precision {precision}; "
        f"{figure.confirmed} confirmed, recall {recall}"
    )


def _percent(share: float | None, interval: list[float]) -> str:
    if share is None:
        return "-"
    low, high = interval
    return f"{100 * share:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)"


def _lost(row: ScoredHit, *, names: bool) -> str:
    hit = row.hit
    if names:
        words = f" “{hit.name}” and “{hit.listed_name}”"
    else:
        words = ""
    if hit.old_score is None:
        before = "unknown"
    else:
        before = f"{hit.old_score:.3f}"
    return f"lost: line {hit.line}{words} on {hit.list}: score {row.score:.3f}, was {before}"
