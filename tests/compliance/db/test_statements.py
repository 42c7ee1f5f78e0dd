"""Statements written once do what Django's own do, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import Error, IntegrityError, connection, transaction
from django.db.models.functions import Now
from django.utils.timezone import now

from compliance.db import fast_sql
from compliance.db.states import stored_values
from reviews.models import Case, CheckResult, Job
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)
ODD = {"name": "Ünï \\ 'quoted' %s", "list": [1, None, True, 1.5], "deep": {"a": []}}


@pytest.fixture
def case():
    return factories.make_case(self_attested_data=ODD)


def _values(row):
    return {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
    }


@pytest.fixture(params=["as they are", "watched"])
def way(request):
    """PostgreSQL's own way, and the one of Django's cursor, where somebody watches."""
    connection.force_debug_cursor = request.param == "watched"
    yield
    connection.force_debug_cursor = False


def test_a_row_is_what_the_orm_reads(case, way):
    [read] = fast_sql.fetch_models(Case, pk=case.pk)
    assert _values(read) == _values(Case.objects.get(pk=case.pk))
    assert not read._state.adding
    read.subject = "Saved as any other"
    read.save()
    assert Case.objects.get().subject == "Saved as any other"


def test_conditions_and_order(case, way):
    jobs = [factories.make_job(case, check_id=check) for check in ("a", "b", "c")]
    result = fast_sql.fetch_models(Job, order="-check_id", case=case)
    assert [job.check_id for job in result] == ["c", "b", "a"]
    result = fast_sql.fetch_models(
        Job, order="check_id", pk__in=jobs[:2], status__in=["running", "x"]
    )
    assert [job.pk for job in result] == [job.pk for job in jobs[:2]]
    assert fast_sql.fetch_models(Job, pk__in=[]) == []
    assert fast_sql.fetch_models(Job, case=case, check_id="' OR 1=1 --") == []


def test_what_was_not_read_is_read_when_asked_for(case, way):
    factories.make_job(case, sent=ODD)
    [job] = fast_sql.fetch_models(Job, only=("case", "status"), case=case)
    assert job.get_deferred_fields() >= {"sent", "error"}
    assert job.sent == ODD


def test_an_update_says_how_many_it_changed(case, way):
    job = factories.make_job(case)
    moment = now()
    values = {
        "error": "O'Hara %s",
        "sent": ODD,
        "ended_at": moment,
        "agent": None,
        "tries": 3,
    }
    changes = stored_values(job, values)
    assert (
        fast_sql.update(Job, changes, pk=job.pk, status__in=["queued", "running"]) == 1
    )
    assert fast_sql.update(Job, {"tries": 4}, pk=job.pk, status="failed") == 0
    job.refresh_from_db()
    assert (job.error, job.sent, job.ended_at, job.agent_id) == (
        "O'Hara %s",
        ODD,
        moment,
        None,
    )
    assert job.tries == 3


def test_an_update_may_ask_the_database_for_the_time(case, way):
    job = factories.make_job(case)
    assert (
        fast_sql.update(Job, {"leased_until": Now() + timedelta(hours=1)}, pk=job.pk)
        == 1
    )
    job.refresh_from_db()
    assert job.leased_until is not None
    assert job.leased_until > now()


def test_rows_are_inserted_and_know_their_keys(case, way):
    job = factories.make_job(case)
    rows = [
        CheckResult(job=job, source="tool", check_id=check, body=ODD, passed=None)
        for check in ("one", "two")
    ]
    fast_sql.insert(rows)
    fast_sql.insert([])
    assert [
        (row.pk, row.check_id, row.body) for row in CheckResult.objects.order_by("id")
    ] == [(row.pk, row.check_id, ODD) for row in rows]
    assert not any(row._state.adding for row in rows)


def test_a_row_takes_the_place_of_one_that_stands(case, way):
    job = factories.make_job(case)
    newer = fast_sql.Replacing(
        ("job", "source", "check_id", "subject"), ("body", "passed")
    )
    for passed in (False, True):
        row = CheckResult(
            job=job, source="tool", check_id="a", body=[passed], passed=passed
        )
        fast_sql.insert([row], replacing=newer)
    row = CheckResult.objects.get()
    assert (row.body, row.passed) == ([True], True)


def test_a_row_that_is_there_is_an_integrity_error(case, way):
    job = factories.make_job(case)
    twin = Job(case=case, connection=job.connection, remote_id=job.remote_id)
    with pytest.raises(IntegrityError), transaction.atomic():
        fast_sql.insert([twin])
    assert Job.objects.count() == 1


def test_what_a_statement_writes_comes_back(case, way):
    job = factories.make_job(case, sent=ODD)
    sql = "UPDATE reviews_job SET tries = %s WHERE remote_id = %s"
    unread = []
    [output] = fast_sql.update_returning(
        Job,
        sql,
        [7, job.remote_id],
        on_unreadable=lambda row, exc: unread.append(row.pk),
        readable=["pk"],
    )
    assert (output.pk, output.tries, output.sent) == (job.pk, 7, ODD)
    assert unread == []


def test_statements_are_counted(case, django_assert_num_queries):
    with django_assert_num_queries(2):
        fast_sql.fetch_models(Case, pk=case.pk)
        fast_sql.update(Case, {"risk": 1}, pk=case.pk)


def test_a_statement_that_failed_leaves_no_open_cursor(case):
    """Its error keeps the cursor, and another thread may be the one that collects both."""
    connection.force_debug_cursor = True
    try:
        with pytest.raises(IntegrityError) as caught, transaction.atomic():
            fast_sql.insert([Case(pk=case.pk)])
    finally:
        connection.force_debug_cursor = False
    [cursor] = [
        entry.frame.f_locals["cursor"]
        for entry in caught.traceback
        if entry.name == "_run"
    ]
    with pytest.raises(Error, match="closed"):
        cursor.fetchall()
