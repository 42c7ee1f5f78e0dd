"""`manage.py screen FILE.csv`: screen many people and businesses at once."""

from __future__ import annotations

import csv
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import IO, Any, Protocol, cast, get_args

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from agenthub.batches import csv_cases
from agenthub.screening.index import DatabaseLists
from checks.screening import engine
from checks.screening.identifiers.normal_forms import IdentifierType
from checks.screening.records import TOPICS, Identifier, Schema, Subject
from compliance.security import csv_cells
from papers import countries


class _Writer(Protocol):
    """What csv.writer gives."""

    def writerow(self, row: Iterable[object], /) -> object: ...


HEADINGS = (
    "row", "name", "type", "list", "list_version", "entry", "entry_name", "score", "band",
    "programs", "corroborates", "contradicts", "outcome", "screened_against",
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "Screen a CSV (columns name, type, date_of_birth, nationality, identifiers; only name is "
        "needed, several values stand apart by semicolons; type:number for identifiers) and write one line "
        "for each match, or one that there is none. A row that cannot be read is refused."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--output",
            type=Path,
            help="write here, not to standard output",
        )
        parser.add_argument(
            "--topic",
            action="append",
            choices=TOPICS,
            help="only such lists",
        )
        parser.add_argument(
            "--all",
            action="store_true",
            help="weak and contradicted hits, too",
        )

    def handle(self, *_: object, **options: Any) -> None:
        lists = DatabaseLists()
        if not lists.versions(options["topic"] or ()):
            raise CommandError(f"No list is loaded: {settings.PROGRAM} load_list")
        for version in lists.versions():
            if version.is_stale:
                self.stderr.write(f"The list {version.slug} is stale.")
        file, output = options["file"], options["output"]
        try:
            with file.open(newline="", encoding="utf-8-sig") as stream:
                if output is None:
                    self._screen(stream, sys.stdout, lists, options)
                    return
                with output.open("w", newline="", encoding="utf-8") as out:
                    self._screen(stream, out, lists, options)
        except (OSError, UnicodeDecodeError, csv.Error) as exc:
            raise CommandError(f"{file}: {exc}") from exc

    def _screen(
        self,
        stream: IO[str],
        out: IO[str],
        lists: DatabaseLists,
        options: dict[str, Any],
    ) -> None:
        rows = csv.DictReader(stream)
        if "name" not in (rows.fieldnames or ()):
            raise CommandError("The column name is missing.")
        writer = csv.writer(out)
        writer.writerow(HEADINGS)
        began = time.monotonic()
        hits = number = refusals = 0
        for number, row in enumerate(rows, start=1):
            start = [number, row["name"], row.get("type") or ""]
            try:
                subject = _subject(row)
            except ValueError as exc:
                refusals += 1
                _write(writer, [*start, *_EMPTY, f"refused: {exc}", ""])
                self.stderr.write(f"Line {rows.line_num}: refused: {exc}")
                continue
            screening = engine.screen(subject, lists, topics=options["topic"] or ())
            if options["all"]:
                matches = screening.matches
            else:
                matches = screening.alerts
            hits += len(matches)
            for line in _lines(screening, matches):
                _write(writer, [*start, *line])
            if number % 500 == 0:
                self._show_progress(number, hits, began)
        self._show_progress(number, hits, began)
        self.stderr.write("")
        if refusals:
            raise CommandError(
                f"{refusals:,} of {number:,} rows were refused, and not screened."
            )

    def _show_progress(self, number: int, hits: int, began: float) -> None:
        # At least a millisecond, to avoid a division by zero.
        seconds = max(0.001, time.monotonic() - began)
        rate = number / seconds
        self.stderr.write(f"\r{number:,} rows, {hits:,} hits, {rate:.0f}/s", ending="")


def _write(writer: _Writer, cells: Iterable[object]) -> None:
    """Write a line. Names come from others: no program may run one of them as a formula."""
    writer.writerow([csv_cells.escape(str(cell)) for cell in cells])


_EMPTY = [""] * (len(HEADINGS) - 5)
_SCHEMAS: dict[str, Schema] = {
    **dict.fromkeys(("", "person", "natural person", "individual", "human", "kyc"), "Person"),
    **dict.fromkeys(
        ("company", "organization", "organisation", "business", "corporation", "entity",
         "legal entity", "legal person", "legalentity", "kyb"), "Organization"),
    **dict.fromkeys(("vessel", "ship"), "Vessel"),
    **dict.fromkeys(("aircraft", "airplane"), "Aircraft"),
}  # fmt: skip


def _subject(row: dict[str, str]) -> Subject:
    """The subject of a row.

    Raises ValueError if the row is unclear, instead of screening a guess.
    """
    if None in row or None in row.values():
        raise ValueError("it has another number of columns than the heading")
    if csv_cases.holds_rows([*row.values()], len(row)):
        raise ValueError(csv_cases.HOLDS_ROWS)
    kind = (row.get("type") or "").replace("_", " ").casefold()
    kind = " ".join(kind.split())
    if kind not in _SCHEMAS:
        raise ValueError(f"the type “{row['type']}” is not known")
    names = _split(row, "name")
    if not names:
        raise ValueError("the name is empty")
    nationalities = []
    for text in _split(row, "nationality"):
        nationalities.append(countries.code(text))
    if "" in nationalities:
        raise ValueError(f"the nationality “{row['nationality']}” is not known")
    birth_date = (row.get("date_of_birth") or "").strip()
    return Subject(
        names=names,
        schema=_SCHEMAS[kind],
        birth_date=_date(birth_date),
        nationalities=nationalities,
        identifiers=[_identifier(text) for text in _split(row, "identifiers")],
    )


def _date(text: str) -> str:
    """A date as YYYY, YYYY-MM or YYYY-MM-DD. Others are refused: 13/01/1967 is ambiguous."""
    if not text:
        return ""
    try:
        if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", text):
            raise ValueError(text)
        rest = "-01-01"[len(text) - 4 :]
        date.fromisoformat(text + rest)
    except ValueError as exc:
        raise ValueError(f"the date of birth “{text}” is not YYYY-MM-DD") from exc
    return text


def _identifier(text: str) -> Identifier:
    """An identifier as `lei:2138…`, or as a number of unknown kind."""
    if ":" not in text:
        return Identifier("other", text)
    kind, _, value = text.partition(":")
    kind = kind.strip().casefold()
    value = value.strip()
    if kind not in get_args(IdentifierType) or not value:
        raise ValueError(f"the type of the identifier “{text}” is not known")
    return Identifier(cast("IdentifierType", kind), value)


def _lines(
    screening: engine.Screening, matches: Sequence[engine.Match]
) -> Iterator[list[str]]:
    """One line per match, or one that says that there is none; each names the screened lists."""
    lists = "; ".join(
        f"{version.slug} version {version.version}" for version in screening.lists
    )
    for match in matches:
        yield [*_line(match), "hit", lists]
    if matches:
        return
    reasons = list(screening.not_compared)
    for version in screening.lists:
        if version.is_stale:
            reasons.append(f"The list {version.slug} is stale.")
    outcome = "no match"
    if reasons:
        outcome = f"inconclusive: {' '.join(reasons)}"
    yield [*_EMPTY, outcome, lists]


def _split(row: dict[str, str], column: str) -> list[str]:
    cell = row.get(column) or ""
    return list(filter(None, map(str.strip, cell.split(";"))))


def _line(match: engine.Match) -> list[str]:
    entity = match.entry.entity
    version = match.entry.version
    return [
        version.slug,
        str(version.version),
        entity.id,
        match.name.text,
        f"{match.score:.3f}",
        match.band,
        "; ".join(entity.programs),
        _fields(match, "corroborates"),
        _fields(match, "contradicts"),
    ]


def _fields(match: engine.Match, stand: str) -> str:
    return "; ".join(fact.field for fact in match.facts if fact.stand == stand)
