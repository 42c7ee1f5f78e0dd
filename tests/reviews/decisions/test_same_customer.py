"""A clean case is left to people if other cases of its customer ask for them."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from django.utils.timezone import now

from reviews import results, tasks
from reviews.access import roles
from reviews.decisions import clean_cases
from reviews.findings import matches
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.models import (
    Agent,
    Case,
    Decision,
    LegalHold,
    SuspicionReport,
    Team,
)
from reviews.parties.merges import merging
from reviews.risk import schedule
from tests.factories import make_agent, make_connection
from tests.reviews.decisions.test_decision_policy import CLEAN, put_live, switched_on
from tests.reviews.parties.test_merging import party_of
from tests.reviews.risk.rows import KNOWN, add_screening, hit
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


@pytest.fixture
def agent() -> Agent:
    one_person()
    return make_agent(make_connection())


@pytest.fixture
def ana() -> User:
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def owners() -> tuple[User, User]:
    return someone(roles.RULE_OWNER, "olga"), someone(roles.RULE_OWNER, "otto")


def clean(
    agent: Agent, number: int = 1, *hits: dict[str, object], **more: object
) -> Case:
    """A case about the company of this number, of which nothing is left to judge without hits."""
    data = {
        **KNOWN,
        "business_name": f"Acme {number} Ltd",
        "lei": f"5299000000000000{number:04}",
        **more,
    }
    case = cases.submit(
        actor=None, agent=agent, subject=cases.subject_of(data), data=data, documents=[]
    )
    job = case.jobs.get()
    job.status, job.due_at = "complete", None
    job.save()
    Case.objects.filter(pk=case.pk).update(
        status=Case.Status.TO_REVIEW, recommendation="Approve"
    )
    case.refresh_from_db()
    add_screening(job, *hits, verdict="fail" if hits else "")
    schedule.rate(case)
    tasks.rate_cases()
    case.refresh_from_db()
    return case


def _rejected(case: Case, ana: User) -> None:
    decide(case, ana, "reject")


def _filed(case: Case, ana: User) -> None:
    SuspicionReport.objects.create(
        case=case,
        noticed_on=now(),
        due_on=now(),
        made_by=ana,
        status="filed",
        filed_at=now(),
        filed_by=ana,
        second_by=someone(roles.SENIOR, "sia"),
        receipt="1",
    )


def _reported(case: Case, ana: User) -> None:
    SuspicionReport.objects.create(
        case=case, noticed_on=now(), due_on=now(), made_by=ana
    )


def _held(case: Case, ana: User) -> None:
    LegalHold.objects.create(case=case, reason="Asked for.", by=ana)


def _held_by_reference(case: Case, ana: User) -> None:
    LegalHold.objects.create(reference=case.reference, reason="Asked for.", by=ana)


def _escalated(case: Case, ana: User) -> None:
    decide(case, ana, "escalate")


def _alarmed(case: Case, ana: User) -> None:
    decide(case, ana)
    Case.objects.filter(pk=case.pk).update(alarm_at=now())


def _prohibited(case: Case, ana: User) -> None:
    Case.objects.filter(pk=case.pk).update(risk_band=1)


def _with_a_finding(case: Case, ana: User) -> None:
    Case.objects.filter(pk=case.pk).update(severity=2)


DOUBTS = (
    _rejected, _filed, _reported, _held, _held_by_reference, _escalated, _alarmed,
    _prohibited, _with_a_finding,
)  # fmt: skip


@pytest.mark.parametrize("doubt", DOUBTS)
def test_nothing_is_approved_by_itself_if_another_case_asks_for_people(
    agent, ana, owners, doubt: Callable[[Case, User], None]
):
    put_live(*owners, CLEAN)
    doubt(clean(agent), ana)
    switched_on(*owners)
    clean(agent)
    other = clean(agent, 2)
    tasks.approve_by_policy()
    automatic = Decision.objects.filter(made_by=None)
    assert [decision.case for decision in automatic] == [other]


def test_after_a_filed_report_the_case_itself_is_left_to_people(agent, ana, owners):
    put_live(*owners, CLEAN)
    _filed(clean(agent), ana)
    switched_on(*owners)
    tasks.approve_by_policy()
    assert not Decision.objects.exists()


def test_a_customer_who_was_approved_before_is_approved_by_itself(agent, ana, owners):
    put_live(*owners, CLEAN)
    decide(clean(agent), ana)
    switched_on(*owners)
    clean(agent)
    tasks.approve_by_policy()
    assert Decision.objects.filter(made_by=None).count() == 1


def test_a_match_that_people_confirmed_counts_in_every_case(agent, ana):
    first = clean(agent, 1, hit("strong"))
    [finding] = [
        finding for part in ReviewState.of(first).parts for finding in part.findings
    ]
    assert isinstance(finding, results.Hit)
    rows = matches.confirm(first, finding, actor=ana)
    second = clean(agent)
    words = "People found this customer on a list, in another case."
    assert words in clean_cases.objections(second, None)
    matches.take_back(rows[0], actor=ana)
    assert words not in clean_cases.objections(second, None)


def test_merged_parties_are_one_customer_until_the_merge_is_undone(agent, ana):
    rejected, other = clean(agent, 1), clean(agent, 2)
    _rejected(rejected, ana)
    assert clean_cases.objections(other, ana) == []
    row = merging.merge(
        party_of(rejected), party_of(other), actor=ana, reason="The same number."
    )
    assert clean_cases.objections(other, ana) == [
        "Another case of this customer was rejected."
    ]
    merging.undo(row, actor=ana, reason="Another number.")
    assert "Another case of this customer was rejected." not in (
        clean_cases.objections(other, ana)
    )


def test_whoever_does_not_see_the_other_case_learns_nothing_of_it(agent, ana):
    ours = make_agent(make_connection(slug="ours"), key="ours")
    senior = someone(roles.SENIOR)
    _rejected(clean(agent), senior)
    team = Team.objects.create(name="Theirs")
    team.connections.add(agent.connection)
    case = clean(ours)
    assert clean_cases.objections(case, ana) == []
    # Nobody reads what the policy objects to.
    assert clean_cases.objections(case, None) != []
