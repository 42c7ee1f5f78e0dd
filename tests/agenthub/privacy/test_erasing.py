"""eraseCase: what the hub holds of a case goes, and nothing of any other."""

from __future__ import annotations

import base64
import hashlib
import json
import uuid
from typing import Any

import pytest
from django.apps import apps
from django.core.files.storage import default_storage
from django.core.management import call_command

from agenthub.models import (
    AgentJob,
    CheckRun,
    Delivery,
    DocumentPrint,
    Feedback,
    JobBatch,
    RejectedRow,
    SubjectMark,
    ToolRun,
    Upload,
)
from checks import samples
from compliance.security.personal_fields import opened
from compliance.storage import erased_keys

pytestmark = pytest.mark.django_db

NAME = "Zquorvax Holdings"


def start(caller, case_id: str, **more: Any):
    sample = samples.good_certificate()
    document = caller.post(
        "uploadB64Document",
        {
            "b64_document": base64.b64encode(sample.content).decode(),
            "file_name": f"{NAME}.pdf",
        },
    ).json()["document"]
    schema = {
        "id": case_id,
        "self_attested_data": {
            **sample.attested,
            "business_name": NAME,
            "incorporation_documents": [document],
        },
    }
    body = {"agent_key": caller.kyb.key, "kyb_schema": schema, **more}
    answer = caller.post("startKYBAgentJob", body)
    assert answer.status_code == 200
    return answer.json()["job_id"]


def tables_with(text: str) -> list[str]:
    """Columns of the hub in which a text stands, in whatever form they are stored."""
    rows = []
    for model in apps.get_app_config("agenthub").get_models():
        for row in model._default_manager.values():
            for name, stored in row.items():
                value = opened(stored)
                if isinstance(value, bytes | memoryview):
                    value = bytes(value).decode("utf-8", "replace")
                if text in json.dumps(value, default=str, ensure_ascii=False):
                    rows.append(f"{model.__name__}.{name}")
    return sorted(set(rows))


def test_everything_of_the_case_goes_and_the_rest_stays(caller, work_off):
    job_id = start(caller, "case-1", webhook_url="http://127.0.0.1:9/hook")
    other = start(caller, "case-2")
    work_off()
    caller.post("sendFeedback", {"job_id": job_id, "feedback": f"{NAME} is fine"})
    assert {"AgentJob.input_payload", "Delivery.body", "Feedback.text"} <= {
        *tables_with(NAME)
    }
    before = caller.get("getJobById", job_id=other, include_check_results="true").json()

    answer = caller.post("eraseCase", {"case_id": "case-1"})

    assert answer.status_code == 200
    erased = answer.json()["erased"]
    assert erased["jobs"] == 1
    assert erased["uploads"] == 1
    job, rest = AgentJob.objects.order_by("pk")
    assert job.erased_at is not None
    for model in (ToolRun, SubjectMark, DocumentPrint, Feedback):
        path = "check_run__job" if model is ToolRun else "job"
        assert not model.objects.filter(**{path: job}).exists()
    assert {bytes(d.body) for d in Delivery.objects.filter(job=job)} == {b""}
    # What is left of the name belongs to the other case.
    assert (
        caller.get("getJobById", job_id=other, include_check_results="true").json()
        == before
    )
    caller.post("eraseCase", {"case_id": "case-2"})
    assert tables_with(NAME) == []
    assert Upload.objects.filter(status=Upload.Status.GONE).count() == 2
    assert default_storage.listdir("uploads")[1] == []
    assert rest.pk


@pytest.mark.parametrize("is_done", [True, False])
def test_what_a_backup_brings_back_is_erased_again(
    caller, work_off, settings, tmp_path, is_done
):
    settings.ERASED_KEYS = tmp_path / "erased-keys.txt"
    # The same case was started again after it was erased: that stays.
    job_id, later = start(caller, "case-1"), start(caller, "case-1")
    if is_done:
        work_off()
        caller.post("sendFeedback", {"job_id": job_id, "key": NAME, "feedback": "x"})
    job = AgentJob.objects.get(job_id=job_id)
    assert job.data_key_id is not None
    # The backup has the key, and the file says that it was erased.
    erased_keys.add([job.data_key_id])

    call_command("erase_again")

    again = AgentJob.objects.get(job_id=job_id)
    assert again.erased_at is not None
    status = AgentJob.Status.COMPLETE if is_done else AgentJob.Status.FAILED
    assert (again.status, again.due_at) == (status, None)
    assert not Feedback.objects.exists()
    assert AgentJob.objects.get(job_id=later).erased_at is None
    gone = Upload.objects.filter(status=Upload.Status.GONE)
    assert gone.count() == 1


def test_ids_statuses_and_times_stay_and_every_reader_still_answers(caller, work_off):
    job_id = start(caller, "case-1")
    work_off()
    before = caller.get(
        "getJobById", job_id=job_id, include_check_results="true"
    ).json()
    caller.post("eraseCase", {"case_id": "case-1"})

    after = caller.get("getJobById", job_id=job_id, include_check_results="true").json()

    for member in ("id", "status", "created_at", "recommendation"):
        assert after[member] == before[member]
    assert after["input_payload"] == {"id": "case-1", "self_attested_data": {}}
    statuses = [(r["check_id"], r["status"]) for r in before["check_results"]]
    assert [(r["check_id"], r["status"]) for r in after["check_results"]] == statuses
    agent = caller.kyb.key
    for endpoint, query in (
        ("getJobsByCaseId", {"case_id": "case-1", "agent_key": agent}),
        ("getLatestApplicationState", {"application_id": "case-1", "agent_key": agent}),
        ("getCheckResults", {"job_id": job_id}),
        ("getJobStatusSummary", {"job_id": job_id}),
        ("downloadReport", {"case_id": "case-1", "agent_key": agent}),
    ):
        assert caller.get(endpoint, **query).status_code == 200, endpoint
    words = {run.result["explanation"] for run in CheckRun.objects.all()}
    assert words == {"[erased]"}


def test_it_is_refused_while_a_job_runs_and_may_be_asked_twice(caller, work_off):
    start(caller, "case-1")
    assert caller.post("eraseCase", {"case_id": "case-1"}).status_code == 409
    assert tables_with(NAME)
    work_off()
    assert caller.post("eraseCase", {"case_id": "case-1"}).json()["erased"]
    again = caller.post("eraseCase", {"case_id": "case-1"})
    assert (again.status_code, again.json()["erased"]) == (200, {})
    unknown = caller.post("eraseCase", {"case_id": "never-seen"})
    assert (unknown.status_code, unknown.json()["erased"]) == (200, {})


def test_what_was_erased_is_not_run_again(caller, work_off):
    job_id = start(caller, "case-1")
    work_off()
    caller.post("eraseCase", {"case_id": "case-1"})
    assert caller.post("retryJob", {"job_id": job_id}).status_code == 409
    check = {
        "agent_key": caller.kyb.key,
        "case_id": "case-1",
        "check_id": CheckRun.objects.all()[0].check_id,
    }
    assert caller.post("runCheck", check).status_code == 404


def test_another_account_erases_nothing(caller, other, work_off):
    start(caller, "case-1")
    work_off()
    answer = other.post("eraseCase", {"case_id": "case-1"})
    assert (answer.status_code, answer.json()["erased"]) == (200, {})
    assert tables_with(NAME)


def batch_of(caller, name: str, *rows: str) -> JobBatch:
    header = "id,business_name,incorporation_date"
    body = {
        "agent_key": caller.kyb.key,
        "csv": "\n".join([header, *rows]),
        "file_name": name,
    }
    answer = caller.post("enqueueFromCSV", body)
    assert answer.status_code == 200
    return JobBatch.objects.get(batch_id=answer.json()["batch_id"])


def test_the_file_of_a_batch_that_refused_the_case_goes(caller, work_off):
    """The client corrected the row and sent it again, so no job leads to the first file."""
    first = batch_of(caller, "a.csv", f"case-1,{NAME},no day", "case-2,Pear Ltd,")
    other = batch_of(caller, "b.csv", "case-3,Plum Ltd,no day", "case-4,Plum Ltd,")
    batch_of(caller, "c.csv", f"case-1,{NAME},2015-01-31")
    work_off()
    erased = caller.post("eraseCase", {"case_id": "case-1"}).json()["erased"]
    assert erased["batch_files"] == 2
    first.refresh_from_db()
    other.refresh_from_db()
    assert (bool(first.file), bool(other.file)) == (False, True)
    assert tables_with(NAME) == []


def test_a_refused_row_that_quotes_a_part_of_a_long_id_is_emptied(caller, work_off):
    case_id = f"{NAME} {'é' * 60}"
    row = f"{case_id},{NAME},2015-01-31"
    batch_of(caller, "a.csv", row, row)
    work_off()
    caller.post("eraseCase", {"case_id": case_id})
    [rejected] = RejectedRow.objects.all()
    assert rejected.reason == "[erased]"


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("zquorvax_holdings.csv", "[erased]"),
        ("Zquorvax list", "[erased]"),
        ("march.csv", "march.csv"),
    ],
)
def test_the_name_of_a_batch_does_not_name_the_applicant(caller, work_off, name, left):
    batch = batch_of(caller, name, f"case-1,{NAME},2015-01-31")
    work_off()
    caller.post("eraseCase", {"case_id": "case-1"})
    batch.refresh_from_db()
    assert batch.name == left


@pytest.mark.parametrize(
    ("name", "left"),
    [
        ("zquorvax_holdings.csv", "[erased]"),
        ("Holdings of March.csv", "Holdings of March.csv"),
    ],
)
def test_a_batch_of_others_keeps_a_name_of_one_shared_word(
    caller, work_off, name, left
):
    batch_of(caller, "march.csv", f"case-1,{NAME},2015-01-31")
    other = batch_of(caller, name, "case-2,Pear Ltd,2015-01-31")
    work_off()
    caller.post("eraseCase", {"case_id": "case-1"})
    other.refresh_from_db()
    assert other.name == left


def test_nothing_of_the_row_of_a_batch_can_be_guessed_or_read(caller, work_off):
    """A file of one short row: its hash would tell the row to whoever tries all numbers."""
    url = "http://127.0.0.1:9/hooks/zquorvax"
    header = "id,business_name,webhook"
    text = f"{header}\ncase-1,{NAME},x"
    body = {
        "agent_key": caller.kyb.key,
        "csv": text,
        "webhook_url": url,
        "batch_id": str(uuid.uuid4()),
    }
    assert caller.post("enqueueFromCSV", body).status_code == 200
    batch = JobBatch.objects.get()
    plain = hashlib.sha256(b"null\n" + text.encode()).hexdigest()
    assert batch.rows_sha256 != plain
    work_off()
    caller.post("eraseCase", {"case_id": "case-1"})
    assert tables_with("zquorvax") == []
    batch.refresh_from_db()
    assert batch.rows_sha256 == ""
    again = caller.post("enqueueFromCSV", body)
    assert (again.status_code, again.json()["same_rows"]) == (409, False)
