from __future__ import annotations

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.backup import keys, marker, restoration
from compliance.backup.errors import BackupError

NEXT = """Now, before anybody works here:
  {program} migrate
  {program} erase_again
"""
NEXT_DESK = """  {program} audit_verify           what the anchors here know of later lines
  {program} audit_restored "why"   if there are such lines, and they are lost on purpose
"""


class Command(BaseCommand):
    help = "Restore a backup into the database and the document store of this installation."
    # No system checks: they fail after an interrupted restore, which this command must repeat.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="a file that `backup` wrote")
        parser.add_argument(
            "--key-file",
            type=Path,
            help="a file with the key of backups; else the setting BACKUP_KEY",
        )
        parser.add_argument(
            "--overwrite",
            action="store_true",
            help="replace the data that is here",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = keys.read(options["key_file"])
            contents = restoration.restore(
                options["file"], key, overwrites=options["overwrite"]
            )
        except BackupError as exc:
            text = str(exc)
            if marker.interrupted():
                text += (
                    "\nThe restore is incomplete, and nothing starts until it is complete:"
                    " run it again."
                )
            raise CommandError(text) from exc
        rows = sum(contents.manifest["tables"].values())
        files = contents.manifest["documents"]["files"]
        self.stdout.write(
            f"Restored the backup of {contents.about['created_at']}: {rows:,} rows and"
            f" {files:,} documents."
        )
        steps = NEXT + (NEXT_DESK if settings.DESK_ENABLED else "")
        self.stdout.write(steps.format(program=settings.PROGRAM))
