"""A service whose runs contradict each other, or leave out what they said: no finding vanishes."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from django.test import Client

from reviews.decisions import marks, obstacles
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.jobs import completion, lifecycle, polling, result_rows
from reviews.models import Case, CheckResult, Job, Severity
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.fakeservice import FakeService, Step
from tests.reviews.pages.case.rows import words
from tests.reviews.rows import one_person, someone
from tests.webhooks.test_receiver import send
from webhooks.models import Event
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

CHECK = "kyb.sanctions_screening_check_v2"
OTHER = "kyb.mcc_code_check_v3"
FRAUD = "document_fraud_check"
FAILED: dict[str, Any] = {
    "passed": False,
    "explanation": "A name was found.",
    "payload": {},
}
PASSED: dict[str, Any] = {
    "passed": True,
    "explanation": "Nothing was found.",
    "payload": {},
}


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


def case() -> Case:
    return Case.objects.get()


def hook(body: dict[str, Any]) -> None:
    assert send(Client(), json.dumps(body).encode()).status_code == 200
    EVENTS.drain()


def tool(job: Job, results: Any, tool_id: str = FRAUD) -> None:
    hook({"job_id": job.remote_id, "tool_id": tool_id, "results": results})


def ends(service: FakeService, job: Job, recommendation: str, **values: Any) -> None:
    """The service ends the job; `said`: the result of each check by its name."""
    named = {"check": CHECK, "other": OTHER}
    results = [
        {"check_id": named[name], "status": "complete", "result": result}
        if result
        else {"check_id": named[name], "status": "running"}
        for name, result in values.items()
    ]
    answer = {
        "id": job.remote_id,
        "status": "complete",
        "recommendation": recommendation,
    }
    service.jobs[job.remote_id] = {**answer, "check_results": results}
    for _ in range(5):
        lifecycle.advance(Job.objects.get(pk=job.pk))


def again(check_id: str = "") -> Job:
    job = cases.run_again(case(), actor=None, check_id=check_id)
    assert job is not None
    lifecycle.advance(job)
    return job


def verdicts() -> dict[str, str]:
    return {check.id: check.verdict for check in ReviewState.of(case()).checks}


def obstacles_now() -> list[str]:
    return obstacles.of(case(), ReviewState.of(case()), "approve")


def test_a_run_that_the_service_refuses_takes_the_place_of_nothing(
    job, service, client
):
    ends(service, job, "Deny", check=FAILED)
    service.plan = [Step(status=400, body=b'{"detail": "Out of credits"}')]
    again()
    assert case().status == Case.Status.ATTENTION
    assert verdicts() == {CHECK: "fail"}
    assert case().risk == 1
    assert obstacles_now() == ["Neither reviewed nor overridden: Sanctions screening."]
    client.force_login(make_user())
    page = words(client, f"/cases/{case().pk}/")
    assert "A name was found." in page
    assert "What stood before still stands." in page


def test_a_run_that_failed_later_adds_only_what_is_worse(job, service):
    ends(service, job, "Review", check=FAILED, other=PASSED)
    second = again()
    rows = result_rows.check_results(second, {"check_results": [
        {"check_id": CHECK, "status": "complete", "result": PASSED},
        {"check_id": OTHER, "status": "complete", "result": FAILED},
    ]})  # fmt: skip
    completion.apply_results(second, rows)
    completion.fail(second, error="It broke off.", has_results=True)
    assert verdicts() == {CHECK: "fail", OTHER: "fail"}


def test_a_run_that_leaves_out_what_failed_raises_an_alarm(job, service, client):
    ends(service, job, "Deny", check=FAILED, other=PASSED)
    ends(service, again(), "Approve", other=PASSED)
    text = "nothing is said of this check any more: Sanctions screening. Before, it failed."
    assert text in case().alarm
    client.force_login(make_user())
    assert text in words(client, f"/cases/{case().pk}/")


def test_a_run_that_says_all_anew_raises_none(job, service):
    ends(service, job, "Deny", check=FAILED)
    ends(service, again(), "Approve", check=PASSED)
    assert (verdicts(), case().alarm) == ({CHECK: "pass"}, "")


def test_one_check_alone_answers_for_no_other(job, service):
    ends(service, job, "Deny", check=FAILED, other=FAILED)
    ends(service, again(CHECK), "Approve", check=PASSED, other=PASSED)
    assert verdicts() == {CHECK: "pass", OTHER: "fail"}


def test_one_check_alone_that_finds_more_of_another_is_heard(job, service):
    ends(service, job, "Approve", check=PASSED, other=PASSED)
    ends(service, again(CHECK), "Deny", check=PASSED, other=FAILED)
    assert verdicts() == {CHECK: "pass", OTHER: "fail"}


@pytest.mark.parametrize("text", [None, {"passed": "yes"}])
def test_one_check_alone_without_a_verdict_takes_the_place_of_nothing(
    job, service, text
):
    ends(service, job, "Deny", check=FAILED)
    ends(service, again(CHECK), "Approve", check=text)
    assert verdicts() == {CHECK: "fail"}


def test_a_tool_that_nobody_confirms_takes_the_place_of_no_finding(job, service):
    tool(job, FAILED)
    ends(service, job, "Deny", check=FAILED)
    second = again(CHECK)
    tool(second, PASSED)
    ends(service, second, "Approve", check=PASSED)
    assert verdicts() == {CHECK: "pass", FRAUD: "fail"}


def test_a_check_that_never_ends_is_open_to_a_person_once_its_job_has_ended(
    job, service, client
):
    ends(service, job, "Approve", check=None, other=PASSED)
    assert verdicts()[CHECK] == "unknown"
    assert obstacles_now() == ["Neither reviewed nor overridden: Sanctions screening."]
    client.force_login(make_user())
    page = words(client, f"/cases/{case().pk}/?check={CHECK}")
    assert "The job ended before this check did." in page
    marks.mark(case(), CHECK, actor=someone("analyst", "ana2"), kind="reviewed")
    assert obstacles_now() == []


@pytest.mark.parametrize("results", [
    {"passed": False, "payload": {"document": {"url": 5}}},
    {"passed": False, "payload": {"type": "Result", "document": {"file_name": "a.pdf"}}},
    {"passed": False, "verdict": "pass"},
    {"passed": False, "payload": []},
    {"passed": False, "payload": "none"},
    {"passed": False, "verdict": 5, "alerts": {"a": {"b": [None]}}},
])  # fmt: skip
def test_whatever_else_it_holds_what_failed_is_shown_as_failed(job, results):
    tool(job, results)
    assert verdicts() == {FRAUD: "fail"}
    assert CheckResult.objects.get().rank == 0


@pytest.mark.parametrize("depth", [90, 150, 300, 1000])
@pytest.mark.parametrize("opening", ["[", '{"a":'])
def test_what_is_nested_too_deeply_is_cut_and_the_finding_is_kept(
    job, client, depth, opening
):
    closing = "]" if opening == "[" else "}"
    inner = opening * depth + "1" + closing * depth
    body = (
        f'{{"job_id": "{job.remote_id}", "tool_id": "{FRAUD}",'
        f' "results": {{"passed": false, "payload": {{"deep": {inner}}}}}}}'
    )
    assert send(Client(), body.encode()).status_code == 200
    EVENTS.drain()
    assert Event.objects.get().status == Event.Status.APPLIED
    assert verdicts() == {FRAUD: "fail"}
    client.force_login(make_user())
    assert client.get(f"/cases/{case().pk}/?check={FRAUD}").status_code == 200


def test_what_is_nested_too_deeply_in_an_answer_ends_no_job(job, service):
    deep: Any = 1
    for _ in range(300):
        deep = [deep]
    ends(service, job, "Deny", check={**FAILED, "payload": {"deep": deep}})
    assert Job.objects.get().status == Job.Status.COMPLETE
    assert verdicts() == {CHECK: "fail"}


def test_a_signed_webhook_that_cannot_be_applied_is_put_before_a_person(job, client):
    body = {"job_id": job.remote_id, "tool_id": FRAUD, "results": FAILED}
    assert send(Client(), json.dumps(body).encode()).status_code == 200
    assert EVENTS.on_exhausted is not None
    EVENTS.on_exhausted(
        Event.objects.get(), "It was given up after 8 tries (ValueError)."
    )
    assert Event.objects.get().status == Event.Status.IGNORED
    client.force_login(make_user())
    assert "A webhook of this case could not be read" in words(
        client, f"/cases/{case().pk}/"
    )


STEPS = ("running", "bad", "good", "gone", "odd")


@pytest.mark.sweep
@pytest.mark.parametrize("order", list(itertools.permutations(STEPS)))
def test_in_whatever_order_the_service_says_it_the_worst_stands(job, service, order):
    """One check, asked for again and again while the job runs, then the end without a word of it."""
    data = {
        "running": [{"check_id": CHECK, "status": "running"}],
        "bad": [{"check_id": CHECK, "status": "complete", "result": FAILED}],
        "good": [{"check_id": CHECK, "status": "complete", "result": PASSED}],
        "odd": [{"check_id": CHECK, "status": {"a": 1}, "result": ["?"]}],
        "gone": [],
    }
    for step in order:
        answer = {"id": job.remote_id, "status": "running", "check_results": data[step]}
        service.jobs[job.remote_id] = answer
        polling.poll(Job.objects.get())
    ends(service, job, "Approve")
    assert verdicts() == {CHECK: "fail"}
    assert case().severity == Severity.SANCTIONS
    assert obstacles_now() == ["Neither reviewed nor overridden: Sanctions screening."]
