"""The archive of a backup: a tar file in an encrypted stream, handled with constant memory.

The order of its members:

    about.json        what it is, and what a restore needs: read before anything is written
    documents/…       the files of the store, unchanged (each encrypted with its data key)
    database          an SQLite file, or a dump in the custom format of pg_dump
    documents/…       files that were added while the first ones were read
    trail/…           the anchors, and the public keys that verify them
    erased-keys       the ids of erased data keys
    parts.jsonl       a JSON object per line for each member above: part, bytes, sha256
    manifest.json     the rows of each table, the number of documents, the SHA-256 of parts.jsonl

A reader generates the lines of parts.jsonl again and compares.
"""

from __future__ import annotations

import hashlib
import io
import json
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from compliance.backup.errors import BackupError
from compliance.backup.sealed import CHUNK, SealingWriter, UnsealingReader

ABOUT = "about.json"
DATABASE = "database"
DOCUMENTS = "documents/"
TRAIL = "trail/"
ERASED_KEYS = "erased-keys"
PARTS = "parts.jsonl"
MANIFEST = "manifest.json"
# The most bytes of a member that is read as a whole: about.json and manifest.json.
MAX_JSON = 4 << 20


class ArchiveWriter:
    """Writes the members, and records each in the file `parts`, which becomes parts.jsonl."""

    def __init__(self, target: IO[bytes], key: bytes, parts: IO[bytes]) -> None:
        self._sealed = SealingWriter(target, key)
        # Closed only by finish(): an incomplete archive must not look complete.
        self._tar = tarfile.open(  # noqa: SIM115
            mode="w|",
            fileobj=self._sealed,
            bufsize=CHUNK,
            format=tarfile.PAX_FORMAT,
        )
        self._parts = parts
        self._parts_digest = hashlib.sha256()

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        """Add `size` bytes of `source`. Raises BackupError if it has fewer."""
        reader = _Counted(source, size)
        self._add_member(name, reader, size)
        line = _part_line(name, size, reader.digest.hexdigest())
        self._parts.write(line)
        self._parts_digest.update(line)

    def add_json(self, name: str, value: object) -> None:
        content = json.dumps(value, indent=1).encode()
        self.add(name, io.BytesIO(content), len(content))

    def finish(self, manifest: dict[str, object]) -> None:
        size = self._parts.tell()
        self._parts.seek(0)
        self._add_member(PARTS, self._parts, size)
        digest = self._parts_digest.hexdigest()
        content = json.dumps({**manifest, PARTS: digest}, indent=1).encode()
        self._add_member(MANIFEST, io.BytesIO(content), len(content))
        self._tar.close()
        self._sealed.finish()

    def _add_member(self, name: str, source: Any, size: int) -> None:
        member = tarfile.TarInfo(name)
        member.size = size
        member.mode = 0o600
        try:
            self._tar.addfile(member, source)
        except OSError as exc:
            # tarfile raises this without errno if the file has become shorter.
            if exc.errno is None:
                message = f"{name} became shorter while it was read."
                raise BackupError(message) from exc
            raise
        _forget_members(self._tar)


class Part:
    """A member that is being read: call `read(size)` until it returns no bytes."""

    def __init__(self, name: str, source: IO[bytes], size: int) -> None:
        self.name = name
        self.size = size
        self._source = source
        self.digest = hashlib.sha256()

    def read(self, size: int = CHUNK) -> bytes:
        data = self._source.read(size)
        self.digest.update(data)
        return data

    def chunks(self) -> Iterator[bytes]:
        while data := self.read():
            yield data

    def read_json(self) -> dict[str, object]:
        if self.size > MAX_JSON:
            message = f"{self.name} of this backup is too large."
            raise BackupError(message)
        value = json.loads(b"".join(self.chunks()))
        if not isinstance(value, dict):
            message = f"{self.name} of this backup is no object."
            raise BackupError(message)
        return value


class ArchiveReader:
    """Reads an archive once from its start. `manifest` is set after `parts()` has ended.

    Every byte is authenticated before it is returned. Whether the archive is complete is known only
    at its end.
    """

    def __init__(self, source: IO[bytes], key: bytes) -> None:
        sealed = io.BufferedReader(UnsealingReader(source, key), CHUNK)
        try:
            # The caller closes the source.
            self._tar = tarfile.open(  # noqa: SIM115
                mode="r|", fileobj=sealed, bufsize=CHUNK
            )
        except tarfile.TarError as exc:
            message = f"This backup cannot be read: {exc}."
            raise BackupError(message) from exc
        self._sealed = sealed
        self._digest = hashlib.sha256()
        self.manifest: dict[str, object] = {}

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order.

        The caller need not read them completely. Raises BackupError.
        """
        stored_digest = ""
        while part := self._next():
            if part.name == PARTS:
                for _ in part.chunks():
                    pass
                stored_digest = part.digest.hexdigest()
            elif part.name == MANIFEST:
                self.manifest = part.read_json()
            else:
                yield part
                for _ in part.chunks():
                    pass
                line = _part_line(part.name, part.size, part.digest.hexdigest())
                self._digest.update(line)
        # After the tar file comes padding. Reading the last chunk proves that nothing was cut off.
        while self._sealed.read(CHUNK):
            pass
        digest = self._digest.hexdigest()
        if not stored_digest == digest == self.manifest.get(PARTS):
            raise BackupError("The parts of this backup are not those of its manifest.")

    def _next(self) -> Part | None:
        try:
            member = self._tar.next()
        except tarfile.TarError as exc:
            message = f"This backup cannot be read: {exc}."
            raise BackupError(message) from exc
        if member is None:
            return None
        _forget_members(self._tar)
        source = self._tar.extractfile(member)
        if source is None:
            message = f"{member.name} of this backup is no file."
            raise BackupError(message)
        return Part(member.name, source, member.size)


class _Counted:
    """At most `size` bytes of a file, with their digest: the file may grow while it is read."""

    def __init__(self, source: IO[bytes], size: int) -> None:
        self._source = source
        self._rest = size
        self.digest = hashlib.sha256()

    def read(self, size: int) -> bytes:
        data = self._source.read(min(size, self._rest))
        self._rest -= len(data)
        self.digest.update(data)
        return data


def _forget_members(tar: tarfile.TarFile) -> None:
    """Clear tarfile's list of members: millions of documents would fill the memory."""
    tar.members.clear()  # type: ignore[attr-defined]


def _part_line(name: str, size: int, sha256: str) -> bytes:
    part = {"part": name, "bytes": size, "sha256": sha256}
    return json.dumps(part).encode() + b"\n"


def open_source(path: Path) -> IO[bytes]:
    """Open a backup file for reading. Raises BackupError."""
    try:
        return path.open("rb")
    except OSError as exc:
        message = f"{path} cannot be read: {exc.strerror}."
        raise BackupError(message) from exc
