"""The drill: a backup while everything runs, all is killed, and the backup is restored elsewhere."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from compliance.backup.parts.sqlite import counts_of
from tests.loop.installations import (
    ROOT,
    SERVER,
    Distributed,
    Installation,
    until,
)

pytestmark = pytest.mark.processes

RUNNING = "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"


@pytest.fixture
def installation(prepared, tmp_path) -> Iterator[Installation]:
    result = Installation.copy_of(prepared, tmp_path / "var")
    result.env["BACKUP_KEY"] = "k" * 40
    yield result
    result.stop()
    until(lambda: not result.children("."), seconds=20)


def refusal(one: Installation, *command: str) -> str:
    """What a command says that is refused."""
    process = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT, env=one.env, check=False, capture_output=True, timeout=300,
    )  # fmt: skip
    assert process.returncode == 1, process.stdout
    return process.stderr.decode()


def kill_all(one: Installation) -> None:
    one.stop(signal.SIGKILL)
    until(lambda: not one.children("granian|manage"), seconds=20)


def another_machine(one: Installation, folder: Path) -> Installation:
    """An empty installation that was given the key of the first one, and its address."""
    other = Installation(folder, PORT=str(one.port), BACKUP_KEY=one.env["BACKUP_KEY"])
    other.port, other.url = one.port, one.url
    (folder / "secrets").mkdir(parents=True)
    shutil.copy(one.folder / "secrets/encryption_key", folder / "secrets")
    return other


@pytest.mark.fault("F25", "kill -9, and a restore on another machine")
def test_everything_is_killed_and_restored_on_another_machine(installation, tmp_path):
    while_running, after = tmp_path / "while-running", tmp_path / "after"
    installation.start()
    until(lambda: installation.rows(RUNNING))
    report = installation.manage("backup", str(while_running))
    assert while_running.stat().st_mode & 0o777 == 0o600
    kill_all(installation)
    installation.manage("backup", str(after))

    verified = installation.manage("backup", "--verify", str(while_running))
    assert "are those of its manifest" in verified
    assert " lines hold" in verified
    for path in (while_running, after):
        content = path.read_bytes()
        for secret in (installation.folder / "secrets").iterdir():
            assert secret.read_bytes().strip() not in content
        assert b"Oyelaran" not in content
    assert installation.env["BACKUP_KEY"] not in report

    other = another_machine(installation, tmp_path / "other")
    other.manage("restore", str(after))
    assert counts_of(other.folder / "desk.sqlite3") == counts_of(
        installation.folder / "desk.sqlite3"
    )
    assert files(other) == files(installation)
    other.manage("migrate", "--verbosity", "0")
    assert " lines hold" in other.manage("audit_verify")
    # Its work goes on where it was interrupted.
    other.start()
    try:
        until(other.all_cases_end, seconds=240)
    finally:
        kill_all(other)
    assert "lines hold" in other.manage("audit_verify")


def files(one: Installation) -> dict[str, bytes]:
    folder = one.folder / "documents"
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".swept"
    }


@pytest.mark.slow
def test_yesterdays_backup_is_older_than_the_anchors(installation, tmp_path):
    yesterday = tmp_path / "yesterday"
    installation.manage("backup", str(yesterday))
    installation.start()
    anchored = "SELECT 1 FROM reviews_chain WHERE anchored_seq > 0"
    until(lambda: installation.rows(anchored))
    assert "stop it before a restore" in refusal(
        installation, "restore", str(yesterday)
    )
    installation.stop()
    until(lambda: not installation.children("granian|manage"), seconds=20)

    before = counts_of(installation.folder / "desk.sqlite3")
    assert "add --overwrite" in refusal(installation, "restore", str(yesterday))
    assert counts_of(installation.folder / "desk.sqlite3") == before
    installation.manage("restore", "--overwrite", str(yesterday))
    fault = refusal(installation, "audit_verify")
    assert "The chain ends at line 0" in fault
    assert "was anchored at" in fault
    assert "audit_restored" in fault
    installation.manage("audit_restored", "the disk of the database was lost")
    verified = installation.manage("audit_verify")
    assert "Set back to line" in verified
    assert "the disk of the database was lost" in verified


def test_a_damaged_backup_and_a_wrong_key_change_nothing(installation, tmp_path):
    whole, damaged = tmp_path / "whole", tmp_path / "damaged"
    installation.manage("backup", str(whole))
    assert "exists already" in refusal(installation, "backup", str(whole))
    content = whole.read_bytes()
    damaged.write_bytes(content[:-100_000])
    before = counts_of(installation.folder / "desk.sqlite3")
    for command in (("restore", "--overwrite"), ("backup", "--verify")):
        assert "incomplete or was changed" in refusal(
            installation, *command, str(damaged)
        )
    assert counts_of(installation.folder / "desk.sqlite3") == before
    assert not (installation.folder / "restore-incomplete.json").exists()
    assert not (installation.folder / "backup-work").exists()

    (tmp_path / "stranger").mkdir()
    stranger = Installation(tmp_path / "stranger/var", BACKUP_KEY="k" * 40)
    assert "needs the ENCRYPTION_KEY with the id" in refusal(
        stranger, "restore", str(whole)
    )
    stranger.env["BACKUP_KEY"] = "z" * 40
    assert "encrypted with the key of backups" in refusal(
        stranger, "restore", str(whole)
    )


@pytest.mark.slow
@pytest.mark.fault("F25", "a restore is killed and repeated")
def test_a_restore_that_was_killed_is_repeated(installation, tmp_path):
    backup = tmp_path / "backup"
    installation.manage("backup", str(backup))
    other = another_machine(installation, tmp_path / "other")
    mark = other.folder / "restore-incomplete.json"
    for _ in range(10):
        process = other.run("manage.py", "restore", str(backup))
        while process.poll() is None and not mark.exists():
            time.sleep(0.001)
        process.kill()
        process.wait()
        if mark.exists():
            break
        (other.folder / "desk.sqlite3").unlink()
        shutil.rmtree(other.folder / "documents")
    assert mark.exists()
    assert "compliance.E007" in refusal(other, "up")
    other.manage("restore", str(backup))
    assert not mark.exists()
    assert counts_of(other.folder / "desk.sqlite3") == counts_of(
        installation.folder / "desk.sqlite3"
    )
    other.processes.clear()


@pytest.fixture
def on_postgresql(tmp_path) -> Iterator[Distributed]:
    """Web and worker on PostgreSQL, without a broker."""
    try:
        psycopg.connect(SERVER, connect_timeout=2).close()
    except psycopg.OperationalError:
        if os.environ.get("REQUIRE_SERVERS"):
            raise
        pytest.skip("PostgreSQL is needed")
    if not shutil.which("pg_dump"):
        pytest.skip("The client programs of PostgreSQL are needed")
    distributed = Distributed(
        tmp_path / "var", server=SERVER, database=f"backup_{os.getpid()}", redis=""
    )
    distributed.env["BACKUP_KEY"] = "k" * 40
    distributed.drop()
    distributed.create()
    distributed.manage("demo", "--days", "0")
    yield distributed
    distributed.stop()
    distributed.drop()


@pytest.mark.slow
def test_postgresql_is_killed_and_restored_into_another_database(
    on_postgresql, tmp_path
):
    one = on_postgresql
    backup = tmp_path / "backup"
    Installation.start(one)
    until(lambda: one.rows(RUNNING))
    one.manage("backup", str(tmp_path / "while-running"))
    kill_all(one)
    # A server may end transactions that are idle. That of a backup is, while pg_dump runs.
    limit = f'ALTER DATABASE "{one.database}" SET idle_in_transaction_session_timeout'
    one.execute(f"{limit} = '50ms'")
    one.manage("backup", str(backup))
    one.execute(f"{limit} TO DEFAULT")
    verified = one.manage("backup", "--verify", str(tmp_path / "while-running"))
    assert " lines hold" in verified
    assert one.rows("SELECT 1 FROM pg_database WHERE datname LIKE 'desk_verify_%'") == (
        []
    )

    other = Distributed(
        tmp_path / "other", server=SERVER, database=f"{one.database}_other", redis=""
    )
    other.env |= {"BACKUP_KEY": "k" * 40, "PORT": str(one.port)}
    other.drop()
    other.create()
    try:
        with psycopg.connect(other.dsn):
            assert "other sessions" in refusal(other, "restore", str(backup))
        other.manage("restore", str(backup))
        assert rows_of_tables(other) == rows_of_tables(one)
        assert files(other) == files(one)
        assert "This installation has data" in refusal(other, "restore", str(backup))
        other.manage("restore", "--overwrite", str(backup))
        assert rows_of_tables(other) == rows_of_tables(one)
        assert " lines hold" in other.manage("audit_verify")
    finally:
        other.drop()


def rows_of_tables(one: Distributed) -> dict[str, int]:
    tables = one.rows(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1"
    )
    counts = {}
    for (name,) in tables:
        [(counts[name],)] = one.rows(f'SELECT COUNT(*) FROM "{name}"')  # noqa: S608
    return counts
