"""What is taken from callers before it is known who they are."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.conf import settings

from compliance.http import csp_reports
from compliance.http.limits.credentials import body_limit
from compliance.http.request_buffer import RequestBuffer
from compliance.models import CspReport
from tests.event_loops import run
from tests.factories import make_user

pytestmark = pytest.mark.django_db
COOKIE = {"cookie": f"x=1; {settings.SESSION_COOKIE_NAME}=abc"}
KEY = {"authorization": "Bearer ck_live"}


@pytest.mark.parametrize(
    ("path", "headers", "limit"),
    [
        ("/login/", {}, settings.MAX_ANONYMOUS_BYTES),
        ("/cases/new/", {}, settings.MAX_ANONYMOUS_BYTES),
        ("/api/v1/startKYBAgentJob", {}, settings.MAX_ANONYMOUS_BYTES),
        ("/nothing/", {}, settings.MAX_ANONYMOUS_BYTES),
        ("/webhooks/hub/", {}, settings.MAX_WEBHOOK_BYTES),
        ("/requests/1/", {}, settings.MAX_REQUEST_BYTES),
        ("/apply/1/", {}, settings.MAX_REQUEST_BYTES),
        ("/cases/new/", COOKIE, settings.MAX_REQUEST_BYTES),
        ("/api/v1/startKYBAgentJob", KEY, settings.MAX_REQUEST_BYTES),
        ("/queue/act/", COOKIE, settings.MAX_FORM_BYTES),
    ],
)
def test_how_much_a_path_takes(path, headers, limit):
    brought = {"cookie": "", "authorization": "", **headers}
    assert body_limit(path, **brought) == limit


def status_of(path: str, *chunks: bytes, headers=()) -> int:
    """The status that the front answers to a body in chunks, without a length."""
    left = list(chunks)
    rows = []

    async def receive():
        chunk = left.pop(0)
        return {"type": "http.request", "body": chunk, "more_body": bool(left)}

    async def send(message):
        rows.append(message)

    scope = {
        "type": "http",
        "method": "POST",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": list(headers),
        "scheme": "http",
        "http_version": "1.1",
        "server": ("127.0.0.1", 80),
        "client": ("127.0.0.1", 1),
    }

    def application(environ, start_response):
        start_response("200 OK", [])
        return [b""]

    run(RequestBuffer(application)(scope, receive, send))
    return rows[0]["status"]


def test_a_refusal_has_the_headers_of_all_answers(settings):
    settings.SECURE_HSTS_SECONDS = 31_536_000
    rows: list[dict[str, Any]] = []

    async def receive():
        raise AssertionError("the length alone is too large")

    async def send(message):
        rows.append(message)

    def application(environ, start_response):
        raise AssertionError("the length alone is too large")

    scope = {
        "type": "http",
        "path": "/x",
        "headers": [(b"content-length", b"9999999999")],
    }
    run(RequestBuffer(application)(scope, receive, send))
    assert rows[0]["status"] == 413
    headers = dict(rows[0]["headers"])
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"strict-transport-security"].startswith(b"max-age=31536000")


def test_a_body_from_nobody_is_refused_before_it_has_arrived():
    chunk = b"x" * 40_000
    assert status_of("/login/", chunk) == 200
    assert status_of("/login/", chunk, chunk, chunk) == 413
    length = [(b"content-length", b"100000")]
    assert status_of("/cases/new/", b"", headers=length) == 413


def test_a_request_whose_sender_leaves_before_its_body_reaches_no_view():
    rows: list[dict[str, Any]] = []

    async def receive():
        return {"type": "http.disconnect"}

    async def send(message):
        rows.append(message)

    def application(environ, start_response):
        raise AssertionError("the body did not arrive")

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/x",
        "query_string": b"",
        "http_version": "1.1",
        "headers": [(b"content-length", b"5")],
    }
    run(RequestBuffer(application)(scope, receive, send))
    assert rows[0]["status"] == 400


REPORT = {
    "csp-report": {
        "document-uri": "http://desk/cases/7/?q=Jane+Doe",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/x.js?name=Jane",
    }
}


def test_a_report_of_a_browser_is_logged_without_what_is_personal(client, caplog):
    answer = client.post(
        "/csp-reports/", json.dumps(REPORT), content_type="application/csp-report"
    )
    assert answer.status_code == 204
    [line] = [
        row.getMessage() for row in caplog.records if "policy" in row.getMessage()
    ]
    assert line.endswith("script-src-elem from https://evil.example.")


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b"\xff", b'{"csp-report": 7}', b"[" * 9_000]
)
def test_nonsense_is_no_error(client, caplog, body):
    answer = client.post("/csp-reports/", body, content_type="application/csp-report")
    assert answer.status_code == 204
    assert not [row for row in caplog.records if "policy" in row.getMessage()]


def test_administrators_read_the_newest_reports(client, monkeypatch):
    monkeypatch.setattr(csp_reports, "MOST_KEPT", 3)
    for _ in range(5):
        client.post("/csp-reports/", json.dumps(REPORT), content_type="text/plain")
    rows = CspReport.objects.all()
    assert len(rows) == 3
    assert (rows[0].directive, rows[0].source, rows[0].page) == ("script-src-elem", "https://evil.example", "case-detail")  # fmt: skip
    client.force_login(make_user("ada", role="administrator", is_staff=True))
    page = client.get("/admin/compliance/cspreport/").content.decode()
    assert "https://evil.example" in page
    assert "Jane" not in page
    client.force_login(make_user("ana", is_staff=True))
    assert client.get("/admin/compliance/cspreport/").status_code == 403


def test_many_reports_do_not_fill_the_log(client, caplog):
    for _ in range(50):
        client.post("/csp-reports/", json.dumps(REPORT), content_type="text/plain")
    lines = [row for row in caplog.records if "policy" in row.getMessage()]
    assert len(lines) <= 40  # the minute may change in between


def test_every_page_names_the_place_for_reports(client, db):
    policy = client.get("/login/")["Content-Security-Policy"]
    assert "report-uri /csp-reports/" in policy


@pytest.mark.parametrize("method", ["OPTIONS", "TRACE", "PUT", "PATCH", "DELETE"])
@pytest.mark.parametrize(
    "path", ["/", "/admin/", "/admin/auth/user/", "/login/", "/account/2fa/"]
)
def test_no_page_knows_another_method(client, method, path):
    client.force_login(make_user("adm", role="administrator"))
    answer = client.generic(method, path)
    assert answer.status_code == 405
    assert answer["Allow"] == "GET, HEAD, POST"
    assert not answer.content
