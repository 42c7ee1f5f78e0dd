"""The Python client: it is what the description says, and its page runs against a desk."""

from __future__ import annotations

import subprocess
import sys
import time
from typing import Any
from urllib.parse import urlsplit

import orjson
import pytest
from compliance_desk_client import (
    ApiError,
    DeskClient,
    WebhookError,
    read_webhook,
    verify_webhook,
)

from assurance import python_client
from compliance.http import standard_webhooks
from reviews.access import roles
from reviews.api import description
from reviews.models import (
    Announcement,
    Case,
    FourEyesRule,
    ReasonCode,
    Subscription,
    SubscriptionEvent,
)
from tests.docs.pages import code, read
from tests.docs.test_desk_example import examined
from tests.factories import make_agent, make_connection, make_user
from tests.reviews.api.calling import make_token

PAGE = "docs/python-client.md"
SECRET = standard_webhooks.new_secret()


def test_it_is_what_the_description_says():
    result = python_client.sources(description.document())
    for name, source in result.items():
        assert (python_client.PACKAGE / name).read_text() == source, (
            "python -m assurance.python_client --write"
        )


def test_each_operation_has_a_method():
    for operation in python_client.operations(description.document()):
        assert callable(getattr(DeskClient, operation.name))


def test_it_stays_small():
    lines = 0
    for path in python_client.PACKAGE.glob("*.py"):
        lines += len(path.read_text().splitlines())
    assert lines <= 4_000


def test_its_types_are_strict():
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "-p"]
    folder = python_client.PACKAGE.parent
    process = subprocess.run(
        [*command, "compliance_desk_client"], cwd=folder, capture_output=True, text=True
    )
    assert process.returncode == 0, process.stdout


@pytest.fixture
def desk(transactional_db, live_server) -> dict[str, Any]:
    """What the examples of the page name, of a desk that answers over the wire."""
    FourEyesRule.objects.all().delete()
    user = make_user("sen", role=roles.SENIOR)
    agent = make_agent(make_connection())
    Subscription.objects.create(
        name="core",
        url="https://core.example/",
        secret=SECRET,
        events=[SubscriptionEvent.DECIDED.value],
    )
    code = ReasonCode.objects.filter(outcome="reject", is_active=True).first()
    assert code
    return {
        "desk_url": live_server.url,
        "token": make_token(user),
        "agent_id": agent.pk,
        "certificate": b"%PDF-1.7 certificate",
        "reason_code": code.code,
    }


def run(block: str, names: dict[str, Any]) -> None:
    exec(compile(block, PAGE, "exec"), names)  # noqa: S102 - our own page


def test_the_page_runs_against_a_desk(desk, capsys):
    case_block, decision, error, pages, webhook = code(read(PAGE), "python")
    names = desk
    run(case_block, names)
    assert [row["kind"] for row in names["documents"]] == ["incorporation_documents"]
    examined("kyb.sanctions_screening_check_v2")

    run(decision, names)
    assert names["decision"]["status"] == "standing"
    assert "fail" in capsys.readouterr().out
    assert Case.objects.get().status == Case.Status.DECIDED

    run(error, names)
    assert capsys.readouterr().out.startswith("4")

    run(pages, names)
    assert names["references"] == ["C-2041"]

    announcement = Announcement.objects.get()
    body = bytes(announcement.body)
    message_id, timestamp = str(announcement.pk), str(int(time.time()))
    names["body"] = body
    names["headers"] = {
        "Webhook-Id": message_id,
        "Webhook-Timestamp": timestamp,
        "Webhook-Signature": standard_webhooks.sign(
            message_id, timestamp, body, SECRET
        ),
    }
    names["secret"] = SECRET
    run(webhook, names)
    assert names["event"]["event"] == "case.decided"
    assert names["event"]["case_id"] == "C-2041"
    assert names["message_id"] == message_id
    _refuses_what_is_not_genuine(names)
    _raises_problems(names)


def test_a_password_for_the_host_does_not_replace_the_token(
    desk, tmp_path, monkeypatch
):
    file = tmp_path / "netrc"
    host = urlsplit(desk["desk_url"]).hostname
    file.write_text(f"machine {host} login me password secret\n")
    monkeypatch.setenv("NETRC", str(file))
    client = DeskClient(desk["desk_url"], desk["token"])
    assert client.get_me()["user"] == "sen"
    client.close()


def _refuses_what_is_not_genuine(names: dict[str, Any]) -> None:
    headers, body = names["headers"], names["body"]
    wrong_ones: list[tuple[dict[str, str], bytes, str]] = [
        (headers, body + b" ", SECRET),
        (headers, body, standard_webhooks.new_secret()),
        ({}, body, SECRET),
        (headers | {"Webhook-Id": "another"}, body, SECRET),
        (headers | {"Webhook-Signature": "v1,é"}, body, SECRET),
        (headers | {"Webhook-Timestamp": "9" * 5000}, body, SECRET),
    ]
    for wrong in wrong_ones:
        with pytest.raises(WebhookError):
            read_webhook(*wrong)
    with pytest.raises(WebhookError):
        verify_webhook(headers, body, SECRET, now=time.time() + 301)


def _raises_problems(names: dict[str, Any]) -> None:
    client: DeskClient = names["client"]
    with pytest.raises(ApiError) as unknown:
        client.get_case(999_999)
    assert (unknown.value.status, unknown.value.code) == (404, "not_found")
    with pytest.raises(ApiError) as invalid:
        client.create_case_note(names["case"]["id"], {"text": ""})
    assert invalid.value.status == 422
    assert invalid.value.problem
    assert invalid.value.problem["errors"]
    stranger = DeskClient(names["desk_url"], "no-token")
    with pytest.raises(ApiError) as refused:
        stranger.get_me()
    assert refused.value.status == 401
    tags = client.create_case_tag(names["case"]["id"], {"name": "blue & sky"})
    assert tags["tags"] == ["blue & sky"]
    tags = client.remove_case_tag(names["case"]["id"], {"name": "blue & sky"})
    assert tags["tags"] == []
    assert client.get_case_report(names["case"]["id"]).startswith(b"%PDF")
    rows = client.iterate_reason_codes(limit=1)
    assert len({row["code"] for row in rows}) == ReasonCode.objects.count()
    client.close()
    assert orjson.loads(names["body"])
