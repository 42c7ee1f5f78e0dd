"""An account may have so much open; what is more is refused for now, and nothing is lost."""

from __future__ import annotations

import uuid
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.timezone import now

from agenthub.jobs import pace
from agenthub.models import AgentJob, JobBatch
from checks import samples
from tests.agenthub.conftest import KYB, KYC
from tests.agenthub.jobs.test_runs import b64


@pytest.fixture(autouse=True)
def _measure_anew():
    pace.forget()
    yield
    pace.forget()


def with_documents(caller, *, count: int):
    files = [b64(samples.good_certificate().content + b"\n" * n) for n in range(count)]
    body = caller.kyb_body()
    body["kyb_schema"]["self_attested_data"]["incorporation_documents"] = files
    return body


def refused(answer) -> int:
    """The seconds to wait that a refusal names."""
    assert answer.status_code == 429
    assert set(answer.json()) == {"error", "message"}
    return int(answer["Retry-After"])


def test_one_more_job_than_may_be_open_is_refused_and_taken_later(
    caller, other, settings, work_off
):
    settings.HUB_OPEN_JOBS = 2
    for _ in range(2):
        assert caller.post(KYC, caller.kyc_body()).status_code == 200
    body = caller.kyc_body(job_id=str(uuid.uuid4()))
    answer = caller.post(KYC, body)
    assert refused(answer) == 30
    assert "2 jobs open, of at most 2" in answer.json()["message"]
    assert AgentJob.objects.filter(account=caller.account).count() == 2
    # Another account has its own count.
    assert other.post(KYC, other.kyc_body()).status_code == 200
    work_off()
    assert caller.post(KYC, body).status_code == 200


def test_a_start_that_is_repeated_is_answered_as_ever(caller, settings):
    body = caller.kyc_body(job_id=str(uuid.uuid4()))
    assert caller.post(KYC, body).status_code == 200
    settings.HUB_OPEN_JOBS = 1
    assert caller.post(KYC, body).status_code == 409


def test_the_limit_of_an_account_stands_before_the_setting(caller, settings):
    settings.HUB_OPEN_JOBS = 1
    caller.account.max_open_jobs = 0
    caller.account.save()
    for _ in range(3):
        assert caller.post(KYC, caller.kyc_body()).status_code == 200
    caller.account.max_open_jobs = 3
    caller.account.save()
    refused(caller.post(KYC, caller.kyc_body()))


def test_open_documents_are_counted_once_for_all_checks(caller, settings):
    settings.HUB_OPEN_DOCUMENTS = 4
    assert caller.post(KYB, with_documents(caller, count=3)).status_code == 200
    assert caller.post(KYB, with_documents(caller, count=3)).status_code == 200
    counts = AgentJob.objects.values_list("documents", flat=True)
    assert list(counts) == [3, 3]
    answer = caller.post(KYB, with_documents(caller, count=1))
    refused(answer)
    assert "6 documents open, of at most 4" in answer.json()["message"]


def test_retry_after_follows_the_measured_pace(caller, settings):
    """200 jobs open, of which one worker does one in two seconds: a tenth has ended after 40."""
    settings.HUB_OPEN_JOBS = 200
    job = caller.job()
    AgentJob.objects.bulk_create(
        AgentJob(
            account=caller.account, agent=caller.kyb, case_id="case-1", input_payload=job.input_payload
        )
        for _ in range(199)
    )  # fmt: skip
    ended = caller.job(status=AgentJob.Status.COMPLETE)
    moment = now()
    AgentJob.objects.filter(pk=ended.pk).update(
        due_at=None, claimed_at=moment - timedelta(seconds=2), updated_at=moment
    )
    assert refused(caller.post(KYC, caller.kyc_body())) == 40


def test_the_rows_of_a_file_wait_until_there_is_room(caller, settings, work_off):
    settings.HUB_OPEN_JOBS = 4
    rows = "".join(f"row-{n},Ada,Reyes\n" for n in range(10))
    file = SimpleUploadedFile("a.csv", f"id,first_name,last_name\n{rows}".encode())
    form = {"agent_key": caller.kyc.key, "file": file}
    assert caller.send("enqueueFromCSV", form).status_code == 200
    batch = JobBatch.objects.get()
    assert (batch.accepted, batch.status) == (4, "running")
    for _ in range(4):
        JobBatch.objects.filter(due_at__isnull=False).update(due_at=now())
        work_off()
    batch.refresh_from_db()
    assert (batch.accepted, batch.rejected, batch.status) == (10, 0, "complete")
    assert AgentJob.objects.filter(due_at=None).count() == 10


def test_a_file_is_taken_while_there_is_no_room(caller, settings):
    settings.HUB_OPEN_JOBS = 1
    assert caller.post(KYC, caller.kyc_body()).status_code == 200
    file = SimpleUploadedFile("a.csv", b"id,first_name,last_name\n1,Ada,Reyes\n")
    form = {"agent_key": caller.kyc.key, "file": file}
    assert caller.send("enqueueFromCSV", form).status_code == 200
    batch = JobBatch.objects.get()
    assert (batch.accepted, batch.status) == (0, "running")
    assert batch.due_at
    assert batch.due_at > now()
