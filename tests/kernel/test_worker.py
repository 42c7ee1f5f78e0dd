"""The threads of a lane: who looks for work, and when."""

from __future__ import annotations

import threading
import time

from django.db import connection

from compliance import doorbell, worker
from compliance.work import Lane
from reviews.models import Job
from tests.factories import make_case, make_job


def counting(groups: list[int], *, rush: float = 0.0) -> Lane:
    """A lane of three threads that says how many rows it did together."""

    def together(rows) -> int:
        groups.append(len(rows))
        for row in rows:
            row.settle()
        return len(rows)

    def perform(row) -> None:
        together([row])

    return Lane("test", Job, perform, together=together, batch=50, threads=3, rush=rush)


def wait_until(done) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def done_together(crew, groups: list[int], *, within: float) -> bool:
    """Whether five rows that come one after the other are done at once."""
    case = make_case()
    for _ in range(5):
        make_job(case)
        crew.call(within)
    wait_until(lambda: sum(groups) == 5)
    return groups == [5]


def test_rows_whose_ring_may_wait_are_done_together_by_one_thread(crew_of):
    groups: list[int] = []
    assert done_together(crew_of(counting(groups)), groups, within=1.0)


def test_a_ring_that_may_not_wait_brings_those_that_may_along(crew_of):
    groups: list[int] = []
    crew = crew_of(counting(groups))
    case = make_case()
    for _ in range(4):
        make_job(case)
        crew.call(60.0)
    make_job(case)
    crew.call()
    wait_until(lambda: sum(groups) == 5)
    assert groups == [5]


def test_in_a_rush_rows_that_come_within_a_moment_are_done_together(crew_of, monkeypatch):
    monkeypatch.setattr(worker, "MANY", 0)
    groups: list[int] = []
    assert done_together(crew_of(counting(groups, rush=1.0)), groups, within=0.0)


def test_what_is_called_for_after_a_drain_is_done_as_well(crew_of):
    groups: list[int] = []
    crew = crew_of(counting(groups))
    case = make_case()
    for number in range(1, 9):
        make_job(case)
        crew.call(0.02)
        wait_until(lambda number=number: sum(groups) == number)


def test_a_lane_is_drained_by_all_its_threads(crew_of):
    inside = threading.Barrier(2, timeout=20)

    def perform(row) -> None:
        inside.wait()  # passes only where two threads are at it
        row.settle()

    case = make_case()
    crew = crew_of(Lane("test", Job, perform, threads=2))
    make_job(case)
    make_job(case)
    crew.call()
    wait_until(lambda: not Job.objects.filter(due_at__isnull=False).exists())


def test_a_ring_of_another_process_wakes_the_lane_at_once(crew_of, settings, tmp_path, monkeypatch):
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(worker, "LOOK", 60)  # by itself it would find the row a minute later
    crew = crew_of(Lane("test", Job, lambda row: row.settle()))
    stopping = threading.Event()

    def watch() -> None:
        worker._watch([crew], stopping)
        connection.close()

    thread = threading.Thread(target=watch)
    thread.start()
    wait_until((tmp_path / "bell").exists)
    make_job(make_case())
    doorbell.press("no lane")
    doorbell.press("test")
    wait_until(lambda: not Job.objects.filter(due_at__isnull=False).exists())
    stopping.set()
    doorbell.press("test")
    thread.join(20)
    assert not thread.is_alive()
