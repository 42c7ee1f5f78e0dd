"""Accounts take turns: one with a thousand jobs does not make the others wait for all of them."""

from __future__ import annotations

import threading
import uuid
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils.timezone import now

from agenthub.batches import processing
from agenthub.jobs import lifecycle, reruns
from agenthub.models import Account, Agent, AgentJob, Delivery
from agenthub.tasks import DELIVERIES, DOCUMENTS, JOBS
from checks import samples
from compliance.work import queues
from tests.agenthub.jobs.test_runs import b64
from tests.factories import make_hub

pytestmark = pytest.mark.django_db


def account(name: str, kind: str = "kyc", *, share: int = 1) -> Agent:
    """The agent of a new account."""
    owner = Account.objects.create(name=name, share=share)
    return Agent.objects.create(account=owner, kind=kind, key=f"{kind}-{name}")


def queue(
    agent: Agent,
    *,
    count: int = 1,
    minutes: float = 0.0,
    is_bulk: bool = False,
    **attested,
) -> list[AgentJob]:
    """Jobs of the account, due since so many minutes."""
    rows = []
    for _ in range(count):
        data = attested or {"first_name": "Ada", "date_of_birth": "1988-04-17"}
        schema = {f"{agent.kind}_schema": {"id": "case-1", "self_attested_data": data}}
        job, _ = lifecycle.create(
            agent=agent, job_id=uuid.uuid4(), input_payload=schema, is_bulk=is_bulk
        )
        rows.append(job)
    since = now() - timedelta(minutes=minutes)
    AgentJob.objects.filter(pk__in=[job.pk for job in rows]).update(due_at=since)
    return rows


def served(work_queue, *, claims: int) -> list[str]:
    """Whose jobs one worker claims, one after the other, where each ends before the next claim."""
    names = []
    for _ in range(claims):
        rows = work_queue.claim()
        [owner] = Account.objects.filter(jobs__in=[row.pk for row in rows]).distinct()
        names.append(owner.name)
        for row in rows:
            row.complete()
        # A moment passes: SQLite's clock tells milliseconds only.
        AgentJob.objects.update(claimed_at=F("claimed_at") - timedelta(seconds=1))
    return names


def documents(agent: Agent, **values) -> list[AgentJob]:
    file = b64(samples.good_certificate().content)
    return queue(
        agent, business_name="Northwind Ltd", incorporation_documents=[file], **values
    )


def test_jobs_that_bring_documents_have_a_queue_of_their_own():
    hub = make_hub()
    [plain] = queue(hub["kyc"])
    [reads] = documents(hub["kyb"])
    assert (plain.reads_documents, reads.reads_documents) == (False, True)
    assert [row.pk for row in JOBS.claim()] == [plain.pk]
    assert [row.pk for row in DOCUMENTS.claim()] == [reads.pk]
    assert JOBS.claim() == DOCUMENTS.claim() == []


def test_documents_that_no_check_of_the_job_reads_do_not_make_it_wait():
    agent = make_hub()["kyb"]
    agent.checks = [{"check_id": "kyb.tax_number"}]
    agent.save()
    [job] = documents(agent)
    assert not job.reads_documents


def test_a_job_that_has_come_to_read_documents_goes_to_their_queue(work_off):
    agent = make_hub()["kyb"]
    [job] = documents(agent)
    AgentJob.objects.update(
        reads_documents=False
    )  # as one that was made by an earlier version
    [claimed] = JOBS.claim()
    JOBS.handler(claimed)
    job.refresh_from_db()
    assert (job.status, job.reads_documents) == ("PENDING", True)
    assert JOBS.claim() == []
    work_off()
    job.refresh_from_db()
    assert job.status in {"COMPLETE", "FAILED"}


@pytest.mark.parametrize("work_queue", [JOBS, DOCUMENTS])
def test_one_job_beside_a_thousand_is_next_or_next_but_one(work_queue):
    make = queue if work_queue is JOBS else documents
    hog, other = account("hog", "kyb"), account("other", "kyb")
    [first] = make(hog, minutes=60)
    rows = [
        AgentJob(
            account=hog.account, agent=hog, case_id="case-1", due_at=first.created_at,
            input_payload=first.input_payload, reads_documents=first.reads_documents,
        )
        for _ in range(999)
    ]  # fmt: skip
    AgentJob.objects.bulk_create(rows)
    assert served(work_queue, claims=1) == ["hog"]
    make(other)
    assert "other" in served(work_queue, claims=2)


def test_of_many_accounts_each_has_its_turn_before_one_has_two():
    hog = account("hog")
    queue(hog, count=60, minutes=60)
    names = [f"other-{number}" for number in range(10)]
    for name in names:
        queue(account(name), count=8)
    order = served(JOBS, claims=22)
    assert set(order[:11]) == set(order[11:]) == {"hog", *names}


def test_who_has_fewer_under_way_goes_first():
    """Though it was served later: what takes long must not take the place of what is quick."""
    hog, other = account("hog"), account("other")
    queue(hog, count=60, minutes=60)
    for _ in range(3):
        assert JOBS.claim()
    queue(other, count=3)
    assert served(JOBS, claims=3) == ["other"] * 3
    assert served(JOBS, claims=1) == ["hog"]


def test_a_paused_row_of_one_account_keeps_nobody_waiting():
    hog, other = account("hog"), account("other")
    queue(hog, minutes=-5)
    queue(other)
    assert served(JOBS, claims=1) == ["other"]
    assert JOBS.claim() == []


def bulk_served(work_queue, *, claims: int) -> list[bool]:
    """Of each claim of one worker, whether it was for a bulk job."""
    kinds = []
    for _ in range(claims):
        [row] = work_queue.claim()
        kinds.append(row.is_bulk)
        row.complete()
    return kinds


@pytest.mark.parametrize("work_queue", [JOBS, DOCUMENTS])
def test_a_batch_gives_way_to_a_waiting_analyst_of_its_own_account(work_queue):
    make = queue if work_queue is JOBS else documents
    agent = account("one", "kyb")
    make(agent, count=20, minutes=60, is_bulk=True)
    make(agent, count=2)
    # One claim of four looks for bulk rows first.
    assert sorted(bulk_served(work_queue, claims=3))[:2] == [False, False]
    assert all(bulk_served(work_queue, claims=10))


def test_a_batch_gives_way_to_waiting_analysts_of_other_accounts():
    queue(account("batches"), count=20, minutes=60, is_bulk=True)
    for name in ("a", "b", "c"):
        queue(account(name))
    assert {"a", "b", "c"} <= set(served(JOBS, claims=4))


def test_a_batch_goes_on_however_much_is_urgent():
    queue(account("batches"), count=20, is_bulk=True)
    queue(account("urgent"), count=40, minutes=60)
    assert bulk_served(JOBS, claims=20).count(True) == 5


def test_a_larger_share_is_served_more_often():
    """Each of ten accounts has much to do. One worker claims, and jobs take a second each."""
    queue(account("large", share=3), count=60)
    for number in range(9):
        queue(account(f"small-{number}"), count=20)
    order = served(JOBS, claims=48)
    times = [order.count(f"small-{number}") for number in range(9)]
    assert min(times) >= 3
    assert 10 <= order.count("large") <= 14


def test_a_larger_share_has_more_under_way():
    queue(account("large", share=2), count=20)
    queue(account("small"), count=20)
    for _ in range(9):
        assert JOBS.claim()
    leased = AgentJob.objects.filter(leased_until__gt=now())
    assert leased.filter(account__name="large").count() == 6


@pytest.mark.parametrize("threads_of_celery", [0, 4])
def test_one_account_never_has_the_last_threads_that_read_documents(
    threads_of_celery, monkeypatch
):
    monkeypatch.setattr(queues, "_threads_of_worker", threads_of_celery)
    most = (threads_of_celery or DOCUMENTS.concurrency) - 2

    def of_documents(agent: Agent, count: int) -> None:
        queue(agent, count=count)
        AgentJob.objects.update(reads_documents=True)

    hog, small = account("hog"), account("small")
    of_documents(hog, DOCUMENTS.concurrency)
    with ExitStack() as threads:
        claims = [
            threads.enter_context(DOCUMENTS._claimed())
            for _ in range(DOCUMENTS.concurrency)
        ]
        assert [len(rows) for rows in claims].count(1) == most
        of_documents(small, 1)
        [row] = threads.enter_context(DOCUMENTS._claimed())
        assert small.account.jobs.filter(pk=row.pk).exists()
    [row] = DOCUMENTS.claim()
    assert hog.account.jobs.filter(pk=row.pk).exists()


def test_jobs_of_batches_and_of_new_screenings_are_bulk():
    agent = account("one")
    [alone] = queue(agent)
    schema = alone.input_payload
    batch = processing.of(agent, uuid.uuid4())
    job, _ = lifecycle.create(
        agent=agent, job_id=uuid.uuid4(), input_payload=schema, batch=batch
    )
    assert (alone.is_bulk, job.is_bulk) == (False, True)
    AgentJob.objects.update(status=AgentJob.Status.FAILED)
    job.refresh_from_db()
    rerun, _ = reruns.start(job, job_id=uuid.uuid4())
    assert not rerun.is_bulk


def test_deliveries_of_accounts_take_turns():
    """The receiver of one has much to take: the others are next."""
    hog, other = account("hog"), account("other")
    [of_hog] = queue(hog)
    [of_other] = queue(other)
    old = now() - timedelta(minutes=60)
    for job, count, due in ((of_hog, 100, old), (of_other, 3, now())):
        Delivery.objects.bulk_create(
            Delivery(
                job=job, account=job.account, kind="tool", url="http://x/", due_at=due
            )
            for _ in range(count)
        )
    first, second = DELIVERIES.claim(), DELIVERIES.claim()
    assert {len(first), len(second)} == {16, 3}
    # Both are leased, and no job is reported by two workers: nothing is left to claim.
    assert DELIVERIES.claim() == []


def test_deliveries_of_an_earlier_version_are_sent_too():
    [job] = queue(account("one"))
    Delivery.objects.create(job=job, kind="tool", url="http://x/")
    assert len(DELIVERIES.claim()) == 1


@pytest.mark.django_db(transaction=True)
def test_many_workers_claim_each_job_of_each_account_once():
    for name in ("a", "b", "c"):
        queue(account(name), count=15)
    claimed: list[int] = []
    left = threading.Event()

    def claim() -> None:
        while rows := JOBS.claim():
            claimed.extend(row.pk for row in rows)
        left.set()
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 45
    assert not JOBS.is_due()
