"""Writers on SQLite wait for one another, as long as they were told to."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError, connection

from agenthub.models import Account
from compliance import statements
from compliance.sqlite.base import DatabaseWrapper

pytestmark = pytest.mark.django_db


def opened(file: Path, *, timeout: float) -> DatabaseWrapper:
    options = {"timeout": timeout, "transaction_mode": "IMMEDIATE"}
    given = {"NAME": str(file), "OPTIONS": options, "TIME_ZONE": None, "ATOMIC_REQUESTS": False}
    rest = {"AUTOCOMMIT": True, "CONN_MAX_AGE": 0, "CONN_HEALTH_CHECKS": False, "TEST": {}}
    return DatabaseWrapper(given | rest)


@pytest.fixture
def file(tmp_path) -> Path:
    return tmp_path / "lite.sqlite3"


@pytest.fixture
def holder(file) -> Iterator[sqlite3.Connection]:
    """Somebody who has the turn to write."""
    made = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    made.execute("PRAGMA journal_mode=WAL")
    made.execute("CREATE TABLE said (what TEXT)")
    made.execute("BEGIN IMMEDIATE")
    yield made
    made.close()


@pytest.mark.parametrize("sql", ["INSERT INTO said VALUES (%s)", "BEGIN IMMEDIATE"])
def test_who_finds_it_locked_waits_until_it_is_free(file, holder, sql):
    waiting = opened(file, timeout=20)
    release = threading.Timer(0.2, holder.execute, ["COMMIT"])
    release.start()
    with waiting.cursor() as cursor:
        cursor.execute(sql, ["x"] if "%s" in sql else None)
    release.join()
    waiting.close()


def test_a_statement_that_comes_often_waits_as_well(file, holder):
    waiting = opened(file, timeout=20)
    waiting.ensure_connection()
    release = threading.Timer(0.2, holder.execute, ["COMMIT"])
    release.start()
    for _ in range(2):
        waiting.create_cursor().run("INSERT INTO said VALUES ('100 %%' || %s)", ["x"])
    release.join()
    with waiting.cursor() as cursor:
        cursor.execute("SELECT what FROM said")
        assert cursor.fetchall() == [("100 %x",)] * 2
    waiting.close()


def synced(wrapper: Any) -> int:
    return int(wrapper.connection.execute("PRAGMA synchronous").fetchone()[0])


def test_only_what_says_so_does_not_wait_for_the_disk(file, holder):
    holder.execute("COMMIT")
    wrapper = opened(file, timeout=20)
    wrapper.ensure_connection()
    full = synced(wrapper)
    assert full == 2
    with wrapper.unsynced():
        assert synced(wrapper) == 1
    with contextlib.suppress(ZeroDivisionError), wrapper.unsynced():
        raise ZeroDivisionError
    assert synced(wrapper) == full
    wrapper.close()


def test_the_site_waits_for_the_disk():
    connection.ensure_connection()
    if connection.vendor == "sqlite":
        assert synced(connection) == 2
    with statements.unsynced():
        Account.objects.create(name="in a transaction that waits as a whole")
    assert Account.objects.exists()


def test_who_has_waited_for_so_long_gives_up(file, holder):
    waiting = opened(file, timeout=0.1)
    began = time.monotonic()
    with waiting.cursor() as cursor, pytest.raises(OperationalError, match="locked"):
        cursor.execute("INSERT INTO said VALUES ('x')")
    assert time.monotonic() - began >= 0.1
    waiting.close()


def test_a_reader_that_writes_too_late_is_told_at_once(file, holder):
    """Its snapshot is old: no waiting makes it a writer."""
    late = opened(file, timeout=1000)
    with late.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        cursor.execute("SELECT * FROM said").fetchall()
        holder.execute("INSERT INTO said VALUES ('first')")
        holder.execute("COMMIT")
        with pytest.raises(OperationalError, match="locked"):
            cursor.execute("INSERT INTO said VALUES ('late')")
    late.close()
