"""What the loop itself costs, and what it survives: `python -m bench.job_loop [PART …]`.

Parts: latency (form to result), burst (jobs a second, beside a naive design), chaos (kill -9).
Checks are done at once, so that what remains is the loop: form, job, service, checks, four
webhooks. Needs PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import sqlite3
import sys
import time
from collections.abc import Callable

import psycopg

from bench import load
from bench.burst import burst
from bench.chaos import chaos
from bench.loop import SHOWN, Analyst, Loop
from bench.report import Report


def latency(report: Report, *, embedded: bool, bound: float, count: int = 40) -> None:
    """Milliseconds from submitting the form until the case is ready for review with all results."""
    with contextlib.ExitStack() as stack:
        loop = Loop(stack, embedded=embedded)
        loop.start()
        analyst = Analyst(loop.installation, loop.agent)
        text = f"{SHOWN.format(source='tool')} AND c.id = "
        took, answered = [], []
        # Polls the database instead of the page, because pages would cost CPU themselves.
        look = _reader(loop, stack)
        for number in range(count + 5):
            began = time.perf_counter()
            case = analyst.submit(f"Business {number} Ltd")
            answered.append(time.perf_counter() - began)
            while not look(f"{text}{case}"):
                assert time.perf_counter() < began + 30, "the job did not end"
                time.sleep(0.002)
            took.append(time.perf_counter() - began)
            time.sleep(0.1)
        assert analyst.sees(case, "Bench one"), "the page does not show the results"
        name = (
            "embedded: SQLite, no broker" if embedded else "PostgreSQL, Redis, Celery"
        )
        measured = load.Load(latencies=took[5:])
        # The first five rounds warm up and are left out.
        form = load.Load(latencies=answered[5:])
        report.row(
            name,
            f"{measured.ms(50):.0f}",
            f"{measured.ms(95):.0f}",
            f"{measured.ms(0):.0f}",
            f"{form.ms(50):.0f}",
        )
        report.most("B1", f"form to result, p50, {name}", measured.ms(50), bound, " ms")


def _reader(loop: Loop, stack: contextlib.ExitStack) -> Callable[[str], int]:
    """A function that runs a counting query on an open connection, so that polling costs little."""
    if loop.database:
        reader = stack.enter_context(psycopg.connect(loop.database, autocommit=True))
        return lambda sql: int(reader.execute(sql.encode()).fetchall()[0][0])
    file = loop.installation.folder / "var" / "desk.sqlite3"
    lite = stack.enter_context(contextlib.closing(sqlite3.connect(file, timeout=20)))
    return lambda sql: int(lite.execute(sql).fetchone()[0])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("latency", "burst", "chaos")
    parser.add_argument("parts", nargs="*", default=parts, metavar="PART")
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    report = Report("The loop: three checks that are done at once, four webhooks a job")
    if "latency" in options.parts:
        report.row("form to result", "p50 ms", "p95 ms", "least ms", "form p50 ms")
        latency(report, embedded=True, bound=60)
        latency(report, embedded=False, bound=100)
    if "burst" in options.parts:
        burst(report, jobs=options.jobs, rounds=options.rounds)
    if "chaos" in options.parts:
        chaos(report, embedded=True)
        chaos(report, embedded=False)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
