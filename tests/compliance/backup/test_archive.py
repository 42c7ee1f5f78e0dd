"""The parts of an archive, and what a hostile or damaged one may not do."""

from __future__ import annotations

import contextlib
import io
import json
import tracemalloc

import pytest

from compliance.backup import archive as archive_module
from compliance.backup.archive import DOCUMENTS, ArchiveReader, ArchiveWriter
from compliance.backup.errors import BackupError
from compliance.backup.parts import documents

KEY = b"k" * 40


def archive(parts: dict[str, bytes], **manifest: object) -> bytes:
    target, notes = io.BytesIO(), io.BytesIO()
    writer = ArchiveWriter(target, KEY, notes)
    for name, content in parts.items():
        writer.add(name, io.BytesIO(content), len(content))
    writer.finish(dict(manifest))
    return target.getvalue()


def test_parts_come_back_in_their_order_with_the_manifest():
    long_name = DOCUMENTS + "ü" * 120 + "/" + "n" * 120
    parts = {"about.json": b"{}", long_name: b"x" * 3_000_000, "database": b""}
    reader = ArchiveReader(io.BytesIO(archive(parts, tables={"a": 1})), KEY)
    contents = {part.name: b"".join(part.chunks()) for part in reader.parts()}
    assert contents == parts
    assert reader.manifest["tables"] == {"a": 1}


def test_a_reader_may_leave_parts_unread():
    reader = ArchiveReader(io.BytesIO(archive({"a": b"1" * 5000, "b": b"2"})), KEY)
    assert [part.name for part in reader.parts()] == ["a", "b"]
    assert reader.manifest


def test_parts_that_are_not_those_of_the_manifest_are_refused():
    reader = ArchiveReader(io.BytesIO(archive({"a": b"1"})), KEY)
    # As if a part before it had been left out by who has the key.
    reader._digest.update(b"{}\n")
    with pytest.raises(BackupError, match="not those of its manifest"):
        list(reader.parts())


def test_a_file_that_became_shorter_is_no_part():
    writer = ArchiveWriter(io.BytesIO(), KEY, io.BytesIO())
    with pytest.raises(BackupError, match="became shorter"):
        writer.add("database", io.BytesIO(b"12"), 3)


def test_a_file_that_became_longer_is_cut_where_it_was():
    target = io.BytesIO()
    writer = ArchiveWriter(target, KEY, io.BytesIO())
    writer.add("trail/anchors.jsonl", io.BytesIO(b"12345"), 3)
    writer.finish({})
    target.seek(0)
    [part] = [one.read() for one in ArchiveReader(target, KEY).parts()]
    assert part == b"123"


@pytest.mark.parametrize("name", ["../outside", "a/../../outside", "/outside"])
def test_a_document_does_not_leave_the_store(tmp_path, name):
    store = documents.folder_store(tmp_path / "documents")
    reader = ArchiveReader(io.BytesIO(archive({DOCUMENTS + name: b"x"})), KEY)
    part = next(reader.parts())
    with pytest.raises(BackupError, match="leads out"):
        documents.write(part, store)
    assert not list(tmp_path.rglob("outside"))


def test_a_document_takes_the_place_of_one_of_its_name(tmp_path):
    store = documents.folder_store(tmp_path / "documents")
    for content in (b"first", b"second"):
        reader = ArchiveReader(
            io.BytesIO(archive({DOCUMENTS + "originals/a": content})), KEY
        )
        for part in reader.parts():
            documents.write(part, store)
        assert (tmp_path / "documents/originals/a").read_bytes() == content
    assert list(documents.names(store)) == ["originals/a"]


def test_a_store_that_takes_no_document_is_named(tmp_path):
    store = documents.folder_store(tmp_path / "documents")
    (tmp_path / "documents").rmdir()
    (tmp_path / "documents").write_bytes(b"a file stands here")
    reader = ArchiveReader(io.BytesIO(archive({DOCUMENTS + "originals/a": b"x"})), KEY)
    part = next(reader.parts())
    with pytest.raises(
        BackupError, match="originals/a cannot be stored: The document store takes"
    ):
        documents.write(part, store)


def test_a_document_that_cannot_be_read_is_named(tmp_path, settings):
    """A backup without it would not be whole, so none is made."""
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "originals").mkdir()
    (tmp_path / "originals/a").symlink_to("/etc/hostname")
    writer = ArchiveWriter(io.BytesIO(), KEY, io.BytesIO())
    collection = documents.Collection(writer, tmp_path / "names")
    with (
        contextlib.closing(collection),
        pytest.raises(BackupError, match="originals/a cannot be read"),
    ):
        collection.add_new()


def test_many_documents_do_not_fill_the_memory():
    writer = ArchiveWriter(_Nowhere(), KEY, _Nowhere())
    tracemalloc.start(10)
    sizes = []
    for number in range(6000):
        writer.add(f"{DOCUMENTS}{number}", io.BytesIO(b"x"), 1)
        if number in {2000, 5999}:
            sizes.append(_bytes_held_by_the_writer())
    tracemalloc.stop()
    assert sizes[1] - sizes[0] < 1 << 18, json.dumps(sizes)


def _bytes_held_by_the_writer() -> int:
    # Threads that earlier tests left allocate too: only what the writer's module asked for counts.
    of_the_writer = tracemalloc.Filter(
        inclusive=True, filename_pattern=archive_module.__file__, all_frames=True
    )
    snapshot = tracemalloc.take_snapshot().filter_traces([of_the_writer])
    return sum(trace.size for trace in snapshot.traces)


class _Nowhere(io.BytesIO):
    def write(self, data):
        return len(data)
