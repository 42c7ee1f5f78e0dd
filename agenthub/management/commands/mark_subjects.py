"""`manage.py mark_subjects`: store the marks of cases that are older than the marks."""

from __future__ import annotations

from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from agenthub.subjects import duplicates


class Command(BaseCommand):
    help = "Mark earlier cases, so that the checks for other cases of a subject find them, too."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--limit",
            type=int,
            default=10_000,
            help="mark so many cases at most",
        )
        parser.add_argument(
            "--after",
            type=int,
            default=0,
            help="go on behind this job",
        )

    def handle(self, *_: object, limit: int, after: int, **__: object) -> None:
        count, last = duplicates.mark_earlier(after=after, limit=limit)
        rest = "None is left."
        if last:
            rest = f"Go on with --after {last}."
        self.stdout.write(f"Cases marked: {count:,}. {rest}")
