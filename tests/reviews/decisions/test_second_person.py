"""An approval on thin evidence, or on evidence that was set aside, takes two people by default."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from django.utils.timezone import now

from reviews.decisions import decisions, policy
from reviews.findings.recommendations import word
from reviews.jobs import case_changes
from reviews.models import Case, Clock, Decision, FourEyesRule
from reviews.people import assignment
from tests.factories import make_agent
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import (
    add_check_result,
    add_document,
    plain,
    reviewed_case,
)
from tests.reviews.rows import CHECK, decide, one_person, someone

pytestmark = pytest.mark.django_db

LABEL = "Sanctions screening"
REASON_OF = {"approve": "A03", "escalate": "E01"}
LACKS = "No document of incorporation was submitted."


def a_case(
    result: Any = None,
    *,
    check_id: str = CHECK,
    status: str = "completed",
    **values: Any,
):
    values.setdefault("recommendation", "Approve")
    case, job = reviewed_case(**values)
    data = {"passed": True, "explanation": "Looked at."} if result is None else result
    add_check_result(job, data, check_id=check_id, status=status)
    return case


def marked(case: Case, kind: str, by: Caller) -> None:
    mark = {"check_id": CHECK, "kind": kind, "reason": "A namesake."}
    assert by.post(f"/cases/{case.pk}/marks", mark).status_code == 200


@pytest.mark.parametrize("outcome", ["approve", "escalate"])
def test_a_snooze_does_not_hide_a_case_from_the_senior_who_acts_next(client, outcome):
    FourEyesRule.objects.create(name="All", condition="always", outcome="approve")
    case = a_case()
    analyst = someone("analyst")
    assignment.snooze(case, now() + timedelta(days=7), actor=analyst)
    client.force_login(someone("senior"))
    view = {"approve": "second", "escalate": "escalated"}[outcome]
    decision = decide(case, analyst, outcome, reasons=[REASON_OF[outcome]])
    assert (decision.status == "proposed") == (outcome == "approve")
    assert case.reference in client.get(f"/?view={view}").content.decode()


def test_a_snooze_does_not_hide_a_case_that_was_sent_back(client):
    FourEyesRule.objects.create(name="All", condition="always", outcome="approve")
    case, analyst, senior = a_case(), someone("analyst"), someone("senior")
    decision = decide(case, analyst, "approve", reasons=["A03"])
    # The senior wants to look at it next week, and then looks today.
    case.refresh_from_db()
    assignment.snooze(case, now() + timedelta(days=7), actor=senior)
    decisions.second(
        decision, actor=senior, agrees=False, note="Look.", revision=case.revision
    )
    client.force_login(analyst)
    assert case.reference in client.get("/?view=review").content.decode()


def test_a_snooze_of_before_the_decision_does_not_hide_a_reopened_case(client):
    one_person()
    case = a_case()
    analyst, senior = someone("analyst"), someone("senior")
    assignment.snooze(case, now() + timedelta(days=7), actor=analyst)
    decide(case, analyst, "reject")
    case.refresh_from_db()
    client.force_login(senior)
    sent = {"reason": "A new document came.", "revision": case.revision}
    assert client.post(f"/cases/{case.pk}/reopen/", sent).status_code == 303
    assert case.reference in client.get("/?view=review").content.decode()


def test_a_reopened_case_gets_the_time_of_a_new_one_and_keeps_it(client):
    one_person()
    Clock.objects.create(name="Soon", minutes=90)
    begun = now() - timedelta(days=30)
    with time_machine.travel(begun, tick=False):
        case = a_case(due_at=begun + timedelta(minutes=90))
    with time_machine.travel(begun + timedelta(hours=2), tick=False):
        # Half an hour late: that stays so, however often the case is reopened.
        first = decide(case, someone("analyst"))
    case.refresh_from_db()
    client.force_login(someone("senior"))
    reopened_at = now()
    with time_machine.travel(reopened_at, tick=False):
        sent = {"reason": "A new document came.", "revision": case.revision}
        assert client.post(f"/cases/{case.pk}/reopen/", sent).status_code == 303
    case.refresh_from_db()
    assert case.due_at == reopened_at + timedelta(minutes=90)
    # Checks that run again count from the reopening, too.
    run = case.jobs.latest("created_at")
    with transaction.atomic():
        case_changes.refresh(case_changes.lock(run), has_news=True, end=None)
    case.refresh_from_db()
    assert case.due_at == reopened_at + timedelta(minutes=90)
    first.refresh_from_db()
    assert first.due_at == begun + timedelta(minutes=90)


def over_rest(case: Case, by: Caller) -> dict[str, Any]:
    data = {
        "outcome": "approve",
        "reasons": ["A03"],
        "rationale": "All was looked at.",
        "revision": Case.objects.get(pk=case.pk).revision,
    }
    answer = by.post(f"/cases/{case.pk}/decisions", data)
    assert answer.status_code == 201, answer.content
    body: dict[str, Any] = answer.json()
    return body


def test_one_person_is_enough_where_all_passed_and_something_was_examined():
    case, ana = a_case(), Caller(someone("analyst"))
    assert ana.get(f"/cases/{case.pk}/review-state").json()["why_second"] == []
    result = over_rest(case, ana)
    assert (result["status"], result["needs_second"]) == ("standing", False)


@pytest.mark.parametrize(
    ("verdict", "kind", "why"),
    [
        ({"passed": False}, "overridden", f"Overridden: {LABEL}"),
        ({"passed": False}, "reviewed", f"Not passed: {LABEL}"),
        (
            {"passed": False, "verdict": "inconclusive"},
            "overridden",
            f"Overridden: {LABEL}",
        ),
        (
            {"passed": False, "verdict": "inconclusive"},
            "reviewed",
            f"Not passed: {LABEL}",
        ),
        ({"passed": False, "verdict": "review"}, "overridden", f"Overridden: {LABEL}"),
        ({"passed": "perhaps"}, "reviewed", f"Not passed: {LABEL}"),
    ],
)
def test_evidence_that_was_set_aside_asks_for_a_second(verdict, kind, why):
    case, ana = a_case(verdict), Caller(someone("analyst"))
    marked(case, kind, ana)
    page = ana.get(f"/cases/{case.pk}/review-state").json()["why_second"]
    assert why in page
    result = over_rest(case, ana)
    assert (result["status"], result["why_second"]) == ("proposed", page)
    line = case.events.get(what="proposed")
    # The reasons may quote the service, so they end with the case.
    assert ("second" in line.data, line.details["second"]) == (False, page)


@pytest.mark.parametrize(
    "recommendation", ["", "Review", "review", "Deny", "Escalate", "  "]
)
def test_whatever_the_agent_did_not_approve_asks_for_a_second(recommendation):
    case, ana = a_case(recommendation=recommendation), Caller(someone("analyst"))
    result = over_rest(case, ana)
    text = f"The agent recommends: {word(recommendation) or 'nothing'}"
    assert (result["status"], result["why_second"]) == ("proposed", [text])


@pytest.mark.parametrize("recommendation", ["Approve", "approved", " APPROVE "])
def test_approve_in_any_spelling_is_approve(recommendation):
    case = a_case(recommendation=recommendation)
    assert over_rest(case, Caller(someone("analyst")))["status"] == "standing"


def test_reasons_beside_an_approve_ask_for_a_second():
    case = a_case(recommendation_reasons=[LACKS, "b.", "c.", "d.", "e."])
    result = over_rest(case, Caller(someone("analyst")))
    text = f"The agent says: {LACKS} b. c. and 2 more"
    assert (result["status"], result["why_second"]) == ("proposed", [text])


NOTHING = "No document and no list was examined"
THIN: list[tuple[str, Any]] = [
    ("kyb.tax_number_check", {"passed": True}),
    # It concludes, and the case has no document that it could be about.
    ("kyb.incorporation_document_verification", {"passed": True}),
    # It says which lists it looked into: none.
    (CHECK, {"passed": True, "payload": {"screening": {"lists": [], "matches": []}}}),
    (CHECK, {"passed": False, "verdict": "not_applicable"}),
]


@pytest.mark.parametrize(("check_id", "result"), THIN)
def test_where_nothing_was_examined_a_second_is_asked_for(check_id, result):
    case = a_case(result, check_id=check_id)
    outcome = over_rest(case, Caller(someone("analyst")))
    assert (outcome["status"], outcome["why_second"]) == ("proposed", [NOTHING])


@pytest.mark.parametrize(
    ("verdict", "is_enough"), [("pass", True), ("not_applicable", False)]
)
def test_a_document_counts_once_a_check_concluded_over_it(verdict, is_enough):
    case, job = reviewed_case(recommendation="Approve")
    add_document(case)
    result = {"passed": verdict == "pass", "verdict": verdict}
    add_check_result(job, result, check_id="kyb.incorporation_document_verification")
    why = (
        Caller(someone("analyst"))
        .get(f"/cases/{case.pk}/review-state")
        .json()["why_second"]
    )
    assert why == ([] if is_enough else [NOTHING])


def test_to_reject_asks_for_no_second_on_these_grounds():
    case, ana = a_case({"passed": False}, recommendation=""), Caller(someone("analyst"))
    data = {
        "outcome": "reject",
        "reasons": ["R02"],
        "rationale": "It does not agree.",
        "revision": case.revision,
    }
    assert ana.post(f"/cases/{case.pk}/decisions", data).json()["status"] == "standing"


def test_the_decision_form_says_so_before_and_the_page_keeps_the_proposal_for_another(
    client: Client,
):
    case = a_case({"passed": False, "verdict": "review"}, recommendation="Review")
    ana, senior = someone("analyst", "ana"), someone("senior", "sven")
    client.force_login(ana)
    mark = {"check": CHECK, "kind": "overridden", "reason": "A namesake."}
    assert client.post(f"/cases/{case.pk}/mark/", mark).status_code == 303
    result = plain(client.get(f"/cases/{case.pk}/?decide=approve").content.decode())
    assert (
        "A second person is needed. Your decision waits for anyone who may agree sven"
        in result
    )
    assert f"Overridden: {LABEL}" in result
    assert "The agent recommends: Review" in result
    wish = {
        "outcome": "approve", "reasons": ["A03"], "rationale": "A namesake.",
        "revision": Case.objects.get().revision,
    }  # fmt: skip
    assert client.post(f"/cases/{case.pk}/decide/", wish).status_code == 303
    assert Case.objects.get().status == "second"
    agree = {"agrees": "yes", "revision": Case.objects.get().revision}
    # The maker is no second person, and another analyst has no right to be one.
    assert client.post(f"/cases/{case.pk}/second/", agree).status_code in {403, 422}
    client.force_login(senior)
    assert client.post(f"/cases/{case.pk}/second/", agree).status_code == 303
    row = Decision.objects.get()
    assert (Case.objects.get().status, row.status, row.second_by) == (
        "decided",
        "standing",
        senior,
    )


def test_rule_owners_switch_a_rule_off_or_bind_it_to_an_agent(client: Client):
    case = a_case(recommendation="Review")
    ana, boss = Caller(someone("analyst")), someone("rule owner", "boss")
    boss.is_staff = True
    boss.save()
    client.force_login(boss)
    rule = FourEyesRule.objects.get(condition="unsupported")
    address = f"/admin/reviews/foureyesrule/{rule.pk}/change/"
    data = {
        "name": rule.name,
        "condition": "unsupported",
        "threshold": 1,
        "outcome": "approve",
    }
    other = make_agent(case.connection, kind="kyc", key="other")
    assert (
        client.post(address, data | {"agent": other.pk, "is_active": "on"}).status_code
        == 302
    )
    assert ana.get(f"/cases/{case.pk}/review-state").json()["why_second"] == []
    assert client.post(address, data | {"is_active": "on"}).status_code == 302
    assert ana.get(f"/cases/{case.pk}/review-state").json()["why_second"] != []
    assert client.post(address, data).status_code == 302
    assert over_rest(case, ana)["status"] == "standing"


def test_a_new_installation_has_them_all():
    conditions = {condition for _, condition, _ in policy.RULES}
    assert set(FourEyesRule.objects.values_list("condition", flat=True)) == conditions


def test_what_was_written_on_an_older_page_is_shown_again(client):
    one_person()
    case = a_case()
    senior = someone("senior")
    revision = case.revision
    decide(case, someone("analyst"), "approve")
    client.force_login(senior)
    sent = {"revision": revision, "outcome": "reject", "rationale": "My long words."}
    for act in ("decide", "second"):
        sent["note"] = "My note."
        response = client.post(f"/cases/{case.pk}/{act}/", sent)
        assert response.status_code == 409
        text = response.content.decode()
        assert "was not saved. You can copy it here" in text
        assert '<blockquote class="unsaved">My long words.' in text
        assert "My note." in text
