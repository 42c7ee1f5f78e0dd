"""PostgreSQL, Redis, Celery: the broker is only a bell, whatever it forgets."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator

import psycopg
import pytest
import redis

from tests.loop.installations import Distributed, assert_everything_once, until

pytestmark = pytest.mark.processes

SERVER = os.environ.get(
    "TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres"
)
BROKER = (
    os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379/").rstrip("/0123456789")
    + "/"
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
def fresh(tmp_path_factory, broker_url) -> Iterator[Distributed]:
    """An installation that was set up and never started; its database is a template of others."""
    made = Distributed(
        tmp_path_factory.mktemp("fresh") / "var",
        server=SERVER, database=f"loop_fresh_{os.getpid()}", redis=broker_url,
    )  # fmt: skip
    made.drop()
    made.create()
    made.demo()
    yield made
    made.drop()


@pytest.fixture
def distributed(broker, fresh, tmp_path, broker_url) -> Iterator[Distributed]:
    made = Distributed(
        tmp_path / "var",
        server=SERVER,
        database=f"loop_{os.getpid()}",
        redis=broker_url,
    )
    shutil.copytree(fresh.folder, made.folder)
    made.drop()
    made.create(fresh.database)
    made.manage("demo")  # it moves to the address of this one
    yield made
    made.stop()
    made.drop()


def test_all_of_it_runs_apart(distributed):
    distributed.start()
    assert_everything_once(distributed)


@pytest.mark.slow
@pytest.mark.fault("F7", "Redis is wiped, thirty times")
def test_the_broker_forgets_its_queue_again_and_again(distributed, broker):
    distributed.start()
    for _ in range(30):
        broker.flushdb()
        time.sleep(0.1)
    assert_everything_once(distributed)


@pytest.mark.fault("F8", "kill -9 of the Celery worker in mid job")
def test_the_celery_worker_is_killed_in_mid_job(distributed):
    distributed.start()
    for _ in range(2):
        until(
            lambda: distributed.rows(
                "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
            )
        )
        distributed.kill("compliance worker")
        distributed.start_worker()
        time.sleep(0.5)
        if distributed.all_cases_end():
            break
    assert_everything_once(distributed)


@pytest.mark.fault("F6", "PostgreSQL ends all connections in mid job")
def test_connections_to_the_database_are_lost_in_mid_job(distributed):
    distributed.start()
    until(
        lambda: distributed.rows(
            "SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"
        )
    )
    distributed.rows(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    )
    assert_everything_once(distributed)
