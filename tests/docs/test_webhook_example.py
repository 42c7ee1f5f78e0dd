"""The example of docs/webhooks.md verifies what the hub really sends."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils.timezone import now

from agenthub.deliveries import sending
from agenthub.jobs import lifecycle
from agenthub.models import Delivery
from compliance.http import outbox, standard_webhooks
from compliance.work import rows
from tests.docs.pages import code, read
from tests.factories import make_hub

MADE = standard_webhooks.new_secret()


@pytest.fixture
def verified() -> Callable[..., dict[str, Any]]:
    return example("verified")


@pytest.fixture
def verified_with_time() -> Callable[..., dict[str, Any]]:
    return example("verified_with_time")


def example(name: str) -> Callable[..., dict[str, Any]]:
    """The function of that name in an example of the page."""
    page = code(read("docs/webhooks.md"), "python")
    [result] = [block for block in page if f"def {name}(" in block]
    assert len(result.strip().splitlines()) <= 22
    names: dict[str, Any] = {}
    exec(compile(result, "docs/webhooks.md", "exec"), names)  # noqa: S102 - our own page
    function: Callable[..., dict[str, Any]] = names[name]
    return function


@pytest.fixture
def webhook_request(db) -> tuple[bytes, dict[str, str]]:
    """A job webhook as the hub signs it: the body and the headers."""
    payload = {
        "kyc_schema": {"id": "case-1", "self_attested_data": {"first_name": "Zoë"}},
        "webhook_url": "https://example.com/hook",
    }
    job, _ = lifecycle.create(
        agent=make_hub()["kyc"],
        job_id=uuid.uuid4(),
        input_payload=payload,
    )
    lifecycle.give_up(job, "of a test")
    delivery = Delivery.objects.get()
    secrets = {delivery.job_id: MADE}
    headers = sending._headers(secrets, sending._request_of, delivery)
    return bytes(delivery.body), headers


def test_a_signed_body_is_verified(verified, webhook_request):
    body, headers = webhook_request
    assert verified(body, headers, MADE)["input_payload"]["id"] == "case-1"


def test_everything_else_is_refused(verified, webhook_request):
    body, headers = webhook_request
    forged = [
        (body + b" ", headers, MADE),
        (body, {}, MADE),
        (body, {"X-Signature-SHA256": "é"}, MADE),
        (body, headers, "another"),
    ]
    for values in forged:
        with pytest.raises(ValueError, match="does not fit"):
            verified(*values)


def test_a_body_signed_with_its_time_is_verified(verified_with_time, webhook_request):
    body, headers = webhook_request
    assert verified_with_time(body, headers, MADE)["input_payload"]["id"] == "case-1"


def test_everything_else_with_a_time_is_refused(verified_with_time, webhook_request):
    body, headers = webhook_request
    another = standard_webhooks.new_secret()
    forged = [
        (body + b" ", headers, MADE),
        (body, {}, MADE),
        (body, {**headers, "webhook-signature": "v1,é"}, MADE),
        (body, {**headers, "webhook-id": "another"}, MADE),
        (body, headers, another),
    ]
    for values in forged:
        with pytest.raises(ValueError, match="does not fit"):
            verified_with_time(*values)
    with (
        time_machine.travel(now() + timedelta(minutes=6)),
        pytest.raises(ValueError, match="time"),
    ):
        verified_with_time(body, headers, MADE)


def test_the_headers_are_all_described(webhook_request):
    _, headers = webhook_request
    page = read("docs/webhooks.md")
    assert [name for name in headers if f"`{name}`" not in page] == []


def test_the_schedule_is_the_one_that_is_described():
    words = [_words(seconds) for seconds in outbox.SCHEDULE]
    assert f"| wait | {' | '.join(words)} |" in read("docs/webhooks.md")


def test_the_schedule_of_documents_is_the_one_that_is_described():
    words = [_words(seconds) for seconds in rows.FETCH_SCHEDULE]
    assert f"| wait | {' | '.join(words)} |" in read("docs/api.md")


def _words(seconds: int) -> str:
    if seconds < 60:
        return f"{seconds} s"
    if seconds < 3600:
        return f"{seconds // 60} min"
    return f"{seconds // 3600} h"
