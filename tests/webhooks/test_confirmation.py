"""A webhook is a hint: what counts is what the service says when the desk asks it (getJobById)."""

from __future__ import annotations

import itertools
import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection as database
from django.test import Client
from django.utils.timezone import now

from reviews.audit import bound_rows, trail, verification
from reviews.decisions import decisions, marks, obstacles
from reviews.decisions.decisions import RefusedError
from reviews.findings import confirmation
from reviews.findings.review_state import ReviewState
from reviews.jobs import lifecycle, polling
from reviews.jobs.start import start as start_job
from reviews.models import Case, CheckResult, Connection, Job
from reviews.results import check_label
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.fakeservice import FakeService, Step
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import decide, one_person, someone, wish
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

CHECK = "kyb.sanctions_screening_check_v2"
FAILED = {
    "passed": False,
    "explanation": "A white box hides words.",
    "payload": {"fraud_verification_data": payloads.fraud(payloads.indicator())},
}
PASSED = {"passed": True, "explanation": "Nothing was found.", "payload": {}}


@pytest.fixture
def service():
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def job(service) -> Job:
    one_person()
    connection = make_connection(base_url=service.url)
    return make_job(
        make_case(connection, agent=make_agent(connection), reference="C-1")
    )


@pytest.fixture(autouse=True)
def proven() -> Iterator[None]:
    """After each test the trail proves the results as they are, each with its confirmation."""
    yield
    assert list(verification.row_faults([CheckResult])) == []


def hook(body: dict[str, Any]) -> None:
    assert send(Client(), json.dumps(body).encode()).status_code == 200
    EVENTS.drain()


def tool(job: Job, results: Any, tool_id: str = CHECK) -> None:
    hook({"job_id": job.remote_id, "tool_id": tool_id, "results": results})


def ended(job: Job, recommendation: str = "Approve", status: str = "complete") -> None:
    hook({"id": job.remote_id, "status": status, "recommendation": recommendation})


def answers(service: FakeService, job: Job, **answer: Any) -> None:
    """What the service's own record says of the job."""
    service.jobs[job.remote_id] = {"id": job.remote_id, "status": "complete", **answer}


def checked(results: Any, check_id: str = CHECK) -> list[dict[str, Any]]:
    return [{"check_id": check_id, "status": "complete", "result": results}]


def ask(times: int = 1) -> Job:
    """What the lane does, as often as it may be due."""
    for _ in range(times):
        lifecycle.advance(Job.objects.get())
    return Job.objects.get()


def is_due(job: Job) -> bool:
    return job.due_at is not None and job.due_at <= now()


def case() -> Case:
    return Case.objects.get()


def states() -> dict[str, str]:
    rows = CheckResult.objects.filter(source="tool")
    return {row.check_id: row.confirmation for row in rows}


def test_a_webhook_does_not_end_a_job(job, service):
    answers(service, job, status="running")
    ended(job)
    assert (Job.objects.get().status, case().status) == (
        "running",
        Case.Status.CHECKING,
    )
    assert is_due(Job.objects.get())
    assert ask().status == Job.Status.RUNNING
    assert case().recommendation == ""
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    assert ask().status == Job.Status.COMPLETE
    assert (case().status, case().recommendation) == (Case.Status.TO_REVIEW, "Deny")


@pytest.mark.parametrize(
    ("message", "own"),
    list(itertools.permutations(["Approve", "Review", "Deny", "Whatever"], 2)),
)
def test_what_the_service_says_counts_and_the_difference_is_an_alarm(
    job, service, client, message, own
):
    answers(service, job, recommendation=own, check_results=checked(PASSED))
    ended(job, message)
    ask(confirmation.TRIES + 1)
    assert case().recommendation == own
    text = f"A webhook said: complete, “{message}”. The service says: complete, “{own}”, which counts."
    assert text in case().alarm
    client.force_login(make_user())
    page = words(client, f"/cases/{case().pk}/")
    assert text in page
    assert "Not confirmed by the service" in page
    assert text in words(client, "/?view=review")


def test_an_honest_webhook_leaves_no_trace_of_doubt(job, service, client):
    tool(job, PASSED)
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job)
    assert ask().status == Job.Status.COMPLETE
    assert (case().recommendation, case().alarm) == ("Approve", "")
    assert (Job.objects.get().notice, states()) == ({}, {CHECK: "confirmed"})
    assert obstacles.of(case(), ReviewState.of(case()), "approve") == []
    client.force_login(make_user())
    assert "confirm" not in words(client, f"/cases/{case().pk}/").casefold()


def test_a_tool_that_came_late_is_known_from_the_record_and_nobody_is_asked(
    job, service
):
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job)
    ask()
    before = len(service.asked)
    tool(job, PASSED)
    assert states() == {CHECK: "confirmed"}
    assert Job.objects.get().due_at is None
    assert len(service.asked) == before


def test_a_pass_that_the_service_does_not_know_improves_nothing(job, service, client):
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    ended(job, "Deny")
    ask()
    tool(job, {**FAILED, "passed": True})
    tool(job, PASSED, "document_fraud_check")
    for _ in range(confirmation.TRIES + 1):
        by_name = {check.id: check.verdict for check in ReviewState.of(case()).checks}
        assert by_name == {CHECK: "fail", "document_fraud_check": "unknown"}
        ask()
    assert states() == {CHECK: "absent", "document_fraud_check": "unavailable"}
    assert (
        "The service does not confirm a result that a webhook brought: Sanctions"
        in case().alarm
    )
    client.force_login(make_user())
    page = words(client, f"/cases/{case().pk}/?check={CHECK}")
    # The check has its name here, as everywhere on the page.
    name = check_label(CHECK)
    assert f"{name}: came by webhook. The service does not confirm it." in page
    assert f"{CHECK}: came" not in page
    page = words(client, f"/cases/{case().pk}/?check=document_fraud_check")
    assert "came by webhook alone. The service's own record cannot confirm it" in page


def test_a_failure_that_is_not_confirmed_yet_stands_in_the_way(job, service, client):
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job)
    ask()
    tool(job, FAILED, "document_fraud_check")
    ana = someone("analyst", "ana")
    with pytest.raises(
        RefusedError, match="The service has not confirmed yet: Fraud indicators"
    ):
        decide(case(), ana)
    client.force_login(ana)
    page = words(client, f"/cases/{case().pk}/?check=document_fraud_check")
    assert "came by webhook and is not confirmed yet. The service is asked." in page
    answers(
        service, job, recommendation="Approve",
        check_results=[*checked(PASSED), *checked(FAILED, "document_fraud_check")],
    )  # fmt: skip
    ask()
    assert states() == {"document_fraud_check": "confirmed"}
    with pytest.raises(
        RefusedError, match="Neither reviewed nor overridden: Fraud indicators"
    ):
        decide(case(), ana)


def test_the_service_may_be_behind_what_it_sends(job, service):
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job)
    ask()
    tool(job, {**PASSED, "verdict": "review"})
    ask(confirmation.TRIES - 2)
    assert states() == {CHECK: "waiting"}
    assert not is_due(Job.objects.get())
    service.jobs[job.remote_id]["check_results"] += checked(
        {**PASSED, "verdict": "review"}
    )
    ask()
    assert states() == {CHECK: "confirmed"}
    [check] = ReviewState.of(case()).doubtful
    assert (check.id, case().alarm) == (CHECK, "")


def test_a_worse_recommendation_of_the_service_takes_the_place_of_the_other(
    job, service
):
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job)
    ask()
    decide(case(), someone("analyst", "ana"))
    answers(service, job, recommendation="Deny", check_results=checked(PASSED))
    ended(job, "Deny")
    assert case().status == Case.Status.DECIDED  # until the service says so itself
    ask()
    assert (case().status, case().recommendation) == (Case.Status.TO_REVIEW, "Deny")
    assert case().alarm == "The service recommends “Reject” now. Before: “Approve”."


def test_a_better_recommendation_of_the_service_does_not(job, service):
    answers(service, job, recommendation="Deny", check_results=checked(PASSED))
    ended(job, "Deny")
    ask()
    answers(service, job, recommendation="Approve", check_results=checked(PASSED))
    ended(job, "Approve")
    ask(confirmation.TRIES)
    assert (case().recommendation, Job.objects.get().recommendation) == ("Deny", "Deny")
    assert "“Reject” stands until a person decides." in case().alarm


def test_a_forged_end_after_a_decision_is_an_alarm_and_changes_nothing(job, service):
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    ended(job, "Deny")
    ask()
    ana = someone("analyst", "ana")
    decide(case(), ana, "reject")
    ended(job, "Approve")
    ask(confirmation.TRIES)
    assert (case().recommendation, case().status) == ("Deny", Case.Status.TO_REVIEW)
    assert case().analyst == ana
    assert (
        "A webhook said: complete, “Approve”. The service says: complete, “Deny”"
        in case().alarm
    )
    ended(job, "Approve")  # asked and answered
    assert Job.objects.get().due_at is None


def test_the_unknown_job_of_a_webhook_says_so(job, service):
    tool(job, PASSED)
    ended(job)
    row = ask(polling.UNKNOWN_TRIES)
    assert row.status == Job.Status.FAILED
    assert row.error.startswith(
        "A webhook said: complete, “Approve”. No answer confirms it: getJob"
    )
    assert (case().status, case().recommendation) == (Case.Status.ATTENTION, "")
    ask(polling.UNKNOWN_TRIES)
    assert states() == {CHECK: "absent"}
    assert (
        "does not confirm a result that a webhook brought: Sanctions screening"
        in case().alarm
    )
    [check] = ReviewState.of(case()).doubtful
    assert check.verdict == "unknown"


def test_a_service_that_cannot_be_asked_does_not_hold_a_job_for_ever(job, service):
    ended(job)
    service.plan = [Step(status=500)] * polling.NOTICE_TRIES
    row = ask(polling.NOTICE_TRIES)
    assert row.status == Job.Status.FAILED
    assert "No answer confirms it: getJobById: 500" in row.error
    assert case().status == Case.Status.ATTENTION


@pytest.mark.parametrize("results", [[], None])
def test_a_service_whose_record_holds_no_results_still_works(
    job, service, client, results
):
    """Its passes come by webhook alone: each is looked at by a person, as nothing confirms it."""
    tool(job, PASSED, "document_fraud_check")
    answers(service, job, recommendation="Approve", check_results=results)
    ended(job)
    ask()
    assert states() == {"document_fraud_check": "unavailable"}
    assert (case().status, case().recommendation, case().alarm) == (
        "to_review",
        "Approve",
        "",
    )
    ana = someone("analyst", "ana")
    with pytest.raises(RefusedError, match="Neither reviewed"):
        decide(case(), ana)
    marks.mark(case(), "document_fraud_check", actor=ana, kind="reviewed")
    assert decide(case(), ana).outcome == "approve"


@pytest.mark.parametrize(
    ("message", "counts"), [("Deny", "Deny"), ("Review", "Review"), ("Approve", "")]
)
def test_of_a_service_that_recommends_by_webhook_alone_only_the_adverse_counts(
    job, service, client, message, counts
):
    answers(service, job, check_results=checked(PASSED))
    ended(job, message)
    ask()
    if counts:
        with pytest.raises(
            RefusedError, match=f"a webhook that says complete, “{message}”"
        ):
            decisions.decide(
                case(),
                actor=someone("senior"),
                request=wish(),
                revision=case().revision,
            )
    ask(confirmation.TRIES)
    assert (case().recommendation, case().alarm) == (counts, "")
    client.force_login(make_user())
    page = words(client, f"/cases/{case().pk}/")
    assert f"A webhook said of the job: complete, “{message}”." in page
    assert "The service's own record gives no recommendation" in page


@pytest.mark.parametrize("frame", ["job", "own"])
def test_answers_of_other_shapes_are_read(job, service, frame):
    own = {"id": job.remote_id.upper().replace("-", ""), "status": "COMPLETED"}
    own |= {"recommendation": "Review", "check_results": checked(FAILED)}
    service.jobs[job.remote_id] = (
        {"status": "ok", "job": own} if frame == "job" else own
    )
    ended(job, "Review")
    assert ask().status == Job.Status.COMPLETE
    assert [check.id for check in ReviewState.of(case()).failed] == [CHECK]


def test_an_answer_about_another_job_is_none(job, service):
    service.jobs[job.remote_id] = {"id": "another", "status": "complete"}
    ended(job)
    row = ask()
    assert row.status == Job.Status.RUNNING
    assert "the answer is about another job" in row.error


@pytest.mark.parametrize("member", ["", "kyb_schema"])
def test_an_answer_about_another_case_is_none(job, service, member):
    """A service that mixes up two cases: what it found of one says nothing of the other."""
    schema = {"id": "C-2", "self_attested_data": {"business_name": "Other Ltd"}}
    payload = {member: schema} if member else schema
    answers(
        service,
        job,
        recommendation="Approve",
        check_results=checked(PASSED),
        input_payload=payload,
    )
    ended(job)
    row = ask()
    assert row.status == Job.Status.RUNNING
    assert "the answer is about another case" in row.error
    assert not row.check_results.exists()
    # The service has put it right.
    schema["id"] = "C-1"
    assert ask().status == Job.Status.COMPLETE
    assert row.check_results.count() == 1


@pytest.mark.parametrize(
    "order", list(itertools.permutations(["bad", "good", "end", "ask"]))
)
def test_in_every_order_the_worst_stands_and_nothing_is_improved(job, service, order):
    """The service knows the failed result; a passed one for the same was forged."""
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    acts: dict[str, Callable[[], Any]] = {
        "bad": lambda: tool(job, FAILED),
        "good": lambda: tool(job, PASSED),
        "end": lambda: ended(job, "Approve"),
        "ask": ask,
    }
    for act in order:
        acts[act]()
    ask(confirmation.TRIES + 1)
    assert case().recommendation == "Deny"
    assert [(check.id, check.verdict) for check in ReviewState.of(case()).checks] == [
        (CHECK, "fail")
    ]
    assert "A webhook said: complete, “Approve”" in case().alarm
    assert "does not confirm a result that a webhook brought: Sanctions" in case().alarm
    assert CheckResult.objects.filter(source="tool").count() == 2  # both are kept


def test_the_older_event_with_results_improves_nothing(job, service):
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    older = {"command_id": CHECK, "status": "complete", "payload": {"passed": True}}
    hook({"id": job.remote_id, "status": "complete", "check_results": [older]})
    ask(confirmation.TRIES + 1)
    [check] = ReviewState.of(case()).checks
    assert check.verdict == "fail"
    assert "does not confirm a result" in case().alarm


def test_a_flag_beside_the_result_cannot_be_changed_by_a_webhook(job, service):
    """Such a result has its verdict outside of `result`, where older services put it."""
    failed = {
        "check_id": CHECK,
        "status": "complete",
        "result": {"rows": []},
        "passed": False,
    }
    answers(service, job, recommendation="Deny", check_results=[failed])
    hook({"id": job.remote_id, "status": "complete", "recommendation": "Deny"})
    ask()
    passed = {**failed, "passed": True}
    hook({"id": job.remote_id, "status": "complete", "check_results": [passed]})
    ask(confirmation.TRIES)
    [check] = ReviewState.of(case()).checks
    assert check.verdict == "fail"


def test_what_a_webhook_brought_before_the_case_is_sent_waits_for_the_start(
    job, service
):
    Job.objects.update(status=Job.Status.QUEUED)
    ended(job)
    assert Job.objects.get().status == Job.Status.QUEUED
    row = ask()  # which starts it
    assert row.status == Job.Status.RUNNING
    assert is_due(row)  # asked at once
    assert [path for _, path, _ in service.asked] == ["startKYBAgentJob"]


def test_a_case_named_before_names_were_limited_is_not_sent(job, service, client):
    Case.objects.update(reference='{"id":"x","status":"complete"}', status="to_review")
    Job.objects.update(status=Job.Status.COMPLETE, due_at=None)
    ana = someone("analyst", "ana")
    client.force_login(ana)
    assert client.post(f"/cases/{case().pk}/run-again/").status_code == 303
    [queued] = Job.objects.filter(status=Job.Status.QUEUED)
    lifecycle.advance(queued)
    assert service.asked == []
    queued.refresh_from_db()
    assert queued.status == Job.Status.FAILED
    page = words(client, f"/cases/{case().pk}/")
    assert "it is sent to none. Submit the case again, with another reference." in page
    assert case().status == Case.Status.ATTENTION


def test_asked_twice_at_once_is_asked_once_more_and_nothing_doubles(job, service):
    answers(service, job, recommendation="Deny", check_results=checked(FAILED))
    ended(job, "Approve")
    first, second = Job.objects.get(), Job.objects.get()
    lifecycle.advance(first)
    lifecycle.advance(second)
    assert case().events.filter(what="job_complete").count() == 1
    assert CheckResult.objects.count() == 1
    assert Connection.objects.count() == 1


@pytest.mark.skipif(
    database.vendor != "postgresql", reason="on SQLite one waits for the other"
)
@pytest.mark.django_db(transaction=True)
def test_a_job_that_is_started_while_its_end_is_kept_is_asked_after_at_once(
    job, service
):
    Job.objects.update(status=Job.Status.QUEUED, started_at=None)

    def start() -> None:
        start_job(Job.objects.get())
        database.close()

    others: list[threading.Thread] = []

    def at_the_notice(execute, sql, *rest):
        if sql.startswith('UPDATE "reviews_job"') and not others:
            others.append(threading.Thread(target=start))
            others[0].start()
            others[0].join()
        return execute(sql, *rest)

    with database.execute_wrapper(at_the_notice):
        ended(job)
    fresh = Job.objects.get()
    assert fresh.status == Job.Status.RUNNING
    assert is_due(fresh)


def test_a_result_after_the_end_puts_the_question_off_for_nothing(job):
    ended(job)
    assert is_due(Job.objects.get())
    # Its end came first, and it was last asked after long ago.
    tool(job, PASSED)
    assert is_due(Job.objects.get())


def test_a_confirmation_that_was_set_in_the_database_is_found(job, service):
    tool(job, PASSED)
    row = CheckResult.objects.get()
    trail.seal_all()
    CheckResult.objects.update(confirmation="confirmed")
    [fault] = [line for line in verification.faults() if "checkresult" in line]
    assert fault.startswith(f"reviews_checkresult {row.pk} is not as event ")
    CheckResult.objects.update(confirmation=row.confirmation)


def test_results_of_an_earlier_version_are_bound_with_their_confirmation(job):
    tool(job, PASSED)
    tool(job, PASSED, "other")
    good, other = CheckResult.objects.order_by("pk")
    full = bound_rows.BOUND[CheckResult]
    # The lines of that time did not prove the confirmation and the rank.
    bound_rows.BOUND[CheckResult] = replace(full, later="")
    try:
        trail.record(job.case, "results_received", {}, about=[good, other])
    finally:
        bound_rows.BOUND[CheckResult] = full
    # As if a process of that time still ran after the upgrade: its rows need not have been changed.
    faults = [line for line in verification.faults() if "checkresult" in line]
    assert len(faults) == 2
    assert all("a process of an earlier version" in line for line in faults)
    CheckResult.objects.filter(pk=other.pk).update(check_id="changed")
    assert verification.bind_later_fields(CheckResult) == 1
    assert verification.bind_later_fields(CheckResult) == 0
    trail.seal_all()
    [fault] = [line for line in verification.faults() if "checkresult" in line]
    # What was changed before the upgrade is not taken as right.
    assert fault.startswith(f"reviews_checkresult {other.pk} is not as event ")
    CheckResult.objects.filter(pk=other.pk).update(check_id="other")
    assert verification.bind_later_fields(CheckResult) == 1
