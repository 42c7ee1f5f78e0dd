from __future__ import annotations

import logging
import sys

import pytest

from compliance.celery import app
from compliance.security.logs import Formatter, JsonFormatter


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
