"""A document is read once for all checks of its job, within one limit of time; accounts take turns."""

from __future__ import annotations

import re
import threading
import time
import zlib
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from agenthub.jobs import lifecycle
from agenthub.jobs import turns as turns_module
from agenthub.jobs.turns import Turns
from agenthub.models import AgentJob, CheckRun, ToolRun
from agenthub.tasks import DOCUMENTS
from checks import samples
from checks.evidence import Evidence
from compliance.work import isolation
from tests.agenthub.jobs.test_fairness import account
from tests.agenthub.jobs.test_fairness import queue as queue_jobs
from tests.agenthub.jobs.test_runs import b64, claim, make_job
from tests.compliance.work.test_worker import wait_until

pytestmark = pytest.mark.django_db

SAFETY = "document_safety_check"
INCORPORATION = "kyb.incorporation_document_verification"
OWNERSHIP = "kyb.business_ownership"
BOTH = [INCORPORATION, SAFETY]


def many_operators(count: int = 400_000) -> bytes:
    """A PDF of one page whose drawing has so many operators: quick to send, slow to read."""
    content = b"".join(b"%d %d m %d %d l S\n" % (n % 600, n % 790, n % 7, n % 5) for n in range(count // 3))  # fmt: skip
    content = zlib.compress(content)
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<<>>>>",
        b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream"
        % (len(content), content),
    ]
    out = b"%PDF-1.7\n"
    places = []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj %s endobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 5\n0000000000 65535 f \n" + table
    return (
        out + head + b"trailer<</Root 1 0 R/Size 5>>startxref\n%d\n%%%%EOF" % len(out)
    )


@pytest.fixture
def readings(monkeypatch) -> list[list[str]]:
    """The checks that each child process was started for, in order."""
    started: list[list[str]] = []
    stream = isolation.stream

    def counted(target: str, values: Mapping[str, Any], **limits: Any) -> Iterator[Any]:
        started.append([part["check_id"] for part in values["parts"]])
        return stream(target, values, **limits)

    monkeypatch.setattr(isolation, "stream", counted)
    return started


def run_to_end(job: AgentJob) -> AgentJob:
    while job.status in {"PENDING", "RUNNING"}:
        lifecycle.advance(claim())
        job.refresh_from_db()
    return job


def test_a_check_concludes_from_what_its_webhook_has_said(monkeypatch):
    """Also where a worker that had lost its lease has stored a result in the meantime."""
    sample = samples.good_certificate()
    job = make_job(b64(sample.content), check_ids=[SAFETY], **sample.attested)
    stream = isolation.stream

    def after_another(target: str, values: Mapping[str, Any], **limits: Any):
        for number, tool_id, results in stream(target, values, **limits):
            other = {**results, "verdict": "review", "explanation": "Of the other."}
            run = CheckRun.objects.get(job=job, check_id=SAFETY)
            ToolRun.objects.create(
                check_run=run, document=0, tool_id=tool_id, results=other
            )
            yield number, tool_id, results

    monkeypatch.setattr(isolation, "stream", after_another)
    run_to_end(job)
    result = job.check_runs.get().result
    assert result["verdict"] == "review"
    [outcome] = result["payload"]["document_safety"]["documents"]
    assert outcome["explanation"] == "Of the other."


def test_a_document_is_read_once_for_all_checks(readings):
    sample = samples.good_certificate()
    job = run_to_end(make_job(b64(sample.content), check_ids=BOTH, **sample.attested))
    assert readings == [BOTH]
    assert job.status == "COMPLETE"
    assert set(job.check_runs.values_list("status", flat=True)) == {"completed"}
    assert ToolRun.objects.count() == 4
    alone = make_job(b64(sample.content), check_ids=[SAFETY], **sample.attested)
    own = run_to_end(alone).check_runs.get()
    assert own.result == job.check_runs.get(check_id=SAFETY).result


def test_a_document_that_takes_too_long_is_stopped_once_and_each_check_says_so(
    readings, settings
):
    settings.DOCUMENT_SECONDS = 1
    job = run_to_end(make_job(b64(many_operators()), check_ids=BOTH))
    assert readings == [BOTH]
    for check_id in BOTH:
        run = job.check_runs.get(check_id=check_id)
        assert run.result["verdict"] == "inconclusive"
        # Of CPU time, or on a busy machine of wall time.
        assert re.search("stopped after [14] s", str(run.result))
    result = str(job.check_runs.get(check_id=INCORPORATION).result)
    assert re.search("Reading stopped after [14] s: [0-2] of 3 examinations", result)
    # Taken up again, it is not read again.
    AgentJob.objects.update(status="RUNNING", due_at=job.created_at, leased_until=None)
    CheckRun.objects.update(status="pending", result={})
    job.refresh_from_db()
    run_to_end(job)
    assert len(readings) == 1


def test_each_document_has_its_own_turn(readings):
    """A job of many documents goes back between two of them."""
    good, other = samples.good_certificate(), b64(many_operators(30))
    hog, small = account("hog", "kyb"), account("small", "kyb")
    wires = [b64(good.content), other, b64(many_operators(60))]
    for agent in (hog, small):
        agent.checks = [{"check_id": SAFETY}]
        agent.save()
    [large] = queue_jobs(hog, business_name="Hog Ltd", incorporation_documents=wires)
    [quick] = queue_jobs(
        small, business_name="Small", incorporation_documents=wires[:1]
    )
    AgentJob.objects.filter(pk=large.pk).update(due_at=large.created_at)
    ended = []
    while rows := DOCUMENTS.claim():
        for row in rows:
            DOCUMENTS._work_one(row)
            ended += [str(each) for each in AgentJob.objects.filter(status="COMPLETE") if str(each) not in ended]  # fmt: skip
    assert ended == [str(quick), str(large)]
    assert len(readings) == len(wires) + 1


def test_what_two_checks_read_of_one_file_is_the_same_and_read_once():
    sample = samples.good_certificate()
    first = Evidence(sample.content, attested=sample.attested)
    data: dict[str, Any] = {
        "file_name": "",
        "document": {},
        "arguments": {},
        "beside": None,
    }
    assert first.for_another_check(**data) is first
    pages = first.pages
    another = first.for_another_check(**data | {"document": {"file_name": "b.pdf"}})
    assert another.pages is pages
    without_ocr = first.for_another_check(**data | {"arguments": {"ocr": "off"}})
    assert without_ocr._read is first._read
    assert without_ocr.pages is not pages
    assert without_ocr.pages == pages


def test_a_free_place_goes_to_the_account_with_the_fewest():
    turns, order = Turns(2), []
    ends: dict[str, threading.Event] = {}
    threads = []

    def read(name: str, number: int) -> None:
        with turns.turn(number, every=5.0, tick=lambda: None):
            order.append(name)
            ends[name].wait(30)

    def come(name: str, number: int) -> None:
        ends[name] = threading.Event()
        threads.append(threading.Thread(target=read, args=(name, number)))
        before = len(order) + len(turns._waiting)
        threads[-1].start()
        wait_until(lambda: len(order) + len(turns._waiting) > before)

    for number in range(4):
        come(f"hog-{number}", 1)
    come("small-0", 2)
    come("small-1", 2)
    come("other-0", 3)
    # While one account has all places there is one more, for another account.
    assert order == ["hog-0", "hog-1", "small-0"]
    for number, started in enumerate((3, 4, 5, 6, 7, 7, 7)):
        ends[order[number]].set()
        wait_until(lambda started=started: len(order) == started)
    for thread in threads:
        thread.join(30)
    assert order.index("small-1") < order.index("hog-3")


def test_a_place_that_is_held_for_long_does_not_count_for_an_account_that_has_none(
    monkeypatch,
):
    turns, order, end = Turns(2), [], threading.Event()

    def read(account: int) -> None:
        with turns.turn(account, every=0.05, tick=lambda: None):
            order.append(account)
            end.wait(60)

    threads = [
        threading.Thread(target=read, args=(each,)) for each in (1, 2, 3, 1, 4, 5)
    ]
    for thread in threads[:2]:
        thread.start()
    wait_until(lambda: sorted(order) == [1, 2])
    for thread in threads[2:]:
        thread.start()
    wait_until(lambda: len(turns._waiting) == 4)
    assert len(order) == 2
    monkeypatch.setattr(turns_module, "LONG_SECONDS", 0.0)
    # Two more places, and no third: what they hold may be long, too.
    wait_until(lambda: len(order) == 4)
    assert 1 not in order[2:]
    time.sleep(0.3)
    assert len(turns._waiting) == 2
    end.set()
    for thread in threads:
        thread.join(60)
    assert sorted(order) == [1, 1, 2, 3, 4, 5]


def test_who_gives_up_waiting_leaves_no_gap():
    turns = Turns(1)

    class LostError(Exception):
        pass

    def lost() -> None:
        raise LostError

    with turns.turn(1, every=1.0, tick=lost):
        began = time.monotonic()
        with pytest.raises(LostError), turns.turn(1, every=0.01, tick=lost):
            raise AssertionError("there was no place")
        assert time.monotonic() >= began
    with turns.turn(3, every=1.0, tick=lost):
        assert turns._waiting == []
