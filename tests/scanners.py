"""Scanners for tests: real sockets that speak ClamAV's protocol and ICAP, and find EICAR's string."""

from __future__ import annotations

import socketserver
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from compliance.scanning.trial import TEST_FILE

EICAR = TEST_FILE

NAME = "Eicar-Test-Signature"
# What the scanner does with a file, beside the honest answer:
#   stall: says nothing; close: ends the connection at once; early: ends it in the middle of the file;
#   lie: says something that is no answer; limit: takes no file of this size;
#   blind: scans nothing, as a service of ICAP that only repeats; small: scans the first MiB.
FAULTS = ("stall", "close", "early", "lie")


class Scanner:
    """What a scanner was asked, and what it is to do next."""

    def __init__(self) -> None:
        self.fault = ""
        self.files: list[bytes] = []
        self.url = ""
        self.ended = threading.Event()

    def found(self, content: bytes) -> bool:
        self.files.append(content)
        if self.fault == "blind" or (self.fault == "small" and len(content) > 1 << 20):
            return False
        return EICAR in content


class _Clamd(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        scanner: Scanner = self.server.scanner  # type: ignore[attr-defined]
        command = _until(self.rfile, b"\0")
        if command == b"zVERSION":
            self.wfile.write(b"ClamAV 1.4.3/27800/Tue Nov 24 2026\0")
            return
        assert command == b"zINSTREAM"
        if scanner.fault == "close":
            return
        content = b""
        while size := struct.unpack("!I", self.rfile.read(4))[0]:
            content += self.rfile.read(size)
            if scanner.fault == "limit":
                self.wfile.write(b"INSTREAM size limit exceeded. ERROR\0")
            if scanner.fault in {"early", "limit"}:
                return
        self._answer(scanner, content)

    def _answer(self, scanner: Scanner, content: bytes) -> None:
        if scanner.fault == "stall":
            scanner.ended.wait(30)
        elif scanner.fault == "lie":
            self.wfile.write(b"stream: OK, or so it seems\0")
        elif scanner.found(content):
            self.wfile.write(f"stream: {NAME} FOUND\0".encode())
        else:
            self.wfile.write(b"stream: OK\0")


class _Icap(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        scanner: Scanner = self.server.scanner  # type: ignore[attr-defined]
        head = _until(self.rfile, b"\r\n\r\n").decode()
        method, address, version = head.split("\r\n")[0].split(" ")
        assert address.startswith("icap://")
        assert version == "ICAP/1.0"
        if method == "OPTIONS":
            self.wfile.write(
                b"ICAP/1.0 200 OK\r\nMethods: RESPMOD\r\nService: Test 1.0\r\n\r\n"
            )
            return
        assert method == "RESPMOD"
        if scanner.fault == "close":
            return
        assert _until(self.rfile, b"\r\n\r\n").startswith(b"GET ")
        assert _until(self.rfile, b"\r\n\r\n").startswith(b"HTTP/1.1 200")
        content = b""
        while size := int(_until(self.rfile, b"\r\n"), 16):
            content += self.rfile.read(size)
            self.rfile.read(2)
            if scanner.fault == "early":
                return
        self.rfile.read(2)
        self._answer(scanner, content)

    def _answer(self, scanner: Scanner, content: bytes) -> None:
        if scanner.fault == "stall":
            scanner.ended.wait(30)
        elif scanner.fault == "lie":
            self.wfile.write(b"HTTP/1.1 204 No Content\r\n\r\n")
        elif scanner.fault == "limit":
            self.wfile.write(b"ICAP/1.0 500 Too large\r\n\r\n")
        elif scanner.fault == "echo":
            scanner.found(content)
            self.wfile.write(_encapsulated(b"HTTP/1.1 200 OK\r\n\r\n", content))
        elif scanner.fault == "replace":
            page = b"<h1>Blocked</h1>"
            self.wfile.write(_encapsulated(b"HTTP/1.1 200 OK\r\n\r\n", page))
        elif scanner.found(content):
            threat = f"X-Infection-Found: Type=0; Resolution=2; Threat={NAME};\r\n"
            head = b"HTTP/1.1 403 Forbidden\r\n\r\n"
            self.wfile.write(_encapsulated(head, b"no", more=threat.encode()))
        else:
            self.wfile.write(b"ICAP/1.0 204 No modifications needed\r\n\r\n")


def _encapsulated(head: bytes, body: bytes, more: bytes = b"") -> bytes:
    parts = b"Encapsulated: res-hdr=0, res-body=%d\r\n" % len(head)
    chunks = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body)
    return b"ICAP/1.0 200 OK\r\n" + more + parts + b"\r\n" + head + chunks


def _until(stream: Any, end: bytes) -> bytes:
    content = b""
    while not content.endswith(end):
        byte = stream.read(1)
        if not byte:
            raise ConnectionError("the client is gone")
        content += byte
    return content.removesuffix(end)


class _TcpServer(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that is gone is no fault of the scanner's."""


class _UnixServer(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True

    def handle_error(self, request: object, client_address: object) -> None:
        """As above."""


@contextmanager
def running(kind: str, folder: Path | None = None) -> Iterator[Scanner]:
    """A scanner that listens: `clamav`, `clamav+unix` or `icap`. Its address is `url`."""
    scanner = Scanner()
    handler = _Icap if kind == "icap" else _Clamd
    server: Any
    if kind == "clamav+unix":
        assert folder is not None
        path = folder / "clamd.sock"
        server = _UnixServer(str(path), handler)
        scanner.url = f"clamav+unix://{path}"
    else:
        server = _TcpServer(("127.0.0.1", 0), handler)
        port = server.server_address[1]
        scanner.url = f"{kind}://127.0.0.1:{port}"
        if kind == "icap":
            scanner.url += "/respmod"
    server.scanner = scanner
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield scanner
    finally:
        scanner.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()
