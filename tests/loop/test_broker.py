"""PostgreSQL, Redis, Celery: the broker is only a bell, whatever it forgets."""

from __future__ import annotations

import time

import pytest
import requests

from tests.loop.installations import assert_everything_once, until

pytestmark = pytest.mark.processes


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
@pytest.mark.fault("F20", "kill -9 of beat, and connections of each process are ended")
def test_beat_is_killed_and_each_process_loses_its_connections(distributed, broker):
    """Readiness names the sweep. What becomes due by time waits for beat, and for nothing else."""
    distributed.start()
    distributed.kill("compliance beat")
    broker.flushdb()
    for _ in range(5):
        # One connection after the other: each process is in another place of its work each time.
        distributed.rows(
            "SELECT pg_terminate_backend(pid), pg_sleep(0.2) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )

    def sweep() -> str:
        answer = requests.get(f"{distributed.url}/health/ready", timeout=60)
        return str(answer.json().get("sweep"))

    until(lambda: "does not run: beat" in sweep())
    # On the file that the killed one has left.
    beat = str(distributed.folder / "beat")
    distributed.run("-m", "celery", "-A", "compliance", "beat", "-s", beat)
    assert_everything_once(distributed)
    until(lambda: sweep() == "ok")
