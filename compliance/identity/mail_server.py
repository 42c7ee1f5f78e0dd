"""Sends mail by SMTP to a server that may be broken: each of its replies has a limit of time and of size.

The time-out of `smtplib` is for one read alone. A server that sends a byte now and then, or lines
without end, would hold a worker for ever and fill its memory.
"""

from __future__ import annotations

import smtplib
import time
from typing import Any, Protocol, cast

from django.core.mail.backends import smtp

# Bytes. The longest usual reply, the list of what a server can do, has fewer than 1 KB.
LONGEST_REPLY = 64 << 10
READ_BYTES = 4096


class Socket(Protocol):
    def recv(self, size: int, /) -> bytes: ...
    def settimeout(self, seconds: float | None, /) -> None: ...


class Backend(smtp.EmailBackend):
    """Django's backend, with limits for each reply of the server."""

    @property
    def connection_class(self) -> type[smtplib.SMTP]:
        return Connection


class Connection(smtplib.SMTP):
    def getreply(self) -> tuple[int, bytes]:
        # `starttls` sets `file` back to None: the next reply is read from the encrypted socket.
        if not isinstance(self.file, Replies) and self.sock:
            self.file = cast("Any", Replies(self.sock, self.sock.gettimeout()))
        if isinstance(self.file, Replies):
            self.file.begin()
        return super().getreply()


class Replies:
    """The lines of a server, as `smtplib` reads them from a file."""

    def __init__(self, sock: Socket, seconds: float | None) -> None:
        self._sock, self._seconds = sock, seconds
        self._content = b""
        self._size = 0
        self._end: float | None = None

    def begin(self) -> None:
        """A new reply is expected: its time begins now."""
        self._size = 0
        self._end = None
        if self._seconds is not None:
            self._end = time.monotonic() + self._seconds

    def readline(self, limit: int) -> bytes:
        """The next line, of at most `limit` bytes; empty at the end. Raises OSError."""
        while b"\n" not in self._content and len(self._content) < limit:
            content = self._read()
            if not content:
                break
            self._content += content
        line = self._content[:limit]
        end = line.find(b"\n") + 1
        if end:
            line = line[:end]
        self._content = self._content[len(line) :]
        self._size += len(line)
        if self._size > LONGEST_REPLY:
            raise OSError("the reply of the mail server has no end")
        return line

    def close(self) -> None:
        """Nothing to close: the socket is that of the connection."""

    def _read(self) -> bytes:
        if self._end is None:
            return self._sock.recv(READ_BYTES)
        left = self._end - time.monotonic()
        if left <= 0:
            raise TimeoutError("the mail server did not reply in time")
        self._sock.settimeout(left)
        try:
            return self._sock.recv(READ_BYTES)
        finally:
            # What is sent next has the whole time again.
            self._sock.settimeout(self._seconds)
