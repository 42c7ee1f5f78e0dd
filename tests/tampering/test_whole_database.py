"""The whole database is replaced: by that of yesterday, or by that of another installation."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from reviews.audit import anchors, trail, verification
from reviews.audit.bound_rows import BOUND
from reviews.models import Chain
from tests.factories import make_case, make_connection

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        connection.vendor != "sqlite", reason="copies the file of the database"
    ),
]


@pytest.fixture
def copies() -> Iterator[list[sqlite3.Connection]]:
    """Copies of the database, each as a backup makes it. The first one is put back at the end."""
    rows: list[sqlite3.Connection] = [copy()]
    yield rows
    restore(rows[0])
    for row in rows:
        row.close()


def copy() -> sqlite3.Connection:
    target = sqlite3.connect(":memory:", check_same_thread=False)
    connection.ensure_connection()
    connection.connection.backup(target)
    return target


def restore(source: sqlite3.Connection) -> None:
    """Put a copy in place of the database, all tables and triggers and heads included."""
    connection.close()
    connection.ensure_connection()
    source.backup(connection.connection)
    connection.close()


def work(reference: str) -> None:
    """A case, bound and sealed, whose head is anchored."""
    make_case(make_connection(reference), reference=reference)
    verification.bind_existing(BOUND)
    anchors.add("head", trail.seal_all())


def faults() -> str:
    with pytest.raises(CommandError) as caught:
        call_command("audit_verify", stdout=StringIO())
    return str(caught.value)


def test_the_database_of_yesterday_under_the_files_of_today(copies):
    work("yesterday")
    copies.append(copy())
    end = Chain.objects.get().seq
    work("today")
    call_command("audit_verify", stdout=StringIO())
    restore(copies[1])
    assert f"The chain ends at line {end}, and line" in faults()
    assert "was anchored" in faults()


def test_the_database_of_yesterday_that_went_on(copies):
    """With all of its keys, and with more lines than were anchored."""
    work("yesterday")
    copies.append(copy())
    work("today")
    anchored = Chain.objects.get().seq
    restore(copies[1])
    for number in range(10):
        make_case(make_connection(f"again-{number}"))
        verification.bind_existing(BOUND)
    trail.seal_all()
    assert Chain.objects.get().seq > anchored
    text = faults()
    assert f"Line {anchored} is not the one that was anchored" in text
    assert "the log was not only added to" in text


def test_the_database_of_another_installation(copies, settings, tmp_path):
    """Whole and true in itself, with its own keys; here it is foreign."""
    ours = settings.AUDIT_ANCHORS, settings.AUDIT_KEYS_DIR
    settings.AUDIT_ANCHORS = tmp_path / "theirs.jsonl"
    settings.AUDIT_KEYS_DIR = tmp_path / "their-keys"
    for number in range(3):
        work(f"theirs-{number}")
    call_command("audit_verify", stdout=StringIO())
    copies.append(copy())
    restore(copies[0])
    settings.AUDIT_ANCHORS, settings.AUDIT_KEYS_DIR = ours
    work("ours")
    anchored = Chain.objects.get().seq
    call_command("audit_verify", stdout=StringIO())
    restore(copies[1])
    assert f"Line {anchored} is not the one that was anchored" in faults()
