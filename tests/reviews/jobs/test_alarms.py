"""What comes after a decision: the case is in the queue again, says why, and its clock runs."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils.timezone import now

from reviews.decisions import decisions, marks, obstacles
from reviews.decisions.decisions import RefusedError
from reviews.findings.check_runs import EffectiveResults
from reviews.findings.review_state import ReviewState
from reviews.jobs import completion, reopening, result_rows
from reviews.jobs.endings import Ending
from reviews.models import Case, CheckResult, Decision, FourEyesRule, Job, Team
from tests.factories import make_job, make_user
from tests.reviews.api.calling import make_token
from tests.reviews.pages.case import payloads
from tests.reviews.pages.case.rows import plain, words
from tests.reviews.rows import CHECK, decide, one_person, open_case, someone, wish
from tests.webhooks.asking import ask
from tests.webhooks.test_receiver import send
from webhooks.tasks import EVENTS

pytestmark = pytest.mark.django_db

FRAUD = {
    "passed": False,
    "explanation": "A white box hides words.",
    "payload": {"fraud_verification_data": payloads.fraud(payloads.indicator())},
}


def confirm(job: Job) -> None:
    """The service is asked, and says the same."""
    answer = {
        "id": job.remote_id,
        "status": "complete",
        "recommendation": job.recommendation,
    }
    ask(answer, {payloads.FRAUD: FRAUD})


def arrive(job: Job, results: Any = FRAUD, tool_id: str = payloads.FRAUD) -> None:
    hook = {"job_id": job.remote_id, "tool_id": tool_id, "results": results}
    assert send(Client(), json.dumps(hook).encode()).status_code == 200
    EVENTS.drain()


@pytest.fixture
def ana() -> User:
    return someone("analyst", "ana")


@pytest.fixture
def decided(ana) -> Case:
    """Approved by ana long ago."""
    one_person()
    case = open_case(recommendation="Approve")
    Case.objects.update(
        created_at=now() - timedelta(days=90), due_at=now() - timedelta(days=89)
    )
    case.refresh_from_db()
    decide(case, ana)
    case.refresh_from_db()
    return case


@pytest.mark.fault("F4", "an adverse result comes after the decision")
def test_a_late_failed_result_brings_the_case_back_with_owner_reason_and_clock(
    decided, client, ana
):
    arrive(decided.jobs.get())
    case = Case.objects.get()
    assert (case.status, case.analyst) == (Case.Status.TO_REVIEW, ana)
    assert case.alarm == "A result came after the decision: Fraud indicators failed."
    assert case.risk == 1
    assert timedelta(hours=3) < case.due_at - now() < timedelta(hours=5)
    row = case.decisions.get()
    assert (row.status, row.outcome) == (Decision.Status.REOPENED, "approve")
    client.force_login(ana)
    for view in ("review", "mine"):
        queue = words(client, f"/?view={view}")
        assert "C-10428" in queue
        assert (
            "Alarm : A result came after the decision: Fraud indicators failed."
            in queue
        )
    page = words(client, f"/cases/{case.pk}/")
    assert "A result came after the decision: Fraud indicators failed." in page
    assert "Approve by ana" in page
    assert "was taken back" in page
    assert "reopened the case" in words(client, f"/cases/{case.pk}/?tab=activity")


def test_the_desks_interface_says_so(decided, client, ana):
    arrive(decided.jobs.get())
    headers = {"Authorization": f"Bearer {make_token(ana, 'cases:read')}"}
    [row] = client.get("/api/desk/v1/cases?view=review", headers=headers).json()[
        "items"
    ]
    assert row["alarm"] == "A result came after the decision: Fraud indicators failed."
    assert row["alarm_at"]
    assert row["analyst"] == "ana"


def test_the_same_result_again_raises_nothing_again(decided, ana):
    job = decided.jobs.get()
    arrive(job)
    case = Case.objects.get()
    before = (case.alarm, case.alarm_at, case.due_at)
    arrive(job, {**FRAUD})
    send(Client(), json.dumps({"job_id": job.remote_id}, indent=2).encode())
    case.refresh_from_db()
    assert (case.alarm, case.alarm_at, case.due_at) == before
    assert case.events.filter(what="reopened").count() == 1


@pytest.mark.parametrize(
    "results", [{"passed": "maybe"}, "nonsense", {"verdict": "inconclusive"}]
)
def test_a_late_result_that_is_doubtful_or_unreadable_asks_for_a_person(
    decided, results
):
    arrive(decided.jobs.get(), results, "some_tool")
    case = Case.objects.get()
    assert case.status == Case.Status.TO_REVIEW
    assert "Some" in case.alarm


def test_a_person_settles_it_by_deciding_anew(decided, client, ana):
    arrive(decided.jobs.get())
    case = Case.objects.get()
    with pytest.raises(
        RefusedError, match="The service has not confirmed yet: Fraud indicators"
    ):
        decide(case, ana)
    confirm(decided.jobs.get())
    case.refresh_from_db()
    with pytest.raises(RefusedError, match="Neither reviewed nor overridden"):
        decide(case, ana)
    client.force_login(ana)
    [check] = ReviewState.of(case).open
    client.post(f"/cases/{case.pk}/mark/", {"check": check.id, "kind": "reviewed"})
    case.refresh_from_db()
    data = {
        "outcome": "approve",
        "reasons": ["A02"],
        "rationale": "Known.",
        "agrees": "1",
    }
    answer = client.post(
        f"/cases/{case.pk}/decide/", {**data, "revision": case.revision}
    )
    case.refresh_from_db()
    assert case.status == Case.Status.DECIDED, plain(answer.content.decode())
    assert (case.alarm, case.alarm_at) == ("", None)
    assert [d.status for d in case.decisions.all()] == ["standing", "reopened"]
    line = case.events.filter(what="decided").latest("id")
    assert (
        line.details["alarm"]
        == "A result came after the decision: Fraud indicators failed."
    )


def test_the_rules_of_four_eyes_hold_for_the_new_decision(decided, ana):
    arrive(decided.jobs.get())
    confirm(decided.jobs.get())
    FourEyesRule.objects.update(is_active=True)
    case = Case.objects.get()
    marks.mark(case, ReviewState.of(case).open[0].id, actor=ana, kind="reviewed")
    assert decide(case, ana).status == Decision.Status.PROPOSED
    case.refresh_from_db()
    assert case.alarm  # until the second person has agreed
    sven = someone("senior", "sven")
    proposal = case.decisions.get(status=Decision.Status.PROPOSED)
    decisions.second(proposal, actor=sven, agrees=True, note="", revision=case.revision)
    case.refresh_from_db()
    assert (case.status, case.alarm) == (Case.Status.DECIDED, "")


def test_who_decided_and_left_is_no_owner(decided, ana):
    User.objects.filter(pk=ana.pk).update(is_active=False)
    arrive(decided.jobs.get())
    assert Case.objects.get().analyst is None


def test_who_decided_and_may_no_more_is_no_owner(decided, ana):
    ana.groups.clear()
    arrive(decided.jobs.get())
    assert Case.objects.get().analyst is None


def test_a_case_that_was_put_aside_wakes(decided):
    Case.objects.update(snoozed_until=now() + timedelta(days=9))
    arrive(decided.jobs.get())
    assert Case.objects.get().snoozed_until is None


def test_an_alarm_wakes_a_case_that_nobody_has_decided(ana):
    """A hit of today is not for the day to which somebody has put the case aside."""
    case = open_case(recommendation="Approve")
    Case.objects.update(snoozed_until=now() + timedelta(days=80), analyst=ana)
    reopening.raise_alarm(case, case.jobs.get(), ["A new hit."])
    case.refresh_from_db()
    assert (case.alarm, case.snoozed_until) == ("A new hit.", None)


def test_another_recommendation_brings_it_back(decided, client, ana):
    completion.apply_results(make_job(decided), end=Ending(Job.Status.COMPLETE, "Deny"))
    case = Case.objects.get()
    assert case.status == Case.Status.TO_REVIEW
    assert case.alarm == "The service recommends “Reject”. It was decided on “Approve”."
    client.force_login(ana)
    assert "The service recommends “Reject”." in words(client, "/?view=review")


def test_the_same_recommendation_does_not(decided):
    completion.apply_results(
        make_job(decided), end=Ending(Job.Status.COMPLETE, "approve")
    )
    assert Case.objects.get().status == Case.Status.DECIDED


@pytest.mark.parametrize(
    ("verdict", "text"), [("fail", "failed"), ("inconclusive", "is inconclusive")]
)
def test_a_later_run_in_which_a_check_is_worse_brings_it_back(decided, verdict, text):
    item = {"check_id": CHECK, "status": "completed", "result": {"verdict": verdict}}
    job = make_job(decided)
    rows = result_rows.check_results(job, {"check_results": [item]})
    completion.apply_results(
        job, rows, end=Ending(Job.Status.COMPLETE, "Approve", has_results=True)
    )
    case = Case.objects.get()
    assert case.alarm == f"Run after the decision: Sanctions screening {text}."


def test_what_comes_after_a_proposal_keeps_the_second_person_from_agreeing(ana, client):
    case = open_case(recommendation="Deny")
    assert decide(case, ana).status == Decision.Status.PROPOSED
    arrive(case.jobs.get())
    case.refresh_from_db()
    assert case.status == Case.Status.SECOND
    sven = someone("senior", "sven")
    with pytest.raises(
        RefusedError, match="This came after the proposal: A result came"
    ):
        decisions.second(
            case.decisions.get(),
            actor=sven,
            agrees=True,
            note="",
            revision=case.revision,
        )
    client.force_login(sven)
    assert "C-10428" in (queue := words(client, "/?view=second"))
    assert "Fraud indicators failed" in queue
    decisions.second(
        case.decisions.get(),
        actor=sven,
        agrees=False,
        note="Look.",
        revision=case.revision,
    )
    case.refresh_from_db()
    assert (case.status, bool(case.alarm)) == (Case.Status.TO_REVIEW, True)


@pytest.mark.parametrize("place", ["first", "middle", "last"])
def test_what_failed_is_read_however_many_others_came(place, ana):
    one_person()
    case = open_case()
    job = case.jobs.get()
    flood = [
        result_rows.tool_result(job, f"tool-{number}", {"passed": True})
        for number in range(900)
    ]
    at = {"first": 0, "middle": 300, "last": 900}[place]
    flood.insert(at, result_rows.tool_result(job, payloads.FRAUD, FRAUD))
    for start in range(0, len(flood), 100):
        completion.apply_results(job, flood[start : start + 100])
    case.refresh_from_db()
    assert [check.id for check in ReviewState.of(case).failed] == [payloads.FRAUD]
    assert case.risk == 1
    with pytest.raises(RefusedError, match="Fraud indicators"):
        decisions.decide(case, actor=ana, request=wish(), revision=case.revision)


def test_what_failed_is_read_among_as_many_that_are_in_doubt():
    case = open_case()
    job = case.jobs.get()
    doubtful = {"verdict": "inconclusive"}
    flood = [
        result_rows.tool_result(job, f"tool-{number}", doubtful)
        for number in range(1000)
    ]
    flood.insert(450, result_rows.tool_result(job, payloads.FRAUD, FRAUD))
    for start in range(0, len(flood), 100):
        completion.apply_results(job, flood[start : start + 100])
    review_state = ReviewState.of(case)
    assert [check.id for check in review_state.failed] == [payloads.FRAUD]
    assert "More than 400 results" in " ".join(
        obstacles.of(case, review_state, "approve")
    )


def test_results_of_before_this_version_are_all_taken_for_bad():
    """Nobody has looked at them, so none may be left out for being many."""
    case = open_case()
    [row] = EffectiveResults.after(list(case.jobs.all())).rows
    assert CheckResult.objects.get(pk=row.pk).rank == 0


def test_nobody_sees_alarms_of_another_team(decided, client):
    arrive(decided.jobs.get())
    team = Team.objects.create(name="Others")
    team.connections.add(decided.connection)
    client.force_login(make_user("zoe"))
    assert "Alarm" not in words(client, "/?view=review")
