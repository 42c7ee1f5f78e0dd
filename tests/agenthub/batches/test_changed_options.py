"""Somebody who has no key changes what a batch starts its jobs with: no more of them start."""

from __future__ import annotations

import json

import pytest
from django.db import connection

from agenthub.batches import processing
from agenthub.models import AgentJob, JobBatch
from agenthub.tasks import BATCHES

pytestmark = pytest.mark.django_db

OURS, THEIRS = "https://client.example/hook", "https://theirs.example/hook"


def enqueue(caller, url: str) -> JobBatch:
    rows = "\n".join(["id,business_name", *(f"c-{n},Northwind" for n in range(4))])
    body = {"agent_key": caller.kyb.key, "csv": rows, "webhook_url": url}
    answer = caller.post("enqueueFromCSV", body)
    assert answer.status_code == 200
    return JobBatch.objects.get(batch_id=answer.json()["batch_id"])


def stored(batch: JobBatch) -> bytes:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT options FROM agenthub_jobbatch WHERE id = %s", [batch.pk]
        )
        value = cursor.fetchone()[0]
    return value.encode() if isinstance(value, str) else bytes(value)


def store(batch: JobBatch, options: bytes) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE agenthub_jobbatch SET options = %s WHERE id = %s",
            [options, batch.pk],
        )


@pytest.mark.parametrize("way", ["in the clear", "of another batch", "none"])
def test_no_job_starts_with_options_that_were_changed(caller, other, monkeypatch, way):
    monkeypatch.setattr(processing, "CHUNK", 2)
    ours, theirs = enqueue(caller, OURS), enqueue(other, THEIRS)
    assert OURS.encode() not in stored(ours)
    plain = json.dumps({"webhook_url": THEIRS}).encode()
    options = {"in the clear": plain, "of another batch": stored(theirs), "none": b""}
    store(ours, options[way])
    BATCHES.drain()
    [ended] = JobBatch.objects.filter(pk=ours.pk).values_list("status", "error")
    assert ended == ("failed", processing.CHANGED)
    urls = AgentJob.objects.filter(batch=ours).values_list("webhook_url", flat=True)
    assert list(urls) == [OURS, OURS]
    assert AgentJob.objects.filter(batch=theirs).count() == 4
