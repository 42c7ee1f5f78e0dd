"""Anchors go to receivers that are slow, broken or hostile: no worker hangs, the failure is named where an
operator looks, nothing of the trail is lost, and a later success sends what was missed."""

from __future__ import annotations

import socket
import socketserver
import threading
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from compliance.http import outbox
from compliance.operation.doctor.registry import Finding
from compliance.security.proofs import time_stamps
from reviews.audit import anchor_copies, doctor, verification
from reviews.models import AnchorCopy, Chain, Unsealed
from tests.reviews.audit.test_anchor_copies import act, output, send

pytestmark = pytest.mark.django_db

SECONDS = 1.0  # how long a channel may wait in these tests
# More than a channel needs that ends at its limit, and less than one that waits for the receiver.
LONGEST = 6.0
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/timestamp-reply\r\n"
MODES = (
    "down",
    "silent",
    "garbage",
    "error",
    "endless",
    "drip",
    "redirect",
    "cut",
)


class Receiver(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.mode = "silent"
        self.is_mail = False
        # How many requests came to the address that a redirect names.
        self.redirected = 0
        self.closed = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Handler(socketserver.BaseRequestHandler):
    server: Receiver

    def handle(self) -> None:
        with suppress(OSError):
            if not self.server.is_mail:
                content = self.request.recv(65536)
                self.server.redirected += b"/inside" in content
            getattr(self, self.server.mode)()

    def good(self) -> None:
        self.request.sendall(HEAD + b"Content-Length: 2\r\n\r\n{}")

    def silent(self) -> None:
        self.server.closed.wait(60)

    def garbage(self) -> None:
        self.request.sendall(b"\x00\xff\xfe garbage \x80\r\n\r\n" * 100)

    def error(self) -> None:
        if self.server.is_mail:
            self.request.sendall(b"554 No service\r\n")
        else:
            self.request.sendall(b"HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")

    def endless(self) -> None:
        if self.server.is_mail:
            begin, part = b"", b"220-welcome\r\n" * 1000
        else:
            begin, part = HEAD + b"\r\n", b"x" * 65536
        self.request.sendall(begin)
        while not self.server.closed.is_set():
            self.request.sendall(part)

    def drip(self) -> None:
        """A byte now and then: each is in time, and the answer never ends."""
        if not self.server.is_mail:
            self.request.sendall(HEAD + b"Content-Length: 1000\r\n\r\n")
        while not self.server.closed.wait(SECONDS / 4):
            self.request.sendall(b"2")

    def redirect(self) -> None:
        if self.server.is_mail:
            self.request.sendall(b"251 User not local\r\n")
            return
        target = f"http://127.0.0.1:{self.server.port}/inside"
        self.request.sendall(
            f"HTTP/1.1 302 Found\r\nLocation: {target}\r\nContent-Length: 0\r\n\r\n".encode()
        )

    def cut(self) -> None:
        if self.server.is_mail:
            self.request.sendall(b"220-welc")
        else:
            self.request.sendall(HEAD + b"Content-Length: 1000\r\n\r\n0\x82")
        self.request.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def receiver(settings, monkeypatch) -> Iterator[Receiver]:
    server = Receiver()
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings.OUTBOUND_ALLOW = settings.OUTBOUND_ALLOW | {("127.0.0.1", server.port)}
    settings.EMAIL_BACKEND = "compliance.identity.mail_server.Backend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
    settings.EMAIL_USE_TLS = False
    settings.EMAIL_TIMEOUT = SECONDS
    monkeypatch.setattr(outbox, "TIMEOUT", SECONDS)
    monkeypatch.setattr(time_stamps, "TIMEOUT", SECONDS)
    yield server
    server.closed.set()
    server.shutdown()
    server.server_close()


def switch_on(channel: str, settings, port: int) -> None:
    if channel == "webhook":
        settings.ANCHOR_WEBHOOK_URL = f"http://127.0.0.1:{port}/hook"
    elif channel == "mail":
        settings.ANCHOR_MAIL = ["auditor@example.com"]
    else:
        settings.TIME_STAMP_URL = f"http://127.0.0.1:{port}/stamp"


def warnings() -> list[Finding]:
    return [one for one in doctor.look() if one.state != "ok"]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("channel", ["webhook", "mail", "time stamp"])
def test_a_receiver_that_is_broken_is_named_and_holds_nobody(
    receiver, settings, client, channel, mode
):
    receiver.is_mail = channel == "mail"
    port = receiver.port
    if mode == "down":
        port = 9
        settings.EMAIL_PORT = port
    else:
        receiver.mode = mode
    switch_on(channel, settings, port)
    act()
    began = time.monotonic()
    assert send() == 1
    assert time.monotonic() - began < LONGEST
    row = AnchorCopy.objects.get()
    if (channel, mode) == ("webhook", "endless"):
        # It answered with 200, which is all that counts. The rest of its answer is not read.
        assert (row.error, row.sent_seq) == ("", Chain.objects.get().seq)
        return
    assert (row.sent_seq, row.failures) == (0, 1), (row.error, row.due_at)
    assert row.error
    assert row.due_at
    assert receiver.redirected == 0
    # The trail itself is whole, and says which channel lacks what.
    assert not Unsealed.objects.exists()
    assert list(verification.faults()) == []
    words = f"{channel} never sent: "
    assert words in output()
    assert words in client.get("/health/ready").json()["anchor_copies"]
    assert any(words in str(one) for one in warnings())
    assert words in anchor_copies.state()


@pytest.mark.parametrize("mode", ["silent", "garbage", "cut"])
@pytest.mark.parametrize("channel", ["webhook", "mail"])
def test_when_it_works_again_the_channel_has_the_newest_anchor(
    receiver, settings, channel, mode
):
    receiver.is_mail = channel == "mail"
    receiver.mode = mode
    switch_on(channel, settings, receiver.port)
    act()
    send()
    # The trail grows meanwhile.
    act()
    receiver.mode = "good"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    assert send(again=True) == 1
    row, chain = AnchorCopy.objects.get(), Chain.objects.get()
    assert (row.sent_seq, row.failures, row.error) == (chain.seq, 0, "")
    assert anchor_copies.state() == "ok"
    assert f"{channel} has line {chain.seq} since" in output()
