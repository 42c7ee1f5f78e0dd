"""The marker of a running restore: while it exists, nothing starts.

It is a file in VAR, written before the first change and removed after the last check. An
interrupted restore leaves it behind; then the same backup may be restored again.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, register
from django.utils.timezone import now

from compliance.startup import INSTALLATION
from compliance.storage import atomic_files


def path() -> Path:
    return Path(settings.VAR_DIR) / "restore-incomplete.json"


def begin(archive_id: str) -> None:
    entry = {"archive": archive_id, "since": now().isoformat(timespec="seconds")}
    atomic_files.replace(path(), [json.dumps(entry).encode()])


def end() -> None:
    path().unlink(missing_ok=True)
    atomic_files.sync_folder(path().parent)


def interrupted() -> dict[str, str]:
    """The interrupted restore: `archive` and `since`; empty if there is none."""
    try:
        entry: dict[str, str] = json.loads(path().read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    return entry


@register(INSTALLATION)
def no_restore_is_incomplete(**_: Any) -> list[CheckMessage]:
    entry = interrupted()
    if not entry:
        return []
    return [
        Error(
            f"A restore that began at {entry['since']} was interrupted: the documents, and"
            " perhaps the database, are those of neither the installation nor the backup.",
            hint=f"Run `{settings.PROGRAM} restore` with the same file again, or with another and"
            " --overwrite.",
            id="compliance.E007",
        )
    ]
