"""Emptying the tables after a test that commits."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any

from django.contrib.contenttypes.models import ContentType
from django.core.signals import request_finished, request_started
from django.db import connection, transaction

from reviews.audit import trail, triggers
from reviews.models import CaseEvent, Chain, Seal

_CHAIN = Chain._meta.db_table
# The tables of the trail that have rows from the beginning: the field that refers to the line.
_TRAIL = {CaseEvent._meta.db_table: "id", Seal._meta.db_table: "event_id"}

Rows = list[tuple[Any, ...]]


def remove_triggers() -> None:
    """Remove the triggers of the trail, as somebody with the database may."""
    with connection.cursor() as cursor:
        for name in triggers._triggers():
            table = next(table for table in _TRAIL if name.startswith(table))
            on = "" if connection.vendor == "sqlite" else f" ON {table}"
            cursor.execute(f"DROP TRIGGER IF EXISTS {name}{on}")


class Emptier:
    """What `migrate` leaves in the tables stays; all else goes.

    Django's own way empties every table and sends post_migrate: a third of a second on SQLite and
    more on PostgreSQL, for each test.
    """

    def __init__(self) -> None:
        # The trail grows with nearly every test, and its head moves.
        trail.seal()
        ContentType.objects.clear_cache()
        self._empty: Callable[[], None]
        if connection.vendor == "sqlite":
            self._empty = _SQLiteEmptier().empty
        else:
            self._empty = _PostgreSQLEmptier().empty
        self._busy: set[int] = (
            set()
        )  # threads of the test's server that are at a request
        request_started.connect(self._begin)
        request_finished.connect(self._end)

    def empty(self) -> None:
        self._wait_for_others()
        self._empty()

    def _begin(self, **_: Any) -> None:
        if threading.current_thread() is not threading.main_thread():
            self._busy.add(threading.get_ident())

    def _end(self, **_: Any) -> None:
        self._busy.discard(threading.get_ident())

    def _wait_for_others(self) -> None:
        """A request that a page left behind may still be under way. On PostgreSQL both would wait
        for each other; on SQLite it would write in the midst of this, by the very same connection.
        """
        for _ in range(200):
            if not self._busy and (
                connection.vendor != "postgresql" or not self._others()
            ):
                return
            time.sleep(0.05)

    def _others(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                " AND pid <> pg_backend_pid() AND state <> 'idle' AND backend_type = 'client backend'"
            )
            return int(cursor.fetchone()[0])


class _SQLiteEmptier:
    """The whole database comes back from a copy in memory, in a few milliseconds."""

    def __init__(self) -> None:
        self._copy = sqlite3.connect(":memory:")
        connection.ensure_connection()
        connection.connection.backup(self._copy)

    def empty(self) -> None:
        connection.ensure_connection()
        self._copy.backup(connection.connection)


class _PostgreSQLEmptier:
    """Only the tables that hold something are emptied. Rows of `migrate` that a test changed or
    removed, such as keys and rules, come back from copies of their tables, which are made once.
    """

    def __init__(self) -> None:
        self._first = self._standing()

    def empty(self) -> None:
        filled = self._added() | self._changed()
        while filled:
            self._delete(filled)
            # A page that is left says so, perhaps while references were unchecked: look again.
            filled = (self._added() | self._changed()) - {_CHAIN}

    def _added(self) -> set[str]:
        """The tables with rows that `migrate` did not make."""
        added = self._filled() - self._first.keys()
        if not CaseEvent.objects.filter(pk__gt=self._last_line).exists():
            added -= _TRAIL.keys()
        return added

    def _changed(self) -> set[str]:
        """The tables whose rows of `migrate` a test changed, removed, or added to."""
        return {
            table for table, rows in self._first.items() if self._rows(table) != rows
        }

    def _delete(self, filled: set[str]) -> None:
        # A replica checks no references and fires no triggers, such as those that guard the trail.
        self._act_as("replica")
        with transaction.atomic(), connection.cursor() as cursor:
            for table in filled:
                statement = f"DELETE FROM {connection.ops.quote_name(table)}"  # noqa: S608
                if table in _TRAIL:
                    statement += f" WHERE {_TRAIL[table]} > {self._last_line}"
                cursor.execute(statement)
                if table in self._first:
                    cursor.execute(_restoring(table))
        self._act_as("origin")
        if not Chain.objects.update(**self._head):
            Chain.objects.create(**self._head)

    def _standing(self) -> dict[str, Rows]:
        # Events and seals are compared by number, and the chain by its head.
        self._last_line = CaseEvent.objects.latest("pk").pk
        self._head = Chain.objects.values().get()
        compared = self._filled() - {_CHAIN} - _TRAIL.keys()
        with connection.cursor() as cursor:
            for table in compared:
                copy = connection.ops.quote_name(_copy_name(table))
                original = connection.ops.quote_name(table)
                cursor.execute(f"DROP TABLE IF EXISTS {copy}")
                cursor.execute(f"CREATE TABLE {copy} AS SELECT * FROM {original}")  # noqa: S608
        return {table: self._rows(table) for table in compared}

    def _rows(self, table: str) -> Rows:
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT * FROM {connection.ops.quote_name(table)} ORDER BY 1"  # noqa: S608
            )
            return list(cursor.fetchall())

    def _filled(self) -> set[str]:
        tables = connection.introspection.django_table_names(include_views=False)
        text = " UNION ALL ".join(
            f"SELECT '{table}' WHERE EXISTS (SELECT 1 FROM {connection.ops.quote_name(table)})"  # noqa: S608
            for table in tables
        )
        with connection.cursor() as cursor:
            cursor.execute(text)
            return {table for (table,) in cursor.fetchall()}

    def _act_as(self, role: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(f"SET session_replication_role = {role}")


def _copy_name(table: str) -> str:
    """The name of the copy of a table."""
    return f"emptier_{table}"


def _restoring(table: str) -> str:
    """The statement that fills a table from its copy, column by column: a migration may have
    moved them.
    """
    with connection.cursor() as cursor:
        described = connection.introspection.get_table_description(cursor, table)
    names = ", ".join(connection.ops.quote_name(column.name) for column in described)
    target = connection.ops.quote_name(table)
    source = connection.ops.quote_name(_copy_name(table))
    return f"INSERT INTO {target} ({names}) SELECT {names} FROM {source}"  # noqa: S608
