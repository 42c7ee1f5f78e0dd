"""docs/adding.md: its changes, made in a copy of the project, do what the page says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from textwrap import dedent

import pytest

from tests.docs.pages import ROOT, code, read

pytestmark = pytest.mark.processes

COPIED = (
    "agenthub", "checks", "compliance", "ownership", "papers", "requirements", "reviews", "static",
    "templates", "tests", "webhooks", "manage.py", "pyproject.toml",
)  # fmt: skip
TEST_FILE = re.compile(r"Add a test, `(tests/[\w/]+\.py)`")


def test_the_field_and_the_endpoint_of_the_page_work(tmp_path):
    copy(tmp_path)
    page = read("docs/adding.md")
    for diff in code(page, "diff"):
        apply(dedent(diff), tmp_path)
    names = TEST_FILE.findall(page)
    tests = code(page, "python")
    assert len(names) == len(tests) == 2
    for name, test in zip(names, tests, strict=True):
        (tmp_path / name).write_text(dedent(test))

    command = [sys.executable, "-m", "pytest", "-n0", *names]
    run = subprocess.run(
        command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=600
    )

    assert run.returncode == 0, run.stdout[-2000:] + run.stderr[-2000:]
    assert "2 passed" in run.stdout


def copy(folder: Path) -> None:
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(
                source, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(source, folder / name)


def apply(diff: str, folder: Path) -> None:
    """Make the changes of a diff whose parts (@@) have no numbers of lines."""
    head, *parts = re.split(r"^@@\n", diff, flags=re.MULTILINE)
    [name] = re.findall(r"^\+\+\+ b/(\S+)$", head, re.MULTILINE)
    path = folder / name
    text = path.read_text()
    for part in parts:
        lines = part.splitlines()
        before = joined(line[1:] for line in lines if not line.startswith("+"))
        after = joined(line[1:] for line in lines if not line.startswith("-"))
        assert text.count(before) >= 1, f"{name} has no longer: {before}"
        text = text.replace(before, after, 1)
    path.write_text(text)


def joined(lines) -> str:
    return "".join(f"{line}\n" for line in lines)
