"""How fast webhooks are taken in: `python -m bench.webhook_ingest [--stripe-python PYTHON]`.

Every contestant has a server process and a database of its own; they take turns in each round, and
a goal is judged by the median over the rounds of the ratio within one. Needs PostgreSQL, and Redis
for the publishes that are counted. dj-stripe has its own requirements: name the interpreter of an
environment that has it, with granian and psycopg.
"""

from __future__ import annotations

import argparse
import contextlib
import hmac
import json
import random
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

import redis

from bench import load
from bench.installation import (
    BROKER_DB,
    REDIS,
    Installation,
    backends,
    commits,
    postgres_database,
    web_command,
)
from bench.load import Load
from bench.report import Report

BROKER = f"{REDIS}/{BROKER_DB}"
RATE, RATE_SECONDS = 200.0, 10
# The same as in anchors/stripe.py.
STRIPE_ENDPOINT = "3c9a2f0e-5d5c-4b0c-9d0e-0b1f5d1c7a11"


@dataclass
class Contestant:
    """A running receiver with its results."""

    name: str
    installation: Installation
    requests: int
    path: str = "/webhooks/bench/"
    database: str = ""
    sign: Callable[[str, bytes], bytes] = load.signed
    rounds: list[Load] = field(default_factory=list)
    cpu: list[tuple[float, float]] = field(default_factory=list)
    verified: int = 0
    commits_before: int = 0

    @property
    def url(self) -> str:
        return self.installation.address + self.path

    def take_turn(self) -> None:
        messages = self._messages()
        before = self._cpu()
        result = load.drive(self.url, messages)
        # A wrong status or a lost connection would make the figures meaningless.
        wrong = {status: n for status, n in result.statuses.items() if status != 200}
        assert not wrong, f"{self.name}: {wrong}"
        assert not result.broken, f"{self.name}: {result.broken} broken"
        # Microseconds of CPU per request: web process, database.
        spent = [
            (now - then) / result.done * 1e6
            for now, then in zip(self._cpu(), before, strict=True)
        ]
        self.cpu.append((spent[0], spent[1]))
        self.rounds.append(result)
        self.verified += result.done

    def _cpu(self) -> tuple[float, float]:
        """CPU seconds of the web process, and of PostgreSQL for its database."""
        return load.cpu_seconds(self.installation.pids()), load.cpu_seconds(
            backends(self.database)
        )

    def _messages(self) -> Iterable[bytes]:
        return [self.sign(self.url, body) for body in load.bodies(self.requests)]


def ratio(one: Contestant, other: Contestant) -> float:
    """The median over the rounds of the ratio of rates within a round."""
    pairs = zip(
        one.rounds[1:], other.rounds[1:], strict=True
    )  # the first round warms up
    return load.medians(mine.rate / theirs.rate for mine, theirs in pairs)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--stripe-python", default=sys.executable)
    options = parser.parse_args()
    report = Report("Webhooks taken in: 16 connections, bodies of 2.7 KB, each once")
    broker = redis.Redis.from_url(BROKER)
    with contextlib.ExitStack() as stack:
        broker.flushdb()
        stack.callback(broker.flushdb)
        result = _contestants(stack, options.stripe_python)
        for _ in range(options.rounds + 1):
            for contestant in result.values():
                contestant.take_turn()
        _table(report, result)
        _judge(report, result)
        _open_loop(report, result, broker)
    return report.close()


def _contestants(
    stack: contextlib.ExitStack, stripe_python: str
) -> dict[str, Contestant]:
    data = {
        "bare": _anchor(stack, "bare WSGI", "bare", 1500),
        "ours": _ours(stack, "ours, PostgreSQL", "wsgi", 1500),
    }
    data["asgi"] = _ours(stack, "ours, PostgreSQL, ASGI front", "asgi", 1000)
    data["lite"] = _ours(stack, "ours, SQLite FULL", "wsgi", 1500, on_postgres=False)
    data["lite asgi"] = _ours(
        stack, "ours, SQLite FULL, ASGI front", "asgi", 1000, on_postgres=False
    )
    data["drf"] = _anchor(stack, "REST framework, get_or_create", "drf", 400)
    if _has_stripe(stripe_python):
        data["stripe"] = _stripe(stack, stripe_python)
    return data


def _has_stripe(python: str) -> bool:
    process = subprocess.run(
        [python, "-c", "import djstripe"], capture_output=True, check=False
    )
    return b"No module named 'djstripe'" not in process.stderr


def _ours(
    stack: contextlib.ExitStack,
    name: str,
    interface: str,
    requests: int,
    *,
    on_postgres: bool = True,
) -> Contestant:
    database, environment = "", {"CELERY_BROKER_URL": BROKER}
    if on_postgres:
        database = stack.enter_context(postgres_database(f"ingest_{interface}"))
        environment["DATABASE_URL"] = database
    else:
        environment = {}
    installation = stack.enter_context(Installation("ingest", environment))
    installation.seed()
    before = commits(database) if database else 0
    installation.serve(f"compliance.{interface}:application", interface=interface)
    installation.wait()
    return Contestant(
        name, installation, requests, database=database, commits_before=before
    )


def _anchor(
    stack: contextlib.ExitStack, name: str, module: str, requests: int, python: str = ""
) -> Contestant:
    database = stack.enter_context(postgres_database(f"ingest_{module}"))
    environment = {"ANCHOR_DATABASE": database, "ANCHOR_SECRET": load.SECRET}
    installation = stack.enter_context(Installation(module, environment))
    if python:
        installation.run(
            python,
            "-c",
            f"from bench.anchors import {module} as it; it.create_tables()",
        )
    command = web_command(
        f"bench.anchors.{module}:application", interface="wsgi", port=installation.port
    )
    installation.start("web", python or sys.executable, *command[1:])
    installation.wait("/", seconds=30)
    return Contestant(name, installation, requests, database=database)


def _stripe(stack: contextlib.ExitStack, python: str) -> Contestant:
    result = _anchor(stack, "dj-stripe", "stripe", 150, python)
    result.path = f"/stripe/webhook/{STRIPE_ENDPOINT}/"
    result.sign = _stripe_signed
    return result


def _stripe_signed(url: str, body: bytes) -> bytes:
    """A request with a Stripe event of the same size and of an unknown type, with Stripe's
    signature.
    """
    event = {
        "id": f"evt_{uuid.uuid4().hex}",
        "object": "event",
        "api_version": "2024-06-20",
        "created": int(time.time()),
        "livemode": False,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": "bench.tested",
        "data": {"object": json.loads(body) | {"id": "bench", "object": "bench"}},
    }
    result = json.dumps(event)
    moment = int(time.time())
    signature = hmac.new(
        load.SECRET.encode(), f"{moment}.{result}".encode(), "sha256"
    ).hexdigest()
    headers = {
        "Content-Type": "application/json",
        "Stripe-Signature": f"t={moment},v1={signature}",
    }
    return load.request("POST", url, result.encode(), headers)


def _table(report: Report, made: dict[str, Contestant]) -> None:
    report.row("", "requests/s", "x bare", "p50 ms", "p99 ms", "cpu us", "of the db")
    bare = made["bare"]
    for each in made.values():
        latencies = Load(
            latencies=[one for run in each.rounds[1:] for one in run.latencies]
        )
        web, database = (
            load.medians(spent) for spent in zip(*each.cpu[1:], strict=True)
        )
        report.row(
            each.name,
            f"{load.medians(run.rate for run in each.rounds[1:]):.0f}",
            f"{ratio(each, bare):.2f}",
            f"{latencies.ms(50):.1f}",
            f"{latencies.ms(99):.1f}",
            f"{web:.0f}",
            f"{database:.0f}",
        )
    print()


def _judge(report: Report, made: dict[str, Contestant]) -> None:
    ours = made["ours"]
    report.least("A1", "ingest / bare WSGI receiver", ratio(ours, made["bare"]), 0.50)
    report.least(
        "A2", "ingest / REST framework + get_or_create", ratio(ours, made["drf"]), 4
    )
    if "stripe" in made:
        report.least("A2", "ingest / dj-stripe", ratio(ours, made["stripe"]), 10)
    else:
        report.not_run("A2", "ingest / dj-stripe", "dj-stripe is not installed")


def _open_loop(
    report: Report, made: dict[str, Contestant], broker: redis.Redis
) -> None:
    ours, bare = made["ours"], made["bare"]
    count = int(RATE * RATE_SECONDS)
    print(f"\n{RATE:.0f}/s for {RATE_SECONDS} s, 10 % duplicates, 2 % forged")
    for contestant in (ours, bare, ours):  # the first run warms up
        broker.flushdb()
        bodies = load.bodies(count, duplicates=0.1)
        # Positions of requests with a wrong signature.
        forged = set(random.sample(range(count), count // 50))
        messages = [
            load.signed(
                contestant.url, body, "forged" if number in forged else load.SECRET
            )
            for number, body in enumerate(bodies)
        ]
        result = load.drive(contestant.url, messages, rate=RATE)
        assert result.statuses == {200: count - len(forged), 401: len(forged)}, (
            result.statuses
        )
        contestant.verified += count - len(forged)
        times = (f"{result.ms(percent):.1f}" for percent in (50, 95, 99))
        report.row(contestant.name, *times)
    rings = float(broker.llen("celery")) / count
    print(f"wake-ups, coalesced and outside the request: {rings:.2f} a webhook")
    report.most("A3", "p99 at 200/s, open loop", result.ms(99), 10, " ms")
    # Outside a transaction each statement is a commit. A process reports its counts when it ends.
    ours.installation.kill("web")
    statements = (commits(ours.database) - ours.commits_before) / ours.verified
    report.most("A4", "statements a webhook, over the whole run", statements, 1.05)


if __name__ == "__main__":
    sys.exit(main())
