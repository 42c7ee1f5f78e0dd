"""Response times of others while 200 wrong passwords are tried at once: `python -m bench.front`.

The server is `manage.py up`. With `--postgres` there are two web processes on PostgreSQL and Redis, which
share the counts of attempts. Each attempt has another name, so only the small pool of logins slows it down.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import multiprocessing
import re
import statistics
import sys
import threading
import time
import uuid
from collections import Counter
from collections.abc import Callable
from multiprocessing.connection import Connection

import redis
import requests

from bench import load
from bench.installation import REDIS, Installation, postgres_database
from bench.loop import Analyst
from bench.report import Report

TRIES = 200
CACHE_DB = 15
LIMIT_MS = 500.0
# Seconds between two requests of each of the three observers, while the attempts run.
PAUSE = 0.02
TOKEN = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Guesser:
    """A browser that has loaded the login page and will send a wrong password."""

    def __init__(self, address: str, number: int) -> None:
        self.page = f"{address}/login/"
        self.name = f"nobody-{number}"
        self.session = requests.Session()
        self.session.trust_env = False
        result = TOKEN.search(self.session.get(self.page, timeout=60).text)
        assert result
        self.token = result[1]

    def guess(self, start: threading.Barrier, statuses: list[int]) -> None:
        start.wait()
        data = {"login": self.name, "password": "x", "csrfmiddlewaretoken": self.token}
        answer = self.session.post(self.page, data, timeout=120)
        if answer.status_code == 429:
            assert int(answer.headers["Retry-After"]) > 0
        statuses.append(answer.status_code)


class Others:
    """An observer that repeats one request and records the time of each response."""

    def __init__(self, name: str, ask: Callable[[], int]) -> None:
        self.name, self.ask = name, ask
        self.milliseconds: list[float] = []
        self.statuses: Counter[int] = Counter()

    def run(self, stop: threading.Event) -> None:
        while not stop.is_set():
            began = time.perf_counter()
            self.statuses[self.ask()] += 1
            self.milliseconds.append((time.perf_counter() - began) * 1000)
            time.sleep(PAUSE)

    def percentile(self, share: int) -> float:
        return statistics.quantiles(self.milliseconds, n=100)[share - 1]


def health(address: str) -> Callable[[], int]:
    session = requests.Session()
    session.trust_env = False
    return lambda: session.get(f"{address}/health/live", timeout=60).status_code


def webhook(address: str) -> Callable[[], int]:
    session = requests.Session()
    session.trust_env = False

    def ask() -> int:
        body = {"tool_id": "bench", "job_id": str(uuid.uuid4()), "results": {}}
        data = json.dumps(body).encode()
        headers = {
            "Content-Type": "application/json",
            "X-Signature-SHA256": load.sign(data, load.SECRET),
        }
        url = f"{address}/webhooks/bench/"
        return session.post(url, data=data, headers=headers, timeout=60).status_code

    return ask


def page(installation: Installation, agent: int) -> Callable[[], int]:
    analyst = Analyst(installation, agent)
    return lambda: (
        analyst.session.get(f"{installation.address}/", timeout=60).status_code
    )


def guess_all(address: str, parent: Connection) -> None:
    """All attempts, in a process of their own.

    Two hundred threads in the process of the observers would keep them from reading their
    responses, and the times would be those of the bench.
    """
    # Each one has loaded the login page before the attempts start.
    guessers = [Guesser(address, number) for number in range(TRIES)]
    # The barrier makes all attempts start at the same moment.
    start = threading.Barrier(TRIES)
    statuses: list[int] = []
    threads = [
        threading.Thread(target=row.guess, args=(start, statuses)) for row in guessers
    ]
    parent.send(None)
    parent.recv()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    parent.send(statuses)


def measure(installation: Installation, agent: int, report: Report) -> None:
    address = installation.address
    others = [
        Others("webhook", webhook(address)),
        Others("/health/live", health(address)),
        Others("page of the queue", page(installation, agent)),
    ]
    stop = threading.Event()
    watching = [threading.Thread(target=row.run, args=(stop,)) for row in others]
    spawning = multiprocessing.get_context("spawn")
    ours, theirs = spawning.Pipe()
    child = spawning.Process(target=guess_all, args=(address, theirs))
    child.start()
    ours.recv()
    for thread in watching:
        thread.start()
    began = time.monotonic()
    ours.send(None)
    statuses = ours.recv()
    seconds = time.monotonic() - began
    child.join()
    stop.set()
    for thread in watching:
        thread.join()
    tries = Counter(statuses)
    report.row("tries", f"{seconds:.1f} s", *(f"{n} x {s}" for s, n in tries.items()))
    for row in others:
        median, most = row.percentile(50), row.percentile(99)
        report.row(
            row.name, f"{len(row.milliseconds)}", f"{median:.0f} ms", f"{most:.0f} ms"
        )
        # A refusal is quick, so it would make the times look good.
        assert set(row.statuses) == {200}, row.statuses
        report.most("I", f"{row.name}, p99", most, LIMIT_MS, " ms")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    report = Report("200 wrong passwords at once")
    with contextlib.ExitStack() as stack:
        environment = {}
        if options.postgres:
            cache = f"{REDIS}/{CACHE_DB}"
            database = stack.enter_context(postgres_database("front"))
            environment = {"DATABASE_URL": database, "REDIS_URL": cache}
            client = redis.Redis.from_url(cache)
            client.flushdb()
            stack.callback(client.flushdb)
        installation = stack.enter_context(Installation("front", environment))
        agent = int(installation.seed()["agent"])
        if options.postgres:
            installation.run(sys.executable, "manage.py", "collectstatic", "--noinput")
            command = (
                *(sys.executable, "-m", "granian", "--interface", "wsgi", "--no-ws"),
                *("--host", "127.0.0.1", "--port", str(installation.port)),
                *("--workers", "2", "--blocking-threads", "8"),
                *("--log-level", "error", "compliance.wsgi:application"),
            )
            installation.start("web", *command)
        else:
            installation.start("up", sys.executable, "manage.py", "up")
        installation.wait()
        measure(installation, agent, report)
    sys.exit(report.close())


if __name__ == "__main__":
    main()
