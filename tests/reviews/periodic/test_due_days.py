"""The day on which a review is due, and what makes it earlier."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from reviews.audit import trail, verification
from reviews.decisions import value_choices
from reviews.models import (
    Case,
    CaseEvent,
    HitLabel,
    PartyRelation,
    PeriodicReview,
)
from reviews.parties import relations
from reviews.parties.merges import merging
from reviews.periodic import expiries
from reviews.risk import overrides
from tests.factories import make_case, make_user
from tests.reviews.periodic.rows import (
    COMPANY,
    approve,
    customer,
    days_ago,
    rate,
    review_of,
    submitted,
    work,
    work_until,
)
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db


Status = PeriodicReview.Status


@pytest.mark.parametrize(
    ("band", "days"), [("low", 1826), ("medium", 730), ("high", 365)]
)
def test_it_is_due_after_the_days_of_the_policy(band, days):
    case = customer(days - 1, band)
    work()
    review = review_of(case)
    assert review.status == Status.WAITING
    assert review.on == now().date() + timedelta(days=1)
    case.refresh_from_db()
    assert case.review_on == review.on
    work_until(now() + timedelta(days=1))
    review.refresh_from_db()
    assert review.status == Status.OPENED
    assert review.reason == "band"


def test_a_case_that_was_never_rated_counts_as_of_high_risk():
    with days_ago(366):
        case = submitted()
        approve(case)
    work()
    assert review_of(case).status == Status.OPENED


def test_a_higher_band_makes_it_earlier_at_once():
    case = customer(400, "low")
    work()
    assert review_of(case).status == Status.WAITING
    rate(case, "high")
    work()
    review = review_of(case)
    assert review.status == Status.OPENED
    assert "The risk went from low to high" in str(review.changes)


def test_what_people_say_of_the_risk_is_among_the_changes():
    case = customer(400, "low")
    override = overrides.make(
        case, actor=someone("analyst"), band="high", reason="Cash."
    )
    overrides.take_back(override, actor=override.made_by)
    overrides.make(case, actor=override.made_by, band="high", reason="Cash.")
    work()
    review = review_of(case)
    assert review.status == Status.OPENED
    assert [row["words"] for row in review.changes] == [
        "The risk went from low to high",
        "The risk went from high to low",
        "The risk went from low to high",
    ]


def test_of_many_changes_the_newest_are_kept():
    case = customer(400, "low")
    for days in range(110, 0, -1):
        with days_ago(days):
            rate(case, "medium" if days % 2 else "low")
    with days_ago(0):
        rate(case, "high")
    work()
    review = review_of(case)
    assert review.status == Status.OPENED
    dates = [row["on"] for row in review.changes]
    assert dates == sorted(dates)
    assert dates[-1] == now().date().isoformat()
    assert review.changes[-1]["words"] == "The risk went from medium to high"
    # The reader sees that there were more.
    first = "Only the last 100 of 110 changes are listed"
    assert review.changes[0]["words"] == first
    assert len(review.changes) == 101


def test_a_reopened_case_has_none_until_it_is_approved_again():
    case = customer(10)
    work()
    decision = case.decisions.get()
    decision.move("reopened")
    trail.record(case, "reopened", {}, about=[decision])
    case.refresh_from_db()
    assert case.review_on is None
    assert review_of(case).status == Status.ENDED
    again = approve(case)
    work()
    review = review_of(case)
    assert review.decision == again
    assert review.status == Status.WAITING
    assert PeriodicReview.objects.filter(case=case).count() == 2


def test_an_expiring_document_makes_it_earlier():
    day = now().date() + timedelta(days=20)
    card = {"id_data": {"expiration_date": day.isoformat()}}
    case = customer(10, data={**COMPANY, "government_id_verification_data": card})
    work()
    review = review_of(case)
    assert (review.on, review.reason) == (day, "document")
    work_until(now() + timedelta(days=20))
    review.refresh_from_db()
    assert review.status == Status.OPENED
    assert "A document expires" in str(review.changes)


def _with_expiry(extracted: str) -> Any:
    """A reviewed case with a document in which a check read the day of expiry."""
    from tests.reviews.pages.case import payloads
    from tests.reviews.pages.case.rows import add_document, add_tool_result, wire

    case, job = _with_result({"passed": True})
    document = add_document(case)
    comparison: dict[str, Any] = {
        "field": "expiration_date",
        "label": "Valid until",
        "attested": None,
        "extracted": extracted,
        "state": "not_attested",
        "how": "read",
        "boxes": [],
    }
    data = {"expiration_date": extracted, "comparisons": [comparison]}
    body = payloads.tool_results("extraction_data", data, document=wire(document))
    add_tool_result(job, payloads.EXTRACTION, body)
    return case


@pytest.mark.parametrize(
    ("typed", "days"),
    [
        ("2029-02-03", ["2029-02-03"]),
        # Words that are no day say nothing else.
        ("in spring 2029", ["2031-02-03"]),
    ],
)
def test_a_day_that_a_person_corrects_counts_instead_of_the_one_that_was_read(
    typed, days
):
    from tests.reviews.pages.case.test_value_choices import key_of

    case = _with_expiry("2031-02-03")
    assert [day.isoformat() for day in expiries.of(case)] == ["2031-02-03"]
    choice = value_choices.choose(
        case, key_of(case, "expiration_date"), actor=someone("analyst"), value=typed
    )
    assert [day.isoformat() for day in expiries.of(case)] == days
    value_choices.take_back(choice, actor=choice.by)
    assert [day.isoformat() for day in expiries.of(case)] == ["2031-02-03"]


def test_a_late_result_that_states_an_expiry_counts():
    from tests.reviews.pages.case.rows import add_check_result

    case = customer(0)
    work()
    assert review_of(case).reason == "band"
    day = now().date() + timedelta(days=20)
    body = {"passed": True, "id": {"expiration_date": day.isoformat()}}
    add_check_result(case.jobs.get(), body, check_id="kyc.government_id")
    trail.record(case, "late_result", {}, actor=CaseEvent.Actor.AGENT)
    work()
    assert (review_of(case).on, review_of(case).reason) == (day, "document")


@pytest.mark.parametrize(
    "body",
    [
        {"passed": True, "id": {"expiration_date": "2031-02-03"}},
        {"facts": [{"field": "expiry_date", "extracted": "2031-02-03T00:00:00Z"}]},
        {"facts": {"valid_until": {"value": "2031-02-03"}}},
        {"passport": {"validUntil": "2031-02-03"}, "expire_date": "2031-02-03"},
    ],
)
def test_what_checks_read_of_documents_counts(body):
    case, job = _with_result(body)
    assert [day.isoformat() for day in expiries.of(case)] == ["2031-02-03"]
    assert job.check_results.count() == 1


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("31/01/2027", ["2027-01-31"]),
        ("01/31/2027", ["2027-01-31"]),
        ("31-1-2027", ["2027-01-31"]),
        ("2027/01/31", ["2027-01-31"]),
        ("05/05/2027", ["2027-05-05"]),
        ("29/02/2028", ["2028-02-29"]),
        ("29/02/2027", []),
        # Dots have the day first.
        ("03.04.2027", ["2027-04-03"]),
        # It may be either of two days: both count, so that no review is late.
        ("03/04/2027", ["2027-03-04", "2027-04-03"]),
    ],
)
def test_an_attested_expiry_is_read_as_people_write_it(text, days):
    case = make_case(self_attested_data={"passport": {"expiry_date": text}})
    assert [day.isoformat() for day in expiries.of(case)] == days


@pytest.mark.parametrize(
    "body",
    [
        {"expired": "It expired on 2020-01-01."},
        {"expiration_date": [1, None, {"expiration_date": None}]},
        {"expiration_date": "31.12.31"},
        {"expiration_date": "31/02/2031"},
        {"expiration_date": "13/13/2031"},
        {"expiration_date": "31 / 12 / 2031 or so"},
        {"expiration_date": "9999999999"},
    ],
)
def test_what_is_no_date_is_passed_over(body):
    case, _ = _with_result(body)
    assert expiries.of(case) == []


def _with_result(body: Any) -> Any:
    from tests.reviews.pages.case.rows import add_check_result, reviewed_case

    case, job = reviewed_case()
    add_check_result(job, body, check_id="kyc.government_id")
    return case, job


def test_a_relation_of_a_party_makes_it_earlier():
    case = customer(10)
    work()
    party = case.case_parties.get(place="subject").party
    relations.add(
        case, actor=someone("analyst"), held=party, kind="owner", name="Bo Ek"
    )
    work()
    review = review_of(case)
    assert review.reason == "relation"
    assert review.on == now().date() + timedelta(days=30)


@pytest.mark.parametrize(
    ("owner", "reason"), [("Cy Dean", "relation"), ("Ann Lee", "band")]
)
def test_a_party_that_is_joined_brings_its_owners(owner, reason):
    """The approver did not know that the customer is that party, too."""
    with days_ago(9):
        other = submitted(
            {
                "business_name": "Acme Holding Limited",
                "owners": [{"full_name": owner, "ownership_percentage": 100}],
            }
        )
    case = customer(3)
    work()
    assert review_of(case).reason == "band"
    parties = [row.case_parties.get(place="subject").party for row in (case, other)]
    actor = someone("analyst")
    merge = merging.merge(*parties, actor=actor, reason="Same register number.")
    work()
    review = review_of(case)
    assert review.reason == reason
    if reason == "relation":
        assert review.on == now().date() + timedelta(days=30)
    # Whoever approves it later knows it.
    later = customer(0)
    work()
    assert review_of(later).reason == "band"
    merging.undo(merge, actor=actor, reason="Another number.")
    work()
    assert review_of(case).reason == "band"


@pytest.mark.parametrize("earlier", [0, 1, 400])
def test_an_end_before_the_approval_that_is_entered_later_counts(earlier):
    """The approver did not know that the owner had left."""
    case = customer(3)
    work()
    relation = PartyRelation.objects.get(held__case=case)
    until = now().date() - timedelta(days=3 + earlier)
    relations.end(relation, actor=someone("analyst"), until=until)
    work()
    review = review_of(case)
    assert review.reason == "relation"
    assert review.on == now().date() + timedelta(days=30)


def test_an_end_that_another_case_states_counts_once_it_is_known():
    owner = {**COMPANY["owners"][0], "until": "2020-01-31"}
    case = customer(3)
    work()
    submitted({**COMPANY, "owners": [owner]})
    work()
    assert review_of(case).reason == "relation"
    # Whoever approves a customer with the ended relation knows its end.
    other = customer(0, data={**COMPANY, "owners": [owner]})
    submitted({**COMPANY, "owners": [owner]})
    work()
    assert review_of(other).reason == "band"


def test_a_relation_that_another_case_states_counts_too():
    case = customer(10)
    work()
    owners = [*COMPANY["owners"], {"full_name": "Cy Dean", "ownership_percentage": 5}]
    # The same company by its number, with one owner more.
    submitted({**COMPANY, "owners": owners})
    work()
    assert review_of(case).reason == "relation"


@pytest.mark.parametrize(
    ("share", "reason"), [("60-100", "band"), ("", "band"), ("30 %", "relation")]
)
def test_another_case_is_news_only_with_another_share(share, reason):
    case = customer(10)
    submitted()
    work()
    assert review_of(case).reason == "band"
    owner = {"full_name": "Ann Lee", "ownership_percentage": share}
    submitted({**COMPANY, "owners": [owner]})
    work()
    assert review_of(case).reason == reason


def test_a_relation_that_begins_after_the_approval_counts_from_that_day():
    begins = now().date() + timedelta(days=50)
    owner = {**COMPANY["owners"][0], "since": begins.isoformat()}
    case = customer(10, data={**COMPANY, "owners": [owner]})
    work()
    review = review_of(case)
    assert (review.reason, review.on) == ("relation", begins + timedelta(days=30))


def test_an_alarm_about_an_owner_makes_it_due_at_once():
    number = {"registration_number": "HRB 777", "country": "DE"}
    owner = {"business_name": "Mid GmbH", **number}
    case = customer(10, data={**COMPANY, "owners": [owner]})
    other = customer(
        10,
        data={
            "business_name": "Mid GmbH",
            "business_registration_number": "HRB 777",
            "address_of_incorporation": {"country_code": "DE"},
        },
    )
    work()
    assert review_of(case).status == Status.WAITING
    agent = CaseEvent.Actor.AGENT
    trail.record(other, "alarm", {"reason": "A new hit."}, actor=agent)
    work()
    review = review_of(case)
    assert (review.status, review.reason) == (Status.OPENED, "alarm")
    assert review.changes[0]["case"] == other.pk
    assert review_of(other).status == Status.WAITING


def other_case_of_its_owner() -> tuple[Case, Case]:
    """An approved customer, and a case about a company that owns it, which is not decided."""
    owner = {"business_name": "Mid GmbH", "registration_number": "HRB 777"}
    case = customer(10, data={**COMPANY, "owners": [{**owner, "country": "DE"}]})
    other = submitted(
        {
            "business_name": "Mid GmbH",
            "business_registration_number": "HRB 777",
            "address_of_incorporation": {"country_code": "DE"},
        }
    )
    work()
    assert review_of(case).status == Status.WAITING
    return case, other


def test_a_rejection_of_another_case_about_a_party_makes_it_due_at_once():
    one_person()
    case, other = other_case_of_its_owner()
    decide(other, someone("analyst", "rita"), "reject")
    work()
    review = review_of(case)
    assert (review.status, review.reason) == (Status.OPENED, "alarm")
    words = {row["words"]: row["case"] for row in review.changes}
    assert words["Another case about a party was rejected"] == other.pk
    assert not [fault for fault in verification.faults() if "periodic" in fault]


def confirmed(case: Case) -> HitLabel:
    return HitLabel.objects.create(
        case=case, kind="confirmed", source="finding", key="k", list_title="UN",
        script="latin", band="strong", is_certain=False, by=make_user("cora"), at=now(),
    )  # fmt: skip


def test_a_confirmed_hit_in_another_case_makes_it_due_at_once():
    case, other = other_case_of_its_owner()
    confirmed(other)
    trail.record(other, "hit_confirmed", {})
    work()
    review = review_of(case)
    assert (review.status, review.reason) == (Status.OPENED, "alarm")
    words = [row["words"] for row in review.changes]
    assert "People found a party on a list in another case" in words


def test_a_confirmation_that_was_taken_back_is_no_news():
    case, other = other_case_of_its_owner()
    label = confirmed(other)
    label.taken_back_at = now()
    label.save()
    trail.record(other, "hit_confirmation_taken_back", {})
    work()
    assert review_of(case).reason == "band"
