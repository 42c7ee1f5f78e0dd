"""Starts a separate installation for a benchmark, and removes all of it afterwards."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import psycopg
import redis
import requests

ROOT = Path(__file__).resolve().parent.parent
POSTGRES = "postgresql://postgres@127.0.0.1:5432"
REDIS = "redis://127.0.0.1:6379"
# This Redis database and the next one are emptied. Tests use the databases from 9 on.
BROKER_DB = int(os.environ.get("BENCH_REDIS", "7"))


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@contextlib.contextmanager
def postgres_database(name: str) -> Iterator[str]:
    """A new database, as a URL. Dropped at the end."""
    own = f"bench_{name}_{os.getpid()}"
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
        admin.execute(f'CREATE DATABASE "{own}"')
        try:
            yield f"{POSTGRES}/{own}"
        finally:
            admin.execute(f'DROP DATABASE IF EXISTS "{own}" WITH (FORCE)')


@contextlib.contextmanager
def distributed_environment(name: str) -> Iterator[dict[str, str]]:
    """A new PostgreSQL database and an emptied Redis broker, as environment variables."""
    broker_url = f"{REDIS}/{BROKER_DB}"
    with (
        postgres_database(name) as database,
        contextlib.closing(redis.Redis.from_url(broker_url)) as broker,
    ):
        broker.flushdb()
        try:
            yield {"DATABASE_URL": database, "CELERY_BROKER_URL": broker_url}
        finally:
            broker.flushdb()


def backends(url: str) -> list[int]:
    """The pids of PostgreSQL's processes that serve this database. They must run on this
    machine. "" gives none.
    """
    if not url:
        return []
    name = url.rsplit("/", 1)[1]
    with psycopg.connect(f"{POSTGRES}/postgres", autocommit=True) as admin:
        rows = admin.execute(
            "SELECT pid FROM pg_stat_activity WHERE datname = %s", [name]
        )
        return [pid for (pid,) in rows.fetchall()]


def commits(url: str) -> int:
    """The number of transactions of a database so far. A statement outside a transaction counts
    as one.
    """
    with psycopg.connect(url, autocommit=True) as reader:
        reader.execute("SELECT pg_stat_clear_snapshot()")
        row = reader.execute(
            "SELECT xact_commit + xact_rollback FROM pg_stat_database"
            " WHERE datname = current_database()"
        ).fetchone()
    assert row is not None
    return int(row[0])


class Installation:
    """One folder and one environment. Its processes are started by name and ended by their pid."""

    def __init__(self, name: str, environment: Mapping[str, str] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix=f"bench-{name}-"))
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.processes: dict[str, subprocess.Popen[bytes]] = {}
        # A clean environment, so that settings of the shell do not affect the measurement.
        clean = {
            k: v for k, v in os.environ.items() if k in {"PATH", "HOME", "LANG", "TZ"}
        }
        own = {
            "VAR": str(self.folder / "var"),
            "PORT": str(self.port),
            "SECRET_KEY": "of-the-bench-" * 5,
            "ENCRYPTION_KEY": "of-the-bench",
            "DJANGO_SETTINGS_MODULE": "compliance.settings",
            "PYTHONPATH": str(ROOT),
            "PYTHONWARNINGS": "ignore",
            "LOG_LEVEL": "WARNING",
            "API_RATE": "1000000",
            "QUOTA_USER_JOBS": "0",
            "QUOTA_ACCOUNT_JOBS": "0",
            "OUTBOUND_ALLOW": f"127.0.0.1:{self.port}",
        }
        self.environment = {**clean, **own, **(environment or {})}
        (self.folder / "var").mkdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for name in list(self.processes):
            self.kill(name)
        if kind is not None and (self.folder / "log").exists():
            print((self.folder / "log").read_text()[-3000:], file=sys.stderr)
        shutil.rmtree(self.folder, ignore_errors=True)

    def seed(self, *check_ids: str) -> dict[str, Any]:
        """Migrate the database; create a user, an account of the hub, a connection and agents.
        Returns their ids.
        """
        result: dict[str, Any] = json.loads(
            self.run(sys.executable, "-m", "bench.seed", self.address, *check_ids)
        )
        return result

    def run(self, *command: str, seconds: float = 120) -> str:
        process = subprocess.run(
            command,
            env=self.environment,
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            timeout=seconds,
        )
        return process.stdout.decode()

    @contextlib.contextmanager
    def running(self, *arguments: str) -> Iterator[None]:
        """Run a Python process during the block. It must end successfully."""
        process = self.start("beside", sys.executable, *arguments)
        yield
        assert process.wait(60) == 0, "it failed"
        del self.processes["beside"]

    def start(self, name: str, *command: str) -> subprocess.Popen[bytes]:
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                env=self.environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.processes[name] = process
        return process

    def kill(self, name: str, number: int = signal.SIGKILL) -> None:
        """End a process with its process group, and wait until it is gone."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, number)
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def pids(self, *names: str) -> list[int]:
        return [self.processes[name].pid for name in names or self.processes]

    def serve(
        self, application: str, *, interface: str = "wsgi", name: str = "web"
    ) -> None:
        """Start one web process: with 4 threads (WSGI), or as `manage.py up` does (ASGI)."""
        self.start(name, *web_command(application, interface=interface, port=self.port))

    def start_distributed(self) -> None:
        """Start a web process, both workers and beat, as docker-compose.yml does."""
        self.run(sys.executable, "manage.py", "collectstatic", "--noinput")
        self.serve("compliance.wsgi:application")
        self._celery(
            "worker",
            *("worker", "--queues", "default,deliveries", "--concurrency", "4"),
            *("--hostname", "work@%h"),
        )
        self._celery(
            "documents",
            *("worker", "--queues", "documents", "--pool", "threads"),
            *("--concurrency", "6", "--hostname", "documents@%h"),
        )
        self._celery("beat", "beat", "--schedule", str(self.folder / "beat"))

    def _celery(self, name: str, *words: str) -> None:
        command = (sys.executable, "-m", "celery", "-A", "compliance", *words)
        self.start(name, *command, "--loglevel", "warning")

    def wait(self, path: str = "/health/live", *, seconds: float = 30.0) -> float:
        """Wait for a response with a status below 500. Returns the seconds that it took."""
        began = time.monotonic()
        while time.monotonic() < began + seconds:
            with contextlib.suppress(requests.RequestException):
                answer = requests.get(
                    self.address + path, timeout=2, allow_redirects=False
                )
                if answer.status_code < 500:
                    return time.monotonic() - began
            time.sleep(0.01)
        raise TimeoutError(f"{self.address}{path} did not answer")


def web_command(application: str, *, interface: str, port: int) -> Sequence[str]:
    kind = {"wsgi": ("--blocking-threads", "4"), "asgi": ("--loop", "asyncio")}[
        interface
    ]
    return (
        *(sys.executable, "-m", "granian", "--interface", interface, "--no-ws"),
        *("--host", "127.0.0.1", "--port", str(port), "--workers", "1", *kind),
        *("--log-level", "error", application),
    )
