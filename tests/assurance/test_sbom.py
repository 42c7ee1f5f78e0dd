"""The list of packages is whole, fits its schema, and is the same each time."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest

from assurance import locks, sbom
from tests.docs.pages import ROOT, read


@pytest.fixture(scope="module")
def content() -> dict[str, Any]:
    return json.loads(sbom.text())


def test_it_lists_what_is_locked(content):
    listed = {(one["name"], one["version"]) for one in content["components"]}
    assert listed == {(row.name, row.version) for row in locks.packages()}
    assert (content["bomFormat"], content["specVersion"]) == ("CycloneDX", "1.6")


def test_the_hashes_are_those_of_the_lock_files(content):
    [django] = [one for one in content["components"] if one["name"] == "django"]
    [files] = django["externalReferences"]
    listed = {one["content"] for one in files["hashes"]}
    locked = [row for row in locks.packages() if row.name == "django"]
    assert listed == set(locked[0].hashes)
    assert django["scope"] == "required"
    assert django["licenses"] == [{"license": {"id": "BSD-3-Clause"}}]


def test_tools_are_not_part_of_what_runs(content):
    scopes = {one["name"]: one["scope"] for one in content["components"]}
    assert scopes["pytest"] == "excluded"
    assert scopes["rapidocr"] == "optional"
    assert scopes["requests"] == "required"


def test_what_is_installed_everywhere_has_a_licence(content):
    without = [
        one["name"]
        for one in content["components"]
        if one["scope"] == "required"
        and "requirements:marker" not in {p["name"] for p in one["properties"]}
        and not one.get("licenses")
    ]
    assert without == []


def test_the_graph_begins_with_the_product(content):
    graph = {one["ref"]: one.get("dependsOn", []) for one in content["dependencies"]}
    [django] = [name for name in graph if name.startswith("pkg:pypi/django@")]
    [asgiref] = [name for name in graph if name.startswith("pkg:pypi/asgiref@")]
    assert django in graph["compliance-desk"]
    assert asgiref in graph[django]


def test_the_same_packages_are_the_same_bytes_and_others_are_not(tmp_path, content):
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    assert json.loads(sbom.text(tmp_path)) == content
    lock = tmp_path / "requirements" / "base.txt"
    lock.write_text(lock.read_text().replace("sha256:0", "sha256:f", 1))
    changed = json.loads(sbom.text(tmp_path))
    assert changed["serialNumber"] != content["serialNumber"]
    assert changed["components"] != content["components"]


def test_a_list_that_does_not_fit_its_schema_is_refused():
    with pytest.raises(ValueError, match="does not fit the schema"):
        sbom.validate('{"version": "x"}')


def test_the_command_writes_the_file(tmp_path, capsys):
    target = tmp_path / "folder" / "sbom.json"
    assert sbom.main(str(target)) == 0
    sbom.validate(target.read_text())
    assert target.read_text() == sbom.text()
    assert "packages" in capsys.readouterr().out


def test_ci_makes_the_list_and_the_audit():
    run = read(".ci/run")
    assert "\nmake sbom\n" in run
    assert "\nmake audit\n" in run
