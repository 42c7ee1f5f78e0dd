"""Runs of the hub: taken up again where they stopped, ended with a reason, never in two hands."""

from __future__ import annotations

import base64
import threading
import uuid
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from agenthub.documents import fetching
from agenthub.jobs import lifecycle, reruns
from agenthub.jobs.progress import End, Progress
from agenthub.models import Agent, AgentJob, CheckRun, Delivery, JobBatch, ToolRun
from agenthub.tasks import DOCUMENTS, JOBS
from checks import samples
from compliance.security.data_keys import DataKeyError
from compliance.work import isolation, rows
from compliance.work.rows import LeaseLostError
from tests import fakeservice
from tests.factories import make_hub
from tests.fakeservice import Step

pytestmark = pytest.mark.django_db

CHECK = "kyb.incorporation_document_verification"
SAID = {"passed": True, "verdict": "pass", "explanation": "All is well.", "payload": {}}


def make_job(
    *wires: dict[str, Any],
    kind: str = "kyb",
    check_ids: Sequence[str] = (),
    **data: Any,
) -> AgentJob:
    attested = {"business_name": "Northwind Ltd", **data}
    if wires:
        attested["incorporation_documents"] = list(wires)
    agent = make_hub()[kind]
    job, created = lifecycle.create(
        agent=agent,
        job_id=uuid.uuid4(),
        check_ids=check_ids,
        input_payload={
            f"{kind}_schema": {"id": "case-1", "self_attested_data": attested},
            "webhook_url": "http://127.0.0.1:9/hook",
            "tool_webhook_url": "http://127.0.0.1:9/hook",
        },
    )
    assert created
    return job


def b64(content: bytes) -> dict[str, str]:
    return {"b64_document": base64.b64encode(content).decode(), "file_name": "a.pdf"}


def claim() -> AgentJob:
    going = AgentJob.objects.filter(status__in=["PENDING", "RUNNING"])
    going.update(due_at=now() - timedelta(seconds=1), leased_until=None)
    [row] = [*JOBS.claim(), *DOCUMENTS.claim()]
    assert isinstance(row, AgentJob)
    return row


def test_a_good_document_is_approved_and_told_of():
    sample = samples.good_certificate()
    make_job(b64(sample.content), **sample.attested)
    lifecycle.advance(claim())
    job = AgentJob.objects.get()
    assert (job.status, job.recommendation, job.due_at) == ("COMPLETE", "Approve", None)
    assert CheckRun.objects.get(check_id=CHECK).status == "completed"
    assert [d.kind for d in Delivery.objects.order_by("created_at")] == ["tool"] * 3 + [
        "job"
    ]


def test_a_run_that_was_cut_off_goes_on_where_it_stood():
    sample = samples.good_certificate()
    make_job(b64(sample.content), **sample.attested)
    job = claim()
    job.move(AgentJob.Status.RUNNING)
    run = CheckRun.objects.create(job=job, check_id=CHECK, status="in_progress")
    stood = {"passed": True, "verdict": "pass", "explanation": "stood", "payload": {}}
    tool = "kyb.incorporation_document_extraction_tool"
    ToolRun.objects.create(check_run=run, document=0, tool_id=tool, results=stood)
    lifecycle.advance(claim())
    assert AgentJob.objects.get().status == "COMPLETE"
    assert ToolRun.objects.count() == 3
    assert ToolRun.objects.get(tool_id=tool).results == stood
    assert not Delivery.objects.filter(
        tool_id=tool
    ).exists()  # it was told of with its row


def test_who_lost_the_lease_stops_and_ends_nothing():
    make_job(b64(samples.good_certificate().content))
    slow = claim()
    quick = claim()
    DOCUMENTS._work_one(slow)
    job = AgentJob.objects.get()
    assert job.status == "PENDING"
    assert not ToolRun.objects.exists()
    assert not Delivery.objects.exists()
    lifecycle.advance(quick)
    assert AgentJob.objects.get().status == "COMPLETE"


@pytest.mark.parametrize(
    ("wire", "word"),
    [
        ({"b64_document": "???", "file_name": "a.pdf"}, "not base64"),
        ({"b64_document": "é", "file_name": "a.pdf"}, "not base64"),
        ({"url": "http://127.0.0.1:1/a.pdf"}, "not allowed"),
        ({"url": "http://169.254.169.254/latest"}, "not allowed"),
        ({"file_name": "a.pdf"}, "neither"),
    ],
)
def test_a_document_that_cannot_be_had_fails_the_job_with_the_reason(wire, word):
    make_job(wire)
    lifecycle.advance(claim())
    job = AgentJob.objects.get()
    assert job.status == "FAILED"
    assert word in job.error
    assert [d.kind for d in Delivery.objects.all()] == ["job"]


@pytest.fixture
def no_wait(monkeypatch) -> None:
    """A document that is away is fetched again at once."""
    monkeypatch.setattr(rows, "FETCH_SCHEDULE", (0,) * len(rows.FETCH_SCHEDULE))


def test_a_host_that_is_away_for_a_moment_is_asked_again(settings, no_wait):
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        sample = samples.good_certificate()
        host.plan = [Step(status=503), Step(reset=True), Step(body=sample.content)]
        make_job({"url": f"http://127.0.0.1:{port}/a.pdf"}, **sample.attested)
        for status in ("RUNNING", "RUNNING", "COMPLETE"):
            lifecycle.advance(claim())
            job = AgentJob.objects.get()
            assert job.status == status
            assert (job.due_at is not None) == (status == "RUNNING")


@pytest.mark.parametrize(
    ("content", "word"),
    [
        (b"<!DOCTYPE html><title>Log in</title>", "a web page"),
        (b"PK\x03\x04" + b"x" * 100, "something else"),
        (b" ", "something else"),
    ],
)
def test_a_url_that_answers_no_document_fails_the_check(settings, content, word):
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        host.plan = [Step(body=content)]
        make_job({"url": f"http://127.0.0.1:{port}/a.pdf"})
        lifecycle.advance(claim())
    job = AgentJob.objects.get()
    assert job.status == "FAILED"
    assert (
        f"its URL answered {word}, not a PDF, PNG, JPEG, TIFF or HEIC file" in job.error
    )
    [run] = job.check_runs.all()
    assert run.status == "failed"


def test_a_host_that_stays_away_fails_the_job_in_the_end(settings, no_wait):
    tries = len(rows.FETCH_SCHEDULE) + 1
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", 9)})
    make_job({"url": "http://127.0.0.1:9/a.pdf"})
    for _ in range(tries - 1):
        lifecycle.advance(claim())
    job = AgentJob.objects.get()
    # A document that is away is no failure of the worker, which would end the job earlier.
    assert (job.status, job.failures) == ("RUNNING", 0)
    lifecycle.advance(claim())
    job.refresh_from_db()
    assert job.status == "FAILED"
    assert job.away_documents == {}


def test_a_document_is_fetched_again_for_hours():
    waits = []
    for failures in range(1, len(rows.FETCH_SCHEDULE) + 1):
        moment = rows.next_fetch(failures)
        assert moment is not None
        waits.append((moment - now()).total_seconds())
    assert rows.next_fetch(len(waits) + 1) is None
    assert sum(waits) > 4 * 3600
    # The links of a desk end after a day.
    assert 1.2 * sum(rows.FETCH_SCHEDULE) < 12 * 3600
    # A server may ask for a longer wait, and not for a shorter one.
    asked = rows.next_fetch(1, at_least=600)
    assert asked is not None
    assert 590 < (asked - now()).total_seconds() < 610
    assert rows.next_fetch(13, at_least=1) > now() + timedelta(hours=1)  # type: ignore[operator]


def test_the_rest_of_a_job_does_not_wait_for_a_document_that_is_away(settings):
    """Its other documents are read and its other checks run; it is asked for by the schedule."""
    sample = samples.good_certificate()
    with fakeservice.running() as host:
        port = int(host.url.split(":")[2].split("/")[0])
        settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", port)})
        host.plan = [
            Step(status=503, headers={"Retry-After": "400"}),
            Step(body=samples.good_certificate().content),
        ]
        away = {"url": f"http://127.0.0.1:{port}/a.pdf", "file_name": "a.pdf"}
        checks = [CHECK, "document_safety_check", "kyb.tax_number"]
        make_job(away, b64(sample.content), check_ids=checks, **sample.attested)
        for _ in range(4):
            lifecycle.advance(claim())
        job = AgentJob.objects.get()
        assert len(host.asked) == 1
        assert job.status == "RUNNING"
        # The document that is there was read, for both checks.
        read = job.check_runs.filter(tool_runs__document=1).distinct()
        assert read.count() == 2
        assert job.check_runs.get(check_id="kyb.tax_number").status == "completed"
        assert job.due_at is not None
        assert 300 < (job.due_at - now()).total_seconds() < 401
        [entry] = job.away_documents.values()
        assert entry["tries"] == 1
        # Its time has come.
        for value in job.away_documents.values():
            value["next_at"] = now().isoformat()
        AgentJob.objects.update(away_documents=job.away_documents)
        lifecycle.advance(claim())
    job.refresh_from_db()
    assert (job.status, job.away_documents) == ("COMPLETE", {})
    assert set(job.check_runs.values_list("status", flat=True)) == {"completed"}


def test_a_run_waits_for_one_server_only(settings):
    """A silent server takes as long as the time limit, and other jobs wait for the thread."""
    settings.OUTBOUND_ALLOW = frozenset({("127.0.0.1", 9)})
    make_job(*[{"url": f"http://127.0.0.1:9/{number}.pdf"} for number in range(3)])
    for count in (1, 2, 3):
        lifecycle.advance(claim())
        assert len(AgentJob.objects.get().away_documents) == count


def test_a_hostile_document_fails_its_check_with_a_plain_reason():
    make_job(b64(b"%PDF-1.7\n" + b"<</Kids[" * 50_000))
    lifecycle.advance(claim())
    job = AgentJob.objects.get()
    assert job.status in {"COMPLETE", "FAILED"}
    assert job.recommendation != "Approve"


def test_one_document_too_large_is_refused(settings):
    settings.MAX_DOCUMENT_BYTES = 100
    with pytest.raises(fetching.FetchError, match="too large"):
        fetching.fetch(b64(b"x" * 101), AgentJob())


@pytest.mark.parametrize(
    ("verdicts", "text"),
    [
        (["pass", "pass"], "Approve"),
        (["pass", "not_applicable"], "Approve"),
        (["not_applicable"], "Review"),
        ([], "Review"),
        (["pass", "inconclusive"], "Review"),
        (["pass", "review"], "Review"),
        (["pass", "review", "fail"], "Deny"),
    ],
)
def test_the_rule_of_the_recommendation(verdicts, text):
    assert lifecycle.recommend(verdicts, []) == text
    assert lifecycle.recommend(verdicts, ["No name."]) == (
        "Deny" if text == "Deny" else "Review"
    )


@pytest.mark.django_db(transaction=True)
def test_of_many_creations_one_creates():
    agent = make_hub()["kyb"]
    payload = {"kyb_schema": {"id": "c", "self_attested_data": {}}}
    job_id, result = uuid.uuid4(), []

    def create() -> None:
        result.append(
            lifecycle.create(agent=agent, job_id=job_id, input_payload=payload)[1]
        )
        connection.close()

    threads = [threading.Thread(target=create) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(result) == [False] * 11 + [True]


def test_checks_done_in_moments_are_told_of_together_in_their_order(monkeypatch):
    monkeypatch.setattr("compliance.work.timing.GROUP_RESULTS_SECONDS", 60)
    ids = [
        "kyb.tax_number",
        "kyb.registration_number",
        "kyb.lei",
        "kyb.incorporation_date",
    ]
    data = {"tin_number": "12-3456789", "business_registration_number": "12345678"}
    data |= {"lei": "529900T8BM49AURSDO55", "incorporation_date": "2020-01-31"}
    place = {"street_1": "1 Main St", "city": "London", "country_code": "GB"}
    make_job(check_ids=ids, address_of_incorporation=place, **data)
    job = claim()
    with CaptureQueriesContext(connection) as query:
        lifecycle.advance(job)
    assert AgentJob.objects.get().status == "COMPLETE"
    runs = CheckRun.objects.order_by("id")
    assert [(run.check_id, run.status) for run in runs] == [
        (each, "completed") for each in ids
    ]
    rows = list(Delivery.objects.order_by("due_at"))
    assert [each.kind for each in rows] == ["tool"] * 4 + ["job"]
    tools = ToolRun.objects.order_by("id").values_list("tool_id", flat=True)
    assert [each.tool_id for each in rows[:4]] == list(tools)
    for table in ("agenthub_checkrun", "agenthub_toolrun", "agenthub_delivery"):
        items = [
            each["sql"] for each in query if f'INSERT INTO "{table}"' in each["sql"]
        ]
        assert len(items) == 1


@pytest.mark.fault("F19", "two workers have one job")
def test_two_workers_with_one_job_tell_of_it_once():
    """Whoever writes second had lost its lease: the results were in its memory alone."""
    make_job(website="https://northwind.example")
    slow, quick = claim(), claim()
    progress = Progress(slow, ["kyb.industry_check"])
    progress.add(
        "kyb.industry_check", End(CheckRun.Status.COMPLETED, SAID, {"industry": SAID})
    )
    lifecycle.advance(quick)
    ran, message = CheckRun.objects.count(), Delivery.objects.count()
    with pytest.raises(LeaseLostError):
        progress.finish(AgentJob.Status.COMPLETE, recommendation="Deny")
    assert AgentJob.objects.get().recommendation != "Deny"
    assert (CheckRun.objects.count(), Delivery.objects.count()) == (ran, message)


def test_what_another_worker_has_begun_is_gone_on_with():
    make_job()
    first = Progress(claim(), ["a", "b"])
    first.add("a", End(CheckRun.Status.COMPLETED, SAID, {"tool_a": SAID}))
    first.write()
    second = Progress(claim(), ["a", "b"])
    assert not second.is_open("a")
    second.add("b", End(CheckRun.Status.COMPLETED, SAID, {"tool_b": SAID}))
    second.finish(AgentJob.Status.COMPLETE)
    assert [run.status for run in CheckRun.objects.all()] == ["completed"] * 2
    assert [each.tool_id for each in Delivery.objects.order_by("due_at")] == [
        "tool_a",
        "tool_b",
        "",
    ]


@pytest.mark.fault("F14", "a worker stood still, and another one has its job")
def test_a_worker_that_lost_its_job_ends_none_of_its_checks():
    """The recommendation is made from what the other worker has read."""
    make_job()
    first = Progress(claim(), ["a"])
    run = first.run_of("a")
    second = Progress(claim(), ["a"])
    bad = {**SAID, "passed": False, "verdict": "fail"}
    with pytest.raises(LeaseLostError):
        first.end(run, End(CheckRun.Status.COMPLETED, SAID))
    second.end(second.run_of("a"), End(CheckRun.Status.COMPLETED, bad))
    assert second.results()["a"] == ("completed", bad)
    assert CheckRun.objects.get().result == bad


def test_a_job_that_was_lost_during_the_last_answer_is_not_ended(monkeypatch):
    sample = samples.good_certificate()
    job = make_job(b64(sample.content), check_ids=[CHECK], **sample.attested)
    stream = isolation.stream

    def lost_at_the_end(*args: Any, **kwargs: Any) -> Iterator[Any]:
        yield from stream(*args, **kwargs)
        claim()

    monkeypatch.setattr(isolation, "stream", lost_at_the_end)
    with pytest.raises(LeaseLostError):
        lifecycle.advance(claim())
    job.refresh_from_db()
    assert (job.status, job.recommendation) == ("RUNNING", "")
    assert job.check_runs.get().status == "in_progress"
    assert not Delivery.objects.filter(kind="job").exists()


@pytest.mark.parametrize(
    "change",
    [
        lambda caller: {"agent": other_agent(caller)},
        lambda caller: {"check_ids": [CHECK]},
        lambda caller: {"request_proof": ""},
        lambda caller: {"request_proof": caller.job().request_proof},
    ],
    ids=["agent", "checks", "no proof", "proof of another job"],
)
def test_who_writes_to_the_database_gives_a_job_no_other_agent_or_checks(
    caller, work_off, change
):
    job = caller.job()
    AgentJob.objects.filter(pk=job.pk).update(**change(caller))
    work_off()
    job.refresh_from_db()
    assert job.status == AgentJob.Status.FAILED
    assert job.error == "The job is not that of its request."
    assert not job.recommendation


def test_a_job_that_was_given_another_agent_later_is_not_run_again(caller, work_off):
    job = caller.job()
    work_off()
    AgentJob.objects.filter(pk=job.pk).update(agent=other_agent(caller))
    with pytest.raises(DataKeyError):
        reruns.start(AgentJob.objects.get(pk=job.pk), job_id=uuid.uuid4())


def other_agent(caller):
    """One of the same account that examines less."""
    return Agent.objects.create(
        account=caller.account, key="lax", name="Lax", kind="kyb",
        checks=[{"check_id": CHECK}],
    )  # fmt: skip


def test_errors_of_jobs_and_names_of_batches_are_not_in_the_clear(caller):
    name = "Zwirnmeister"
    job = caller.job()
    lifecycle.give_up(job, f"{name} is not known.")
    JobBatch.objects.create(agent=caller.kyb, name=f"{name}.csv")
    with connection.cursor() as cursor:
        for table in ("agenthub_agentjob", "agenthub_jobbatch"):
            cursor.execute(f"SELECT * FROM {table}")  # noqa: S608 - our own name
            for row in cursor:
                assert name.encode() not in b"".join(
                    bytes(part)
                    if isinstance(part, bytes | memoryview)
                    else str(part).encode()
                    for part in row
                )
