"""Sends the log to a second destination: syslog (RFC 5424) over TLS (RFC 5425).

An intruder here cannot change what was logged there before. A thread sends, so that no request
waits for the collector. Lines that do not fit into the queue are counted, and reported later.
"""

from __future__ import annotations

import atexit
import encodings.idna  # noqa: F401 - a thread that looks a host up while its process forks cannot load it
import logging
import os
import queue
import socket
import ssl
import threading
import time
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import urlsplit

PORT = 6514  # of RFC 5425
MOST_WAITING = 10_000  # lines; each has some hundred bytes
CONNECT_SECONDS = 5.0
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 30.0  # seconds between two attempts to connect
EXIT_SECONDS = 2.0  # seconds for waiting lines when the process exits
LONGEST_LINE = 64 << 10  # bytes; a traceback is shorter
# Facility 16 is local0; the severities are those of RFC 5424.
FACILITY = 16
_SEVERITIES = (
    (logging.CRITICAL, 2),
    (logging.ERROR, 3),
    (logging.WARNING, 4),
    (logging.INFO, 6),
)
_DEBUG = 7
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"  # RFC 5424: the text is UTF-8


def parse(url: str) -> tuple[str, int]:
    """The host and port of `syslog+tls://host:port`. Raises ValueError."""
    parts = urlsplit(url)
    if parts.scheme == "syslog+tls" and parts.hostname and not parts.path.strip("/"):
        return parts.hostname, parts.port or PORT
    raise ValueError("LOG_COLLECTOR must be syslog+tls://host:port")


def fault_of(url: str, *files: str) -> str:
    """What is wrong with the address or the files of a collector; empty if nothing is."""
    try:
        parse(url)
    except ValueError as exc:
        return str(exc)
    for path in filter(None, files):
        if not Path(path).is_file():
            return f"LOG_COLLECTOR: {path} is no file."
    return ""


class CollectorHandler(logging.Handler):
    """A logging handler for the collector.

    `authorities` and `certificate` are PEM files: the CA of the collector's certificate, and our
    client certificate with its key, if the collector requires one."""

    def __init__(self, url: str, authorities: str = "", certificate: str = "") -> None:
        super().__init__()
        self._host, self._port = parse(url)
        self._context = ssl.create_default_context(cafile=authorities or None)
        self._context.minimum_version = ssl.TLSVersion.TLSv1_2
        if certificate:
            self._context.load_cert_chain(certificate)
        self._begin()
        atexit.register(self._finish)
        # Workers are forked after logging is set up. The child has no sending thread, and a lock
        # that a thread of the parent held would never be released.
        os.register_at_fork(after_in_child=self._begin)

    def _begin(self) -> None:
        self._lines: queue.Queue[bytes] = queue.Queue(MOST_WAITING)
        self._dropped = 0
        self._is_started = False
        self._start_lock = threading.Lock()

    def emit(self, record: logging.LogRecord) -> None:
        try:
            line = frame(record, self.format(record))
            self._lines.put_nowait(line)
        except queue.Full:
            self._dropped += 1
        except Exception:  # noqa: BLE001 - logging must never break a request
            self.handleError(record)
        if not self._is_started:
            self._start()

    def _start(self) -> None:
        with self._start_lock:
            if self._is_started:
                return
            self._is_started = True
            name = "log collector"
            threading.Thread(target=self._send_all, name=name, daemon=True).start()

    def _send_all(self) -> None:
        pause = FIRST_PAUSE
        line = self._lines.get()
        while True:
            try:
                with self.connect() as connection:
                    pause = FIRST_PAUSE
                    self._send_dropped(connection)
                    while True:
                        _refuse_closed(connection)
                        connection.sendall(line)
                        self._lines.task_done()
                        line = self._lines.get()
            except Exception:  # noqa: BLE001 - usually an OSError; the thread must go on in any case
                # The line is sent again: a duplicate is better than a loss.
                time.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)

    def _send_dropped(self, connection: ssl.SSLSocket) -> None:
        count, self._dropped = self._dropped, 0
        if count:
            words = (
                f"{count} lines are missing here: the collector could not be reached."
            )
            record = logging.LogRecord(
                __name__, logging.ERROR, __file__, 0, words, None, None
            )
            connection.sendall(frame(record, self.format(record)))

    def connect(self) -> ssl.SSLSocket:
        """Connect with TLS. Raises OSError, also if the certificate does not match the host."""
        address = (self._host, self._port)
        plain = socket.create_connection(address, timeout=CONNECT_SECONDS)
        try:
            return self._context.wrap_socket(plain, server_hostname=self._host)
        except OSError:
            plain.close()
            raise

    def _finish(self) -> None:
        """At the exit of the process, give the thread some time for waiting lines."""
        end = time.monotonic() + EXIT_SECONDS
        while self._lines.unfinished_tasks and time.monotonic() < end:
            time.sleep(0.01)


def _refuse_closed(connection: ssl.SSLSocket) -> None:
    """Raises OSError if the collector closed the connection: the next line would be lost."""
    connection.settimeout(0)
    try:
        if not connection.recv(1):
            raise ConnectionResetError
    except ssl.SSLWantReadError:
        return
    finally:
        connection.settimeout(CONNECT_SECONDS)


def frame(record: logging.LogRecord, text: str) -> bytes:
    """A record in the format of RFC 5424, preceded by its length as RFC 5425 requires."""
    severity = _DEBUG
    for level, number in _SEVERITIES:
        if record.levelno >= level:
            severity = number
            break
    moment = datetime.fromtimestamp(record.created, UTC).isoformat()
    host = socket.gethostname()[:255] or "-"
    priority = FACILITY * 8 + severity
    head = f"<{priority}>1 {moment} {host} compliance-desk {os.getpid()} - - "
    content = head.encode() + _BYTE_ORDER_MARK + text.encode("utf-8", "replace")
    content = content[:LONGEST_LINE]
    return b"%d %b" % (len(content), content)
