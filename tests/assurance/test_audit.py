"""The audit against a database that speaks OSV's interface, and without one."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from assurance import locks
from assurance.audit import main
from tests.docs.pages import ROOT

ID = "TEST-2026-0001"


class Database(BaseHTTPRequestHandler):
    """Knows one fault of one package."""

    faulty = ""
    packages: set[str] = set()

    def do_POST(self) -> None:
        query = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        name = query["package"]["name"]
        self.packages.add(name)
        answer: dict[str, Any] = {}
        if name == self.faulty:
            answer["vulns"] = [fault(name)]
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def fault(name: str) -> dict[str, Any]:
    ranges = [{"type": "ECOSYSTEM", "events": [{"introduced": "0"}, {"fixed": "999"}]}]
    affected = {"package": {"ecosystem": "PyPI", "name": name}, "ranges": ranges}
    return {"id": ID, "summary": "A fault.", "affected": [affected]}


@pytest.fixture
def database() -> Iterator[str]:
    Database.packages, Database.faulty = set(), ""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Database)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/v1/query"
    server.shutdown()
    thread.join()
    server.server_close()


def audit(*words: str) -> tuple[int, str]:
    process = subprocess.run(
        [sys.executable, "-m", "assurance.audit", *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.stderr == ""
    return process.returncode, process.stdout


def test_a_known_fault_is_an_error(database):
    Database.faulty = "django"
    code, output = audit("--osv-url", database)
    assert code == 1
    assert ID in output
    assert "repaired in: 999" in output


def test_every_package_that_runs_everywhere_is_asked_for(database, capsys):
    assert main(["--osv-url", database, "--required"]) == 0
    assert capsys.readouterr().out.endswith("none with a known fault.\n")
    runs = {
        row.name for row in locks.packages() if row.set == "base" and not row.marker
    }
    assert runs <= Database.packages


# Nobody listens at port 9 of this machine.
NOBODY = ("--osv-url", "http://127.0.0.1:9/v1/query")


def test_without_a_database_it_says_that_nothing_was_audited(capsys):
    assert main([*NOBODY]) == 0
    assert capsys.readouterr().out.startswith("NOT AUDITED")


def test_without_a_database_an_audit_that_is_required_fails():
    code, output = audit(*NOBODY, "--required")
    assert code == 2
    assert output.startswith("NOT AUDITED")
