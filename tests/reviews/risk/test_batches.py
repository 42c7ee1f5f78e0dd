"""After a new policy all cases follow it, in batches, as if each had been rated by itself."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models.signals import post_save
from django.test.utils import CaptureQueriesContext

from reviews import tasks
from reviews.audit import trail, verification
from reviews.decisions import clean_cases
from reviews.models import (
    Case,
    CaseEvent,
    CaseRating,
    CheckReview,
    Job,
    PeriodicReview,
    RatingBatch,
    RatingOverride,
    RatingState,
    RiskPolicy,
)
from reviews.risk import batches, overrides, policies, ratings, schedule, trials
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.inputs import READING
from reviews.risk.view import RatingView
from tests.factories import make_case, make_connection
from tests.reviews.api.calling import Caller
from tests.reviews.periodic.rows import approve
from tests.reviews.risk.rows import (
    KNOWN,
    SANCTIONS,
    add_screening,
    hit,
    newest,
    rated,
    screened_case,
    state_of,
    tried,
)
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db


def weighted(**weights: int) -> dict[str, Any]:
    """The first policy with other weights."""
    factors: dict[str, Any] = dict(DEFAULT["factors"])
    for name, weight in weights.items():
        factors[name] = {**factors[name], "weight": weight}
    return {**DEFAULT, "factors": factors}


STRICTER = {**DEFAULT, "bands": {"medium": 10, "high": 20}}
# Nothing that any case has: the score and the band of each stay.
OTHER_WORDS = {
    **DEFAULT,
    "overrides": [
        {**each, "reason": each["reason"] + " (2)"} for each in DEFAULT["overrides"]
    ],
}
POLICIES = {
    "bands": STRICTER,
    "weights": weighted(geography=90, product=10, pep=30),
    "words": OTHER_WORDS,
}


def another_case(*hits: dict[str, Any], **values: Any) -> tuple[Case, Job]:
    """A case of a service of its own, so that there may be many."""
    name = f"c{Case.objects.count()}"
    return screened_case(*hits, slug=name, reference=name, **values)


def put_in_force(content: dict[str, Any]) -> RiskPolicy:
    owner = someone("rule owner", f"owner-{RiskPolicy.objects.count()}")
    draft = policies.draft(actor=owner, content=content, note="Another.")
    tried(draft, owner)
    policies.make_live(draft, actor=owner)
    return draft


def work() -> None:
    """What the workers do until nothing is due."""
    while tasks.RATING_BATCHES.is_due():
        tasks.rate_again()
    rate_all()


def rate_all() -> None:
    """One run of the task ends after some time, which is not enough on a busy machine."""
    while tasks.RATINGS.is_due():
        tasks.rate_cases()


def one_by_one() -> None:
    """All cases by the queue that reads their facts again, and no batch."""
    RatingBatch.objects.all().delete()
    schedule.rate_cases(list(RatingState.objects.values_list("case", flat=True)))
    rate_all()


def faults() -> list[str]:
    tables = ("rating", "riskpolicy")
    return [fault for fault in verification.faults() if any(t in fault for t in tables)]


def generated_cases() -> None:
    """Cases of all kinds: hits, persons, businesses, overrides, and one that is prohibited."""
    chance = random.Random(68)  # noqa: S311
    senior = someone("senior")
    for number in range(24):
        hits = [hit(chance.choice(["weak", "possible", "strong"]))]
        if number == 7:
            hits = [hit("strong")]
        data = {
            **KNOWN,
            "product": chance.choice(["retail", "4829", "7995", "crypto"]),
            "address_of_operation": {
                "country_code": chance.choice(["DE", "IR", "BG", "PA"])
            },
            "incorporation_date": chance.choice(["2010-01-02", "2026-01-02", "x"]),
        }
        case, job = another_case(
            *(hits if number % 3 else []),
            self_attested_data=data,
            kind="kyc" if number % 4 == 0 else "kyb",
            verdict="fail" if number == 7 else "",
        )
        if number % 5 == 0:
            add_screening(job, hit("strong"), what="politically exposed persons")
        if number == 7:
            CheckReview.objects.create(
                job=job, check_id=SANCTIONS, kind="reviewed", by=senior
            )
        band = rated(case).band
        if number % 6 == 1 and band == "low":
            overrides.make(case, actor=senior, band="high", reason="Known.")
        if number % 6 == 2 and band in ("medium", "high"):
            lower = overrides.ORDER[overrides.ORDER.index(band) - 1]
            down = overrides.make(case, actor=senior, band=lower, reason="Known.")
            if number % 12 == 2:
                overrides.approve(down, actor=someone("senior", f"second-{number}"))


def everything() -> dict[str, Any]:
    """What ratings, cases, overrides and lines say now, without keys and times."""
    said: dict[str, Any] = {}
    for state in RatingState.objects.select_related("rating__policy", "policy", "case"):
        assert state.rating is not None
        assert state.policy is not None
        lines = CaseEvent.objects.filter(case=state.case).order_by("id")
        view = RatingView.of(state.case)
        assert view is not None
        said[state.case.reference] = (
            state.score,
            state.band,
            state.case.risk_band,
            state.policy.number,
            state.rating.policy.number,
            state.rating.inputs,
            state.rating.result,
            view.to_wire()["contributions"],
            [
                (row.status, row.band)
                for row in RatingOverride.objects.filter(case=state.case)
            ],
            [
                (line.what, {**line.details, "rating": 0}, len(line.bindings))
                for line in lines
            ],
        )
    return said


def after(act: Callable[[], None]) -> dict[str, Any]:
    """What everything says after the act, which is then undone."""
    with transaction.atomic():
        act()
        said = everything()
        transaction.set_rollback(True)
    return said


@pytest.mark.parametrize("name", POLICIES)
def test_batches_say_what_rating_one_by_one_says(name):
    generated_cases()
    bands = set(RatingState.objects.values_list("band", flat=True))
    assert bands == {"low", "medium", "high", "prohibited"}
    before = CaseRating.objects.count()
    policy = put_in_force(POLICIES[name])
    assert after(work) == after(one_by_one)
    work()
    assert not RatingState.objects.exclude(policy=policy).exists()
    assert (CaseRating.objects.count() == before) == (name == "words")
    for state in RatingState.objects.select_related("rating__policy", "policy"):
        assert state.rating is not None
        assert state.policy is not None
        assert ratings.recompute(state.rating) == state.rating.result
        result = ratings.by_version(state.rating, state.policy)
        assert (result["score"], result["band"]) == (state.score, state.rating.band)
    trail.seal_all()
    assert faults() == []


def test_the_end_is_a_line_with_figures_and_no_batch_is_left():
    for hits in ([hit()], []):
        rated(another_case(*hits)[0])
    put_in_force(weighted(sanctions=0))
    work()
    line = CaseEvent.objects.get(what="policy_followed")
    assert line.data == {
        "which": "Risk policy 2", "changed": 1, "stayed": 1, "read_again": 0,
    }  # fmt: skip
    assert not RatingBatch.objects.exists()


def test_a_rating_that_stays_has_no_new_line_and_is_shown_by_the_new_version(client):
    case, job = screened_case()
    add_screening(job, hit("strong"), what="pep")
    rating = rated(case)
    lines = CaseEvent.objects.filter(case=case).count()
    put_in_force(OTHER_WORDS)
    work()
    assert newest(case) == rating
    assert CaseEvent.objects.filter(case=case).count() == lines
    client.force_login(someone("analyst"))
    text = client.get(f"/cases/{case.pk}/?tab=risk").content.decode()
    assert 'href="/risk/2/"' in text
    assert "(2)" in text


def test_a_worker_that_dies_in_the_middle_loses_nothing(monkeypatch):
    monkeypatch.setattr(schedule, "BATCH", 1)
    cases = [another_case(hit())[0] for _ in range(3)]
    for case in cases:
        rated(case)
    put_in_force(STRICTER)
    record, calls = trail.record_many, []

    def die_later(*values: Any) -> None:
        record(*values)
        calls.append(values)
        if len(calls) == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(trail, "record_many", die_later)
        with pytest.raises(KeyboardInterrupt):
            work()
    assert CaseRating.objects.filter(policy__number=2).count() == 1
    RatingBatch.objects.update(leased_until=None)
    work()
    for case in cases:
        assert state_of(case).band == "high"
        assert CaseRating.objects.filter(case=case).count() == 2
        assert CaseEvent.objects.filter(case=case, what="rated").count() == 2
    assert CaseEvent.objects.get(what="policy_followed").data["changed"] == 3


def test_the_same_batch_twice_stores_nothing_twice():
    case, _ = screened_case(hit())
    rated(case)
    put_in_force(STRICTER)
    (batch,) = tasks.RATING_BATCHES.claim()
    RatingBatch.objects.update(leased_until=None)
    (again,) = tasks.RATING_BATCHES.claim()
    tasks.RATING_BATCHES._work_one(batch)
    assert CaseRating.objects.filter(case=case).count() == 1
    tasks.RATING_BATCHES._work_one(again)
    tasks.RATING_BATCHES._work_one(again)
    assert CaseRating.objects.filter(case=case).count() == 2


def test_a_case_that_changes_while_its_batch_runs_is_rated_by_what_is_new(monkeypatch):
    case, job = screened_case()
    other, _ = another_case(hit())
    for each in (case, other):
        rated(each)
    put_in_force(STRICTER)
    compute = batches._results
    calls: list[object] = []

    def meanwhile(*values: Any) -> Any:
        results = compute(*values)
        if not calls:
            add_screening(job, hit("strong"), what="pep")
            rated(case)
        calls.append(results)
        return results

    monkeypatch.setattr(batches, "_results", meanwhile)
    work()
    assert CaseRating.objects.filter(case=case).count() == 2
    assert newest(case).inputs["factors"]["pep"]["values"] == ["strong"]
    assert state_of(case).policy == state_of(other).policy == policies.live()
    assert state_of(other).band == "high"


def test_a_case_that_is_due_is_left_to_the_queue_that_reads_its_facts():
    case, job = screened_case()
    rated(case)
    add_screening(job, hit("strong"), what="pep")
    schedule.rate(case)
    put_in_force(STRICTER)
    while tasks.RATING_BATCHES.is_due():
        tasks.rate_again()
    assert CaseRating.objects.filter(case=case).count() == 1
    tasks.rate_cases()
    assert newest(case).inputs["factors"]["pep"]["values"] == ["strong"]
    assert newest(case).policy == policies.live()


def test_a_version_that_became_live_while_a_case_was_rated_counts():
    case, _ = screened_case(hit())
    rated(case)
    add_screening(case.jobs.get(), hit("strong"), what="pep")
    schedule.rate(case)
    (state,) = tasks.RATINGS.claim()
    live = policies.live
    owner = someone("rule owner")
    draft = policies.draft(actor=owner, content=STRICTER, note="Stricter.")
    tried(draft, owner)
    calls: list[object] = []

    def old_then_new() -> RiskPolicy:
        found = live()
        if not calls:
            calls.append(found)
            policies.make_live(draft, actor=owner)
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(policies, "live", old_then_new)
        ratings.advance(RatingState.objects.get(pk=state.pk))
    assert newest(case).policy == draft
    assert not CaseRating.objects.filter(case=case, policy__number=1).exclude(
        pk=CaseRating.objects.filter(case=case).earliest("pk").pk
    )


def test_a_what_if_compares_with_the_live_version_also_where_a_case_does_not_follow_it():
    case, _ = another_case(hit())
    assert rated(case).band == "medium"
    put_in_force(STRICTER)
    assert state_of(case).band == "medium"
    owner = someone("rule owner", "another owner")
    same = policies.draft(actor=owner, content=STRICTER, note="The same bands.")
    tried(same, owner)
    trial = trials.newest(same)
    assert trial is not None
    assert (trial.counts, trial.changes.count()) == ({"high": {"high": 1}}, 0)


def test_a_later_version_takes_over_from_batches_of_an_earlier_one():
    case, _ = screened_case(hit())
    rated(case)
    put_in_force(STRICTER)
    last = put_in_force(weighted(sanctions=0))
    work()
    assert state_of(case).policy == last
    assert not CaseRating.objects.filter(policy__number=2).exists()
    assert not RatingBatch.objects.exists()


def test_inputs_that_an_older_reading_wrote_are_read_again():
    case, _ = screened_case(hit())
    rating = rated(case)
    rating.inputs = {**rating.inputs, "reading": 0}
    rating.save()
    put_in_force(STRICTER)
    work()
    assert newest(case).inputs["reading"] == READING
    assert state_of(case).band == "high"
    assert CaseEvent.objects.get(what="policy_followed").data["read_again"] == 1


def test_a_batch_that_fails_again_and_again_leaves_its_cases_to_the_other_queue():
    case, _ = screened_case(hit())
    rated(case)
    put_in_force(STRICTER)
    batches.read_again(RatingBatch.objects.get(), "It failed.")
    assert not RatingBatch.objects.exists()
    tasks.rate_cases()
    assert state_of(case).band == "high"


def test_the_number_of_statements_does_not_grow_with_the_cases():
    counts = []
    for number in (2, 12):
        for _ in range(number):
            rated(another_case(hit())[0])
        bands = {"medium": 10 + number, "high": 30 + number}
        put_in_force({**DEFAULT, "bands": bands})
        with CaptureQueriesContext(connection) as context:
            tasks.rate_again()
        counts.append(len(context))
    assert counts[1] <= counts[0] + 2


def test_the_dates_of_reviews_follow_the_days_of_the_new_version():
    case, _ = screened_case()
    assert rated(case).band == "low"
    approve(case)
    PeriodicReview.objects.update(due_at=None)
    put_in_force(
        {
            **DEFAULT,
            "review_days": {"low": 100, "medium": 90, "high": 80, "prohibited": 70},
        }
    )
    work()
    assert CaseRating.objects.filter(case=case).count() == 1
    assert PeriodicReview.objects.get().due_at is not None
    tasks.open_periodic_reviews()
    review = PeriodicReview.objects.select_related("decision").get()
    assert review.on is not None
    assert (review.on - review.decision.made_at.date()).days == 100


def test_a_case_that_does_not_follow_the_live_version_yet_is_not_clean():
    case, _ = screened_case()
    rated(case)
    assert clean_cases._of_the_rating(Case.objects.get(pk=case.pk)) == []
    put_in_force(OTHER_WORDS)
    assert clean_cases._of_the_rating(Case.objects.get(pk=case.pk)) != []
    view = RatingView.of(case)
    assert view is not None
    assert view.is_due
    work()
    assert clean_cases._of_the_rating(Case.objects.get(pk=case.pk)) == []


def test_every_line_of_a_case_that_is_saved_has_the_signal_and_a_batch_has_none():
    """Whoever connects to `post_save` of lines must look at `trail.record_many`, too."""
    receivers = {
        receiver.__qualname__
        for receiver in post_save._live_receivers(CaseEvent)[0]
        if receiver.__module__.startswith("reviews")
    }
    assert receivers == {"after_event"}
    case = make_case(make_connection("x"))
    trail.record(case, "rated")
    assert CaseEvent.objects.filter(case=case).count() == 1


def test_the_page_and_rest_say_how_far_the_cases_are(client, monkeypatch):
    monkeypatch.setattr(schedule, "BATCH", 1)
    for _ in range(3):
        case, _job = another_case(hit())
        rated(case)
    policy = put_in_force(STRICTER)
    page = f"/risk/{policy.number}/following/"
    reader = someone("auditor", "reader")
    client.force_login(reader)
    text = client.get("/risk/").content.decode()
    assert "All cases are being rated by this version: 0 of 3 batches" in _plain(text)
    assert page in text
    tasks.rate_again()
    text = _plain(client.get(page).content.decode())
    assert "1 of 3 batches, 1 cases so far, 1 with another rating" in text
    caller = Caller(reader)
    [row] = caller.get("/risk-policies?status=live").json()["items"]
    assert row["number"] == policy.number
    assert row["following"] == {
        "batches": 3, "done": 1, "changed": 1, "stayed": 0, "read_again": 0,
    }  # fmt: skip
    assert row["trial"]["cases"] == row["trial"]["total"] == 3
    work()
    # The page stops asking.
    assert "hx-get" not in client.get(page).content.decode()
    [row] = caller.get("/risk-policies?status=live").json()["items"]
    assert row["following"] is None
    [row] = caller.get("/risk-policies?status=retired").json()["items"]
    assert row["following"] is None


def _plain(text: str) -> str:
    return " ".join(text.split())


def test_a_case_that_is_said_to_follow_the_version_in_force_is_found():
    """Its batch leaves such a case out, so it would keep the band of the version before."""
    case, _ = screened_case(hit())
    rated(case)
    live = put_in_force(STRICTER)
    RatingState.objects.filter(case=case).update(policy=live)
    work()
    assert newest(case).policy != live
    fault = f"reviews_case {case.pk}: its rating is not that of the policy in force."
    assert fault in faults()


def test_a_case_that_keeps_its_rating_by_a_new_version_has_no_fault():
    case, _ = screened_case(hit())
    rated(case)
    live = put_in_force(OTHER_WORDS)
    work()
    assert newest(case).policy != live
    assert faults() == []
