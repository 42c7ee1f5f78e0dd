"""Outgoing requests: only to public or allowed addresses, without redirects, within their limits."""

from __future__ import annotations

import gzip
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from compliance.http import outbound
from compliance.http.outbound import BlockedError, OutboundError, TooLargeError
from tests.compliance.http.certificates import make_certificate

# How an answer begins that then comes byte by byte.
DRIPS = {
    "/drip-status": b"",
    "/drip-head": b"HTTP/1.1 200 OK\r\nX-Long: ",
    "/drip-body": b"HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n",
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hits: list[str] = []
    cookies: list[str | None] = []
    connections: set[tuple[str, int]] = set()

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.hits.append(self.path)
        self.cookies.append(self.headers["Cookie"])
        self.connections.add(self.client_address)
        if self.path in DRIPS:
            self.wfile.write(DRIPS[self.path])
            self._drip()
            return
        if self.path.startswith("/malformed"):
            self.wfile.write(b"HTTP/1.1 200 OK\r\n continued\r\n\r\n")
            self.close_connection = True
            return
        self.send_response(302 if self.path == "/redirect" else 200)
        self.send_header("Location", "/secret")
        self.send_header("Set-Cookie", "id=1")
        if self.path == "/close":
            self.send_header("Connection", "close")
        body = b"x" * 5000
        if self.path == "/bomb":
            body = gzip.compress(b"\0" * (50 << 20), 9)
            self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        time.sleep(0.5)  # longer than the test's limit for connecting
        size = len(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_response(200)
        self.send_header("X-Size", str(size))
        self.send_header("Content-Length", "0")
        self.end_headers()

    def _drip(self):
        for _ in range(50):
            time.sleep(0.1)
            try:
                self.wfile.write(b"x")
            except OSError:
                return


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Handler.hits, Handler.cookies, Handler.connections = [], [], set()
    threading_h_t_t_p_server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(
        target=threading_h_t_t_p_server.serve_forever, args=(0.02,), daemon=True
    )
    thread.start()
    yield threading_h_t_t_p_server
    threading_h_t_t_p_server.shutdown()
    threading_h_t_t_p_server.server_close()
    thread.join()


@pytest.fixture
def url(server, settings) -> str:
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", server.server_port)})
    return f"http://127.0.0.1:{server.server_port}"


# Every one of these leads to this machine, a private network, or nowhere that is public.
PRIVATE = [
    "http://127.0.0.1:{port}/",
    "http://localhost:{port}/",
    "http://127.1:{port}/",
    "http://2130706433:{port}/",
    "http://0x7f000001:{port}/",
    "http://0177.0.0.1:{port}/",
    "http://0.0.0.0:{port}/",
    "http://[::1]:{port}/",
    "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/",
    "http://[64:ff9b::7f00:1]:{port}/",
    "http://[2002:7f00:1::]:{port}/",
    "http://[::127.0.0.1]:{port}/",
    "http://10.0.0.1/",
    "http://172.16.0.1/",
    "http://192.168.1.1/",
    "http://100.64.0.1/",
    "http://169.254.169.254/latest/meta-data/",
    "http://[fe80::1]/",
    "http://[fc00::1]/",
    "http://224.0.0.1/",
    "http://0x7f.0.0.1:{port}/",
    "http://0x7f.1:{port}/",
    "http://017700000001:{port}/",
    "http://127.0.0.1.:{port}/",
    "http://localhost.:{port}/",
    "http://LOCALHOST:{port}/",
    "http://%6c%6f%63alhost:{port}/",
    "http://127.0.0.1%2f.example.com:{port}/",
    "http://①②⑦.⓪.⓪.①:{port}/",
    "http://127。0。0。1:{port}/",
    "http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:{port}/",
    "http://0:{port}/",
    "http://0/",
    "http://[::]:{port}/",
    "http://[0:0:0:0:0:0:0:1]:{port}/",
    "http://[::1%25lo]:{port}/",
    "http://[::ffff:0:127.0.0.1]:{port}/",
    "http://[64:ff9b:1::7f00:1]:{port}/",
    "http://[2001:0:7f00:1::]:{port}/",
    "http://[fd00:ec2::254]/latest/meta-data/",
    "http://[fec0::1]/",
    "http://[ff02::1]/",
    "http://[2001:db8::1]/",
    "http://0xa9fea9fe/latest/meta-data/",
    "http://2852039166/latest/meta-data/",
    "http://0251.0376.0251.0376/",
    "http://100.100.100.200/latest/meta-data/",
    "http://192.0.0.192/",
    "http://198.18.0.1/",
    "http://192.0.2.1/",
    "http://240.0.0.1/",
    "http://255.255.255.255/",
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_blocked_in_every_spelling(
    settings, monkeypatch, address
):
    """Not even a connection is tried, whatever listens there."""
    settings.OUTBOUND_ALLOW = frozenset()
    tried = []

    def connect(self, there):
        tried.append(there)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(OutboundError):
        outbound.request("GET", address.format(port=8000), timeout=3)
    assert tried == []


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "ftp://example.com/",
        "http://",
        "http:///path",
        "http://user:secret@example.com/",
        "http://example.com\\@127.0.0.1/",
        "http://exa mple.com/",
        "http://example.com:99999/",
        "http://example.com/\r\nX: y",
        "",
        "//127.0.0.1/",
        "http://127.0.0.1:80;@example.com/",
        "http://example.com@127.0.0.1/",
        "http://:@127.0.0.1/",
        "http://[::1",
        "http://[127.0.0.1]/",
        "http://example.com:/x\ty",
        "http://example.com:-1/",
        "http://example.com:٨٠/",
        "HTTP//example.com/",
        "http:example.com",
        "http://\x00127.0.0.1/",
    ],
)
def test_what_is_no_plain_http_address_is_blocked(address):
    with pytest.raises(BlockedError):
        outbound.request("GET", address, timeout=3)


def test_a_name_with_one_private_answer_is_refused(monkeypatch, caplog):
    def answers(*_args, **_kwargs):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80))
            for address in ("93.184.216.34", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    with pytest.raises(BlockedError):
        outbound.request("GET", "http://two-faced.example/", timeout=3)
    # Operators read the log, and may allow it.
    assert "'two-faced.example', port 80. OUTBOUND_ALLOW can allow it." in caplog.text


def test_the_address_that_was_judged_is_the_one_connected_to(monkeypatch, server):
    """A second look-up that answers otherwise (a rebinding name) must not be made."""
    rows = []

    def answers(host, port, *_args, **_kwargs):
        if host[0].isdigit():
            address = host  # no name, so nothing to look up
        else:
            rows.append(host)
            address = "93.184.216.34" if len(rows) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    connected = []

    def connect(self, address):
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(OutboundError):
        outbound.request(
            "GET", f"http://rebinding.example:{server.server_port}/", timeout=3
        )
    assert set(connected) == {"93.184.216.34"}
    assert rows == ["rebinding.example"]


def test_an_admitted_host_is_reached_by_its_exact_port_only(url, server, settings):
    assert outbound.request("GET", url).status_code == 200
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", server.server_port + 1)})
    with pytest.raises(BlockedError):
        outbound.request("GET", url)


def test_a_caller_that_allows_a_private_host_reaches_it(server, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    allow_private = frozenset({("127.0.0.1", server.server_port)})
    url = f"http://127.0.0.1:{server.server_port}/"
    assert outbound.request("GET", url, allow_private=allow_private).status_code == 200
    with pytest.raises(BlockedError):
        outbound.request("GET", url)


@pytest.mark.parametrize(
    ("host", "is_called"),
    [
        ("lists.example", True),
        ("a.receiver.example", True),
        ("receiver.example", False),
        ("notlists.example", False),
        ("areceiver.example", False),
    ],
)
def test_only_listed_hosts_are_called(monkeypatch, settings, host, is_called):
    settings.OUTBOUND_HOSTS = frozenset({"lists.example", ".receiver.example"})
    resolved = []

    def resolve(name, *_args, **_kwargs):
        resolved.append(name)
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(OutboundError) as caught:
        outbound.request("GET", f"https://{host}/")
    assert bool(resolved) == is_called
    assert ("OUTBOUND_HOSTS" in str(caught.value)) != is_called


@pytest.mark.parametrize("is_allowed_by_its_caller", [True, False])
def test_personal_data_go_to_a_public_address_by_tls_alone(
    monkeypatch, is_allowed_by_its_caller
):
    answer = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.216.34", 80))
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: [answer])
    allowed = frozenset({("public.example", 80)} if is_allowed_by_its_caller else ())
    with pytest.raises(BlockedError, match="needs https"):
        outbound.request(
            "POST", "http://public.example/", allow_private=allowed, is_personal=True
        )


def test_personal_data_may_stay_in_the_own_network(server, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    url = f"http://127.0.0.1:{server.server_port}/"
    answer = outbound.request("GET", url, allow_private=_origins(url), is_personal=True)
    assert answer.status_code == 200
    with pytest.raises(BlockedError, match="not allowed"):
        outbound.request("GET", url, is_personal=True)


def test_redirects_are_not_followed(url):
    assert outbound.request("GET", f"{url}/redirect").status_code == 302
    assert (
        outbound.Session(allow_private=_origins(url)).get(f"{url}/redirect").status_code
        == 302
    )
    assert Handler.hits == ["/redirect", "/redirect"]


def test_the_body_of_a_redirect_has_a_limit_too(url):
    with pytest.raises(TooLargeError):
        outbound.request("GET", f"{url}/redirect", max_bytes=1000)


def _origins(url: str) -> frozenset[tuple[str, int]]:
    return frozenset({outbound.origin(url)})


def test_requests_of_a_thread_share_a_connection(url):
    for _ in range(3):
        assert len(outbound.request("GET", url).content) == 5000
    assert len(Handler.connections) == 1


def test_a_connection_with_an_unread_rest_is_not_used_again(url):
    for _ in range(2):
        response = outbound.request("GET", f"{url}/bomb", max_bytes=1000, truncate=True)
        assert response.content == bytes(1000)
    assert len(Handler.connections) == 2


def test_cookies_are_not_sent_back(url):
    session = outbound.Session(allow_private=_origins(url))
    for _ in range(2):
        assert session.get(url).headers["Set-Cookie"] == "id=1"
    assert outbound.request("GET", url).status_code == 200
    assert Handler.cookies == [None, None, None]


def test_a_session_keeps_to_the_rules_whatever_its_caller_asks_for(server, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    proxies = {"http": "http://127.0.0.1:9"}
    with pytest.raises(BlockedError):
        outbound.Session().get(
            f"http://127.0.0.1:{server.server_port}/", proxies=proxies
        )
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", server.server_port)})
    response = outbound.Session().get(
        f"http://127.0.0.1:{server.server_port}/", proxies=proxies
    )
    assert response.status_code == 200


def test_an_error_does_not_repeat_the_url(url, server):
    server.server_close()
    with pytest.raises(OutboundError) as caught:
        outbound.request("GET", f"{url}/?token=secret")
    assert "secret" not in str(caught.value)


def test_the_log_does_not_repeat_the_url_of_a_malformed_response(url, caplog):
    response = outbound.request("GET", f"{url}/malformed/secret")
    assert response.status_code == 200
    assert "secret" not in caplog.text


@pytest.mark.parametrize("part", DRIPS)
def test_a_slow_drip_ends_at_the_deadline(url, part):
    began = time.monotonic()
    with pytest.raises(OutboundError):
        outbound.request("GET", f"{url}{part}", timeout=1)
    assert time.monotonic() - began < 3


def test_a_large_body_may_take_longer_than_a_connection(url, monkeypatch):
    monkeypatch.setattr(outbound, "CONNECT_TIMEOUT", 0.2)
    body = bytes(30 << 20)  # more than the sockets of both sides keep
    assert outbound.request("POST", url, data=body).headers["X-Size"] == str(len(body))


def test_a_large_response_is_refused(url):
    with pytest.raises(TooLargeError):
        outbound.request("GET", url, max_bytes=1000)


def test_the_environment_names_no_proxy(url, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert outbound.request("GET", url).status_code == 200


@pytest.mark.parametrize(
    "address",
    ["http://" + "a" * 70 + ".example/", "http://" + "é" * 70 + ".example/", "http://xn--.example/",
     "http://..example/", "http://*/", "http://\u200b.example/", "http://\U0001f600.invalid/",
     "http://-.invalid/", "http://a_b.invalid/"],
)  # fmt: skip
def test_a_name_that_is_none_is_an_error_of_ours(address):
    with pytest.raises(OutboundError):
        outbound.request("GET", address, timeout=3)


def test_an_allowed_address_lends_nothing_to_its_other_spellings(url, server):
    """What is compared with the allow-list is what is connected to."""
    port = server.server_port
    for other in (f"http://127.0.0.1.:{port}/", f"http://localhost:{port}/", f"http://2130706433:{port}/"):  # fmt: skip
        with pytest.raises(OutboundError):
            outbound.request("GET", other, timeout=3)
    assert (
        outbound.request("GET", f"http://127.0.0.1:{port}/?@10.0.0.1/").status_code
        == 200
    )
    assert (
        outbound.request("GET", f"http://127.0.0.1:{port}/#@10.0.0.1/").status_code
        == 200
    )
    assert Handler.hits == ["/?@10.0.0.1/", "/"]


def test_a_kept_connection_is_not_lent_to_a_name_that_was_never_judged(url, server, settings, monkeypatch):  # fmt: skip
    """Two requests of one thread: the second name is judged though a connection is open."""
    assert outbound.request("GET", url).status_code == 200

    def answers(host, port, *_args, **_kwargs):
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", port))]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    with pytest.raises(BlockedError):
        outbound.request(
            "GET", f"http://rebound.example:{server.server_port}/", timeout=3
        )
    assert Handler.hits == ["/"]


def test_a_compressed_answer_counts_as_what_it_unfolds_to(url):
    with pytest.raises(TooLargeError):
        outbound.request("GET", f"{url}/bomb", max_bytes=1 << 20)


@pytest.fixture
def tls_url(server, tmp_path, monkeypatch) -> str:
    """A server with a certificate for desk.test, as if 127.0.0.1 were a public address."""
    return _encrypted(server, tmp_path, monkeypatch, certified="desk.test")


def _encrypted(server, folder, monkeypatch, *, certified: str) -> str:
    certificate, key = make_certificate(folder, certified)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    monkeypatch.setattr("certifi.where", lambda: str(certificate))
    monkeypatch.setattr(outbound, "is_public", lambda _: True)
    answer = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", 0))]
    resolve = socket.getaddrinfo
    monkeypatch.setattr(
        socket,
        "getaddrinfo",
        lambda host, *a, **k: answer if host == "desk.test" else resolve(host, *a, **k),
    )
    return f"https://desk.test:{server.server_port}"


@pytest.mark.parametrize("path", ["/", "/close"])
def test_the_end_of_the_certificate_is_known(tls_url, path):
    """Also where the server closes the connection, as the last of an exchange or at once."""
    until = outbound.request("GET", f"{tls_url}{path}").certificate_until
    assert until is not None
    assert timedelta(0) < until - datetime.now(UTC) <= timedelta(days=1)


def test_a_response_without_encryption_has_no_certificate(url):
    assert outbound.request("GET", url).certificate_until is None


@pytest.mark.parametrize("verify", [True, False])
def test_the_certificate_must_be_that_of_the_host(
    server, tmp_path, monkeypatch, verify
):
    url = _encrypted(server, tmp_path, monkeypatch, certified="other.test")
    with pytest.raises(OutboundError, match="SSLError"):
        outbound.Session().get(url, verify=verify)


def test_a_certificate_of_an_unknown_authority_is_refused(tls_url, monkeypatch):
    monkeypatch.undo()
    allow_private = frozenset({("localhost", outbound.origin(tls_url)[1])})
    with pytest.raises(OutboundError, match="SSLError"):
        outbound.request(
            "GET",
            tls_url.replace("desk.test", "localhost"),
            allow_private=allow_private,
        )


@pytest.mark.parametrize("part", DRIPS)
def test_a_slow_drip_over_tls_ends_at_the_deadline(tls_url, part):
    began = time.monotonic()
    with pytest.raises(OutboundError):
        outbound.request("GET", f"{tls_url}{part}", timeout=1)
    assert time.monotonic() - began < 3
