"""The threads of a queue: who looks for work, and when."""

from __future__ import annotations

import errno
import threading
import time

import pytest
from django.db import connection

from compliance.storage import orphans
from compliance.work import pipe, worker
from compliance.work.queues import WorkQueue
from reviews.models import Job
from tests.factories import make_case, make_job


def counting(groups: list[int]) -> WorkQueue:
    """A queue of three threads that says how many rows it worked together."""

    def together(rows) -> int:
        groups.append(len(rows))
        for row in rows:
            row.complete()
        return len(rows)

    def handler(row) -> None:
        together([row])

    return WorkQueue(
        "test", Job, handler, batch_handler=together, batch_size=50, concurrency=3
    )


def wait_until(done) -> None:
    end = time.monotonic() + 60
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_wake_up_after_a_drain_has_the_rest_worked(pool_of):
    groups: list[int] = []
    pool = pool_of(counting(groups))
    case = make_case()
    for number in range(1, 9):
        make_job(case)
        pool.wake()
        wait_until(lambda number=number: sum(groups) == number)


def test_a_queue_is_drained_by_all_its_threads(pool_of):
    inside = threading.Barrier(2, timeout=20)

    def handler(row) -> None:
        inside.wait()  # passes only where two threads are at it
        row.complete()

    case = make_case()
    pool = pool_of(WorkQueue("test", Job, handler, concurrency=2))
    make_job(case)
    make_job(case)
    pool.wake()
    wait_until(lambda: not Job.objects.filter(due_at__isnull=False).exists())


def test_a_wake_up_of_another_process_is_heard_at_once(
    pool_of, settings, tmp_path, monkeypatch
):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(
        worker, "POLL_SECONDS", 60
    )  # by itself it would find the row a minute later
    pool = pool_of(WorkQueue("test", Job, lambda row: row.complete()))
    stopping = threading.Event()

    def watch() -> None:
        worker._watch([pool], stopping, lambda: None)
        connection.close()

    thread = threading.Thread(target=watch)
    thread.start()
    wait_until((tmp_path / "wake-up").exists)
    make_job(make_case())
    pipe.write("no queue")
    pipe.write("test")
    wait_until(lambda: not Job.objects.filter(due_at__isnull=False).exists())
    stopping.set()
    pipe.write("test")
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def watching(pool_of):
    """Starts the search for due rows, with `beat` in its thread; it ends after the test."""
    stopping = threading.Event()
    threads: list[threading.Thread] = []

    def start(beat) -> threading.Thread:
        pool = pool_of(WorkQueue("test", Job, lambda row: row.complete()))

        def watch() -> None:
            worker._watch([pool], stopping, beat)
            connection.close()

        threads.append(threading.Thread(target=watch))
        threads[0].start()
        return threads[0]

    yield start
    stopping.set()
    for thread in threads:
        thread.join(20)


def test_the_search_goes_on_after_its_connection_was_lost(watching, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    beats: list[int] = []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 3:
            connection.close()

    thread = watching(beat)
    wait_until(lambda: len(beats) > 6 or not thread.is_alive())
    make_job(make_case())
    wait_until(
        lambda: (
            not Job.objects.filter(due_at__isnull=False).exists()
            or not thread.is_alive()
        )
    )
    assert thread.is_alive()


def test_a_store_that_cannot_be_searched_stops_no_work(
    watching, settings, tmp_path, caplog
):
    """A link to itself raises what a network folder raises that has gone away."""
    settings.VAR_DIR = tmp_path
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / orphans.MARK).symlink_to(orphans.MARK)
    beats: list[int] = []
    thread = watching(lambda: beats.append(1))
    make_job(make_case())
    wait_until(lambda: len(beats) > 3 or not thread.is_alive())
    wait_until(
        lambda: (
            not Job.objects.filter(due_at__isnull=False).exists()
            or not thread.is_alive()
        )
    )
    assert thread.is_alive()
    assert "search for work failed" not in caplog.text


def test_the_search_goes_on_after_any_error(watching, settings, tmp_path):
    settings.VAR_DIR = tmp_path
    beats: list[int] = []

    def beat() -> None:
        beats.append(1)
        if len(beats) == 2:
            raise OSError(errno.EIO, "of a test")

    thread = watching(beat)
    wait_until(lambda: len(beats) > 3 or not thread.is_alive())
    assert thread.is_alive()


def test_a_worker_that_waits_for_another_can_be_stopped(tmp_path, caplog):
    lock = tmp_path / "worker.lock"
    stopping = threading.Event()
    with worker.single_instance(lock, stopping) as is_first:
        assert is_first
        locks: list[bool] = []

        def wait() -> None:
            with worker.single_instance(lock, stopping) as is_second:
                locks.append(is_second)

        second = threading.Thread(target=wait)
        second.start()
        wait_until(lambda: "Another worker runs on these data" in caplog.text)
        stopping.set()
        second.join(20)
        assert locks == [False]


def test_a_worker_that_waits_for_another_begins_after_its_end(tmp_path, caplog):
    lock = tmp_path / "worker.lock"
    stopping = threading.Event()
    locks: list[bool] = []

    def wait() -> None:
        with worker.single_instance(lock, stopping) as is_second:
            locks.append(is_second)

    second = threading.Thread(target=wait)
    with worker.single_instance(lock, stopping):
        second.start()
        wait_until(lambda: "Another worker runs on these data" in caplog.text)
    second.join(20)
    assert locks == [True]
