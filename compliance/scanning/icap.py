"""ICAP (RFC 3507): a file is sent as the body of an HTTP response that the server is to inspect.

The server answers 204 if the response may stay unchanged. Otherwise it sends a replacement; most
servers name the malware in a header.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import IO

from compliance.scanning.connection import CHUNK, Connection, ScannerError

PORT = 1344
_NEWLINE = b"\r\n"
MOST_LINES = 200  # of headers
MOST_ANSWER = 64 << 20  # bytes of a returned body
BLOCKED = "blocked by the scanner"
# Headers with which various products name the malware, in lower case.
THREAT = ("x-infection-found", "x-virus-id", "x-violations-found", "x-virus-name")
_REQUEST = b"GET /file HTTP/1.1\r\nHost: document.invalid\r\n\r\n"
_RESPONSE = (
    b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n"
    b"Transfer-Encoding: chunked\r\n\r\n"
)

Headers = Mapping[str, str]


def scan(connection: Connection, file: IO[bytes], *, host: str, service: str) -> str:
    """The name of the malware; empty if none was found. Raises ScannerError."""
    body_at = len(_REQUEST) + len(_RESPONSE)
    parts = f"req-hdr=0, res-hdr={len(_REQUEST)}, res-body={body_at}"
    head = _head("RESPMOD", host, service, f"Allow: 204\r\nEncapsulated: {parts}\r\n")
    digest = hashlib.sha256()
    goes_on = connection.send(head + _REQUEST + _RESPONSE)
    while goes_on and (chunk := file.read(CHUNK)):
        digest.update(chunk)
        goes_on = connection.send(b"%x\r\n%b\r\n" % (len(chunk), chunk))
    if goes_on:
        connection.send(b"0\r\n\r\n")
    status, headers = _answer(connection, b"ICAP/1.")
    if name := _threat(headers):
        return name
    if not goes_on:
        raise ScannerError("it ended the connection before it had the whole file")
    if status == 204:
        return ""
    if status == 200:
        return _replaced(connection, headers, digest.hexdigest())
    raise ScannerError(f"it answered {status}")


def version(connection: Connection, *, host: str, service: str) -> str:
    """The scanner's name, from the method OPTIONS. Raises ScannerError."""
    connection.send(_head("OPTIONS", host, service, ""))
    status, headers = _answer(connection, b"ICAP/1.")
    if status != 200:
        raise ScannerError(f"it answered {status}")
    if "respmod" not in headers.get("methods", "respmod").lower():
        raise ScannerError("its service does not offer RESPMOD")
    return headers.get("service") or headers.get("server") or "ICAP"


def _head(method: str, host: str, service: str, more: str) -> bytes:
    address = f"icap://{host}/{service}"
    return f"{method} {address} ICAP/1.0\r\nHost: {host}\r\n{more}\r\n".encode()


def _answer(connection: Connection, protocol: bytes) -> tuple[int, Headers]:
    """The status and the headers, with names in lower case. Raises ScannerError."""
    status_line = connection.line(_NEWLINE)
    words = status_line.split(b" ")
    is_status = len(words) > 1 and words[1].isdigit() and len(words[1]) == 3
    if not status_line.startswith(protocol) or not is_status:
        raise ScannerError("its answer is not understood")
    headers: dict[str, str] = {}
    for _ in range(MOST_LINES):
        line = connection.line(_NEWLINE).decode("utf-8", "replace")
        if not line:
            return int(words[1]), headers
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    raise ScannerError("its answer is too long")


def _threat(headers: Headers) -> str:
    """The name of the malware in the headers; empty if there is none."""
    for name in THREAT:
        value = headers.get(name, "")
        # The value is "Type=0; Resolution=2; Threat=Eicar-Test-Signature;", or only the name.
        for part in value.split(";"):
            key, _, threat = part.partition("=")
            if key.strip().lower() == "threat" and threat.strip():
                return threat.strip()
        if value:
            return value
    return ""


def _replaced(connection: Connection, headers: Headers, sha256: str) -> str:
    """Empty if the returned response equals the sent one, else the finding or BLOCKED."""
    encapsulated = headers.get("encapsulated", "")
    if "res-hdr" not in encapsulated or "res-body" not in encapsulated:
        return BLOCKED
    status, inner = _answer(connection, b"HTTP/1.")
    if name := _threat(inner):
        return name
    if status != 200 or _digest_of_body(connection) != sha256:
        return BLOCKED
    return ""


def _digest_of_body(connection: Connection) -> str:
    digest = hashlib.sha256()
    total = 0
    while True:
        words = connection.line(_NEWLINE).split(b";")[0].strip()
        try:
            size = int(words, 16)
        except ValueError:
            raise ScannerError("its answer is not understood") from None
        total += size
        if size < 0 or total > MOST_ANSWER:
            raise ScannerError("its answer is too long")
        if not size:
            return digest.hexdigest()
        digest.update(connection.exactly(size))
        connection.exactly(len(_NEWLINE))
