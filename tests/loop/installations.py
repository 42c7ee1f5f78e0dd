"""Installations of real processes, each on data of its own, that tests may kill."""

from __future__ import annotations

import base64
import contextlib
import hmac
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
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import requests
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent.parent
SERVER = os.environ.get(
    "TEST_DATABASE_URL", "postgres://postgres@127.0.0.1:5432/postgres"
)
BROKER = (
    re.sub(r"/\d*$", "", os.environ.get("TEST_REDIS_URL", "redis://127.0.0.1:6379"))
    + "/"
)
FEW = {"kyb": "kyb.incorporation_document_verification", "kyc": "kyc.date_of_birth"}
# Seconds until a wait has failed: processes start in five of them, and on a machine with much to do
# in a minute. Who waits for less time says why.
PATIENCE = 240.0
# Seconds until a command has failed. The demonstration takes twenty by itself, and beside many others
# more than five minutes.
COMMAND_SECONDS = 900.0
# What a database says while its server, or its schema, is not there yet.
AWAY = (sqlite3.OperationalError, psycopg.OperationalError)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def until(true: Callable[[], Any], *, seconds: float = PATIENCE) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        with contextlib.suppress(requests.RequestException, *AWAY):
            if result := true():
                return result
        time.sleep(0.1)
    raise AssertionError("it did not happen in time")


def environment(folder: Path, **values: str) -> dict[str, str]:
    """That of this process, without what it says of other installations."""
    foreign = ("DATABASE", "CELERY", "REDIS", "DJANGO", "SECRET", "ENCRYPTION")
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(foreign)
    }
    return clean | {"VAR": str(folder), **values}


class Installation:
    """`manage.py up` on data of its own, as `make demo` runs it."""

    def __init__(self, folder: Path, **env: str) -> None:
        # Whose code runs: another version stands in another folder.
        self.code = ROOT
        self.folder, self.port = folder, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        mine = {
            "PORT": str(self.port),
            "JOB_NEWS_SECONDS": "2",
            "LEASE_SECONDS": "12",
            # Icons and fonts take seconds of the processor, and are the same for all.
            "VENDORED_DIR": str(settings.VENDORED_DIR),
        }
        self.env = environment(folder, **mine | env)
        self.processes: list[subprocess.Popen[bytes]] = []

    def manage(self, *command: str) -> str:
        process = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=self.code, env=self.env, check=False, capture_output=True, timeout=COMMAND_SECONDS,
        )  # fmt: skip
        assert process.returncode == 0, process.stderr.decode()
        return process.stdout.decode()

    def start(self) -> None:
        self.run("manage.py", "up")
        until(lambda: requests.get(f"{self.url}/health/live", timeout=2).ok)

    def run(self, *command: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [sys.executable, *command], cwd=self.code, env=self.env
        )
        self.processes.append(process)
        return process

    def stop(self, number: int = signal.SIGTERM) -> list[int]:
        """Signal the processes that were started, and give their exit codes."""
        for process in self.processes:
            process.send_signal(number)
        # A worker first ends the documents that it reads.
        codes = [process.wait(120) for process in self.processes]
        self.processes.clear()
        return codes

    def children(self, word: str) -> list[int]:
        """Pids of this installation's processes whose command line has the word.

        They have its folder in their environment, or a parent that has. Processes that read documents
        erase their environment when they start.
        """
        lines: dict[int, str] = {}
        parents: dict[int, int] = {}
        mine: set[int] = set()
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                pid = int(entry.name)
                line = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                # Behind the name of the program, which may have spaces: the state and the parent.
                stat = (entry / "stat").read_text().rpartition(")")[2].split()
                lines[pid], parents[pid] = line, int(stat[1])
                if f"VAR={self.folder}".encode() in (entry / "environ").read_bytes():
                    mine.add(pid)
        size = 0
        while len(mine) > size:
            size = len(mine)
            mine |= {pid for pid, parent in parents.items() if parent in mine}
        return sorted(pid for pid in mine if re.search(word, lines[pid]))

    def kill(self, word: str) -> None:
        for pid in until(lambda: self.children(word)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    @classmethod
    def copy_of(cls, prepared: Path, folder: Path, **env: str) -> Installation:
        """One on the data of another, which moves to an address of its own."""
        result = cls(folder, **env)
        shutil.copytree(prepared, folder)
        result.manage("demo")
        return result

    def demo(self) -> None:
        """Users, a connection and cases, whose agents run few checks: it is their way that counts."""
        self.manage("demo", "--days", "0")
        self.run_few_checks()

    def run_few_checks(self) -> None:
        for kind, check in FEW.items():
            checks = json.dumps([{"check_id": check}])
            self.execute(
                "UPDATE agenthub_agent SET checks = ? WHERE kind = ?", checks, kind
            )

    def execute(self, sql: str, *values: Any) -> None:
        with contextlib.closing(
            sqlite3.connect(self.folder / "desk.sqlite3", timeout=20)
        ) as db:
            db.execute(sql, values)
            db.commit()

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with contextlib.closing(
            sqlite3.connect(self.folder / "desk.sqlite3", timeout=20)
        ) as db:
            return db.execute(sql).fetchall()

    def all_cases_end(self) -> bool:
        return not self.rows("SELECT 1 FROM reviews_case WHERE status = 'checking'")


class Distributed(Installation):
    """Web, Celery worker and beat as separate processes on PostgreSQL and Redis."""

    def __init__(self, folder: Path, *, server: str, database: str, redis: str) -> None:
        self.server, self.database = server, database
        self.dsn = server.rsplit("/", 1)[0] + "/" + database
        super().__init__(
            folder,
            DATABASE_URL=self.dsn,
            CELERY_BROKER_URL=redis,
            SECRET_KEY="of a test",
            ENCRYPTION_KEY="of a test",
            LEASE_SECONDS="10",
            SWEEP_SECONDS="1",
        )
        self.env["OUTBOUND_ALLOW"] = f"127.0.0.1:{self.port}"

    def start(self) -> None:
        self.start_web()
        self.start_worker()
        self.run(
            "-m", "celery", "-A", "compliance", "beat", "-s", str(self.folder / "beat")
        )
        until(lambda: requests.get(f"{self.url}/health/live", timeout=2).ok)

    def start_web(self) -> None:
        server = ("--interface", "wsgi", "--no-ws", "--port", str(self.port))
        threads = ("--blocking-threads", "4", "--workers-kill-timeout", "15")
        self.run("-m", "granian", *server, *threads, "compliance.wsgi:application")

    def start_worker(self) -> None:
        worker = ("-m", "celery", "-A", "compliance", "worker", "--loglevel", "warning")
        others = ("--queues", "default,deliveries", "--concurrency", "4")
        self.run(*worker, *others, "--hostname", "work@%h")
        documents = ("--queues", "documents", "--pool", "threads", "--concurrency", "6")
        self.run(*worker, *documents, "--hostname", "documents@%h")

    def execute(self, sql: str, *values: Any) -> None:
        with psycopg.connect(self.dsn) as db:
            db.execute(sql.replace("?", "%s"), values)

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.dsn) as db:
            return db.execute(sql).fetchall()

    def create(self, template: str = "template1") -> None:
        self._on_server(f'CREATE DATABASE "{self.database}" TEMPLATE "{template}"')

    def drop(self) -> None:
        self._on_server(f'DROP DATABASE IF EXISTS "{self.database}" WITH (FORCE)')

    def _on_server(self, sql: str) -> None:
        with psycopg.connect(self.server, autocommit=True) as db:
            db.execute(sql)


def assert_everything_once(installation: Installation) -> None:
    until(installation.all_cases_end, seconds=420)
    rows = installation.rows
    ends = rows("SELECT DISTINCT status, error FROM agenthub_agentjob")
    # The error is encrypted; none is an empty value.
    assert ends == [("COMPLETE", b"")], ends
    assert rows("SELECT DISTINCT status FROM reviews_job") == [("complete",)]
    # A delivery that failed twice while the desk was away waits five minutes for its third time.
    until(
        lambda: rows("SELECT DISTINCT status FROM agenthub_delivery") == [("done",)],
        seconds=420,
    )
    until(lambda: rows("SELECT DISTINCT status FROM webhooks_event") == [("applied",)])
    # Each tool is told of once, and so is each end.
    [(message,)] = rows("SELECT COUNT(*) FROM agenthub_delivery WHERE kind = 'tool'")
    assert message > 10
    assert rows("SELECT COUNT(*) FROM reviews_checkresult WHERE source = 'tool'") == [
        (message,)
    ]
    [(jobs,)] = rows("SELECT COUNT(*) FROM reviews_job")
    assert rows(
        "SELECT COUNT(*) FROM reviews_caseevent WHERE what = 'job_complete'"
    ) == [(jobs,)]


def signed(
    installation: Installation, body: bytes, message_id: str = "x"
) -> dict[str, str]:
    """As the hub signs: with the time, which is demanded as soon as the hub has sent a webhook."""
    result = json.loads((installation.folder / "demo.json").read_text())
    secret = result["account"]["webhook_secret"]
    key = base64.b64decode(secret.removeprefix("whsec_"))
    stamp = str(int(time.time()))
    digest = hmac.digest(key, f"{message_id}.{stamp}.".encode() + body, "sha256")
    signature = f"v1,{base64.b64encode(digest).decode()}"
    return {
        "webhook-id": message_id,
        "webhook-timestamp": stamp,
        "webhook-signature": signature,
    }
