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
    help = "Load addresses of registered agents, virtual offices or mail drops from a CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the name of the list, such as agents")
        parser.add_argument("file", help="path of the file (plain, gzip or zip), or its URL")
        parser.add_argument("--title", default="", help="how the list is shown")
        parser.add_argument("--columns", type=json.loads, default={}, help="column map, JSON")
        parser.add_argument("--force", action="store_true", help="take a file that shrank")

    def handle(self, *_: Any, **given: Any) -> None:
        try:
            with catalogue.file_of(given["file"]) as path:
                made = registered_agents.load(
                    given["slug"], Path(path), title=given["title"], columns=given["columns"],
                    force=given["force"],
                )  # fmt: skip
        except ListError as exc:
            raise CommandError(str(exc)) from exc
        self.stdout.write(f"{made.slug}: {made.address_count:,} addresses are loaded.")
