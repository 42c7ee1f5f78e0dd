"""The receiver as WSGI, in front of Django."""

from __future__ import annotations

import io
import logging
from typing import Any

import pytest

from compliance.wsgi import application
from tests.factories import make_connection
from tests.webhooks.test_receiver import BODY, sign
from webhooks.models import Event
from webhooks.receiver import in_front_of


class Broken(io.BytesIO):
    """A body of which nothing can be read."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, *_: object) -> bytes:
        raise self.error


def ask(app, path: str, *, body=None, **environ: str) -> tuple[str, dict[str, str], bytes]:
    said: list[Any] = []
    asked = {
        "REQUEST_METHOD": "POST",
        "PATH_INFO": path,
        "SERVER_NAME": "testserver",
        "SERVER_PORT": "80",
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(BODY)),
        "HTTP_X_SIGNATURE_SHA256": sign(BODY),
        "wsgi.input": body or io.BytesIO(BODY),
        "wsgi.url_scheme": "http",
        **environ,
    }
    pieces = app(asked, lambda status, headers, _=None: said.extend((status, dict(headers))))
    return said[0], said[1], b"".join(pieces)


def not_asked(asked, start_response) -> list[bytes]:
    pytest.fail("Django was asked")


@pytest.fixture
def hub(transactional_db):
    return make_connection()


def test_a_webhook_is_kept_before_django_is_asked(hub):
    status, headers, said = ask(in_front_of(not_asked), "/webhooks/hub/")
    assert (status, said) == ("200 OK", b'{"status":"ok"}')
    assert headers == {"Content-Type": "application/json", "Content-Length": "15"}
    assert bytes(Event.objects.get().body) == BODY


def test_the_served_application_has_it_in_front(hub):
    assert ask(application, "/webhooks/hub/")[0] == "200 OK"


@pytest.mark.parametrize(
    "path", ["/", "/webhooks/", "/webhooks/hub", "/webhooks/a/b", "/webhooks/received/1/", "/x/y/"]
)
def test_what_is_no_webhook_is_left_to_django(path):
    def django(asked, start_response):
        start_response("204 No Content", [])
        return [asked["PATH_INFO"].encode()]

    assert ask(in_front_of(django), path) == ("204 No Content", {}, path.encode())


def test_a_refusal_says_why_and_leaves_a_line_without_the_body(hub, caplog):
    status, headers, said = ask(in_front_of(not_asked), "/webhooks/hub/", REQUEST_METHOD="GET")
    assert (status, headers["Allow"]) == ("405 Method Not Allowed", "POST")
    status, _, said = ask(in_front_of(not_asked), "/webhooks/n\u00f6\r\nbody/")
    assert status == "404 Not Found"
    status, _, said = ask(
        in_front_of(not_asked), "/webhooks/hub/", HTTP_X_SIGNATURE_SHA256="forged"
    )
    assert (status, b"does not fit" in said) == ("401 Unauthorized", True)
    status, _, said = ask(in_front_of(not_asked), "/webhooks/hub/", CONTENT_LENGTH=str(1 << 40))
    assert status.startswith("413 ")  # from 3.13 on Python has another phrase for it
    lines = [record.getMessage() for record in caplog.records if record.name == "webhooks.receiver"]
    assert [line.rsplit(" ", 1)[1] for line in lines] == ["405", "404", "401", "413"]
    assert not any("\n" in line for line in lines)


def test_a_body_that_breaks_off_is_400(hub):
    status, _, said = ask(in_front_of(not_asked), "/webhooks/hub/", body=Broken(OSError("gone")))
    assert (status, b"could not be read" in said) == ("400 Bad Request", True)


def test_a_fault_of_ours_asks_the_sender_to_send_it_again(hub, caplog):
    with caplog.at_level(logging.ERROR, "webhooks.receiver"):
        status, _, said = ask(
            in_front_of(not_asked), "/webhooks/hub/", body=Broken(KeyError("ours"))
        )
    assert (status, b"send it again" in said) == ("500 Internal Server Error", True)
    assert "could not be kept" in caplog.text
    assert not Event.objects.exists()
