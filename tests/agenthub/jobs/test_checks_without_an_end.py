"""No check stays open after its job has ended: clients would wait for its result for ever."""

from __future__ import annotations

import pytest
from django.utils import translation

from agenthub.jobs import lifecycle, progress
from agenthub.models import AgentJob, CheckRun
from reviews.results import sentences

pytestmark = pytest.mark.django_db

SCREENING = "kyb.sanctions_screening_check_v2"
NAMES = "kyb.basic_business_profile_check"


def results_by_check(caller, job):
    results = caller.get("getCheckResults", job_id=str(job.job_id)).json()
    return {result["check_id"]: result for result in results}


def begun(caller, *, check_id):
    """A job of which this check has begun, as a worker that died left it."""
    job = caller.job()
    job.move(AgentJob.Status.RUNNING)
    run = CheckRun.waiting(job, check_id)
    run.save()
    run.begin("Reading")
    return job


def test_the_checks_of_a_job_that_is_given_up_have_failed(caller):
    job = begun(caller, check_id=SCREENING)
    ended = CheckRun.objects.create(
        job=job,
        check_id=NAMES,
        **CheckRun.ended(
            CheckRun.Status.COMPLETED, {"verdict": "pass", "explanation": "All well."}
        ),
    )
    lifecycle.give_up(job, "It failed after 5 attempts (ValueError).")
    results = results_by_check(caller, job)
    assert results[SCREENING]["status"] == "failed"
    result = results[SCREENING]["result"]
    assert (result["verdict"], result["passed"]) == ("inconclusive", False)
    assert result["explanation"] in str(results[SCREENING]["status_messages"][-1])
    # What had ended before is as it was.
    assert results[ended.check_id]["result"]["verdict"] == "pass"


@pytest.mark.parametrize("has_begun", [True, False])
def test_a_check_that_the_agent_lost_meanwhile_has_failed(caller, work_off, has_begun):
    caller.kyb.checks = [{"check_id": NAMES}, {"check_id": SCREENING}]
    caller.kyb.save()
    job = begun(caller, check_id=SCREENING)
    if not has_begun:
        CheckRun.objects.update(status=CheckRun.Status.PENDING)
    caller.kyb.checks = [{"check_id": NAMES}]
    caller.kyb.save()
    work_off()
    job.refresh_from_db()
    results = results_by_check(caller, job)
    assert results[SCREENING]["status"] == "failed"
    assert results[NAMES]["status"] == "completed"
    # A person must look at what was asked for and not done.
    assert (job.status, job.recommendation) == ("COMPLETE", "Review")


def test_the_reasons_are_shown_in_other_languages():
    for text in (progress.JOB_ENDED, progress.CHECK_REMOVED):
        with translation.override("de"):
            assert sentences.in_words(text) != text
