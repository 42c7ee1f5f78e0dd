"""What sending webhooks costs: `python -m bench.deliveries` (E).

The outbox and its queue beside a Celery task for each event with requests.post, which take turns:
the same bodies to the same receiver, which verifies each signature. Then the queue alone with a
receiver that takes 100 ms. Needs PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import time
from typing import Any

import psycopg
import redis
import requests

from bench import load
from bench.installation import (
    BROKER_DB,
    REDIS,
    Installation,
    backends,
    free_port,
    postgres_database,
)
from bench.report import Report

# Threads of each design; the naive one is faster with more.
THREADS = {
    "ours": 4,
    "naive": 8,
}
# Deliveries in one turn. SLOW: delay in seconds; AT_ONCE: deliveries with that delay.
COUNTS = {"ours": 2000, "naive": 400}
SLOW, AT_ONCE = 0.1, 240


class Sink:
    def __init__(self, stack: contextlib.ExitStack, delay: float) -> None:
        installation = stack.enter_context(Installation("sink"))
        installation.start(
            "sink",
            sys.executable,
            "-m",
            "bench.anchors.sink",
            str(installation.port),
            str(delay),
        )
        self.url = installation.address
        installation.wait("/")

    def forget(self) -> None:
        requests.delete(self.url, timeout=10)

    def report(self) -> dict[str, Any]:
        body: dict[str, Any] = requests.get(self.url, timeout=10).json()
        return body

    def until(self, count: int, seconds: float = 90) -> dict[str, Any]:
        end = time.monotonic() + seconds
        while (result := self.report())["valid"] < count:
            assert time.monotonic() < end, f"{result}: {count} were expected"
            time.sleep(0.02 if count == 1 else 0.1)
        return result


class Ours:
    """The project's own outbox, sent by `manage.py work`, without a broker."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self.database = stack.enter_context(postgres_database("sent"))
        installation = Installation("ours", {"DATABASE_URL": self.database})
        self.installation = stack.enter_context(installation)
        self.reader = stack.enter_context(
            psycopg.connect(self.database, autocommit=True)
        )

    def start(self) -> None:
        port = free_port()
        self.installation.environment["PORT"] = str(port)
        self.installation.start("worker", sys.executable, "manage.py", "work")

    def prepare(self, sink: Sink, count: int) -> None:
        host = sink.url.removeprefix("http://")
        self.installation.environment["OUTBOUND_ALLOW"] = host
        self.installation.run(
            sys.executable,
            "-m",
            "bench.deliveries_seed",
            f"{sink.url}/hook",
            str(count),
        )

    def go(self) -> None:
        self.reader.execute(
            "UPDATE agenthub_delivery SET due_at = now() WHERE status = 'due' AND due_at IS NULL"
        )

    def cpu(self) -> float:
        return load.cpu_seconds(
            [*self.installation.pids("worker"), *backends(self.database)]
        )


class Naive:
    def __init__(self, stack: contextlib.ExitStack) -> None:
        self.database = stack.enter_context(postgres_database("naive_sent"))
        url = f"{REDIS}/{BROKER_DB + 1}"
        broker = redis.Redis.from_url(url)
        broker.flushdb()
        stack.callback(broker.flushdb)
        environment = {"DATABASE_URL": self.database, "ANCHOR_BROKER": url}
        self.installation = stack.enter_context(Installation("naive", environment))
        self.installation.run(sys.executable, "-m", "bench.anchors.outgoing", "create")

    def start(self) -> None:
        self.installation.start(
            "worker",
            *(sys.executable, "-m", "celery", "-A", "bench.anchors.outgoing", "worker"),
            *(
                "-l",
                "warning",
                "--pool",
                "threads",
                "--concurrency",
                str(THREADS["naive"]),
            ),
            *("--without-gossip", "--without-mingle"),
        )

    def prepare(self, sink: Sink, count: int) -> None:
        """Publish all tasks first, so that the cost of publishing is not counted."""
        self.installation.run(
            sys.executable,
            "-m",
            "bench.anchors.outgoing",
            f"{sink.url}/hook",
            str(count),
        )

    def go(self) -> None:
        """Nothing to do: the worker starts with the published tasks."""

    def cpu(self) -> float:
        pids = [*self.installation.pids("worker"), *backends(self.database)]
        return load.cpu_seconds(pids)


def _turn(contestant: Ours | Naive, sink: Sink, count: int) -> tuple[float, float]:
    """Deliveries per second, and CPU of worker and database per delivery in milliseconds."""
    sink.forget()
    contestant.prepare(sink, count)
    contestant.start()
    time.sleep(4 if isinstance(contestant, Ours) else 0)
    contestant.go()
    # Measured from the first delivery: what the design needs to start is not counted.
    begun, spent = sink.until(1)["valid"], contestant.cpu()
    result = sink.until(count)
    time.sleep(0.3)  # time to store the last responses
    spent = contestant.cpu() - spent
    contestant.installation.kill("worker")
    assert result["distinct"] == result["valid"] == count, result
    assert result["invalid"] == 0
    return count / result["seconds"], spent / max(1, count - begun) * 1000


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    report = Report("Webhooks out: signed, sent, written down")
    data: dict[str, list[tuple[float, float]]] = {"ours": [], "naive": []}
    with contextlib.ExitStack() as stack:
        quick, slow = Sink(stack, 0.0), Sink(stack, SLOW)
        contestants: dict[str, Ours | Naive] = {
            "ours": Ours(stack),
            "naive": Naive(stack),
        }
        for _ in range(options.rounds):
            for name, contestant in contestants.items():
                data[name].append(_turn(contestant, quick, COUNTS[name]))
                report.row(
                    f"a turn: {name}", *(f"{value:.2f}" for value in data[name][-1])
                )
        rate, _ = _turn(contestants["ours"], slow, AT_ONCE)
    report.row("receiver answers at once", "deliveries/s", "cpu ms")
    for name, turns in data.items():
        report.row(
            name,
            *(f"{load.medians(values):.2f}" for values in zip(*turns, strict=True)),
        )
    # What the threads could deliver at most if they did nothing but wait.
    most = THREADS["ours"] / SLOW
    report.row(f"ours, receiver takes {SLOW * 1000:.0f} ms", f"{rate:.1f}")
    print()
    pairs = list(zip(data["ours"], data["naive"], strict=True))
    report.least("E1", "deliveries a second / naive", load.medians(a[0] / b[0] for a, b in pairs), 5)  # fmt: skip
    report.most("E1", "cpu of worker and database / naive", load.medians(a[1] / b[1] for a, b in pairs), 0.2)  # fmt: skip
    report.least("E1", "of threads / latency of the receiver", rate / most, 0.9)
    return report.close()


if __name__ == "__main__":
    sys.exit(main())
