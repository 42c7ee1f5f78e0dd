"""`manage.py screen FILE.csv`: screen many people and businesses at once."""

from __future__ import annotations

import csv
import re
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from datetime import date
from pathlib import Path
from typing import IO, Any, get_args

from django.core.management.base import BaseCommand, CommandError

from agenthub.batches import csv_cases
from agenthub.screening.index import DatabaseLists
from checks.screening import engine
from checks.screening.records import TOPICS, Identifier, IdentifierType, Schema, Subject
from papers import countries

COLUMNS = ("name", "type", "date_of_birth", "nationality", "identifiers")
WRITTEN = (
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
        parser.add_argument("--output", type=Path, help="write here, not to standard output")
        parser.add_argument("--topic", action="append", choices=TOPICS, help="only such lists")
        parser.add_argument("--all", action="store_true", help="weak and contradicted hits, too")

    def handle(self, *_: Any, **given: Any) -> None:
        lists = DatabaseLists()
        if not lists.versions(given["topic"] or ()):
            raise CommandError("No list is loaded: manage.py load_list")
        for one in lists.versions():
            if one.is_stale:
                self.stderr.write(f"The list {one.slug} is stale.")
        try:
            with given["file"].open(newline="", encoding="utf-8-sig") as stream:
                if given["output"]:
                    with given["output"].open("w", newline="", encoding="utf-8") as out:
                        self._screen(stream, out, lists, given)
                else:
                    self._screen(stream, sys.stdout, lists, given)
        except (OSError, UnicodeDecodeError, csv.Error) as exc:
            raise CommandError(f"{given['file']}: {exc}") from exc

    def _screen(
        self, stream: IO[str], out: IO[str], lists: DatabaseLists, given: dict[str, Any]
    ) -> None:
        rows = csv.DictReader(stream)
        if "name" not in (rows.fieldnames or ()):
            raise CommandError("The column name is missing.")
        written = csv.writer(out)
        written.writerow(WRITTEN)
        began, hits, number, refused = time.monotonic(), 0, 0, 0
        for number, row in enumerate(rows, start=1):
            start = [number, row["name"], row.get("type") or ""]
            try:
                subject = _subject(row)
            except ValueError as exc:
                refused += 1
                written.writerow([*start, *_EMPTY, f"refused: {exc}", ""])
                self.stderr.write(f"Line {rows.line_num}: refused: {exc}")
                continue
            found = engine.screen(subject, lists, topics=given["topic"] or ())
            shown = found.matches if given["all"] else found.alerts
            hits += len(shown)
            for line in _lines(found, shown):
                written.writerow([*start, *line])
            if number % 500 == 0:
                self._tell(number, hits, began)
        self._tell(number, hits, began)
        self.stderr.write("")
        if refused:
            raise CommandError(f"{refused:,} of {number:,} rows were refused, and not screened.")

    def _tell(self, number: int, hits: int, began: float) -> None:
        rate = number / max(0.001, time.monotonic() - began)
        self.stderr.write(f"\r{number:,} rows, {hits:,} hits, {rate:.0f}/s", ending="")


_EMPTY = [""] * (len(WRITTEN) - 5)
_SCHEMAS: dict[str, Schema] = {
    **dict.fromkeys(("", "person", "natural person", "individual", "human", "kyc"), "Person"),
    **dict.fromkeys(
        ("company", "organization", "organisation", "business", "corporation", "entity",
         "legal entity", "legal person", "legalentity", "kyb"), "Organization"),
    **dict.fromkeys(("vessel", "ship"), "Vessel"),
    **dict.fromkeys(("aircraft", "airplane"), "Aircraft"),
}  # fmt: skip


def _subject(row: dict[str, str]) -> Subject:
    """Raises ValueError where the row cannot be read: it would be screened as something else."""
    if None in row or None in row.values():
        raise ValueError("it has another number of columns than the heading")
    if csv_cases.holds_rows([*row.values()], len(row)):
        raise ValueError(csv_cases.HOLDS_ROWS)
    kind = " ".join((row.get("type") or "").replace("_", " ").casefold().split())
    if kind not in _SCHEMAS:
        raise ValueError(f"the type “{row['type']}” is not known")
    names = _split(row, "name")
    if not names:
        raise ValueError("the name is empty")
    nations = [countries.code(one) for one in _split(row, "nationality")]
    if "" in nations:
        raise ValueError(f"the nationality “{row['nationality']}” is not known")
    return Subject(
        names=names,
        schema=_SCHEMAS[kind],
        birth_date=_date((row.get("date_of_birth") or "").strip()),
        nationalities=nations,
        identifiers=[_identifier(one) for one in _split(row, "identifiers")],
    )


def _date(written: str) -> str:
    """YYYY, YYYY-MM or YYYY-MM-DD; 13/01/1967 could be read in two ways."""
    if not written:
        return ""
    try:
        if not re.fullmatch(r"[0-9]{4}(-[0-9]{2}){0,2}", written):
            raise ValueError(written)
        date.fromisoformat(written + "-01-01"[len(written) - 4 :])
    except ValueError as exc:
        raise ValueError(f"the date of birth “{written}” is not YYYY-MM-DD") from exc
    return written


def _identifier(written: str) -> Identifier:
    """`lei:2138…`, or a number alone, of which the kind is not known."""
    kind, colon, value = (part.strip() for part in written.partition(":"))
    if not colon:
        return Identifier("other", written)
    known: IdentifierType | None = next(
        (one for one in get_args(IdentifierType) if one == kind.casefold()), None
    )
    if known is None or not value:
        raise ValueError(f"the type of the identifier “{written}” is not known")
    return Identifier(known, value)


def _lines(found: engine.Screening, shown: Sequence[engine.Match]) -> Iterator[list[str]]:
    """One for each match, or one that says that there is none; each says against what."""
    lists = "; ".join(f"{one.slug} version {one.version}" for one in found.lists)
    for match in shown:
        yield [*_line(match), "hit", lists]
    if not shown:
        stale = [f"The list {one.slug} is stale." for one in found.lists if one.is_stale]
        why = " ".join([*found.not_compared, *stale])
        yield [*_EMPTY, f"inconclusive: {why}" if why else "no match", lists]


def _split(row: dict[str, str], column: str) -> list[str]:
    return [one.strip() for one in (row.get(column) or "").split(";") if one.strip()]


def _line(match: engine.Match) -> Iterator[str]:
    entity, version = match.listed.entity, match.listed.version
    yield version.slug
    yield str(version.version)
    yield entity.id
    yield match.name.text
    yield f"{match.score:.3f}"
    yield match.band
    yield "; ".join(entity.programs)
    yield "; ".join(f.field for f in match.facts if f.stand == "corroborates")
    yield "; ".join(f.field for f in match.facts if f.stand == "contradicts")
