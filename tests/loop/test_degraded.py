"""Parts of a distributed installation are away, silent or wrong: it says which, and comes back by itself."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import requests

from tests.loop.fault_proxy import FaultProxy
from tests.loop.installations import Distributed, assert_everything_once, until
from tests.loop.test_broker import broker, broker_url, distributed, fresh  # noqa: F401

pytestmark = pytest.mark.processes


def ready(installation: Distributed, query: str = "") -> dict[str, Any]:
    answer = requests.get(f"{installation.url}/health/ready{query}", timeout=20)
    return {"status": answer.status_code, **answer.json()}


@pytest.fixture
def database(distributed) -> Iterator[FaultProxy]:  # noqa: F811
    """The proxy that the processes of the installation reach PostgreSQL by."""
    url = urlsplit(distributed.dsn)
    proxy = FaultProxy((url.hostname or "", url.port or 5432))
    login = url.netloc.rpartition("@")[0]
    through = url._replace(netloc=f"{login}@127.0.0.1:{proxy.port}").geturl()
    distributed.env |= {
        "DATABASE_URL": through,
        "DATABASE_CONNECT_SECONDS": "2",
        "DATABASE_STATEMENT_SECONDS": "2",
    }
    yield proxy
    proxy.close()


def test_a_database_that_falls_silent_is_503_and_back_without_a_restart(
    distributed,  # noqa: F811
    database,
):
    distributed.start_web()
    login = f"{distributed.url}/login/"
    until(lambda: requests.get(login, timeout=30).ok)
    form = {"login": "ana", "password": "x"}
    page = requests.get(login, timeout=30)
    form["csrfmiddlewaretoken"] = page.cookies["csrftoken"]
    database.silent = True
    start = time.monotonic()
    state = ready(distributed)
    assert (state["status"], state["database"]) == (503, "cannot be reached")
    answer = requests.post(
        login, form, cookies=page.cookies, headers={"Referer": login}, timeout=30
    )
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "60")
    assert "The database is not available" in answer.text
    assert requests.get(f"{distributed.url}/health/live", timeout=5).ok
    assert time.monotonic() - start < 30
    database.silent = False
    until(lambda: ready(distributed)["database"] == "ok", seconds=20)
    assert requests.post(
        login, form, cookies=page.cookies, headers={"Referer": login}, timeout=30
    ).ok
    database.refusing = True
    # The first request cuts the connection that is there, the next one finds no other.
    until(lambda: ready(distributed)["database"] == "cannot be reached", seconds=20)
    database.refusing = False
    until(lambda: ready(distributed)["database"] == "ok", seconds=20)


def test_health_names_the_workers_that_are_missing(distributed):  # noqa: F811
    distributed.start()
    until(lambda: ready(distributed)["status"] == 200)
    distributed.kill("--pool threads")
    age = "UPDATE compliance_heartbeat SET at = at - interval '1 minute' WHERE name LIKE ?"
    distributed.execute(age, "worker documents@%")
    state = ready(distributed)
    assert (state["status"], state["workers"]) == (503, "no worker for: documents")
    assert ready(distributed, "?exclude=workers")["status"] == 200
    # Those that are left say that they work.
    distributed.execute(age, "worker work@%")
    until(lambda: ready(distributed)["workers"] == "no worker for: documents")
    distributed.kill("compliance beat")
    distributed.execute(age, "sweep")
    state = ready(distributed, "?exclude=workers")
    assert (state["status"], state["sweep"]) == (
        503,
        "does not run: beat, or the worker for its queue, has stopped",
    )


AHEAD = """
import time_machine
from datetime import UTC, datetime, timedelta
time_machine.travel(datetime.now(UTC) + timedelta(seconds={seconds}), tick=True).start()
from celery.__main__ import main
main()
"""


@pytest.mark.parametrize("seconds", [100, -100])
def test_workers_whose_clock_is_wrong_work_all_the_same(distributed, seconds):  # noqa: F811
    distributed.start_web()
    worker = ("-A", "compliance", "worker", "--concurrency", "4", "-l", "warning")
    distributed.run("-c", AHEAD.format(seconds=seconds), *worker)
    distributed.run(
        "-m", "celery", "-A", "compliance", "beat", "-s", str(distributed.folder / "b")
    )
    assert_everything_once(distributed)
    words = "ahead of" if seconds > 0 else "behind"
    assert ready(distributed)["clocks"] == f"a worker is 100 s {words} the database"


def test_one_of_two_web_processes_is_replaced(distributed):  # noqa: F811
    server = ("--interface", "wsgi", "--no-ws", "--port", str(distributed.port))
    several = ("--workers", "2", "--blocking-threads", "2", "--respawn-failed-workers")
    application = "compliance.wsgi:application"
    distributed.run("-m", "granian", *server, *several, application)
    live = f"{distributed.url}/health/live"
    until(lambda: requests.get(live, timeout=2).ok)
    processes = until(lambda: children_of(distributed, 2))
    os.kill(processes[0], signal.SIGKILL)
    until(lambda: processes[0] not in distributed.children("granian|spawn_main"))
    assert requests.get(live, timeout=10).ok
    until(lambda: children_of(distributed, 2))
    assert distributed.processes[0].poll() is None


def children_of(installation: Distributed, count: int) -> list[int]:
    """The processes of the server that it has started itself, once they are so many."""
    [server] = installation.processes
    pids = [
        pid
        for pid in installation.children("granian|spawn_main")
        if pid != server.pid and parent_of(pid) == server.pid
    ]
    return pids if len(pids) >= count else []


def parent_of(pid: int) -> int:
    with Path(f"/proc/{pid}/stat").open(encoding="utf-8") as file:
        return int(file.read().rpartition(")")[2].split()[1])
