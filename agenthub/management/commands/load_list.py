"""`manage.py load_list SLUG FILE`: load a list, or a new version of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agenthub.screening import catalogue, loading
from agenthub.screening.formats import FORMATS, ListError
from checks.screening.records import TOPICS


class Command(BaseCommand):
    help = "Load a list from a file (or an archive or folder of files that belong together)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the name of the list, such as ofac_sdn")
        parser.add_argument("file", help="path of the file, or its URL")
        parser.add_argument(
            "--format",
            choices=sorted(FORMATS),
            help="of a list not known yet",
        )
        parser.add_argument("--title", help="how the list is shown")
        parser.add_argument(
            "--topic",
            action="append",
            choices=TOPICS,
            help="what its entries are listed for",
        )
        parser.add_argument(
            "--columns",
            type=json.loads,
            help="column map of a generic CSV, JSON",
        )
        parser.add_argument(
            "--canary",
            action="append",
            help="a name that every version must hold",
        )
        parser.add_argument(
            "--max-age-days",
            type=int,
            help="after which a version is stale",
        )
        parser.add_argument(
            "--accept", "--force", dest="force", action="store_true",
            help="take a file that was held for a person, or that shrank",
        )  # fmt: skip

    def handle(self, *_: object, **options: Any) -> None:
        try:
            source = catalogue.source(
                options["slug"],
                format=options["format"],
                title=options["title"],
                topics=options["topic"],
                columns=options["columns"],
                max_age_days=options["max_age_days"],
                canaries=options["canary"],
            )
            with catalogue.file_of(options["file"]) as path:
                version = loading.load(
                    source,
                    Path(path),
                    force=options["force"],
                    progress=self._show_progress,
                )
        except ListError as exc:
            raise CommandError(str(exc)) from exc
        version.refresh_from_db()
        changes = version.changes
        self.stdout.write(
            f"{source.slug}: version {version.pk} of {version.published_at or 'unknown date'} is "
            f"active: {version.entity_count:,} entries, {version.name_count:,} names "
            f"({changes['added']:,} added, {changes['changed']:,} changed, "
            f"{changes['removed']:,} removed)."
        )

    def _show_progress(self, what: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{what:40}", ending="")
