"""Deciding: what stands in the way, when two people must agree, and what is told to whom."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re

import orjson
import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.utils.timezone import now

from compliance.http import outbound
from reviews.decisions import decisions, marks
from reviews.decisions.decisions import RefusedError, StaleError
from reviews.jobs import completion, result_rows
from reviews.models import (
    Case,
    CheckReview,
    Decision,
    FourEyesRule,
    ReasonCode,
    Subscription,
)
from tests import fakeservice
from tests.factories import make_case, make_connection, make_job
from tests.fakeservice import Step
from tests.reviews.pages.case.rows import add_check_result, add_document
from tests.reviews.rows import (
    CHECK,
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
    wish,
)

pytestmark = pytest.mark.django_db


def event_words(case: Case) -> list[str]:
    return list(case.events.values_list("what", flat=True))


def test_an_approval_stands_and_is_on_record():
    one_person()
    case, ana = open_case(recommendation="Approve"), someone("analyst")
    result = decide(case, ana, rationale="  Nothing speaks against it.  ")
    case.refresh_from_db()
    assert (case.status, result.status) == ("decided", "standing")
    assert result.reasons == [["A01", "All checks passed"]]
    assert result.rationale == "Nothing speaks against it."
    line = case.events.get(what="decided")
    assert (line.by, line.data["outcome"], line.data["reasons"]) == (
        "analyst",
        "approve",
        ["A01"],
    )


@pytest.mark.parametrize(
    ("values", "fault"),
    [
        ({"reasons": []}, "at least one reason"),
        ({"reasons": ["R01"]}, "at least one reason"),
        ({"rationale": " \n "}, "rationale"),
        ({"rationale": "x" * 10_001}, "10,000 characters"),
    ],
)
def test_a_decision_without_its_parts_is_refused(values, fault):
    case = open_case()
    with pytest.raises(RefusedError, match=fault):
        decide(case, someone("analyst"), **values)
    assert not case.decisions.exists()


def test_a_reason_that_was_taken_from_the_list_cannot_be_chosen():
    ReasonCode.objects.filter(code="A01").update(is_active=False)
    with pytest.raises(RefusedError, match="reason"):
        decide(open_case(), someone("analyst"))


@pytest.mark.parametrize("kind", ["reviewed", "overridden"])
def test_an_open_failure_stands_in_the_way_until_a_person_looked_at_it(kind):
    one_person()
    case, ana = open_case(failing=True), someone("analyst")
    with pytest.raises(RefusedError, match="Sanctions screening"):
        decide(case, ana)
    marks.mark(case, CHECK, actor=ana, kind=kind, reason="Another person of that name.")
    assert decide(case, ana).status == "standing"


def test_a_rejection_needs_no_reviews():
    one_person()
    assert (
        decide(open_case(failing=True), someone("analyst"), "reject").status
        == "standing"
    )


def test_a_running_check_stands_in_the_way_of_an_approval():
    case = open_case()
    make_job(case)
    with pytest.raises(RefusedError):
        decide(case, someone("analyst"))


def test_to_override_takes_a_reason_in_the_database_too():
    case, ana = open_case(failing=True), someone("analyst")
    with pytest.raises(RefusedError, match="why"):
        marks.mark(case, CHECK, actor=ana, kind="overridden", reason=" ")
    with pytest.raises(IntegrityError), transaction.atomic():
        CheckReview.objects.create(
            job=case.jobs.get(), check_id=CHECK, kind="overridden", by=ana
        )


def test_a_long_reason_is_the_same_in_the_row_and_in_the_trail():
    case, ana = open_case(failing=True), someone("analyst")
    for _ in range(2):
        reason = "x" * (decisions.LONGEST + 1)
        marks.mark(case, CHECK, actor=ana, kind="overridden", reason=reason)
    row = CheckReview.objects.get()
    event = case.events.get(what="check_overridden")
    assert event.details["reason"] == row.reason == "x" * decisions.LONGEST


def test_a_mark_can_be_taken_back_and_the_trail_keeps_both():
    case, ana = open_case(failing=True), someone("analyst")
    marks.mark(case, CHECK, actor=ana, kind="reviewed")
    marks.mark(case, CHECK, actor=ana, kind="")
    marks.mark(case, CHECK, actor=ana, kind="")
    assert event_words(case) == ["check_reviewed", "mark_taken_back"]
    with pytest.raises(RefusedError):
        decide(case, ana)


@pytest.mark.parametrize("kind", ["reviewed", "overridden"])
def test_a_reason_that_contradicts_the_case_is_refused(kind):
    one_person()
    case, ana = open_case(failing=True), someone("analyst")
    marks.mark(case, CHECK, actor=ana, kind=kind, reason="Looked at.")
    with pytest.raises(
        RefusedError, match=r"A01 All checks passed does not fit.*Sanctions"
    ):
        decide(case, ana, reasons=["A01", "A03"])
    assert decide(case, ana, reasons=["A03"]).status == "standing"


@pytest.mark.parametrize(
    ("outcome", "word"), [("approve", "Approved"), ("reject", "Rejected")]
)
def test_the_head_of_a_decided_case_says_how(client, outcome, word):
    one_person()
    case, ana = (
        open_case(recommendation="Deny" if outcome == "reject" else ""),
        someone("analyst"),
    )
    decide(case, ana, outcome)
    client.force_login(ana)
    html = client.get(f"/cases/{case.pk}/").content.decode()
    head = html[html.index('id="case-head"') : html.index('class="checks"')]
    assert word in head
    assert "Decided" not in head
    assert "Deny" not in head


def test_what_a_later_run_says_must_be_looked_at_anew():
    case, ana = open_case(failing=True), someone("analyst")
    marks.mark(case, CHECK, actor=ana, kind="reviewed")
    add_check_result(
        make_job(case, status="complete"), {"passed": False}, check_id=CHECK
    )
    with pytest.raises(RefusedError, match="Neither reviewed nor overridden"):
        decide(case, ana)


RULES = [
    ({"recommendation": "Deny"}, "approve", "against", "The agent recommends: Reject"),
    (
        {"recommendation": "approve"},
        "reject",
        "against",
        "The agent recommends: approve",
    ),
    ({}, "reject", "always", "Rule"),
]


@pytest.mark.parametrize(("values", "outcome", "condition", "why"), RULES)
def test_a_rule_asks_for_a_second_person(values, outcome, condition, why):
    one_person()
    FourEyesRule.objects.create(name="Rule", condition=condition)
    case = open_case(**values)
    result = decide(case, someone("analyst"), outcome)
    case.refresh_from_db()
    assert (case.status, result.status, result.why_second) == (
        "second",
        "proposed",
        [why],
    )


@pytest.mark.parametrize(("threshold", "status"), [(1, "proposed"), (2, "standing")])
def test_risk_indicators_count(threshold, status):
    one_person()
    FourEyesRule.objects.create(name="Risks", condition="risks", threshold=threshold)
    case, ana = open_case(), someone("analyst")
    document = add_risky_document(case)
    marks.mark(case, f"document-{document.pk.hex}", actor=ana, kind="reviewed")
    assert decide(case, ana).status == status


def test_a_rule_holds_for_its_agent_and_its_outcome_alone():
    one_person()
    case = open_case()
    rule = FourEyesRule.objects.create(name="R", condition="always", outcome="reject")
    assert decide(case, someone("analyst")).status == "standing"
    rule.outcome, rule.agent = "", case.agent
    rule.save()
    decisions.reopen(
        Case.objects.get(),
        actor=someone("senior"),
        reason="x",
        revision=Case.objects.get().revision,
    )
    assert decide(case, someone("analyst", "other")).status == "proposed"


@pytest.fixture
def proposed():
    FourEyesRule.objects.create(name="R", condition="always")
    return decide(open_case(), someone("analyst"))


def give_second(made: Decision, actor, *, agrees=True, note="") -> Case:
    case = Case.objects.get(pk=made.case_id)
    decisions.second(
        made, actor=actor, agrees=agrees, note=note, revision=case.revision
    )
    return Case.objects.get(pk=made.case_id)


def test_the_second_person_agrees(proposed):
    case = give_second(proposed, someone("senior"), note="I agree.")
    proposed.refresh_from_db()
    assert (case.status, proposed.status) == ("decided", "standing")
    assert event_words(case) == ["proposed", "approved_second"]


def test_nobody_agrees_to_what_a_deactivated_person_proposed(proposed):
    senior = someone("senior", "sven")
    User.objects.filter(pk=proposed.made_by_id).update(is_active=False)
    with pytest.raises(decisions.RefusedError, match="was deactivated"):
        give_second(proposed, senior)
    proposed.refresh_from_db()
    assert proposed.status == "proposed"
    case = give_second(proposed, senior, agrees=False, note="Decide anew.")
    assert case.status == Case.Status.TO_REVIEW


def test_the_second_person_sends_it_back_with_a_note(proposed):
    senior = someone("senior")
    with pytest.raises(RefusedError, match="what is to be done"):
        give_second(proposed, senior, agrees=False)
    case = give_second(proposed, senior, agrees=False, note="Ask the bank.")
    assert (case.status, case.decisions.get().status) == ("to_review", "returned")


def test_the_maker_is_never_the_checker():
    FourEyesRule.objects.create(name="R", condition="always")
    senior = someone("senior")
    result = decide(open_case(), senior)
    with pytest.raises(RefusedError, match="somebody else"):
        give_second(result, senior)
    with (
        pytest.raises(IntegrityError, match="maker_is_never_checker"),
        transaction.atomic(),
    ):
        Decision.objects.update(second_by=senior)


def test_the_database_holds_two_where_two_are_needed(proposed):
    with (
        pytest.raises(IntegrityError, match="two_where_two_are_needed"),
        transaction.atomic(),
    ):
        Decision.objects.update(status="standing")


def test_the_database_holds_one_decision_at_a_time(proposed):
    with pytest.raises(IntegrityError), transaction.atomic():
        Decision.objects.create(
            case=proposed.case,
            outcome="reject",
            status="standing",
            made_by=proposed.made_by,
        )


def test_an_analyst_is_no_second_person(proposed):
    with pytest.raises(PermissionDenied):
        give_second(proposed, someone("analyst", "bob"))


def test_what_was_escalated_is_for_a_senior_to_decide():
    one_person()
    case = open_case()
    decide(case, someone("analyst"), "escalate")
    case.refresh_from_db()
    assert case.status == "escalated"
    with pytest.raises(PermissionDenied):
        decide(case, someone("analyst", "bob"))
    assert decide(case, someone("senior")).status == "standing"


def test_who_looked_at_an_older_state_is_told_who_changed_it():
    one_person()
    case, ana, bob = open_case(), someone("analyst", "ana"), someone("analyst", "bob")
    result = case.revision
    decide(case, ana)
    with pytest.raises(StaleError, match=rf"ana decided this at {now():%H}:"):
        decisions.decide(case, actor=bob, request=wish("reject"), revision=result)
    assert case.decisions.get().made_by == ana


def test_a_result_that_arrives_makes_what_was_seen_old():
    case, ana = open_case(), someone("analyst")
    result = case.revision
    job = case.jobs.get()
    completion.apply_results(
        job, [result_rows.tool_result(job, "t", {"passed": False})]
    )
    with pytest.raises(StaleError):
        decisions.decide(case, actor=ana, request=wish(), revision=result)


def test_to_reopen_takes_a_reason_and_keeps_the_decision():
    one_person()
    case = open_case()
    decide(case, someone("analyst"))
    case.refresh_from_db()
    senior = someone("senior")
    with pytest.raises(RefusedError):
        decisions.reopen(case, actor=senior, reason="", revision=case.revision)
    decisions.reopen(case, actor=senior, reason="New list.", revision=case.revision)
    case.refresh_from_db()
    row = case.decisions.get()
    assert (case.status, row.status, row.reopened_for) == (
        "to_review",
        "reopened",
        "New list.",
    )
    assert decide(case, senior, "reject").status == "standing"


def test_a_job_of_another_system_does_not_undo_a_decision():
    one_person()
    case = open_case(recommendation="Approve")
    decide(case, someone("analyst"))
    completion.complete(make_job(case), recommendation="Approve")
    case.refresh_from_db()
    assert (case.status, case.alarm) == ("decided", "")
    assert "job_complete" in event_words(case)


def test_a_decision_is_announced_by_a_signed_webhook(work_off, settings):
    one_person()
    with fakeservice.running() as receiver:
        receiver.plan.append(Step(status=200))
        settings.OUTBOUND_ALLOW = {outbound.origin(receiver.url)}
        Subscription.objects.create(
            name="core", url=f"{receiver.url}/hook", secret="shared"
        )
        case = open_case(recommendation="Approve")
        decide(case, someone("analyst"))
        work_off()
        [(_, path, body)] = receiver.asked
    [headers] = receiver.headers
    assert path == "hook"
    assert (body["event"], body["case_id"], body["outcome"]) == (
        "case.decided",
        "C-10428",
        "approve",
    )
    assert body["reasons"] == [{"code": "A01", "label": "All checks passed"}]
    payload = (
        f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode()
        + orjson.dumps(body)
    )
    digest = hmac.new(b"shared", payload, hashlib.sha256).digest()
    assert headers["webhook-signature"] == f"v1,{base64.b64encode(digest).decode()}"
    assert abs(now().timestamp() - int(headers["webhook-timestamp"])) < 60
    # Nothing that could be sent again later, or stand in for the signature of something else.
    assert not any(
        "signature" in name.lower() for name in headers if name != "webhook-signature"
    )


def test_an_announcement_that_is_not_taken_is_tried_again(work_off, settings):
    one_person()
    settings.OUTBOUND_ALLOW = {("127.0.0.1", 9)}
    sub = Subscription.objects.create(
        name="core", url="http://127.0.0.1:9/hook", secret="s"
    )
    decide(open_case(), someone("analyst"))
    work_off()
    announcement = sub.announcements.get()
    assert (announcement.status, announcement.tries) == ("due", 1)
    assert announcement.due_at
    assert announcement.due_at > now()
    assert "no answer" in announcement.attempts.get().error


def test_an_announcement_that_waits_for_its_next_try_is_sent_at_once(
    client, work_off, settings
):
    one_person()
    with fakeservice.running() as receiver:
        receiver.plan += [Step(status=500), Step(status=200)]
        settings.OUTBOUND_ALLOW = {outbound.origin(receiver.url)}
        sub = Subscription.objects.create(
            name="core", url=f"{receiver.url}/hook", secret="shared"
        )
        decide(open_case(), someone("analyst"))
        work_off()
        row = sub.announcements.get()
        assert (row.status, row.tries) == ("due", 1)
        client.force_login(someone("administrator"))
        address = f"/webhooks/sent/{row.pk}/"
        assert "Send now" in client.get(address).content.decode()
        client.post(f"{address}again/")
        work_off()
        row.refresh_from_db()
        # The first try counts still.
        assert (row.status, row.tries) == ("done", 2)
        assert "Send now" not in client.get(address).content.decode()
        page = client.post(f"{address}again/", follow=True).content.decode()
        assert "It was delivered" in page
        work_off()
        assert len(receiver.asked) == 2


def test_a_proposal_is_not_announced(proposed):
    Subscription.objects.create(name="core", url="http://127.0.0.1:9/hook", secret="s")
    assert not proposed.announcements.exists()
    give_second(proposed, someone("senior"))
    assert proposed.announcements.count() == 1


def test_what_no_check_examined_did_not_pass_all_checks():
    one_person()
    case, ana = (
        make_case(make_connection(), status=Case.Status.TO_REVIEW),
        someone("analyst"),
    )
    with pytest.raises(
        RefusedError, match="A01 All checks passed does not fit: no check"
    ):
        decide(case, ana, reasons=["A01"])


def test_a_forged_document_needs_a_document_and_a_match_one_that_is_there():
    case, ana = open_case(), someone("analyst")
    with pytest.raises(
        RefusedError, match=r"R01 .* does not fit: the case has no document"
    ):
        decide(case, ana, "reject", reasons=["R01"])
    with pytest.raises(
        RefusedError, match=r"R03 .* does not fit: passed: Sanctions screening"
    ):
        decide(case, ana, "reject", reasons=["R03", "R04"])
    ReasonCode.objects.filter(code="R03").update(claim="")
    assert decide(case, ana, "reject", reasons=["R03"]).outcome == "reject"


def test_contradicted_data_need_a_check_that_does_not_agree_or_one_overridden():
    one_person()
    case, ana = open_case(), someone("analyst")
    wanted = r"R02 Attested data contradicted does not fit: every check that applies has passed"
    with pytest.raises(RefusedError, match=wanted):
        decide(case, ana, "reject", reasons=["R02"])
    marks.mark(case, CHECK, actor=ana, kind="reviewed")
    with pytest.raises(RefusedError, match=wanted):
        decide(case, ana, "reject", reasons=["R02"])
    marks.mark(
        case, CHECK, actor=ana, kind="overridden", reason="The register says otherwise."
    )
    assert decide(case, ana, "reject", reasons=["R02"]).outcome == "reject"


def test_contradicted_data_are_a_reason_where_a_check_failed():
    one_person()
    case, ana = open_case(failing=True), someone("analyst")
    assert decide(case, ana, "reject", reasons=["R02"]).outcome == "reject"


def test_contradicted_data_are_a_reason_where_no_check_ran():
    one_person()
    case, ana = (
        make_case(make_connection(), status=Case.Status.TO_REVIEW),
        someone("analyst"),
    )
    assert decide(case, ana, "reject", reasons=["R02"]).outcome == "reject"


def test_an_illegible_document_needs_a_document():
    case, ana = open_case(), someone("analyst")
    with pytest.raises(
        RefusedError, match=r"I02 .* does not fit: the case has no document"
    ):
        decide(case, ana, "request", reasons=["I02"])
    add_document(case)
    assert decide(case, ana, "request", reasons=["I02"]).outcome == "request"


def test_the_decision_form_offers_no_reason_that_the_case_contradicts(client):
    case, ana = open_case(failing=True), someone("analyst")
    client.force_login(ana)
    html = client.get(f"/cases/{case.pk}/?decide=approve").content.decode()
    [clean] = re.findall(r'<input[^>]*value="A01"[^>]*>', html)
    [other] = re.findall(r'<input[^>]*value="A02"[^>]*>', html)
    assert "disabled" in clean
    assert "disabled" not in other
    assert "does not fit: not passed: Sanctions screening" in html


def test_what_is_written_in_the_decision_form_is_there_after_a_note_and_gone_when_sent(
    client,
):
    one_person()
    case = open_case()
    other = make_case(case.connection, status=Case.Status.TO_REVIEW)
    client.force_login(someone("analyst"))
    page = f"/cases/{case.pk}/"
    html = client.get(f"{page}?decide=approve").content.decode()
    assert f'hx-post="{page}unsent/"' in html
    sent = {
        "outcome": "approve",
        "reasons": ["A01"],
        "rationale": "The bank confirmed it.",
        "revision": str(case.revision),
    }
    assert client.post(f"{page}unsent/", sent).status_code == 204
    answer = client.post(f"{page}notes/", {"text": "Called the bank."}, follow=True)
    html = answer.content.decode()
    assert "Unsent decision" in html
    assert f'href="{page}?decide=approve"' in html
    html = client.get(f"{page}?decide=approve").content.decode()
    assert ">The bank confirmed it.</textarea>" in html
    assert re.search(r'<input[^>]*value="A01"[^>]* checked', html)
    html = client.get(f"/cases/{other.pk}/?decide=approve").content.decode()
    assert "The bank confirmed it." not in html

    assert client.post(f"{page}decide/", sent).status_code == 303
    decisions.reopen(
        Case.objects.get(pk=case.pk),
        actor=someone("senior", "sven"),
        reason="New facts.",
        revision=str(Case.objects.get(pk=case.pk).revision),
    )
    html = client.get(f"{page}?decide=approve").content.decode()
    assert "The bank confirmed it.</textarea>" not in html
    assert "Unsent decision" not in html


def test_a_form_that_was_kept_with_a_key_of_before_is_left_out(client):
    case = open_case()
    client.force_login(someone("analyst"))
    page = f"/cases/{case.pk}/"
    sent = {"outcome": "approve", "rationale": "The bank confirmed it."}
    assert client.post(f"{page}unsent/", sent).status_code == 204
    session = client.session
    session["unsent_decision"]["form"] = "gAAAAABo" + "A" * 120
    session.save()
    answer = client.get(f"{page}?decide=approve")
    assert answer.status_code == 200
    assert "The bank confirmed it." not in answer.content.decode()


def test_the_override_of_a_colleague_is_not_replaced_by_a_page_that_is_older(client):
    case, ana = open_case(failing=True), someone("analyst", "ana")
    marks.mark(case, CHECK, actor=ana, kind="overridden", reason="Another birth date.")
    client.force_login(someone("analyst", "bo"))
    sent = {
        "check": CHECK,
        "kind": "overridden",
        "reason": "Another country.",
        "verdict": "fail",
    }
    answer = client.post(f"/cases/{case.pk}/mark/", sent)
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "ana has overridden this check by now." in html
    assert "Another country." in html  # it can be copied
    assert CheckReview.objects.get().reason == "Another birth date."
