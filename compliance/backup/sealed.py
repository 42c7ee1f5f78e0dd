"""A byte stream, encrypted and authenticated in chunks with constant memory.

    8 bytes   MAGIC; the last byte is the version
    8 bytes   the id of the backup key
    16 bytes  a random salt: the key of the archive is derived from the backup key with it
    chunks    AES-256-GCM of 1 MiB each, the last one shorter or empty

The nonce of a chunk consists of its number and a flag for the last chunk, and the header is
authenticated with each chunk. So chunks cannot be exchanged, omitted, added, or moved between
archives, and a truncated archive is detected.
"""

from __future__ import annotations

import io
import secrets
import struct
from typing import IO, Any

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from compliance.backup import keys
from compliance.backup.errors import BackupError

MAGIC = b"CDBACKP\x01"
SALT_BYTES = 16
_HEADER = struct.Struct(f">{len(MAGIC)}s8s{SALT_BYTES}s")
CHUNK = 1 << 20
TAG_BYTES = 16


class SealingWriter(io.RawIOBase):
    """Encrypts what is written to it into `target`.

    Without `finish()` the archive stays incomplete.
    """

    def __init__(self, target: IO[bytes], key: bytes) -> None:
        salt = secrets.token_bytes(SALT_BYTES)
        self._target = target
        self._header = _HEADER.pack(MAGIC, bytes.fromhex(keys.key_id(key)), salt)
        self._cipher = AESGCM(keys.archive_key(key, salt))
        self._buffer = bytearray()
        self._number = 0
        target.write(self._header)

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._buffer += data
        # Keep a full buffer until more data comes: finish() must write the last chunk, with its
        # flag.
        while len(self._buffer) > CHUNK:
            self._write_chunk(bytes(self._buffer[:CHUNK]), is_last=False)
            del self._buffer[:CHUNK]
        return len(data)

    def finish(self) -> None:
        self._write_chunk(bytes(self._buffer), is_last=True)
        self._buffer.clear()

    def _write_chunk(self, plain: bytes, *, is_last: bool) -> None:
        nonce = _nonce(self._number, is_last=is_last)
        self._target.write(self._cipher.encrypt(nonce, plain, self._header))
        self._number += 1


class UnsealingReader(io.RawIOBase):
    """The decrypted content of an archive. Raises BackupError if it was changed or truncated, or
    for another key."""

    def __init__(self, source: IO[bytes], key: bytes) -> None:
        self._source = source
        self._header = source.read(_HEADER.size)
        if len(self._header) < _HEADER.size or not self._header.startswith(MAGIC):
            raise BackupError("This file is no backup of this program.")
        _, wanted, salt = _HEADER.unpack(self._header)
        if wanted.hex() != keys.key_id(key):
            raise BackupError(
                f"This backup was encrypted with the key of backups {wanted.hex()};"
                f" the one that was given is {keys.key_id(key)}."
            )
        self._cipher = AESGCM(keys.archive_key(key, salt))
        # Read one chunk ahead: only then is it known whether a chunk is the last.
        self._following = source.read(CHUNK + TAG_BYTES)
        self._is_finished = False
        self._number = 0
        self._plain = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self._plain and not self._is_finished:
            self._read_chunk()
        part = self._plain[: len(buffer)]
        buffer[: len(part)] = part
        self._plain = self._plain[len(part) :]
        return len(part)

    def _read_chunk(self) -> None:
        sealed = self._following
        self._following = self._source.read(CHUNK + TAG_BYTES)
        is_last = not self._following
        nonce = _nonce(self._number, is_last=is_last)
        try:
            plain = self._cipher.decrypt(nonce, sealed, self._header)
        # ValueError: the chunk is shorter than an authentication tag.
        except (InvalidTag, ValueError):
            raise BackupError(
                "This backup is incomplete or was changed:"
                f" what stands from byte {_HEADER.size + self._number * (CHUNK + TAG_BYTES):,} on cannot be authenticated."
            ) from None
        self._plain = memoryview(plain)
        self._number += 1
        self._is_finished = is_last


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])
