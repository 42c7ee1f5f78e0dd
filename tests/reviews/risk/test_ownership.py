"""A company that listed owners hold is rated by that, also where other cases say who they are."""

from __future__ import annotations

import random
import re
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from django.utils.timezone import now

from reviews import tasks
from reviews.decisions import clean_cases
from reviews.findings import dismissals, matches
from reviews.findings.review_state import ReviewState
from reviews.intake import cases
from reviews.models import (
    Agent,
    Case,
    CaseParty,
    CaseRating,
    DueWatch,
    Party,
    PartyRelation,
    PeriodicReview,
    PolicyTrial,
    RatingState,
    Team,
    TrialChange,
)
from reviews.parties import relations
from reviews.parties.merges import merging
from reviews.parties.shares import Share
from reviews.privacy import erasures
from reviews.risk import policies, ratings, schedule
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import Policy
from reviews.risk.ownership import factor
from tests.factories import make_agent, make_connection
from tests.reviews.api.calling import Caller
from tests.reviews.pages.case.rows import add_check_result
from tests.reviews.risk.rows import LIST, add_screening, hit, newest, tried
from tests.reviews.risk.test_batches import put_in_force
from tests.reviews.rows import decide, one_person, someone

pytestmark = pytest.mark.django_db
LEI = "5299000000000000{:04}"


@pytest.fixture
def agent() -> Agent:
    return make_agent(make_connection())


@pytest.fixture
def analyst():
    return someone("analyst")


def company(number: int, *owners: dict[str, Any]) -> dict[str, Any]:
    return {
        "business_name": f"Company {number} Ltd",
        "lei": LEI.format(number),
        "incorporation_date": "2010-01-02",
        "owners": list(owners),
    }


def owner(number: int, share: Any = None) -> dict[str, Any]:
    """The company of this number, as an owner. It is one party in all cases, by its LEI."""
    row: dict[str, Any] = {
        "business_name": f"Company {number} Ltd",
        "lei": LEI.format(number),
    }
    if share is not None:
        row["percentage"] = share
    return row


def submit(agent: Agent, number: int, *owners: dict[str, Any], hits: Any = ()) -> Case:
    """A case about the company, whose checks have run. `hits` are of the company itself."""
    data = company(number, *owners)
    case = cases.submit(
        actor=None, agent=agent, subject=cases.subject_of(data), data=data, documents=[]
    )
    job = case.jobs.get()
    job.status = "complete"
    job.due_at = None
    job.save()
    Case.objects.filter(pk=case.pk).update(status=Case.Status.TO_REVIEW)
    case.refresh_from_db()
    add_screening(job, *hits, verdict="fail" if hits else "")
    ratings_of_all(case)
    return case


def ratings_of_all(*new: Case) -> None:
    """The work of the tasks, until nothing is due."""
    for case in new:
        schedule.rate(case, spreads=True)
    # The task ends after some seconds, which a busy machine needs for a few cases.
    tasks.RATINGS.drain(seconds=3600)
    assert not RatingState.objects.exclude(due_at=None).exists()


def label(case: Case) -> str:
    return factor.label_of(newest(case))


def listed(agent: Agent, number: int) -> Case:
    return submit(agent, number, hits=[hit("strong", f"Company {number} Ltd")])


def hit_of(case: Case):
    state = ReviewState.of(case)
    for part in state.parts:
        for finding in part.findings:
            return state, finding
    raise AssertionError("no hit")


def confirm(case: Case, actor) -> Any:
    _, finding = hit_of(case)
    rows = matches.confirm(case, finding, actor=actor)
    ratings_of_all()
    return rows[0]


def party_of(case: Case) -> Party:
    party = (
        CaseParty.objects.select_related("party").get(case=case, place="subject").party
    )
    return party.head or party


def test_a_company_that_a_listed_owner_of_another_case_holds_is_prohibited(
    agent, analyst
):
    held = submit(agent, 1, owner(2, 60))
    assert label(held) == "none"
    of_owner = listed(agent, 2)
    # Nobody has confirmed the hit.
    assert label(held) == "suspected"
    assert newest(held).band == "high"
    row = confirm(of_owner, analyst)
    rating = newest(held)
    assert (label(held), rating.band) == ("blocked", "prohibited")
    assert rating.result["overrides"] == [
        "Listed owners hold half of it or more, or control it."
    ]
    # Taken back and dismissed, it counts no more.
    matches.take_back(row, actor=analyst)
    ratings_of_all()
    assert label(held) == "suspected"
    state, finding = hit_of(of_owner)
    key = state.dismissed.key(finding)
    dismissal = dismissals.dismiss(
        of_owner, finding, key=key, actor=analyst, reason="Another."
    )
    ratings_of_all()
    assert label(held) == "none"
    dismissals.take_back(dismissal, actor=analyst)
    ratings_of_all()
    assert label(held) == "suspected"


def test_the_shares_of_several_owners_are_added(agent, analyst):
    held = submit(agent, 1, owner(2, 30), owner(3, 25), owner(4, 45))
    for number in (2, 3):
        confirm(listed(agent, number), analyst)
    assert label(held) == "blocked"
    source = newest(held).inputs["factors"]["ownership"]["sources"]["blocked"]
    assert re.fullmatch(
        r"party \d+: 30 %, party \d+: 25 %, together 55 %; listed: party \d+, party \d+",
        source,
    )


@pytest.mark.parametrize(
    ("share", "rest", "expected", "least"),
    [
        (50, 50, "blocked", "prohibited"),
        (49, 51, "minority", ""),
        ("25-60 %", 40, "possible", "high"),
        (None, 50, "possible", "high"),
        # Of the rest no owner is named: it may belong to the listed owner.
        (30, 0, "possible", "high"),
    ],
)
def test_what_is_not_known_of_the_shares_is_said(
    agent, analyst, share, rest, expected, least
):
    others = [owner(4, rest)] if rest else []
    held = submit(agent, 1, owner(2, share), *others)
    confirm(listed(agent, 2), analyst)
    assert label(held) == expected
    reasons = newest(held).result["overrides"]
    assert len(reasons) == bool(least)
    assert newest(held).band == (least or newest(held).result["band_of_score"])


def test_it_goes_through_any_depth(agent, analyst):
    chain = [submit(agent, number, owner(number + 1, 80)) for number in range(1, 9)]
    assert {label(case) for case in chain} == {"none"}
    row = confirm(listed(agent, 9), analyst)
    assert {label(case) for case in chain} == {"blocked"}
    assert {newest(case).band for case in chain} == {"prohibited"}
    matches.take_back(row, actor=analyst)
    ratings_of_all()
    assert {label(case) for case in chain} == {"suspected"}


@pytest.mark.parametrize("seed", range(4))
def test_the_label_is_that_of_the_rule_in_graphs_of_any_form(agent, analyst, seed):
    """Seven companies that own each other by chance: compared with the rule, written once more."""
    draw = random.Random(seed)  # noqa: S311
    numbers = range(1, 8)
    owners: dict[int, dict[int, int]] = {}
    for number in numbers:
        others = draw.sample([n for n in numbers if n != number], draw.randint(1, 3))
        # A stranger holds the rest, so that every part has an owner.
        owners[number] = {other: draw.choice((15, 25, 30)) for other in others}
        owners[number][90 + number] = 100 - sum(owners[number].values())
    of_number = {}
    first = draw.sample(list(numbers), 2)
    for number in numbers:
        rows = [owner(key, share) for key, share in owners[number].items()]
        hits = [hit("strong", f"Company {number} Ltd")] if number in first else ()
        of_number[number] = submit(agent, number, *rows, hits=hits)
    for number in first:
        confirm(of_number[number], analyst)
    for number in numbers:
        # A party that is on the list itself is judged by its other owners.
        side = _spread(owners, set(first) - {number})
        is_blocked = number in side
        assert (label(of_number[number]) == "blocked") == is_blocked, (seed, number)


def _held(row: dict[int, int], side: set[int]) -> int:
    return sum(share for key, share in row.items() if key in side)


def _spread(owners: dict[int, dict[int, int]], side: set[int]) -> set[int]:
    while new := {n for n in owners if n not in side and _held(owners[n], side) >= 50}:
        side = side | new
    return side


def test_work_that_is_done_twice_makes_no_second_rating(agent, analyst):
    held = submit(agent, 1, owner(2, 60))
    of_owner = listed(agent, 2)
    confirm(of_owner, analyst)
    before = CaseRating.objects.filter(case=held).count()
    ratings_of_all(of_owner)
    ratings_of_all(of_owner, held)
    assert CaseRating.objects.filter(case=held).count() == before


def test_owners_who_own_each_other_come_to_an_end(agent, analyst):
    first = submit(agent, 1, owner(2, 60), owner(9, 40))
    second = submit(agent, 2, owner(1, 40), owner(3, 60))
    confirm(listed(agent, 3), analyst)
    assert (label(first), label(second)) == ("blocked", "blocked")


def test_a_relation_that_is_added_and_ended_counts_at_once(agent, analyst):
    top = submit(agent, 1, owner(2, 100))
    middle = submit(agent, 2, owner(4, 40))
    of_owner = listed(agent, 3)
    confirm(of_owner, analyst)
    assert label(top) == "none"
    relation = relations.add(
        middle,
        actor=analyst,
        held=party_of(middle),
        kind="owner",
        holder=party_of(of_owner),
        share=Share(Decimal(55), Decimal(55)),
    )
    ratings_of_all()
    assert label(top) == "blocked"
    relations.end(relation, actor=analyst, until=now().date() - timedelta(days=1))
    ratings_of_all()
    assert label(top) == "none"


def test_control_counts(agent, analyst):
    held = submit(agent, 1, owner(4, 100))
    of_owner = listed(agent, 3)
    confirm(of_owner, analyst)
    relations.add(
        held,
        actor=analyst,
        held=party_of(held),
        kind="controller",
        holder=party_of(of_owner),
    )
    ratings_of_all()
    assert (label(held), newest(held).band) == ("controlled", "prohibited")


def test_most_of_the_votes_are_control(agent, analyst):
    held = submit(agent, 1, owner(4, 90))
    of_owner = listed(agent, 3)
    confirm(of_owner, analyst)
    relations.add(
        held,
        actor=analyst,
        held=party_of(held),
        kind="owner",
        holder=party_of(of_owner),
        share=Share(Decimal(10), Decimal(10)),
        votes=Share(Decimal(80), Decimal(80)),
    )
    ratings_of_all()
    assert (label(held), newest(held).band) == ("controlled", "prohibited")


def test_a_merge_and_its_end_count_below(agent, analyst):
    held = submit(agent, 1, {"business_name": "Company 2 Ltd", "percentage": 70})
    of_owner = listed(agent, 2)
    confirm(of_owner, analyst)
    # An equal name joins nobody.
    assert label(held) == "none"
    named = CaseParty.objects.get(case=held, role="owner").party
    merge = merging.merge(
        named, party_of(of_owner), actor=analyst, reason="Same address."
    )
    ratings_of_all()
    assert label(held) == "blocked"
    merging.undo(merge, actor=analyst, reason="Another one.")
    ratings_of_all()
    assert label(held) == "none"


def test_a_rejection_for_a_match_confirms_it_for_what_the_party_holds(agent, analyst):
    one_person()
    held = submit(agent, 1, owner(2, 60))
    of_owner = listed(agent, 2)
    assert label(held) == "suspected"
    decide(of_owner, analyst, "reject", reasons=["R03"])
    ratings_of_all()
    assert label(held) == "blocked"


def test_a_relation_counts_from_its_day_and_until_its_day(agent, analyst):
    held = submit(agent, 1, owner(4, 40))
    of_owner = listed(agent, 3)
    confirm(of_owner, analyst)
    today = now().date()
    relation = relations.add(
        held,
        actor=analyst,
        held=party_of(held),
        kind="owner",
        holder=party_of(of_owner),
        share=Share(Decimal(60), Decimal(60)),
        since=today + timedelta(days=1),
    )
    ratings_of_all()
    assert label(held) == "none"
    state = RatingState.objects.get(case=held)
    assert state.changes_on == today + timedelta(days=1)
    # The day has come.
    PartyRelation.objects.filter(pk=relation.pk).update(since=today)
    RatingState.objects.filter(pk=state.pk).update(changes_on=today)
    DueWatch.objects.update(due_at=now() - timedelta(seconds=1))
    tasks.watch_due_cases()
    tasks.rate_cases()
    assert label(held) == "blocked"
    assert RatingState.objects.get(case=held).changes_on is None


def test_the_rating_says_no_more_than_all_who_see_the_case_may_know(agent, analyst):
    other = make_agent(make_connection("other"))
    team = Team.objects.create(name="Others")
    team.connections.add(other.connection)
    held = submit(agent, 1, owner(2, 60))
    of_owner = listed(other, 2)
    confirm(of_owner, _member(team))
    assert label(held) == "none"
    # Who sees the other case sees this one, too.
    below = submit(other, 5, owner(2, 60))
    assert label(below) == "blocked"


def _member(team: Team):
    person = someone("senior")
    team.members.add(person)
    return person


def test_it_is_computed_again_from_its_inputs_and_tried_by_other_versions(
    agent, analyst
):
    held = submit(agent, 1, owner(2, 60))
    confirm(listed(agent, 2), analyst)
    for rating in CaseRating.objects.all():
        assert ratings.recompute(rating) == rating.result
    # A version that does not prohibit it: the trial says that the case would change.
    content = Policy.from_json(DEFAULT).to_json()
    for row in content["overrides"]:
        if row["factor"] == "ownership":
            row["band"] = "high"
    rules = someone("rule owner")
    draft = policies.draft(actor=rules, content=content, note="Only high.")
    tried(draft, rules)
    trial = PolicyTrial.objects.get(policy=draft)
    changes = TrialChange.objects.filter(trial=trial, case=held)
    assert [(row.band, row.new_band) for row in changes] == [("prohibited", "high")]


def test_no_policy_has_a_company_of_listed_owners_approved_without_a_look(
    agent, analyst
):
    """A policy may give everybody no points and no override. The case itself has no hit."""
    held, other = submit(agent, 1, owner(2, 60)), submit(agent, 3, owner(4, 60))
    of_owner = listed(agent, 2)
    content = Policy.from_json(DEFAULT).to_json()
    content["overrides"] = []
    for rule in content["factors"].values():
        rule["points"] = dict.fromkeys(rule["points"], 0)
    put_in_force(content)
    tasks.rate_again()
    for is_confirmed in (False, True):
        if is_confirmed:
            confirm(of_owner, analyst)
        assert newest(held).band == "low"
        (words,) = clean_cases._of_the_rating(Case.objects.get(pk=held.pk))
        assert "Listed owners" in words
        assert clean_cases._of_the_rating(Case.objects.get(pk=other.pk)) == []


def test_a_version_older_than_the_factor_has_it_as_in_the_default():
    content = Policy.from_json(DEFAULT).to_json()
    del content["factors"]["ownership"]
    content["overrides"] = [
        row for row in content["overrides"] if row["factor"] != "ownership"
    ]
    policy = Policy.from_json(content)
    assert policy.factors["ownership"].points["blocked"] == 100
    bands = {row.band for row in policy.overrides if row.factor == "ownership"}
    assert bands == {"prohibited", "high"}


def test_pages_name_the_owners_and_their_shares(agent, analyst, client):
    held = submit(agent, 1, owner(2, 60), owner(4, 40))
    of_owner = listed(agent, 2)
    confirm(of_owner, analyst)
    client.force_login(analyst)
    for address in (f"/cases/{held.pk}/?tab=risk", f"/parties/{party_of(held).pk}/"):
        page = _words(client.get(address))
        assert "listed owners hold half or more (Company 2 Ltd: 60 %)" in page
        assert "Prohibited" in page
        assert (
            f'href="/parties/{party_of(of_owner).pk}/"'
            in client.get(address).content.decode()
        )
    german = _words(
        client.get(f"/cases/{held.pk}/?tab=risk", headers={"accept-language": "de"})
    )
    assert "Hälfte oder mehr (Company 2 Ltd: 60 %)" in german
    assert "Gelistete Eigentümer halten die Hälfte" in german


def test_rest_says_the_same(agent, analyst):
    held = submit(agent, 1, owner(2, 60), owner(4, 40))
    of_owner = listed(agent, 2)
    confirm(of_owner, analyst)
    caller = Caller(analyst)
    answer = caller.get(f"/cases/{held.pk}/rating").json()
    assert answer["band"] == "prohibited"
    row = next(row for row in answer["contributions"] if row["factor"] == "ownership")
    number = party_of(of_owner).pk
    assert row["label"] == "blocked"
    assert f"(party {number}: 60 %; listed: party {number})" in row["words"]
    assert caller.get(f"/parties/{number}").json()["name"] == "Company 2 Ltd"


def test_the_name_of_an_owner_is_not_stored_with_the_case_that_it_holds(agent, analyst):
    held = submit(agent, 1, owner(2, 60))
    of_owner = listed(agent, 2)
    confirm(of_owner, analyst)
    assert label(held) == "blocked"
    assert "Company 2" not in str(newest(held).inputs)


def test_what_an_erased_case_said_counts_no_more(agent, analyst):
    top = submit(agent, 1, owner(2, 100))
    middle = submit(agent, 2, owner(3, 60))
    confirm(listed(agent, 3), analyst)
    assert label(top) == "blocked"
    assert middle.data_key_id is not None
    erasures.erase_again([middle.data_key_id])
    ratings_of_all()
    assert label(top) == "none"


def test_an_approved_customer_who_is_prohibited_by_ownership_is_reviewed_at_once(
    agent, analyst
):
    one_person()
    held = submit(agent, 1, owner(2, 60))
    decide(held, analyst, "approve")
    tasks.open_periodic_reviews()
    confirm(listed(agent, 2), analyst)
    tasks.open_periodic_reviews()
    review = PeriodicReview.objects.get(case=held)
    assert (review.status, review.reason) == ("opened", "ownership")


def _words(response) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return re.sub(r"\s+([;:,)])", r"\1", " ".join(text.split()))


def screened_owners(agent: Agent, *owners: dict[str, Any], listed_name: str) -> Case:
    """A company whose owners were screened, with a strong hit on this name."""
    case = submit(agent, 1, *owners)
    screening = {
        "what": "sanctions",
        "subject": {"names": [listed_name], "countries": ["de"]},
        "matches": [hit("strong", listed_name)],
        "lists": [LIST],
    }
    person = {
        "name": listed_name,
        "what": "sanctions",
        "verdict": "fail",
        "screening": screening,
    }
    add_check_result(
        case.jobs.get(),
        {"passed": False, "payload": {"people_screening": {"people": [person]}}},
        check_id="kyb.associated_individuals_screening",
    )
    ratings_of_all(case)
    return case


@pytest.mark.parametrize(
    "stated",
    ["Ann Bell", "Ann Bell aka Annie Bell", "Ann Bell - Director", "BELL, Ann"],
)
def test_a_hit_on_a_part_of_what_is_stated_is_of_that_owner(agent, stated):
    owners = {"name": stated, "percentage": 60}, {"name": "Bo Ek", "percentage": 40}
    case = screened_owners(agent, *owners, listed_name="Ann Bell")
    assert label(case) == "suspected"


def test_a_hit_is_not_of_an_owner_with_a_part_of_the_name(agent):
    owners = {"name": "Ann", "percentage": 60}, {"name": "Bo Ek", "percentage": 40}
    assert label(screened_owners(agent, *owners, listed_name="Ann Bell")) == "none"


def test_two_owners_of_one_name_without_a_number_are_both_listed(agent):
    ann = {"name": "Ann Bell", "percentage": 30}
    case = screened_owners(
        agent, ann, ann, {"name": "Bo Ek", "percentage": 40}, listed_name="Ann Bell"
    )
    assert label(case) == "suspected"
    [source] = newest(case).inputs["factors"]["ownership"]["sources"].values()
    assert "together 60 %" in source
