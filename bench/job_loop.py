"""What the loop itself costs, and what it survives: `python -m bench.job_loop [PART …]`.

Parts: latency (form to result), burst (jobs a second, beside a naive design), chaos (kill -9).
Checks are done at once, so that what remains is the loop: form, job, service, checks, four
webhooks. Needs PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import signal
import sqlite3
import sys
import time
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import psycopg
import redis
import requests

from bench import load, plugin
from bench.installation import BROKER_DB, REDIS, Installation, backends, postgres_database
from bench.report import Report
from checks import samples

BROKER = f"{REDIS}/{BROKER_DB}"
NAIVE_BROKER = f"{REDIS}/{BROKER_DB + 1}"
NAIVE = "from bench.anchors import naive"
LEASE = 4
PAUSE = 1.8  # seconds between two kills: long enough for some jobs, too short for all
SHOWN = """
SELECT count(*) FROM reviews_case c JOIN reviews_job j ON j.case_id = c.id
WHERE c.status = 'to_review' AND j.status = 'complete' AND 3 = (
  SELECT count(*) FROM reviews_checkresult r WHERE r.job_id = j.id AND r.source = '{source}')"""
# For each effect of a job: how many of it all jobs together must have, given how many jobs.
EFFECTS = {
    "SELECT count(*) FROM agenthub_agentjob WHERE status = 'COMPLETE'": 1,
    "SELECT count(*) FROM agenthub_checkrun WHERE status = 'completed'": 3,
    "SELECT count(*) FROM agenthub_toolrun": 3,
    "SELECT count(*) FROM agenthub_delivery": 4,
    "SELECT count(*) FROM reviews_checkresult WHERE source = 'check'": 3,
    "SELECT count(*) FROM reviews_caseevent WHERE what = 'submitted'": 1,
    "SELECT count(*) FROM reviews_caseevent WHERE what = 'job_complete'": 1,
}


class Loop:
    """An installation whose agent runs the three checks, embedded or on PostgreSQL and Redis."""

    def __init__(self, stack: contextlib.ExitStack, *, embedded: bool, **environment: str) -> None:
        self.embedded = embedded
        self.database = ""
        if not embedded:
            self.database = stack.enter_context(postgres_database("loop"))
            broker = redis.Redis.from_url(BROKER)
            broker.flushdb()
            stack.callback(broker.flushdb)
            environment |= {"DATABASE_URL": self.database, "CELERY_BROKER_URL": BROKER}
        self.installation = stack.enter_context(Installation("loop", environment))
        plugins = self.installation.folder / "plugins"
        plugin.install(plugins)
        path = f"{plugins}:{self.installation.environment['PYTHONPATH']}"
        self.installation.environment["PYTHONPATH"] = path
        self.agent = int(self.installation.seed(*plugin.IDS)["agent"])

    def start(self) -> None:
        if self.embedded:
            self.installation.start("up", sys.executable, "manage.py", "up")
        else:
            self.installation.run(sys.executable, "manage.py", "collectstatic", "--noinput")
            self.start_web()
            self.start_worker()
            celery = (sys.executable, "-m", "celery", "-A", "compliance", "beat", "-l", "warning")
            schedule = str(self.installation.folder / "beat")
            self.installation.start("beat", *celery, "--schedule", schedule)
        self.installation.wait()

    def start_web(self) -> None:
        self.installation.serve("compliance.wsgi:application")

    def start_worker(self) -> None:
        self.installation.start(
            "worker",
            *(sys.executable, "-m", "celery", "-A", "compliance", "worker", "-l", "warning"),
            *("--pool", "threads", "--concurrency", "4", "--without-gossip", "--without-mingle"),
        )

    def submit(self, count: int) -> None:
        self.installation.run(sys.executable, "-m", "bench.submit", str(self.agent), str(count))

    def ask(self, sql: str) -> int:
        """One number from the database, past the application."""
        return int(self.rows(sql)[0][0])

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        if self.database:
            with psycopg.connect(self.database, autocommit=True) as reader:
                return reader.execute(sql.encode()).fetchall()
        file = self.installation.folder / "var" / "desk.sqlite3"
        with contextlib.closing(sqlite3.connect(file, timeout=20)) as lite:
            return lite.execute(sql).fetchall()

    def wait_for(self, count: int, *, source: str, seconds: float) -> int:
        """Wait until `count` jobs are shown. Returns how many are."""
        return until(lambda: self.ask(SHOWN.format(source=source)), count, seconds)


def until(asked: Callable[[], int], count: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    while (found := asked()) < count and time.monotonic() < end:
        time.sleep(0.05)
    return found


class Analyst:
    """A person with a browser: logs in once, then looks at pages and sends the form."""

    def __init__(self, installation: Installation, agent: int) -> None:
        self.address, self.agent = installation.address, agent
        self.session = requests.Session()
        self.session.trust_env = False
        page = f"{self.address}/login/"
        said = {"username": "bench", "password": "of-the-bench"}
        self._post(page, said | {"csrfmiddlewaretoken": self._token(page)})
        self.form = f"{self.address}/cases/new/?kind=kyb"
        self.token = self._token(self.form)

    def submit(self, name: str, *, document: bool = False) -> int:
        """Send the form. Returns the number of the case."""
        said = {
            "csrfmiddlewaretoken": self.token,
            "agent": str(self.agent),
            "business_name": name,
            "submission": str(uuid.uuid4()),
        }
        sample = samples.good_certificate() if document else None
        files = {"incorporation_documents": (sample.file_name, sample.content)} if sample else None
        return int(self._post(self.form, said, files).rstrip("/").rsplit("/", 1)[1])

    def look(self, path: str) -> float:
        """Get a page. Returns how many seconds it took."""
        began = time.perf_counter()
        answer = self.session.get(self.address + path, timeout=10, allow_redirects=False)
        assert answer.status_code == 200, f"{path} answered {answer.status_code}"
        return time.perf_counter() - began

    def sees(self, case: int, words: str) -> bool:
        return words in self.session.get(f"{self.address}/cases/{case}/", timeout=10).text

    def _token(self, page: str) -> str:
        said = self.session.get(page, timeout=10).text
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', said)
        assert found is not None, f"{page} has no form"
        return found[1]

    def _post(self, page: str, said: dict[str, str], files: Any = None) -> str:
        answer = self.session.post(page, said, files=files, allow_redirects=False, timeout=10)
        assert answer.is_redirect, f"{page} answered {answer.status_code}: {answer.text[:2000]}"
        return answer.headers["Location"]


def latency(report: Report, *, embedded: bool, bound: float, count: int = 40) -> None:
    """From sending the form until the case is to be reviewed with the results of all tools."""
    with contextlib.ExitStack() as stack:
        loop = Loop(stack, embedded=embedded)
        loop.start()
        analyst = Analyst(loop.installation, loop.agent)
        shown = f"{SHOWN.format(source='tool')} AND c.id = "
        took, answered = [], []
        look = _reader(loop, stack)
        for number in range(count + 5):
            began = time.perf_counter()
            case = analyst.submit(f"Business {number} Ltd")
            answered.append(time.perf_counter() - began)
            while not look(f"{shown}{case}"):
                assert time.perf_counter() < began + 30, "the job did not end"
                time.sleep(0.002)
            took.append(time.perf_counter() - began)
            time.sleep(0.1)
        assert analyst.sees(case, "Bench one"), "the page does not show the results"
        name = "embedded: SQLite, no broker" if embedded else "PostgreSQL, Redis, Celery"
        measured = load.Load(latencies=took[5:])
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
    """Looks into the database over a kept connection, so that looking costs little."""
    if loop.database:
        reader = stack.enter_context(psycopg.connect(loop.database, autocommit=True))
        return lambda sql: int(reader.execute(sql.encode()).fetchall()[0][0])
    file = loop.installation.folder / "var" / "desk.sqlite3"
    lite = stack.enter_context(contextlib.closing(sqlite3.connect(file, timeout=20)))
    return lambda sql: int(lite.execute(sql).fetchone()[0])


def burst(report: Report, *, jobs: int, rounds: int) -> None:
    """Jobs a second and CPU a job, beside a Celery task for each event."""
    with contextlib.ExitStack() as stack:
        contestants: list[_Contestant] = [_Ours(stack), _Naive(stack)]
        for _ in range(rounds):
            for contestant in contestants:
                contestant.take_turn(jobs)
        report.row("cpu in ms a job", "jobs/s", "web", "worker", "database", "together")
        for each in contestants:
            parts = [load.medians(cpu[part] for cpu in each.cpu) for part in each.cpu[0]]
            cells = [f"{value:.1f}" for value in (load.medians(each.rates), *parts, sum(parts))]
            report.row(each.name, *cells)
        ours, naive = contestants
        faster = load.medians(a / b for a, b in zip(ours.rates, naive.rates, strict=True))
        cheaper = load.medians(
            sum(a.values()) / sum(b.values()) for a, b in zip(ours.cpu, naive.cpu, strict=True)
        )
        report.least("B2", "jobs a second / naive", faster, 2.5)
        report.most("B2", "cpu of web, worker and database / naive", cheaper, 0.5)


class _Contestant:
    name: str

    def __init__(self) -> None:
        self.rates: list[float] = []
        self.cpu: list[dict[str, float]] = []
        self.done = 0

    def take_turn(self, jobs: int) -> None:
        before = self._spent()
        with self.submitting(jobs):
            until(self.begun, self.done + 1, 30)
            began = time.perf_counter()
            self.done += jobs
            ended = until(self.ended, self.done, 90)
        assert ended == self.done, f"{self.name}: {ended} of {self.done} jobs ended"
        self.rates.append(jobs / (time.perf_counter() - began))
        time.sleep(1)  # what remains to be cleared up belongs to the jobs
        spent = self._spent()
        self.cpu.append({part: (spent[part] - before[part]) / jobs * 1000 for part in spent})

    def _spent(self) -> dict[str, float]:
        return {part: load.cpu_seconds(pids) for part, pids in self.parts().items()}

    def parts(self) -> dict[str, list[int]]:
        raise NotImplementedError

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        """Submit from a process of its own, which is not counted."""
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
        return _parts(self.loop.installation, self.loop.database)

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        return self.loop.installation.running("-m", "bench.submit", str(self.loop.agent), str(jobs))

    def begun(self) -> int:
        return self.loop.ask("SELECT count(*) FROM reviews_job")

    def ended(self) -> int:
        return self.loop.ask(SHOWN.format(source="tool"))


def _parts(installation: Installation, database: str) -> dict[str, list[int]]:
    return {
        "web": installation.pids("web"),
        "worker": installation.pids("worker"),
        "database": backends(database),
    }


class _Naive(_Contestant):
    name = "a Celery task for each event"
    SHOWN = """SELECT count(*) FROM naive_job j WHERE j.status = 'complete'
        AND 3 = (SELECT count(*) FROM naive_result r WHERE r.job_id = j.id)"""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        super().__init__()
        self.database = stack.enter_context(postgres_database("naive"))
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
        return _parts(self.installation, self.database)

    def submitting(self, jobs: int) -> contextlib.AbstractContextManager[Any]:
        return self.installation.running("-c", f"{NAIVE}; naive.submit({jobs})")

    def begun(self) -> int:
        return self._ask("SELECT count(*) FROM naive_job")

    def ended(self) -> int:
        return self._ask(self.SHOWN)

    def _ask(self, sql: str) -> int:
        with psycopg.connect(self.database, autocommit=True) as reader:
            return int(reader.execute(sql.encode()).fetchall()[0][0])


def chaos(report: Report, *, embedded: bool, jobs: int = 80) -> None:
    """kill -9 of workers and web processes while jobs run."""
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
        shown = loop.wait_for(jobs, source="check", seconds=60)
        settled = time.monotonic() - began
        until(lambda: loop.ask(next(iter(EFFECTS))), jobs, 5)
        wrong = [
            f"{found} where {each * jobs} are right: {sql}"
            for sql, each in EFFECTS.items()
            if (found := loop.ask(sql)) != each * jobs
        ]
        where = "embedded" if embedded else "PostgreSQL, Redis"
        print(f"  {where}: {workers} worker and {webs} web kills, {left} jobs left after the last")
        for line in wrong:
            print(f"    {line}")
        report.least("B3", f"jobs shown of {jobs}, {where}", shown, jobs)
        report.most("B3", f"effects not exactly once, {where}", len(wrong), 0)
        report.most("B3", f"settled after the last kill, {where}", settled, LEASE + 2, " s")


def _kill(loop: Loop, what: str) -> None:
    """kill -9. Embedded, the supervisor starts it again; else what supervises in its place."""
    if loop.embedded:
        word = {"web": "granian", "worker": "work"}[what]
        found = children(loop.installation.pids("up")[0], word)
        for pid in found:
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


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parts = ("latency", "burst", "chaos")
    parser.add_argument("parts", nargs="*", default=parts, metavar="PART")
    parser.add_argument("--jobs", type=int, default=100)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    report = Report("The loop: three checks that are done at once, four webhooks a job")
    if "latency" in given.parts:
        report.row("form to result", "p50 ms", "p95 ms", "least ms", "form p50 ms")
        latency(report, embedded=True, bound=40)
        latency(report, embedded=False, bound=70)
    if "burst" in given.parts:
        burst(report, jobs=given.jobs, rounds=given.rounds)
    if "chaos" in given.parts:
        chaos(report, embedded=True)
        chaos(report, embedded=False)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
