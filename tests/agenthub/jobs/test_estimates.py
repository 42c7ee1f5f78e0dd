"""What a job waits for, and about how long: by the turns and the pace of the last minutes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from agenthub.jobs import pace, waiting
from agenthub.models import AgentJob
from tests.agenthub.jobs.test_fairness import account, documents, queue

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _measure_anew():
    pace.forget()
    yield
    pace.forget()


def ended(agent, *, seconds: float, count: int = 4, minutes: float = 0.0) -> None:
    """Jobs that ended so many minutes ago and took so many seconds each."""
    for job in queue(agent, count=count):
        end = now() - timedelta(minutes=minutes)
        AgentJob.objects.filter(pk=job.pk).update(
            status=AgentJob.Status.COMPLETE,
            due_at=None,
            claimed_at=end - timedelta(seconds=seconds),
            updated_at=end,
        )


def of(job: AgentJob) -> waiting.Waiting:
    job.refresh_from_db()
    wait = waiting.of(job)
    assert wait
    return wait


def test_it_waits_for_the_jobs_of_its_account_and_one_turn_each_of_others():
    mine, other, third = account("mine"), account("other"), account("third", share=2)
    ended(other, seconds=2)
    queue(mine, count=5, minutes=10)
    queue(other, count=50, minutes=60)
    queue(third, count=50)
    [job] = queue(mine)
    wait = of(job)
    # 5 of its own, 6 turns of the one, 12 of the other with twice the share.
    assert (wait.reason, wait.ahead) == (waiting.TURN, 5 + 6 + 12)
    assert wait.seconds == 2 * 24
    assert wait.words == "Waits for its turn, 23 before it, about 48 s left."


def test_others_have_no_more_turns_than_work_and_batches_give_way():
    mine, other = account("mine"), account("other")
    queue(mine, count=5, minutes=10)
    queue(mine, count=30, minutes=20, is_bulk=True)
    queue(other, count=2)
    queue(other, count=30, is_bulk=True)
    [job] = queue(mine)
    [bulk] = queue(mine, is_bulk=True)
    assert of(job).ahead == 5 + 2
    assert of(bulk).ahead == 6 + 30 + 32


def test_workers_side_by_side_are_faster():
    mine, other = account("mine"), account("other")
    ended(other, seconds=10)
    for job in queue(other, count=3):
        AgentJob.objects.filter(pk=job.pk).update(
            leased_until=now() + timedelta(minutes=1)
        )
    queue(mine, count=8, minutes=1)
    [job] = queue(mine)
    assert of(job).seconds == 9 * 10 / 3


def test_nothing_is_said_where_nothing_was_measured():
    mine = account("mine")
    ended(mine, seconds=3, minutes=11)
    [job] = queue(mine)
    wait = of(job)
    assert (wait.reason, wait.seconds) == (waiting.WORKER, None)
    assert wait.words == (
        "Waits for a worker: none is at such jobs now, 0 before it, how long it takes is unknown."
    )


def test_the_pace_of_documents_is_another():
    mine = account("mine", "kyb")
    ended(mine, seconds=3)
    [job] = documents(mine)
    assert of(job).seconds is None


def test_a_job_that_is_worked_on_and_one_that_is_tried_again():
    mine = account("mine")
    ended(mine, seconds=10)
    [runs, fails] = queue(mine, count=2)
    AgentJob.objects.filter(pk=runs.pk).update(
        leased_until=now() + timedelta(minutes=1),
        claimed_at=now() - timedelta(seconds=4),
    )
    later = now() + timedelta(minutes=5)
    AgentJob.objects.filter(pk=fails.pk).update(due_at=later, failures=1)
    wait = of(runs)
    assert (wait.reason, wait.seconds) == (waiting.RESULT, 6)
    AgentJob.objects.filter(pk=runs.pk).update(claimed_at=now() - timedelta(seconds=60))
    assert of(runs).seconds is None
    wait = of(fails)
    assert (wait.reason, wait.seconds, wait.next_try_at) == (
        waiting.RETRY,
        None,
        later,
    )


def test_clients_read_it_until_the_job_has_ended(caller, work_off):
    job = caller.job()
    for endpoint in ("getJobById", "getJobStatusSummary"):
        wait = caller.get(endpoint, job_id=job.job_id).json()["waiting"]
        assert (wait["for"], wait["ahead"], wait["seconds_left"]) == (
            "worker",
            0,
            None,
        )
    work_off()
    for endpoint in ("getJobById", "getJobStatusSummary"):
        assert "waiting" not in caller.get(endpoint, job_id=job.job_id).json()
