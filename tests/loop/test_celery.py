"""What an operator of Celery expects of the workers: named tasks, queues, inspect."""

from __future__ import annotations

import subprocess
import sys

import pytest

from compliance.celery import app
from compliance.work import queues
from tests.loop.installations import ROOT, Distributed, until


def test_each_queue_of_work_is_drained_by_a_task_of_its_name():
    for name in queues.registered():
        task = app.tasks[name]
        assert task.run.__doc__, f"{name} says what it does"
        assert app.amqp.router.route({}, name)["queue"].name in {
            "default",
            "documents",
            "deliveries",
        }


def test_documents_have_a_queue_of_their_own():
    route = app.amqp.router.route
    assert route({}, "agenthub.tasks.run_document_jobs")["queue"].name == "documents"
    assert route({}, "agenthub.tasks.run_jobs")["queue"].name == "default"


def test_workers_and_beat_wait_for_a_broker_without_an_end():
    # The number of tries, of which Celery counts none here.
    assert app.conf.broker_connection_max_retries is None


@pytest.mark.processes
def test_inspect_names_tasks_and_queues(distributed: Distributed):
    distributed.start()

    def inspect(what: str) -> str:
        process = subprocess.run(
            [sys.executable, "-m", "celery", "-A", "compliance", "inspect", what],
            cwd=ROOT, env=distributed.env, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
        return process.stdout.decode()

    until(lambda: "agenthub.tasks.run_document_jobs" in inspect("registered"))
    assert "documents" in inspect("active_queues")
    assert "OK" in inspect("active")
