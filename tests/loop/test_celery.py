"""What an operator of Celery expects of the workers: named tasks, queues, inspect."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest
from celery.concurrency import get_implementation
from celery.signals import celeryd_after_setup

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


def test_a_worker_with_a_wrong_name_of_a_queue_does_not_start():
    """It would wait for work that never comes. `select` is what a worker calls with its --queues."""
    with pytest.raises(KeyError, match="documnts"):
        app.amqp.Queues(app.conf.task_queues).select(["documnts"])


def test_one_account_shares_the_threads_that_a_worker_has(monkeypatch):
    monkeypatch.setattr(queues, "_threads_of_worker", 0)
    for pool, threads in (("solo", 0), ("prefork", 0), ("threads", 3)):
        worker = SimpleNamespace(pool_cls=get_implementation(pool), concurrency=3)
        celeryd_after_setup.send(sender="test", instance=worker, conf=app.conf)
        assert queues._threads_of_worker == threads


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
