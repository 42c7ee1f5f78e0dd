"""Real processes, killed without warning: nothing is lost, and nothing happens twice."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

ROOT = Path(__file__).resolve().parent.parent.parent
pytestmark = pytest.mark.processes


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(true: Callable[[], Any], *, seconds: float = 60.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(requests.RequestException, sqlite3.OperationalError):
            if found := true():
                return found
        time.sleep(0.1)
    raise AssertionError("it did not happen in time")


class Installation:
    """`manage.py up` on data of its own, as `make demo` runs it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("DATABASE", "CELERY"))}
        self.env = clean | {"VAR": str(folder), "PORT": str(self.port), "JOB_NEWS_SECONDS": "2"}
        self.env.pop("DJANGO_SETTINGS_MODULE", None)
        self.process: subprocess.Popen[bytes] | None = None

    def manage(self, *command: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=ROOT, env=self.env, check=True, capture_output=True, timeout=120,
        )  # fmt: skip
        return done.stdout.decode()

    def start(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "up", "--port", str(self.port)], cwd=ROOT, env=self.env
        )
        until(lambda: requests.get(f"{self.url}/health/live", timeout=2).ok)

    def stop(self, number: int = signal.SIGTERM) -> int:
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(30)

    def children(self, word: str) -> list[int]:
        """Pids of this installation's processes whose command line has the word."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                mine = f"VAR={self.folder}".encode() in (entry / "environ").read_bytes()
                if mine and re.search(word, line):
                    found.append(int(entry.name))
        return found

    def kill(self, word: str) -> None:
        for pid in until(lambda: self.children(word)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(sqlite3.connect(self.folder / "desk.sqlite3", timeout=20)) as db:
            return db.execute(sql).fetchall()

    def all_cases_end(self) -> bool:
        return not self.rows("SELECT 1 FROM reviews_case WHERE status = 'checking'")


@pytest.fixture(scope="session")
def fresh(tmp_path_factory) -> Path:
    """The data of an installation that was set up and never started."""
    made = Installation(tmp_path_factory.mktemp("fresh") / "var")
    made.manage("migrate", "--verbosity", "0")
    made.manage("demo")
    return made.folder


@pytest.fixture
def installation(fresh, tmp_path) -> Iterator[Installation]:
    made = Installation(tmp_path / "var")
    shutil.copytree(fresh, made.folder)
    made.manage("demo")
    yield made
    if made.process and made.process.poll() is None:
        made.stop()
    until(lambda: not made.children("."), seconds=20)


def assert_everything_once(installation: Installation) -> None:
    until(installation.all_cases_end, seconds=90)
    rows = installation.rows
    assert rows("SELECT DISTINCT status FROM agenthub_agentjob") == [("COMPLETE",)]
    assert rows("SELECT DISTINCT status FROM reviews_job") == [("complete",)]
    until(lambda: rows("SELECT DISTINCT status FROM agenthub_delivery") == [("done",)])
    until(lambda: rows("SELECT DISTINCT status FROM webhooks_event") == [("applied",)])
    # Three documents with three tools each, told of once, and each job's end once.
    assert rows("SELECT COUNT(*) FROM reviews_checkresult WHERE source = 'tool'") == [(9,)]
    [(jobs,)] = rows("SELECT COUNT(*) FROM reviews_job")
    assert rows("SELECT COUNT(*) FROM reviews_caseevent WHERE what = 'job_complete'") == [(jobs,)]


def test_the_worker_is_killed_in_mid_job(installation):
    installation.start()
    for _ in range(3):
        until(lambda: installation.rows("SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"))
        installation.kill(r"manage\.py work")
        time.sleep(0.3)
        if installation.all_cases_end():
            break
    assert_everything_once(installation)


def test_the_web_process_is_killed_in_mid_request(installation):
    installation.start()
    until(lambda: installation.rows("SELECT 1 FROM webhooks_event"))
    with socket.create_connection(("127.0.0.1", installation.port)) as half:
        half.sendall(b"POST /webhooks/hub/ HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        installation.kill("granian")
        began = time.monotonic()
        until(lambda: requests.get(f"{installation.url}/health/live", timeout=2).ok, seconds=15)
        assert time.monotonic() - began < 15
    assert_everything_once(installation)


def test_all_is_killed_at_once_and_started_again(installation):
    installation.start()
    until(lambda: installation.rows("SELECT 1 FROM agenthub_agentjob WHERE status = 'RUNNING'"))
    installation.stop(signal.SIGKILL)
    until(lambda: not installation.children("granian|manage"), seconds=20)
    installation.start()
    assert_everything_once(installation)


def test_a_service_that_is_down_for_a_while_gets_the_jobs_later(installation):
    elsewhere = free_port()
    with contextlib.closing(sqlite3.connect(installation.folder / "desk.sqlite3")) as db, db:
        db.execute(
            "UPDATE reviews_connection SET base_url = ?", [f"http://127.0.0.1:{elsewhere}/api/v1"]
        )
    installation.start()
    until(lambda: installation.rows("SELECT 1 FROM reviews_job WHERE tries > 0"))
    with contextlib.closing(sqlite3.connect(installation.folder / "desk.sqlite3")) as db, db:
        db.execute("UPDATE reviews_connection SET base_url = ?", [f"{installation.url}/api/v1"])
    assert_everything_once(installation)


def test_ctrl_c_stops_cleanly_and_the_data_stays(installation):
    installation.start()
    assert_everything_once(installation)
    assert installation.stop(signal.SIGINT) == 0
    until(lambda: not installation.children("."), seconds=20)
    made = json.loads((installation.folder / "demo.json").read_text())
    installation.manage("demo")
    assert json.loads((installation.folder / "demo.json").read_text()) == made
    assert (installation.folder / "demo.json").stat().st_mode & 0o777 == 0o600
    assert len(installation.rows("SELECT 1 FROM reviews_case")) == 4


def test_slow_senders_and_chunked_bodies_are_served(installation):
    installation.start()
    head = b"POST /webhooks/hub/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000\r\n\r\n{"
    slow = [socket.create_connection(("127.0.0.1", installation.port)) for _ in range(40)]
    try:
        for sender in slow:
            sender.sendall(head)
        assert requests.get(f"{installation.url}/health/live", timeout=3).ok
        answer = requests.post(
            f"{installation.url}/webhooks/hub/",
            data=iter([b'{"tool_id":', b' "x"}']),
            headers={"X-Signature-SHA256": _sign(installation, b'{"tool_id": "x"}')},
            timeout=10,
        )
        assert answer.status_code == 200, answer.text
    finally:
        for sender in slow:
            sender.close()


def _sign(installation: Installation, body: bytes) -> str:
    import base64
    import hmac

    made = json.loads((installation.folder / "demo.json").read_text())
    secret = made["account"]["webhook_secret"].encode()
    return base64.b64encode(hmac.digest(secret, body, "sha256")).decode()
