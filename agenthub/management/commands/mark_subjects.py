"""`manage.py mark_subjects`: let cases that were made before there were marks be known again."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from agenthub.subjects import duplicates


class Command(BaseCommand):
    help = "Mark earlier cases, so that the checks for other cases of a subject find them, too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--limit", type=int, default=10_000, help="mark so many cases at most")
        parser.add_argument("--after", type=int, default=0, help="go on behind this job")

    def handle(self, *_: Any, limit: int, after: int, **__: Any) -> None:
        marked, reached = duplicates.mark_earlier(after=after, limit=limit)
        rest = f" Go on with --after {reached}." if reached else " None is left."
        self.stdout.write(f"Cases marked: {marked:,}.{rest}")
