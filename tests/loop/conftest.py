"""What is set up once and copied for each test of real processes."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
import redis

from tests.loop.installations import BROKER, SERVER, Distributed, Installation, until


@pytest.fixture(scope="session")
def prepared(once) -> Path:
    """The data of a demonstration that was set up and never started."""
    return once(
        "prepared", lambda folder: Installation(folder).manage("demo", "--days", "0")
    )


@pytest.fixture(scope="session")
def broker_url(worker_id) -> str:
    """A database of Redis for each test process."""
    number = 9 if worker_id == "master" else 10 + int(worker_id.removeprefix("gw")) % 6
    return f"{BROKER}{number}"


@pytest.fixture
def broker(broker_url) -> Iterator[redis.Redis]:
    client = redis.Redis.from_url(broker_url)
    try:
        client.flushdb()
        psycopg.connect(SERVER, connect_timeout=2).close()
    except (redis.RedisError, psycopg.OperationalError) as exc:
        if os.environ.get("REQUIRE_SERVERS"):
            raise
        pytest.skip(f"PostgreSQL and Redis are needed: {type(exc).__name__}")
    yield client
    client.flushdb()
    client.close()


@pytest.fixture(scope="session")
def prepared_apart(once, broker_url, worker_id) -> Distributed:
    """The same on PostgreSQL: its database is a template of others."""
    database = template_of(os.getpid() if worker_id == "master" else os.getppid())

    def on(folder: Path) -> Distributed:
        return Distributed(folder, server=SERVER, database=database, redis=broker_url)

    def fill(folder: Path) -> None:
        result = on(folder)
        result.drop()
        result.create()
        result.demo()

    return on(once("prepared-apart", fill))


def template_of(run: int) -> str:
    """The name of that database. `run` is the process that deals out the tests."""
    return f"loop_prepared_{run}"


def pytest_sessionfinish(session: pytest.Session) -> None:
    """The test processes share the database: the process that deals out the tests removes it."""
    if hasattr(session.config, "workerinput"):
        return
    try:
        server = psycopg.connect(SERVER, autocommit=True, connect_timeout=2)
    except psycopg.OperationalError:
        return
    database = template_of(os.getpid())
    with server:
        server.execute(f'DROP DATABASE IF EXISTS "{database}" WITH (FORCE)')


@pytest.fixture
def distributed(broker, prepared_apart, tmp_path, broker_url) -> Iterator[Distributed]:
    item = Distributed(
        tmp_path / "var",
        server=SERVER,
        database=f"loop_{os.getpid()}",
        redis=broker_url,
    )
    shutil.copytree(prepared_apart.folder, item.folder)
    item.drop()
    item.create(prepared_apart.database)
    item.manage("demo")  # it moves to the address of this one
    yield item
    item.stop()
    item.drop()


@pytest.fixture
def installation(prepared, tmp_path) -> Iterator[Installation]:
    """`manage.py up` after the demonstration, whose agents run few checks."""
    result = Installation.copy_of(prepared, tmp_path / "var")
    result.run_few_checks()
    yield result
    result.stop()
    until(lambda: not result.children("."), seconds=20)
