"""What nine accounts feel while a tenth sends slow documents: `python -m bench.fair_hub [--postgres] [--slow 100]`.

One account sends a hundred jobs (or as many as `--slow` says), each with a document that takes all of the time that a document may
take. Side by side: a job without documents alone, and behind the hundred; and how many of the hundred
documents were begun before the document of another account was. Without an option `manage.py up` serves
on SQLite, with it the processes of `docker-compose.yml` on PostgreSQL and Redis.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import json
import os
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import requests

from bench.installation import Installation, distributed_environment
from bench.report import Report
from checks import samples

ACCOUNTS = 10
SLOW = 100
ROUNDS = 3  # jobs without documents, per account
# Shorter than the default, so that the benchmark ends: each slow document uses all of it.
DOCUMENT_SECONDS = 6
LIMIT_MS = 1000.0
# As many documents as agenthub.jobs.examination reads at the same time.
READERS = max(2, os.cpu_count() or 1)


@dataclass
class Client:
    """One account as a client of the hub's interface."""

    address: str
    number: int
    key: str

    def __post_init__(self) -> None:
        self.session = requests.Session()
        self.session.trust_env = False
        self.session.headers["Authorization"] = f"Bearer {self.key}"

    def start(self, kind: str, attested: dict[str, Any]) -> str:
        """Start a job. Returns its id."""
        body = {
            "agent_key": f"{kind}-{self.number}",
            f"{kind}_schema": {"id": "bench", "self_attested_data": attested},
        }
        url = f"{self.address}/api/v1/start{kind.upper()}AgentJob"
        answer = self.session.post(url, json=body, timeout=60)
        answer.raise_for_status()
        return str(answer.json()["job_id"])

    def start_document(self, content: bytes) -> str:
        file = {
            "b64_document": base64.b64encode(content).decode(),
            "file_name": "certificate.pdf",
        }
        return self.start(
            "kyb", {"business_name": "Northwind", "incorporation_documents": [file]}
        )

    def job(self, job_id: str) -> dict[str, Any]:
        params = {"job_id": job_id, "include_check_results": "true"}
        url = f"{self.address}/api/v1/getJobById"
        answer = self.session.get(url, params=params, timeout=60)
        answer.raise_for_status()
        job: dict[str, Any] = answer.json()
        return job

    def begun_at(self, job_id: str) -> datetime | None:
        """When the first check of the job started; None if none has."""
        for result in self.job(job_id)["check_results"]:
            for message in result["status_messages"]:
                if message["message"] == "Started":
                    return datetime.fromisoformat(message["timestamp"])
        return None

    def data_job_ms(self) -> float:
        """Milliseconds from the request until a job without documents ends."""
        began = time.perf_counter()
        attested = {
            "first_name": "Ada",
            "last_name": "Byron",
            "date_of_birth": "1988-04-17",
        }
        job_id = self.start("kyc", attested)
        while self.job(job_id)["status"] not in {"complete", "failed"}:
            time.sleep(0.01)
        return (time.perf_counter() - began) * 1000


def slow_document(operators: int = 400_000) -> bytes:
    """A PDF with one page, whose content stream has this many operators."""
    lines = [
        b"%d %d m %d %d l S\n" % (n % 600, n % 790, n % 7, n % 5)
        for n in range(operators // 3)
    ]
    content = b"".join(lines)
    # A minimal PDF, written by hand: catalog, pages, page, content stream.
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(content), content),
    ]
    out = b"%PDF-1.7\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj %s endobj\n" % (number, each)
    # The cross-reference table holds the offset of each object.
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 5\n0000000000 65535 f \n" + table
    trailer = b"trailer<</Root 1 0 R/Size 5>>startxref\n%d\n%%%%EOF" % len(out)
    return out + head + trailer


def percentile(values: Sequence[float], share: int) -> float:
    return statistics.quantiles(values, n=100, method="inclusive")[share - 1]


def wait_until_begun(client: Client, job_id: str, *, seconds: float) -> datetime:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if moment := client.begun_at(job_id):
            return moment
        time.sleep(0.2)
    raise TimeoutError(f"no document of account {client.number} was begun")


def begin_documents(clients: Sequence[Client]) -> tuple[datetime, list[datetime]]:
    """Send a document of each account. Returns when they were sent, and when each was begun."""
    good = samples.good_certificate().content
    sent_at = datetime.now().astimezone()
    jobs = [(client, client.start_document(good)) for client in clients]
    begun = []
    for client, job_id in jobs:
        moment = wait_until_begun(client, job_id, seconds=DOCUMENT_SECONDS * SLOW)
        begun.append(moment)
    return sent_at, begun


def seconds_since(sent_at: datetime, begun: Sequence[datetime]) -> list[float]:
    return [(moment - sent_at).total_seconds() for moment in begun]


def measure(clients: Sequence[Client], report: Report, *, documents: int) -> None:
    slow, *others = clients
    # Baseline first, then the same jobs while the slow documents occupy the readers.
    alone = [client.data_job_ms() for client in others for _ in range(ROUNDS)]
    waited_alone = seconds_since(*begin_documents(others))
    document = slow_document()
    slow_jobs = [slow.start_document(document) for _ in range(documents)]
    wait_until_begun(slow, slow_jobs[0], seconds=60)
    behind = [client.data_job_ms() for client in others for _ in range(ROUNDS)]
    sent_at, begun = begin_documents(others)
    # Only slow documents that started after the request: earlier ones were ahead in the queue
    # anyway.
    of_slow = [slow.begun_at(job_id) for job_id in slow_jobs]
    before = []
    for moment in begun:
        between = [one for one in of_slow if one and sent_at <= one < moment]
        before.append(len(between))
    report.row("", "p50", "p99")
    for name, times in (("alone", alone), (f"behind {documents} documents", behind)):
        report.row(
            f"job without documents, {name}",
            f"{percentile(times, 50):.0f} ms",
            f"{percentile(times, 99):.0f} ms",
        )
    report.row(
        "behind, by alone",
        *(f"{percentile(behind, n) / percentile(alone, n):.2f}" for n in (50, 99)),
    )
    waited = seconds_since(sent_at, begun)
    report.row("", "p50", "p95")
    for name, times in (("alone", waited_alone), ("behind", waited)):
        report.row(
            f"until the document of another account was begun, {name}",
            f"{percentile(times, 50):.1f} s",
            f"{percentile(times, 95):.1f} s",
        )
    report.most(
        "J1",
        "job without documents of another account, p99",
        percentile(behind, 99),
        LIMIT_MS,
        " ms",
    )
    report.most(
        "J2",
        f"slow documents begun before that of another ({READERS} readers)",
        max(before),
        READERS,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--postgres", action="store_true")
    parser.add_argument("--slow", type=int, default=SLOW, help="slow documents")
    options = parser.parse_args()
    report = Report(
        f"Nine accounts beside one with {options.slow} slow documents,"
        f" {'PostgreSQL and Redis' if options.postgres else 'SQLite'}"
    )
    with contextlib.ExitStack() as stack:
        environment = {"DOCUMENT_SECONDS": str(DOCUMENT_SECONDS)}
        if options.postgres:
            environment |= stack.enter_context(distributed_environment("fair"))
        installation = stack.enter_context(Installation("fair", environment))
        installation.run(sys.executable, "manage.py", "migrate", "--verbosity", "0")
        result = installation.run(
            sys.executable, "-m", "bench.fair_hub_seed", str(ACCOUNTS)
        )
        if options.postgres:
            installation.start_distributed()
        else:
            installation.start("up", sys.executable, "manage.py", "up")
        installation.wait()
        clients = [
            Client(installation.address, number, key)
            for number, key in enumerate(json.loads(result))
        ]
        measure(clients, report, documents=options.slow)
    sys.exit(report.close())


if __name__ == "__main__":
    main()
