"""`manage.py screen FILE.csv`: screen many people and businesses at once."""

from __future__ import annotations

import csv
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from django.core.management.base import BaseCommand, CommandError

from agenthub.screening.index import DatabaseLists
from checks import countries
from checks.screening import engine
from checks.screening.records import TOPICS, Identifier, Schema, Subject

COLUMNS = ("name", "type", "date_of_birth", "nationality", "identifiers")
WRITTEN = (
    "row", "name", "type", "list", "list_version", "entry", "entry_name", "score", "band",
    "programs", "corroborates", "contradicts",
)  # fmt: skip


class Command(BaseCommand):
    help = (
        "Screen a CSV (columns name, type, date_of_birth, nationality, identifiers; only name is "
        "needed, several values stand apart by semicolons) and write one line for each match."
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
        began, hits, number = time.monotonic(), 0, 0
        for number, row in enumerate(rows, start=1):
            found = engine.screen(_subject(row), lists, topics=given["topic"] or ())
            for match in found.matches if given["all"] else found.alerts:
                hits += 1
                written.writerow([number, row["name"], row.get("type", ""), *_line(match)])
            if number % 500 == 0:
                self._tell(number, hits, began)
        self._tell(number, hits, began)
        self.stderr.write("")

    def _tell(self, number: int, hits: int, began: float) -> None:
        rate = number / max(0.001, time.monotonic() - began)
        self.stderr.write(f"\r{number:,} screened, {hits:,} hits, {rate:.0f}/s", ending="")


_SCHEMAS: dict[str, Schema] = {
    "person": "Person", "individual": "Person", "kyc": "Person", "vessel": "Vessel",
    "ship": "Vessel", "aircraft": "Aircraft", "airplane": "Aircraft",
}  # fmt: skip


def _subject(row: dict[str, str]) -> Subject:
    nations = [code for one in _split(row, "nationality") if (code := countries.code(one))]
    return Subject(
        names=_split(row, "name"),
        schema=_SCHEMAS.get((row.get("type") or "person").strip().casefold(), "Organization"),
        birth_date=(row.get("date_of_birth") or "").strip(),
        nationalities=nations,
        identifiers=[Identifier("other", one) for one in _split(row, "identifiers")],
    )


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
