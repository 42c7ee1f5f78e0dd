"""The protocol of ClamAV: a file is sent to clamd with INSTREAM, over TCP or a Unix socket.

Reference: clamd(8). Each command and each answer ends with a zero byte.
"""

from __future__ import annotations

import re
import struct
from typing import IO

from compliance.scanning.connection import CHUNK, Connection, ScannerError

PORT = 3310
END = b"\0"
_FOUND = re.compile(r"stream: (.+) FOUND")


def scan(connection: Connection, file: IO[bytes]) -> str:
    """The name of the matching signature; empty if none matches. Raises ScannerError."""
    goes_on = connection.send(b"zINSTREAM\0")
    while goes_on and (chunk := file.read(CHUNK)):
        goes_on = connection.send(struct.pack("!I", len(chunk)) + chunk)
    if goes_on:
        connection.send(struct.pack("!I", 0))
    # Read the answer even if clamd stopped reading: it then gives the reason.
    answer = connection.line(END).decode("utf-8", "replace").strip()
    if answer == "stream: OK" and goes_on:
        return ""
    if match := _FOUND.fullmatch(answer):
        return match[1]
    if "size limit exceeded" in answer:
        raise ScannerError("the file is larger than it takes", is_refusal=True)
    # Any other answer is an error: only "OK" for the whole file means that it is clean.
    raise ScannerError("its answer is not understood")


def version(connection: Connection) -> str:
    """The scanner's name and signature version, such as "ClamAV 1.4.3/27800/Tue …"."""
    connection.send(b"zVERSION\0")
    answer = connection.line(END).decode("utf-8", "replace").strip()
    if not answer.startswith("ClamAV "):
        raise ScannerError("it is no ClamAV")
    return answer
