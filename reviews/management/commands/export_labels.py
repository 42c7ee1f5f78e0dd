from __future__ import annotations

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from compliance.storage import stored_files
from reviews.records import labels


class Command(BaseCommand):
    help = (
        "Write the documents whose fields people chose or corrected into an empty folder, each "
        f"with its values beside it, for `{settings.PROGRAM} evaluate`. They are personal data: remove the "
        "folder afterwards."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("folder", type=Path, help="an empty or new folder")

    def handle(self, *_: object, **options: Any) -> None:
        folder: Path = options["folder"]
        try:
            # Nobody else on the machine may read what is written.
            folder.mkdir(mode=0o700, exist_ok=True)
            is_empty = not any(folder.iterdir())
        except OSError as exc:
            raise CommandError(f"{folder}: {exc.strerror}") from exc
        if not is_empty:
            raise CommandError(f"{folder} is not empty.")
        folder.chmod(0o700)
        try:
            export = labels.write(folder)
        except stored_files.StoredError as exc:
            raise CommandError(f"{folder} is not complete: {exc}") from exc
        self.stdout.write(
            f"{export.documents} documents with {export.values} values were written, "
            f"{export.left_out} could not be read."
            f" Next: {settings.PROGRAM} evaluate {folder}"
        )
