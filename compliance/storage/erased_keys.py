"""The list of erased data keys, in a file outside of the database.

Restoring a backup brings erased keys back; `manage.py erase_again` erases those in the list again.
The file has one id per line and is only appended to. The ids say nothing about people.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from django.conf import settings

from compliance.storage import atomic_files


def listed() -> set[int]:
    """The ids in the file.

    A line that is incomplete after a crash is harmless. Ids are random numbers of 62 bits, so no key
    has a part of one as its id.
    """
    try:
        lines = settings.ERASED_KEYS.read_text(encoding="ascii").split()
    except FileNotFoundError:
        return set()
    return {int(line) for line in lines if line.isdigit()}


def add(ids: Iterable[int]) -> None:
    """Append the ids that are missing in the file. Raises OSError."""
    missing = sorted(set(ids) - listed())
    if not missing:
        return
    path = settings.ERASED_KEYS
    atomic_files.make_folders(path.parent)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        # Begin with a line break, because the line before may be incomplete.
        file.write("\n" + "".join(f"{key_id}\n" for key_id in missing))
        file.flush()
        os.fsync(file.fileno())
    # The name of a new file: without it a power cut could take the whole list.
    atomic_files.sync_folder(path.parent)
