"""A TCP proxy before a server, which can refuse, keep silent, or cut connections."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from enum import Enum


class Mode(Enum):
    """How the proxy behaves."""

    FORWARD = "forward"
    REFUSE = "refuse"  # nobody listens
    SILENT = "silent"  # connections are taken, and nothing is answered


class Proxy:
    """Forwards connections to a server of this machine, from a port of its own."""

    def __init__(self, server: tuple[str, int]) -> None:
        self.server = server
        self.mode = Mode.FORWARD
        # Seconds that each answer of the server waits.
        self.delay = 0.0
        self._lock = threading.Lock()
        self._sockets: set[socket.socket] = set()
        self._listener: socket.socket | None = None
        self._listen(0)

    @property
    def port(self) -> int:
        return self._port

    def set(self, mode: Mode) -> None:
        """Change the behaviour. Connections that stand are cut where the server is to be away."""
        self.mode = mode
        if mode is Mode.REFUSE:
            self._close_listener()
        elif self._listener is None:
            self._listen(self._port)
        if mode is not Mode.SILENT:
            self.cut()

    def cut(self) -> None:
        """End all connections, as when the server has restarted."""
        with self._lock:
            sockets, self._sockets = self._sockets, set()
        for one in sockets:
            _end(one)

    def close(self) -> None:
        self._close_listener()
        self.cut()

    def _listen(self, port: int) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(64)
        self._listener = listener
        self._port = int(listener.getsockname()[1])
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def _close_listener(self) -> None:
        if self._listener is not None:
            # Closing alone would leave a thread in accept().
            _end(self._listener)
            self._listener = None

    def _accept(self, listener: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(
                    target=self._serve, args=(client,), daemon=True
                ).start()

    def _serve(self, client: socket.socket) -> None:
        with self._lock:
            self._sockets.add(client)
        if self.mode is Mode.SILENT:
            return
        try:
            server = socket.create_connection(self.server, timeout=5)
        except OSError:
            _end(client)
            return
        server.settimeout(None)
        with self._lock:
            self._sockets.add(server)
        back = threading.Thread(
            target=self._pass,
            args=(server, client),
            kwargs={"is_answer": True},
            daemon=True,
        )
        back.start()
        self._pass(client, server, is_answer=False)

    def _pass(
        self, source: socket.socket, target: socket.socket, *, is_answer: bool
    ) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if is_answer:
                    time.sleep(self.delay)
                # What is on its way when the server falls silent never arrives.
                if self.mode is not Mode.SILENT:
                    target.sendall(data)
        _end(source)
        _end(target)


def _end(one: socket.socket) -> None:
    with contextlib.suppress(OSError):
        one.shutdown(socket.SHUT_RDWR)
    one.close()
