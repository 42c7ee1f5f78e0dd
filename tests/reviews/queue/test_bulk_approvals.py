"""Clean cases are approved together, after some of them were drawn for a full look."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import pytest

from reviews import tasks
from reviews.access import roles
from reviews.audit import trail, verification
from reviews.models import (
    BulkApproval,
    BulkApprovalCase,
    Case,
    CaseEvent,
    CheckReview,
    Decision,
    FourEyesRule,
    RatingState,
)
from reviews.queue import bulk_approvals
from reviews.risk import schedule
from tests.factories import make_agent, make_case, make_connection, make_job, make_user
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result, plain, words
from tests.reviews.risk.rows import KNOWN, add_screening
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk():
    one_person()
    return make_connection()


@pytest.fixture
def ana():
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def visitor(client, ana):
    client.force_login(ana)
    return client


def clean(desk, reference: str, **fields) -> Case:
    """A case of which nothing is left to judge, rated low by the policy itself."""
    agent = desk.agents.first() or make_agent(desk)
    values = {"recommendation": "Approve", "status": Case.Status.TO_REVIEW, **fields}
    values["self_attested_data"] = KNOWN
    case = make_case(desk, agent=agent, reference=reference, **values)
    add_screening(make_job(case, status="complete"))
    schedule.rate(case)
    tasks.rate_cases()
    case.refresh_from_db()
    assert case.get_risk_band_display() == "Low"
    return case


def drawn(approval: BulkApproval) -> Case:
    return approval.cases.get(is_sample=True).case


def test_clean_cases_are_approved_together_but_for_a_sample(visitor, desk, ana):
    cases = [clean(desk, f"clean-{number}") for number in range(4)]
    doubtful = clean(desk, "theirs", analyst=make_user("sven"))
    ids = [case.pk for case in (*cases, doubtful)]
    result = visitor.post("/queue/act/", {"act": "approve", "case": ids}, follow=True)
    text = plain(result.content.decode())
    assert "4 cases fit" in text
    assert "1 case does not fit" in text
    assert "It is somebody else's." in text
    # The same from the view of the queue, without choosing.
    assert "4 cases fit" in words(visitor, "/bulk-approvals/new/?view=review")

    page = visitor.post("/bulk-approvals/new/", {"case": ids}, follow=True)
    approval = BulkApproval.objects.get()
    sample = drawn(approval)
    assert "Approve 3 cases" in plain(page.content.decode())
    assert not Decision.objects.exists()

    address = page.request["PATH_INFO"]
    stale = approval.cases.filter(is_sample=False).first()
    assert stale is not None
    stale.case.save()  # news of it since the draw
    visitor.post(f"{address}confirm/", {"reason": "A01"})
    assert visitor.post(f"{address}confirm/", {"reason": "A01"}).status_code == 409
    # The list of the cases follows while the worker approves them, and rests then.
    follows = 'hx-select="#rows"'
    assert follows in visitor.get(address).content.decode()
    tasks.perform_bulk_acts()
    assert follows not in visitor.get(address).content.decode()
    text = words(visitor, address)
    assert "It has changed since the sample was drawn." in text
    assert "Approve: 2 of 3 cases Done, but for 1." in text
    rows = Decision.objects.all()
    assert len(rows) == 2
    for decision in rows:
        assert (decision.made_by, decision.bulk) == (ana, approval)
        assert f"Bulk approval {approval.pk}" in decision.rationale
        assert decision.case.status == Case.Status.DECIDED
        assert decision.case.events.filter(what="decided").exists()
    sample.refresh_from_db()
    assert sample.status == Case.Status.TO_REVIEW
    assert "drawn for a full look" in words(
        visitor, f"/cases/{sample.pk}/?tab=activity"
    )
    trail.seal_all()
    # Rows that the test makes without a verb have no line; what the bulk approval made has one.
    tables = ("reviews_bulkapproval", "reviews_decision")
    assert not [fault for fault in verification.faults() if fault.startswith(tables)]

    # What was drawn never fits again: nobody draws until the sample is convenient.
    [fit] = bulk_approvals.fits([sample.pk], actor=ana)
    assert fit.obstacles == ["It was drawn for a full look: decide it by itself."]
    decide(sample, ana, "reject")
    text = words(visitor, "/bulk-approvals/")
    assert "0.0 % agree: 0 approved, 1 decided otherwise, 0 not looked at yet" in text
    assert "Decided otherwise: Reject" in text


def test_what_does_not_fit_says_why(visitor, desk, ana):
    FourEyesRule.objects.create(name="Always", condition="always", is_active=False)
    waiting = clean(desk, "decided")
    decide(waiting, ana, "escalate")
    recommended = clean(desk, "review", recommendation="Review")
    rated = clean(desk, "rated")
    RatingState.objects.filter(case=rated).update(band="high")
    Case.objects.filter(pk=rated.pk).update(risk_band=2)
    failing = clean(desk, "failing")
    add_check_result(failing.jobs.get(), {"passed": False}, check_id="kyb.tax_number")
    CheckReview.objects.create(
        job=failing.jobs.get(), check_id="kyb.tax_number", kind="overridden", reason="x", by=ana
    )  # fmt: skip
    alarmed = clean(desk, "alarmed", alarm="A late result.")
    rows = (waiting, recommended, rated, failing, alarmed)
    reasons = [
        " ".join(fit.obstacles)
        for fit in bulk_approvals.fits([case.pk for case in rows], actor=ana)
    ]
    for sentence, wanted in zip(
        reasons,
        (
            "Its status is: Escalated.",
            "The agent recommends: Review.",
            "Its risk: High.",
            "Not passed: Tax number. Overridden: Tax number.",
            "An alarm asks for a person.",
        ),
        strict=True,
    ):
        assert wanted in sentence
    # A rule that asks for a second person keeps all of them out.
    fine = clean(desk, "fine")
    assert not bulk_approvals.fits([fine.pk], actor=ana)[0].obstacles
    FourEyesRule.objects.filter(name="Always").update(is_active=True)
    [fit] = bulk_approvals.fits([fine.pk], actor=ana)
    assert fit.obstacles == ["A second person must agree: Always."]
    refused = visitor.post("/bulk-approvals/new/", {"case": [fine.pk]})
    assert refused.status_code == 422


def test_a_refused_choice_is_shown_again_and_no_other_case_in_its_place(desk, visitor):
    clean(desk, "another")
    chosen = clean(desk, "chosen")
    Case.objects.filter(pk=chosen.pk).update(status=Case.Status.ESCALATED)
    answer = visitor.post("/bulk-approvals/new/", {"case": [chosen.pk]})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "chosen" in page
    assert "Its status is: Escalated." in page
    assert "another" not in page


def test_a_rule_made_after_the_draw_leaves_nothing_behind(desk, ana):
    cases = [clean(desk, f"clean-{number}") for number in range(2)]
    approval = bulk_approvals.draw([case.pk for case in cases], actor=ana)
    act = bulk_approvals.confirm(approval, actor=ana, reasons=["A01"])
    FourEyesRule.objects.create(name="Always", condition="always")
    tasks.perform_bulk_acts()
    act.refresh_from_db()
    [[_, why]] = act.refused
    assert why == "It does not fit any more: decide it by itself."
    assert not Decision.objects.exists()


def test_the_sample_is_a_tenth_and_at_least_one():
    sizes = [bulk_approvals.sample_size(count, 10) for count in (0, 1, 9, 10, 11, 100)]
    assert sizes == [0, 1, 1, 1, 2, 10]


@pytest.fixture
def both_kinds(desk, monkeypatch) -> list[int]:
    """Ten businesses and four individuals, all of whom fit."""
    monkeypatch.setattr("reviews.decisions.clean_cases.objections", lambda *_: [])
    cases = [make_case(desk, kind="kyb") for _ in range(10)]
    cases += [make_case(desk, kind="kyc") for _ in range(4)]
    return [case.pk for case in cases]


def drawn_by_kind(approval: BulkApproval) -> dict[str, int]:
    samples = approval.cases.filter(is_sample=True).select_related("case")
    return dict(Counter(line.case.kind for line in samples))


def test_each_kind_may_have_a_share_of_its_own(visitor, ana, both_kinds, settings):
    settings.BULK_SAMPLE_PERCENT_BY_KIND = {"kyb": 20, "kyc": 50}
    answer = visitor.get("/bulk-approvals/new/", {"case": both_kinds})
    page = plain(answer.content.decode())
    assert "4 are drawn at random (KYB 20, KYC 50 %" in page
    approval = bulk_approvals.draw(both_kinds, actor=ana)
    assert drawn_by_kind(approval) == {"kyb": 2, "kyc": 2}
    assert approval.share == 29  # 4 of 14
    line = CaseEvent.objects.get(what="bulk_sample_drawn")
    assert line.data["shares"] == {"kyb": 20, "kyc": 50}
    alone = bulk_approvals.draw(both_kinds[:5], actor=ana)
    assert (alone.share, drawn_by_kind(alone)) == (20, {"kyb": 1})


def test_kinds_with_one_share_are_drawn_together(ana, both_kinds, settings):
    settings.BULK_SAMPLE_PERCENT_BY_KIND = {"kyb": 10, "kyc": 10}
    approval = bulk_approvals.draw(both_kinds, actor=ana)
    assert approval.share == 10
    assert sum(drawn_by_kind(approval).values()) == 2


def test_a_share_of_a_kind_is_read_from_the_environment():
    code = "from django.conf import settings as s; print(s.BULK_SAMPLE_PERCENT_BY_KIND)"
    data = {"BULK_SAMPLE_PERCENT": "5", "BULK_SAMPLE_PERCENT_KYC": "30"}
    environment = {
        **os.environ,
        **data,
        "DJANGO_SETTINGS_MODULE": "compliance.settings",
    }
    process = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True
    )
    assert process.stdout.strip() == "{'kyb': 5, 'kyc': 30}", process.stderr


def test_over_rest(desk, ana):
    cases = [clean(desk, f"clean-{number}") for number in range(2)]
    other = clean(desk, "other", recommendation="Review")
    caller = Caller(ana)
    ids = [case.pk for case in (*cases, other)]
    answer = caller.post("/bulk-approvals", {"cases": ids})
    assert answer.status_code == 201
    body = answer.json()
    assert [row["case_id"] for row in body["left_out"]] == [other.pk]
    address = f"/bulk-approvals/{body['id']}"
    assert (
        caller.post(f"{address}/confirm", {"reasons": ["A01"]}).json()["status"]
        == "confirmed"
    )
    tasks.perform_bulk_acts()
    outcomes = {row["outcome"] for row in caller.get(address).json()["cases"]}
    assert outcomes == {"open", "approved"}
    assert len(caller.get("/bulk-approvals").json()["items"]) == 1
    line = BulkApprovalCase.objects.get(is_sample=False)
    [decision] = caller.get(f"/cases/{line.case_id}/decisions").json()["items"]
    assert decision["bulk_approval_id"] == body["id"]
