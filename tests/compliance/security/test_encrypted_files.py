from __future__ import annotations

import io
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from compliance.security import data_keys, encrypted_files
from compliance.security.encrypted_files import CHUNK, TAG_BYTES
from compliance.storage import stored_files

pytestmark = pytest.mark.django_db
HEADER = encrypted_files._HEADER.size
SIZES = [0, 1, 1000, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK, 3 * CHUNK + 7]


def content_of(size: int) -> bytes:
    return (b"Szymanska 0123456789 " * (size // 20 + 1))[:size]


def save(data: bytes, key_id: int = 0, name: str = "originals/file.pdf") -> str:
    content = ContentFile(data)
    content.data_key_id = key_id  # type: ignore[attr-defined]
    return default_storage.save(name, content)


def read(name: str) -> bytes:
    with default_storage.open(name) as file:
        return bytes(file.read())


def stored(name: str) -> Path:
    return Path(default_storage.path(name))


@pytest.mark.parametrize("size", SIZES)
def test_a_file_is_read_as_it_was_written(size):
    key = data_keys.create()
    name = save(content_of(size), key.pk)
    assert read(name) == content_of(size)
    assert default_storage.size(name) == size
    raw = stored(name).read_bytes()
    assert raw.startswith(encrypted_files.MAGIC)
    assert b"Szymanska" not in raw


def test_a_file_is_read_from_any_place():
    data = content_of(3 * CHUNK + 7)
    with default_storage.open(save(data)) as file:
        for place in (0, 5, CHUNK - 3, CHUNK, 2 * CHUNK + 1, 3 * CHUNK + 6):
            file.seek(place)
            assert file.read(20) == data[place : place + 20]
        assert file.seek(-7, io.SEEK_END) == 3 * CHUNK
        assert file.read() == data[-7:]
        assert file.read() == b""
        file.seek(0)
        assert b"".join(file.chunks()) == data
        assert file.size == len(data)


def test_without_a_key_of_a_case_it_has_that_of_the_installation():
    name = default_storage.save("a.pdf", ContentFile(b"abc"))
    assert stored(name).read_bytes()[8:16] == bytes(8)
    assert read(name) == b"abc"


def test_two_files_of_the_same_content_differ():
    names = [save(b"abc", name=f"{number}.pdf") for number in range(2)]
    first, second = [stored(name).read_bytes()[16:] for name in names]
    assert first != second


def test_a_name_that_is_taken_gets_another():
    first, second = save(b"abc"), save(b"def")
    assert first != second
    assert (read(first), read(second)) == (b"abc", b"def")


def damage(name: str) -> dict[str, bytes]:
    """The forms that somebody without the key could give to a file of three whole chunks."""
    raw = stored(name).read_bytes()
    head, body = raw[:HEADER], raw[HEADER:]
    step = CHUNK + TAG_BYTES
    chunks = [body[start : start + step] for start in range(0, len(body), step)]
    one, two, three = chunks
    return {
        "a bit": raw[:-30] + bytes([raw[-30] ^ 1]) + raw[-29:],
        "a bit of the first chunk": raw[: HEADER + 5]
        + bytes([raw[HEADER + 5] ^ 1])
        + raw[HEADER + 6 :],
        "key id": raw[:15] + bytes([raw[15] ^ 1]) + raw[16:],
        "salt": raw[:20] + bytes([raw[20] ^ 1]) + raw[21:],
        "cut within a chunk": raw[:-5],
        "cut after a chunk": head + one + two,
        "only the header": head,
        "half a header": raw[: HEADER - 3],
        "exchanged": head + two + one + three,
        "twice": head + one + one + three,
        "left out": head + one + three,
        "added": raw + three,
        "a byte added": raw + b"\0",
    }


KINDS = [
    "a bit",
    "a bit of the first chunk",
    "key id",
    "salt",
    "cut within a chunk",
    "cut after a chunk",
    "only the header",
    "half a header",
    "exchanged",
    "twice",
    "left out",
    "added",
    "a byte added",
]


@pytest.mark.parametrize("kind", KINDS)
def test_a_changed_file_is_not_read(kind):
    name = save(content_of(3 * CHUNK), data_keys.create().pk)
    changed = damage(name)
    assert sorted(changed) == sorted(KINDS)
    stored(name).write_bytes(changed[kind])
    with pytest.raises(stored_files.ChangedError):
        read(name)


def test_an_empty_file_that_was_cut_is_not_read():
    name = save(b"")
    stored(name).write_bytes(stored(name).read_bytes()[:-1])
    with pytest.raises(stored_files.ChangedError):
        read(name)


def test_a_file_under_the_header_of_another_is_not_read():
    key = data_keys.create()
    one, two = save(content_of(100), key.pk), save(content_of(100), key.pk)
    first, second = stored(one).read_bytes(), stored(two).read_bytes()
    stored(one).write_bytes(first[:HEADER] + second[HEADER:])
    with pytest.raises(stored_files.ChangedError):
        read(one)


def test_a_file_of_an_erased_case_says_so():
    key = data_keys.create()
    name = save(b"abc", key.pk)
    data_keys.erase(key.pk)
    with pytest.raises(stored_files.ErasedFileError, match="erased"):
        read(name)


@pytest.mark.parametrize("data", [b"", b"x", b"\xf9sealed", content_of(2 * CHUNK)])
def test_a_file_of_a_version_before_is_read_as_it_is(data):
    name = save(b"abc")
    stored(name).write_bytes(data)
    assert read(name) == data
    assert default_storage.size(name) == len(data)


def test_a_file_is_never_opened_for_writing():
    name = save(b"abc")
    with pytest.raises(ValueError, match="only read"):
        default_storage.open(name, "wb")


def test_a_storage_over_the_network_can_read_it_piece_by_piece():
    data = content_of(2 * CHUNK + 5)
    file = encrypted_files.EncryptingFile(ContentFile(data), 0)
    first = b"".join(iter(lambda: file.read(10_000), b""))
    file.seek(0)
    assert len(first) == file.size
    assert file.read() == first
    source = encrypted_files.opened(ContentFile(first), "name")
    assert source.read() == data
