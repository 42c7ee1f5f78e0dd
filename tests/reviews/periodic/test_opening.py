"""A review opens a case by itself: once, and linked to the case before."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.db import IntegrityError, transaction
from django.utils import translation
from django.utils.timezone import now

from compliance.models import LocalePreference
from compliance.storage import stored_files
from compliance.work.rows import LeaseLostError
from reviews import tasks
from reviews.audit import trail, verification
from reviews.intake import cases
from reviews.models import (
    Agent,
    Case,
    CaseEvent,
    CaseParty,
    Decision,
    Document,
    Job,
    PeriodicReview,
)
from reviews.periodic import opening
from reviews.periodic.view import ReviewView, row_to_wire
from reviews.privacy import erasures
from reviews.queue import filters
from tests.factories import make_user
from tests.reviews.periodic.rows import (
    COMPANY,
    approve,
    customer,
    days_ago,
    rate,
    review_of,
    submitted,
    work,
)
from tests.reviews.rows import decide, one_person, open_case, someone

pytestmark = pytest.mark.django_db


Status = PeriodicReview.Status


def faults() -> list[str]:
    return [fault for fault in verification.faults() if "periodicreview" in fault]


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
