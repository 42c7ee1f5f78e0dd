"""Checks that the job loop survives: kill -9 of workers and web processes while jobs run."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path

from bench import load
from bench.loop import SHOWN, Loop, until
from bench.report import Report

LEASE = 4
PAUSE = 1.8  # seconds between two kills: long enough for some jobs, too short for all
# For each effect of a job, as SQL: how often it must exist per job.
EFFECTS = {
    "SELECT count(*) FROM agenthub_agentjob WHERE status = 'COMPLETE'": 1,
    "SELECT count(*) FROM agenthub_checkrun WHERE status = 'completed'": 3,
    "SELECT count(*) FROM agenthub_toolrun": 3,
    "SELECT count(*) FROM agenthub_delivery": 4,
    "SELECT count(*) FROM reviews_checkresult WHERE source = 'check' AND status = 'completed'": 3,
    "SELECT count(*) FROM reviews_caseevent WHERE what = 'submitted'": 1,
    "SELECT count(*) FROM reviews_caseevent WHERE what = 'job_complete'": 1,
}


def chaos(report: Report, *, embedded: bool, jobs: int = 80) -> None:
    """Kill workers and web processes while jobs run, and check that every effect happened
    exactly once.
    """
    with contextlib.ExitStack() as stack:
        loop = Loop(
            stack,
            embedded=embedded,
            LEASE_SECONDS=str(LEASE),
            JOB_NEWS_SECONDS="3",
            SWEEP_SECONDS="1",
            BENCH_CHECK_SECONDS="0.06",
        )
        loop.start()
        loop.submit(jobs)
        workers = webs = 0
        while workers < 5 or webs < 4:
            time.sleep(PAUSE)
            if workers <= webs:
                _kill(loop, "worker")
                workers += 1
            else:
                _kill(loop, "web")
                webs += 1
        left = jobs - loop.ask(SHOWN.format(source="check"))
        began = time.monotonic()
        # No more kills from here: the loop must recover by itself.
        outcome = loop.wait_for(jobs, source="check", seconds=60)
        settled = time.monotonic() - began
        until(lambda: loop.ask(next(iter(EFFECTS))), jobs, 5)
        wrong = [
            f"{result} where {each * jobs} are right: {sql}"
            for sql, each in EFFECTS.items()
            if (result := loop.ask(sql)) != each * jobs
        ]
        where = "embedded" if embedded else "PostgreSQL, Redis"
        print(
            f"  {where}: {workers} worker and {webs} web kills, {left} jobs left after the last"
        )
        for line in wrong:
            print(f"    {line}")
        report.least("B3", f"jobs shown of {jobs}, {where}", outcome, jobs)
        report.most("B3", f"effects not exactly once, {where}", len(wrong), 0)
        report.most(
            "B3", f"settled after the last kill, {where}", settled, LEASE + 2, " s"
        )


def _kill(loop: Loop, what: str) -> None:
    """Kill a process. The supervisor restarts it if embedded; otherwise restart it here."""
    if loop.embedded:
        word = {"web": "granian", "worker": "work"}[what]
        result = children(loop.installation.pids("up")[0], word)
        for pid in result:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return
    loop.installation.kill(what)
    loop.start_web() if what == "web" else loop.start_worker()


def children(pid: int, word: str) -> Sequence[int]:
    return [child for child in load.family(pid)[1:] if word.encode() in _command(child)]


def _command(pid: int) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []
