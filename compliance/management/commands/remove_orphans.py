"""`manage.py remove_orphans [--remove]`: files of the document store that no row names."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from compliance.storage import orphans, stored_files

HOURS = int(orphans.AGE.total_seconds() // 3600)


class Command(BaseCommand):
    help = (
        f"Find files of the document store, a folder or a bucket, that no row names and that are older than {HOURS}"
        " hours. Without --remove nothing is changed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--remove", action="store_true", help="remove them")
        parser.add_argument("--names", action="store_true", help="print each name")

    def handle(self, *_: object, **options: Any) -> None:
        try:
            files = orphans.find()
            if options["names"]:
                for name in files.names:
                    self.stdout.write(name)
            self.stdout.write(
                f"Files: {files.count}. Without a row: {len(files.names)}."
            )
            if options["remove"]:
                self._remove(files)
            elif files.names:
                self.stdout.write("Nothing was removed: --remove does it.")
        except NotImplementedError as exc:
            words = (
                "This storage does not list its files: look for them by its own means."
            )
            raise CommandError(words) from exc
        except stored_files.StoredError as exc:
            raise CommandError(str(exc)) from exc

    def _remove(self, files: orphans.Orphans) -> None:
        if files.is_doubtful:
            words = "More than half of the files have no row: rather the database is an older one. None was removed."
            raise CommandError(words)
        self.stdout.write(f"Removed: {orphans.remove(files)}.")
