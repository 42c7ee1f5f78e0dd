"""Mail by SMTP over real sockets: a server that answers slowly but well, and one whose reply has no end."""

from __future__ import annotations

import smtplib
import socketserver
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest
from django.core.mail import EmailMessage

from compliance.identity import mail_server

REPLIES = {
    "EHLO": b"250-mail.example.com\r\n250-SIZE 1000000\r\n250 8BITMIME\r\n",
    "MAIL": b"250 Ok\r\n",
    "RCPT": b"250 Ok\r\n",
    "DATA": b"354 Go on\r\n",
    "QUIT": b"221 Bye\r\n",
}


class Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.texts: list[bytes] = []
        self.replies = dict(REPLIES)


class _Handler(socketserver.StreamRequestHandler):
    server: Server

    def handle(self) -> None:
        with suppress(OSError):
            self.wfile.write(b"220 mail.example.com\r\n")
            for line in self.rfile:
                self._answer(line[:4].decode().upper())

    def _answer(self, command: str) -> None:
        # Byte by byte: a reader must put a line together.
        for byte in self.server.replies[command]:
            self.wfile.write(bytes([byte]))
        if command != "DATA":
            return
        lines = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line)
        self.server.texts.append(b"".join(lines))
        self.wfile.write(b"250 Queued\r\n")


@pytest.fixture
def server(settings) -> Iterator[Server]:
    result = Server()
    threading.Thread(target=result.serve_forever, daemon=True).start()
    settings.EMAIL_BACKEND = "compliance.identity.mail_server.Backend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = result.server_address[:2]
    settings.EMAIL_USE_TLS = False
    settings.EMAIL_TIMEOUT = 5
    yield result
    result.shutdown()
    result.server_close()


def message() -> EmailMessage:
    return EmailMessage("A subject", "A text", "desk@example.com", ["ana@example.com"])


def test_mail_arrives(server):
    assert message().send() == 1
    assert message().send() == 1
    assert len(server.texts) == 2
    assert b"A subject" in server.texts[0]


def test_a_reply_without_an_end_is_an_error_and_fills_no_memory(server, monkeypatch):
    monkeypatch.setattr(mail_server, "LONGEST_REPLY", 2000)
    server.replies["EHLO"] = b"250-more\r\n" * 1000
    with pytest.raises(smtplib.SMTPServerDisconnected, match="has no end"):
        message().send()


def test_a_reply_that_comes_too_late_is_an_error(server, settings):
    settings.EMAIL_TIMEOUT = 0.5
    server.replies["MAIL"] = b""
    with pytest.raises(smtplib.SMTPServerDisconnected):
        message().send()
