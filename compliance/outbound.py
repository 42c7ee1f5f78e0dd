"""The one door out: every HTTP request that leaves this installation goes through request().

A name is resolved once, every answer must be a public address, and the connection goes to the
address that was judged, so that a second look-up cannot answer differently. Redirects are not
followed, proxies of the environment are ignored, and the whole exchange has a deadline and a
size cap. Exact hosts can be admitted: those of OUTBOUND_ALLOW, and those a caller vouches for.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
import ssl
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.client import HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlencode

import certifi
import urllib3
from django.conf import settings
from urllib3.util import Timeout, parse_url

# Who asks: the other side may wish to know, or to let these pass. Where a caller says nothing, the desk.
USER_AGENT = "compliance-desk"
HUB_USER_AGENT = "compliance-hub"
CONNECT_SECONDS = 5.0
_ODD = re.compile(r"[\x00-\x20\x7f\\]")
KEPT_POOLS = 16  # a thread keeps connections to so many addresses

# Ranges that `is_global` lets through, or that lead to an IPv4 address in disguise.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        *("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32", "::/96", "::ffff:0:0:0/96"),
        # 192.0.0.0/24 holds a cloud's metadata; fec0::/10 were IPv6's private addresses.
        *("100.64.0.0/10", "192.0.0.0/24", "192.88.99.0/24", "fec0::/10", "5f00::/16"),
        *("3fff::/20", "2001:20::/28"),
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
    certificate_until: datetime | None = None  # None where the connection was not encrypted


class _Target(NamedTuple):
    """A URL taken apart, by one parser alone: two that differ could be told apart by a caller."""

    scheme: str
    host: str  # in ASCII, without the brackets of an IPv6 address
    port: int
    authority: str
    path: str
    has_query: bool


@lru_cache(maxsize=256)
def _parsed(url: str) -> _Target:
    try:
        found = parse_url(url)
    except (urllib3.exceptions.HTTPError, ValueError) as exc:
        raise BlockedError("The URL is not allowed.") from exc
    scheme, host = (found.scheme or "").lower(), (found.host or "").strip("[]").lower()
    if scheme not in {"http", "https"} or not host or found.auth is not None or _ODD.search(url):
        raise BlockedError("The URL is not allowed.")
    port = found.port or (443 if scheme == "https" else 80)
    return _Target(scheme, host, port, found.netloc or "", found.request_uri, bool(found.query))


def origin(url: str) -> tuple[str, int]:
    """The (host, port) of a URL, for allow-lists. Raises BlockedError where it has none."""
    target = _parsed(url)
    return target.host, target.port


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
    cut: bool = False,
) -> Answer:
    """Send one request and read the whole answer, within `deadline` seconds and `cap` bytes.

    With `cut`, a larger answer is no error: its first `cap` bytes are taken and the rest is left.

    `vouched` are (host, port) pairs that may be private because an administrator entered them.
    Raises OutboundError.
    """
    target = _parsed(url)
    _kept.end = end = time.monotonic() + deadline
    named = (target.host, target.port)
    path = target.path
    if params:
        path += ("&" if target.has_query else "?") + urlencode(params)
    try:
        pool = _pool(target, admitted=named in vouched or named in settings.OUTBOUND_ALLOW)
        response = pool.urlopen(
            method,
            path,
            body=data,
            headers={
                "Host": target.authority,
                "Accept": "*/*",
                "User-Agent": USER_AGENT,
                **(headers or {}),
            },
            timeout=Timeout(connect=min(CONNECT_SECONDS, deadline), read=deadline),
            redirect=False,
            retries=False,
            preload_content=False,
        )
        until = _certificate_until(response)
        try:
            body = _read(response, end=end, cap=cap, cut=cut)
        finally:
            response.close()  # one that was read to its end has given its connection back
        return Answer(response.status, response.headers, body, until)
    except (urllib3.exceptions.HTTPError, OSError, ValueError) as exc:
        # The class alone: messages of these libraries repeat the URL, which may carry a token.
        raise OutboundError(f"no answer from {target.host} ({type(exc).__name__})") from exc


def retry_after(answer: Answer, *, most: float = 3600.0) -> float | None:
    """Seconds, up to `most`, that the other side asked us to wait, in seconds or until a date."""
    said = answer.headers.get("Retry-After", "").strip()
    if said.isascii() and said.isdigit():
        return min(float(said), most)
    try:
        until = parsedate_to_datetime(said)
    except ValueError:
        return None
    # RFC 9110: dates are in GMT, also where the old formats do not say so.
    left = until.replace(tzinfo=until.tzinfo or UTC).timestamp() - time.time()
    return min(max(left, 0.0), most)


def _read(response: urllib3.BaseHTTPResponse, *, end: float, cap: int, cut: bool) -> bytes:
    body = bytearray()
    while True:
        if time.monotonic() > end:
            raise OutboundError("the answer took too long")
        piece = response.read1(65536, decode_content=True)
        if not piece:
            return bytes(body)
        body += piece
        if len(body) > cap and cut:
            return bytes(body[:cap])
        if len(body) > cap:
            raise TooLargeError("the answer is too large")


def _certificate_until(response: urllib3.BaseHTTPResponse) -> datetime | None:
    """Until when the certificate holds that the other side showed, and that was found good."""
    sock = getattr(getattr(response, "_connection", None), "sock", None)
    shown = sock.getpeercert() if isinstance(sock, ssl.SSLSocket) else None
    if not shown or "notAfter" not in shown:
        return None
    return datetime.fromtimestamp(ssl.cert_time_to_seconds(str(shown["notAfter"])), UTC)


_kept = threading.local()


class _Timely(io.RawIOBase):
    """What comes in over a connection, head and body, until the time of this thread's request is
    over: urllib3's own timeout is per read, so that a slow drip would pass it for ever."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock, self._raw = sock, sock.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = _kept.end - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self._sock.settimeout(left)
        return self._raw.readinto(buffer)

    def close(self) -> None:
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, **kwargs: Any) -> None:
        super().__init__(sock, *args, **kwargs)
        self.fp.close()
        self.fp = io.BufferedReader(_Timely(sock))


class _Plain(urllib3.connection.HTTPConnection):
    response_class = _Response


class _Encrypted(urllib3.connection.HTTPSConnection):
    response_class = _Response


class _PlainPool(urllib3.HTTPConnectionPool):
    ConnectionCls = _Plain


class _EncryptedPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = _Encrypted


def _pool(target: _Target, *, admitted: bool) -> urllib3.HTTPConnectionPool:
    """Connections of this thread to the address that was judged; the certificate is the host's."""
    address = target.host if admitted else _public_address(target.host, target.port)
    pools: dict[tuple[str, str, str, int], urllib3.HTTPConnectionPool]
    pools = _kept.__dict__.setdefault("pools", {})
    key = (target.scheme, target.host, address, target.port)
    if key not in pools:
        if len(pools) >= KEPT_POOLS:
            for pool in pools.values():
                pool.close()
            pools.clear()
        pools[key] = _connected(target, address)
    return pools[key]


def _connected(target: _Target, address: str) -> urllib3.HTTPConnectionPool:
    if target.scheme == "http":
        return _PlainPool(address, target.port)
    return _EncryptedPool(
        address,
        target.port,
        ca_certs=certifi.where(),
        server_hostname=target.host,
        assert_hostname=target.host,
    )


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
