"""An upgrade from the last release while work is in the queue, with real processes of both versions."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tarfile
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
import requests

from tests.loop.installations import (
    ROOT,
    Installation,
    assert_everything_once,
    until,
)

pytestmark = [pytest.mark.processes, pytest.mark.slow]
# The commit of version 0.2.0. The next release puts its own here.
RELEASE = "c0b4f817"
# Rows that people and services made. A new version may add rows of its own to other tables.
KEPT = (
    "reviews_case", "reviews_document", "reviews_job", "agenthub_agentjob", "agenthub_account",
    "auth_user",
)  # fmt: skip


@pytest.fixture
def release(tmp_path) -> Path:
    """The code of the release, from the history of this repository."""
    git = shutil.which("git")
    assert git, "git is not installed"
    process = subprocess.run(
        [git, "archive", RELEASE], cwd=ROOT, capture_output=True, check=False
    )
    if process.returncode:
        pytest.skip("this clone has no history of the release")
    folder = tmp_path / "release"
    with tarfile.open(fileobj=BytesIO(process.stdout)) as archive:
        archive.extractall(folder, filter="data")
    return folder


@pytest.fixture
def installation(release, tmp_path) -> Iterator[Installation]:
    """A demonstration of the release, before its first start."""
    item = Installation(tmp_path / "var")
    item.code = release
    item.manage("demo")
    yield item
    item.stop(signal.SIGKILL)


def ids(installation: Installation) -> dict[str, set[object]]:
    """The keys of all rows, by table."""
    keys = {}
    for table in KEPT:
        rows = installation.rows(f"SELECT id FROM {table}")  # noqa: S608
        keys[table] = {key for (key,) in rows}
    return keys


@pytest.mark.fault("F21", "an upgrade from the last release with jobs under way")
def test_work_that_is_under_way_ends_on_the_new_version(installation):
    checks_by_agent = installation.rows("SELECT id, checks FROM agenthub_agent")
    installation.run_few_checks()
    installation.start()
    running = "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
    until(lambda: installation.rows(running))
    installation.stop(signal.SIGKILL)
    until(lambda: not installation.children("granian|manage"), seconds=20)
    unfinished = "SELECT COUNT(*) FROM agenthub_agentjob WHERE status != 'COMPLETE'"
    [(left,)] = installation.rows(unfinished)
    assert left
    before = ids(installation)

    installation.code = ROOT
    installation.manage("migrate")
    assert ids(installation) == before
    installation.start()
    assert_everything_once(installation)
    # It names the worker that was killed until its heartbeat is forgotten.
    ready = f"{installation.url}/health/ready"
    until(lambda: requests.get(ready, timeout=20).ok, seconds=180)
    after = ids(installation)
    for table, keys in before.items():
        # Cases that were not sent yet have jobs now.
        assert keys <= after[table], table
    # The trail knows the agents as they were before this test had them run few checks.
    for agent, checks in checks_by_agent:
        installation.execute(
            "UPDATE agenthub_agent SET checks = ? WHERE id = ?", checks, agent
        )
    installation.manage("audit_verify")
