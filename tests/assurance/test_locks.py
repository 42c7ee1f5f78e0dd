"""The lock files: a hash for each package, and no place to load it from."""

from __future__ import annotations

import pytest

from assurance import locks
from tests.docs.pages import ROOT, read


def test_every_package_has_a_hash():
    without = [row.name for row in locks.packages() if not row.hashes]
    assert without == []


def test_every_package_of_the_lists_is_locked():
    for name in locks.names_of_sets():
        rows = list(locks.parse(name, read(f"requirements/{name}.txt")))
        brought = {
            row.name for row in rows if f"-r requirements/{name}.in" in row.parents
        }
        assert brought, name


def test_no_lock_file_names_an_index():
    for name in locks.names_of_sets():
        text = read(f"requirements/{name}.txt")
        assert "index-url" not in text
        assert "://" not in text
        assert " @ " not in text


def test_one_package_is_one_version_in_what_is_installed_together():
    versions: dict[str, set[tuple[str, str]]] = {}
    for row in locks.packages():
        if row.set in {"base", "dev"}:
            versions.setdefault(row.name, set()).add((row.version, row.marker))
    for name, pairs in versions.items():
        unconditional = {version for version, marker in pairs if not marker}
        assert len(unconditional) <= 1, name


def test_a_line_without_a_version_is_an_error():
    with pytest.raises(ValueError, match=r"base\.txt: this is no locked version"):
        list(locks.parse("base", "django>=5\n"))


def test_the_image_installs_by_hash():
    assert (
        "--require-hashes -r requirements/base.txt" in (ROOT / "Dockerfile").read_text()
    )
