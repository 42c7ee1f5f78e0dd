"""What a person has to see is not approved by itself, although the policy approves everything."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import orjson
import pytest
from django.utils.timezone import now

from reviews import results, tasks
from reviews.access import roles
from reviews.decisions import clean_cases, same_customer
from reviews.decisions.automatic import approvals
from reviews.findings import matches
from reviews.findings.review_state import ReviewState
from reviews.models import (
    AutomaticReview,
    Case,
    CheckResult,
    Decision,
    LegalHold,
    LookUp,
    Party,
    PeriodicReview,
    SuspicionReport,
    ValueChoice,
)
from reviews.parties import relations, visibility
from reviews.parties.merges import merging
from reviews.people import assignment, notes
from reviews.privacy import holds
from reviews.risk import overrides
from tests.clocks import travel
from tests.factories import make_agent, make_connection, make_event
from tests.reviews.decisions.test_decision_policy import CLEAN, put_live, switched_on
from tests.reviews.decisions.test_same_customer import clean
from tests.reviews.findings.test_look_ups import ANSWER
from tests.reviews.pages.case.rows import add_check_result, words
from tests.reviews.risk.rows import hit
from tests.reviews.rows import decide, one_person, someone
from webhooks.models import Event

pytestmark = pytest.mark.django_db
LEI = "529900T8BM49AURSDO55"
ZED = {"business_name": "Zed Trading Ltd", "lei": LEI}


@pytest.fixture
def agent():
    one_person()
    return make_agent(make_connection())


@pytest.fixture
def ana():
    return someone(roles.ANALYST, "ana")


@pytest.fixture
def live(agent):
    """The owners of rules, after a policy that approves every clean case went live."""
    owners = someone(roles.RULE_OWNER, "olga"), someone(roles.RULE_OWNER, "otto")
    put_live(*owners, CLEAN)
    return owners


def is_approved(case: Case) -> bool:
    return Decision.objects.filter(case=case, made_by=None).exists()


def approve(owners) -> None:
    switched_on(*owners)
    tasks.approve_by_policy()


def unread(case: Case, remote_id: str) -> Event:
    body = orjson.dumps({"id": remote_id, "status": "failed"})
    return make_event(case, body, status="received", due_at=now(), job=None)


def test_an_unread_webhook_of_the_case_comes_first(agent, live):
    case, other = clean(agent, 1), clean(agent, 2)
    event = unread(case, case.jobs.get().remote_id)
    approve(live)
    assert not is_approved(case)
    assert is_approved(other)
    # It is looked at again without another event.
    review = AutomaticReview.objects.get(case=case)
    assert review.due_at is not None
    Event.objects.filter(pk=event.pk).update(status="ignored", due_at=None)
    AutomaticReview.objects.update(due_at=now())
    tasks.approve_by_policy()
    assert is_approved(case)


def test_a_webhook_that_nobody_can_read_is_of_no_case(agent, live):
    case = clean(agent)
    make_event(case, b"[1", status="received", due_at=now(), job=None)
    approve(live)
    assert is_approved(case)


@pytest.mark.parametrize("days", [1, -1])
def test_a_document_that_expired_since(agent, live, days):
    expiry = now().date() - timedelta(days=days)
    case = clean(agent, id_document={"expiry_date": expiry.isoformat()})
    approve(live)
    assert is_approved(case) is (days < 0)


@pytest.mark.parametrize("days", [7, 9])
def test_results_of_long_ago(agent, live, days):
    case = clean(agent)
    CheckResult.objects.update(received_at=now() - timedelta(days=days))
    approve(live)
    assert is_approved(case) is (days == 7)


@pytest.mark.parametrize("member", ["directors", "owners", "signatories"])
def test_a_named_party_whom_people_found_on_a_list_elsewhere(agent, ana, live, member):
    first = clean(agent, 1, hit("strong"), **ZED)
    [finding] = [
        finding for part in ReviewState.of(first).parts for finding in part.findings
    ]
    assert isinstance(finding, results.Hit)
    rows = matches.confirm(first, finding, actor=ana)
    case = clean(agent, 2, **{member: [{"name": "Ann Bell"}, ZED]})
    words = "People found somebody whom it names on a list, in another case."
    assert words in same_customer.objections(case, ana)
    approve(live)
    assert not is_approved(case)
    matches.take_back(rows[0], actor=ana)
    assert words not in same_customer.objections(case, ana)


def test_a_named_party_who_was_rejected(agent, ana, live):
    decide(clean(agent, 1, **ZED), ana, "reject")
    case = clean(agent, 2, directors=[ZED])
    approve(live)
    assert not is_approved(case)
    assert same_customer.objections(case, ana) == [
        "A case of somebody whom it names was rejected."
    ]


def test_a_rejected_case_that_names_the_customer_is_no_case_of_it(agent, ana):
    decide(clean(agent, 1, directors=[ZED]), ana, "reject")
    case = clean(agent, 2, **ZED)
    assert same_customer.objections(case, ana) == [
        "A case that names this customer was rejected."
    ]


@pytest.mark.parametrize(
    ("day", "is_other"), [("2010-01-02", False), ("2011-05-06", True)]
)
def test_who_was_rejected_comes_again_with_another_number(
    agent, ana, live, day, is_other
):
    decide(clean(agent), ana, "reject")
    case = clean(agent, lei=LEI, incorporation_date=day)
    approve(live)
    assert is_approved(case) is is_other


def test_who_was_reported_comes_again_with_another_number(agent, ana, live):
    first = clean(agent)
    decide(first, ana)
    SuspicionReport.objects.create(
        case=first, noticed_on=now(), due_on=now(), made_by=ana
    )
    case = clean(agent, lei=LEI)
    approve(live)
    assert not is_approved(case)


def test_a_band_that_people_lowered(agent, ana, live):
    case = clean(agent, incorporation_date="", product="", channel="", owners=[])
    assert case.get_risk_band_display() == "Medium"
    override = overrides.make(case, actor=ana, band="low", reason="Known.")
    overrides.approve(override, actor=someone(roles.SENIOR, "sia"))
    case.refresh_from_db()
    assert case.get_risk_band_display() == "Low"
    approve(live)
    assert not is_approved(case)
    words = "Somebody has rated its risk otherwise."
    assert clean_cases.objections(case, ana) == [words]


def test_a_case_is_looked_at_again_when_the_other_case_is_cleared(agent, ana, live):
    first = clean(agent)
    hold = LegalHold.objects.create(case=first, reason="Asked for.", by=ana)
    case = clean(agent)
    approve(live)
    assert not is_approved(case)
    holds.lift(hold, actor=someone(roles.ADMINISTRATOR, "ada"), reason="It is over.")
    tasks.approve_by_policy()
    assert is_approved(case)
    assert is_approved(first)


def test_a_case_is_looked_at_again_when_the_other_case_is_decided(agent, ana, live):
    first = clean(agent)
    decide(first, ana, "escalate")
    case = clean(agent)
    approve(live)
    assert not is_approved(case)
    decide(first, someone(roles.SENIOR, "sia"))
    tasks.approve_by_policy()
    assert is_approved(case)


def look(case: Case) -> bool:
    """What a worker does now, and whether the case is approved then.

    Not by the queue: SQLite takes the time of due rows from this machine.
    """
    review = AutomaticReview.objects.get(case=case)
    if review.due_at is not None and review.due_at <= now():
        approvals.advance(review)
    return is_approved(case)


def test_a_case_is_looked_at_again_when_its_snooze_ends(agent, ana, live):
    case = clean(agent)
    start = now()
    switched_on(*live)
    assignment.snooze(case, start + timedelta(hours=2), actor=ana)
    assert not look(case)
    with travel(start + timedelta(hours=1)):
        assert not look(case)
        # It sleeps for longer than was said at first.
        assignment.snooze(case, start + timedelta(hours=4), actor=ana)
    for hours in (3, 5):
        with travel(start + timedelta(hours=hours)):
            assert look(case) is (hours == 5)


def test_a_shorter_snooze_counts(agent, ana, live):
    case = clean(agent)
    start = now()
    switched_on(*live)
    for hours in (9, 2):
        assignment.snooze(case, start + timedelta(hours=hours), actor=ana)
        assert not look(case)
    with travel(start + timedelta(hours=3)):
        assert look(case)


@pytest.mark.parametrize("of", ["case", "reference", "other case"])
def test_a_case_is_looked_at_again_when_a_hold_ends_by_its_date(agent, ana, live, of):
    first, case = clean(agent), clean(agent)
    on: dict[str, dict[str, Any]] = {
        "case": {"case": case},
        "reference": {"reference": case.reference},
        "other case": {"case": first},
    }
    start = now()
    admin = someone(roles.ADMINISTRATOR, "ada")
    end = start + timedelta(days=2)
    holds.place(actor=admin, reason="Asked for.", until=end, **on[of])
    approve(live)
    assert not is_approved(case)
    for days in (1, 3):
        with travel(start + timedelta(days=days)):
            assert look(case) is (days == 3)


def test_a_case_is_looked_at_again_when_the_hold_of_its_reference_is_lifted(
    agent, ana, live
):
    case = clean(agent)
    admin = someone(roles.ADMINISTRATOR, "ada")
    hold = holds.place(actor=admin, reason="Asked for.", reference=case.reference)
    approve(live)
    assert not is_approved(case)
    holds.lift(hold, actor=admin, reason="It is over.")
    tasks.approve_by_policy()
    assert is_approved(case)


def test_a_case_is_looked_at_again_when_nobody_has_it_any_more(agent, ana, live):
    case = clean(agent)
    assignment.assign(case, ana, actor=ana)
    approve(live)
    assert not is_approved(case)
    assignment.assign(case, None, actor=ana)
    tasks.approve_by_policy()
    assert is_approved(case)


def test_a_case_is_looked_at_again_when_a_raised_band_is_taken_back(agent, ana, live):
    case = clean(agent)
    override = overrides.make(case, actor=ana, band="high", reason="A doubt.")
    approve(live)
    assert not is_approved(case)
    overrides.take_back(override, actor=ana)
    tasks.approve_by_policy()
    assert is_approved(case)


def _escalated(case: Case, ana) -> None:
    decide(case, ana, "escalate")


def _reported(case: Case, ana) -> None:
    decide(case, ana)
    SuspicionReport.objects.create(
        case=case, noticed_on=now(), due_on=now(), made_by=ana
    )


def _held(case: Case, ana) -> None:
    decide(case, ana)
    holds.place(
        actor=someone(roles.ADMINISTRATOR, "ada"), reason="Asked for.", case=case
    )


@pytest.mark.parametrize("act", [_escalated, _reported, _held])
def test_a_named_party_of_whom_another_case_asks_for_a_person(agent, ana, live, act):
    act(clean(agent, 1, **ZED), ana)
    case, other = clean(agent, 2, directors=[ZED]), clean(agent, 3)
    approve(live)
    assert not is_approved(case)
    assert is_approved(other)


def test_a_case_with_a_note_of_a_person(agent, ana, live):
    case = clean(agent)
    notes.add(case, actor=ana, text="He says that he owns nothing of it.")
    approve(live)
    assert not is_approved(case)


def test_a_case_of_which_a_person_corrected_a_value(agent, ana, live):
    case = clean(agent)
    ValueChoice.objects.create(
        case=case,
        job=case.jobs.get(),
        key="k",
        field="name",
        kind="corrected",
        candidates=0,
        value="Acme 2 Ltd",
        by=ana,
        offered=["Acme 1 Ltd"],
    )
    approve(live)
    assert not is_approved(case)
    ValueChoice.objects.update(ended_at=now())
    approvals.look_at(case.pk)
    tasks.approve_by_policy()
    assert is_approved(case)


def test_a_periodic_review_is_for_a_person(agent, ana, live):
    first = clean(agent)
    decide(first, ana)
    case = clean(agent)
    PeriodicReview.objects.filter(case=first).update(opened_case=case, status="opened")
    approve(live)
    assert not is_approved(case)
    assert "It is a periodic review." in clean_cases.objections(case, None)
    assert "It is a periodic review." not in clean_cases.objections(case, ana)


@pytest.mark.parametrize(
    ("day", "is_other"),
    [("2010-01-02", False), ("2011-05-06", True), ("", True)],
)
def test_who_is_escalated_comes_again_with_another_number(
    agent, ana, live, day, is_other
):
    """Of an equal name alone there may be many: the day has to be the same."""
    decide(clean(agent), ana, "escalate")
    case = clean(agent, lei=LEI, incorporation_date=day, product="retail")
    approve(live)
    words = "A case of somebody with the same name and day asks for a person."
    assert (words not in same_customer.objections(case, ana)) is is_other
    if day:
        assert is_approved(case) is is_other


def _subject(case: Case) -> Party:
    party = visibility.subject_of(case)
    assert party is not None
    return party


def _confirmed_in_a_look_up(case: Case, ana) -> None:
    row = LookUp.objects.create(
        connection=case.connection,
        case=case,
        by=ana,
        query={"name": "korb"},
        answer=ANSWER,
    )
    [found] = results.look_up(ANSWER).rows
    parts = ReviewState.of(case).parts
    matches.confirm_look_up(row, parts, found.ref, actor=ana)
    tasks.rate_cases()


def test_a_match_that_a_person_confirmed_in_a_look_up(agent, ana, live):
    """The results of the case do not show it, and the rating does not read it."""
    case = clean(agent)
    _confirmed_in_a_look_up(case, ana)
    assert clean_cases.objections(case, ana) == [
        "Somebody has confirmed a match with a list."
    ]
    approve(live)
    assert not is_approved(case)


@pytest.mark.parametrize("member", ["", "directors"])
def test_a_match_that_a_person_confirmed_in_a_look_up_of_another_case(
    agent, ana, live, member
):
    _confirmed_in_a_look_up(clean(agent, 1, **ZED), ana)
    case = clean(agent, 2, **({member: [ZED]} if member else ZED))
    approve(live)
    assert not is_approved(case)


@pytest.mark.parametrize(
    ("kind", "name"),
    [("owner", "Vera New"), ("director", "Vera New"), ("owner", "Ann Bell")],
)
def test_somebody_whom_people_recorded_and_no_check_has_examined(
    agent, ana, live, kind, name
):
    """Also in a later case of the customer, whose data do not name the owner either."""
    for number in (1, 1):
        case = clean(agent, number)
        if case == Case.objects.order_by("pk").first():
            head = _subject(case)
            relations.add(case, actor=ana, held=head, kind=kind, name=name)
            tasks.rate_cases()
        words = "People recorded an owner or another party whom no check has examined."
        assert words in clean_cases.objections(case, ana)
    approve(live)
    assert not Decision.objects.exists()


def test_somebody_whom_people_recorded_and_the_case_names_itself(agent, ana, live):
    first = clean(agent, 1)
    head, zed = _subject(first), _subject(clean(agent, 2, **ZED))
    relations.add(first, actor=ana, held=head, holder=zed, kind="director")
    case = clean(agent, 1, directors=[ZED])
    assert clean_cases.objections(case, None) == []


@pytest.mark.parametrize(
    ("data", "is_stated"),
    [
        ({"is_pep": True}, True),
        ({"isPep": "Yes"}, True),
        (
            {
                "owners": [
                    {"name": "Ann Bell", "politically exposed person": "minister"}
                ]
            },
            True,
        ),
        ({"pep_status": "to be asked"}, True),
        ({"is_pep": False, "pep": "no", "politicallyExposed": "Not a PEP"}, False),
        ({"pep": {"pep_status": "none", "checked_on": "2026-01-02"}}, False),
        ({"pepper": "yes", "company": "PEP Stores"}, False),
    ],
)
def test_somebody_who_is_politically_exposed_by_the_data(agent, live, data, is_stated):
    """The lists need not have the person: no list has all of them."""
    case = clean(agent, 1, **data)
    approve(live)
    assert is_approved(case) is not is_stated


@pytest.mark.parametrize(
    ("expiry", "is_read"),
    [("31 May 2024", False), ("31.05.2094", True), ("none", True)],
)
def test_an_attested_day_of_expiry_that_cannot_be_compared(
    agent, live, expiry, is_read
):
    case = clean(agent, 1, id_document={"expiry_date": expiry})
    approve(live)
    assert is_approved(case) is is_read


def test_a_check_that_passed_with_an_alert(agent, live):
    case = clean(agent)
    result = {"passed": True, "alerts": ["Only the first 20 of 50 pages were read."]}
    add_check_result(case.jobs.get(), result, check_id="kyb.registration_documents")
    approve(live)
    assert not is_approved(case)


def test_an_automatic_approval_during_a_wrong_merge_is_shown_after_it(
    agent, ana, live, client
):
    """While two parties are merged, the owners of the newer case count for both."""
    case, other = clean(agent, 1), clean(agent, 2)
    head, second = _subject(case), _subject(other)
    row = merging.merge(head, second, actor=ana, reason="One.")
    tasks.rate_cases()
    approve(live)
    assert is_approved(case)
    merging.undo(row, actor=ana, reason="Two.")
    client.force_login(ana)
    page = words(client, f"/parties/{head.pk}/")
    assert re.search(
        rf"Decision of .* by .*policy 1.* on case .?{case.reference}", page
    )
