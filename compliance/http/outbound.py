"""All outgoing HTTP requests: the library requests, with a transport adapter of our own.

Protection against SSRF: the adapter resolves a name once, refuses it unless every address is
public, and connects to the address that it checked. A second DNS look-up could return another
address. The session follows no redirect, uses no proxy and no password from the environment, and
stores no cookies. The timeout covers the whole exchange, and responses have a size limit.

Private addresses are allowed only by exact host and port: those of OUTBOUND_ALLOW, and those that a
caller passes. Requests with personal data or a key are sent to public addresses only over TLS.
"""

from __future__ import annotations

import ipaddress
import logging
import re
import socket
import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import lru_cache
from http.cookiejar import DefaultCookiePolicy
from typing import Any, NamedTuple, cast
from urllib.parse import urljoin

import certifi
import requests
import urllib3
from django.conf import settings
from requests.adapters import HTTPAdapter
from requests.exceptions import InvalidSchema, InvalidURL
from requests.structures import CaseInsensitiveDict
from requests.utils import get_encoding_from_headers
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.util import parse_url

from compliance.http import request_ids
from compliance.tracing import spans
from compliance.tracing.spans import Kind

log = logging.getLogger(__name__)

Origin = tuple[str, int]  # host and port

# User agents by which receivers can recognise these requests. The desk's is the default.
USER_AGENT = "compliance-desk"
HUB_USER_AGENT = "compliance-hub"

TIMEOUT = 30.0  # seconds for a whole exchange
CONNECT_TIMEOUT = 5.0  # seconds
MAX_BYTES = 1 << 20
MAX_POOLS = 16  # a session keeps connections to at most this many addresses
MAX_SESSIONS = 16  # a thread keeps at most this many sessions
# The message of an address that is not public. OUTBOUND_ALLOW may allow it.
NOT_ALLOWED = "The address is not allowed."
NOT_LISTED = "The host is not one of OUTBOUND_HOSTS."
NEEDS_TLS = "A public address needs https://."


class OutboundError(Exception):
    """No response: no connection, or a timeout. `permanent` means that a retry will not help."""

    permanent = False


class BlockedError(OutboundError):
    """The URL or its address is not allowed.

    The message never says what the address is: it could describe the internal network to an
    outsider.
    """

    permanent = True


class TooLargeError(OutboundError):
    """The response is larger than the caller accepts."""

    permanent = True


class Response(requests.Response):
    """A response with a body of at most `max_bytes` bytes."""

    max_bytes = MAX_BYTES
    # True: a larger body is cut to `max_bytes` instead of raising TooLargeError.
    truncate = False
    # When the server's certificate expires; None if the connection was not encrypted.
    certificate_until: datetime | None = None

    def iter_content(
        self,
        chunk_size: int | None = 1,
        decode_unicode: bool = False,  # noqa: FBT001, FBT002 (the signature is that of requests)
    ) -> Iterator[object]:
        size = 0
        for chunk in super().iter_content(chunk_size, decode_unicode):
            size += len(chunk)
            if size <= self.max_bytes:
                yield chunk
                continue
            # The limit is exceeded: close the connection instead of reading the rest.
            self.close()
            if not self.truncate:
                raise TooLargeError("the response is too large")
            excess = size - self.max_bytes
            yield chunk[: len(chunk) - excess]
            return


class Session(requests.Session):
    """A session of requests for one thread. Its methods raise no exception but OutboundError."""

    def __init__(
        self,
        *,
        allow_private: frozenset[Origin] = frozenset(),
        max_bytes: int = MAX_BYTES,
        truncate: bool = False,
        is_personal: bool = False,
    ) -> None:
        super().__init__()
        # Ignore HTTP_PROXY, .netrc and the like: a proxy would resolve names itself.
        self.trust_env = False
        self.headers = CaseInsensitiveDict({"User-Agent": USER_AGENT, "Accept": "*/*"})
        self.cookies.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        adapter = Adapter(
            allow_private,
            max_bytes=max_bytes,
            truncate=truncate,
            is_personal=is_personal,
        )
        self.mount("http://", adapter)
        self.mount("https://", adapter)

    def request(  # type: ignore[override]  # its 15 arguments are passed on as they are
        self, method: str, url: str, *args: Any, **kwargs: Any
    ) -> requests.Response:
        target = _parse_or_log(url)
        # The host is left out: it may be the website of an applicant.
        sent = {"http.request.method": method}
        with spans.span(method, kind=Kind.CLIENT, attributes=sent) as span:
            # Headers of the caller take precedence.
            kwargs["headers"] = {**_context(), **(kwargs.get("headers") or {})}
            response = self._request(target, method, url, *args, **kwargs)
            span.set({"http.response.status_code": response.status_code})
            if response.status_code >= 400:
                span.fail(str(response.status_code))
            return response

    def prepare_request(self, request: requests.Request) -> requests.PreparedRequest:
        """As requests, without what a session may add: ours has headers alone, and no cookies,
        passwords, parameters or hooks. To merge them takes as long as to write the request.
        """
        headers = {**self.headers, **(request.headers or {})}
        prepared = requests.PreparedRequest()
        prepared.prepare(
            method=(request.method or "").upper(),
            url=request.url,
            headers=headers,
            files=request.files,
            data=request.data,
            json=request.json,
            params=request.params,
            auth=request.auth,
            cookies=request.cookies,
            hooks=request.hooks,
        )
        return prepared

    def _request(
        self, target: Target, method: str, url: str, *args: Any, **kwargs: Any
    ) -> requests.Response:
        """As requests, but every failure is an OutboundError."""
        try:
            return super().request(method, url, *args, **kwargs)
        except BlockedError as exc:
            # The host is what somebody entered. The rest of the URL may hold a token and is not
            # logged.
            advice = " OUTBOUND_ALLOW can allow it." if str(exc) == NOT_ALLOWED else ""
            log.warning(
                "A request was blocked: %.100r, port %d.%s",
                target.host,
                target.port,
                advice,
            )
            raise
        except (InvalidSchema, InvalidURL) as exc:
            raise BlockedError("The URL is not allowed.") from exc
        except (
            requests.RequestException,
            urllib3.exceptions.HTTPError,
            OSError,
            ValueError,
        ) as exc:
            # Only the exception's class: messages of these libraries repeat the URL, which may hold
            # a token.
            raise OutboundError(
                f"no answer from {target.host} ({type(exc).__name__})"
            ) from exc

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Always None: redirects are not followed.

        A caller that follows one sends a new request.
        """


def _context() -> dict[str, str]:
    """Headers with the request id and the trace, which join the logs of both sides."""
    values = {
        request_ids.HEADER: request_ids.current_id(),
        spans.HEADER: spans.current(),
    }
    return {name: value for name, value in values.items() if value}


class Adapter(HTTPAdapter):
    """Connects only to checked addresses.

    The arguments `verify`, `cert` and `proxies` are ignored.
    """

    def __init__(
        self,
        allow_private: frozenset[Origin],
        *,
        max_bytes: int,
        truncate: bool,
        is_personal: bool,
    ) -> None:
        self.allow_private = allow_private
        self.max_bytes = max_bytes
        self.truncate = truncate
        self.is_personal = is_personal
        super().__init__(pool_connections=MAX_POOLS, pool_maxsize=1)

    def init_poolmanager(self, *args: Any, **kwargs: Any) -> None:
        super().init_poolmanager(*args, **kwargs)
        self.poolmanager.pool_classes_by_scheme = {"http": PlainPool, "https": TLSPool}

    def send(
        self,
        request: requests.PreparedRequest,
        stream: bool = False,  # noqa: FBT001, FBT002 (the signature is that of requests)
        timeout: Any = None,
        verify: object = True,  # noqa: FBT002
        cert: object = None,
        proxies: object = None,
    ) -> requests.Response:
        seconds = TIMEOUT if timeout is None else float(timeout)
        # The sockets read the deadline of their thread: requests has no timeout for a whole
        # exchange.
        _thread.deadline = time.monotonic() + seconds
        connect = min(CONNECT_TIMEOUT, seconds)
        return super().send(request, stream=stream, timeout=(connect, seconds))

    def get_connection_with_tls_context(
        self,
        request: requests.PreparedRequest,
        verify: object,
        proxies: object = None,
        cert: object = None,
    ) -> urllib3.HTTPConnectionPool:
        """The pool of connections to the checked address.

        It connects to an IP address, so TLS is told the host name: for SNI, and to verify the
        certificate.
        """
        target = parse(request.url or "")
        tls = {}
        if target.scheme == "https":
            context = tls_context(certifi.where())
            tls = {"ssl_context": context, "server_hostname": target.host}
        pool: urllib3.HTTPConnectionPool = self.poolmanager.connection_from_host(
            self._address(target), target.port, target.scheme, pool_kwargs=tls
        )
        return pool

    def _address(self, target: Target) -> str:
        origin = (target.host, target.port)
        # An operator has allowed exactly this host and port, whatever its address is.
        if origin in settings.OUTBOUND_ALLOW:
            return target.host
        # Without TLS, personal data may go only to a private address that the caller allows.
        if self.is_personal and target.scheme == "http":
            return self._private_address(target)
        # The caller has allowed it: an administrator entered this address.
        if origin in self.allow_private:
            return target.host
        if not is_listed(target.host):
            raise BlockedError(NOT_LISTED)
        return public_address(target.host, target.port)

    def _private_address(self, target: Target) -> str:
        """The private address for unencrypted personal data and keys.

        Raises BlockedError if public.
        """
        addresses = resolve(target.host, target.port)
        if any(is_public(address) for address in addresses):
            raise BlockedError(NEEDS_TLS)
        if (target.host, target.port) not in self.allow_private:
            raise BlockedError(NOT_ALLOWED)
        return addresses[0]

    def cert_verify(
        self, conn: object, url: object, verify: object, cert: object
    ) -> None:
        """Does nothing: the TLS context of the pool already holds the root certificates."""

    def add_headers(self, request: requests.PreparedRequest, **kwargs: object) -> None:
        """Set the header Host: the connection knows only the IP address."""
        request.headers["Host"] = parse(request.url or "").netloc

    def build_response(
        self, req: requests.PreparedRequest, resp: urllib3.BaseHTTPResponse
    ) -> Response:
        """As HTTPAdapter, but with our Response, and without cookies."""
        response = Response()
        response.max_bytes = self.max_bytes
        response.truncate = self.truncate
        if isinstance(resp.connection, TLSConnection):
            response.certificate_until = resp.connection.certificate_until
        response.status_code = resp.status
        response.headers = CaseInsensitiveDict(resp.headers)
        response.encoding = get_encoding_from_headers(response.headers)
        response.raw = cast("urllib3.HTTPResponse", resp)
        response.reason = resp.reason or ""
        response.url = req.url or ""
        response.request = req
        response.connection = self
        return response


class _Thread(threading.local):
    """State per thread: the deadline of its current exchange, and its sessions by their limits."""

    deadline = 0.0  # of the current exchange, in time.monotonic() seconds

    def __init__(self) -> None:
        self.sessions: dict[tuple[frozenset[Origin], int, bool, bool], Session] = {}


_thread = _Thread()


def thread_session(
    *,
    allow_private: frozenset[Origin] = frozenset(),
    max_bytes: int = MAX_BYTES,
    truncate: bool = False,
    is_personal: bool = False,
) -> Session:
    """This thread's session with these limits. Its connections stay open for later requests."""
    key = (allow_private, max_bytes, truncate, is_personal)
    session = _thread.sessions.get(key)
    if session is not None:
        return session
    # Too many combinations of limits: close all sessions instead of tracking which is in use.
    if len(_thread.sessions) >= MAX_SESSIONS:
        for old in _thread.sessions.values():
            old.close()
        _thread.sessions.clear()
    session = Session(
        allow_private=allow_private,
        max_bytes=max_bytes,
        truncate=truncate,
        is_personal=is_personal,
    )
    _thread.sessions[key] = session
    return session


def request(
    method: str,
    url: str,
    *,
    data: bytes | None = None,
    params: Mapping[str, str] | None = None,
    headers: Mapping[str, str] | None = None,
    timeout: float = TIMEOUT,
    allow_private: frozenset[Origin] = frozenset(),
    max_bytes: int = MAX_BYTES,
    truncate: bool = False,
    is_personal: bool = False,
) -> Response:
    """Send one request and read the whole response. Raises OutboundError.

    `timeout` is in seconds for the whole exchange, `max_bytes` the limit of the body; with
    `truncate` a larger body is cut instead of refused. `allow_private`: hosts and ports that may be
    private, because an administrator entered them. `is_personal`: the request carries personal data
    or a key, so a public address needs TLS.
    """
    session = thread_session(
        allow_private=allow_private,
        max_bytes=max_bytes,
        truncate=truncate,
        is_personal=is_personal,
    )
    response = session.request(
        method, url, data=data, params=params, headers=headers, timeout=timeout
    )
    return cast("Response", response)


def retry_after(
    response: requests.Response, *, max_seconds: float = 3600.0
) -> float | None:
    """The seconds to wait according to Retry-After (a number or a date); None without it."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), max_seconds)
    try:
        until = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        # OverflowError: a year or an offset beyond the integers of C.
        return None
    # RFC 9110: dates are in GMT, even if an obsolete format does not say so.
    until = until.replace(tzinfo=until.tzinfo or UTC)
    seconds = until.timestamp() - time.time()
    return min(max(seconds, 0.0), max_seconds)


def redirect_url(url: str, response: requests.Response) -> str:
    """The URL to which a response to a request of `url` leads; `url` itself if to none."""
    try:
        return urljoin(url, response.headers.get("Location", ""))
    except ValueError:
        # For example brackets around something that is no IPv6 address.
        return url


# URLs


class Target(NamedTuple):
    scheme: str
    host: str  # in ASCII, without the brackets of an IPv6 address
    port: int
    netloc: str


# Whitespace, control characters and the backslash: URL parsers treat them differently.
_FORBIDDEN = re.compile(r"[\x00-\x20\x7f\\]")


@lru_cache(maxsize=256)
def _parse_or_log(url: str) -> Target:
    try:
        return parse(url)
    except BlockedError:
        log.warning("A request to an address that is not allowed was blocked.")
        raise


def parse(url: str) -> Target:
    """The parts of a URL, for allow-lists and connections alike. Raises BlockedError.

    All code uses this one parser: where two parsers disagree about the host, an attacker can make
    the check see one host and the connection use another.
    """
    try:
        parts = parse_url(url)
    except (urllib3.exceptions.HTTPError, ValueError) as exc:
        raise BlockedError("The URL is not allowed.") from exc
    scheme = (parts.scheme or "").lower()
    host = (parts.host or "").strip("[]").lower()
    is_http = scheme in {"http", "https"}
    # A percent sign in a host is the zone of a link-local address, or an encoded character. Neither
    # is reachable, and other parsers refuse such a URL.
    is_plain = host and "%" not in host
    if not is_http or not is_plain or parts.auth is not None or _FORBIDDEN.search(url):
        raise BlockedError("The URL is not allowed.")
    default_port = 443 if scheme == "https" else 80
    return Target(scheme, host, parts.port or default_port, parts.netloc or "")


def origin(url: str) -> Origin:
    """The host and port of a URL, for allow-lists. Raises BlockedError."""
    target = parse(url)
    return target.host, target.port


def require_allowed(url: str) -> None:
    """Raise BlockedError if personal data can never be sent to this URL, as the settings are.

    It asks no DNS: a name that leads to a private address is blocked when something is sent.
    """
    target = parse(url)
    if (target.host, target.port) in settings.OUTBOUND_ALLOW:
        return
    # Without TLS a public address is blocked, and so is a private one that is not allowed.
    if target.scheme == "http":
        raise BlockedError(NEEDS_TLS)
    if not is_listed(target.host):
        raise BlockedError(NOT_LISTED)
    try:
        is_blocked = not is_public(target.host)
    except ValueError:
        # A name.
        is_blocked = False
    if is_blocked:
        raise BlockedError(NOT_ALLOWED)


# Addresses

# Networks that `is_global` calls public, but that lead to private or to IPv4 addresses.
_NOT_PUBLIC = tuple(
    ipaddress.ip_network(network)
    for network in (
        # NAT64, 6to4, Teredo and IPv4-compatible addresses embed an IPv4 address, maybe a private
        # one.
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "2002::/16",
        "2001::/32",
        "::/96",
        "::ffff:0:0:0/96",
        "100.64.0.0/10",
        "192.0.0.0/24",  # metadata of a cloud
        "192.88.99.0/24",
        "fec0::/10",  # the private addresses of early IPv6
        "5f00::/16",
        "3fff::/20",
        "2001:20::/28",
    )
)


def is_listed(host: str) -> bool:
    """Whether this public host may be called: any if OUTBOUND_HOSTS is empty, else listed ones.

    An entry that begins with a dot allows all subdomains.
    """
    hosts: frozenset[str] = settings.OUTBOUND_HOSTS
    if not hosts or host in hosts:
        return True
    return any(name.startswith(".") and host.endswith(name) for name in hosts)


def resolve(host: str, port: int) -> list[str]:
    try:
        results = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as exc:
        raise OutboundError(f"the name {host} cannot be resolved") from exc
    return [str(result[4][0]) for result in results]


def public_address(host: str, port: int) -> str:
    """The first address of the host. Raises BlockedError unless all its addresses are public."""
    addresses = resolve(host, port)
    if not all(is_public(address) for address in addresses):
        raise BlockedError(NOT_ALLOWED)
    return addresses[0]


def is_public(text: str) -> bool:
    # The text after % is the zone of a link-local IPv6 address.
    address = ipaddress.ip_address(text.split("%")[0])
    if isinstance(address, ipaddress.IPv6Address) and address.ipv4_mapped:
        address = address.ipv4_mapped
    # `is_global` is also true for some multicast addresses.
    if not address.is_global or address.is_multicast:
        return False
    return not any(address in network for network in _NOT_PUBLIC)


# Connections


class TimedSocket(socket.socket):
    """A socket whose timeout is the rest of the current exchange's time.

    The timeout of requests applies to each read. A server that sends one byte now and then would
    never reach it.
    """

    def recv_into(self, *args: Any) -> int:
        self._limit()
        return super().recv_into(*args)

    def sendall(self, *args: Any) -> None:
        self._limit()
        super().sendall(*args)

    def _limit(self) -> None:
        seconds = _thread.deadline - time.monotonic()
        if seconds <= 0:
            raise TimeoutError("the exchange took too long")
        self.settimeout(seconds)


class TimedTLSSocket(TimedSocket, ssl.SSLSocket):
    """The same for TLS. The SSL context creates it through `sslsocket_class`."""


@lru_cache(maxsize=1)
def tls_context(roots: str) -> ssl.SSLContext:
    """The context of all connections. It is kept: reading the roots takes longer than a request."""
    context = ssl.create_default_context(cafile=roots)
    context.sslsocket_class = TimedTLSSocket
    return context


class PlainConnection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        # detach() hands the file descriptor over, so the connection itself stays open.
        timed = TimedSocket(fileno=self.sock.detach())
        timed.settimeout(self.timeout)
        self.sock = timed


class TLSConnection(HTTPSConnection):
    certificate_until: datetime | None = None

    def connect(self) -> None:
        super().connect()
        certificate = cast("ssl.SSLSocket", self.sock).getpeercert() or {}
        # The expiry date is recorded now: after the response, the socket may be closed.
        end = ssl.cert_time_to_seconds(str(certificate["notAfter"]))
        self.certificate_until = datetime.fromtimestamp(end, UTC)


class PlainPool(urllib3.HTTPConnectionPool):
    ConnectionCls = PlainConnection


class TLSPool(urllib3.HTTPSConnectionPool):
    ConnectionCls = TLSConnection
