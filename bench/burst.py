"""Compares jobs per second and CPU per job with a design of one Celery task per event."""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Iterator
from typing import Any

import psycopg
import redis

from bench import load
from bench.installation import (
    BROKER_DB,
    REDIS,
    Installation,
    backends,
    postgres_database,
)
from bench.loop import SHOWN, Loop, until
from bench.report import Report

NAIVE_BROKER = f"{REDIS}/{BROKER_DB + 1}"
NAIVE = "from bench.anchors import naive"


def burst(report: Report, *, jobs: int, rounds: int) -> None:
    """Measure jobs per second and CPU per job of both designs, and report the ratios."""
    with contextlib.ExitStack() as stack:
        contestants: list[_Contestant] = [_Ours(stack), _Naive(stack)]
        # The designs take turns, so that a change in the machine's load affects both.
        for _ in range(rounds):
            for contestant in contestants:
                contestant.take_turn(jobs)
        report.row("cpu in ms a job", "jobs/s", "web", "worker", "database", "together")
        for each in contestants:
            parts = [
                load.medians(cpu[part] for cpu in each.cpu) for part in each.cpu[0]
            ]
            cells = [
                f"{value:.1f}"
                for value in (load.medians(each.rates), *parts, sum(parts))
            ]
            report.row(each.name, *cells)
        ours, naive = contestants
        # Ratios within a round, because the load of the machine changes between rounds.
        faster = load.medians(
            a / b for a, b in zip(ours.rates, naive.rates, strict=True)
        )
        cheaper = load.medians(
            sum(a.values()) / sum(b.values())
            for a, b in zip(ours.cpu, naive.cpu, strict=True)
        )
        report.least("B2", "jobs a second / naive", faster, 2.0)
        report.most("B2", "cpu of web, worker and database / naive", cheaper, 0.6)


class _Contestant:
    name: str

    def __init__(self) -> None:
        self.rates: list[float] = []
        self.cpu: list[dict[str, float]] = []
        self.done = 0

    def take_turn(self, jobs: int) -> None:
        # The worker is paused while jobs are submitted, so that submitting is not measured.
        with self._worker_held():
            with self.submitting(jobs):
                until(self.begun, self.done + jobs, 60)
            before = self._spent()
            began = time.perf_counter()
        self.done += jobs
        ended = until(self.ended, self.done, 90)
        assert ended == self.done, f"{self.name}: {ended} of {self.done} jobs ended"
        self.rates.append(jobs / (time.perf_counter() - began))
        time.sleep(1)  # work that is still running belongs to these jobs
        spent = self._spent()
        self.cpu.append(
            {part: (spent[part] - before[part]) / jobs * 1000 for part in spent}
        )

    @contextlib.contextmanager
    def _worker_held(self) -> Iterator[None]:
        """Pause the worker processes (SIGSTOP) during the block.

        Submitting is not part of the job loop, and would compete with it for the CPU.
        """
        rows = [pid for one in self.parts()["worker"] for pid in load.family(one)]
        for pid in rows:
            os.kill(pid, signal.SIGSTOP)
        yield
        for pid in rows:
            os.kill(pid, signal.SIGCONT)

    def _spent(self) -> dict[str, float]:
        # CPU seconds since the processes started; the caller takes differences.
        parts = self.parts()
        spent = {part: load.cpu_seconds(pids) for part, pids in parts.items()}
        # A design may open a new connection for each task. The ended processes of those count, too.
        server = load.parent(self.looks_by().info.backend_pid)
        return spent | {
            "database": spent["database"] + load.ended_children_seconds(server)
        }

    def parts(self) -> dict[str, list[int]]:
        raise NotImplementedError

    def looks_by(self) -> psycopg.Connection:
        """The connection with which the benchmark observes the database. It is not part of the
        design.
        """
        raise NotImplementedError

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        """Submit jobs from a separate process, whose CPU is not counted."""
        raise NotImplementedError

    def begun(self) -> int:
        raise NotImplementedError

    def ended(self) -> int:
        raise NotImplementedError


class _Ours(_Contestant):
    name = "ours"

    def __init__(self, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self.loop = Loop(stack, embedded=False)
        self.loop.start()

    def parts(self) -> dict[str, list[int]]:
        return _parts(self.loop.installation, self.loop.database, self.looks_by())

    def looks_by(self) -> psycopg.Connection:
        assert self.loop.reader is not None
        return self.loop.reader

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        return self.loop.installation.running(
            "-m", "bench.submit", str(self.loop.agent), str(jobs)
        )

    def begun(self) -> int:
        return self.loop.ask("SELECT count(*) FROM reviews_job")

    def ended(self) -> int:
        return self.loop.ask(SHOWN.format(source="tool"))


def _parts(
    installation: Installation, database: str, looks_by: psycopg.Connection
) -> dict[str, list[int]]:
    own = looks_by.info.backend_pid
    return {
        "web": installation.pids("web"),
        "worker": installation.pids("worker"),
        "database": [pid for pid in backends(database) if pid != own],
    }


class _Naive(_Contestant):
    name = "a Celery task for each event"
    SHOWN = """SELECT count(*) FROM naive_job j WHERE j.status = 'complete'
        AND 3 = (SELECT count(*) FROM naive_result r WHERE r.job_id = j.id)"""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self.database = stack.enter_context(postgres_database("naive"))
        self.reader = stack.enter_context(
            psycopg.connect(self.database, autocommit=True)
        )
        broker = redis.Redis.from_url(NAIVE_BROKER)
        broker.flushdb()
        stack.callback(broker.flushdb)
        environment = {
            "ANCHOR_DATABASE": self.database,
            "ANCHOR_BROKER": NAIVE_BROKER,
            "ANCHOR_SECRET": load.SECRET,
        }
        self.installation = stack.enter_context(Installation("naive", environment))
        self.installation.run(sys.executable, "-c", f"{NAIVE}; naive.create_tables()")
        self.installation.serve("bench.anchors.naive:application")
        self.installation.start(
            "worker",
            *(sys.executable, "-m", "celery", "-A", "bench.anchors.naive", "worker"),
            *("-l", "warning", "--pool", "threads", "--concurrency", "4"),
            *("--without-gossip", "--without-mingle"),
        )
        self.installation.wait("/")

    def parts(self) -> dict[str, list[int]]:
        return _parts(self.installation, self.database, self.looks_by())

    def looks_by(self) -> psycopg.Connection:
        return self.reader

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        return self.installation.running("-c", f"{NAIVE}; naive.submit({jobs})")

    def begun(self) -> int:
        return self._ask("SELECT count(*) FROM naive_job")

    def ended(self) -> int:
        return self._ask(self.SHOWN)

    def _ask(self, sql: str) -> int:
        return int(self.reader.execute(sql.encode()).fetchall()[0][0])
