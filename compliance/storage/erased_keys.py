"""The ids of erased data keys, in a file outside the database.

A backup that is restored brings erased keys back. `manage.py erase_again` erases what the file lists.
The file has one id a line, which is only ever added. It says nothing about anybody.
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from django.conf import settings

from compliance.storage import atomic_files


def listed() -> set[int]:
    """The ids in the file. A line that a crash left incomplete is no id of a key: nothing has it."""
    try:
        lines = settings.ERASED_KEYS.read_text(encoding="ascii").split()
    except FileNotFoundError:
        return set()
    return {int(line) for line in lines if line.isdigit()}


def add(ids: Iterable[int]) -> None:
    """Append the ids that the file does not have. Raises OSError."""
    missing = sorted(set(ids) - listed())
    if not missing:
        return
    path = settings.ERASED_KEYS
    atomic_files.make_folders(path.parent)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        # The line before may be incomplete.
        file.write("\n" + "".join(f"{key_id}\n" for key_id in missing))
        file.flush()
        os.fsync(file.fileno())
