"""The error of a batch and the messages of a job are in the clear, and quote nothing of the applicants."""

from __future__ import annotations

import io
import json

import pytest
from django.core.files.base import ContentFile

from agenthub.batches import csv_cases, processing
from agenthub.models import AgentJob, JobBatch
from agenthub.schemas import limits
from agenthub.tasks import BATCHES, JOBS

pytestmark = pytest.mark.django_db
NAME = "Ida Lund"
# Each is refused as a whole.
BROKEN_LINES = (
    f'id,business_name\nc-1,"{NAME}" and others\n'.encode() + b"c-2,\xff" + NAME.encode(),
    f"id,business_name\nc-1,{NAME}\0\n".encode(),
)  # fmt: skip
HEADERS_OF_NAMES = (
    f"{NAME},{NAME}\nc-1,x\n",
    f"{NAME},{NAME}.b\nc-1,x\n",
    f"{NAME}.{'a.' * limits.MOST_LEVELS}b,x\nc-1,x\n",
)


def run(caller, content: bytes) -> JobBatch:
    """As a worker reads a file that an earlier version took."""
    batch = JobBatch(agent=caller.kyb)
    batch.options = processing._of_batch(caller.kyb, batch.batch_id, {})
    batch.file.save("x.csv", ContentFile(content), save=False)
    batch.save()
    BATCHES.drain()
    batch.refresh_from_db()
    assert batch.status == JobBatch.Status.FAILED
    return batch


@pytest.mark.parametrize("content", BROKEN_LINES)
def test_a_line_that_cannot_be_read_is_named_by_its_number(caller, content):
    batch = run(caller, content)
    assert batch.error
    assert not set(NAME.split()) & set(batch.error.split())


@pytest.mark.parametrize("text", HEADERS_OF_NAMES)
def test_a_header_that_is_refused_later_is_not_stored(caller, text):
    # The client that sends it reads what is wrong.
    with (
        pytest.raises(csv_cases.UnreadableHeaderError),
        csv_cases.reading(io.BytesIO(text.encode())),
    ):
        pass
    assert run(caller, text.encode()).error == processing.HEADER_REFUSED


def test_the_messages_of_a_job_are_fixed_sentences(caller):
    rows = f"id,business_name\nc-1,{NAME}\n"
    caller.post("enqueueFromCSV", {"agent_key": caller.kyb.key, "csv": rows})
    JOBS.drain()
    job = AgentJob.objects.get()
    assert job.status_messages
    messages = json.dumps([job.status_messages, job.recommendation_reasons])
    assert "Ida" not in messages
    assert "Lund" not in messages
