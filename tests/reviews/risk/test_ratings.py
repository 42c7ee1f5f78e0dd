"""Cases are rated from what is known of them, and rated again when that changes."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.core.exceptions import PermissionDenied
from django.db.models.signals import post_save
from django.utils import translation
from django.utils.timezone import now

from reviews import tasks
from reviews.audit import trail, verification
from reviews.decisions import marks
from reviews.findings import dismissals
from reviews.findings.review_state import ReviewState
from reviews.models import (
    CaseEvent,
    CaseRating,
    CheckReview,
    RatingOverride,
    RatingState,
    RiskPolicy,
)
from reviews.risk import attested, overrides, policies, ratings, schedule, words
from reviews.risk.engine.default import DEFAULT
from tests.reviews.pages.case.rows import reviewed_case
from tests.reviews.risk.rows import (
    SANCTIONS,
    add_screening,
    hit,
    newest,
    rated,
    screened_case,
    state_of,
    tried,
)
from tests.reviews.rows import (
    add_risky_document,
    decide,
    one_person,
    open_case,
    someone,
)

pytestmark = pytest.mark.django_db


def faults() -> list[str]:
    """What audit_verify says of the rows of this room; other rows of these tests have no lines."""
    tables = ("rating", "riskpolicy")
    return [fault for fault in verification.faults() if any(t in fault for t in tables)]


def _inputs(rating: CaseRating, factor: str) -> list[str]:
    return rating.inputs["factors"][factor]["values"]


@pytest.mark.parametrize(
    ("hits", "verdict", "value"),
    [
        ([], "", ["none"]),
        ([], "inconclusive", []),
        ([hit("possible")], "review", ["possible"]),
        ([hit("strong")], "fail", ["strong"]),
        ([hit("weak")], "pass", ["none"]),
    ],
)
def test_what_screening_says_is_an_input(hits, verdict, value):
    case, _ = screened_case(*hits, verdict=verdict)
    assert _inputs(rated(case), "sanctions") == value


def test_a_new_case_that_is_clean_is_rated_in_few_statements(
    django_assert_max_num_queries,
):
    """Nothing is asked for that only an earlier rating, an owner or a review could have left."""
    case, _ = screened_case(verdict="pass")
    schedule.rate(case, spreads=True)
    with django_assert_max_num_queries(29):
        tasks.rate_cases()
    assert state_of(case).rating is not None


def test_without_a_screening_it_is_unknown_and_said():
    case, _ = reviewed_case()
    rating = rated(case)
    assert _inputs(rating, "sanctions") == []
    assert "Sanctions screening" in rating.result["unknown"]


def test_a_dismissed_hit_is_cleared_and_one_taken_back_counts_again():
    case, _ = screened_case(hit())
    assert rated(case).band == "medium"
    person = someone("analyst")
    state = ReviewState.of(case)
    finding = state.parts[0].findings[0]
    key = state.dismissed.key(finding)
    row = dismissals.dismiss(case, finding, key=key, actor=person, reason="Another.")
    tasks.rate_cases()
    rating = newest(case)
    assert _inputs(rating, "sanctions") == ["cleared"]
    dismissals.take_back(row, actor=person)
    tasks.rate_cases()
    assert _inputs(newest(case), "sanctions") == ["possible"]
    assert CaseRating.objects.filter(case=case).count() == 3


def test_a_match_that_a_person_confirms_is_prohibited():
    case, job = screened_case(hit("strong"), verdict="fail")
    assert rated(case).band == "high"
    person = someone("analyst")
    CheckReview.objects.create(
        job=job, check_id=SANCTIONS, kind="reviewed", by=person
    )  # fmt: skip
    rating = rated(case)
    assert rating.band == "prohibited"
    assert rating.result["overrides"] == [
        "A person confirmed a match with a list of sanctions."
    ]


def test_a_rejection_for_a_match_confirms_it():
    one_person()
    case = open_case(failing=True)
    decide(case, someone("analyst"), "reject", reasons=["R03"])
    tasks.rate_cases()
    assert state_of(case).band == "prohibited"


def test_political_exposure_is_apart_from_sanctions():
    case, job = screened_case()
    add_screening(job, hit("strong"), what="politically exposed persons")
    rating = rated(case)
    assert _inputs(rating, "sanctions") == ["none"]
    assert _inputs(rating, "pep") == ["strong"]
    assert rating.band == "high"


def test_countries_are_read_wherever_they_stand():
    case, _ = screened_case(
        self_attested_data={
            "business_name": "Northwind Ltd",
            "address_of_operation": {"country_code": "DE", "city": "Iran"},
            "owners": [{"name": "A B", "country_of_nationality": "Iran"}],
            "customer_countries": ["Bulgaria", 7, None, {"country": "no such"}],
        },
        country="FR",
    )
    rating = rated(case)
    assert _inputs(rating, "geography") == ["BG", "DE", "FR", "IR"]
    words = [row["words"] for row in rating.result["contributions"]]
    assert any("IR (owners country of nationality)" in each for each in words)
    assert rating.band == "high"


@pytest.mark.parametrize(
    ("data", "value"),
    [
        ({"entity_type": "Discretionary Trust"}, ["opaque"]),
        ({"owners": [{"name": "A B"}]}, ["simple"]),
        ({"owners": [{"name": "A B"}, {"business_name": "X Ltd"}]}, ["layered"]),
        ({"associated_businesses": [{"name": "X"}]}, ["layered"]),
        ({"shareholders": ["Ann Lee, 60 %", "Bo Ray, 40 %"]}, ["simple"]),
        ({"Shareholders": [{"name": "Alpha Holding GmbH"}]}, ["layered"]),
        ({"owners": [{"name": "Alpha", "type": "company"}]}, ["layered"]),
        ({"owners": [{"name": "A B", "role": "nominee"}]}, ["opaque"]),
        ({"owners": [{"name": "A B"}, {"name": "Bearer shares"}]}, ["opaque"]),
        ({"owners": [{"name": "The Bell Family Trust"}]}, ["opaque"]),
        (
            {"owners": [{"name": "X Ltd", "owners": [{"name": "Y Stiftung"}]}]},
            ["opaque"],
        ),
        ({"owners": [{"name": "A B"}, {"name": "Free float"}]}, []),
        ({"directors": [{"name": "A B"}]}, []),
        ({}, []),
        ({"owners": "Ann", "entity_type": {"a": 1}}, []),
    ],
)
def test_the_structure_is_read_from_what_is_attested(data, value):
    case, _ = screened_case(self_attested_data=data)
    assert _inputs(rated(case), "structure") == value


@pytest.mark.parametrize(
    ("years", "value"), [(0.5, "under_1_year"), (2, "under_3_years"), (9, "over_3_years")]
)  # fmt: skip
def test_the_age_of_a_company_counts_on_the_day_of_its_submission(years, value):
    day = (now() - timedelta(days=365 * years + 2)).date()
    data = {"incorporation_date": day.isoformat()}
    case, _ = screened_case(self_attested_data=data)
    assert _inputs(rated(case), "age") == [value]


@pytest.mark.parametrize(
    ("day", "value"),
    [
        ("2025-12-01", "under_1_year"),
        ("2025-11-30", "under_3_years"),
        # Three years of 365 days have passed, and one of them was a leap year.
        ("2023-12-01", "under_3_years"),
        ("2023-11-30", "over_3_years"),
    ],
)
def test_the_years_of_a_company_are_those_of_the_calendar(day, value):
    with time_machine.travel("2026-11-30T12:00Z", tick=False):
        case, _ = screened_case(self_attested_data={"incorporation_date": day})
    assert list(attested.age(case).values) == [value]


@pytest.mark.parametrize("source", ["attested", "proved by a document"])
def test_the_source_of_an_age_is_in_the_language_of_the_reader(source):
    day = (now() - timedelta(days=400)).date().isoformat()
    data = {"incorporation_date": day} if source == "attested" else {}
    case, _ = screened_case(self_attested_data=data)
    value = attested.age(case, "" if data else day)
    assert value.sources == {"under_3_years": f"{day} ({source})"}
    row = {"factor": "age", "label": "under_3_years"}
    row["words"] = f"younger than three years: {value.sources['under_3_years']}"
    with translation.override("de"):
        shown = words.contribution(row)["words"]
    assert f"{day} (" in shown
    assert source not in shown


def test_a_person_has_no_structure_and_no_age_of_a_company():
    case, _ = screened_case(kind="kyc")
    factors = rated(case).inputs["factors"]
    assert "structure" not in factors
    assert "age" not in factors


def test_a_risky_document_counts_and_data_of_any_shape_raise_nothing():
    case = open_case()
    add_risky_document(case)
    assert _inputs(rated(case), "documents") in (["risk"], ["high_risk"])
    nested: object = {"country": "IR"}
    for _ in range(40):
        nested = [{"a": nested}]
    shapes: tuple[Any, ...] = ([], "text", 7, {"owners": nested}, {"product": [[]] * 9})
    for data in shapes:
        case.self_attested_data = data
        case.save()
        rated(case)


def test_nothing_new_makes_no_second_rating_and_each_is_a_line():
    case, _ = screened_case(hit())
    first = rated(case)
    assert rated(case) == first
    assert CaseRating.objects.filter(case=case).count() == 1
    lines = CaseEvent.objects.filter(case=case, what="rated")
    assert lines.get().data["band"] == "Medium"
    trail.seal_all()
    assert not faults()
    CaseRating.objects.filter(pk=first.pk).update(score=1)
    assert faults()


def test_every_stored_rating_is_computed_again_from_its_inputs():
    case, job = screened_case()
    rated(case)
    for band in ("possible", "strong"):
        add_screening(job, hit(band))
        rated(case)
    for rating in CaseRating.objects.all():
        assert ratings.recompute(rating) == rating.result


def test_what_happens_while_a_case_is_rated_is_not_lost():
    case, _ = screened_case()
    schedule.rate(case)
    (state,) = tasks.RATINGS.claim()

    def rate_meanwhile(*_: object, **__: object) -> None:
        schedule.rate(case)

    # While its own line is written, something else happens to the case.
    post_save.connect(rate_meanwhile, sender=CaseRating)
    try:
        ratings.advance(RatingState.objects.get(pk=state.pk))
    finally:
        post_save.disconnect(rate_meanwhile, sender=CaseRating)
    assert RatingState.objects.get(case=case).due_at is not None
    tasks.rate_cases()
    assert RatingState.objects.get(case=case).due_at is None


def test_a_worker_that_lost_its_lease_stores_nothing():
    case, _ = screened_case()
    schedule.rate(case)
    (state,) = tasks.RATINGS.claim()
    RatingState.objects.filter(pk=state.pk).update(claim_count=9)
    tasks.RATINGS._work_one(state)
    assert not CaseRating.objects.exists()


def test_an_erased_case_is_not_rated():
    case, _ = screened_case()
    type(case).objects.filter(pk=case.pk).update(erased_at=now())
    schedule.rate(case)
    tasks.rate_cases()
    assert not CaseRating.objects.exists()
    assert RatingState.objects.get().due_at is None


def test_a_person_rates_upwards_alone_and_downwards_with_a_second():
    case, _ = screened_case()
    low = rated(case)
    assert low.band == "low"
    ana, sam = someone("analyst"), someone("senior")
    with pytest.raises(overrides.RefusedError, match="Say why"):
        overrides.make(case, actor=ana, band="high", reason=" ")
    up = overrides.make(case, actor=ana, band="high", reason="Known to us.")
    assert state_of(case).band == "high"
    with pytest.raises(overrides.RefusedError, match="already"):
        overrides.make(case, actor=ana, band="high", reason="Again.")
    overrides.take_back(up, actor=sam)
    assert state_of(case).band == low.band

    add_screening(case.jobs.get(), hit("strong"), what="pep")
    assert rated(case).band == "high"
    down = overrides.make(case, actor=sam, band="medium", reason="Left office.")
    assert state_of(case).band == "high"
    for person in (ana, sam):
        with pytest.raises(PermissionDenied):
            overrides.approve(down, actor=person)
    overrides.approve(down, actor=someone("senior", "second"))
    assert state_of(case).band == "medium"
    trail.seal_all()
    assert not faults()


def test_an_override_downwards_ends_when_the_policy_says_another_band():
    case, job = screened_case(hit())
    rated(case)
    ana, sam = someone("analyst"), someone("senior")
    down = overrides.make(case, actor=ana, band="low", reason="Another company.")
    overrides.approve(down, actor=sam)
    add_screening(job, hit("strong"), what="pep")
    assert rated(case).band == "high"
    assert state_of(case).band == "high"
    assert RatingOverride.objects.get().status == "ended"


def test_nobody_rates_down_what_is_prohibited_or_two_bands_at_once():
    case, job = screened_case(hit("strong"), verdict="fail")
    rated(case)
    ana = someone("analyst")
    with pytest.raises(overrides.RefusedError, match="one band"):
        overrides.make(case, actor=ana, band="low", reason="No.")
    CheckReview.objects.create(job=job, check_id=SANCTIONS, kind="reviewed", by=ana)
    assert rated(case).band == "prohibited"
    with pytest.raises(overrides.RefusedError, match="Prohibited"):
        overrides.make(case, actor=ana, band="high", reason="No.")


def test_a_new_policy_rates_all_cases_again(settings):
    case, _ = screened_case(hit())
    assert rated(case).band == "medium"
    owner = someone("rule owner")
    content = {**DEFAULT, "bands": {"medium": 10, "high": 20}}
    with pytest.raises(PermissionDenied):
        policies.draft(actor=someone("analyst"), content=content, note="Stricter.")
    draft = policies.draft(actor=owner, content=content, note="Stricter.")
    assert policies.live().number == 1
    tried(draft, owner)
    assert policies.make_live(draft, actor=owner) is None
    assert policies.live() == draft
    tasks.rate_again()
    assert newest(case).policy == draft
    assert state_of(case).band == "high"
    with pytest.raises(policies.RefusedError):
        policies.make_live(draft, actor=owner)
    trail.seal_all()
    assert not faults()


def test_where_it_is_switched_on_a_second_person_makes_a_policy_live(settings):
    from compliance.approvals import proposals

    settings.SETTINGS_FOUR_EYES = {"rules"}
    case, _ = screened_case(hit())
    rated(case)
    owner = someone("rule owner")
    content = {**DEFAULT, "bands": {"medium": 10, "high": 20}}
    draft = policies.draft(actor=owner, content=content, note="Stricter.")
    tried(draft, owner)
    proposal = policies.make_live(draft, actor=owner)
    assert proposal is not None
    assert RiskPolicy.objects.get(status="live").number == 1
    proposals.approve(proposal, actor=someone("rule owner", "other"))
    assert policies.live() == draft
    tasks.rate_again()
    assert state_of(case).band == "high"
    trail.seal_all()
    assert not faults()


def test_a_draft_older_than_the_live_version_is_refused():
    owner = someone("rule owner")
    old = policies.draft(actor=owner, content=DEFAULT, note="First.")
    new = policies.draft(actor=owner, content=DEFAULT, note="Second.")
    tried(new, owner)
    policies.make_live(new, actor=owner)
    with pytest.raises(policies.RefusedError, match="newer"):
        policies.make_live(old, actor=owner)


def test_the_end_of_a_job_has_its_case_rated():
    from reviews.jobs import completion

    case, job = screened_case(status="running")
    completion.complete(job, recommendation="Approve", has_results=True)
    tasks.rate_cases()
    assert ratings.of(case) is not None
    marks.mark(case, SANCTIONS, actor=someone("analyst"), kind="reviewed")
    assert RatingState.objects.get(case=case).due_at is not None
