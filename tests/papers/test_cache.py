from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from papers import cache


def test_who_comes_at_once_gets_the_same_folder(tmp_path):
    def make(folder):
        (folder / "file").write_text("x")

    with ThreadPoolExecutor(8) as pool:
        folders = set(
            pool.map(lambda _: cache.folder(tmp_path, "made", make), range(8))
        )
    assert folders == {tmp_path / "made"}
    assert [path.name for path in tmp_path.iterdir()] == ["made"]


def test_what_failed_leaves_nothing(tmp_path):
    def fail(folder):
        raise ValueError("no font")

    with pytest.raises(ValueError, match="no font"):
        cache.folder(tmp_path, "made", fail)
    assert list(tmp_path.iterdir()) == []


def test_another_code_has_another_fingerprint(tmp_path):
    source = tmp_path / "code.py"
    source.write_text("one")
    before = cache.fingerprint([str(source)], ["fonttools"])
    assert cache.fingerprint([str(source)], ["fonttools"]) == before
    source.write_text("two")
    assert cache.fingerprint([str(source)], ["fonttools"]) != before
