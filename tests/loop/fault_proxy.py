"""A TCP proxy in front of a server, which a test may silence or cut."""

from __future__ import annotations

import contextlib
import socket
import threading


class FaultProxy:
    """`silent`: it takes all and answers nothing. `refusing`: it ends every connection."""

    def __init__(self, target: tuple[str, int]) -> None:
        self.target = target
        self.silent = False
        self.refusing = False
        self._server = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._server.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._server.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._server.accept()
                if self.refusing:
                    client.close()
                    continue
                server = socket.create_connection(self.target)
                for source, target in ((client, server), (server, client)):
                    threading.Thread(
                        target=self._copy, args=(source, target), daemon=True
                    ).start()

    def _copy(self, source: socket.socket, target: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                if self.refusing:
                    break
                if not self.silent:
                    target.sendall(data)
        for end in (source, target):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
