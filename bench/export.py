"""What exporting a batch costs: `python -m bench.export [--rows 100000]`.

Beside an export that makes the file in memory, over the same rows. Memory is that of the server
process at its highest over what it was before, after a small export has loaded all code.
Needs PostgreSQL.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import sys
import threading
import time
from dataclasses import dataclass

from bench import load
from bench.installation import Installation, postgres_database
from bench.report import Report

APPLICATIONS = {
    "ours": "compliance.wsgi:application",
    "anchor": "bench.anchors.hub:application",
}


@dataclass
class Download:
    first_ms: float
    rate: float  # rows a second
    growth: float  # MiB
    cpu: float  # microseconds a row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    report = Report(f"A batch of {options.rows} jobs with 3 results each, as CSV")
    by_name: dict[str, list[Download]] = {name: [] for name in APPLICATIONS}
    with contextlib.ExitStack() as stack:
        database = stack.enter_context(postgres_database("export"))
        by_key = {
            name: stack.enter_context(Installation(name, {"DATABASE_URL": database}))
            for name in APPLICATIONS
        }
        seed = (sys.executable, "-m", "bench.hub_seed", "1", str(options.rows))
        seeded = json.loads(by_key["ours"].run(*seed, seconds=600))
        for name, application in APPLICATIONS.items():
            by_key[name].serve(application)
            by_key[name].wait("/api/v1/exportCSVBatch")
        for name in APPLICATIONS:
            # Load all code first, so that only the export is measured.
            _download(
                by_key[name], {**seeded, "batch_id": seeded["small_batch_id"]}, 500
            )
        for _ in range(options.rounds):
            for name in APPLICATIONS:
                by_name[name].append(_download(by_key[name], seeded, options.rows))
    report.row("", "first byte ms", "rows/s", "growth MiB", "cpu us/row")
    for name, result in by_name.items():
        report.row(name, *(f"{value:.1f}" for value in _middle(result)))
    print()
    first, _, _, _ = _middle(by_name["ours"])
    report.most(
        "F1", "memory growth", max(one.growth for one in by_name["ours"]), 5, " MiB"
    )
    report.most("F1", "first byte", first, 50, " ms")
    # Ratios within a round.
    ratios = [mine.rate / theirs.rate for mine, theirs in zip(by_name["ours"], by_name["anchor"], strict=True)]  # fmt: skip
    report.least(
        "F1", "rows a second, x an export in memory", load.medians(ratios), 1.8
    )
    return report.close()


def _middle(result: list[Download]) -> tuple[float, float, float, float]:
    return (
        load.medians(one.first_ms for one in result),
        load.medians(one.rate for one in result),
        max(one.growth for one in result),
        load.medians(one.cpu for one in result),
    )


def _download(
    installation: Installation, seeded: dict[str, str], rows: int
) -> Download:
    [pid] = installation.pids()
    before, _ = load.memory_mib(pid)
    samples = [before]
    over = threading.Event()

    def watch() -> None:
        while not over.wait(0.02):
            resident, _ = load.memory_mib(pid)
            samples.append(resident)

    # The thread samples the memory of the server during the download.
    watcher = threading.Thread(target=watch)
    watcher.start()
    cpu_before = load.cpu_seconds([pid])
    began = time.perf_counter()
    connection = http.client.HTTPConnection("127.0.0.1", installation.port, timeout=120)
    query = f"batch_id={seeded['batch_id']}&agent_key={seeded['agent_key']}"
    headers = {"Authorization": f"Bearer {seeded['api_key']}"}
    connection.request("GET", f"/api/v1/exportCSVBatch?{query}", headers=headers)
    answer = connection.getresponse()
    assert answer.status == 200, answer.status
    # The time of the first byte: the client reads a single byte before the rest.
    lines = answer.read1(1).count(b"\n")
    first = time.perf_counter() - began
    while piece := answer.read1(65536):
        lines += piece.count(b"\n")
    took = time.perf_counter() - began
    over.set()
    watcher.join()
    assert lines == rows + 1, lines
    return Download(
        first * 1000,
        rows / took,
        max(samples) - before,
        (load.cpu_seconds([pid]) - cpu_before) / rows * 1e6,
    )


if __name__ == "__main__":
    sys.exit(main())
