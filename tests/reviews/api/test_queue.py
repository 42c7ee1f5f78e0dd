"""Who works on which case, and batches, over REST: what the pages do, by the same rules."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from reviews.models import Case, CaseEvent
from tests import factories, fakeservice
from tests.fakeservice import FakeService, Step
from tests.reviews.api.calling import PREFIX, Caller
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
BATCH = "5f0c2b0e-93a1-4d0c-8e37-0c1a6b2d9f11"


@pytest.fixture
def caller(db) -> Caller:
    return Caller(someone("analyst"))


def waiting(**values: Any) -> Case:
    return factories.make_case(
        values.pop("connection"), status=Case.Status.TO_REVIEW, **values
    )


def test_the_most_urgent_case_is_taken_by_one_caller_only(caller):
    hub, other = factories.make_connection(), Caller(someone("senior"))
    later = waiting(connection=hub, due_at=now() + timedelta(hours=2))
    urgent = waiting(connection=hub, due_at=now() + timedelta(hours=1))
    first = caller.post("/cases/claim").json()
    assert (first["id"], first["analyst"]) == (urgent.pk, caller.user.username)
    assert other.post("/cases/claim").json()["id"] == later.pk
    answer = caller.post("/cases/claim")
    assert (answer.status_code, answer.json()["code"]) == (404, "nothing_left")
    [event] = CaseEvent.objects.filter(what="claimed", case=urgent)
    assert event.user == caller.user


def test_one_may_say_what_to_choose_among(caller):
    hub = factories.make_connection()
    waiting(connection=hub, country="NO", due_at=now())
    agent = factories.make_agent(hub, kind="kyc")
    person = waiting(connection=hub, country="US", kind="kyc", agent=agent)
    for choice in (
        {"country": "DE"},
        {"kind": "kyb", "country": "US"},
        {"agent": agent.pk + 1},
    ):
        assert caller.post("/cases/claim", choice).status_code == 404
    wanted = {"kind": "kyc", "country": "us", "agent": agent.pk}
    assert caller.post("/cases/claim", wanted).json()["id"] == person.pk
    assert caller.post("/cases/claim", {"colour": "red"}).status_code == 422


def test_a_case_is_given_and_put_down(caller):
    case, colleague = open_case(), someone("senior", "sven")
    path = f"/cases/{case.pk}/assign"
    assert caller.post(path, {"to": "sven"}).json()["analyst"] == "sven"
    [listed] = caller.get("/cases?analyst=sven").json()["items"]
    assert listed["analyst"] == "sven"
    assert caller.post(path, {"to": None}).json()["analyst"] == ""
    someone("auditor", "otto")
    for name in ("otto", "nobody", "s\u2603"):
        answer = caller.post(path, {"to": name})
        assert (answer.status_code, answer.json()["code"]) == (422, "refused")
        assert name in answer.json()["errors"][0]["detail"]
    for payload in ({}, {"to": 5}, {"to": ""}):
        assert caller.post(path, payload).json()["code"] == "invalid"
    rows = CaseEvent.objects.filter(case=case, user=caller.user).values_list(
        "what", flat=True
    )
    assert list(rows) == ["assigned", "unassigned"]
    assert colleague.cases.count() == 0


def test_a_case_sleeps_until_a_moment(caller):
    case = open_case()
    path = f"/cases/{case.pk}/snooze"
    response = caller.post(
        path, {"until": f"{now() + timedelta(days=2):%Y-%m-%dT%H:%M:%S+00:00}"}
    )
    assert response.json()["snoozed_until"]
    assert caller.get("/cases?view=review").json()["items"] == []
    assert caller.post(path, {"until": None}).json()["snoozed_until"] is None
    for wrong in ("soon", "2026-03-02", "2026-03-02T10:15:00"):
        answer = caller.post(path, {"until": wrong})
        assert answer.json()["errors"][0]["pointer"] == "#/until"
    for far in (
        "2020-01-01T00:00:00Z",
        "2999-01-01T00:00:00Z",
        "0001-01-01T00:00:00+23:00",
    ):
        assert caller.post(path, {"until": far}).json()["code"] == "refused"


def test_what_is_decided_is_nobodys_to_give(caller):
    one_person()
    case = open_case()
    decide(case, someone("senior"))
    for act, payload in (("assign", {"to": "senior"}), ("snooze", {"until": None})):
        answer = caller.post(f"/cases/{case.pk}/{act}", payload)
        assert answer.json()["errors"] == [{"detail": "The case is decided."}]


@pytest.fixture
def fake() -> Iterator[FakeService]:
    with fakeservice.running() as running:
        yield running


@pytest.fixture
def agent(fake):
    return factories.make_agent(
        factories.make_connection(base_url=fake.url, api_key="k")
    )


def step(said: Any, status: int = 200) -> Step:
    return Step(status=status, body=json.dumps(said).encode())


SAID = {
    "batch_id": BATCH, "batch_name": "march.csv", "status": "complete", "read_rows": 3,
    "accepted": 2, "rejected": 1, "jobs_by_status": {"pending": 0, "running": 1, "completed": 1},
    "jobs": [
        {"job_id": str(uuid.uuid4()), "case_id": "c-1", "name": "Northwind", "status": "completed",
         "recommendation": "Approve", "checks": {"kyb.x": "passed"}},
        {"job_id": 7, "case_id": None, "status": "running", "checks": [1]},
    ],
    "next_cursor": "next",
}  # fmt: skip
REJECTED = {**SAID, "jobs": [], "rejected_rows": [{"line": 4, "reason": "no date"}]}


def test_a_file_is_given_to_the_service(caller, agent, fake):
    fake.plan = [step({"status": "ok", "batch_id": BATCH})]
    data = {
        "file_name": "march.csv",
        "csv": "id,business_name\nc-1,Nørd\n",
        "batch_id": BATCH,
    }
    answer = caller.post(f"/agents/{agent.pk}/batches", data)
    assert answer["Location"] == f"{PREFIX}/agents/{agent.pk}/batches/{BATCH}"
    [(_, path, body)] = fake.asked
    assert path == "enqueueFromCSV"
    for part in (
        "c-1,Nørd",
        f"/webhooks/{agent.connection.slug}/",
        agent.agent_key,
        BATCH,
    ):
        assert part.encode() in body
    [event] = CaseEvent.objects.filter(what="batch_started")
    assert (event.user, event.details) == (
        caller.user,
        {"batch": BATCH, "agent": agent.name},
    )


def test_a_batch_is_looked_at_page_by_page(caller, agent, fake):
    case = factories.make_case(agent.connection, reference="c-1")
    fake.plan = [step(SAID), step(REJECTED), step({**SAID, "next_cursor": None})]
    path = f"/agents/{agent.pk}/batches/{BATCH}"
    body = caller.get(path).json()
    assert [job["case_id"] for job in body["jobs"]] == [case.pk, None]
    assert body["rejected_rows"] == [{"line": 4, "reason": "no date"}]
    assert body["jobs_by_status"] == {"running": 1, "completed": 1}
    assert body["is_live"] is True
    rest = caller.get(f"{path}?cursor={body['next_cursor']}").json()
    assert (rest["rejected_rows"], rest["next_cursor"]) == ([], None)
    assert fake.queries[-1]["cursor"] == "next"


def test_batches_are_listed_and_exported(caller, agent, fake):
    fake.plan = [
        step([SAID, {"batch_id": "no uuid"}, 7]),
        Step(status=200, body=b"id\nc-1\n"),
    ]
    [batch] = caller.get(f"/agents/{agent.pk}/batches").json()["items"]
    assert (batch["id"], batch["name"], batch["rejected"]) == (BATCH, "march.csv", 1)
    export = caller.get(f"/agents/{agent.pk}/batches/{BATCH}/export")
    assert export.content == b"id\nc-1\n"


@pytest.mark.parametrize("address", ["", "/export"])
def test_a_batch_of_a_service_that_is_away_is_answered(caller, agent, fake, address):
    """The error was its own cause, and who looked for its last cause never ended."""
    path = f"/agents/{agent.pk}/batches/{BATCH}{address}"
    fake.plan = [Step(status=503, body=b"")]
    assert caller.get(path).status_code == 502
    fake.plan = [Step(status=404, body=b"{}")]
    assert caller.get(path).status_code == 404


@pytest.mark.parametrize(
    ("values", "status", "code"),
    [
        (Step(status=400, body=b'{"message": "file: no header"}'), 422, "refused"),
        (
            Step(status=409, body=b'{"batch_id": "x", "same_rows": false}'),
            409,
            "batch_taken",
        ),
        (Step(status=401, body=b"{}"), 502, "service"),
        (Step(status=503, body=b""), 502, "service"),
        (Step(reset=True), 502, "service"),
        (Step(status=200, body=b"<html>"), 502, "service"),
    ],
)
def test_a_service_that_refuses_or_is_away_is_told(
    caller, agent, fake, values, status, code
):
    fake.plan = [values]
    answer = caller.post(
        f"/agents/{agent.pk}/batches",
        {"file_name": "a.csv", "csv": "id,website\n1,a.example\n"},
    )
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not CaseEvent.objects.filter(what="batch_started").exists()


def test_a_batch_that_the_service_does_not_know_is_not_there(caller, agent, fake):
    fake.plan = [step({"error": "Not found"}, 404), step({"error": "Not found"}, 404)]
    for path in (
        f"/agents/{agent.pk}/batches/{BATCH}",
        f"/agents/{agent.pk}/batches/{BATCH}/export",
    ):
        assert caller.get(path).status_code == 404
    assert caller.get(f"/agents/{agent.pk + 9}/batches").status_code == 404
    assert caller.get(f"/agents/{agent.pk}/batches/x").status_code == 404


@pytest.mark.parametrize("text", [{}, {"jobs": 7, "jobs_by_status": []}, {"jobs": [7], "rejected": "x"}])  # fmt: skip
def test_a_strange_answer_is_told_as_far_as_it_goes(caller, agent, fake, text):
    fake.plan = [step(text)]
    body = caller.get(f"/agents/{agent.pk}/batches/{BATCH}").json()
    assert (body["id"], body["jobs"]) == (BATCH, [])
