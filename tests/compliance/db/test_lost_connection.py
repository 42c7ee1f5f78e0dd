"""A connection that was lost while it lay idle costs nobody a request."""

from __future__ import annotations

import pytest
from django.db import DatabaseError, OperationalError, connection, transaction

from compliance.db import fast_sql
from compliance.work.queues import WorkQueue
from reviews.models import Connection, Job
from tests.factories import make_job
from webhooks import senders

pytestmark = pytest.mark.django_db(transaction=True)


def one() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        [result] = cursor.fetchone()
    return int(result)


def cut() -> None:
    """End the connection from the server's side, as a restart of it would."""
    with (
        connection.copy().temporary_connection() as other,
        connection.cursor() as cursor,
    ):
        cursor.execute("SELECT pg_backend_pid()")
        other.execute("SELECT pg_terminate_backend(%s)", cursor.fetchone())


def test_nothing_is_asked_first(django_assert_num_queries):
    for name, value in (("health_check_enabled", True), ("health_check_done", False)):
        setattr(connection, name, value)
    with django_assert_num_queries(1):
        assert fast_sql.without_health_check(one) == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not lost")
def test_a_lost_connection_is_opened_anew():
    one()
    cut()
    assert fast_sql.without_health_check(one) == 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not lost")
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not lost")
def test_the_next_request_opens_a_lost_connection_again():
    assert fast_sql.fetch_models(Connection, is_active=True) == []
    cut()
    connection.close_if_unusable_or_obsolete()  # as Django does before each request
    assert senders.find("hub") is None


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not lost")
@pytest.mark.fault("F6", "a worker's connection is cut while it has a row")
def test_a_row_in_hand_is_given_back_and_no_failure_is_counted():
    def handler(_row: Job) -> None:
        cut()
        one()

    job = make_job()
    queue = WorkQueue("test", Job, handler, on_exhausted=lambda *_: None)
    assert queue.drain() == 1
    job.refresh_from_db()
    assert (job.leased_until, job.failures) == (None, 0)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite is not lost")
def test_in_a_transaction_what_was_lost_is_told():
    def lose() -> None:
        with transaction.atomic():
            one()
            cut()
            fast_sql.without_health_check(one)

    with pytest.raises(DatabaseError):
        lose()


def test_a_fault_of_the_statement_is_told_at_once():
    rows: list[int] = []

    def failing() -> None:
        rows.append(one())
        raise OperationalError("of a test")

    with pytest.raises(OperationalError):
        fast_sql.without_health_check(failing)
    assert rows == [1]
