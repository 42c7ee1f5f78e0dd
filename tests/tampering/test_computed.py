"""Rows without a line, as they are computed from rows that have one: `audit_verify` computes them again."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest
from django.utils.timezone import now

from compliance.db.states import stored_values
from reviews.audit import verification
from reviews.findings import related_cases
from reviews.models import (
    Case,
    Job,
    Organisation,
    PeriodicReview,
    RatingState,
    RiskBand,
    RiskPolicy,
)
from reviews.organisation import organisation
from reviews.parties import relations
from reviews.people import due_messages
from reviews.periodic import schedule
from reviews.risk.engine.default import DEFAULT
from tests.factories import make_user
from tests.reviews.periodic.rows import approve, rate, submitted, work

pytestmark = pytest.mark.django_db
LATER = now() + timedelta(days=20_000)


@pytest.fixture
def review() -> PeriodicReview:
    """The planned review of an approved customer."""
    case = submitted()
    rate(case, "low")
    Case.objects.filter(pk=case.pk).update(risk_band=RiskBand.LOW)
    approve(case)
    work()
    verification.bind_existing([RiskPolicy, Job])
    return PeriodicReview.objects.get(case=case)


def faults() -> str:
    return "\n".join(verification.faults())


def test_a_planned_review_is_as_its_approval_says(review):
    assert review.on is not None
    assert faults() == ""


@pytest.mark.parametrize(
    "changes",
    [
        {"on": LATER.date()},
        {"due_at": LATER},
        {"on": LATER.date(), "due_at": LATER},
        {"due_at": None},
        {"on": None},
    ],
    ids=["day", "due time", "both", "no due time", "no day"],
)
def test_a_planned_review_that_was_moved_is_found(review, changes):
    PeriodicReview.objects.filter(pk=review.pk).update(**changes)
    Case.objects.filter(pk=review.case_id).update(review_on=changes.get("on"))
    assert f"reviews_periodicreview {review.pk}: it is later" in faults()


def test_a_day_that_news_made_earlier_and_that_was_moved_is_found_and_corrected(review):
    assert review.on is not None
    planned = review.on
    party = review.case.case_parties.get(place="subject").party
    actor = make_user("adam")
    relations.add(review.case, actor=actor, held=party, kind="owner", name="Bo Ek")
    work()
    review.refresh_from_db()
    earlier = review.on
    assert earlier < planned
    assert faults() == ""
    moved_to = datetime.combine(planned, time(), UTC)
    rows = PeriodicReview.objects.filter(pk=review.pk)
    rows.update(on=planned, due_at=moved_to, reason="band")
    Case.objects.filter(pk=review.case_id).update(review_on=planned)
    assert f"reviews_periodicreview {review.pk}: it is later than its doc" in faults()
    rows.update(updated_at=now() - timedelta(days=8))
    schedule.compute_old_again(due_messages.QUEUE)
    work()
    review.refresh_from_db()
    assert review.on == earlier


def test_a_rating_that_follows_a_policy_not_in_force_is_found(review):
    content = {**DEFAULT, "review_days": dict.fromkeys(DEFAULT["review_days"], 9_000)}
    draft = RiskPolicy.objects.create(
        number=9, note="x", content=content, made_by=make_user("rob")
    )
    rows = RatingState.objects.filter(case=review.case)
    rows.update(policy=draft, due_at=None)
    assert f"reviews_case {review.case_id}: its rating follows" in faults()


def test_a_rating_that_follows_no_policy_is_found(review):
    RatingState.objects.filter(case=review.case).update(policy=None, due_at=None)
    assert f"reviews_case {review.case_id}: its rating follows" in faults()


def test_a_day_in_the_queue_that_is_not_that_of_the_review_is_found(review):
    Case.objects.filter(pk=review.case_id).update(review_on=LATER.date())
    assert f"reviews_case {review.case_id}: it shows another day" in faults()


@pytest.mark.parametrize("act", ["removed", "ended"])
def test_a_planned_review_that_was_taken_away_is_found(review, act):
    rows = PeriodicReview.objects.filter(pk=review.pk)
    if act == "removed":
        rows.delete()
    else:
        rows.update(status=PeriodicReview.Status.ENDED, due_at=None)
    Case.objects.filter(pk=review.case_id).update(review_on=None)
    assert f"its approval {review.decision_id} has no planned review" in faults()


def test_a_policy_that_was_changed_ends_no_comparison(review):
    """Its own line names it, and the others are compared as well."""
    RiskPolicy.objects.update(content={"tampered": 1})
    PeriodicReview.objects.filter(pk=review.pk).update(due_at=None)
    text = faults()
    assert "reviews_riskpolicy" in text
    assert f"reviews_periodicreview {review.pk}" in text


def test_identifiers_that_were_taken_away_are_found(review):
    """Without them a case is related to no other."""
    case: Any = review.case
    case.identifiers.all().delete()
    assert f"reviews_case {case.pk}: its identifiers" in faults()
    related_cases.store_identifiers(case)
    assert faults() == ""


def test_an_identifier_of_another_case_is_found(review):
    case = review.case
    other = submitted({"business_name": "Northwind Ltd"})
    digest = other.identifiers.values_list("digest", flat=True)[0]
    case.identifiers.create(kind="name", digest=digest)
    assert f"reviews_case {case.pk}: its identifiers" in faults()


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"name": "Other Bank"}, "name"),
        ({"contact": "mallory@example.com"}, "contact"),
        ({"colour_dark": "#ffffff"}, "colours"),
        ({"remind_days": 1}, "reminders"),
        ({"logo": b"RIFF....WEBP"}, "logo_sha256"),
    ],
    ids=str,
)
def test_an_organisation_that_was_changed_is_found(changes, name):
    boss = make_user("boss", role="administrator")
    organisation.change(
        actor=boss, name="Fjord Bank", contact="+45 11 22", colour="", colour_dark=""
    )
    assert "reviews_organisation" not in faults()
    Organisation.objects.update(**changes)
    assert f"reviews_organisation: its {name} is not" in faults()


@pytest.mark.parametrize("act", ["removed", "put in"])
def test_an_organisation_that_nobody_entered_is_found(act):
    organisation.begin(actor=make_user("boss", role="administrator"), name="Fjord Bank")
    if act == "removed":
        Organisation.objects.all().delete()
    else:
        Organisation.objects.update(name="Other Bank")
    assert "reviews_organisation: its name is not" in faults()


def test_a_logo_that_was_changed_after_it_was_drawn_is_found(monkeypatch):
    """A worker draws it later, so its content has a line of its own."""
    monkeypatch.setattr(organisation, "_drawn", lambda *_given: (8, 4, b"drawn"))
    boss = make_user("boss", role="administrator")
    organisation.change(
        actor=boss, name="Fjord", contact="", colour="", colour_dark="", logo=b"png"
    )
    organisation.draw_logo(Organisation.objects.get())
    assert bytes(Organisation.objects.get().logo) == b"drawn"
    assert "reviews_organisation" not in faults()
    Organisation.objects.update(logo=b"of another bank")
    assert "reviews_organisation: its logo_sha256 is not" in faults()


def test_reasons_of_a_recommendation_that_were_taken_away_are_found(review):
    """A case whose agent names what is missing is not approved in bulk."""
    case = review.case
    job = case.jobs.get()
    changes = {"recommendation": "Approve", "recommendation_reasons": ["No UBO."]}
    for row in (case, job):
        type(row).objects.filter(pk=row.pk).update(**stored_values(row, changes))
    assert "recommend" not in faults()
    Case.objects.filter(pk=case.pk).update(recommendation_reasons=[])
    assert f"reviews_case {case.pk}: no job of it recommends" in faults()
