"""Verifies a backup by restoring it into a temporary folder and, on PostgreSQL, database."""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection

from compliance.backup import restoration
from compliance.backup.errors import BackupError, named
from compliance.backup.parts import documents, postgresql, sqlite
from compliance.backup.restoration import Contents, Places
from compliance.backup.workplace import workplace

# Settings that refer to other data or other machines. The temporary installation must not use them.
OUTWARD = (
    *("DOCUMENT_STORAGE", "DOCUMENT_STORAGE_OPTIONS", "STATIC_ROOT", "VENDORED_DIR"),
    *("CELERY_BROKER_URL", "REDIS_URL", "ANCHOR_WEBHOOK_URL", "ANCHOR_MAIL"),
    *("AUDIT_KEYS_DIR", "AUDIT_ANCHORS", "ERASED_KEYS", "EMAIL_HOST", "FILE_SCANNER"),
)
MAX_FAULTS = 20  # lines of a command's error output


@dataclass(frozen=True)
class Verified:
    """The result. `trail` is the output of `audit_verify`; empty without the desk."""

    contents: Contents
    trail: str


def verify(path: Path, key: bytes) -> Verified:
    """Restore a backup into a temporary installation and check it there. Raises BackupError."""
    about = restoration.read_about(path, key)
    restoration.require_fit(about)
    with named("The backup could not be verified"), workplace() as folder:
        var = folder / "var"
        var.mkdir(mode=0o700)
        places = Places(
            store=documents.folder_store(var / "documents"),
            anchors=var / "audit-anchors.jsonl",
            audit_keys=var / "audit-keys",
            merges_erased=False,
        )
        contents = restoration.unpack(path, key, folder, places)
        with _database(contents, var) as database_url:
            _manage(var, database_url, "migrate", "--verbosity", "0", "--no-input")
            trail = ""
            if settings.DESK_ENABLED:
                trail = _manage(var, database_url, "audit_verify")
    return Verified(contents, trail.strip())


@contextlib.contextmanager
def _database(contents: Contents, var: Path) -> Iterator[str]:
    """The restored database of the temporary installation. Yields its DATABASE_URL."""
    if connection.vendor == "sqlite":
        path = var / "desk.sqlite3"
        sqlite.require_whole(contents.database)
        contents.database.rename(path)
        restoration.require_counts(contents.manifest, sqlite.counts_of(path))
        yield ""
        return
    with postgresql.scratch_database() as place:
        postgresql.install(contents.database, place, contents.about["extensions"])
        restoration.require_counts(contents.manifest, postgresql.counts_of(place))
        yield place.url


def _manage(var: Path, database_url: str, *command: str) -> str:
    """Run a command of manage.py in the temporary installation.

    Returns its output; raises BackupError.
    """
    environment = {
        **os.environ,
        "VAR": str(var),
        "DATABASE_URL": database_url,
        "DATABASE_PASSWORD": settings.DATABASES["default"].get("PASSWORD") or "",
        "ENCRYPTION_KEY": settings.ENCRYPTION_KEY,
        "SECRET_KEY": secrets.token_urlsafe(48),
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "PYTHONPATH": str(settings.BASE_DIR),
    }
    for name in OUTWARD:
        environment.pop(name, None)
    done = subprocess.run(  # noqa: S603 - our own commands
        [sys.executable, "-m", "django", *command],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        lines = done.stderr.strip().splitlines()[-MAX_FAULTS:]
        message = f"`{command[0]}` of the restored backup failed:\n" + "\n".join(lines)
        raise BackupError(message)
    return done.stdout
