"""The receiver as it is served: what a sender gets that breaks off, is refused, or meets a fault."""

from __future__ import annotations

import io
import logging
from typing import Any

import pytest
from django.core.handlers.wsgi import WSGIHandler

from tests.compliance.http.test_middleware import Response, send
from tests.factories import make_connection
from tests.webhooks.test_receiver import BODY, sign
from webhooks.models import Event


class BrokenBody(io.BytesIO):
    """A body of which nothing can be read."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def read(self, *_: object) -> bytes:
        raise self.error


def broken(error: Exception) -> dict[str, Any]:
    return {"wsgi.input": BrokenBody(error)}


def post(path: str = "/webhooks/hub/", **environ: Any) -> Response:
    request = {
        "CONTENT_TYPE": "application/json",
        "CONTENT_LENGTH": str(len(BODY)),
        "HTTP_X_SIGNATURE_SHA256": sign(BODY),
        "wsgi.input": io.BytesIO(BODY),
        **environ,
    }
    return send(WSGIHandler(), "POST", path, **request)


@pytest.fixture
def hub(transactional_db):
    return make_connection()


def test_a_webhook_is_kept(hub):
    status, headers, content = post()
    assert (status, content) == ("200 OK", b'{"status":"ok"}')
    assert headers["Content-Type"] == "application/json"
    assert headers["Content-Length"] == "15"
    assert bytes(Event.objects.get().body) == BODY


def test_no_session_is_begun_and_no_cookie_set(hub):
    _, headers, _ = post(HTTP_COOKIE="sessionid=anything")
    assert "Set-Cookie" not in headers
    assert "Vary" not in headers


def test_a_refusal_says_why_and_leaves_a_line_without_the_body(hub, caplog):
    status, headers, _ = post(REQUEST_METHOD="GET")
    assert (status, headers["Allow"]) == ("405 Method Not Allowed", "POST")
    status, _, _ = post("/webhooks/n\u00f6\r\nbody/")
    assert status == "401 Unauthorized"
    status, _, content = post(HTTP_X_SIGNATURE_SHA256="forged")
    assert (status, b"does not fit" in content) == ("401 Unauthorized", True)
    status, _, _ = post(CONTENT_LENGTH=str(1 << 40))
    assert status.startswith("413 ")  # from 3.13 on Python has another phrase for it
    lines = [
        record.getMessage()
        for record in caplog.records
        if record.name == "webhooks.views"
    ]
    assert [line.rsplit(" ", 1)[1] for line in lines] == ["405", "401", "401", "413"]
    assert not any("\n" in line for line in lines)


def test_a_body_that_is_too_large_is_not_read(hub):
    status, _, _ = post(
        CONTENT_LENGTH=str(1 << 40), **broken(AssertionError("It was read."))
    )
    assert status.startswith("413 ")


def test_a_body_that_breaks_off_is_400(hub):
    status, _, content = post(**broken(OSError("gone")))
    assert (status, b"could not be read" in content) == ("400 Bad Request", True)


def test_a_fault_of_ours_asks_the_sender_to_send_it_again(hub, caplog):
    with caplog.at_level(logging.ERROR, "webhooks.views"):
        status, _, content = post(**broken(KeyError("ours")))
    assert (status, b"send it again" in content) == ("500 Internal Server Error", True)
    assert "could not be stored" in caplog.text
    assert not Event.objects.exists()
