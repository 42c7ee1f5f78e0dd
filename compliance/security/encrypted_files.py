"""Encrypted document storage: wraps any Django storage, and encrypts its files as they are written.

A file is encrypted with the data key that its content names (`data_key_id`, set by
PersonalFileField), otherwise with that of the installation. Its format:

    8 bytes   MAGIC; the last byte is the version
    8 bytes   the id of the data key, big-endian
    16 bytes  a random salt: the key of the file is derived from the data key with it
    chunks    AES-256-GCM of 64 KiB each, the last one shorter or empty

The nonce of a chunk consists of its number and a flag for the last chunk, and the header is
authenticated with each chunk. So chunks cannot be exchanged, omitted, added, or moved between
files.

A file that was stored before encryption has no magic and is read unchanged. Read files only by
`open`: the content at `path` is encrypted.
"""

from __future__ import annotations

import io
import secrets
import struct
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from os import PathLike
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.core.files.base import File
from django.core.files.storage import Storage
from django.utils.module_loading import import_string

from compliance.db import masks
from compliance.security import data_keys
from compliance.storage import many_files, orphans, stored_files

MAGIC = b"\xf9sealed\x01"
SALT_BYTES = 16
_HEADER = struct.Struct(f">{len(MAGIC)}sQ{SALT_BYTES}s")
CHUNK = 64 << 10
TAG_BYTES = 16
_SEALED_CHUNK = CHUNK + TAG_BYTES


class EncryptedStorage(Storage):
    """A storage that encrypts the files of the storage `backend`, created with `options`."""

    def __init__(self, backend: str, options: dict[str, object] | None = None) -> None:
        self.inner: Storage = import_string(backend)(**(options or {}))

    def _save(self, name: str, content: File[bytes]) -> str:
        self._refuse_lost_store()
        key_id = getattr(content, "data_key_id", data_keys.INSTALLATION)
        # Encrypts while the inner storage reads it, so no unencrypted copy is written.
        sealed: object = EncryptingFile(content, key_id)
        # Storage.save ends in this method of the inner storage. The name was checked before.
        saved: str = self.inner._save(name, sealed)  # type: ignore[attr-defined]
        return saved

    def save_all(self, files: Sequence[tuple[str, File[bytes]]]) -> list[str]:
        """Encrypt and write new files side by side: all, or none. Returns their names.

        `files`: pairs of the wanted name and the content. Raises as save() does.
        """
        self._refuse_lost_store()
        sealed: list[tuple[str, File[bytes]]] = []
        for name, content in files:
            key_id = getattr(content, "data_key_id", data_keys.INSTALLATION)
            sealed.append((name, EncryptingFile(content, key_id)))
        return many_files.save(self.inner, sealed)

    def open_all(self, names: Sequence[str]) -> list[File[bytes] | Exception]:
        """Open files that the store was asked for side by side.

        For each name the decrypted content, or the error that open() would raise.
        """
        masks.refuse()
        results: list[File[bytes] | Exception] = []
        answers = many_files.load(self.inner, names)
        for name, answer in zip(names, answers, strict=True):
            if isinstance(answer, Exception):
                results.append(answer)
                continue
            try:
                results.append(opened(answer, name))
            except stored_files.StoredError as exc:
                results.append(exc)
        return results

    def delete_all(self, names: Iterable[str]) -> None:
        """Delete files that no row names, side by side. One that stays raises nothing."""
        many_files.delete(self.inner, names)

    def _refuse_lost_store(self) -> None:
        """Raise NoStoreError if the store is empty and rows own files.

        A disk that is not mounted leaves an empty folder. Files written there would be lost from
        view when it is mounted again, and files of the disk would count as lost for ever.
        """
        is_empty = getattr(self.inner, "is_empty", None)
        if is_empty is None or not is_empty():
            return
        if next(orphans.names_of_rows(), None) is not None:
            raise stored_files.NoStoreError

    def _open(self, name: str, mode: str = "rb") -> File[bytes]:
        if mode != "rb":
            raise ValueError("A stored file is only read.")
        masks.refuse()
        return opened(self.inner.open(name, "rb"), name)

    def size(self, name: str) -> int:
        """The size of the decrypted content in bytes."""
        with self.open(name) as file:
            return int(file.seek(0, io.SEEK_END))

    def path(self, name: str) -> str:
        return self.inner.path(name)

    def version_of(self, name: str) -> stored_files.Version | None:
        """The version of the encrypted file; None if the inner storage has no versions."""
        version_of = getattr(self.inner, "version_of", None)
        version: stored_files.Version | None = None
        if version_of is not None:
            version = version_of(name)
        return version

    def files(self, folder: str) -> Iterator[tuple[str, float]]:
        """The files of a folder as (name, modification time), as the inner storage lists them.

        Raises NotImplementedError if it cannot list files.
        """
        files = getattr(self.inner, "files", None)
        if files is None:
            raise NotImplementedError
        listed: Iterator[tuple[str, float]] = files(folder)
        return listed

    def delete(self, name: str) -> None:
        self.inner.delete(name)

    def exists(self, name: str) -> bool:
        return self.inner.exists(name)

    def listdir(self, path: str) -> tuple[list[str], list[str]]:
        return self.inner.listdir(path)

    def url(self, name: str | None) -> str:
        return self.inner.url(name)

    def get_available_name(self, name: str, max_length: int | None = None) -> str:
        return self.inner.get_available_name(name, max_length)

    def generate_filename(self, filename: str | PathLike[str]) -> str:
        return self.inner.generate_filename(filename)

    def get_accessed_time(self, name: str) -> datetime:
        return self.inner.get_accessed_time(name)

    def get_created_time(self, name: str) -> datetime:
        return self.inner.get_created_time(name)

    def get_modified_time(self, name: str) -> datetime:
        return self.inner.get_modified_time(name)


class EncryptingFile(File[bytes]):
    """A file's encrypted form, for a storage that reads it from its start, maybe repeatedly."""

    def __init__(self, source: File[bytes], key_id: int) -> None:
        super().__init__(source.file, source.name)
        self._source = source
        self._salt = secrets.token_bytes(SALT_BYTES)
        self._header = _HEADER.pack(MAGIC, key_id, self._salt)
        self._cipher = _cipher(key_id, self._salt)
        self._rest = self.chunks()
        self._buffer = b""

    def chunks(self, chunk_size: int | None = None) -> Iterator[bytes]:
        # The storage may read the file again after a failed attempt.
        self._source.seek(0)
        yield self._header
        number = 0
        plain = self._read_chunk()
        while True:
            # Read one chunk ahead: only then is it known whether this chunk is the last.
            following = self._read_chunk() if len(plain) == CHUNK else b""
            nonce = _nonce(number, is_last=not following)
            yield self._cipher.encrypt(nonce, plain, self._header)
            if not following:
                return
            plain = following
            number += 1

    def _read_chunk(self) -> bytes:
        """The next CHUNK bytes; fewer only at the end of the file."""
        parts = []
        missing = CHUNK
        while missing and (part := self._source.read(missing)):
            parts.append(part)
            missing -= len(part)
        return b"".join(parts)

    # Network storages read the file like any file object.
    def read(self, size: int = -1) -> bytes:
        if size < 0:
            # Joined once: adding chunk by chunk would copy a large file some hundred times.
            data = b"".join([self._buffer, *self._rest])
            self._buffer = b""
            return data
        while len(self._buffer) < size:
            chunk = next(self._rest, b"")
            if not chunk:
                break
            self._buffer += chunk
        data, self._buffer = self._buffer[:size], self._buffer[size:]
        return data

    def seek(self, offset: int, whence: int = 0) -> int:
        if offset or whence:
            raise io.UnsupportedOperation("It is read from its start.")
        self._rest = self.chunks()
        self._buffer = b""
        return 0

    @property
    def size(self) -> int:
        # The number of chunks, rounded up. An empty file has one empty chunk.
        count = max(1, -(-self._source.size // CHUNK))
        return _HEADER.size + self._source.size + count * TAG_BYTES

    @property
    def closed(self) -> bool:
        return False

    def close(self) -> None:
        """Does nothing: whoever opened the source closes it."""


class _Decrypting(io.RawIOBase):
    """The decrypted content of a file. Raises stored_files.ChangedError if the file was changed."""

    def __init__(self, source: IO[bytes], key_id: int, salt: bytes) -> None:
        self._source = source
        self._header = _HEADER.pack(MAGIC, key_id, salt)
        self._cipher = _cipher(key_id, salt)
        # The size of all chunks with their tags.
        sealed = source.seek(0, io.SEEK_END) - _HEADER.size
        # Even an empty file has one chunk. The divisions round up.
        self._count = -(-sealed // _SEALED_CHUNK)
        self._size = sealed - self._count * TAG_BYTES
        if sealed < TAG_BYTES or self._size < 0:
            raise stored_files.ChangedError
        self._position = 0
        self._chunk = b""
        self._number = -1

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        starts = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}
        self._position = max(0, starts[whence] + offset)
        return self._position

    def readinto(self, buffer: Any) -> int:
        if self._position >= self._size:
            # Decrypt the only chunk of an empty file: this proves that nothing was cut off.
            if self._size == 0:
                self._load(0)
            return 0
        number, start = divmod(self._position, CHUNK)
        self._load(number)
        part = self._chunk[start : start + len(buffer)]
        buffer[: len(part)] = part
        self._position += len(part)
        return len(part)

    def _load(self, number: int) -> None:
        # This chunk is decrypted already: small reads mostly stay within one chunk.
        if number == self._number:
            return
        self._source.seek(_HEADER.size + number * _SEALED_CHUNK)
        sealed = self._source.read(_SEALED_CHUNK)
        nonce = _nonce(number, is_last=number == self._count - 1)
        try:
            self._chunk = self._cipher.decrypt(nonce, sealed, self._header)
        # ValueError: the chunk is shorter than an authentication tag.
        except (InvalidTag, ValueError):
            raise stored_files.ChangedError from None
        self._number = number

    def close(self) -> None:
        if not self.closed:
            self._source.close()
        super().close()


def opened(source: File[bytes], name: str) -> File[bytes]:
    """The decrypted content of a stored file; unencrypted older files are returned unchanged.

    `source` is the file as stored. It is closed together with the returned file. Raises
    stored_files.ChangedError or stored_files.ErasedFileError.
    """
    header = source.read(_HEADER.size)
    if not header.startswith(MAGIC):
        # An older, unencrypted file.
        source.seek(0)
        return source
    try:
        if len(header) < _HEADER.size:
            raise stored_files.ChangedError
        _, key_id, salt = _HEADER.unpack(header)
        raw: Any = _Decrypting(source, key_id, salt)
    except data_keys.ErasedError:
        source.close()
        raise stored_files.ErasedFileError from None
    except data_keys.DataKeyError:
        source.close()
        raise stored_files.ChangedError from None
    except stored_files.StoredError:
        source.close()
        raise
    return File(io.BufferedReader(raw, CHUNK), name)


def is_encrypted(source: IO[bytes]) -> bool:
    """Whether a file, as stored, is encrypted. Leaves its position at the start."""
    source.seek(0)
    start = source.read(len(MAGIC))
    source.seek(0)
    return start == MAGIC


def _cipher(key_id: int, salt: bytes) -> AESGCM:
    return AESGCM(data_keys.derive(key_id, b"file", salt=salt))


# The nonces of a file differ, and each file has its own key, so no nonce is used twice.
def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])
