"""An installation under a steady load for an hour: `python -m bench.soak [--minutes 60] [--postgres]`.

People send the form, every tenth time with a certificate, and look at the queue and at cases. All checks
that need no network run, and webhooks bring the results back. Every five minutes it prints the memory of
each process, rows that wait and how long, errors, and how many cases ended. After the load it waits until
all cases have ended and no row waits. Without an option `manage.py up` serves on SQLite; with it
the processes of `docker-compose.yml` run on PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import sqlite3
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psycopg
import requests
from prometheus_client.parser import text_string_to_metric_families

from bench import load
from bench.installation import Installation, distributed_environment
from bench.loop import Analyst
from bench.report import Report

TOKEN = "of-the-bench-" * 3
DOCUMENT_EVERY = 10  # one case in so many has a document
LOOK_EVERY = 1.0  # seconds between two page views
PEOPLE = 4  # users who submit forms in parallel
WARM_MINUTES = 10.0  # before memory is compared
GROWTH_MIB = 5.0
SETTLE_SECONDS = 600.0
ENDED = "SELECT count(*) FROM reviews_job WHERE status = 'complete'"
# Also of a case whose form got no answer in time: the desk has stored it all the same.
STORED = "SELECT count(*) FROM reviews_job"
# A word in the command of a process → its name in the output.
NAMES = {"granian": "web", "work": "worker", "beat": "beat", "celery": "worker"}


@dataclass
class Counts:
    """What the simulated users have experienced so far."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    cases: list[int] = field(default_factory=list)
    planned: int = 0
    errors: dict[str, int] = field(default_factory=dict)
    pages: list[float] = field(default_factory=list)

    def add_error(self, error: Exception) -> None:
        words = f"{type(error).__name__}: {error}"[:80]
        with self.lock:
            self.errors[words] = self.errors.get(words, 0) + 1

    @property
    def failed(self) -> int:
        return sum(self.errors.values())


class Soak:
    def __init__(
        self, installation: Installation, agent: int, ask: Callable[[str], int]
    ) -> None:
        self.installation = installation
        self.agent = agent
        self.ask = ask
        self.counts = Counts()
        self.stopping = threading.Event()
        self._people = threading.local()

    def submit_steadily(self, rate: float) -> None:
        """Submit forms at their planned times, whether or not the responses keep up."""
        start = time.monotonic()
        with ThreadPoolExecutor(PEOPLE) as pool:
            while not self.stopping.wait(self._pause(start, rate)):
                self.counts.planned += 1
                pool.submit(self._submit, self.counts.planned)

    def look_steadily(self) -> None:
        analyst = Analyst(self.installation, self.agent)
        chance = random.Random(1)  # noqa: S311
        while not self.stopping.wait(LOOK_EVERY):
            cases = self.counts.cases
            path = "/"
            if cases and chance.random() < 0.5:
                path = f"/cases/{chance.choice(cases)}/"
            try:
                seconds = analyst.look(path)
            except (AssertionError, requests.RequestException) as exc:
                self.counts.add_error(exc)
            else:
                self.counts.pages.append(seconds)

    def _pause(self, start: float, rate: float) -> float:
        planned = start + self.counts.planned / rate
        return max(0.0, planned - time.monotonic())

    def _submit(self, number: int) -> None:
        try:
            if not hasattr(self._people, "analyst"):
                self._people.analyst = Analyst(self.installation, self.agent)
            has_document = number % DOCUMENT_EVERY == 0
            case = self._people.analyst.submit(
                f"Business {number} Ltd", document=has_document
            )
        except (AssertionError, requests.RequestException) as exc:
            self.counts.add_error(exc)
        else:
            with self.counts.lock:
                self.counts.cases.append(case)


@dataclass
class Waiting:
    """Rows that are due and not being worked on, according to /metrics. `oldest` is in seconds."""

    rows: dict[str, int]
    oldest: float
    failing: int
    dead: int

    @property
    def total(self) -> int:
        return sum(self.rows.values())


def waiting(address: str) -> Waiting:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    answer = requests.get(f"{address}/metrics", headers=headers, timeout=30)
    answer.raise_for_status()
    rows: dict[str, int] = {}
    oldest = 0.0
    failing = dead = 0
    for family in text_string_to_metric_families(answer.text):
        for sample in family.samples:
            if sample.name == "compliance_queue_waiting" and sample.value:
                queue = sample.labels["queue"]
                rows[queue] = rows.get(queue, 0) + int(sample.value)
            elif sample.name == "compliance_queue_oldest_seconds":
                oldest = max(oldest, sample.value)
            elif sample.name == "compliance_queue_failing":
                failing += int(sample.value)
            elif sample.name == "compliance_dead_letters":
                dead += int(sample.value)
    return Waiting(rows, oldest, failing, dead)


def memory(pids: list[int]) -> dict[str, float]:
    """Resident MiB by kind of process. `readers` are the processes that read documents; they
    come and go.
    """
    sizes: dict[str, float] = {}
    for pid in pids:
        # Each process only once: `family` includes its children.
        for member in load.family(pid):
            name = _name(member)
            if name:
                resident, _ = load.memory_mib(member, alone=True)
                sizes[name] = sizes.get(name, 0.0) + resident
    return sizes


def _name(pid: int) -> str:
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes().decode()
    except OSError:
        return ""
    # Processes that read a document have the command of the fork server.
    if "multiprocessing.forkserver" in command:
        return "readers"
    words = {word.rsplit("/", 1)[-1] for word in command.split("\0")}
    for word, name in NAMES.items():
        if word in words:
            return name
    return ""


def watch(report: Report, soak: Soak, *, minutes: float, every: float) -> list[float]:
    """Print a line every `every` seconds. Returns the memory of web and worker in each line, in
    MiB.
    """
    pids = soak.installation.pids()
    totals: list[float] = []
    ended = pages = 0
    start = time.monotonic()
    report.row(
        "after", *("MiB web", "worker", "readers", "wait", "oldest s", "errors"),
        *("cases/min", "page p50", "p99 ms"),
    )  # fmt: skip
    for number in range(1, round(minutes * 60 / every) + 1):
        time.sleep(max(0.0, start + number * every - time.monotonic()))
        sizes = memory(pids)
        now = waiting(soak.installation.address)
        ended_before, ended = ended, soak.ask(ENDED)
        times, pages = soak.counts.pages[pages:], len(soak.counts.pages)
        # The readers are left out, because they come and go.
        totals.append(sum(sizes.get(name, 0.0) for name in ("web", "worker")))
        report.row(
            f"{number * every / 60:g} min",
            *(f"{sizes.get(name, 0):.0f}" for name in ("web", "worker", "readers")),
            *(str(now.total), f"{now.oldest:.1f}"),
            str(soak.counts.failed + now.failing + now.dead),
            f"{(ended - ended_before) * 60 / every:.0f}",
            *(f"{value * 1000:.0f}" for value in _percentiles(times)),
        )
    return totals


def _percentiles(values: list[float]) -> tuple[float, float]:
    if len(values) < 2:
        return (0.0, 0.0)
    parts = statistics.quantiles(values, n=100, method="inclusive")
    return parts[49], parts[98]


def settle(report: Report, soak: Soak) -> None:
    """Wait until all cases have ended, and then until no row waits."""
    start = time.monotonic()
    confirmed = len(soak.counts.cases)
    stored = soak.ask(STORED)
    report.row("cases stored", f"{stored}, {confirmed} of them confirmed in time")
    wanted = max(confirmed, stored)
    while soak.ask(ENDED) < wanted and time.monotonic() < start + SETTLE_SECONDS:
        time.sleep(0.5)
    report.row("last case ended after", f"{time.monotonic() - start:.0f} s")
    lost = wanted - soak.ask(ENDED)
    start = time.monotonic()
    last: dict[str, float] = {}
    # Rows are often due for a moment. The queues count as empty if none was waiting for ten
    # seconds.
    quiet_since = start
    while time.monotonic() < min(quiet_since + 10, start + SETTLE_SECONDS):
        # Remember when each queue was seen waiting for the last time.
        for queue in waiting(soak.installation.address).rows:
            last[queue] = time.monotonic() - start
            quiet_since = time.monotonic()
        time.sleep(0.25)
    for queue, seconds in sorted(last.items(), key=lambda item: -item[1]):
        report.row(f"  rows of {queue}", f"until {seconds:.0f} s")
    report.most("L1", "cases lost", lost, 0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--rate", type=float, default=3, help="cases a second")
    parser.add_argument("--every", type=float, default=300, help="seconds")
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    where = "PostgreSQL and Redis" if options.postgres else "SQLite"
    report = Report(
        f"{options.rate:g} cases a second for {options.minutes:g} minutes, {where}"
    )
    with contextlib.ExitStack() as stack:
        environment = {"METRICS_TOKEN": TOKEN}
        database = ""
        if options.postgres:
            environment |= stack.enter_context(distributed_environment("soak"))
            database = environment["DATABASE_URL"]
        installation = stack.enter_context(Installation("soak", environment))
        result = installation.seed()
        _start(installation, is_distributed=options.postgres)
        ask = stack.enter_context(_reader(installation, database))
        soak = Soak(installation, result["agent_of_documents"], ask)
        # One thread submits forms, one opens pages.
        threads = [
            threading.Thread(target=soak.submit_steadily, args=[options.rate]),
            threading.Thread(target=soak.look_steadily),
        ]
        for thread in threads:
            thread.start()
        try:
            totals = watch(report, soak, minutes=options.minutes, every=options.every)
        finally:
            soak.stopping.set()
            for thread in threads:
                thread.join()
        report.row(
            "cases sent", f"{len(soak.counts.cases)} of {soak.counts.planned} planned"
        )
        settle(report, soak)
        for words, count in soak.counts.errors.items():
            print(f"    {count} times {words}")
        report.most("L2", "errors that people met", soak.counts.failed, 0)
        _judge_growth(report, totals, minutes=options.minutes, every=options.every)
    return report.close()


def _start(installation: Installation, *, is_distributed: bool) -> None:
    if is_distributed:
        installation.start_distributed()
    else:
        installation.start("up", sys.executable, "manage.py", "up")
    installation.wait("/health/live", seconds=60)


@contextlib.contextmanager
def _reader(
    installation: Installation, database: str
) -> Iterator[Callable[[str], int]]:
    """A function that reads one number from the database directly."""
    reader: Any
    if database:
        reader = psycopg.connect(database, autocommit=True)
    else:
        file = installation.folder / "var" / "desk.sqlite3"
        reader = sqlite3.connect(file, timeout=20, check_same_thread=False)
    with contextlib.closing(reader):
        yield lambda sql: int(reader.execute(sql).fetchone()[0])


def _judge_growth(
    report: Report, totals: list[float], *, minutes: float, every: float
) -> None:
    what = f"MiB that web and worker grew by after {WARM_MINUTES:g} minutes"
    if minutes < 3 * WARM_MINUTES:
        report.not_run("L3", what, f"needs {3 * WARM_MINUTES:g} minutes")
        return
    first = int(WARM_MINUTES * 60 / every) - 1
    report.most("L3", what, totals[-1] - totals[first], GROWTH_MIB, " MiB")


if __name__ == "__main__":
    sys.exit(main())
