"""The scanner configured in FILE_SCANNER: scanning files, and its state."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import IO
from urllib.parse import unquote, urlsplit

from django.conf import settings

from compliance.scanning import clamav, icap
from compliance.scanning.connection import Connection, ScannerError

# Seconds. The health page contacts the scanner at most this often, and waits at most this long.
STATE_SECONDS = 10.0
STATE_TIMEOUT = 2.0
LONGEST_NAME = 200  # characters of a signature, and of a version
OFF = "off: files are not scanned"

_lock = threading.Lock()
_state: tuple[float, str, str] = (0.0, "", "")


@dataclass(frozen=True)
class Address:
    """The address of a scanner, and its protocol."""

    protocol: str  # "clamav" or "icap"
    host: str = ""
    port: int = 0
    path: str = ""  # of a Unix socket
    service: str = ""  # of ICAP


def parse(url: str) -> Address:
    """Parse `clamav://host:port`, `clamav+unix:///path` or `icap://host:port/service`.

    Raises ValueError.
    """
    parts = urlsplit(url)
    host = parts.hostname or ""
    service = parts.path.strip("/")
    match parts.scheme:
        case "clamav" if host and not service:
            return Address("clamav", host, parts.port or clamav.PORT)
        case "clamav+unix" if parts.path and not host:
            return Address("clamav", path=unquote(parts.path))
        case "icap" if host and service:
            return Address("icap", host, parts.port or icap.PORT, service=service)
    raise ValueError(
        "FILE_SCANNER must be clamav://host:port, clamav+unix:///path or"
        " icap://host:port/service"
    )


def is_on() -> bool:
    return bool(settings.FILE_SCANNER)


def name() -> str:
    """The scanner's product or protocol, for people."""
    protocol = parse(settings.FILE_SCANNER).protocol
    return "ClamAV" if protocol == "clamav" else "ICAP"


def scan(file: IO[bytes], *, seconds: float = 0) -> str:
    """Scan an open file. Returns the name of the malware, or "". Raises ScannerError.

    FILE_SCANNER must be set. `seconds` limits the whole exchange; 0: FILE_SCANNER_SECONDS.
    """
    address = parse(settings.FILE_SCANNER)
    with _connect(address, seconds or settings.FILE_SCANNER_SECONDS) as connection:
        if address.protocol == "icap":
            signature = icap.scan(
                connection, file, host=_authority(address), service=address.service
            )
        else:
            signature = clamav.scan(connection, file)
    return signature[:LONGEST_NAME]


def version() -> str:
    """The scanner's name and version. Raises ScannerError."""
    address = parse(settings.FILE_SCANNER)
    with _connect(address, STATE_TIMEOUT) as connection:
        if address.protocol == "icap":
            words = icap.version(
                connection, host=_authority(address), service=address.service
            )
        else:
            words = clamav.version(connection)
    return words[:LONGEST_NAME]


def state() -> str:
    """The state for the health page: `ok`, OFF, or a description of the fault."""
    global _state
    if not is_on():
        return OFF
    with _lock:
        asked_at, url, words = _state
        if url == settings.FILE_SCANNER and time.monotonic() - asked_at < STATE_SECONDS:
            return words
        words = _fault() or "ok"
        _state = (time.monotonic(), settings.FILE_SCANNER, words)
    return words


def _fault() -> str:
    try:
        version()
    except ScannerError as exc:
        return f"files wait for the malware scanner: {exc}"
    return ""


def _connect(address: Address, seconds: float) -> Connection:
    return Connection(address.host, address.port, path=address.path, seconds=seconds)


def _authority(address: Address) -> str:
    host = f"[{address.host}]" if ":" in address.host else address.host
    return f"{host}:{address.port}"
