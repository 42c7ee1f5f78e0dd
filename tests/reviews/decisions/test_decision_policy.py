"""The decision policy: what it demands, how a version goes live, and what is approved automatically."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import now

from compliance.approvals import proposals
from compliance.approvals.models import Proposal
from reviews import tasks
from reviews.access import roles
from reviews.audit import trail, verification
from reviews.decisions import obstacles
from reviews.decisions.automatic import approvals, trials
from reviews.decisions.decisions import RefusedError
from reviews.decisions.policies import versions
from reviews.decisions.policies.content import Policy
from reviews.findings.review_state import ReviewState
from reviews.models import (
    ApprovalSwitch,
    AutomaticReview,
    Case,
    CaseEvent,
    CaseRating,
    Contradiction,
    Decision,
    DecisionPolicy,
    DecisionTrial,
    FourEyesRule,
    LegalHold,
    SuspicionReport,
)
from reviews.risk import policies as risk_policies
from reviews.risk import trials as risk_trials
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import PolicyError
from reviews.versions import errors
from tests.factories import make_connection, make_user
from tests.reviews.queue.test_bulk_approvals import clean
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
CLEAN: dict[str, Any] = {"band": "low", "automatic": "clean", "sample": 5}


@pytest.fixture
def desk():
    one_person()
    return make_connection()


@pytest.fixture
def olga():
    return someone(roles.RULE_OWNER, "olga")


@pytest.fixture
def otto():
    return someone(roles.RULE_OWNER, "otto")


@pytest.fixture
def ana():
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def owners(olga, otto):
    return olga, otto


def draft(actor, *rules: dict[str, Any]) -> DecisionPolicy:
    return versions.draft(actor=actor, content={"rules": list(rules)}, note="New.")


def tried(version: DecisionPolicy, actor) -> DecisionTrial:
    trial = trials.begin(version, actor=actor)
    tasks.try_decision_policies()
    trial.refresh_from_db()
    return trial


def put_live(olga, otto, *rules: dict[str, Any]) -> DecisionPolicy:
    version = draft(olga, *rules)
    tried(version, olga)
    proposal = versions.make_live(version, actor=olga)
    assert proposal is not None
    proposals.approve(proposal, actor=otto)
    version.refresh_from_db()
    assert version.status == "live"
    return version


def switched_on(olga, otto) -> None:
    proposal = approvals.switch_on(actor=olga)
    assert proposal is not None
    assert not approvals.is_on()
    proposals.approve(proposal, actor=otto)
    assert approvals.is_on()


def faults_of(*tables: str) -> list[str]:
    trail.seal_all()
    return [fault for fault in verification.faults() if fault.startswith(tables)]


def test_nobody_changes_alone_what_automatic_approvals_rely_on(owners, client):
    """One rule owner could call every case low, or end the rule of a second person."""
    olga, otto = owners
    rule = FourEyesRule.objects.create(name="Odd", condition="against")
    put_live(olga, otto, {"band": "low", "automatic": "clean", "sample": 10})
    switched_on(olga, otto)
    lenient = {**DEFAULT, "bands": {"medium": 99, "high": 100}}
    new = risk_policies.draft(actor=olga, content=lenient, note="All are low.")
    risk_trials.begin(new, actor=olga)
    tasks.try_policies()
    client.force_login(olga)
    client.post(f"/risk/{new.number}/live/")
    assert risk_policies.live() != new
    proposal = Proposal.objects.get(status="waiting")
    assert proposals.objection(proposal, olga)
    client.post(f"/admin/reviews/foureyesrule/{rule.pk}/delete/", {"post": "yes"})
    assert FourEyesRule.objects.filter(pk=rule.pk).exists()
    proposals.approve(proposal, actor=otto)
    assert risk_policies.live() == new


@pytest.mark.parametrize(
    ("rule", "fault"),
    [
        ({"band": "huge"}, "there is no such band"),
        ({"automatic": "clean", "sample": 5}, "only cases of low risk"),
        ({"band": "low", "automatic": "clean"}, "share of sampling above 0"),
        ({"sample": 101}, "0 to 100"),
        ({"documents": ["cake"]}, "no document: cake"),
        ({"senior": ["escalate"]}, "no outcome: escalate"),
        ({"agent": "x"}, "the number of an agent"),
        ({"agent": 99}, "an agent that there is not"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused_in_words(olga, rule, fault):
    with pytest.raises(PolicyError, match=fault):
        draft(olga, rule)
    assert not DecisionPolicy.objects.exists()


def test_of_several_rules_the_strictest_holds():
    policy = Policy.from_json(
        {
            "rules": [
                {"checks": ["a"], "sample": 3},
                {"agent": 7, "checks": ["b"], "senior": ["reject"], "sample": 10},
                {**CLEAN},
                {"agent": 8, "automatic": "never", "second": ["approve"]},
            ]
        }
    )
    wanted = policy.demands(7, "low")
    assert (wanted.checks, wanted.senior, wanted.sample) == ({"a", "b"}, {"reject"}, 10)
    assert wanted.is_automatic
    forbidden = policy.demands(8, "low")
    assert not forbidden.is_automatic
    assert forbidden.second == {"approve"}
    assert not policy.demands(7, "medium").is_automatic


def test_what_the_live_version_demands_joins_the_rules_that_there_were(
    olga, otto, ana, desk
):
    case = clean(desk, "one")
    rule = {
        "checks": ["kyb.tax_number"],
        "documents": ["ein_documents"],
        "senior": ["reject"],
        "second": ["approve"],
    }
    case.refresh_from_db()
    put_live(olga, otto, rule)
    state = ReviewState.of(case)
    faults = obstacles.of(case, state, "approve")
    assert "The decision policy wants a verdict of: Tax number." in faults
    assert any("these documents" in fault for fault in faults)
    with pytest.raises(RefusedError, match="only a senior rejects"):
        decide(case, ana, "reject")
    senior = someone(roles.SENIOR)
    assert decide(case, senior, "reject").policy == versions.live()
    # A second person is asked for by the policy, or by a rule: either is enough.
    other = clean(desk, "other")
    put_live(olga, otto, {"second": ["approve"]})
    FourEyesRule.objects.create(name="Always", condition="always")
    result = decide(other, ana)
    assert result.why_second == [
        "The decision policy asks for a second person",
        "Always",
    ]


def test_a_version_goes_live_by_its_what_if_and_another_person(olga, otto, ana, desk):
    approved, rejected = clean(desk, "approved"), clean(desk, "rejected")
    decide(approved, ana)
    decide(rejected, ana, "reject")
    version = draft(olga, CLEAN)
    with pytest.raises(errors.RefusedError, match="Try it on past decisions"):
        versions.make_live(version, actor=olga)
    with CaptureQueriesContext(connection) as context:
        trial = tried(version, olga)
    names = set()
    for query in context:
        if query["sql"].startswith(("INSERT", "UPDATE", "DELETE")):
            names.add(query["sql"].split('"')[1])
    assert names <= {
        "reviews_decisiontrial", "reviews_contradiction",
        "reviews_caseevent", "reviews_unsealed", "reviews_chain",
    }  # fmt: skip
    figures = trial.counts
    assert (figures["automatic"], figures["agree"], figures["differ"]) == (2, 1, 1)
    with pytest.raises(errors.RefusedError, match="1 cases that it would approve"):
        versions.make_live(version, actor=olga)
    [row] = Contradiction.objects.all()
    assert (row.case, row.outcome) == (rejected, "reject")
    with pytest.raises(errors.RefusedError, match="Say why"):
        trials.acknowledge(row, actor=olga, reason=" ")
    with pytest.raises(PermissionDenied):
        trials.acknowledge(row, actor=ana, reason="x")
    trials.acknowledge(row, actor=olga, reason="Outside of our appetite then.")
    with pytest.raises(errors.RefusedError, match="acknowledged already"):
        trials.acknowledge(row, actor=olga, reason="Again.")
    # Whatever SETTINGS_FOUR_EYES says, somebody else releases it, and never its author.
    proposal = versions.make_live(version, actor=olga)
    assert proposal is not None
    with pytest.raises(PermissionDenied):
        proposals.approve(proposal, actor=olga)
    by_otto = versions.make_live(version, actor=otto)
    assert by_otto is not None
    with pytest.raises(PermissionDenied, match="You wrote this version"):
        proposals.approve(by_otto, actor=olga)
    assert versions.live() is None
    proposals.approve(proposal, actor=otto)
    assert versions.live() == version
    assert faults_of("reviews_decisionpolicy", "reviews_contradiction") == []


def test_a_clean_case_is_approved_by_itself_once(olga, otto, desk):
    version = put_live(olga, otto, CLEAN)
    assert clean(desk, "before").status == "to_review"
    tasks.approve_by_policy()
    assert not Decision.objects.exists()
    switched_on(olga, otto)
    clean(desk, "after")
    tasks.approve_by_policy()
    # The one that waited was looked at, too.
    for reference in ("before", "after"):
        case = Case.objects.get(reference=reference)
        [decision] = case.decisions.all()
        assert (case.status, decision.made_by) == ("decided", None)
        assert (decision.policy, decision.maker) == (version, "Decision policy 1")
        line = case.events.get(what="decided")
        assert (line.actor, line.user) == ("system", None)
        assert (line.data["policy"], line.data["reasons"]) == (1, ["A01"])
    AutomaticReview.objects.update(due_at=now() - timedelta(seconds=1))
    tasks.approve_by_policy()
    assert Decision.objects.count() == 2
    assert faults_of("reviews_decision", "reviews_approvalswitch") == []


def test_one_act_of_a_senior_stops_it(olga, otto, ana, desk):
    put_live(olga, otto, CLEAN)
    switched_on(olga, otto)
    with pytest.raises(PermissionDenied):
        approvals.stop(actor=ana, reason="x")
    with pytest.raises(errors.RefusedError, match="Say why"):
        approvals.stop(actor=someone(roles.SENIOR), reason="")
    clean(desk, "waits")
    approvals.stop(actor=make_user("sia", role=roles.SENIOR), reason="A new fraud.")
    tasks.approve_by_policy()
    assert not Decision.objects.exists()
    assert ApprovalSwitch.objects.get().status == "off"
    line = CaseEvent.objects.get(what="automatic_approvals_stopped")
    assert line.data["reason"] == "A new fraud."
    assert faults_of("reviews_approvalswitch") == []
    # On again takes two people again.
    assert isinstance(approvals.switch_on(actor=olga), Proposal)


def test_it_is_switched_on_only_for_a_version_that_says_so(olga, otto, desk):
    with pytest.raises(errors.RefusedError, match="No rule"):
        approvals.switch_on(actor=olga)
    put_live(olga, otto, {"sample": 5})
    with pytest.raises(errors.RefusedError, match="No rule"):
        approvals.switch_on(actor=olga)


def _held(case: Case, ana) -> None:
    LegalHold.objects.create(case=case, reason="Asked for.", by=ana)


def _assigned(case: Case, ana) -> None:
    Case.objects.filter(pk=case.pk).update(analyst=ana)


def _of_a_rule(case: Case, ana) -> None:
    FourEyesRule.objects.create(name="Always", condition="always")


def _rated_higher(case: Case, ana) -> None:
    Case.objects.filter(pk=case.pk).update(risk_band=3)


def _alarmed(case: Case, ana) -> None:
    case.alarm = "A late result."
    case.save()


def _suspicious(case: Case, ana) -> None:
    SuspicionReport.objects.create(
        case=case, noticed_on=now(), due_on=now(), made_by=ana
    )


def _not_recommended(case: Case, ana) -> None:
    Case.objects.filter(pk=case.pk).update(recommendation="Review")


DOUBTS = (
    _held, _assigned, _of_a_rule, _rated_higher, _alarmed, _suspicious, _not_recommended,
)  # fmt: skip


@pytest.mark.parametrize("make_doubtful", DOUBTS)
def test_whatever_is_in_doubt_is_left_to_people(owners, ana, desk, make_doubtful):
    put_live(*owners, CLEAN)
    switched_on(*owners)
    case = clean(desk, "one")
    make_doubtful(case, ana)
    tasks.approve_by_policy()
    case.refresh_from_db()
    assert case.status == "to_review"
    assert not Decision.objects.exists()


def test_what_only_seniors_approve_is_never_approved_by_itself(owners, desk):
    put_live(*owners, CLEAN, {"senior": ["approve"]})
    switched_on(*owners)
    clean(desk, "one")
    tasks.approve_by_policy()
    assert not Decision.objects.exists()


def test_the_band_of_then_counts_in_a_what_if(ana, olga, desk):
    case = clean(desk, "then")
    decide(case, ana)
    CaseRating.objects.update(at=now() + timedelta(hours=1))
    trial = tried(draft(olga, CLEAN), olga)
    assert trial.counts["automatic"] == 0
    assert trial.done == 1


def test_what_a_version_would_not_have_allowed_is_counted(ana, olga, desk):
    decide(clean(desk, "one"), ana)
    rule = {"checks": ["x"], "senior": ["approve"], "second": ["approve"]}
    figures = tried(draft(olga, rule), olga).counts
    assert (figures["incomplete"], figures["senior"], figures["second"]) == (1, 1, 1)
