"""Accounts take turns: one with a thousand jobs does not make the others wait for all of them."""

from __future__ import annotations

import threading
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import F
from django.utils.timezone import now

from agenthub.jobs import lifecycle
from agenthub.models import Account, Agent, AgentJob
from agenthub.tasks import DOCUMENTS, JOBS
from checks import samples
from tests.agenthub.jobs.test_runs import b64
from tests.factories import make_hub

pytestmark = pytest.mark.django_db


def account(name: str, kind: str = "kyc") -> Agent:
    """The agent of a new account."""
    owner = Account.objects.create(name=name)
    return Agent.objects.create(account=owner, kind=kind, key=f"{kind}-{name}")


def queue(
    agent: Agent, *, count: int = 1, minutes: float = 0.0, **attested
) -> list[AgentJob]:
    """Jobs of the account, due since so many minutes."""
    made = []
    for _ in range(count):
        data = attested or {"first_name": "Ada", "date_of_birth": "1988-04-17"}
        schema = {f"{agent.kind}_schema": {"id": "case-1", "self_attested_data": data}}
        job, _ = lifecycle.create(
            agent=agent, job_id=uuid.uuid4(), input_payload=schema
        )
        made.append(job)
    since = now() - timedelta(minutes=minutes)
    AgentJob.objects.filter(pk__in=[job.pk for job in made]).update(due_at=since)
    return made


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


def documents(agent: Agent, **given) -> list[AgentJob]:
    file = b64(samples.good_certificate().content)
    return queue(
        agent, business_name="Northwind Ltd", incorporation_documents=[file], **given
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
