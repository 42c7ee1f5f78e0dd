"""The encrypted stream: what was changed, cut off or exchanged is refused."""

from __future__ import annotations

import io
import tracemalloc

import pytest

from compliance.backup import keys
from compliance.backup.errors import BackupError
from compliance.backup.sealed import (
    _HEADER,
    CHUNK,
    TAG_BYTES,
    SealingWriter,
    UnsealingReader,
)

KEY = b"k" * 40
SEALED = CHUNK + TAG_BYTES


def sealed(content: bytes, *, key: bytes = KEY) -> bytes:
    target = io.BytesIO()
    writer = SealingWriter(target, key)
    writer.write(content)
    writer.finish()
    return target.getvalue()


def opened(content: bytes, *, key: bytes = KEY) -> bytes:
    return io.BufferedReader(UnsealingReader(io.BytesIO(content), key)).read()


@pytest.mark.parametrize("size", [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK])
def test_what_is_sealed_can_be_opened(size):
    content = bytes(range(256)) * (size // 256 + 1)
    archive = sealed(content[:size])
    assert opened(archive) == content[:size]
    assert len(archive) == _HEADER.size + size + max(1, -(-size // CHUNK)) * TAG_BYTES


def test_two_archives_of_one_content_have_nothing_in_common():
    assert sealed(b"the same")[_HEADER.size :] != sealed(b"the same")[_HEADER.size :]


@pytest.mark.parametrize("place", [8, 20, 40, _HEADER.size, _HEADER.size + SEALED, -1])
def test_a_changed_byte_is_refused(place):
    archive = bytearray(sealed(b"a" * (CHUNK + 10)))
    archive[place] ^= 1
    with pytest.raises(BackupError):
        opened(bytes(archive))


@pytest.mark.parametrize(
    "size",
    [0, 10, _HEADER.size, _HEADER.size + 5, _HEADER.size + SEALED, -TAG_BYTES, -1],
)
def test_an_archive_that_was_cut_off_is_refused(size):
    with pytest.raises(BackupError, match=r"incomplete or was changed|no backup"):
        opened(sealed(b"a" * (2 * CHUNK + 10))[:size])


def test_chunks_that_were_exchanged_or_added_are_refused():
    archive = sealed(b"a" * CHUNK + b"b" * CHUNK + b"c")
    start = _HEADER.size
    first, second = (
        archive[start : start + SEALED],
        archive[start + SEALED : start + 2 * SEALED],
    )
    rest = archive[start + 2 * SEALED :]
    for forged in (second + first + rest, first + rest, archive[start:] + rest):
        with pytest.raises(BackupError, match="incomplete or was changed"):
            opened(archive[:start] + forged)


def test_another_key_is_named():
    other = b"o" * 40
    with pytest.raises(BackupError) as refusal:
        opened(sealed(b"content"), key=other)
    assert keys.key_id(KEY) in str(refusal.value)
    assert keys.key_id(other) in str(refusal.value)


class Nowhere(io.BytesIO):
    def write(self, data):
        return len(data)


def peak_of_writing() -> int:
    """How many bytes were in use at most while 64 MiB were written."""
    piece = b"x" * (256 << 10)
    writer = SealingWriter(Nowhere(), KEY)
    tracemalloc.start()
    for _ in range(256):
        writer.write(piece)
    writer.finish()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


def test_memory_does_not_grow_with_the_content():
    # What a thread of an earlier test still takes counts, too, but not each time.
    assert min(peak_of_writing() for _ in range(3)) < 8 * CHUNK


@pytest.mark.parametrize("text", ["", "too short", " " * 80])
def test_a_key_that_can_be_guessed_is_refused(tmp_path, text):
    file = tmp_path / "key"
    file.write_text(text)
    with pytest.raises(BackupError, match="This makes one"):
        keys.read(file)


def test_a_key_comes_from_its_file_or_from_the_setting(tmp_path, settings):
    settings.BACKUP_KEY = "s" * 40
    assert keys.read(None) == b"s" * 40
    file = tmp_path / "key"
    file.write_text("f" * 40 + "\n")
    assert keys.read(file) == b"f" * 40
    with pytest.raises(BackupError, match="cannot be read"):
        keys.read(tmp_path / "none")
