"""The parts of a backup, as a tar file in a sealed stream. Constant memory, whatever there is.

The order of its members:

    about.json        what it is, and what a restore needs: read before anything is written
    documents/…       the files of the store, as they are there (each encrypted with its data key)
    database          an SQLite file, or a dump in the custom format of pg_dump
    documents/…       the files that came while the first ones were read
    trail/…           the anchors, and the public keys that verify them
    erased-keys       the ids of the data keys that were erased
    parts.jsonl       a JSON object a line for each member above: part, bytes, sha256
    manifest.json     the rows of each table, the number of documents, the SHA-256 of parts.jsonl

Who reads it makes the lines of parts.jsonl again, and compares.
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
# Bytes of a part that is read whole: about.json and manifest.json name tables and migrations.
MAX_JSON = 4 << 20


class ArchiveWriter:
    """Writes the members, and notes each in `parts`, a file that is the later parts.jsonl."""

    def __init__(self, target: IO[bytes], key: bytes, parts: IO[bytes]) -> None:
        self._sealed = SealingWriter(target, key)
        # Closed by finish(): an archive that is not finished must not look like one.
        self._tar = tarfile.open(  # noqa: SIM115
            mode="w|",
            fileobj=self._sealed,
            bufsize=CHUNK,
            format=tarfile.PAX_FORMAT,
        )
        self._parts = parts
        self._parts_digest = hashlib.sha256()

    def add(self, name: str, source: IO[bytes], size: int) -> None:
        """Add `size` bytes of `source`. Raises BackupError where it has fewer."""
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
            # What tarfile says of a file that became shorter.
            if exc.errno is None:
                message = f"{name} became shorter while it was read."
                raise BackupError(message) from exc
            raise
        _forget_members(self._tar)


class Part:
    """A member that is being read: `read(size)` until it returns no bytes."""

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
    """Reads an archive once, from its start. After `parts()` has ended, `manifest` is there.

    Every byte is authenticated before it is given. That the archive is whole is known at its end.
    """

    def __init__(self, source: IO[bytes], key: bytes) -> None:
        sealed = io.BufferedReader(UnsealingReader(source, key), CHUNK)
        try:
            # Its source is closed by the caller.
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
        """The parts, one after the other. The caller need not read them to their ends."""
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
        # What follows the tar file is padding; the last chunk says that nothing was cut off.
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
    """At most `size` bytes of a file, with their digest: a file may grow while it is read."""

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
    """tarfile remembers each member: millions of documents would fill the memory."""
    tar.members.clear()  # type: ignore[attr-defined]


def _part_line(name: str, size: int, sha256: str) -> bytes:
    part = {"part": name, "bytes": size, "sha256": sha256}
    return json.dumps(part).encode() + b"\n"


def open_source(path: Path) -> IO[bytes]:
    """Raises BackupError."""
    try:
        return path.open("rb")
    except OSError as exc:
        message = f"{path} cannot be read: {exc.strerror}."
        raise BackupError(message) from exc
