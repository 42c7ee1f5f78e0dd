"""Writers on SQLite wait for one another, as long as they were told to."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import OperationalError

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
