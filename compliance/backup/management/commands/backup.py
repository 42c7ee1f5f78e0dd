from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.backup import creation, keys, verification
from compliance.backup.errors import BackupError
from compliance.startup import INSTALLATION


class Command(BaseCommand):
    help = "Write database, documents and anchors into one encrypted file, while the installation runs."
    requires_system_checks = [INSTALLATION]

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path, help="the file that is written")
        parser.add_argument(
            "--key-file",
            type=Path,
            help="a file with the key of backups; else the setting BACKUP_KEY",
        )
        parser.add_argument(
            "--verify",
            action="store_true",
            help="write nothing: restore the file into a scratch place and check it there",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            key = keys.read(options["key_file"])
            if options["verify"]:
                self._verify(options["file"], key)
            else:
                self._create(options["file"], key)
        except BackupError as exc:
            raise CommandError(str(exc)) from exc

    def _create(self, path: Path, key: bytes) -> None:
        summary = creation.create(path, key)
        self.stdout.write(
            f"{path}: {summary.bytes:,} bytes, {summary.rows:,} rows of {summary.tables} tables,"
            f" {summary.documents:,} documents."
        )
        self.stdout.write(
            "A restore needs two keys that are not in this file. Keep them elsewhere:\n"
            f"  the key of backups {summary.key_id}\n"
            f"  ENCRYPTION_KEY {', '.join(summary.encryption_keys)}"
        )

    def _verify(self, path: Path, key: bytes) -> None:
        checked = verification.verify(path, key)
        manifest = checked.contents.manifest
        rows = sum(manifest["tables"].values())
        self.stdout.write(
            f"The backup of {checked.contents.about['created_at']} was restored into a scratch place:"
            f" {rows:,} rows of {len(manifest['tables'])} tables and"
            f" {manifest['documents']['files']:,} documents are those of its manifest."
        )
        if checked.trail:
            self.stdout.write(checked.trail)
