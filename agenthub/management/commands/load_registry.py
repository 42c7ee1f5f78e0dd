"""`manage.py load_registry NAME FILE`: load a register of companies, or a new state of it."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agenthub.companies import loading
from agenthub.screening import catalogue
from agenthub.screening.formats import ListError

TITLES = {"gleif": "GLEIF"}


class Command(BaseCommand):
    help = "Load a register of companies from a CSV: GLEIF's golden copy, or one's own."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the name of the register, such as gleif")
        parser.add_argument(
            "file", help="path of the file (plain, gzip or zip), or its URL"
        )
        parser.add_argument("--title", default="", help="how the register is shown")
        parser.add_argument(
            "--columns",
            type=json.loads,
            default={},
            help="column map, JSON",
        )
        parser.add_argument(
            "--force",
            action="store_true",
            help="take a file that shrank",
        )

    def handle(self, *_: object, **options: Any) -> None:
        slug = options["slug"]
        title = options["title"] or TITLES.get(slug, slug)
        try:
            with catalogue.file_of(options["file"]) as path:
                registry_load = loading.load(
                    slug,
                    Path(path),
                    title=title,
                    columns=options["columns"],
                    force=options["force"],
                    progress=self._show_progress,
                )
        except ListError as exc:
            raise CommandError(str(exc)) from exc
        count = registry_load.company_count
        self.stdout.write(f"{registry_load.slug}: {count:,} companies are loaded.")

    def _show_progress(self, what: str) -> None:
        if self.stderr.isatty():
            self.stderr.write(f"\r{what:40}", ending="")
