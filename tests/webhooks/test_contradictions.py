"""A service that contradicts itself, in every order: the worst that it said stands, and all shows."""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest
from django.test import Client

from reviews.findings.review_state import ReviewState
from reviews.jobs import completion, polling, result_rows
from reviews.models import Case, Document, Job
from tests import fakeservice
from tests.factories import make_case, make_connection, make_job, make_user
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import words
from tests.webhooks.asking import ask
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

BAD = {
    "passed": False,
    "explanation": "",
    "payload": {"fraud_verification_data": payloads.fraud(payloads.indicator())},
}
GOOD = {
    "passed": True,
    "explanation": "",
    "payload": {
        "fraud_verification_data": {
            "verification_passed": True,
            "verification_result": "TRUSTED",
            "verification_data": [],
            "verification_description": "Nothing was edited.",
        }
    },
}
ODD = {
    "passed": "yes",
    "payload": {"fraud_verification_data": {"verification_data": "none"}},
}
RESULTS = {"bad": BAD, "good": GOOD, "odd": ODD}


@pytest.fixture
def job() -> Job:
    case = make_case(make_connection())
    Document.objects.create(
        case=case,
        kind=Document.Kind.INCORPORATION,
        file_name="certificate.pdf",
        status=Document.Status.DRAWN,
        due_at=None,
    )
    return make_job(case)


def arrive(job: Job, *bodies: Any, names_document: bool = False) -> None:
    for body in bodies:
        result = json.loads(json.dumps(body))
        if names_document:
            result["payload"]["document"] = {"file_name": "certificate.pdf"}
        hook = {"job_id": job.remote_id, "tool_id": payloads.FRAUD, "results": result}
        assert send(Client(), json.dumps(hook).encode()).status_code == 200
        EVENTS.drain()


def end(job: Job) -> None:
    hook = {"id": job.remote_id, "status": "complete", "recommendation": "Approve"}
    assert send(Client(), json.dumps(hook).encode()).status_code == 200
    EVENTS.drain()
    ask(hook)


@pytest.mark.parametrize("names_document", [True, False])
@pytest.mark.parametrize(
    "order",
    [o for n in (2, 3) for o in itertools.permutations(RESULTS, n) if "bad" in o],
)
def test_the_worst_stands_and_the_others_stay_visible(
    job, client, order, names_document
):
    arrive(job, *(RESULTS[name] for name in order), names_document=names_document)
    end(job)
    case = Case.objects.get()
    [check] = ReviewState.of(case).failed
    assert case.risk > 0
    client.force_login(make_user())
    page = words(client, f"/cases/{case.pk}/?check={check.id}")
    assert "A white box hides words." in page
    if "good" in order:
        when = "An earlier" if order.index("good") < order.index("bad") else "A later"
        assert f"{when} result of Fraud indicators" in page
        assert "Nothing was edited." in page
    if "odd" in order:
        assert "could not be read, and replaces nothing" in page


def test_what_could_not_be_read_is_no_pass(job, client):
    arrive(job, ODD)
    end(job)
    case = Case.objects.get()
    [check] = ReviewState.of(case).doubtful
    client.force_login(make_user())
    page = words(client, f"/cases/{case.pk}/?check={check.id}")
    assert "The result of Fraud indicators could not be read." in page


@pytest.mark.parametrize("order", list(itertools.permutations([True, False, "yes"])))
@pytest.mark.parametrize("is_together", [True, False])
def test_a_check_result_that_became_better_hides_no_worse_one(
    job, client, order, is_together
):
    items = [
        {"check_id": "kyb.x", "status": "complete", "result": {"passed": passed}}
        for passed in order
    ]
    with fakeservice.running() as service:
        job.connection.base_url = service.url
        job.connection.save()
        answer = {"id": job.remote_id, "status": "running"}
        for listed in [items] if is_together else [[item] for item in items]:
            service.jobs[job.remote_id] = {**answer, "check_results": listed}
            polling.poll(Job.objects.get())
    [check] = [
        check
        for check in ReviewState.of(Case.objects.get()).checks
        if check.id == "kyb.x"
    ]
    assert check.verdict == "fail"
    assert len(check.others) == 2
    client.force_login(make_user())
    page = words(client, f"/cases/{job.case_id}/?check=kyb.x")
    assert "result of X" in page
    assert "could not be read, and replaces nothing" in page


def test_what_a_running_check_says_of_itself_is_no_other_result(job):
    for status, inner in (("running", None), ("complete", {"passed": True})):
        item = {"check_id": "kyb.x", "status": status, "result": inner}
        completion.apply_results(
            job, result_rows.check_results(job, {"check_results": [item]})
        )
    [check] = [
        check
        for check in ReviewState.of(Case.objects.get()).checks
        if check.id == "kyb.x"
    ]
    assert (check.verdict, check.others) == ("pass", [])


ANY = "kyb.sanctions_screening_check_v2"


@pytest.mark.parametrize(
    ("results", "failed", "unknown"),
    [
        # An object by the ids of the checks, in place of a list.
        ({ANY: {"status": "complete", "result": BAD}}, {ANY}, set()),
        ({ANY: "failed"}, set(), {ANY}),
        # One result, in place of a list of one.
        ({"check_id": ANY, "status": "complete", "result": BAD}, {ANY}, set()),
        # Entries that are no objects, beside one that is.
        (
            [f"{ANY} failed", None, {"check_id": "kyb.tax_number", "result": GOOD}],
            set(),
            {"check_results"},
        ),
        ([{"status": "complete", "result": BAD}], {"check_results"}, set()),
        ("See the portal.", set(), {"check_results"}),
    ],
)
def test_check_results_of_another_shape_are_not_lost(
    job, client, results, failed, unknown
):
    answer = {"id": job.remote_id, "status": "complete", "recommendation": "Approve"}
    ask({**answer, "check_results": results})
    fresh = Job.objects.get()
    assert fresh.status == Job.Status.COMPLETE
    state = ReviewState.of(Case.objects.get())
    verdicts = {check.id: check.verdict for check in state.checks}
    assert {name for name, verdict in verdicts.items() if verdict == "fail"} == failed
    # The document has no result, which is told of it in a row of its own.
    others = {name for name in verdicts if not name.startswith("document-")}
    assert {name for name in others if verdicts[name] == "unknown"} == unknown
    client.force_login(make_user())
    assert client.get(f"/cases/{job.case_id}/").status_code == 200
