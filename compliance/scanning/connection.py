"""One connection to the scanner, with limits on the time and size of the whole exchange.

Besides compliance.http.outbound, only this module opens sockets. The address is the operator's own
setting, and neither protocol is HTTP.
"""

from __future__ import annotations

import contextlib
import socket
import time
from types import TracebackType

CHUNK = 64 << 10
# The longest line of an answer in bytes: ClamAV sends the name of a signature, ICAP a header.
LONGEST_LINE = 8 << 10


class ScannerError(Exception):
    """The scanner gave no result for the file. The message says why, for people.

    `is_refusal`: the scanner refuses to scan this file, so a retry will not help.
    """

    def __init__(self, reason: str, *, is_refusal: bool = False) -> None:
        super().__init__(reason)
        self.is_refusal = is_refusal


class Connection:
    """A connection that fails after `seconds` in total, whatever the other side does."""

    def __init__(self, host: str, port: int, *, path: str = "", seconds: float) -> None:
        self._end = time.monotonic() + seconds
        self._seconds = seconds
        self._received = b""
        self._socket: socket.socket
        try:
            if path:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
                self._socket.settimeout(self._left())
                self._socket.connect(path)
            else:
                address = (host, port)
                self._socket = socket.create_connection(address, timeout=self._left())
        except OSError as exc:
            raise ScannerError(f"it cannot be reached ({type(exc).__name__})") from exc

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(OSError):
            self._socket.close()

    def send(self, content: bytes) -> bool:
        """Send all bytes. Returns False if the other side stopped reading: it may have answered."""
        try:
            self._socket.settimeout(self._left())
            self._socket.sendall(content)
        except TimeoutError as exc:
            raise self._timeout() from exc
        except OSError:
            return False
        return True

    def line(self, end: bytes) -> bytes:
        """Read up to `end`, which is not returned. Raises ScannerError."""
        while end not in self._received:
            if len(self._received) > LONGEST_LINE:
                raise ScannerError("its answer is too long")
            self._receive()
        line, _, self._received = self._received.partition(end)
        return line

    def exactly(self, size: int) -> bytes:
        """Read exactly `size` bytes. Raises ScannerError."""
        while len(self._received) < size:
            self._receive()
        content = self._received[:size]
        self._received = self._received[size:]
        return content

    def _receive(self) -> None:
        try:
            self._socket.settimeout(self._left())
            chunk = self._socket.recv(CHUNK)
        except TimeoutError as exc:
            raise self._timeout() from exc
        except OSError as exc:
            words = f"the connection failed ({type(exc).__name__})"
            raise ScannerError(words) from exc
        if not chunk:
            raise ScannerError("it ended the connection without an answer")
        self._received += chunk

    def _left(self) -> float:
        left = self._end - time.monotonic()
        if left <= 0:
            raise self._timeout()
        return left

    def _timeout(self) -> ScannerError:
        return ScannerError(f"it did not answer within {self._seconds:g} s")
