"""Measures start-up, memory and restarts of `manage.py up`: `python -m bench.start_up`.

Uses the embedded default with its own data folder. Time and memory are those of the second start,
when the tables exist already.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sqlite3
import sys
import time
from pathlib import Path

import requests

from bench import load
from bench.chaos import children
from bench.installation import Installation
from bench.loop import Analyst, until
from bench.report import Report

DOCUMENTS = 6  # cases with a document, so that checks use CPU


def main() -> int:
    report = Report(
        "manage.py up: supervisor, web process and worker, SQLite, no broker"
    )
    with Installation("up") as installation:
        result = installation.seed()
        _start(installation)
        installation.kill("up", signal.SIGTERM)
        started = [_start_again(installation) for _ in range(3)]
        report.most("G1", "second start until ready", load.medians(started), 2, " s")
        analyst = Analyst(installation, result["agent_of_documents"])
        analyst.look("/")
        _weigh(report, installation)
        _idle(report, installation)
        _while_checks_run(report, installation, analyst)
        _kill_web(report, installation)
        _kill_supervisor(report, installation)
    return report.close()


def _start(installation: Installation) -> float:
    began = time.monotonic()
    installation.start("up", sys.executable, "manage.py", "up")
    installation.wait("/health/ready", seconds=60)
    return time.monotonic() - began


def _start_again(installation: Installation) -> float:
    if "up" in installation.processes:
        installation.kill("up", signal.SIGTERM)
    return _start(installation)


def _weigh(report: Report, installation: Installation) -> None:
    time.sleep(1)
    pid = installation.processes["up"].pid
    for member in load.family(pid):
        resident, proportional = load.memory_mib(member, alone=True)
        report.row(_name(member), f"{resident:.0f} MiB", f"PSS {proportional:.0f}")
    resident, proportional = load.memory_mib(pid)
    report.row("together", f"{resident:.0f} MiB", f"PSS {proportional:.0f}")
    report.most("G1", "resident memory of the process tree", resident, 250, " MiB")


def _name(pid: int) -> str:
    words = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
    return " ".join(word.rsplit("/", 1)[-1] for word in words)[:36]


def _idle(report: Report, installation: Installation, seconds: float = 10.0) -> None:
    time.sleep(3)  # after a change, the worker polls more often for a moment
    pids = installation.pids("up")
    before = load.cpu_seconds(pids)
    time.sleep(seconds)
    used = (load.cpu_seconds(pids) - before) / seconds * 100
    report.most("G1", "CPU of one core while idle", used, 1, " %")


def _while_checks_run(
    report: Report, installation: Installation, analyst: Analyst
) -> None:
    """Response times of the queue page, requested at the same pace: idle, and while documents
    are examined.
    """
    _submit(analyst)
    until(lambda: _examined(installation), DOCUMENTS, 90)
    time.sleep(1)
    peace = _looks(analyst)
    _submit(analyst)
    time.sleep(0.3)
    spent = load.cpu_seconds(installation.pids("up"))
    busy = _looks(analyst)
    spent = load.cpu_seconds(installation.pids("up")) - spent
    print(
        f"  the queue's page: p50 {peace.ms(50):.1f}, p99 {peace.ms(99):.1f} ms in peace;"
        f" p50 {busy.ms(50):.1f}, p99 {busy.ms(99):.1f} ms while {spent:.1f} s of CPU were used"
    )
    report.most(
        "G1", "page p50 while checks run / in peace", busy.ms(50) / peace.ms(50), 1.3
    )


def _submit(analyst: Analyst) -> None:
    for number in range(DOCUMENTS):
        analyst.submit(f"Business {number} Ltd", document=True)


def _examined(installation: Installation) -> int:
    file = installation.folder / "var" / "desk.sqlite3"
    with contextlib.closing(sqlite3.connect(file, timeout=20)) as lite:
        result = lite.execute(
            "SELECT count(*) FROM reviews_job WHERE has_results"
        ).fetchone()
    return int(result[0])


def _looks(analyst: Analyst) -> load.Load:
    looks, end = load.Load(), time.monotonic() + 8
    while time.monotonic() < end:
        looks.latencies.append(analyst.look("/"))
        time.sleep(0.02)
    return looks


def _kill_web(report: Report, installation: Installation) -> None:
    up = installation.processes["up"].pid
    # To check below that new processes serve the page.
    before = set(children(up, "granian"))
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    began = time.monotonic()
    installation.wait("/login/")
    report.most(
        "G1", "killed web process until it answers", time.monotonic() - began, 2, " s"
    )
    assert not before & set(children(up, "granian"))


def _kill_supervisor(report: Report, installation: Installation) -> None:
    process = installation.processes["up"]
    # Remembered before the kill: orphans get another parent.
    family = load.family(process.pid)
    process.kill()
    process.wait()
    began = time.monotonic()
    while time.monotonic() < began + 10 and (
        left := [pid for pid in family if _lives(pid)]
    ):
        time.sleep(0.05)
    report.most("G1", "processes left by a killed supervisor", len(left), 0)
    print(f"  they ended within {time.monotonic() - began:.1f} s")
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    try:
        requests.get(installation.address, timeout=1)
    except requests.RequestException:
        return
    raise AssertionError("something still serves the port")


def _lives(pid: int) -> bool:
    try:
        return "\nState:\tZ" not in Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return False


if __name__ == "__main__":
    sys.exit(main())
