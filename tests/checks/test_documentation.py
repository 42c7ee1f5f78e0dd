"""What docs/writing-a-check.md shows must run."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from checks.base import Examined
from checks.evidence import Evidence
from checks.samples import good_certificate

GUIDE = Path(__file__).parents[2] / "docs" / "writing-a-check.md"


def test_the_check_of_the_guide_runs():
    [example] = re.findall(
        r"## A whole check\n\n```python\n(.*?)```", GUIDE.read_text(), re.DOTALL
    )
    names: dict[str, Any] = {"__name__": "example"}
    exec(compile(example, str(GUIDE), "exec"), names)  # noqa: S102 - our own guide

    check = names["LeaseCheck"]()
    [tool] = check.tools
    outcome = tool.run(Evidence(good_certificate().content, "lease.pdf")).to_wire()
    result = check.conclude([Examined({}, {tool.id: outcome})], {})

    assert (outcome["verdict"], outcome["payload"]["lease_pages"]) == (
        "review",
        {"count": 1},
    )
    assert result.verdict == "review"
    # Else nothing would confirm at the desk what the tool said.
    assert result.payload["documents"] == [outcome["payload"]]
    assert check.conclude([], {}).verdict == "not_applicable"


def _install(folder: Path) -> None:
    """The package of the guide, laid out as an installer leaves it."""
    guide = GUIDE.read_text()
    [example] = re.findall(r"## A whole check\n\n```python\n(.*?)```", guide, re.DOTALL)
    [project] = re.findall(
        r"## In a package of your own\n.*?```toml\n(.*?)```", guide, re.DOTALL
    )
    declared = tomllib.loads(project)
    [package] = declared["tool"]["setuptools"]["packages"]
    (folder / package).mkdir()
    (folder / package / "__init__.py").touch()
    (folder / package / "lease.py").write_text(example)
    name, version = declared["project"]["name"], declared["project"]["version"]
    about = folder / f"{name.replace('-', '_')}-{version}.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    )
    [(group, entries)] = declared["project"]["entry-points"].items()
    lines = [f"[{group}]", *(f"{key} = {value}" for key, value in entries.items())]
    (about / "entry_points.txt").write_text("\n".join(lines))


def test_the_package_of_the_guide_adds_its_check(tmp_path):
    _install(tmp_path)
    document = tmp_path / "lease.pdf"
    document.write_bytes(good_certificate().content)
    command = [
        sys.executable,
        "-m",
        "checks",
        str(document),
        "--check",
        "kyb.lease_check",
        "--json",
    ]
    without, with_it = (
        subprocess.run(
            command, cwd=GUIDE.parents[1], env=os.environ | {"PYTHONPATH": path},
            capture_output=True, text=True, check=False,
        )
        for path in ("", str(tmp_path))
    )  # fmt: skip

    assert (without.returncode, "unknown check: kyb.lease_check" in without.stderr) == (
        2,
        True,
    )
    assert with_it.returncode == 1, with_it.stderr
    assert '"lease_pages"' in with_it.stdout


def test_the_paths_of_the_guide_exist():
    named = set(re.findall(r"`(checks/[a-z_/.]+)`", GUIDE.read_text()))

    assert len(named) >= 6
    assert [
        path for path in sorted(named) if not (GUIDE.parents[1] / path).exists()
    ] == []
