"""Batches from CSV files: rows judged one by one, started once, listed, exported."""

from __future__ import annotations

import csv
import io
import uuid
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.utils.timezone import now

from agenthub.batches import exports, processing
from agenthub.models import AgentJob, CheckRun, JobBatch, RejectedRow
from agenthub.schemas import validation
from agenthub.tasks import BATCHES
from compliance.storage.backend import WholeFileStorage
from compliance.work.rows import LeaseLostError
from tests.agenthub.conftest import details

ENQUEUE = "enqueueFromCSV"
HEAD = "id,business_name,incorporation_date,address_of_incorporation.country_code"


def text(*rows: str, head: str = HEAD) -> str:
    return "\n".join((head, *rows)) + "\n"


def enqueue(caller, *rows: str, head: str = HEAD, **more):
    return caller.post(
        ENQUEUE, {"agent_key": caller.kyb.key, "csv": text(*rows, head=head), **more}
    )


def exported(caller, batch_id) -> list[dict[str, str]]:
    answer = caller.get("exportCSVBatch", batch_id=batch_id, agent_key=caller.kyb.key)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(
        csv.DictReader(io.StringIO(b"".join(answer.streaming_content).decode()))
    )


@pytest.mark.parametrize("mark", [";", "\t", "|"])
def test_a_file_without_commas_is_told_what_separates_columns(caller, mark):
    head, row = mark.join(("id", "business_name")), mark.join(("c-1", "A, B Ltd"))
    for endpoint in (ENQUEUE, "mapCsvColumns"):
        answer = caller.post(
            endpoint, {"agent_key": caller.kyb.key, "csv": text(row, head=head)}
        )
        assert answer.status_code == 400
        assert "separated by commas" in answer.json()["message"]
    assert not JobBatch.objects.exists()


def test_good_rows_are_started_and_bad_ones_told_with_line_and_reason(caller):
    body = enqueue(
        caller, "c-1,Northwind Ltd,2020-01-31,GB", "c-2,Southwind Ltd,31.1.2020,Britain",
        "", "c-3,,,", "c-4,Eastwind Ltd,,", "c-5,Westwind,,,too,many",
        webhook_url="https://client.test/hook",
    ).json()  # fmt: skip
    assert (body["accepted"], body["rejected"], body["read_rows"]) == (2, 3, 5)
    assert body["batch_status"] == "complete"
    assert [job["case_id"] for job in body["jobs"]] == ["c-1", "c-4"]
    wrong = {row["line"]: row for row in body["errors"]}
    assert set(wrong) == {3, 5, 7}
    places = {tuple(item["loc"]): item["type"] for item in wrong[3]["detail"]}
    assert places == {
        ("self_attested_data", "incorporation_date"): "not_a_date",
        (
            "self_attested_data",
            "address_of_incorporation",
            "country_code",
        ): "not_a_country",
    }
    assert "business_name" in wrong[5]["reason"]
    assert "6 cells" in wrong[7]["reason"]
    first = AgentJob.objects.get(case_id="c-1")
    assert first.webhook_url == "https://client.test/hook"
    assert first.schema["self_attested_data"]["address_of_incorporation"] == {
        "country_code": "GB"
    }
    assert first.subject == "Northwind Ltd"


@pytest.mark.parametrize(
    "end", [["c-4,Eastwind Ltd,,"], ['c-4,Eastwind",,', "c-5,Kraye Ltd,,"]]
)
def test_a_quote_that_was_left_open_swallows_no_row_in_silence(caller, end):
    body = enqueue(
        caller,
        "c-1,Northwind Ltd,2020-01-31,GB",
        'c-2,"Southwind Ltd,,',
        "c-3,Teodor Ltd,,",
        *end,
    ).json()
    [row] = RejectedRow.objects.all()
    assert (row.line, body["rejected"]) == (3, 1)
    assert "a quote was left open" in row.reason


def test_of_two_rows_of_one_id_the_first_is_started_and_the_other_refused(
    caller, monkeypatch
):
    monkeypatch.setattr(processing, "CHUNK", 2)
    body = enqueue(
        caller, "c-1,Northwind,,", "c-1 ,Southwind,,", "c-2,Eastwind,,", ",Westwind,,",
        ",Westwind,,", "c-1,Nowhere,,", "C-1,Elsewhere,,",
    ).json()  # fmt: skip
    BATCHES.drain()
    assert AgentJob.objects.filter(case_id="c-1").get().subject == "Northwind"
    assert sorted(AgentJob.objects.values_list("case_id", flat=True)) == sorted(
        ["C-1", "c-1", "c-2", f"{body['batch_id']}-5", f"{body['batch_id']}-6"]
    )
    refused = {row.line: row.reason for row in RejectedRow.objects.all()}
    words = "The id c-1 stands in an earlier row: give each case its own."
    assert refused == {3: words, 7: words}
    batch = JobBatch.objects.get()
    assert (batch.read_rows, batch.accepted, batch.rejected) == (7, 5, 2)


def test_a_long_file_lets_the_others_have_their_turn(caller, other, monkeypatch):
    monkeypatch.setattr(processing, "CHUNK", 2)
    enqueue(caller, *(f"c-{n},Northwind,," for n in range(40)))
    enqueue(other, *(f"o-{n},Southwind,," for n in range(6)))
    order = []
    # A row that is due at once may be due a moment later by the clock of the database.
    for _ in range(1000):
        if AgentJob.objects.count() == 46:
            break
        for row in BATCHES.claim():
            processing.advance(row)  # type: ignore[arg-type]
            order.append(row.agent.account_id)  # type: ignore[attr-defined]
    theirs = other.kyb.account_id
    assert order.index(theirs) == 1
    assert AgentJob.objects.filter(account=theirs).count() == 6
    assert AgentJob.objects.exclude(account=theirs).count() == 40


@pytest.mark.parametrize("closed", ["account", "agent"])
def test_no_row_is_started_for_who_was_closed_meanwhile(caller, monkeypatch, closed):
    """A key may have leaked: its long file ends with the account, and says so."""
    monkeypatch.setattr(processing, "CHUNK", 2)
    enqueue(caller, *(f"c-{n},Northwind,," for n in range(6)))
    row = {"account": caller.account, "agent": caller.kyb}[closed]
    row.is_active = False
    row.save()
    BATCHES.drain()
    batch = JobBatch.objects.get()
    assert (batch.status, AgentJob.objects.count()) == ("failed", 2)
    assert batch.error == f"The {closed} is not active."


def test_of_two_schemas_of_one_id_too(caller):
    schemas = [
        {"id": "c-1", "self_attested_data": {"business_name": name}} for name in "AB"
    ]
    body = caller.post(
        "enqueueKybSchemas", {"agent_key": caller.kyb.key, "kyb_schemas": schemas}
    ).json()
    assert (body["accepted"], body["rejected"]) == (1, 1)
    assert [(row["line"], row["reason"]) for row in body["errors"]] == [
        (2, "The id c-1 stands in an earlier row: give each case its own.")
    ]


def test_a_form_with_a_file_is_taken_as_such_services_take_it(caller):
    file = SimpleUploadedFile(
        "march.csv", b"\xef\xbb\xbf" + text("c-1,Ä & Söhne,,").encode()
    )
    body = caller.send(
        ENQUEUE, {"agent_id": caller.kyb.key, "file": file, "check_ids": ""}
    ).json()
    assert (body["name"], body["accepted"]) == ("march.csv", 1)
    assert AgentJob.objects.get().subject == "Ä & Söhne"


def test_a_large_file_goes_to_disk_on_its_way_and_is_read_all_the_same(caller):
    rows = [f"c-{n},{'N' * 1000},," for n in range(2700)]
    file = SimpleUploadedFile("large.csv", text(*rows).encode())
    body = caller.send(ENQUEUE, {"agent_key": caller.kyb.key, "file": file}).json()
    assert (body["accepted"], body["batch_status"]) == (1000, "running")
    assert BATCHES.drain() == 1
    batch = JobBatch.objects.get()
    assert (batch.status, batch.accepted) == ("complete", 2700)


def test_the_file_of_a_batch_goes_when_its_time_has_come(caller):
    enqueue(caller, "c-1,Northwind,,")
    batch = JobBatch.objects.get()
    assert batch.due_at is not None
    assert (
        timedelta(0)
        <= now() + processing.RETENTION - batch.due_at
        < timedelta(minutes=5)
    )
    assert BATCHES.drain() == 0
    result = str(batch.file.name)
    assert batch.file.storage.exists(result)
    JobBatch.objects.update(due_at=now() - timedelta(minutes=1))
    assert BATCHES.drain() == 1
    assert not batch.file.storage.exists(result)
    row = JobBatch.objects.get()
    assert (row.file.name, row.status, row.due_at) == ("", "complete", None)


def test_individuals_come_by_rows_too_with_documents_by_url(caller):
    head = "first_name,last_name,date_of_birth,proof_of_address_documents"
    csv_text = text(
        "Ana,Reyes,1988-04-12,https://a.test/1.pdf https://a.test/2.pdf", head=head
    )
    body = caller.post(ENQUEUE, {"agent_key": caller.kyc.key, "csv": csv_text}).json()
    assert body["accepted"] == 1
    job = AgentJob.objects.get()
    documents = job.schema["self_attested_data"]["proof_of_address_documents"]
    assert [one["url"] for one in documents] == [
        "https://a.test/1.pdf",
        "https://a.test/2.pdf",
    ]
    assert job.case_id == f"{body['batch_id']}-2"
    assert job.subject == "Ana Reyes"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("\n", "header"),
        ("business_name\n", "no rows"),
        ("a,a\n1,2\n", "twice"),
        ("a,a.b\n1,2\n", "an object at once"),
        ("a..b\n1\n", "no name"),
        (",".join(f"c{n}" for n in range(201)) + "\n1\n", "more than"),
        ("id," + ".".join("a" * 33) + "\n1,2\n", "more than 32 levels"),
        ("id," + ".".join("a" * 5000) + "\n1,2\n", "more than 32 levels"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_whole(caller, content, words):
    answer = caller.post(ENQUEUE, {"agent_key": caller.kyb.key, "csv": content})
    assert set(details(answer)) == {("file",)}
    assert words in answer.json()["message"]
    assert not JobBatch.objects.exists()


@pytest.mark.parametrize(
    "content", [b"\xff\xfe\x00", b"business_name\n\xe4\n", b"a\n\x00\n"]
)
def test_bytes_that_are_no_text_are_refused(caller, content):
    file = SimpleUploadedFile("x.csv", content)
    answer = caller.send(ENQUEUE, {"agent_key": caller.kyb.key, "file": file})
    assert set(details(answer)) == {("file",)}


def test_a_file_beyond_the_limit_is_413(caller, settings):
    settings.DATA_UPLOAD_MAX_MEMORY_SIZE = 2000
    file = SimpleUploadedFile("x.csv", b"business_name\n" + b"x" * 3000)
    assert (
        caller.send(ENQUEUE, {"agent_key": caller.kyb.key, "file": file}).status_code
        == 413
    )


def test_a_file_that_breaks_late_keeps_what_it_started_and_says_so(caller):
    rows = [f"c-{n},Northwind,," for n in range(1500)]
    file = SimpleUploadedFile("x.csv", text(*rows).encode() + b"c-x,\xff\xff,,\n" * 2)
    answer = caller.send(ENQUEUE, {"agent_key": caller.kyb.key, "file": file}).json()
    assert answer["accepted"] == 1000
    BATCHES.drain()
    body = caller.get("getBatchJobs", batch_id=answer["batch_id"]).json()
    assert body["status"] == "failed"
    assert "UTF-8" in body["error"]


def test_a_batch_id_is_an_idempotency_key(caller):
    batch_id = str(uuid.uuid4())
    assert enqueue(caller, "c-1,Northwind,,", batch_id=batch_id).status_code == 200
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    assert again.status_code == 409
    assert again.json()["batch_id"] == batch_id
    assert AgentJob.objects.count() == 1


@pytest.mark.parametrize(
    "rows", [("c-1,Southwind,,",), ("c-1,Northwind,,", "c-2,Northwind,,")]
)
def test_a_batch_id_with_other_rows_is_no_repetition(caller, rows):
    """The answer must not say that rows were stored which were not."""
    batch_id = str(uuid.uuid4())
    assert enqueue(caller, "c-1,Northwind,,", batch_id=batch_id).status_code == 200
    again = enqueue(caller, *rows, batch_id=batch_id)
    assert again.status_code == 409
    body = again.json()
    assert (body["same_rows"], body["batch_id"]) == (False, batch_id)
    assert "other rows" in body["error"]
    assert AgentJob.objects.count() == 1
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    assert again.json()["same_rows"] is True


def test_a_batch_of_jobs_that_were_started_one_by_one_is_no_file(caller):
    batch_id = uuid.uuid4()
    processing.of(caller.kyb, batch_id)
    again = enqueue(caller, "c-1,Northwind,,", batch_id=str(batch_id))
    assert (again.status_code, again.json()["same_rows"]) == (409, False)


def test_a_file_of_an_earlier_version_is_compared_while_it_is_stored(caller):
    """It has stored no digest of its rows."""
    batch_id = str(uuid.uuid4())
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    JobBatch.objects.update(rows_sha256="")
    again = enqueue(caller, "c-2,Southwind,,", batch_id=batch_id)
    assert (again.status_code, again.json()["same_rows"]) == (409, False)
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    assert (again.status_code, again.json()["same_rows"]) == (409, True)


def test_a_file_of_an_earlier_version_that_is_gone_is_no_repetition(caller):
    """Nobody can tell whether the rows are the same, so they are not called that."""
    batch_id = str(uuid.uuid4())
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    JobBatch.objects.update(rows_sha256="", file="")
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    body = again.json()
    assert (again.status_code, body["same_rows"]) == (409, False)
    assert JobBatch.objects.count() == 1


def test_a_file_of_an_earlier_version_that_is_lost_is_no_repetition(caller):
    batch_id = str(uuid.uuid4())
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    JobBatch.objects.update(rows_sha256="")
    batch = JobBatch.objects.get()
    batch.file.storage.delete(str(batch.file.name))
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    assert (again.status_code, again.json()["same_rows"]) == (409, False)


def test_the_file_is_stored_before_the_id_is_taken(caller, monkeypatch):
    """A process that dies between the two must not leave a batch without rows: a client that
    repeats its call would be told that it exists."""
    counts = []
    save = WholeFileStorage._save

    def seen(storage, name, content):
        counts.append(JobBatch.objects.count())
        return save(storage, name, content)

    monkeypatch.setattr(WholeFileStorage, "_save", seen)
    assert enqueue(caller, "c-1,Northwind,,").status_code == 200
    assert counts == [0]


def test_a_repeated_call_leaves_no_further_file(caller):
    batch_id = str(uuid.uuid4())
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    [file] = Path(JobBatch.objects.get().file.path).parent.iterdir()
    assert file.name in str(JobBatch.objects.get().file.name)


def test_a_batch_that_failed_says_so_to_a_repeated_call(caller):
    batch_id = str(uuid.uuid4())
    enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    JobBatch.objects.update(status="running")
    processing.give_up(JobBatch.objects.get(), "The file did not arrive.")
    again = enqueue(caller, "c-1,Northwind,,", batch_id=batch_id)
    assert again.status_code == 409
    assert "failed after 1 rows: The file did not arrive." in again.json()["error"]


@pytest.mark.parametrize(
    ("other", "is_erased", "same"),
    [
        ("Northwind", False, True),
        ("Southwind", False, False),
        ("Northwind", True, False),
    ],
)
def test_cases_of_an_earlier_version_are_compared_with_its_jobs(
    caller, other, is_erased, same
):
    def send(name: str):
        schemas = [{"id": "c-1", "self_attested_data": {"business_name": name}}]
        body = {
            "agent_key": caller.kyb.key,
            "kyb_schemas": schemas,
            "batch_id": batch_id,
        }
        return caller.post("enqueueKybSchemas", body)

    batch_id = str(uuid.uuid4())
    assert send("Northwind").status_code == 200
    JobBatch.objects.update(rows_sha256="")
    if is_erased:
        AgentJob.objects.update(erased_at=now())
    again = send(other)
    assert (again.status_code, again.json()["same_rows"]) == (409, same)
    assert ("not stored any more" in again.json()["error"]) is is_erased


def test_a_worker_that_dies_is_replaced_by_one_that_goes_on(caller):
    body = enqueue(caller, *(f"c-{n},Northwind,," for n in range(3500))).json()
    batch = JobBatch.objects.get()
    dead: Any = BATCHES.claim()[0]
    processing._start(dead, [], [])  # it worked, and then it was silent for too long
    JobBatch.objects.update(leased_until=now() - timedelta(seconds=1))
    heir: Any = BATCHES.claim()[0]
    processing.advance(heir)
    with pytest.raises(LeaseLostError):
        processing.advance(dead)
    batch.refresh_from_db()
    assert (batch.status, batch.accepted) == ("complete", 3500)
    assert (
        AgentJob.objects.values("case_id").distinct().count()
        == 3500
        == AgentJob.objects.count()
    )
    assert body["read_rows"] == 1000


def test_rows_are_judged_before_the_transaction_that_starts_them(caller, monkeypatch):
    """SQLite lets one write at a time: who judges meanwhile would keep all others waiting."""
    outside, pages = list(connection.savepoint_ids), []

    def judge(agent, schema, judge=validation.judge):
        pages.append(list(connection.savepoint_ids))
        return judge(agent, schema)

    monkeypatch.setattr(validation, "judge", judge)
    assert (
        enqueue(caller, *(f"c-{n},Northwind,," for n in range(3))).json()["accepted"]
        == 3
    )
    assert pages == [outside] * 3


def test_checks_are_chosen_for_all_rows(caller):
    answer = enqueue(caller, "c-1,Northwind,,", check_ids=["nothing"])
    assert details(answer) == {("check_ids", 0): "unknown_check"}
    enqueue(
        caller, "c-1,Northwind,,", check_ids=["kyb.incorporation_document_verification"]
    )
    assert AgentJob.objects.get().check_ids == [
        "kyb.incorporation_document_verification"
    ]


def test_jobs_that_are_started_one_by_one_make_a_batch_too(caller):
    batch_id = str(uuid.uuid4())
    for number in range(3):
        body = caller.kyb_body(batch_id=batch_id)
        body["kyb_schema"]["id"] = f"c-{number}"
        assert caller.post("startKYBAgentJob", body).status_code == 200
    [batch] = caller.get("getJobBatches", agent_key=caller.kyb.key).json()
    assert (batch["id"], batch["status"]) == (batch_id, "complete")
    assert [row["case_id"] for row in exported(caller, batch_id)] == [
        "c-0",
        "c-1",
        "c-2",
    ]


def test_batches_are_listed_page_by_page_newest_first(caller):
    items = [str(processing.of(caller.kyb, uuid.uuid4()).batch_id) for _ in range(5)]
    processing.of(caller.kyc, uuid.uuid4())
    rows: list[str] = []
    cursor: dict[str, str] | None = {}
    while True:
        answer = caller.get(
            "getJobBatches", agent_key=caller.kyb.key, limit=2, **(cursor or {})
        )
        rows += [one["id"] for one in answer.json()]
        if "X-Next-Cursor" not in answer:
            break
        cursor = {"cursor": answer["X-Next-Cursor"]}
    assert rows == items[::-1]
    wrong = caller.get("getJobBatches", agent_key=caller.kyb.key, cursor=uuid.uuid4())
    assert details(wrong) == {("cursor",): "cursor"}


def test_the_file_of_a_batch_is_lent_by_a_signed_url(caller, settings):
    enqueue(caller, "c-1,Northwind,,")
    [batch] = caller.get(
        "getJobBatches", agent_key=caller.kyb.key, include_signed_urls=1
    ).json()
    path = batch["signed_url"].removeprefix(settings.CALLBACK_URL)
    answer = caller.client.get(path)
    assert b"".join(answer.streaming_content).decode() == text("c-1,Northwind,,")
    assert caller.client.get(path[:-3]).status_code == 404


def test_jobs_of_a_batch_come_page_by_page_and_by_status(caller):
    answer = enqueue(
        caller, *(f"c-{n},Northwind,," for n in range(7)), "c-x,,,", "c-y,,,"
    ).json()
    batch_id = answer["batch_id"]
    AgentJob.objects.filter(case_id__in=["c-1", "c-5"]).update(status="COMPLETE")
    rows: list[str] = []
    cursor: dict[str, str] | None = {}
    while cursor is not None:
        page = caller.get("getBatchJobs", batch_id=batch_id, limit=3, **cursor).json()
        rows += [job["case_id"] for job in page["jobs"]]
        cursor = {"cursor": page["next_cursor"]} if page["next_cursor"] else None
    assert rows == [f"c-{n}" for n in range(7)]
    body = caller.get("getBatchJobs", batch_id=batch_id, status="Completed").json()
    assert [job["case_id"] for job in body["jobs"]] == ["c-1", "c-5"]
    for several in (["complete", "FAILED"], ["completed,error"], ["done"]):
        some = caller.get("getBatchJobs", batch_id=batch_id, status=several).json()
        assert [job["case_id"] for job in some["jobs"]] == ["c-1", "c-5"]
    wrong = caller.get("getBatchJobs", batch_id=batch_id, status=["rejected", "failed"])
    assert details(wrong) == {("status",): "exclusive"}
    assert body["jobs_by_status"] == {
        "pending": 5, "running": 0, "completed": 2, "failed": 0, "retried": 0,
    }  # fmt: skip
    bad = caller.get(
        "getBatchJobs", batch_id=batch_id, status="rejected", limit=1
    ).json()
    assert [row["line"] for row in bad["rejected_rows"]] == [9]
    rest = caller.get(
        "getBatchJobs", batch_id=batch_id, status="rejected", cursor=bad["next_cursor"]
    ).json()
    assert [row["line"] for row in rest["rejected_rows"]] == [10]
    for unknown in ("x", str(uuid.uuid4())):
        wrong = caller.get("getBatchJobs", batch_id=batch_id, cursor=unknown)
        assert details(wrong) == {("cursor",): "cursor"}


FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\tx", "\rx"]


def test_the_export_has_its_columns_and_no_formula(caller):
    batch = processing.of(caller.kyb, uuid.uuid4())
    for number, formula in enumerate(FORMULAS):
        body = caller.kyb_body()
        body["kyb_schema"] = {
            "id": formula,
            "self_attested_data": {"business_name": f"x{number}"},
        }
        job = caller.job(batch=batch, input_payload=body)
        job.subject = formula
        job.save(update_fields=["subject"])
        result = {"verdict": "review", "alerts": [formula, "two"]}
        CheckRun.objects.create(
            job=job,
            check_id="kyb.incorporation_document_verification",
            status="completed",
            result=result,
            verdict="review",
        )
    rows = exported(caller, batch.batch_id)
    assert list(rows[0])[:8] == list(exports.COLUMNS)
    assert list(rows[0])[-1] == "alerts"
    for row, formula in zip(rows, FORMULAS, strict=True):
        assert (row["case_id"], row["name"]) == (f"'{formula}", f"'{formula}")
        assert row["alerts"] == f"'{formula}; two"
        assert row["kyb.incorporation_document_verification"] == "review"
        assert row["status"] == "pending"
        assert row["case_type"] == "kyb"


@pytest.mark.parametrize(
    ("status", "result", "cell"),
    [
        ("completed", {"verdict": "pass"}, "passed"),
        ("completed", {"verdict": "fail"}, "failed"),
        ("completed", {"verdict": "inconclusive"}, "review"),
        ("completed", {"verdict": "not_applicable"}, ""),
        ("failed", {"verdict": "inconclusive"}, "error"),
        ("pending", {}, ""),
    ],
)
def test_a_check_has_one_word_in_the_export(caller, status, result, cell):
    batch = processing.of(caller.kyb, uuid.uuid4())
    check = "kyb.incorporation_document_verification"
    CheckRun.objects.create(
        job=caller.job(batch=batch),
        check_id=check,
        status=status,
        result=result,
        verdict=result.get("verdict", ""),
    )
    [row] = exported(caller, batch.batch_id)
    assert row[check] == cell


def test_chunks_of_the_export_join_without_loss(caller, monkeypatch):
    monkeypatch.setattr(exports, "FIRST_CHUNK", 2)
    monkeypatch.setattr(exports, "CHUNK", 3)
    body = enqueue(caller, *(f"c-{n},Northwind,," for n in range(12))).json()
    assert [row["case_id"] for row in exported(caller, body["batch_id"])] == [
        f"c-{n}" for n in range(12)
    ]


def test_the_rows_of_another_agent_are_not_exported(caller, other):
    body = enqueue(caller, "c-1,Northwind,,").json()
    query = {"batch_id": body["batch_id"], "agent_key": caller.kyc.key}
    assert caller.get("exportCSVBatch", **query).status_code == 404
    assert other.get("getBatchJobs", batch_id=body["batch_id"]).status_code == 404


def test_two_accounts_may_use_one_batch_id(caller, other):
    batch_id = str(uuid.uuid4())
    for one in (caller, other):
        assert enqueue(one, "c-1,Northwind,,", batch_id=batch_id).status_code == 200
    assert RejectedRow.objects.count() == 0
    assert AgentJob.objects.count() == 2
