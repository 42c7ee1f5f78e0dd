"""An installation whose agent runs three instant checks, and an analyst who uses it."""

from __future__ import annotations

import contextlib
import re
import sqlite3
import sys
import time
import uuid
from collections.abc import Callable
from typing import Any

import psycopg
import redis
import requests

from bench import plugin
from bench.installation import BROKER_DB, REDIS, Installation, postgres_database
from checks import samples

BROKER = f"{REDIS}/{BROKER_DB}"
# Counts the cases that are ready for review with the results of all three checks.
SHOWN = """
SELECT count(*) FROM reviews_case c JOIN reviews_job j ON j.case_id = c.id
WHERE c.status = 'to_review' AND j.status = 'complete' AND 3 = (
  SELECT count(*) FROM reviews_checkresult r WHERE r.job_id = j.id AND r.source = '{source}'
  AND r.status IN ('', 'completed'))"""


class Loop:
    """An installation whose agent runs the three instant checks: embedded, or on PostgreSQL and
    Redis.
    """

    def __init__(
        self, stack: contextlib.ExitStack, *, embedded: bool, **environment: str
    ) -> None:
        self.embedded = embedded
        self.database = ""
        self.reader: psycopg.Connection | None = None
        if not embedded:
            self.database = stack.enter_context(postgres_database("loop"))
            self.reader = stack.enter_context(
                psycopg.connect(self.database, autocommit=True)
            )
            broker = redis.Redis.from_url(BROKER)
            broker.flushdb()
            stack.callback(broker.flushdb)
            environment |= {"DATABASE_URL": self.database, "CELERY_BROKER_URL": BROKER}
        self.installation = stack.enter_context(Installation("loop", environment))
        # The checks come from a plug-in package in a folder on PYTHONPATH.
        plugins = self.installation.folder / "plugins"
        plugin.install(plugins)
        path = f"{plugins}:{self.installation.environment['PYTHONPATH']}"
        self.installation.environment["PYTHONPATH"] = path
        self.agent = int(self.installation.seed(*plugin.IDS)["agent"])

    def start(self) -> None:
        if self.embedded:
            self.installation.start("up", sys.executable, "manage.py", "up")
        else:
            self.installation.run(
                sys.executable, "manage.py", "collectstatic", "--noinput"
            )
            # The web process, one worker and beat, as in a distributed installation.
            self.start_web()
            self.start_worker()
            celery = (
                sys.executable,
                "-m",
                "celery",
                "-A",
                "compliance",
                "beat",
                "-l",
                "warning",
            )
            schedule = str(self.installation.folder / "beat")
            self.installation.start("beat", *celery, "--schedule", schedule)
        self.installation.wait()

    def start_web(self) -> None:
        self.installation.serve("compliance.wsgi:application")

    def start_worker(self) -> None:
        self.installation.start(
            "worker",
            *(
                sys.executable,
                "-m",
                "celery",
                "-A",
                "compliance",
                "worker",
                "-l",
                "warning",
            ),
            *("--concurrency", "4", "--without-gossip", "--without-mingle"),
        )

    def submit(self, count: int) -> None:
        self.installation.run(
            sys.executable, "-m", "bench.submit", str(self.agent), str(count)
        )

    def ask(self, sql: str) -> int:
        """One number, read from the database directly."""
        return int(self.rows(sql)[0][0])

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        if self.reader:
            return self.reader.execute(sql.encode()).fetchall()
        file = self.installation.folder / "var" / "desk.sqlite3"
        with contextlib.closing(sqlite3.connect(file, timeout=20)) as lite:
            return lite.execute(sql).fetchall()

    def wait_for(self, count: int, *, source: str, seconds: float) -> int:
        """Wait until `count` jobs are complete and visible. Returns the number at the end."""
        return until(lambda: self.ask(SHOWN.format(source=source)), count, seconds)


def until(asked: Callable[[], int], count: int, seconds: float) -> int:
    end = time.monotonic() + seconds
    while (result := asked()) < count and time.monotonic() < end:
        time.sleep(0.05)
    return result


class Analyst:
    """A user with a browser: logs in once, then opens pages and submits forms."""

    def __init__(self, installation: Installation, agent: int) -> None:
        self.address, self.agent = installation.address, agent
        self.session = requests.Session()
        self.session.trust_env = False
        page = f"{self.address}/login/"
        data = {"login": "bench", "password": "of-the-bench"}
        self._post(page, data | {"csrfmiddlewaretoken": self._token(page)})
        self.form = f"{self.address}/cases/new/?kind=kyb"
        self.token = self._token(self.form)

    def submit(self, name: str, *, document: bool = False) -> int:
        """Submit the form. Returns the id of the case."""
        data = {
            "csrfmiddlewaretoken": self.token,
            "agent": str(self.agent),
            "business_name": name,
            "submission": str(uuid.uuid4()),
        }
        sample = samples.good_certificate() if document else None
        files = (
            {"incorporation_documents": (sample.file_name, sample.content)}
            if sample
            else None
        )
        return int(self._post(self.form, data, files).rstrip("/").rsplit("/", 1)[1])

    def look(self, path: str) -> float:
        """Request a page. Returns the seconds that it took."""
        began = time.perf_counter()
        # Redirects are not followed: an expired session must not count as a page.
        answer = self.session.get(
            self.address + path, timeout=10, allow_redirects=False
        )
        assert answer.status_code == 200, f"{path} answered {answer.status_code}"
        return time.perf_counter() - began

    def sees(self, case: int, words: str) -> bool:
        return (
            words in self.session.get(f"{self.address}/cases/{case}/", timeout=10).text
        )

    def _token(self, page: str) -> str:
        value = self.session.get(page, timeout=10).text
        result = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', value)
        assert result is not None, f"{page} has no form"
        return result[1]

    def _post(self, page: str, said: dict[str, str], files: Any = None) -> str:
        answer = self.session.post(
            page, said, files=files, allow_redirects=False, timeout=10
        )
        assert answer.is_redirect, (
            f"{page} answered {answer.status_code}: {answer.text[:2000]}"
        )
        return answer.headers["Location"]
