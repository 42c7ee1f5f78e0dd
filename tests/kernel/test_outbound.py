"""The door out: only public addresses, or those that were admitted; no redirect, no end of time."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from compliance import outbound
from compliance.outbound import BlockedError, OutboundError, TooLargeError


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    hits: list[str] = []

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.hits.append(self.path)
        if self.path == "/redirect":
            self.send_response(302)
            self.send_header("Location", "/secret")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(200)
        if self.path == "/drip":
            self.send_header("Content-Length", "50")
            self.end_headers()
            for _ in range(50):
                time.sleep(0.1)
                try:
                    self.wfile.write(b"x")
                except OSError:
                    return
            return
        body = b"x" * 5000
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Handler.hits = []
    made = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=made.serve_forever, daemon=True)
    thread.start()
    yield made
    made.shutdown()
    made.server_close()
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
]


@pytest.mark.parametrize("address", PRIVATE)
def test_private_addresses_are_blocked_in_every_spelling(server, settings, address):
    settings.OUTBOUND_ALLOW = frozenset()
    with pytest.raises(OutboundError):
        outbound.request("GET", address.format(port=server.server_port), deadline=3)
    assert Handler.hits == []


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
    ],
)
def test_what_is_no_plain_http_address_is_blocked(address):
    with pytest.raises(BlockedError):
        outbound.request("GET", address, deadline=3)


def test_a_name_with_one_private_answer_is_refused(monkeypatch):
    def answers(*_args, **_kwargs):
        return [
            (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, 80))
            for address in ("93.184.216.34", "10.0.0.1")
        ]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    with pytest.raises(BlockedError):
        outbound.request("GET", "http://two-faced.example/", deadline=3)


def test_the_address_that_was_judged_is_the_one_connected_to(monkeypatch, server):
    """A second look-up that answers otherwise (a rebinding name) must not be made."""
    asked = []

    def answers(host, port, *_args, **_kwargs):
        if host[0].isdigit():
            address = host  # no name, so nothing to look up
        else:
            asked.append(host)
            address = "93.184.216.34" if len(asked) == 1 else "127.0.0.1"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    monkeypatch.setattr(socket, "getaddrinfo", answers)
    connected = []

    def connect(self, address):
        connected.append(address[0])
        raise ConnectionRefusedError

    monkeypatch.setattr(socket.socket, "connect", connect)
    with pytest.raises(OutboundError):
        outbound.request("GET", f"http://rebinding.example:{server.server_port}/", deadline=3)
    assert set(connected) == {"93.184.216.34"}
    assert asked == ["rebinding.example"]


def test_an_admitted_host_is_reached_by_its_exact_port_only(url, server, settings):
    assert outbound.request("GET", url).status == 200
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", server.server_port + 1)})
    with pytest.raises(BlockedError):
        outbound.request("GET", url)


def test_who_vouches_for_a_host_reaches_it(server, settings):
    settings.OUTBOUND_ALLOW = frozenset()
    vouched = frozenset({("127.0.0.1", server.server_port)})
    url = f"http://127.0.0.1:{server.server_port}/"
    assert outbound.request("GET", url, vouched=vouched).status == 200
    with pytest.raises(BlockedError):
        outbound.request("GET", url)


def test_redirects_are_told_not_followed(url):
    assert outbound.request("GET", f"{url}/redirect").status == 302
    assert Handler.hits == ["/redirect"]


def test_a_slow_drip_ends_at_the_deadline(url):
    began = time.monotonic()
    with pytest.raises(OutboundError):
        outbound.request("GET", f"{url}/drip", deadline=1)
    assert time.monotonic() - began < 3


def test_a_large_answer_is_cut(url):
    with pytest.raises(TooLargeError):
        outbound.request("GET", url, cap=1000)


def test_the_environment_names_no_proxy(url, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert outbound.request("GET", url).status == 200
