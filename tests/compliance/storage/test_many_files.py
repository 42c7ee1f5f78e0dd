"""Several files in a document store that answers each question slowly."""

from __future__ import annotations

import threading

import pytest
from django.core.files.base import ContentFile

from compliance.storage import many_files, stored_files
from compliance.storage.backend import WholeFileStorage

PATIENCE = 60.0  # seconds until a question that waits for another one gives up


class Slow(WholeFileStorage):
    """Answers a question when another one has come, too."""

    def __init__(self, folder) -> None:
        super().__init__(location=str(folder))
        self.barrier = threading.Barrier(2)

    def _save(self, name, content):
        self.barrier.wait(PATIENCE)
        return super()._save(name, content)

    def _open(self, name, mode="rb"):
        self.barrier.wait(PATIENCE)
        return super()._open(name, mode)

    def delete(self, name):
        self.barrier.wait(PATIENCE)
        super().delete(name)


class Refusing(WholeFileStorage):
    """Refuses the files of the given names, and counts what it was asked for."""

    def __init__(self, folder, *refused: str) -> None:
        super().__init__(location=str(folder))
        self.refused = refused
        self.asked: list[str] = []

    def _save(self, name, content):
        self.asked.append(name)
        if name in self.refused:
            raise stored_files.FullError
        return super()._save(name, content)


def new_files(count: int) -> list[tuple[str, ContentFile[bytes]]]:
    return [(f"a/{number}.bin", ContentFile(b"%d" % number)) for number in range(count)]


def files_in(folder) -> list[str]:
    return sorted(path.name for path in folder.rglob("*") if path.is_file())


def test_files_are_written_read_and_deleted_side_by_side(tmp_path):
    store = Slow(tmp_path)
    names = many_files.save(store, new_files(4))
    assert names == ["a/0.bin", "a/1.bin", "a/2.bin", "a/3.bin"]
    opened = many_files.load(store, names)
    contents = []
    for file in opened:
        assert not isinstance(file, Exception)
        contents.append(file.read())
        file.close()
    assert contents == [b"0", b"1", b"2", b"3"]
    many_files.delete(store, names)
    assert files_in(tmp_path) == []


def test_after_an_error_no_file_is_left_and_few_more_are_tried(tmp_path):
    store = Refusing(tmp_path, "a/1.bin")
    count = 20 * many_files.FILES_AT_A_TIME
    with pytest.raises(stored_files.FullError):
        many_files.save(store, new_files(count))
    assert files_in(tmp_path) == []
    assert len(store.asked) < count


def test_each_name_gets_its_file_or_its_error(tmp_path):
    store = WholeFileStorage(location=str(tmp_path))
    [name] = many_files.save(store, new_files(1))
    missing, file = many_files.load(store, ["a/none.bin", name])
    assert isinstance(missing, FileNotFoundError)
    assert not isinstance(file, Exception)
    assert file.read() == b"0"
    file.close()


def test_no_file_asks_nothing(tmp_path):
    store = Slow(tmp_path)
    assert many_files.save(store, []) == []
    assert many_files.load(store, []) == []
    many_files.delete(store, [])
