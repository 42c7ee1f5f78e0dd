from __future__ import annotations

import errno
import threading
import time
from datetime import timedelta

import pytest
from celery import signals
from django.db import OperationalError, connection, transaction
from django.utils.timezone import now

from compliance.celery import app
from compliance.storage import stored_files
from compliance.work import isolation, notify
from compliance.work.queues import MAX_DEATHS, WorkQueue
from compliance.work.timing import COALESCE_SECONDS
from reviews.models import Job
from tests.factories import make_case, make_job


def queue(handler=lambda _row: None, **values) -> WorkQueue:
    return WorkQueue("test", Job, handler, **values)


@pytest.mark.django_db
def test_a_due_row_is_done_once_and_settled():
    job = make_job()
    rows = []

    def handler(row):
        rows.append(row.pk)
        row.complete()

    assert queue(handler).drain() == 1
    assert queue(handler).drain() == 0
    assert rows == [job.pk]


@pytest.mark.django_db
def test_a_row_that_is_not_due_yet_waits():
    make_job(due_at=now() + timedelta(minutes=1))
    assert not queue().is_due()
    assert queue().claim() == []


@pytest.mark.django_db
def test_a_leased_row_is_nobody_elses_until_the_lease_ends():
    make_job()
    assert len(queue(lease=timedelta(seconds=60)).claim()) == 1
    assert queue().claim() == []
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    assert len(queue().claim()) == 1


@pytest.mark.django_db
def test_who_lost_the_lease_can_neither_settle_nor_extend():
    make_job()
    [slow] = queue().claim()
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    [quick] = queue().claim()
    assert not slow.complete()
    assert not slow.renew(timedelta(seconds=5))
    assert quick.complete()


@pytest.mark.django_db
def test_moving_does_not_take_over_the_claim_of_another_worker():
    make_job()
    [slow] = queue().claim()
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    queue().claim()
    slow.move(Job.Status.COMPLETE)
    assert not slow.renew(timedelta(seconds=5))


@pytest.mark.django_db
def test_a_fault_delays_the_row_and_too_many_give_it_up():
    job = make_job()
    given_up = []

    def handler(_row):
        raise RuntimeError

    def give_up(row, reason):
        given_up.append(reason)
        row.complete()

    broken = queue(handler, on_exhausted=give_up, max_failures=2)
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
    apart = queue(group_by="case_id")
    first = apart.claim()
    assert len(first) == 1
    assert [row.pk for row in apart.claim()] == [other.pk]
    assert apart.claim() == []
    first[0].complete()
    assert len(apart.claim()) == 1


needs_postgresql = pytest.mark.skipif(
    connection.vendor != "postgresql", reason="SQLite has one writer and one such plan."
)


@needs_postgresql
@pytest.mark.django_db
def test_a_claim_takes_no_more_rows_than_its_size_whatever_the_plan():
    # The planner compares each row of the table with the subquery, which it then runs each time.
    # It chooses this by itself for small tables with some statistics.
    case = make_case()
    for _ in range(5):
        make_job(case)
    with connection.cursor() as cursor:
        for plan in ("hashagg", "hashjoin", "mergejoin", "sort", "material"):
            cursor.execute(f"SET LOCAL enable_{plan} = off")
    assert len(queue(batch_size=2).claim()) == 2
    assert len(queue().claim()) == 1


@needs_postgresql
@pytest.mark.django_db(transaction=True)
def test_two_claims_at_once_take_rows_of_different_groups():
    case = make_case()
    make_job(case)
    make_job(case)
    apart = queue(group_by="case_id")
    claims: list[int] = []

    def claim():
        claims.append(len(apart.claim()))
        connection.close()

    other = threading.Thread(target=claim)
    with transaction.atomic():
        claims.append(len(apart.claim()))
        # The other claim begins before this one is committed.
        other.start()
        other.join(timeout=1)
    other.join()
    assert sorted(claims) == [0, 1]


@pytest.mark.django_db(transaction=True)
def test_many_workers_claim_each_row_once():
    for _ in range(20):
        make_job(make_case(make_connection_once()))
    claimed: list[object] = []

    def claim():
        while rows := queue(batch_size=3, lease=timedelta(minutes=5)).claim():
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
    items = []

    def handler(row):
        items.append(row.pk)
        row.complete()

    def together(rows):
        raise RuntimeError

    assert queue(handler, batch_handler=together, batch_size=8).drain() == 3
    assert len(items) == 3


@pytest.mark.django_db
def test_what_is_left_of_a_batch_is_done_next():
    case = make_case()
    for _ in range(3):
        make_job(case)
    items = []

    def together(rows):
        items.append(len(rows))
        rows[0].complete()
        return 1

    queue(lambda row: row.complete(), batch_handler=together, batch_size=8).drain()
    assert items == [3, 2]  # the last one is alone


@pytest.mark.django_db
def test_what_a_batch_handler_leaves_is_given_back():
    case = make_case()
    for _ in range(5):
        make_job(case)

    def some(rows):
        rows[0].complete()
        return 1

    wide = queue(batch_handler=some, batch_size=8)
    wide.drain(seconds=0)
    assert len(queue(batch_size=50).claim()) == 4


def test_many_wake_ups_are_few_messages(settings, monkeypatch):
    settings.CELERY_BROKER_URL = "memory://"
    publisher = notify._Publisher()
    monkeypatch.setattr(notify, "_publisher", publisher)
    publisher._thread = (
        threading.current_thread()
    )  # so that none is started, which would publish
    for _ in range(100):
        notify.at_once("a")
        notify.at_once("b")
    began = time.monotonic()
    assert {publisher._wait(), publisher._wait()} == {"a", "b"}
    notify.at_once("a")
    assert publisher._wait() == "a"
    assert time.monotonic() - began >= COALESCE_SECONDS * 0.9


@pytest.mark.django_db
def test_a_row_that_was_deleted_meanwhile_holds_up_no_other():
    case = make_case()
    for _ in range(3):
        make_job(case)
    items = []

    def handler(row):
        items.append(row.pk)
        if len(items) == 1:
            Job.objects.filter(pk=row.pk).delete()
            raise RuntimeError
        row.complete()

    queue(handler).drain()
    assert len(items) == 3
    assert not queue().is_due()


@pytest.mark.django_db
def test_a_deleted_row_of_a_batch_that_fails_holds_up_no_other():
    case = make_case()
    for _ in range(3):
        make_job(case)
    items = []

    def together(rows):
        Job.objects.filter(pk=rows[0].pk).delete()
        raise RuntimeError

    def handler(row):
        items.append(row.pk)
        row.complete()

    assert queue(handler, batch_handler=together, batch_size=8).drain() == 2
    assert len(items) == 2
    assert not queue().is_due()


@pytest.mark.django_db
def test_a_row_whose_end_fails_is_tried_again_later_and_holds_up_no_other():
    case = make_case()
    for _ in range(2):
        make_job(case)
    items = []

    def handler(row):
        items.append(row.pk)
        if len(items) == 1:
            raise RuntimeError
        row.complete()

    def end(row, reason):
        raise RuntimeError

    queue(handler, on_exhausted=end, max_failures=1, batch_size=2).drain()
    assert len(items) == 2
    row = Job.objects.get(pk=items[0])
    assert (row.failures, row.leased_until) == (1, None)
    assert row.due_at > now()


class DiedError(BaseException):
    """Stands for kill -9: nothing of the worker's own code runs after it."""


def die_with(*deadly):
    def handler(row):
        if row.pk in deadly:
            raise DiedError
        row.complete()

    return handler


def drain_until_none_is_due(worked: WorkQueue) -> int:
    """Drain as workers that die and are started again. Returns how many died."""
    deaths = 0
    while deaths < 50:
        try:
            worked.drain()
        except DiedError:
            deaths += 1
            Job.objects.filter(leased_until__isnull=False).update(
                leased_until=now() - timedelta(seconds=1)
            )
        else:
            break
    return deaths


@pytest.mark.django_db
@pytest.mark.parametrize("batch_size", [1, 4])
def test_a_row_with_which_workers_die_is_ended_and_no_other(batch_size):
    case = make_case()
    jobs = [make_job(case, remote_id=str(number)) for number in range(4)]
    given_up = {}

    def give_up(row, reason):
        given_up[row.pk] = reason
        row.complete()

    deadly = jobs[2].pk
    worked = queue(die_with(deadly), on_exhausted=give_up, batch_size=batch_size)
    assert drain_until_none_is_due(worked) == MAX_DEATHS + 1
    assert [*given_up] == [deadly]
    assert given_up[deadly] == "The worker ended 9 times before it was done."
    assert not Job.objects.filter(due_at__isnull=False).exists()


@pytest.mark.django_db
def test_leases_that_a_killed_worker_left_count_as_well():
    make_job()
    given_up = []
    worked = queue(
        die_with(*Job.objects.values_list("pk", flat=True)),
        on_exhausted=lambda row, reason: given_up.append(row.complete()),
    )
    for _ in range(MAX_DEATHS + 1):
        with pytest.raises(DiedError):
            worked.drain()
        worked.drop_leases()
    worked.drain()
    assert given_up == [True]


@pytest.mark.django_db(transaction=True)
def test_a_row_beside_which_workers_died_is_tried_alone_before_it_is_ended():
    case = make_case()
    other = make_job(case, remote_id="other")
    has_begun, may_end = threading.Event(), threading.Event()
    handled, ended = [], []

    def handler(row):
        if row.pk == other.pk:
            has_begun.set()
            may_end.wait(60)
        handled.append(row.pk)
        row.complete()

    def work():
        worked.drain()
        connection.close()

    worked = queue(handler, on_exhausted=lambda row, _: ended.append(row.pk))
    threads = [threading.Thread(target=work) for _ in range(2)]
    threads[0].start()
    assert has_begun.wait(60)
    innocent = make_job(case, remote_id="innocent", failures=MAX_DEATHS)
    threads[1].start()
    # A worker that dies now does not die with the row that waits for its trial.
    waiting = Job.objects.filter(pk=innocent.pk, failures=MAX_DEATHS - 1)
    end = time.monotonic() + 60
    while not waiting.exists() and time.monotonic() < end:
        time.sleep(0.01)
    assert handled == []
    may_end.set()
    for thread in threads:
        thread.join(60)
    assert (handled, ended) == ([other.pk, innocent.pk], [])


@pytest.mark.django_db
def test_a_worker_that_is_stopped_gives_its_row_back_at_once():
    make_job()

    def handler(row):
        raise isolation.StoppedError

    stopped = queue(handler, on_exhausted=lambda row, reason: None)
    stopped.drain(seconds=0)
    job = Job.objects.get()
    assert (job.leased_until, job.failures) == (None, 0)
    assert queue(lambda row: row.complete()).drain() == 1


@pytest.fixture
def shutdown(monkeypatch):
    """The event that a shutdown of the worker sets."""
    event = threading.Event()
    monkeypatch.setattr(isolation, "_stopping", event)
    return event


@pytest.mark.django_db
@pytest.mark.parametrize("batch_size", [1, 8])
def test_a_worker_that_is_stopped_ends_the_row_in_hand_and_no_other(
    shutdown, batch_size
):
    case = make_case()
    for _ in range(3):
        make_job(case)

    def handler(row):
        row.complete()
        shutdown.set()

    assert queue(handler, batch_size=batch_size).drain() == 1
    assert Job.objects.filter(due_at__isnull=False).count() == 2
    assert not Job.objects.filter(leased_until__isnull=False).exists()


def test_celery_tells_its_threads_of_a_shutdown(shutdown):
    app.loader.import_default_modules()
    assert not isolation.is_stopping()
    signals.worker_shutting_down.send(sender="work@test", sig="SIGTERM", how="Warm")
    assert isolation.is_stopping()


def _of_postgresql(state: str) -> OperationalError:
    error = OperationalError()
    error.__cause__ = Exception()
    error.__cause__.sqlstate = state  # type: ignore[attr-defined]
    return error


@pytest.mark.django_db
@pytest.mark.parametrize(
    "outage",
    [
        pytest.param(_of_postgresql("55P03"), id="a table that is locked"),
        pytest.param(_of_postgresql("57P01"), id="a database that stops"),
        pytest.param(_of_postgresql("08P01"), id="a pool that lost its database"),
        pytest.param(_of_postgresql("57P05"), id="a database that ends idle sessions"),
        pytest.param(OSError(errno.ENOSPC, ""), id="a full disk"),
        pytest.param(stored_files.FullError(), id="a full document store"),
        pytest.param(stored_files.StoredError(), id="a document store that is away"),
    ],
)
def test_an_outage_ends_no_row_however_long_it_lasts(outage):
    job = make_job()
    ended = []

    def handler(_row):
        raise outage

    def end(row, reason):
        ended.append(reason)

    for _ in range(3 * MAX_DEATHS):
        queue(handler, on_exhausted=end, max_failures=2).drain()
        job.refresh_from_db()
        # Not at once: the next look would find the same.
        assert job.due_at > now()
        Job.objects.update(due_at=now())
    assert ended == []
    done = queue(lambda row: row.complete(), on_exhausted=end, max_failures=2)
    assert done.drain() == 1
    assert ended == []


@pytest.mark.django_db
@pytest.mark.parametrize(
    "fault", [_of_postgresql("57014"), stored_files.ChangedError(), OSError()]
)
def test_an_error_that_the_row_may_cause_ends_it(fault):
    make_job()
    ended = []

    def handler(_row):
        raise fault

    def end(row, reason):
        ended.append(reason)
        row.complete()

    for _ in range(2):
        queue(handler, on_exhausted=end, max_failures=2).drain()
        Job.objects.filter(due_at__isnull=False).update(due_at=now())
    assert len(ended) == 1


@pytest.mark.django_db
@pytest.mark.parametrize("failures", [1, MAX_DEATHS + 1])
def test_who_lost_the_lease_does_not_end_the_row_of_another_worker(failures):
    job = make_job(failures=failures)
    ended = []

    def handler(_row):
        _lose_the_lease()
        raise RuntimeError

    lost = queue(handler, on_exhausted=lambda row, _: ended.append(row), max_failures=2)
    if failures == 1:
        lost.drain()
    else:
        rows = lost.claim()
        _lose_the_lease()
        lost._work(rows)
    job.refresh_from_db()
    assert ended == []
    assert job.claim_count == 2
    assert job.leased_until is not None


def _lose_the_lease() -> None:
    """As during a long pause of this worker."""
    Job.objects.update(leased_until=now() - timedelta(seconds=1))
    assert queue().claim()


@pytest.mark.django_db
def test_a_row_that_cannot_be_read_does_not_die_of_it_and_holds_up_no_other():
    case = make_case()
    unreadable = make_job(case, remote_id="unreadable")
    _write_what_newer_code_writes(unreadable)
    ended, handled = [], []

    def handler(row):
        handled.append(row.pk)
        row.complete()

    worked = queue(
        handler, on_exhausted=lambda row, _: ended.append(row.pk), batch_size=2
    )
    for number in range(MAX_DEATHS + 2):
        other = make_job(case, remote_id=str(number))
        worked.drain()
        assert handled == [other.pk]
        handled.clear()
        Job.objects.filter(due_at__isnull=False).update(due_at=now())
        Job.objects.filter(leased_until__isnull=False).update(leased_until=now())
    assert ended == []
    stored = Job.objects.filter(pk=unreadable.pk)
    assert stored.values_list("failures", flat=True).get() == 0


def _write_what_newer_code_writes(job: Job) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE reviews_job SET notice = %s WHERE remote_id = %s",
            [b"\x01newer", job.remote_id],
        )
    with pytest.raises(ValueError, match="Expecting value"):
        job.refresh_from_db()
