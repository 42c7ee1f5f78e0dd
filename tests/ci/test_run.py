"""What the CI script prints of tests that pass only the second time."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from tests.conftest import selection
from tests.docs.pages import ROOT, read

# Each run of the tests is one file: its output, and the exit code in its name.
MAKE = """#!/usr/bin/env bash
echo "$*" >>calls
run=$(ls runs | head -n 1)
cat "runs/$run"
rm "runs/$run"
exit "${run##*.}"
"""
SCRIPT = """
set -euo pipefail
source "$1"
tests SQLite
tests PostgreSQL --ignore=tests/checks
"""
PASSED = "...\n3 passed in 1.00s\n"
FAILED = """.F.E
FAILED tests/a.py::test_one[two words] - assert 1 == 2
ERROR tests/b.py::test_two - KeyError: 'x - y'
1 failed, 1 passed, 1 error in 1.00s
"""


def run(folder: Path, *runs: tuple[str, int]) -> tuple[int, list[str]]:
    """Give the exit code and the lines, where `make test` prints and ends as `runs` say."""
    (folder / "make").write_text(MAKE)
    (folder / "make").chmod(0o755)
    (folder / "runs").mkdir()
    for number, (output, code) in enumerate(runs):
        (folder / "runs" / f"{number}.{code}").write_text(output)
    process = subprocess.run(
        ["/bin/bash", "-c", SCRIPT, "-", str(ROOT / ".ci" / "tests.sh")],
        cwd=folder,
        env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert not process.stderr
    return process.returncode, process.stdout.splitlines()


def left_out() -> list[set[str]]:
    """What each run of the tests in `.ci/run` leaves out."""
    script = (ROOT / ".ci" / "run").read_text().replace("\\\n", "")
    lines = re.findall(r"^tests (.+)$", script, re.MULTILINE)
    return [set(re.findall(r"--ignore=(\S+)", line)) for line in lines]


def test_nothing_is_left_out_of_both_runs():
    sqlite, postgresql = left_out()
    assert sqlite & postgresql == set()


def test_what_finds_changed_rows_runs_on_both_databases():
    assert (ROOT / "tests/tampering").is_dir()
    for names in left_out():
        assert not [name for name in names if name.startswith("tests/tampering")]


def steps_at_night() -> list[str]:
    workflow = yaml.safe_load(read(".github/workflows/nightly.yml"))
    steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
    return [step["run"] for step in steps if "run" in step]


def test_at_night_all_values_run():
    """`make test` alone takes the first values of each test."""
    steps = steps_at_night()
    assert "make test-all" in steps
    for step in steps:
        if step.startswith("make test "):
            assert "--values=0" in step


def test_without_failures_there_is_no_word_of_it(tmp_path):
    code, lines = run(tmp_path, (PASSED, 0), (PASSED, 0))
    assert (code, lines) == (0, PASSED.splitlines() * 2)


def test_what_passes_the_second_time_is_named_above_the_last_line(tmp_path):
    code, lines = run(tmp_path, (FAILED, 1), (PASSED, 0), (FAILED, 1), (PASSED, 0))
    assert code == 0
    assert lines[-6:] == [
        "...",
        "flaky: tests/a.py::test_one[two words] (SQLite)",
        "flaky: tests/b.py::test_two (SQLite)",
        "flaky: tests/a.py::test_one[two words] (PostgreSQL)",
        "flaky: tests/b.py::test_two (PostgreSQL)",
        "3 passed in 1.00s",
    ]
    first, again = (
        "test ARGS=--ignore=tests/checks",
        "test ARGS=--ignore=tests/checks --last-failed",
    )
    assert (tmp_path / "calls").read_text().splitlines()[2:] == [first, again]


def test_what_fails_twice_ends_the_run(tmp_path):
    code, lines = run(tmp_path, (FAILED, 1), (FAILED, 1), (PASSED, 0))
    assert code == 1
    assert lines == FAILED.splitlines() * 2


@pytest.mark.parametrize("database_only", [False, True])
@pytest.mark.parametrize("values", [0, 1])
def test_the_second_run_has_the_tests_of_the_first(request, database_only, values):
    items = request.session.items
    options = {"database_only": database_only, "values": values, "part": (1, 2)}
    first = selection(items, **options)
    assert set(selection(items[::-1], **options)) == set(first)
