"""`manage.py load_addresses NAME FILE`: load a list of addresses where many are registered."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from agenthub.companies import registered_agents
from agenthub.screening import catalogue
from agenthub.screening.formats import ListError


class Command(BaseCommand):
    help = (
        "Load addresses of registered agents, virtual offices or mail drops from a CSV."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the name of the list, such as agents")
        parser.add_argument(
            "file", help="path of the file (plain, gzip or zip), or its URL"
        )
        parser.add_argument("--title", default="", help="how the list is shown")
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
        try:
            with catalogue.file_of(options["file"]) as path:
                address_list = registered_agents.load(
                    options["slug"],
                    Path(path),
                    title=options["title"],
                    columns=options["columns"],
                    force=options["force"],
                )
        except ListError as exc:
            raise CommandError(str(exc)) from exc
        count = address_list.address_count
        self.stdout.write(f"{address_list.slug}: {count:,} addresses are loaded.")
