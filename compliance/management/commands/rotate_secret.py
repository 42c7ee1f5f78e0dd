"""`manage.py rotate_secret`: adds a new SECRET_KEY or ENCRYPTION_KEY; later drops the old one."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

from compliance.environment import file_of
from compliance.storage import atomic_files

RESTART = "Restart all processes now."
BY_HAND = """{name} comes from the environment: set it there yourself, and restart all processes.
{lines}"""


class Command(BaseCommand):
    help = "Make a new SECRET_KEY or ENCRYPTION_KEY, and keep the old one until --end."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name", choices=["SECRET_KEY", "ENCRYPTION_KEY"])
        parser.add_argument(
            "--end", action="store_true", help="drop the old one: nothing needs it now"
        )

    def handle(self, *args: object, name: str, end: bool, **options: object) -> None:
        if name == "ENCRYPTION_KEY" and end:
            # Encrypt all stored data with the newest key, before the old one is dropped.
            call_command("reencrypt", stdout=self.stdout)
        newest, earlier = _values(name)
        if end and not earlier:
            raise CommandError(f"There is no earlier {name}.")
        if end:
            values = [newest]
        else:
            values = [secrets.token_urlsafe(48), newest, *earlier]
        files = _files(name, values)
        folder = settings.VAR_DIR / "secrets"
        if not _is_kept(folder, name):
            lines = [f"{file.upper()}={text}" for file, text in files.items()]
            text = BY_HAND.format(name=name, lines="\n".join(lines))
            self.stdout.write(text)
            return
        for file, text in files.items():
            atomic_files.replace(folder / file, [text.encode()])
        self.stdout.write(f"{name} was changed in {folder}. {RESTART}")
        if name == "ENCRYPTION_KEY" and not end:
            self.stdout.write(
                f"Then run `{settings.PROGRAM} rotate_secret ENCRYPTION_KEY --end`."
            )


def _values(name: str) -> tuple[str, list[str]]:
    """The secret for new signatures or texts, and the earlier secrets."""
    if name == "SECRET_KEY":
        return settings.SECRET_KEY, list(settings.SECRET_KEY_FALLBACKS)
    newest, *earlier = settings.ENCRYPTION_KEY.split(",")
    return newest, earlier


def _files(name: str, values: list[str]) -> dict[str, str]:
    """File or variable → new content.

    Fallbacks come first, so that a crash in between loses no key.
    """
    if name == "ENCRYPTION_KEY":
        return {"encryption_key": ",".join(values)}
    newest, *earlier = values
    return {"secret_key_fallbacks": ",".join(earlier), "secret_key": newest}


def _is_kept(folder: Path, name: str) -> bool:
    """Whether this installation has generated the secret in its own folder."""
    is_given = os.environ.get(name) or file_of(name)
    return settings.EMBEDDED and not is_given and (folder / name.lower()).exists()
