from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

from django.db import DatabaseError

from compliance.storage.stored_files import StoredError


class BackupError(Exception):
    """A backup cannot be made, read or restored.

    The message says why and what the operator can do.
    """


@contextlib.contextmanager
def named(what: str) -> Iterator[None]:
    """Errors of the disk, the document store and the database as a BackupError.

    `what` is a sentence without its end: it says what failed.
    """
    try:
        yield
    except (OSError, StoredError, DatabaseError, sqlite3.Error) as exc:
        reason = str(exc).strip().rstrip(".") or type(exc).__name__
        message = f"{what}: {reason}."
        raise BackupError(message) from exc
