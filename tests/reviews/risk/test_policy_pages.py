"""The policy is read, edited, tried on past cases, and put in force by its pages."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.db.models.functions import Now
from django.test.utils import CaptureQueriesContext

from compliance import settings as defaults
from compliance.approvals.models import Proposal
from papers import countries
from reviews import tasks
from reviews.audit import trail, verification
from reviews.models import (
    CaseEvent,
    CaseRating,
    Connection,
    FourEyesRule,
    PolicyTrial,
    RatingState,
    RiskPolicy,
    Team,
    TrialChange,
)
from reviews.risk import editing, policies, trials
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import Policy
from reviews.versions import trials as parts
from tests.factories import make_case, make_connection, make_user
from tests.reviews.risk.rows import hit, rated, screened_case, state_of
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
POLICY = Policy.from_json(DEFAULT)


@pytest.fixture
def owner(client):
    client.force_login(make_user("olga", role="rule owner"))
    return client


def words(client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def typed(**changes: str) -> dict[str, str]:
    """The form as a browser sends it unchanged, but for `changes` (`__` is a dot)."""
    form = editing.form(POLICY)
    values: dict[str, str] = {"from": "1", "note": "Stricter."}
    for factor in form.factors:
        for field in (factor.weight, *factor.points, factor.more):
            if field is not None:
                values[field.name] = field.value
    for row in form.lists:
        for field in (row.title, row.source, row.as_of, row.codes):
            values[field.name] = field.value
    for field in (*form.bands, *form.days, *(row.band for row in form.overrides)):
        values[field.name] = field.value
    return {**values, **{name.replace("__", "."): v for name, v in changes.items()}}


def drafted(client, **changes: str) -> RiskPolicy:
    answer = client.post("/risk/new/", typed(**changes))
    assert answer.status_code == 303, answer.content.decode()[:3000]
    return RiskPolicy.objects.latest("number")


def test_readers_read_it_and_only_rule_owners_change_it(client):
    client.force_login(make_user("ana"))
    text = words(client, "/risk/")
    assert "Version 1" in text
    assert text.count("In force ") >= 2
    assert " Live " not in text
    assert "FATF, call for action" in text
    assert "New version from this" not in text
    assert client.get("/risk/new/").status_code == 403
    assert client.post("/risk/new/", typed()).status_code == 403
    assert client.post("/risk/1/try/").status_code == 403
    assert client.post("/risk/1/live/").status_code == 403
    assert client.get("/risk/9/").status_code == 404


def test_the_form_as_it_is_gives_the_same_policy(owner):
    draft = drafted(owner)
    assert draft.content == POLICY.to_json()
    assert "Nothing." in words(owner, f"/risk/{draft.number}/")


def test_each_kind_of_value_can_be_changed(owner):
    draft = drafted(
        owner,
        weight__geography="70",
        points__product__4829="90",
        points__product__7273="",
        more__product="lottery 95\ncar_dealer: 40",
        band__medium="25",
        days__low="900",
        override__1="prohibited",
        override__5="",
        list__fatf_grey__codes="ao, BA, UK EL",
        list__fatf_grey__as_of="2026-10-23",
        override__new__reason="Lotteries are high.",
        override__new__factor="product",
        override__new__labels="lottery",
        override__new__band="high",
    )
    content = draft.content
    product = content["factors"]["product"]["points"]
    assert content["factors"]["geography"]["weight"] == 70
    assert (product["4829"], product["lottery"], product["car_dealer"]) == (90, 95, 40)
    assert "7273" not in product
    assert content["bands"]["medium"] == 25
    assert content["review_days"]["low"] == 900
    assert content["overrides"][1]["band"] == "prohibited"
    assert len(content["overrides"]) == len(DEFAULT["overrides"])
    assert content["overrides"][-1]["labels"] == ["lottery"]
    assert content["countries"]["fatf_grey"]["codes"] == ["AO", "BA", "GB", "GR"]
    text = words(owner, f"/risk/{draft.number}/")
    assert "Countries: weight</th> <td>50 %</td><td>70 %" in text
    assert "Days to the next review, low</th> <td>1826</td><td>900" in text


def test_nothing_that_is_typed_is_left_out_in_silence(owner):
    labels = [f"label_{number}" for number in range(150)]
    draft = drafted(
        owner,
        list__fatf_grey__codes=" ".join(countries.NAMES),
        more__product="\n".join(f"{label} 100" for label in labels),
    )
    assert len(draft.content["countries"]["fatf_grey"]["codes"]) == len(countries.NAMES)
    assert set(labels) < set(draft.content["factors"]["product"]["points"])


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"band__medium": "60"}, "Medium must begin below high."),
        ({"days__high": "366"}, "Days to the next review of high risk must be"),
        ({"weight__pep": "many"}, "The weight of Political exposure must be"),
        ({"points__pep__none": ""}, "must be a whole number"),
        ({"list__fatf_grey__codes": "Norway"}, "is no code of a country"),
        ({"list__fatf_grey__codes": "AO XX"}, "is no code of a country"),
        ({"note": " "}, "Say what is new"),
        ({"more__product": "\n".join(f"label_{number} 9" for number in range(250))}, "may have 200 more labels"),
        ({"override__new__reason": "x", "override__new__factor": "pep",
          "override__new__labels": "loud", "override__new__band": "high"},
         "names a label that pep has not"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_and_what_was_typed_stays(owner, changes, fault):
    answer = owner.post("/risk/new/", typed(**{"weight__age": "77", **changes}))
    text = answer.content.decode()
    assert answer.status_code == 422
    assert fault in text
    assert 'name="weight.age" value="77"' in text
    assert RiskPolicy.objects.count() == 1


def test_a_version_is_tried_before_it_is_put_in_force(owner):
    case, _ = screened_case(hit())
    assert rated(case).band == "medium"
    draft = drafted(owner, band__medium="10", band__high="20")
    page = f"/risk/{draft.number}/"
    assert "Try it on the cases that there are" in words(owner, page)
    assert owner.post(f"{page}live/").status_code == 422
    assert owner.post(f"{page}try/").status_code == 303
    assert "of 1 cases are rated" in words(owner, page)
    assert owner.post(f"{page}try/").status_code == 422
    tasks.try_policies()
    text = words(owner, page)
    assert "1 case rated from stored inputs" in text
    assert f'href="/cases/{case.pk}/?tab=risk"' in text
    assert "The limits of the bands." in text
    assert words(owner, f"{page}trial/").count("<b>1</b>") == 1
    before = list(CaseRating.objects.values_list("pk", flat=True))
    assert state_of(case).band == "medium"
    assert owner.post(f"{page}live/").status_code == 303
    assert policies.live() == draft
    assert list(CaseRating.objects.values_list("pk", flat=True)) == before
    tasks.rate_again()
    assert state_of(case).band == "high"
    lines = list(CaseEvent.objects.filter(case=None).values_list("what", flat=True))
    for what in (
        "policy_tried",
        "policy_trial_done",
        "setting_changed",
        "policy_followed",
    ):
        assert what in lines
    trail.seal_all()
    faults = [fault for fault in verification.faults() if "riskpolicy" in fault]
    assert faults == []


def test_one_rule_owner_alone_puts_no_policy_in_force_by_default(owner, settings):
    """A policy by which everything is of low risk is the work of two."""
    settings.RULES_ALONE = defaults.RULES_ALONE
    assert frozenset() == settings.SETTINGS_FOUR_EYES
    draft = drafted(owner, band__medium="10")
    owner.post(f"/risk/{draft.number}/try/")
    tasks.try_policies()
    answer = owner.post(f"/risk/{draft.number}/live/")
    assert answer["Location"] == "/approvals/"
    assert policies.live().number == 1
    proposal = Proposal.objects.get()
    assert owner.post(f"/approvals/{proposal.pk}/approve/").status_code in {303, 403}
    assert policies.live().number == 1
    owner.force_login(make_user("otto", role="rule owner"))
    owner.post(f"/approvals/{proposal.pk}/approve/")
    assert policies.live() == draft


def test_what_stands_in_the_way_does_so_at_the_approval_too(owner, settings):
    """The what-if may have been begun again since the proposal."""
    settings.RULES_ALONE = defaults.RULES_ALONE
    draft = drafted(owner, band__medium="10")
    owner.post(f"/risk/{draft.number}/try/")
    tasks.try_policies()
    owner.post(f"/risk/{draft.number}/live/")
    proposal = Proposal.objects.get()
    owner.post(f"/risk/{draft.number}/try/")
    assert PolicyTrial.objects.filter(policy=draft).count() == 2
    owner.force_login(make_user("otto", role="rule owner"))
    text = words(owner, "/approvals/")
    assert "Try it on the cases that there are" in text
    page = owner.post(f"/approvals/{proposal.pk}/approve/", follow=True)
    assert "Try it on the cases that there are" in page.content.decode()
    assert policies.live().number == 1
    tasks.try_policies()
    owner.post(f"/approvals/{proposal.pk}/approve/")
    assert policies.live() == draft


def test_one_rule_owner_alone_removes_no_rule_for_a_second_person(owner, settings):
    settings.RULES_ALONE = defaults.RULES_ALONE
    rule = FourEyesRule.objects.create(name="High risk", condition="always")
    owner.force_login(make_user("oda", role="rule owner", is_staff=True))
    address = f"/admin/reviews/foureyesrule/{rule.pk}/delete/"
    owner.post(address, {"post": "yes"})
    assert FourEyesRule.objects.filter(pk=rule.pk).exists()
    assert Proposal.objects.get().status == "waiting"


def test_a_what_if_against_an_older_version_does_not_do(owner):
    first, second = drafted(owner, band__medium="20"), drafted(owner, band__medium="21")
    for draft in (first, second):
        owner.post(f"/risk/{draft.number}/try/")
        tasks.try_policies()
    owner.post(f"/risk/{first.number}/live/")
    answer = owner.post(f"/risk/{second.number}/live/")
    assert answer.status_code == 422
    assert "Another version is live since it was tried." in answer.content.decode()


def _rated_cases(number: int) -> None:
    policy = policies.live()
    service = Connection.objects.filter(slug="many").first() or make_connection("many")
    for place in range(number):
        case = make_case(service, reference=f"M-{place}")
        inputs = {
            "reading": 1,
            "factors": {"geography": {"values": ["AO"], "sources": {"AO": "x"}}},
        }
        rating = CaseRating.objects.create(
            case=case, policy=policy, inputs=inputs, score=35, band="medium",
            result={"contributions": [{"factor": "geography", "amount": 35}]},
        )  # fmt: skip
        RatingState.objects.create(
            case=case,
            rating=rating,
            policy=policy,
            score=35,
            band="medium",
            due_at=None,
        )


class TestWhatIf:
    def test_a_worker_that_dies_is_continued_where_it_was(self, monkeypatch):
        _rated_cases(7)
        actor = someone("rule owner")
        content = {**DEFAULT, "bands": {"medium": 36, "high": 60}}
        draft = policies.draft(actor=actor, content=content, note="x")
        trial = trials.begin(draft, actor=actor)
        monkeypatch.setattr(trials, "CHUNK", 2)
        rate, calls = trials.by_policy, []

        def die_later(*values: Any) -> Any:
            calls.append(values)
            if len(calls) == 4:
                raise KeyboardInterrupt
            return rate(*values)

        with monkeypatch.context() as patch:
            patch.setattr(trials, "by_policy", die_later)
            with pytest.raises(KeyboardInterrupt):
                tasks.try_policies()
        trial.refresh_from_db()
        assert trial.done == 2
        PolicyTrial.objects.update(leased_until=None)
        tasks.try_policies()
        trial.refresh_from_db()
        assert (trial.status, trial.done) == ("done", 7)
        assert trial.counts == {"medium": {"low": 7}}
        assert trial.changes.count() == 7

    def test_other_work_comes_between_its_parts(self, monkeypatch, owner):
        _rated_cases(7)
        draft = drafted(owner, band__medium="36")
        owner.post(f"/risk/{draft.number}/try/")
        monkeypatch.setattr(trials, "CHUNK", 2)
        monkeypatch.setattr(parts, "PART_SECONDS", 0)
        tasks.try_policies()
        assert "2 of 7 cases are rated" in words(owner, f"/risk/{draft.number}/trial/")
        # It is due at once, also for another worker.
        assert tasks.TRIALS.is_due()
        while tasks.TRIALS.is_due():
            tasks.try_policies()
        trial = PolicyTrial.objects.get()
        assert (trial.status, trial.done, trial.due_at) == ("done", 7, None)
        assert trial.counts == {"medium": {"low": 7}}

    def test_it_writes_to_no_row_of_a_case(self):
        _rated_cases(3)
        actor = someone("rule owner")
        draft = policies.draft(actor=actor, content=DEFAULT, note="x")
        trials.begin(draft, actor=actor)
        with CaptureQueriesContext(connection) as context:
            tasks.try_policies()
        rows = [
            query["sql"].split('"')[1]
            for query in context
            if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))
        ]
        allowed = {
            PolicyTrial._meta.db_table, TrialChange._meta.db_table,
            "reviews_caseevent", "reviews_unsealed", "reviews_chain",
        }  # fmt: skip
        assert set(rows) <= allowed
        assert PolicyTrial._meta.db_table in rows

    def test_it_says_why_each_case_changes(self, owner):
        _rated_cases(1)
        draft = drafted(owner, weight__geography="0")
        owner.post(f"/risk/{draft.number}/try/")
        tasks.try_policies()
        text = words(owner, f"/risk/{draft.number}/")
        # From right to left, too, the points before come first.
        assert 'Countries: <bdi dir="ltr">35 → 0</bdi>' in text

    def test_cases_of_other_teams_are_counted_and_not_named(self, owner):
        _rated_cases(2)
        team = Team.objects.create(name="Others")
        team.connections.add(Connection.objects.get(slug="many"))
        draft = drafted(owner, weight__geography="0")
        owner.post(f"/risk/{draft.number}/try/")
        tasks.try_policies()
        text = words(owner, f"/risk/{draft.number}/")
        assert "M-1" not in text
        assert "2 more are cases of other teams" in text

    def test_inputs_that_cannot_be_read_are_counted_apart(self, owner):
        _rated_cases(2)
        rating = CaseRating.objects.first()
        assert rating is not None
        rating.inputs = {"reading": "x"}
        rating.save()
        draft = drafted(owner)
        owner.post(f"/risk/{draft.number}/try/")
        tasks.try_policies()
        assert "The inputs of 1 cannot be read" in words(
            owner, f"/risk/{draft.number}/"
        )

    def test_a_case_that_always_raises_does_not_keep_it_running(
        self, owner, monkeypatch
    ):
        _rated_cases(4)
        draft = drafted(owner, weight__geography="0")
        by_policy = trials.by_policy

        def faulty(rating, policy):
            if rating.case.reference == "M-2":
                raise ZeroDivisionError
            return by_policy(rating, policy)

        monkeypatch.setattr(trials, "by_policy", faulty)
        owner.post(f"/risk/{draft.number}/try/")
        for _ in range(parts.MOST_FAILURES + 1):
            PolicyTrial.objects.exclude(due_at=None).update(due_at=None)
            PolicyTrial.objects.filter(status="running").update(due_at=Now())
            tasks.try_policies()
        trial = PolicyTrial.objects.get()
        assert (trial.status, trial.done) == ("done", 4)
        assert trial.counts["medium"] == {"low": 3}
        text = words(owner, f"/risk/{draft.number}/")
        assert "and are in no figure: 1." in text
        assert text.count(">M-2</a>") == 1
        line = CaseEvent.objects.get(what="policy_trial_done")
        assert line.data["counts"]["not_tried"] == 1

    def test_the_changes_are_paged(self, owner, monkeypatch):
        from reviews.pages.risk import policy

        monkeypatch.setattr(policy, "PAGE", 2)
        _rated_cases(5)
        draft = drafted(owner, weight__geography="0")
        owner.post(f"/risk/{draft.number}/try/")
        tasks.try_policies()
        rows = []
        address = f"/risk/{draft.number}/"
        for _ in range(3):
            text = words(owner, address)
            rows += [n for n in range(5) if f">M-{n}</a>" in text]
            after = text.partition("?after=")[2].partition('"')[0]
            address = f"/risk/{draft.number}/?after={after}"
        assert rows == [0, 1, 2, 3, 4]
