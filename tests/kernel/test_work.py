from __future__ import annotations

import threading
import time
from datetime import timedelta

import pytest
from django.db import connection
from django.utils.timezone import now

from compliance import bell
from compliance.work import Lane
from reviews.models import Job
from tests.factories import make_case, make_job


def lane(perform=lambda _row: None, **given) -> Lane:
    return Lane("test", Job, perform, **given)


@pytest.mark.django_db
def test_a_due_row_is_done_once_and_settled():
    job = make_job()
    done = []

    def perform(row):
        done.append(row.pk)
        row.settle()

    assert lane(perform).drain() == 1
    assert lane(perform).drain() == 0
    assert done == [job.pk]


@pytest.mark.django_db
def test_a_row_that_is_not_due_yet_waits():
    make_job(due_at=now() + timedelta(minutes=1))
    assert not lane().is_due()
    assert lane().claim() == []


@pytest.mark.django_db
def test_a_leased_row_is_nobody_elses_until_the_lease_ends():
    make_job()
    assert len(lane(lease=timedelta(seconds=60)).claim()) == 1
    assert lane().claim() == []
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    assert len(lane().claim()) == 1


@pytest.mark.django_db
def test_who_lost_the_lease_can_neither_settle_nor_extend():
    make_job()
    [slow] = lane().claim()
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    [quick] = lane().claim()
    assert not slow.settle()
    assert not slow.extend(timedelta(seconds=5))
    assert quick.settle()


@pytest.mark.django_db
def test_moving_does_not_take_over_the_claim_of_another_worker():
    make_job()
    [slow] = lane().claim()
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    lane().claim()
    slow.move(Job.Status.COMPLETE)
    assert not slow.extend(timedelta(seconds=5))


@pytest.mark.django_db
def test_a_fault_delays_the_row_and_too_many_give_it_up():
    job = make_job()
    given_up = []

    def perform(_row):
        raise RuntimeError

    def give_up(row, reason):
        given_up.append(reason)
        row.settle()

    broken = lane(perform, give_up=give_up, most_faults=2)
    broken.drain()
    job.refresh_from_db()
    assert job.due_at is not None
    assert job.due_at > now()
    assert job.leased_until is None
    Job.objects.update(due_at=now())
    broken.drain()
    assert given_up == ["It failed after 2 attempts (RuntimeError)."]


@pytest.mark.django_db
def test_rows_of_a_group_are_not_worked_side_by_side():
    case = make_case()
    make_job(case)
    make_job(case)
    other = make_job(make_case(case.connection))
    apart = lane(apart="case_id")
    first = apart.claim()
    assert len(first) == 1
    assert [row.pk for row in apart.claim()] == [other.pk]
    assert apart.claim() == []
    first[0].settle()
    assert len(apart.claim()) == 1


@pytest.mark.django_db(transaction=True)
def test_many_workers_claim_each_row_once():
    for _ in range(20):
        make_job(make_case(make_connection_once()))
    claimed: list[object] = []

    def claim():
        while rows := lane(batch=3, lease=timedelta(minutes=5)).claim():
            claimed.extend(row.pk for row in rows)
        connection.close()

    threads = [threading.Thread(target=claim) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(claimed) == len(set(claimed)) == 20


def make_connection_once():
    from reviews.models import Connection
    from tests.factories import make_connection

    return Connection.objects.first() or make_connection()


@pytest.mark.django_db
def test_rows_done_together_are_done_one_by_one_where_that_fails():
    case = make_case()
    for _ in range(3):
        make_job(case)
    done = []

    def perform(row):
        done.append(row.pk)
        row.settle()

    def together(rows):
        raise RuntimeError

    assert lane(perform, together=together, batch=8).drain() == 3
    assert len(done) == 3


@pytest.mark.django_db
def test_what_is_left_of_a_batch_is_done_next():
    case = make_case()
    for _ in range(3):
        make_job(case)
    taken = []

    def together(rows):
        taken.append(len(rows))
        rows[0].settle()
        return 1

    lane(lambda row: row.settle(), together=together, batch=8).drain()
    assert taken == [3, 2]  # the last one is alone


@pytest.mark.django_db
def test_a_claim_takes_the_share_of_a_thread_and_gives_back_what_it_does_not_come_to():
    case = make_case()
    for _ in range(20):
        make_job(case)
    taken = []

    def together(rows):
        taken.append(len(rows))
        rows[0].settle()
        return 1

    wide = lane(lambda row: row.settle(), together=together, batch=2, burst=8, threads=4)
    first = wide.claim()
    assert len(first) == 5  # of 20 that wait for 4 threads
    wide._give_back(first)
    wide.drain()
    assert (taken[0], max(taken)) == (5, 5)
    assert lane(batch=50).claim() == []


@pytest.mark.django_db
def test_a_claim_takes_no_more_than_its_most_and_no_less_than_its_least():
    case = make_case()
    for _ in range(20):
        make_job(case)
    assert len(lane(batch=2, burst=8, threads=2).claim()) == 8
    assert len(lane(batch=6, burst=8, threads=4).claim()) == 6


def test_a_ring_in_a_worker_is_a_message_only_where_nobody_is_idle(settings, monkeypatch):
    settings.CELERY_BROKER_URL = "memory://"
    published: list[str] = []
    monkeypatch.setattr(bell._ringer, "add", lambda lane, within: published.append(lane))
    idle = True
    monkeypatch.setitem(bell._listeners, "a", lambda _: idle)
    bell.ring_now("a")
    assert published == []
    idle = False
    bell.ring_now("a")
    bell.ring_now("b")
    assert published == ["a", "b"]


def test_a_lone_job_rings_at_once_and_many_ring_at_an_even_pace():
    ringer = bell._Ringer()
    moment, rung = 100.0, []
    while moment < 105:
        moment = max(moment, ringer._when("a"))
        ringer._space(["a"], moment)
        rung.append(moment)
    assert rung[bell.AHEAD - 1] - rung[0] == pytest.approx((bell.AHEAD - 1) * bell.GAP)
    assert rung[-1] - rung[-2] == pytest.approx(bell.SPACING)
    ringer._space(["a"], 110.0)
    assert ringer._when("a") == pytest.approx(110 + bell.GAP)
    assert ringer._when("b") <= 110  # the next step of the same job is another lane's


def test_a_ring_that_may_wait_does_and_goes_with_the_one_that_may_not():
    ringer = bell._Ringer()
    ringer._thread = threading.current_thread()  # so that none is started, which would publish
    ringer.add("a", 20.0)
    assert ringer._when("a") > time.monotonic() + 10
    ringer.add("a", 0.0)
    ringer.add("a", 20.0)
    assert ringer._when("a") <= time.monotonic()
