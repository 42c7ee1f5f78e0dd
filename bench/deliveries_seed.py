"""Puts deliveries into the outbox, not due yet: `python -m bench.deliveries_seed URL COUNT`."""

from __future__ import annotations

import os
import sys
import uuid

import django
from django.core.management import call_command

from bench.load import SECRET, bodies

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "compliance.settings")
EACH = 3  # webhooks per job


def make(url: str, count: int) -> None:
    from agenthub.models import Account, Agent, AgentJob, Delivery, SigningSecret

    account, created = Account.objects.get_or_create(name="Bench")
    if created:
        SigningSecret.objects.create(account=account, secret=SECRET)
    agent, _ = Agent.objects.get_or_create(
        account=account, key="bench", name="b", kind="kyb"
    )
    jobs = AgentJob.objects.bulk_create(
        AgentJob(
            account=account,
            agent=agent,
            case_id=uuid.uuid4().hex,
            input_payload={"kyb_schema": {}, "tool_webhook_url": url},
            status="COMPLETE",
            due_at=None,
        )
        for _ in range(-(-count // EACH))
    )
    Delivery.objects.bulk_create(
        (
            Delivery(
                job=jobs[place // EACH], account=account, kind="tool", tool_id="t", url=url, body=body, due_at=None
            )
            for place, body in enumerate(bodies(count))
        ),
        batch_size=500,
    )  # fmt: skip


if __name__ == "__main__":
    django.setup()
    call_command("migrate", verbosity=0, interactive=False)
    make(sys.argv[1], int(sys.argv[2]))
