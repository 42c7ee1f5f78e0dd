"""A case is erased while the desk waits for the service's answer about its job."""

from __future__ import annotations

import pytest
from django.db import connection

from compliance.security import data_keys
from reviews.audit import verification
from reviews.jobs import lifecycle
from reviews.models import Case, CaseEvent, CheckResult, Connection, Job
from tests.fakeservice import running
from tests.reviews.records.test_erased_meanwhile import Eraser
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
NAME = "Quillbottom"
RESULT = {"passed": False, "explanation": f"{NAME} is on a list.", "payload": {}}


class OtherWorker(Eraser):
    """Erases the case as another process does: this one has its key in memory for up to a minute."""

    def __call__(self, execute, sql, *rest):
        if self.is_done or f'FROM "{self.table}"' not in sql:
            return execute(sql, *rest)
        key_id = self.case.data_key_id
        assert key_id is not None
        before = data_keys._key(key_id)
        answer = super().__call__(execute, sql, *rest)
        data_keys._cache_key(key_id, before)
        return answer


@pytest.fixture
def service():
    with running() as service:
        yield service


@pytest.fixture
def job(service) -> Job:
    """A job that has ended, whose results the desk asks for once more. Its case is decided."""
    one_person()
    case = open_case(subject=f"{NAME} Ltd", recommendation="Approve")
    Connection.objects.update(base_url=service.url)
    decide(case, someone("analyst", "ana"))
    job = Job.objects.get()
    service.jobs[job.remote_id] = {
        "id": job.remote_id,
        "status": "complete",
        "recommendation": "Deny",
        "check_results": [{"check_id": "kyb.x", "status": "complete", "result": RESULT}],
    }  # fmt: skip
    return job


@pytest.mark.parametrize("eraser", [Eraser, OtherWorker])
@pytest.mark.parametrize("status", [Job.Status.COMPLETE, Job.Status.RUNNING])
def test_nothing_of_the_answer_is_kept(job, eraser, status):
    # The erasure is refused while a job runs: another worker has ended it since.
    job.status = status
    last = CaseEvent.objects.latest("pk").pk
    with connection.execute_wrapper(eraser(job.case, "reviews_case")):
        lifecycle.advance(job)
    case = Case.objects.get()
    assert case.erased_at is not None
    assert not CheckResult.objects.filter(check_id="kyb.x").exists()
    assert (case.status, case.alarm) == (Case.Status.DECIDED, "")
    lines = CaseEvent.objects.filter(pk__gt=last).values_list("what", flat=True)
    assert not {"alarm", "reopened", "results_received", "job_complete"} & set(lines)
    assert Job.objects.get().due_at is None
    assert list(verification.row_faults([CheckResult, Job, Case])) == []


def test_an_error_of_the_service_is_not_kept_either(job, service):
    service.jobs.clear()
    job.tries = 20
    with connection.execute_wrapper(OtherWorker(job.case, "reviews_case")):
        lifecycle.advance(job)
    row = Job.objects.get()
    assert row.due_at is None
    assert Case.objects.get().alarm == ""
