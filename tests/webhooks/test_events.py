"""Events in every order, twice, late, broken: the same end state, nothing lost, nothing twice."""

from __future__ import annotations

import itertools
import json
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.utils.timezone import now
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.db import clock
from reviews.models import Case, CheckResult, Connection, Job
from tests import fakeservice
from tests.factories import make_agent, make_case, make_connection, make_job
from tests.webhooks.asking import ask
from tests.webhooks.test_receiver import send
from webhooks import events
from webhooks.models import Event
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db


@pytest.fixture
def job(monkeypatch) -> Job:
    return make_job(make_case(make_connection()))


def deliver(payload: object) -> Event:
    """Receive and apply, as receiver and worker would; results are collected elsewhere."""
    body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    assert send(Client(), body).status_code == 200
    event = Event.objects.order_by("id").last()
    assert event is not None
    if event.status == Event.Status.RECEIVED:
        events.apply(event)
    event.refresh_from_db()
    if isinstance(payload, dict) and "status" in payload:
        send_event(payload)
    return event


def send_event(payload: dict[str, object]) -> None:
    """Of what a webhook says of the end of a job the desk asks the service, which says the same."""
    for job in Job.objects.exclude(notice={}):
        while job.is_under_way and job.notice:
            data = {"passed": True, "explanation": "", "payload": {}}
            job = ask({**payload, "id": job.remote_id}, dict.fromkeys(TOOLS, data))


def tool(
    job: Job, tool_id: str = "document_fraud_check", **results: object
) -> dict[str, object]:
    return {
        "job_id": job.remote_id,
        "agent_instance_id": "a",
        "tool_id": tool_id,
        "results": {"passed": True, "explanation": "", "payload": {}, **results},
    }


def ended(job: Job, **values: object) -> dict[str, object]:
    return {
        "id": job.remote_id,
        "status": "complete",
        "recommendation": "Approve",
        **values,
    }


def state() -> tuple[object, ...]:
    job, case = Job.objects.get(), Case.objects.get()
    tools = CheckResult.objects.filter(source="tool").order_by("check_id", "subject")
    rows = tools.values_list("check_id", "passed")
    return job.status, job.recommendation, case.status, case.recommendation, list(rows)


TOOLS = ("extraction", "visual", "fraud")


@pytest.mark.fault("F2", "webhooks arrive in any order")
@pytest.mark.parametrize("order", list(itertools.permutations([*TOOLS, "job"])))
def test_every_order_ends_in_the_same_state(job, order):
    for what in order:
        deliver(ended(job) if what == "job" else tool(job, what))
    assert state() == (
        "complete", "Approve", "to_review", "Approve",
        [("extraction", True), ("fraud", True), ("visual", True)],
    )  # fmt: skip
    strip = [verdict for _, verdict in Case.objects.get().summary["checks"]]
    assert strip == ["pass"] * 3


def test_the_same_event_in_other_words_has_one_effect(job):
    deliver(tool(job))
    deliver(json.dumps(tool(job), indent=1).encode())
    deliver(ended(job))
    deliver(json.dumps(ended(job), indent=1).encode())
    assert Event.objects.filter(status=Event.Status.APPLIED).count() == 4
    assert CheckResult.objects.filter(source="tool").count() == 1
    assert job.case.events.filter(what="job_complete").count() == 1


def test_applying_twice_has_one_effect(job):
    event = deliver(tool(job))
    before = CheckResult.objects.get().received_at
    events.apply(event)
    assert CheckResult.objects.get().received_at == before


def test_each_of_many_unknown_jobs_is_looked_up_several_times(db):
    """They are claimed together and looked up one by one: a claim is no look-up."""
    make_connection()
    count = 2 * events.MAX_LOOKUPS
    with fakeservice.running() as service:
        Connection.objects.update(base_url=service.url)
        for _ in range(count):
            event = {"id": str(uuid.uuid4()), "status": "complete"}
            assert send(Client(), json.dumps(event).encode()).status_code == 200
        EVENTS.drain()
        waiting = Event.objects.filter(status=Event.Status.RECEIVED)
        assert waiting.count() == count
        for _ in range(events.MAX_LOOKUPS):
            Event.objects.update(due_at=now() - timedelta(seconds=1))
            EVENTS.drain()
    reasons = Event.objects.filter(status=Event.Status.IGNORED).values_list("reason")
    assert len(reasons) == count
    assert all("Nobody here started this job" in reason for (reason,) in reasons)


def test_two_documents_of_one_tool_are_two_results(job):
    for name in ("a.pdf", "b.pdf"):
        deliver(tool(job, payload={"document": {"file_name": name}}))
    deliver(tool(job, payload={"document": {"file_name": "b.pdf"}}, passed=False))
    rows = CheckResult.objects.order_by("id")
    names = [row.body["payload"]["document"]["file_name"] for row in rows]
    # The name of a file may be a person's: the clear column has its hash.
    assert not any("pdf" in row.subject for row in rows)
    assert [(name, row.passed) for name, row in zip(names, rows, strict=True)] == [
        ("a.pdf", True),
        ("b.pdf", True),
        ("b.pdf", False),  # beside the other, and not in its place
    ]


@pytest.mark.fault("F2", "a webhook comes before the answer to the start")
def test_the_job_event_may_come_before_the_start_call_has_returned(job):
    Case.objects.update(agent=make_agent(job.connection))
    Job.objects.update(status=Job.Status.QUEUED)
    deliver(ended(job))
    assert Job.objects.get().status == Job.Status.COMPLETE


def test_a_late_older_status_never_moves_a_job_back(job):
    deliver(ended(job))
    deliver(ended(job, status="failed"))
    deliver(ended(job, status="running"))
    assert Job.objects.get().status == Job.Status.COMPLETE


@pytest.mark.parametrize("word", ["complete", "COMPLETE", "Completed", " completed "])
def test_every_spelling_of_complete_completes(job, word):
    deliver(ended(job, status=word))
    assert Job.objects.get().status == Job.Status.COMPLETE


def test_an_unknown_status_is_kept_and_the_service_is_asked_soon(job):
    Job.objects.update(due_at=None)
    assert deliver(ended(job, status="pondering")).status == Event.Status.APPLIED
    row = Job.objects.get()
    assert row.status == Job.Status.RUNNING
    assert row.due_at is not None


def test_a_failed_job_says_why_and_needs_attention(job):
    deliver(ended(job, status="failed", error="No check could be run."))
    assert Job.objects.get().error == "No check could be run."
    assert Case.objects.get().status == Case.Status.ATTENTION


@pytest.mark.parametrize("kind", ["tool", "job"])
def test_a_sample_is_kept_as_one_and_nobody_is_asked(job, kind):
    Case.objects.update(status=Case.Status.CHECKING)
    unknown = (
        {"job_id": str(uuid.uuid4())} if kind == "tool" else {"id": str(uuid.uuid4())}
    )
    payload = {
        **(tool(job) if kind == "tool" else ended(job)),
        **unknown,
        "sample": True,
    }
    # The connection's address is nowhere: to ask would leave the event to be tried again.
    event = deliver(payload)
    assert event.status == Event.Status.IGNORED
    assert "sample" in event.reason
    assert event.due_at is None
    assert Case.objects.count() == Job.objects.count() == 1


def test_what_says_that_it_is_a_sample_of_a_job_of_ours_is_applied(job):
    """Whether a webhook is dropped is not for a member to say that other services may use."""
    assert deliver({**tool(job), "sample": True}).status == Event.Status.APPLIED


def test_an_id_without_dashes_is_the_same_job(job):
    deliver({**tool(job), "job_id": uuid.UUID(job.remote_id).hex.upper()})
    assert CheckResult.objects.get().job == job


def test_the_older_job_event_carries_results(job):
    older = {
        "command_id": "kyb.incorporation_document_verification",
        "status": "complete",
        "payload": {"document_verification": {"verification_passed": True}},
    }
    deliver(
        {
            "id": job.remote_id,
            "status": "complete",
            "check_results": [older, "junk", None],
        }
    )
    result = CheckResult.objects.get(check_id="kyb.incorporation_document_verification")
    assert result.body == older


def test_a_result_after_the_decision_is_kept_and_noted(job):
    deliver(ended(job))
    Case.objects.update(status=Case.Status.DECIDED)
    deliver(tool(job))
    assert CheckResult.objects.exists()
    assert Case.objects.get().status == Case.Status.DECIDED
    assert job.case.events.filter(what="late_result").exists()


@pytest.mark.parametrize(
    "payload", [{}, {"hello": 1}, {"id": None, "status": "complete"}, {"tool_id": "x"}]
)
def test_what_is_no_event_is_kept_and_ignored(job, payload):
    event = deliver(payload)
    assert event.status == Event.Status.IGNORED
    assert event.reason


def test_a_nul_character_does_not_stop_an_event(job):
    deliver(tool(job, explanation="a\x00b \\u0000 \\\\u0000"))
    assert CheckResult.objects.get().body["explanation"] == "ab \\u0000 \\\\u0000"


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**40), 2**40) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=8,
)


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(results=JUNK, tool_id=st.text(min_size=1, max_size=30))
def test_any_results_of_any_tool_are_kept(job, results, tool_id):
    before = CheckResult.objects.count()
    CheckResult.objects.all().delete()
    Event.objects.all().delete()
    event = deliver({"job_id": job.remote_id, "tool_id": tool_id, "results": results})
    assert event.status == Event.Status.APPLIED, event.reason
    assert CheckResult.objects.count() == 1 or before == 1


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(
    extra=st.dictionaries(
        st.sampled_from(
            ["recommendation", "status", "check_results", "input_payload", "created_at"]
        ),
        JUNK,
    )
)
def test_any_job_event_is_survived(job, extra):
    Event.objects.all().delete()
    event = deliver({"id": job.remote_id, "status": "complete", **extra})
    assert event.status == Event.Status.APPLIED, event.reason


def receive(*payloads: object) -> None:
    for payload in payloads:
        body = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
        assert send(Client(), body).status_code == 200


@pytest.mark.parametrize("order", list(itertools.permutations([*TOOLS, "job"])))
def test_events_applied_together_end_in_the_same_state(job, order):
    receive(*(ended(job) if what == "job" else tool(job, what) for what in order))
    EVENTS.drain()
    send_event(ended(job))
    assert state()[:4] == ("complete", "Approve", "to_review", "Approve")
    listed = [[name.title(), "pass"] for name in TOOLS]
    assert sorted(Case.objects.get().summary["checks"]) == sorted(listed)
    assert job.case.events.filter(what="job_complete").count() == 1


def test_what_is_at_fault_does_not_keep_the_others_of_its_batch(job):
    other = make_job(make_case(job.connection, reference="other"))
    receive(
        tool(job, "extraction"),
        {"tool_id": "of-nothing", "results": {}},
        {"hello": "there"},
        tool(other, "visual"),
        ended(job),
        tool(job, "extraction", explanation="again"),
    )
    EVENTS.drain()
    send_event(ended(job))
    assert list(Event.objects.order_by("id").values_list("status", flat=True)) == [
        "applied", "ignored", "ignored", "applied", "applied", "applied",
    ]  # fmt: skip
    job.refresh_from_db()
    assert job.status == Job.Status.COMPLETE
    assert other.check_results.get().check_id == "visual"


def test_events_applied_before_are_not_applied_again_with_others(job):
    receive(tool(job, "extraction"), ended(job))
    claimed = [row for row in EVENTS.claim() if isinstance(row, Event)]
    EVENTS.drop_leases()
    EVENTS.drain()
    send_event(ended(job))
    assert events.apply_together(claimed) == 2
    assert CheckResult.objects.filter(source="tool").count() == 1
    assert job.case.events.filter(what="job_complete").count() == 1


@pytest.mark.parametrize(
    "case_id", ['{"id":"1","status":"complete"}', "a\nb", ["x"], "x" * 256]
)
def test_a_job_of_elsewhere_whose_case_id_could_be_a_body_is_kept_apart(job, case_id):
    connection = job.connection
    with fakeservice.running() as service:
        Connection.objects.filter(pk=connection.pk).update(base_url=service.url)
        schema = {"id": case_id, "self_attested_data": {"business_name": "Elsewhere"}}
        service.jobs["j-9"] = {
            "id": "j-9",
            "status": "complete",
            "input_payload": schema,
        }
        event = deliver(
            {"id": "j-9", "status": "complete", "recommendation": "Approve"}
        )
    assert event.status == Event.Status.IGNORED
    assert "The case id of this job cannot be taken" in event.reason
    assert list(Case.objects.all()) == [job.case]


def test_jobs_of_elsewhere_that_come_together_are_each_asked_for_again(job):
    """A service may send webhooks before its own interface knows their jobs."""
    ids = [f"j-{number}" for number in range(8)]
    receive(*({"id": name, "status": "complete"} for name in ids))
    with fakeservice.running() as service:
        Connection.objects.filter(pk=job.connection_id).update(base_url=service.url)
        EVENTS.drain()
        assert set(Event.objects.values_list("status", flat=True)) == {"received"}
        for name in ids:
            data = {"id": name, "self_attested_data": {"business_name": name}}
            service.jobs[name] = {
                "id": name,
                "status": "complete",
                "input_payload": data,
            }
        Event.objects.update(due_at=clock.now())
        EVENTS.drain()
    assert set(Event.objects.values_list("status", flat=True)) == {"applied"}
    assert Case.objects.count() == 9


def test_a_job_that_its_service_does_not_know_is_asked_for_five_times(job):
    receive({"id": "j-1", "status": "complete"})
    with fakeservice.running() as service:
        Connection.objects.filter(pk=job.connection_id).update(base_url=service.url)
        for _ in range(events.MAX_LOOKUPS + 2):
            EVENTS.drain()
            Event.objects.filter(status="received").update(due_at=clock.now())
    assert len(service.asked) == events.MAX_LOOKUPS
    event = Event.objects.get()
    assert event.status == Event.Status.IGNORED
    assert event.reason.startswith("Nobody here started this job")


def test_an_event_that_cannot_be_decrypted_ends_and_holds_up_no_other(job):
    receive(tool(job, "extraction"), tool(job, "visual"))
    broken, _ = Event.objects.order_by("id")
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE webhooks_event SET body = %s, failures = %s WHERE id = %s",
            [bytes([0xF9]) + bytes(60), EVENTS.max_failures - 1, broken.pk],
        )
    EVENTS.drain()
    statuses = Event.objects.order_by("id").values_list("status", flat=True)
    assert list(statuses) == ["ignored", "applied"]
