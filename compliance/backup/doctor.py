"""The part `backup` of `manage.py doctor`: whether somebody makes backups."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

from django.conf import settings
from django.utils.timezone import now

from compliance.operation.doctor.registry import Finding, ok, warning

# Backups are made each night; one may have been missed.
OLD = timedelta(days=2)
ADVICE = "Make one each night, and verify it: docs/backup.md. Other copies are not seen here."


def last_backup() -> Iterator[Finding]:
    """The age of the last backup that `manage.py backup` made with this VAR."""
    # Imported here: it loads psycopg, and this module is loaded in each process.
    from compliance.backup import creation

    at = creation.last().get("at")
    if at is None:
        yield warning(
            "backup", f"`{settings.PROGRAM} backup` has made none yet", ADVICE
        )
        return
    text = f"the last one was made at {at}"
    if now() - datetime.fromisoformat(str(at)) > OLD:
        yield warning("backup", text, ADVICE)
    else:
        yield ok("backup", text)
