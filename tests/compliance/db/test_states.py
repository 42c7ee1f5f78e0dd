from __future__ import annotations

import threading

import pytest
from django.db import connection

from reviews.models import Job
from tests.factories import make_job


@pytest.mark.django_db
def test_only_one_of_two_workers_moves_a_job():
    mine = make_job(status=Job.Status.QUEUED)
    theirs = Job.objects.get(pk=mine.pk)
    assert mine.move(Job.Status.RUNNING)
    assert not theirs.move(Job.Status.RUNNING)


@pytest.mark.django_db
def test_a_complete_job_does_not_go_back():
    job = make_job()
    assert job.move(Job.Status.COMPLETE)
    assert not job.move(Job.Status.FAILED)
    assert Job.objects.get().status == Job.Status.COMPLETE


@pytest.mark.django_db
def test_a_move_stamps_the_row():
    job = make_job()
    before = job.updated_at
    job.move(Job.Status.COMPLETE, recommendation="Approve")
    row = Job.objects.get()
    assert row.updated_at > before
    assert row.recommendation == job.recommendation == "Approve"


@pytest.mark.django_db(transaction=True)
def test_of_eight_threads_one_wins():
    job = make_job()
    won: list[bool] = []

    def race():
        won.append(Job.objects.get(pk=job.pk).move(Job.Status.COMPLETE))
        connection.close()

    threads = [threading.Thread(target=race) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(won) == [False] * 7 + [True]
