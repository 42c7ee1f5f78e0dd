"""The one door out: every HTTP request that leaves this installation goes through request().

A name is resolved once, every answer must be a public address, and the connection goes to the
address that was judged, so that a second look-up cannot answer differently. Redirects are not
followed, proxies of the environment are ignored, and the whole exchange has a deadline and a
size cap. Exact hosts can be admitted: those of OUTBOUND_ALLOW, and those a caller vouches for.
"""

from __future__ import annotations

import ipaddress
import socket
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import requests
import urllib3
from django.conf import settings
from requests.adapters import HTTPAdapter

CONNECT_SECONDS = 5.0

# Ranges that `is_global` lets through, or that lead to an IPv4 address in disguise.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96"),
        *("100.64.0.0/10", "192.88.99.0/24", "5f00::/16", "3fff::/20", "2001:20::/28"),
    )
)


class OutboundError(Exception):
    """No answer was had: not connected, too slow. `permanent`: asking again will not help."""

    permanent = False


class BlockedError(OutboundError):
    """The door refused the address. The text never tells what stands behind it."""

    permanent = True


class TooLargeError(OutboundError):
    """The answer is larger than the caller takes."""

    permanent = True


@dataclass(frozen=True, slots=True)
class Answer:
    """A whole answer. `headers` are case-insensitive."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def origin(url: str) -> tuple[str, int]:
    """The (host, port) of a URL, for allow-lists. Raises BlockedError where it has none."""
    try:
        parts = urlsplit(url)
        port = parts.port or (443 if parts.scheme.lower() == "https" else 80)
    except ValueError as exc:
        raise BlockedError("The URL is not allowed.") from exc
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        raise BlockedError("The URL is not allowed.")
    return parts.hostname.lower(), port


def request(
    method: str,
    url: str,
    *,
    data: bytes | None = None,
    params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    vouched: frozenset[tuple[str, int]] = frozenset(),
    deadline: float = 30.0,
    cap: int = 1 << 20,
) -> Answer:
    """Send one request and read the whole answer, within `deadline` seconds and `cap` bytes.

    `vouched` are (host, port) pairs that may be private because an administrator entered them.
    Raises OutboundError.
    """
    host_and_port = origin(url)
    if urlsplit(url).username is not None or any(c <= " " or c in "\\\x7f" for c in url):
        raise BlockedError("The URL is not allowed.")
    session, door = _session()
    door.admitted = host_and_port in vouched or host_and_port in settings.OUTBOUND_ALLOW
    end = time.monotonic() + deadline
    try:
        with session.request(
            method,
            url,
            data=data,
            params=params,
            headers=dict(headers or {}),
            timeout=(min(CONNECT_SECONDS, deadline), deadline),
            allow_redirects=False,
            stream=True,
        ) as response:
            body = _read(response, end=end, cap=cap)
            return Answer(response.status_code, response.headers, body)
    except (requests.RequestException, urllib3.exceptions.HTTPError, OSError) as exc:
        # The class alone: messages of these libraries repeat the URL, which may carry a token.
        raise OutboundError(f"no answer from {host_and_port[0]} ({type(exc).__name__})") from exc


def retry_after(answer: Answer, *, most: float = 3600.0) -> float | None:
    """Seconds the other side asked us to wait, if it said so in seconds."""
    said = answer.headers.get("Retry-After", "").strip()
    return min(float(said), most) if said.isascii() and said.isdigit() else None


def _read(response: requests.Response, *, end: float, cap: int) -> bytes:
    body = bytearray()
    while True:
        left = end - time.monotonic()
        if left <= 0:
            raise OutboundError("the answer took too long")
        # requests' own timeout is per read, so a slow drip would pass it for ever.
        if sock := getattr(getattr(response.raw, "_connection", None), "sock", None):
            sock.settimeout(left)
        piece = response.raw.read1(65536, decode_content=True)
        if not piece:
            return bytes(body)
        body += piece
        if len(body) > cap:
            raise TooLargeError("the answer is too large")


class _Door(HTTPAdapter):
    """Connects to the address that was judged. One per thread, so `admitted` is one request's."""

    admitted = False

    def build_connection_pool_key_attributes(
        self, request: requests.PreparedRequest, verify: Any, cert: Any = None
    ) -> Any:
        host_params: Any
        pool_params: Any
        host_params, pool_params = super().build_connection_pool_key_attributes(
            request, verify, cert
        )
        host = str(host_params["host"]).strip("[]")
        port = host_params["port"] or (443 if host_params["scheme"] == "https" else 80)
        request.headers["Host"] = urlsplit(request.url or "").netloc
        if host_params["scheme"] == "https":
            pool_params["assert_hostname"] = pool_params["server_hostname"] = host
        if not self.admitted:
            address = _public_address(host, int(port))
            host_params["host"] = f"[{address}]" if ":" in address else address
        return host_params, pool_params


def _public_address(host: str, port: int) -> str:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise OutboundError(f"the name {host} cannot be resolved") from exc
    addresses = [str(item[4][0]) for item in found]
    # One bad answer refuses the name: which of them a library picks is not ours to say.
    if not all(_is_public(address) for address in addresses):
        raise BlockedError("The address is not allowed.")
    return addresses[0]


def _is_public(text: str) -> bool:
    address = ipaddress.ip_address(text.split("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    return (
        address.is_global
        and not address.is_multicast
        and not any(address in net for net in _NOT_PUBLIC if net.version == address.version)
    )


_kept = threading.local()


def _session() -> tuple[requests.Session, _Door]:
    """A session per thread: connections are kept, and nothing is shared."""
    if not hasattr(_kept, "session"):
        session, door = requests.Session(), _Door(max_retries=0, pool_maxsize=8)
        session.trust_env = False
        session.mount("http://", door)
        session.mount("https://", door)
        _kept.session, _kept.door = session, door
    return _kept.session, _kept.door
