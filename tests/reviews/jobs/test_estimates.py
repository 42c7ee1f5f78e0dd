"""The page of a case and REST say what a job waits for, and about how long it takes."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils.timezone import now

from reviews.models import Job
from tests.factories import make_case, make_connection, make_job, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def connection():
    return make_connection()


def ended(connection, *, seconds: float, ago: float = 0.0) -> None:
    """A job that ended so many seconds ago, and took so many."""
    job = make_job(make_case(connection), status=Job.Status.COMPLETE)
    end = now() - timedelta(seconds=ago)
    Job.objects.filter(pk=job.pk).update(
        started_at=end - timedelta(seconds=seconds), ended_at=end, due_at=None
    )


def running(connection, *, seconds: float = 0.0) -> Job:
    job = make_job(make_case(connection), status=Job.Status.RUNNING)
    job.started_at = now() - timedelta(seconds=seconds)
    job.save()
    return job


@pytest.fixture
def read():
    """What REST says that a job waits for."""
    caller = Caller(someone("analyst"))
    return lambda job: caller.get(f"/jobs/{job.pk}").json()["waiting"]


def test_a_job_takes_as_long_as_others_did(connection, client, read):
    ended(connection, seconds=600)
    job = running(connection, seconds=300)
    wait = read(job)
    assert (wait["for"], wait["ahead"]) == ("result", 0)
    assert 295 < wait["seconds_left"] <= 300
    client.force_login(make_user())
    page = client.get(f"/cases/{job.case_id}/").content.decode()
    assert "About 5 min left." in page


def test_jobs_before_it_count_by_how_often_one_ends(connection, read):
    """Each takes 100 s, and one ends every 20."""
    for ago in (0, 20, 40, 60):
        ended(connection, seconds=100, ago=ago)
    for _ in range(9):
        running(connection, seconds=10)
    job = running(connection)
    other = running(make_connection("other"))
    wait = read(job)
    assert wait["ahead"] == 9
    assert 178 < wait["seconds_left"] < 182
    assert wait["text"] == "9 cases before it. About 3 min left."
    assert read(other)["ahead"] == 0


def test_it_is_unknown_where_none_has_ended_lately_or_it_takes_longer(connection, read):
    ended(connection, seconds=60, ago=700)
    job = running(connection, seconds=5)
    assert read(job)["seconds_left"] is None
    assert read(job)["text"] == "How long it takes is unknown."
    ended(connection, seconds=60)
    late = running(connection, seconds=90)
    Job.objects.filter(pk=job.pk).update(status="complete", due_at=None)
    assert read(late)["seconds_left"] is None


def test_a_case_that_waits_to_be_sent_says_what_is_before_it(connection, client, read):
    running(connection)
    job = make_job(make_case(connection), status=Job.Status.QUEUED)
    assert (read(job)["for"], read(job)["ahead"]) == ("sending", 1)
    client.force_login(make_user())
    page = client.get(f"/cases/{job.case_id}/").content.decode()
    assert "Waiting to be sent to" in page
    assert "1 case before it. How long it takes is unknown." in page


def test_an_ended_job_waits_for_nothing(connection, read):
    job = make_job(make_case(connection), status=Job.Status.COMPLETE, due_at=None)
    assert read(job) is None
