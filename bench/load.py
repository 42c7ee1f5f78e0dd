"""Signed payloads, a driver that sends HTTP requests, and the CPU and memory of processes."""

from __future__ import annotations

import asyncio
import base64
import hmac
import itertools
import json
import os
import random
import statistics
import time
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

SECRET = "a-secret-of-benches"
TICKS = os.sysconf("SC_CLK_TCK")


def sign(body: bytes, secret: str = SECRET) -> str:
    return base64.b64encode(hmac.digest(secret.encode(), body, "sha256")).decode()


def job_event(chance: random.Random) -> dict[str, object]:
    """The body of a job webhook, about 0.6 KB."""
    number = chance.randrange(10**9)
    address = {
        "type": "Address",
        "street_1": "1 Main St",
        "street_2": None,
        "city": "Dover",
        "state": "DE",
        "country_code": "US",
        "postal_code": "19901",
    }
    return {
        "id": _uuid(chance),
        "agent_id": _uuid(chance),
        "status": "complete",
        "recommendation": "Approve",
        "created_at": "2025-01-02T03:04:05.678901Z",
        "updated_at": "2025-01-02T03:05:05.678901Z",
        "input_payload": {
            "id": f"case-{number}",
            "self_attested_data": {
                "business_name": f"Business {number} LLC",
                "website": f"https://b{number}.example",
                "address_of_incorporation": address,
            },
        },
    }


def tool_event(chance: random.Random, indicators: int = 12) -> dict[str, object]:
    """The body of a tool webhook, about 3.5 KB with 12 indicators."""
    rows = [
        {
            "indicator_id": f"found_{number}_{chance.randrange(10**6)}",
            "type": chance.choice(("RISK", "TRUST", "INFO")),
            "category": "document structure",
            "title": "Incremental update after signing",
            "description": "The file was saved by more than one producer; objects 14 to 21 were"
            " appended later.",
        }
        for number in range(indicators)
    ]
    return {
        "job_id": _uuid(chance),
        "agent_instance_id": _uuid(chance),
        "tool_id": "document_fraud_check",
        "results": {
            "passed": False,
            "alerts": None,
            "answer": "Document shows signs of editing.",
            "explanation": "Its fonts do not match those of the issuer.",
            "payload": {
                "type": "DocumentFraudCheck",
                "fraud_verification_data": {
                    "verification_passed": False,
                    "verification_result": "HIGH_RISK",
                    "verification_description": "Indicators of tampering were found.",
                    "verification_data": rows,
                },
            },
        },
    }


def _uuid(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def bodies(count: int, *, duplicates: float = 0.0) -> list[bytes]:
    """Webhook bodies, one job event for every three tool events. The share `duplicates` repeats
    others.
    """
    chance = random.Random(time.time_ns())  # noqa: S311
    # Different in each run, so that no body was stored before.
    fresh = [
        json.dumps(
            job_event(chance) if chance.random() < 0.25 else tool_event(chance)
        ).encode()
        for _ in range(max(1, round(count * (1 - duplicates))))
    ]
    repeats = [chance.choice(fresh) for _ in range(count - len(fresh))]
    every = fresh + repeats
    chance.shuffle(every)
    return every


def request(
    method: str, url: str, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> bytes:
    """One HTTP/1.1 request as bytes."""
    parts = urlsplit(url)
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    lines = [f"{method} {target} HTTP/1.1", f"Host: {parts.netloc}"]
    lines += [f"{name}: {value}" for name, value in (headers or {}).items()]
    if body:
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def signed(url: str, body: bytes, secret: str = SECRET) -> bytes:
    headers = {
        "Content-Type": "application/json",
        "X-Signature-SHA256": sign(body, secret),
    }
    return request("POST", url, body, headers)


@dataclass
class Load:
    """The result of a run of requests. `latencies` are in seconds; `broken` counts lost
    connections.
    """

    seconds: float = 0.0
    statuses: dict[int, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)
    broken: int = 0

    @property
    def done(self) -> int:
        return len(self.latencies)

    @property
    def rate(self) -> float:
        return self.done / self.seconds if self.seconds else 0.0

    def ms(self, percent: float) -> float:
        """A percentile of the latencies in milliseconds. `percent` 0 is the minimum."""
        ordered = sorted(self.latencies) or [float("nan")]
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] * 1000

    def add(self, status: int, latency: float) -> None:
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.latencies.append(latency)


class _Connection(asyncio.Protocol):
    """A persistent connection that sends the next request when the last response is complete."""

    def __init__(self, run: _Run) -> None:
        self.run = run
        self.buffer = bytearray()
        self.transport: asyncio.Transport | None = None
        self.began = 0.0
        self.waiting = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.send()

    def send(self) -> None:
        planned = self.run.next()
        if planned is None:
            self.waiting = False
            if self.transport is not None:
                self.transport.close()
            return
        self.waiting = True
        moment, message = planned
        # In an open loop the latency counts from the planned time, so it includes the time of
        # waiting.
        self.began = moment or time.perf_counter()
        wait = self.began - time.perf_counter()
        if wait > 0:
            asyncio.get_running_loop().call_later(wait, self._write, message)
        else:
            self._write(message)

    def _write(self, message: bytes) -> None:
        if self.transport is not None and not self.transport.is_closing():
            self.transport.write(message)

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        head_end = self.buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        # A minimal parser: only the status and the end of the response are needed.
        head = bytes(self.buffer[:head_end]).lower()
        start = head.find(b"\r\ncontent-length:")
        if start >= 0:
            length = int(head[start + 17 :].split(b"\r\n", 1)[0])
            whole = len(self.buffer) >= head_end + 4 + length
        else:
            whole = self.buffer.endswith(b"0\r\n\r\n")  # chunked
        if whole:
            self.buffer.clear()
            self.run.load.add(int(head[9:12]), time.perf_counter() - self.began)
            self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        if self.waiting:
            self.run.load.broken += 1
        self.run.closed()


class _Run:
    def __init__(self, messages: Iterable[bytes], seconds: float, rate: float) -> None:
        self.load = Load()
        self.messages = iter(messages)
        self.began = time.perf_counter()
        self.end = self.began + seconds if seconds else float("inf")
        self.rate = rate
        self.sent = itertools.count()
        self.open = 0
        self.over = asyncio.get_running_loop().create_future()

    def next(self) -> tuple[float, bytes] | None:
        if time.perf_counter() > self.end:
            return None
        message = next(self.messages, None)
        if message is None:
            return None
        # Without a rate the planned time is 0, which means immediately.
        return (self.began + next(self.sent) / self.rate if self.rate else 0.0), message

    def closed(self) -> None:
        self.open -= 1
        if not self.open and not self.over.done():
            self.over.set_result(None)


async def _drive(
    url: str, messages: Iterable[bytes], connections: int, seconds: float, rate: float
) -> Load:
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or 80
    loop = asyncio.get_running_loop()
    run = _Run(messages, seconds, rate)
    run.open = connections
    make: Callable[[], _Connection] = lambda: _Connection(run)  # noqa: E731
    await asyncio.gather(
        *(loop.create_connection(make, host, port) for _ in range(connections))
    )
    await asyncio.wait_for(run.over, 90)
    run.load.seconds = time.perf_counter() - run.began
    return run.load


def drive(
    url: str,
    messages: Iterable[bytes],
    *,
    connections: int = 16,
    seconds: float = 0.0,
    rate: float = 0.0,
) -> Load:
    """Send messages over persistent connections, one at a time on each.

    Ends when all are sent or after `seconds`. With a `rate`, so many messages leave per second even
    if responses are late (open loop).
    """
    return asyncio.run(_drive(url, messages, connections, seconds, rate))


def family(pid: int) -> list[int]:
    """The pids of a process and all its living descendants."""
    # Parent pid → pids, from /proc.
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and (stat := _stat(int(folder.name))):
            children.setdefault(int(stat[1]), []).append(int(folder.name))
    result, todo = [], [pid]
    while todo:
        result.append(todo.pop())
        todo += children.get(result[-1], [])
    return result


def _stat(pid: int) -> list[str]:
    """The fields of /proc/PID/stat after the command name; empty if the process has ended."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    except OSError:
        return []


def cpu_seconds(pids: Iterable[int]) -> float:
    """User and system time of these processes with all descendants, including ended ones."""
    # Fields 11 to 14 are utime, stime, cutime and cstime in clock ticks.
    living = {member for pid in pids for member in family(pid)}
    return (
        sum(sum(map(int, stat[11:15])) for pid in living if (stat := _stat(pid)))
        / TICKS
    )


def parent(pid: int) -> int:
    return int(_stat(pid)[1])


def ended_children_seconds(pid: int) -> float:
    """User and system time of the children of a process that have ended."""
    stat = _stat(pid)
    return sum(map(int, stat[13:15])) / TICKS if stat else 0.0


def memory_mib(pid: int, *, alone: bool = False) -> tuple[float, float]:
    """Resident and proportional memory in MiB, with all descendants unless `alone`.

    In the proportional size, shared pages are divided among their processes.
    """
    resident = proportional = 0
    for member in [pid] if alone else family(pid):
        try:
            rollup = Path(f"/proc/{member}/smaps_rollup").read_text()
        except OSError:
            continue
        sizes = dict(line.split(":", 1) for line in rollup.splitlines()[1:])
        resident += int(sizes["Rss"].split()[0])
        proportional += int(sizes["Pss"].split()[0])
    return resident / 1024, proportional / 1024


def medians(rounds: Iterable[float]) -> float:
    return statistics.median(rounds)


def forever(message: bytes) -> Iterator[bytes]:
    return itertools.repeat(message)
