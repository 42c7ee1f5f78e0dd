from __future__ import annotations

import logging
import sys

import pytest
from django.test import Client

from compliance.celery import app
from compliance.security.logs import Formatter, JsonFormatter
from tests.factories import make_user


def fails(name: str) -> None:
    try:
        raise KeyError(name)
    except KeyError as exc:
        raise ValueError(f"{name} is not known") from exc


def test_a_fault_is_told_by_place_and_class_only():
    try:
        fails("".join(["Jane ", "Doe"]))
    except ValueError:
        record = logging.LogRecord(
            "x", logging.ERROR, "", 0, "It broke", (), sys.exc_info()
        )
    result = Formatter("%(message)s").format(record)
    assert "Jane Doe" not in result
    assert "builtins.ValueError" in result
    assert "builtins.KeyError" in result
    assert "in fails" in result


@pytest.mark.parametrize(
    "formatter", [Formatter("%(message)s"), JsonFormatter()], ids=["line", "json"]
)
def test_celery_tells_the_class_of_an_exception_and_no_message(formatter, caplog):
    task = app.task(name="tests.fails", shared=False)(fails)
    try:
        result = task.apply(args=("Jane Doe",))
    finally:
        app.tasks.pop("tests.fails")
    assert result.failed()
    [record] = [row for row in caplog.records if row.name == "celery.app.trace"]
    text = formatter.format(record)
    assert "Jane Doe" not in text
    assert "tests.fails" in text
    assert "raised unexpected: ValueError" in text


@pytest.mark.parametrize(
    ("path", "page"),
    [
        ("/documents/8c9a/file/1xW2p4:3SnHx_tL/", "/documents/8c9a/file/[removed]"),
        ("/requests/1:kp2L-x/", "/requests/[removed]"),
        ("/apply/1:kp2L-x/draft/", "/apply/[removed]"),
        ("/apply/open/#kp2L-x.1", "/apply/[removed]"),
        ("/account/password/open/#2-set-x", "/account/password/[removed]"),
        ("/api/v1/uploads/8c9a/1xW:3Sn", "/api/v1/uploads/8c9a/[removed]"),
        ("/api/v1/batches/12:1xW:3Sn", "/api/v1/batches/[removed]"),
        (
            "/account/password/reset/key/2-set-x/",
            "/account/password/reset/key/[removed]",
        ),
        ("/documents/8c9a/pages/1.webp", "/documents/8c9a/pages/1.webp"),
    ],
)
def test_a_path_that_is_a_key_is_not_written(path, page):
    record = logging.LogRecord("x", logging.ERROR, "", 0, "Refused: %s", (path,), None)
    assert Formatter("%(message)s").format(record) == f"Refused: {page}"


FORMATTERS = pytest.mark.parametrize(
    "formatter", [Formatter("%(message)s"), JsonFormatter()], ids=["line", "json"]
)
NAME = "Zwirnmeister"


@FORMATTERS
@pytest.mark.parametrize(
    ("path", "words"),
    [
        (f"/{NAME}/", "Not Found: an address without a page"),
        (f"/cases/{NAME}/", "Not Found: an address without a page"),
        (f"/account/sso/{NAME}/login/", "/account/sso/<str:provider_id>/login/"),
        ("/cases/4711/", "/cases/4711/"),
    ],
)
def test_what_a_caller_types_into_an_address_is_not_written(
    client, db, caplog, formatter, path, words
):
    client.force_login(make_user())
    assert client.get(path).status_code == 404
    lines = [formatter.format(record) for record in caplog.records]
    assert NAME not in "\n".join(lines)
    assert [line for line in lines if words in line]


@FORMATTERS
def test_a_refused_host_or_form_is_written_without_what_was_sent(db, caplog, formatter):
    client = Client(enforce_csrf_checks=True)
    client.get("/", headers={"host": f"{NAME}.example"})
    client.post("/logout/", headers={"origin": f"https://{NAME}.example"})
    referer = f"https://other.example/?q={NAME}"
    client.post("/logout/", headers={"referer": referer}, secure=True)
    lines = [formatter.format(record) for record in caplog.records]
    assert NAME not in "\n".join(lines)
    for words in (
        "DisallowedHost",
        "Origin checking failed",
        "Referer checking failed",
    ):
        assert [line for line in lines if words in line], lines


def test_a_webhook_to_no_connection_is_written_without_its_address(client, db, caplog):
    assert client.post(f"/webhooks/{NAME}/").status_code == 401
    lines = [Formatter("%(message)s").format(record) for record in caplog.records]
    assert NAME not in "\n".join(lines)
    assert [line for line in lines if "no known connection was refused" in line]
