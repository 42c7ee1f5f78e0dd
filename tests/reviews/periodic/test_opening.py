"""A review opens a case by itself: once, in time, linked to the case before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.timezone import now

from compliance.models import LocalePreference
from compliance.storage import stored_files
from compliance.work.rows import LeaseLostError
from reviews import tasks
from reviews.audit import trail, verification
from reviews.decisions import value_choices
from reviews.intake import cases
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    CaseParty,
    Decision,
    Document,
    HitLabel,
    Job,
    PartyRelation,
    PeriodicReview,
)
from reviews.parties import relations
from reviews.parties.merges import merging
from reviews.periodic import expiries, opening
from reviews.periodic.view import ReviewView, row_to_wire
from reviews.privacy import erasures
from reviews.queue import filters
from reviews.risk import overrides
from tests.factories import make_case, make_user
from tests.reviews.periodic.rows import (
    COMPANY,
    approve,
    rate,
    review_of,
    submitted,
    work,
    work_until,
)
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db
Status = PeriodicReview.Status


def days_ago(days: int) -> Any:
    return time_machine.travel(now() - timedelta(days=days), tick=False)


def customer(days: int, band: str = "low", data: Any = None, **values: Any) -> Case:
    """Approved so many days ago."""
    with days_ago(days):
        case = submitted(data, **values)
        rate(case, band)
        approve(case)
    return case


def faults() -> list[str]:
    return [fault for fault in verification.faults() if "periodicreview" in fault]


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


def test_the_queue_opens_it_with_a_line_for_both_cases():
    case = customer(400, "high")
    tasks.open_periodic_reviews()
    review = review_of(case)
    opened = review.opened_case
    assert opened is not None
    assert opened.pk != case.pk
    assert opened.subject == case.subject
    assert opened.self_attested_data == case.self_attested_data
    assert opened.jobs.get().status == Job.Status.QUEUED
    lines = CaseEvent.objects.filter(what="review_opened", case=case)
    assert lines.get().data["reference"] == opened.reference
    assert opened.events.filter(what="opened_for_review").count() == 1
    assert faults() == []
    case.refresh_from_db()
    assert case.status == Case.Status.DECIDED
    assert case.review_on is None


def test_its_case_is_about_the_same_parties():
    case = customer(400, "high")
    tasks.open_periodic_reviews()
    opened = review_of(case).opened_case
    assert opened is not None
    links = CaseParty.objects.order_by("place").values_list("place", "party")
    assert list(links.filter(case=opened)) == list(links.filter(case=case))
    assert links.filter(case=opened).count() > 1
    assert not faults()


def test_its_case_goes_to_an_agent_that_is_in_use():
    case = customer(400, "high")
    old = case.agent
    assert old is not None
    Agent.objects.filter(pk=old.pk).update(is_active=False)
    new = Agent.objects.create(
        connection=old.connection, kind=case.kind, name="Second", agent_key="k"
    )
    tasks.open_periodic_reviews()
    opened = review_of(case).opened_case
    assert opened is not None
    assert (opened.agent, opened.jobs.get().agent) == (new, new)


def test_a_decision_of_a_person_starts_it_and_a_rejection_does_not():
    one_person()
    case = open_case()
    decide(case, someone("analyst"))
    assert review_of(case).status == Status.WAITING
    with transaction.atomic():
        other = submitted({**COMPANY, "business_registration_number": "HRB 9"})
        approve(other, outcome="reject")
    assert not PeriodicReview.objects.filter(case=other).exists()


def test_a_second_person_starts_it():
    case = submitted()
    actor, senior = someone("analyst"), someone("senior")
    decision = Decision.objects.create(
        case=case, outcome="approve", status="proposed", needs_second=True,
        rationale="So.", made_by=actor,
    )  # fmt: skip
    assert not PeriodicReview.objects.exists()
    decision.move("standing", second_by=senior, second_at=now())
    trail.record(case, "approved_second", {}, user=senior, about=[decision])
    assert review_of(case).decision == decision


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


class TestOnce:
    def test_work_that_is_done_twice_opens_one_case(self):
        case = customer(400, "high")
        row = review_of(case)
        opening.advance(row)
        PeriodicReview.objects.filter(pk=row.pk).update(due_at=now())
        tasks.open_periodic_reviews()
        assert Case.objects.count() == 2

    def test_a_worker_that_lost_its_lease_writes_nothing(self):
        row = review_of(customer(400, "high"))
        PeriodicReview.objects.filter(pk=row.pk).update(claim_count=7)
        with pytest.raises(LeaseLostError):
            opening.advance(row)
        assert Case.objects.count() == 1

    def test_a_worker_that_dies_in_the_middle_leaves_it_due(self, monkeypatch):
        case = customer(400, "high")

        def die(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr(opening, "_record", die)
            with pytest.raises(KeyboardInterrupt):
                tasks.open_periodic_reviews()
        assert Case.objects.count() == 1
        review = review_of(case)
        assert review.status == Status.WAITING
        assert review.due_at is not None
        # After its lease another worker takes it.
        PeriodicReview.objects.update(due_at=now(), leased_until=None)
        tasks.open_periodic_reviews()
        assert review_of(case).status == Status.OPENED
        assert Case.objects.count() == 2

    def test_the_database_refuses_a_second_one(self):
        case = customer(10)
        first = review_of(case)
        with pytest.raises(IntegrityError), transaction.atomic():
            PeriodicReview.objects.create(case=case, decision=first.decision)
        second = Decision.objects.create(
            case=case, outcome="request", status="standing", rationale="x",
            made_by=first.decision.made_by,
        )  # fmt: skip
        with pytest.raises(IntegrityError), transaction.atomic():
            PeriodicReview.objects.create(case=case, decision=second)

    def test_a_case_whose_review_goes_on_opens_no_other(self):
        case = customer(1000, "high")
        work()
        opened = review_of(case).opened_case
        assert opened is not None
        # The case before is reopened and approved again, long ago.
        case.decisions.update(status="reopened")
        with days_ago(500):
            approve(case)
        work()
        assert review_of(case).status == Status.ENDED
        assert Case.objects.count() == 2

    def test_after_a_rejected_review_a_new_approval_is_reviewed_again(self):
        case = customer(1000, "high")
        work()
        opened = review_of(case).opened_case
        assert opened is not None
        opened.move(Case.Status.TO_REVIEW)
        approve(opened, outcome="reject")
        case.decisions.update(status="reopened")
        with days_ago(500):
            approve(case)
        work()
        assert review_of(case).status == Status.OPENED
        assert Case.objects.count() == 3


def test_the_review_of_a_review_counts_from_its_own_approval():
    case = customer(400, "high")
    work()
    opened = review_of(case).opened_case
    assert opened is not None
    opened.move(Case.Status.TO_REVIEW)
    rate(opened, "low")
    approve(opened)
    work()
    review = review_of(opened)
    assert review.status == Status.WAITING
    assert review.on == now().date() + timedelta(days=1826)


def test_its_documents_are_examined_again(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path)
    file = ContentFile(b"%PDF-1.4 deed", name="deed.pdf")
    case = customer(400, "high", documents=[(Document.Kind.INCORPORATION, file)])
    work()
    opened = review_of(case).opened_case
    assert opened is not None
    copy = opened.documents.get()
    assert copy.file_name == "deed.pdf"
    assert copy.sha256 == case.documents.get().sha256
    assert copy.file.name != case.documents.get().file.name


def test_a_lost_document_does_not_hold_it_up(settings, tmp_path):
    settings.MEDIA_ROOT = str(tmp_path)
    file = ContentFile(b"%PDF-1.4 deed", name="deed.pdf")
    case = customer(400, "high", documents=[(Document.Kind.INCORPORATION, file)])
    document = case.documents.get()
    document.file.storage.delete(document.file.name or "")
    work()
    opened = review_of(case).opened_case
    assert opened is not None
    assert not opened.documents.exists()


def test_it_waits_while_the_store_of_its_documents_is_away(
    settings, tmp_path, monkeypatch
):
    settings.MEDIA_ROOT = tmp_path
    file = ContentFile(b"%PDF-1.4 deed", name="deed.pdf")
    case = customer(400, "high", documents=[(Document.Kind.INCORPORATION, file)])

    def content(*_: object) -> bytes:
        raise stored_files.StoredError

    with monkeypatch.context() as patch:
        patch.setattr(stored_files, "content", content)
        tasks.open_periodic_reviews()
    assert Case.objects.count() == 1
    PeriodicReview.objects.update(due_at=now())
    tasks.open_periodic_reviews()
    opened = review_of(case).opened_case
    assert opened is not None
    assert opened.documents.count() == 1


def test_without_an_agent_the_case_itself_comes_back():
    case = customer(400, "high")
    Case.objects.update(agent=None)
    Job.objects.update(agent=None)
    Agent.objects.all().delete()
    work()
    case.refresh_from_db()
    assert case.status == Case.Status.TO_REVIEW
    assert "periodic review" in case.alarm
    review = review_of(case)
    assert review.status == Status.OPENED
    assert review.opened_case is None
    assert PeriodicReview.objects.count() == 1
    approve(case)
    work()
    assert review_of(case).status == Status.WAITING


def test_without_an_agent_the_case_comes_back_at_each_review():
    case = customer(800, "high")
    Case.objects.update(agent=None)
    Job.objects.update(agent=None)
    Agent.objects.all().delete()
    work()
    with days_ago(399):
        approve(case)
    work()
    case.refresh_from_db()
    assert case.status == Case.Status.TO_REVIEW
    reviews = PeriodicReview.objects.filter(case=case, status=Status.OPENED)
    assert reviews.count() == 2
    view = ReviewView.read(case, someone("analyst", "reader"))
    opened: Any = view.to_wire()["opened"]
    assert [row["case_id"] for row in opened] == [case.pk, case.pk]
    assert [row_to_wire(row)["opened"] for row in reviews] == [case.reference] * 2
    assert list(Case.objects.filter(filters.is_review())) == [case]
    assert faults() == []


def test_without_an_agent_a_case_that_a_review_opened_comes_back():
    first = customer(800, "high")
    work()
    case = review_of(first).opened_case
    assert case is not None
    case.jobs.update(status="complete", due_at=None)
    case.move(Case.Status.TO_REVIEW)
    with days_ago(399):
        rate(case, "high")
        approve(case)
    Case.objects.update(agent=None)
    Job.objects.update(agent=None)
    Agent.objects.all().delete()
    work()
    case.refresh_from_db()
    assert case.status == Case.Status.TO_REVIEW
    assert case.review_of == review_of(first)
    assert review_of(case).status == Status.OPENED


def test_an_erased_case_has_none():
    case = customer(10)
    work()
    boss = make_user("boss", role="administrator", is_superuser=True)
    erasures.erase_again([case.data_key_id_for_personal()])
    case.refresh_from_db()
    assert boss.is_superuser
    assert case.erased_at is not None
    assert case.review_on is None
    assert review_of(case).status == Status.ENDED


def test_how_the_customer_came_does_not_change_with_the_review():
    from reviews.risk import attested

    user = someone("analyst")
    agent = submitted().agent
    assert agent is not None
    with days_ago(400):
        case = cases.submit(
            actor=user, agent=agent, subject="Beta Ltd",
            data={"business_name": "Beta Ltd"}, documents=[],
        )  # fmt: skip
        case.move(Case.Status.TO_REVIEW)
        approve(case)
    work()
    opened = review_of(case).opened_case
    assert opened is not None
    assert opened.submitted_by is None
    assert list(attested.channel(opened).values) == ["desk"]


def test_what_changed_is_stored_in_english_and_shown_in_the_readers_language(client):
    case = customer(400, "low")
    work()
    rate(case, "high")
    # Whoever causes the review may have another language.
    with translation.override("fr"):
        work()
    review = review_of(case)
    words = [row["words"] for row in review.changes]
    assert "The risk went from low to high" in words
    reader = make_user("greta")
    LocalePreference.objects.create(user=reader, language="de")
    client.force_login(reader)
    # The labels of checks are stored in English, too.
    assert review.opened_case is not None
    summary = {"checks": [["Government ID expiry", "fail"]]}
    Case.objects.filter(pk=review.opened_case.pk).update(
        status=Case.Status.TO_REVIEW, summary=summary
    )
    page = client.get(f"/cases/{review.opened_case_id}/?tab=risk").content.decode()
    assert "Das Risiko ging von niedrig auf hoch" in page
    assert f">{now():%d.%m.%Y}</time> Das Risiko" in page
    assert "Gültigkeit des Ausweises</td>" in page
    # Nouns have a capital letter.
    assert ": Intervall der Risikostufe. Seine Daten" in " ".join(page.split())
