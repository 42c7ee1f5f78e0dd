"""The example of docs/webhooks.md verifies what the hub really sends."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

import pytest

from agenthub import deliveries, jobs
from agenthub.models import Delivery
from compliance import outbox
from tests.docs.pages import code, read
from tests.factories import SECRET, make_hub


@pytest.fixture
def verified() -> Callable[..., dict[str, Any]]:
    [example] = code(read("docs/webhooks.md"), "python")
    assert len(example.strip().splitlines()) <= 15
    names: dict[str, Any] = {}
    exec(compile(example, "docs/webhooks.md", "exec"), names)  # noqa: S102 - our own page
    found: Callable[..., dict[str, Any]] = names["verified"]
    return found


@pytest.fixture
def sent(db) -> tuple[bytes, dict[str, str]]:
    """A job webhook as the hub signs it: the body and the headers."""
    payload = {"kyc_schema": {"id": "case-1", "self_attested_data": {"first_name": "Zoë"}}}
    job, _ = jobs.create(
        agent=make_hub()["kyc"],
        job_id=uuid.uuid4(),
        input_payload=payload,
        webhook_url="https://example.com/hook",
    )
    jobs.give_up(job, "of a test")
    delivery = Delivery.objects.get()
    return bytes(delivery.body), deliveries._headers({delivery.job_id: SECRET}, delivery)


def test_a_signed_body_is_verified(verified, sent):
    body, headers = sent
    assert verified(body, headers, SECRET)["input_payload"]["id"] == "case-1"


def test_everything_else_is_refused(verified, sent):
    body, headers = sent
    forged = [
        (body + b" ", headers, SECRET),
        (body, {}, SECRET),
        (body, {"X-Signature-SHA256": "é"}, SECRET),
        (body, headers, "another"),
    ]
    for given in forged:
        with pytest.raises(ValueError, match="does not fit"):
            verified(*given)


def test_the_headers_are_all_described(sent):
    _, headers = sent
    page = read("docs/webhooks.md")
    assert [name for name in headers if f"`{name}`" not in page] == []


def test_the_schedule_is_the_one_that_is_described():
    words = [f"{s} s" if s < 60 else f"{s // 60} min" if s < 3600 else f"{s // 3600} h"
             for s in outbox.SCHEDULE]  # fmt: skip
    assert f"| wait | {' | '.join(words)} |" in read("docs/webhooks.md")
