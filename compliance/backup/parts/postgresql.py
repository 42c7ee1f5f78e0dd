"""Backup of a PostgreSQL database with PostgreSQL's own programs."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import psycopg
from django.conf import settings
from django.db import connection
from psycopg import sql

from compliance.backup.errors import BackupError

TABLES = (
    "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
    " ORDER BY tablename"
)
EXTENSIONS = "SELECT extname FROM pg_extension WHERE extname <> 'plpgsql'"
# The transaction of a snapshot is idle as long as pg_dump runs. pg_dump sets the same for itself. The
# last one is new in PostgreSQL 17.
WITHOUT_LIMITS = (
    "SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN"
    " ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout', 'transaction_timeout')"
)
# Other client sessions: a restore needs the database alone.
OTHERS = (
    "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid()"
    " AND COALESCE(backend_type, 'client backend') = 'client backend'"
)
# Entries of a dump that only a superuser may restore. Extensions are created before.
NOT_RESTORED = re.compile(
    r"^\d+; \d+ \d+ (EXTENSION|COMMENT - EXTENSION|SCHEMA|COMMENT - SCHEMA|ACL - SCHEMA) "
)
SCRATCH = "desk_verify_"
MAX_MESSAGE = 500  # characters of a program's error message


@dataclass(frozen=True)
class Server:
    """The address of a database: `url` without the password, and the password."""

    url: str
    password: str

    def environment(self) -> dict[str, str]:
        """The environment with the password: arguments are visible to every user of the machine."""
        if not self.password:
            return dict(os.environ)
        return {**os.environ, "PGPASSWORD": self.password}

    def named(self, database: str) -> Server:
        """The same server with another database."""
        parts = urlsplit(self.url)
        return Server(parts._replace(path=f"/{database}").geturl(), self.password)

    def connect(self) -> psycopg.Connection[Any]:
        """A connection in autocommit mode."""
        password = self.password or None
        return psycopg.connect(self.url, password=password, autocommit=True)


def server() -> Server:
    """The server of the settings."""
    parts = urlsplit(settings.DATABASE_URL)
    user = f"{parts.username}@" if parts.username else ""
    host = parts.netloc.rpartition("@")[2]
    url = parts._replace(scheme="postgresql", netloc=f"{user}{host}").geturl()
    return Server(url, str(connection.settings_dict["PASSWORD"] or ""))


def require_programs() -> None:
    """Raise BackupError if PostgreSQL's programs are not installed."""
    for name in ("pg_dump", "pg_restore"):
        if shutil.which(name) is None:
            message = (
                f"{name} is not installed: a backup of PostgreSQL needs its client programs, of the"
                " version of the server or newer (Debian: postgresql-client)."
            )
            raise BackupError(message)


class Snapshot:
    """The database at the moment of creation. Other sessions may go on writing."""

    def __init__(self) -> None:
        require_programs()
        connection.close()
        # The exported snapshot is valid as long as this transaction is open.
        connection.set_autocommit(False)
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            cursor.execute(WITHOUT_LIMITS)
            cursor.execute("SELECT pg_export_snapshot()")
            [self._name] = cursor.fetchone()

    def write(self, target: Path) -> dict[str, int]:
        """Dump the snapshot into a new file. Returns the number of rows of each table."""
        place = server()
        _run(
            *("pg_dump", "--format=custom", f"--snapshot={self._name}"),
            *("--no-owner", "--no-acl", f"--file={target}", f"--dbname={place.url}"),
            place=place,
        )
        return counts()

    def close(self) -> None:
        connection.rollback()
        connection.close()


@contextlib.contextmanager
def snapshot() -> Iterator[Snapshot]:
    one = Snapshot()
    try:
        yield one
    finally:
        one.close()


def tables() -> list[str]:
    return _column(TABLES)


def extensions() -> list[str]:
    return _column(EXTENSIONS)


def others() -> int:
    """The number of other sessions of the database."""
    with connection.cursor() as cursor:
        cursor.execute(OTHERS)
        return int(cursor.fetchone()[0])


def counts() -> dict[str, int]:
    """The number of rows of each table, in the current transaction."""
    rows = {}
    for name in tables():
        quoted = connection.ops.quote_name(name)
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT COUNT(*) FROM {quoted}")  # noqa: S608
            rows[name] = int(cursor.fetchone()[0])
    return rows


def counts_of(place: Server) -> dict[str, int]:
    """The number of rows of each table of another database."""
    rows = {}
    with place.connect() as database:
        names = [name for (name,) in database.execute(TABLES).fetchall()]
        for name in names:
            query = sql.SQL("SELECT COUNT(*) FROM {}").format(sql.Identifier(name))
            [(rows[name],)] = database.execute(query).fetchall()
    return rows


def install(dump: Path, place: Server, wanted_extensions: list[str]) -> None:
    """Restore a dump in one transaction, completely or not at all. Raises BackupError."""
    require_programs()
    with place.connect() as database:
        for name in wanted_extensions:
            query = sql.SQL("CREATE EXTENSION IF NOT EXISTS {}")
            try:
                database.execute(query.format(sql.Identifier(name)))
            except psycopg.Error as exc:
                message = (
                    f"The extension {name} cannot be made: run deploy/roles.sql as a superuser"
                    f" first. {exc}"
                )
                raise BackupError(message) from exc
    entries = dump.with_name(f"{dump.name}.entries")
    entries.write_text(_entries_to_restore(dump, place), encoding="utf-8")
    _run(
        *("pg_restore", "--single-transaction", "--exit-on-error", "--clean"),
        *("--if-exists", "--no-owner", "--no-acl", "--no-comments"),
        *(f"--use-list={entries}", f"--dbname={place.url}", str(dump)),
        place=place,
    )


@contextlib.contextmanager
def scratch_database() -> Iterator[Server]:
    """An empty temporary database on the same server, dropped at the end. Raises BackupError."""
    place = server()
    name = f"{SCRATCH}{secrets.token_hex(6)}"
    with place.connect() as database:
        identifier = sql.Identifier(name)
        create = sql.SQL("CREATE DATABASE {} TEMPLATE template0")
        try:
            database.execute(create.format(identifier))
        except psycopg.Error as exc:
            message = (
                "A backup of PostgreSQL is verified in a database of its own, which cannot be made:"
                f" {exc}. Give the role CREATEDB, or verify on another server."
            )
            raise BackupError(message) from exc
        try:
            yield place.named(name)
        finally:
            drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
            database.execute(drop.format(identifier))


def _entries_to_restore(dump: Path, place: Server) -> str:
    lines = _run("pg_restore", "--list", str(dump), place=place).splitlines()
    return "\n".join(line for line in lines if not NOT_RESTORED.match(line)) + "\n"


def _column(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [str(name) for (name,) in cursor.fetchall()]


def _run(program: str, *arguments: str, place: Server) -> str:
    done = subprocess.run(  # noqa: S603 - PostgreSQL's programs
        [program, *arguments],
        env=place.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        message = f"{program} failed: {done.stderr.strip()[:MAX_MESSAGE]}"
        raise BackupError(message)
    return done.stdout
