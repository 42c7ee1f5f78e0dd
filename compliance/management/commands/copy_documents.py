"""`manage.py copy_documents --from folder --to s3`: the files of the document store, elsewhere."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from typing import Any

from django.core.files.storage import Storage, default_storage
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

from compliance.storage import copying, stored_files

BACKENDS = {
    "folder": "compliance.storage.backend.WholeFileStorage",
    "s3": "compliance.storage.object_store.ObjectStorage",
}
# Files between two lines of progress.
STEP = 500


class Command(BaseCommand):
    help = (
        "Copy the files of the document store from one storage to another, encrypted as they are, and compare each."
        " It may be interrupted and run again, also while the installation works."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        for side in ("from", "to"):
            parser.add_argument(
                f"--{side}",
                required=True,
                help="folder, s3, or the class of a Django storage",
            )
            parser.add_argument(
                f"--{side}-options",
                default="{}",
                help='its options as JSON, such as {"bucket_name": "documents"}',
            )
        parser.add_argument(
            "--remove",
            action="store_true",
            help="remove from the first what the second has; after the setting was changed",
        )

    def handle(self, *_: object, **options: Any) -> None:
        source = _storage(options["from"], options["from_options"])
        target = _storage(options["to"], options["to_options"])
        try:
            if options["remove"]:
                _require_other(source, target)
                count = sum(1 for _name in copying.remove(source, target))
                self.stdout.write(f"Removed: {count}")
                return
            self._copy(source, target)
        except copying.CopyError as exc:
            raise CommandError(str(exc)) from exc
        except stored_files.StoredError as exc:
            words = f"{exc} Run it again: what was copied stays."
            raise CommandError(words) from exc

    def _copy(self, source: Storage, target: Storage) -> None:
        counts = copying.Counts()
        for number, _name in enumerate(copying.copy(source, target, counts), start=1):
            if number % STEP == 0:
                self.stdout.write(f"{number} files …")
        self.stdout.write(f"Copied: {counts.copied}. There before: {counts.present}.")
        for name in counts.missing:
            self.stderr.write(f"Not in the store: {name}")
        if counts.missing:
            raise CommandError(f"{len(counts.missing)} files are in neither of them.")


def _require_other(source: Storage, target: Storage) -> None:
    """Raise CommandError if removing from the source would remove the only or the used copy."""
    if copying.is_same(source, target):
        raise CommandError("--from and --to are the same place. Nothing was removed.")
    used: Storage = getattr(default_storage, "inner", default_storage)
    if copying.is_same(source, used):
        raise CommandError(
            "--from is the document store in use. Nothing was removed: set DOCUMENT_STORAGE to the"
            " other one first, and restart."
        )


def _storage(name: str, options: str) -> Storage:
    try:
        values = json.loads(options)
        storage: Storage = import_string(BACKENDS.get(name, name))(**values)
    except ImportError as exc:
        words = f"{name} cannot be used ({exc}). s3 needs requirements/s3.txt."
        raise CommandError(words) from exc
    except (ValueError, TypeError) as exc:
        raise CommandError(f"The options of {name} are wrong: {exc}") from exc
    return storage
