"""What a commit on SQLite waits for."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator

import pytest
from django.db import connection
from django.db.backends.sqlite3.base import DatabaseWrapper

from agenthub.models import Account
from compliance.db.connections import time_limits
from compliance.db.durability import relaxed_durability
from tests.settings import NO_WAIT

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(connection.vendor != "sqlite", reason="It is about SQLite."),
]

NORMAL, FULL = 1, 2


def synchronous() -> int:
    connection.ensure_connection()
    return int(connection.connection.execute("PRAGMA synchronous").fetchone()[0])


@pytest.fixture
def as_installed(monkeypatch) -> Iterator[None]:
    """A connection as an installation opens it. Those of other tests wait for no disk."""
    options = connection.settings_dict["OPTIONS"]
    command = options["init_command"].removesuffix(NO_WAIT)
    monkeypatch.setitem(options, "init_command", command)
    connection.close()
    yield
    connection.close()


@pytest.mark.usefixtures("as_installed")
def test_only_what_says_so_does_not_wait_for_the_disk():
    assert synchronous() == FULL
    with relaxed_durability():
        assert synchronous() == NORMAL
        Account.objects.create(name="It may be lost with the power.")
    with contextlib.suppress(ZeroDivisionError), relaxed_durability():
        raise ZeroDivisionError
    assert synchronous() == FULL
    assert Account.objects.exists()


def test_a_connection_keeps_little_in_memory():
    connection.ensure_connection()
    kib = -connection.connection.execute("PRAGMA cache_size").fetchone()[0]
    assert kib == 500


def test_nobody_else_on_the_machine_reads_the_database(tmp_path):
    """Also where the folder is open to others, and for files of an earlier version."""
    path = tmp_path / "desk.sqlite3"
    names = ("desk.sqlite3", "desk.sqlite3-wal", "desk.sqlite3-shm")
    # An earlier version has made the files, and another process has them open.
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode=WAL")
    other.execute("CREATE TABLE a (b)")
    for name in names:
        (tmp_path / name).chmod(0o644)
    with contextlib.closing(other):
        wrapper = DatabaseWrapper({**connection.settings_dict, "NAME": path})
        wrapper.ensure_connection()
        try:
            modes = {name: (tmp_path / name).stat().st_mode & 0o777 for name in names}
        finally:
            wrapper.close()
    assert modes == dict.fromkeys(names, 0o600)


@pytest.mark.fault("F18", "SQLite is busy")
@pytest.mark.django_db
def test_a_transaction_waits_as_a_whole():
    before = synchronous()
    with relaxed_durability():
        assert synchronous() == before


@pytest.mark.fault("F18", "a monitor asks while another process writes for long")
def test_readiness_does_not_wait_for_a_writer_that_does_not_end(client):
    name = connection.settings_dict["NAME"]
    # The first look at the sandbox and the migrations takes long by itself.
    client.get("/health/ready")
    connection.ensure_connection()
    usual = busy_timeout()
    writer = sqlite3.connect(name, uri=str(name).startswith("file:"))
    with contextlib.closing(writer):
        writer.isolation_level = None
        writer.execute("BEGIN IMMEDIATE")
        response = client.get("/health/ready")
    assert response.status_code == 503
    assert response.json()["database"] == "is too slow"
    with time_limits.answer_within(2):
        assert busy_timeout() == 2_000
    # The usual wait of a request is 20 seconds.
    assert busy_timeout() == usual == 20_000


def busy_timeout() -> int:
    row = connection.connection.execute("PRAGMA busy_timeout").fetchone()
    return int(row[0])
