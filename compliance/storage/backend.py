"""The document store: a folder in which every file is there whole, or not at all."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import Any

from django.core.files.base import ContentFile, File
from django.core.files.storage import FileSystemStorage, default_storage
from django.utils.crypto import get_random_string

from compliance.storage import atomic_files, stored_files

# Where it is tried whether the store takes files.
TRIALS = "trials"


class WholeFileStorage(FileSystemStorage):
    """Django's folder, but for how a file is written, and that only plain files are read.

    open() raises stored_files.ChangedError where a link, a pipe or a folder took the place of a file: the
    one leads to what is not ours, and the other would be waited for. save() raises
    stored_files.FullError where there is no room, and stored_files.NotWritableError where the
    folder takes no files.
    """

    # Django gives no types to it.
    def _save(self, name: str, content: File[bytes]) -> str:
        path = Path(self.path(name))
        try:
            mode = self.directory_permissions_mode
            atomic_files.make_folders(path.parent, mode=0o777 if mode is None else mode)
            kept = self._write(name, content)
        except OSError as exc:
            if exc.errno in atomic_files.DISK_FULL:
                raise stored_files.FullError from exc
            raise stored_files.NotWritableError from exc
        self._ensure_location_group_id(self.path(kept))  # type: ignore[attr-defined]
        return kept

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        return File(open(self.path(name), mode, opener=_plain))

    def _write(self, name: str, content: Any) -> str:
        mode = self.file_permissions_mode
        while True:
            content.seek(0)
            path = Path(self.path(name))
            try:
                atomic_files.write_new(path, content.chunks(), mode=0o666 if mode is None else mode)
            except FileExistsError:
                name = self.get_available_name(name)
            else:
                return name


def _plain(path: str, flags: int) -> int:
    """Open a file that is neither a link nor a pipe, and without waiting for one."""
    try:
        found = os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK, 0o666)
    except OSError as exc:
        # The last step of the path is a link, or has nobody who reads what is written into it.
        if exc.errno in {errno.ELOOP, errno.ENXIO, errno.EISDIR}:
            raise stored_files.ChangedError from exc
        raise
    if not stat.S_ISREG(os.fstat(found).st_mode):
        os.close(found)
        raise stored_files.ChangedError
    return found


def fault() -> str:
    """Why the store takes no files now; "" where it does. Writes one, and removes it."""
    name = f"{TRIALS}/{get_random_string(16)}"
    try:
        kept = default_storage.save(name, ContentFile(b"ready"))
        default_storage.delete(kept)
    except stored_files.StoredError as exc:
        return str(exc)
    except Exception:  # noqa: BLE001 - a store of another kind has errors of its own
        return stored_files.NotWritableError.reason
    return ""
