"""The log at a second place: over real TLS, to a receiver on this machine."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.tracing import log_collector
from compliance.tracing.log_collector import CollectorHandler
from tests.compliance.http.certificates import make_certificate


class Receiver:
    """A collector: reads frames by their length."""

    def __init__(self, folder: Path, host: str = "localhost", port: int = 0) -> None:
        self.authorities, key = folder / "certificate.pem", folder / "key.pem"
        if not key.exists():
            make_certificate(folder, host)
        self.frames: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(self.authorities, key)
        self._connections: list[socket.socket] = []
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._read, args=(plain,), daemon=True).start()

    def _read(self, plain: socket.socket) -> None:
        try:
            with self._context.wrap_socket(plain, server_side=True) as connection:
                self._connections.append(connection)
                file = connection.makefile("rb")
                while length := b"".join(iter(lambda: file.read(1), b" ")):
                    self.frames.append(file.read(int(length)).decode())
        except (OSError, ValueError):
            return

    def close(self) -> None:
        # close() alone does not wake the thread that accepts.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for connection in self._connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def wait(self, count: int, seconds: float = 20) -> list[str]:
        end = time.monotonic() + seconds
        while len(self.frames) < count and time.monotonic() < end:
            time.sleep(0.01)
        return self.frames


@pytest.fixture
def receiver(tmp_path: Path) -> Iterator[Receiver]:
    item = Receiver(tmp_path)
    yield item
    item.close()


def logger_to(handler: CollectorHandler) -> logging.Logger:
    logger = logging.Logger("compliance.test")  # noqa: LOG001 - one for each test
    logger.addHandler(handler)
    return logger


def handler_of(receiver: Receiver) -> CollectorHandler:
    url = f"syslog+tls://localhost:{receiver.port}"
    return CollectorHandler(url, authorities=str(receiver.authorities))


def test_a_line_arrives_with_its_severity_and_in_whole(receiver):
    logger = logger_to(handler_of(receiver))
    logger.warning("Denied: %s", "case-detail\nsecond line é")
    logger.info("Next")
    first, second = receiver.wait(2)
    assert first.startswith("<132>1 20")
    assert first.endswith("- - \ufeffDenied: case-detail\nsecond line é")
    assert second.startswith("<134>1 ")


def test_a_collector_with_another_certificate_gets_nothing(receiver, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    authorities, _ = make_certificate(other, "localhost")
    url = f"syslog+tls://localhost:{receiver.port}"
    handler = CollectorHandler(url, authorities=str(authorities))
    with pytest.raises(ssl.SSLCertVerificationError):
        handler.connect()


def test_a_certificate_of_another_host_is_refused(tmp_path):
    receiver = Receiver(tmp_path, host="logs.example")
    with pytest.raises(ssl.SSLCertVerificationError):
        handler_of(receiver).connect()
    receiver.close()


def test_what_was_logged_while_it_was_away_arrives_later(tmp_path, monkeypatch):
    monkeypatch.setattr(log_collector, "FIRST_PAUSE", 0.05)
    place = tmp_path / "first"
    place.mkdir()
    item = Receiver(place)
    item.close()
    handler = CollectorHandler(
        f"syslog+tls://localhost:{item.port}", authorities=str(item.authorities)
    )
    logger = logger_to(handler)
    logger.error("Kept")
    time.sleep(0.2)
    back = Receiver(place, port=item.port)
    [line] = back.wait(1)
    assert line.endswith("Kept")
    back.close()


def test_what_does_not_fit_is_counted_and_told(receiver, monkeypatch):
    handler = handler_of(receiver)
    monkeypatch.setattr(handler, "_start", lambda: None)
    logger = logger_to(handler)
    for number in range(log_collector.MOST_WAITING + 3):
        logger.info("%s", number)
    monkeypatch.undo()
    logger.info("One more")
    lines = receiver.wait(log_collector.MOST_WAITING + 1)
    assert "4 lines are missing here" in lines[0]
    assert lines[1].endswith("\ufeff0")


def test_a_collector_that_was_started_again_loses_no_line(tmp_path, monkeypatch):
    monkeypatch.setattr(log_collector, "FIRST_PAUSE", 0.05)
    first = Receiver(tmp_path)
    handler = handler_of(first)
    logger = logger_to(handler)
    logger.info("one")
    first.wait(1)
    first.close()
    second = Receiver(tmp_path, port=first.port)
    logger.info("two")
    [line] = second.wait(1)
    assert line.endswith("two")
    second.close()


def test_a_process_ends_after_its_last_line_has_left(receiver, tmp_path):
    """As it is set up by the environment: the root logger, the format, and no link in it."""
    program = (
        "import django, logging; django.setup();"
        "logging.getLogger('compliance.x').error('Refused: /requests/1:kp2L-x/')"
    )
    environment = {
        "PATH": "/usr/bin",
        "VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
        "LOG_COLLECTOR": f"syslog+tls://localhost:{receiver.port}",
        "LOG_COLLECTOR_CA": str(receiver.authorities),
        "LOG_FORMAT": "json",
    }
    subprocess.run([sys.executable, "-c", program], env=environment, check=True)
    [line] = [line for line in receiver.wait(1) if "compliance.x" in line]
    assert "/requests/[removed]" in line
    assert "kp2L" not in line


FORKING = """
import logging, os
from compliance.tracing.log_collector import CollectorHandler
handler = CollectorHandler({url!r}, authorities={authorities!r})
logger = logging.Logger("x")
logger.addHandler(handler)
logger.error("parent")
lock = handler._lines.mutex
lock.acquire()  # as the thread of the parent may hold it
child = os.fork()
if child:
    lock.release()
    os.waitpid(child, 0)
else:
    logger.error("child")
    # Each time it waits for two seconds at most: a busy machine may need more to connect.
    for _ in range(10):
        handler._finish()
    os._exit(0)
"""


def test_a_forked_worker_logs_and_waits_for_no_lock_of_its_parent(receiver):
    url = f"syslog+tls://localhost:{receiver.port}"
    program = FORKING.format(url=url, authorities=str(receiver.authorities))
    subprocess.run([sys.executable, "-c", program], check=True, timeout=30)
    words = {line.rpartition("\ufeff")[2] for line in receiver.wait(2)}
    assert words == {"parent", "child"}


@pytest.mark.parametrize("url", ["", "syslog://h", "syslog+tls://", "syslog+tls://h/x"])
def test_an_address_without_tls_is_none(url):
    with pytest.raises(ValueError, match="LOG_COLLECTOR"):
        log_collector.parse(url)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "LOG_COLLECTOR",
            "syslog://logs.example.com",
            "must be syslog+tls://host:port",
        ),
        ("LOG_COLLECTOR_CA", "/nowhere.pem", "/nowhere.pem is no file"),
    ],
)
def test_a_setting_that_cannot_be_used_is_one_sentence(name, value, words, tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "VAR": str(tmp_path),
        "LOG_COLLECTOR": "syslog+tls://127.0.0.1:9",
        name: value,
    }
    ran = subprocess.run(
        [sys.executable, "manage.py", "check"],
        cwd=Path(__file__).parents[3], env=environment, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert ran.returncode == 1
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr
