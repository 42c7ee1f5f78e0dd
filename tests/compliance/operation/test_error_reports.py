"""Errors that are sent to a server of Sentry's protocol: a real process, and a server that keeps all."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import brotli
import pytest

PERSON = "Ada Byron"
# An error in a worker, and one in a request: without tables no webhook can be stored.
SCRIPT = f"""
import django, logging
django.setup()
def fail(person):
    raise ValueError(person)
try:
    fail({PERSON!r})
except ValueError:
    logging.getLogger("compliance.work").exception("%s: row %s failed", "q", {PERSON!r})
from django.test import Client
client = Client(SERVER_NAME="localhost", headers={{"x-request-id": "0e4c1f7a9b2d4c53a8d1f60b7e92c345"}})
headers = {{"authorization": {PERSON!r}}}
client.post("/webhooks/none/?q={PERSON}", {{"name": {PERSON!r}}}, content_type="application/json", headers=headers)
# The line of a library may be the message of an exception.
logging.getLogger("django.security.DisallowedHost").error({PERSON!r})
"""


class Receiver(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.envelopes: list[bytes] = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        # The library packs it by what is installed.
        assert self.headers["Content-Encoding"] == "br"
        body = brotli.decompress(body)
        assert isinstance(self.server, Receiver)
        self.server.envelopes.append(body)
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    server = Receiver()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    values = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "VAR": str(folder),
        **environment,
    }
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env=values, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


def test_an_error_is_sent_without_anything_that_is_personal(receiver, tmp_path):
    dsn = f"http://key@127.0.0.1:{receiver.server_port}/1"
    result = run(tmp_path, SENTRY_DSN=dsn)
    assert result.returncode == 0, result.stderr
    for envelope in receiver.envelopes:
        assert PERSON.encode() not in envelope
        assert PERSON.replace(" ", "+").encode() not in envelope
        assert str(tmp_path).encode() not in envelope
    events = [json.loads(envelope.split(b"\n")[2]) for envelope in receiver.envelopes]
    of_worker, *of_request = events
    assert of_worker["logentry"]["message"] == "%s: row %s failed"
    [error] = of_worker["exception"]["values"]
    assert error["type"] == "ValueError"
    assert "value" not in error
    assert error["stacktrace"]["frames"][-1]["function"] == "fail"
    assert of_worker["release"].startswith("compliance-desk@")
    assert "server_name" not in of_worker
    # Whatever else failed without tables is beside it.
    [refused] = [event for event in of_request if "Disallowed" in event["logger"]]
    assert refused["logentry"]["message"] == ""
    [event] = [event for event in of_request if event["logger"] == "webhooks.views"]
    assert event["exception"]["values"][-1]["type"] == "OperationalError"
    assert event["tags"] == {"request": "0e4c1f7a9b2d4c53a8d1f60b7e92c345"}


def test_a_server_that_is_away_holds_up_nothing(tmp_path):
    result = run(tmp_path, SENTRY_DSN="http://key@127.0.0.1:9/1")
    assert result.returncode == 0, result.stderr


def test_without_the_setting_nothing_is_loaded(tmp_path):
    script = "import django, sys; django.setup(); print('sentry_sdk' in sys.modules)"
    values = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "VAR": str(tmp_path),
    }
    process = subprocess.run(
        [sys.executable, "-c", script],
        env=values, capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert process.stdout.strip() == "False"
