"""The engine of ratings: the same inputs and policy give the same rating, and each point has a name."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.factors import FACTORS, UNKNOWN
from reviews.risk.engine.inputs import Inputs, InputsError, Value
from reviews.risk.engine.policy import BANDS, LONGEST_REVIEW, Policy, PolicyError
from reviews.risk.engine.rating import rate

POLICY = Policy.from_json(DEFAULT)
CODES = ("IR", "KP", "BG", "DE", "FR", "SY", "US", "XX")


def _values_of(name: str) -> st.SearchStrategy[Value]:
    labels = st.sampled_from(CODES)
    if name != "geography":
        labels = st.sampled_from([*FACTORS[name].labels, "7995", "strange"])
    values = st.lists(labels, max_size=4)
    return values.map(lambda items: Value(items, dict.fromkeys(items, "attested")))


INPUTS = st.fixed_dictionaries(
    {}, optional={name: _values_of(name) for name in FACTORS}
).map(Inputs)


@st.composite
def policies(draw: st.DrawFn) -> Policy:
    content = copy.deepcopy(DEFAULT)
    for rule in content["factors"].values():
        rule["weight"] = draw(st.integers(0, 100))
        for label in rule["points"]:
            rule["points"][label] = draw(st.integers(0, 100))
    content["bands"]["medium"] = draw(st.integers(1, 98))
    content["bands"]["high"] = draw(st.integers(content["bands"]["medium"] + 1, 100))
    return Policy.from_json(content)


@settings(max_examples=200, deadline=None)
@given(INPUTS, policies())
def test_what_is_stored_gives_the_same_bytes_again(inputs, policy):
    first = json.dumps(rate(inputs, policy).to_json())
    stored = json.loads(json.dumps([inputs.to_json(), policy.to_json()]))
    again = rate(Inputs.from_json(stored[0]), Policy.from_json(stored[1]))
    assert json.dumps(again.to_json()) == first


@settings(max_examples=200, deadline=None)
@given(INPUTS, policies())
def test_each_point_has_a_name_and_no_override_lowers(inputs, policy):
    rating = rate(inputs, policy)
    total = sum(row.amount for row in rating.contributions)
    assert rating.score == min(100, total)
    assert 0 <= rating.score <= 100
    assert rating.band_of_score == policy.band_of(rating.score)
    assert BANDS.index(rating.band) >= BANDS.index(rating.band_of_score)
    assert [row.factor for row in rating.contributions] == [
        name for name in FACTORS if name in inputs.values
    ]
    assert bool(rating.overrides) or rating.band == rating.band_of_score


@settings(max_examples=100, deadline=None)
@given(INPUTS, policies(), st.randoms(use_true_random=False))
def test_the_order_of_values_changes_nothing(inputs, policy, random):
    shuffled = {}
    for name in random.sample(sorted(inputs.values), len(inputs.values)):
        value = inputs.values[name]
        items = random.sample(list(value.values), len(value.values))
        shuffled[name] = Value(items, value.sources)
    assert rate(Inputs(shuffled), policy) == rate(inputs, policy)


@settings(max_examples=100, deadline=None)
@given(INPUTS, policies(), st.sampled_from(sorted(FACTORS)), st.integers(0, 100))
def test_a_greater_weight_never_lowers_the_score(inputs, policy, name, weight):
    content = policy.to_json()
    content["factors"][name]["weight"] = max(weight, content["factors"][name]["weight"])
    assert rate(inputs, Policy.from_json(content)).score >= rate(inputs, policy).score


@given(INPUTS)
def test_a_factor_without_a_value_is_said_to_be_unknown(inputs):
    rating = rate(inputs, POLICY)
    for name, value in inputs.values.items():
        if value.is_unknown:
            assert FACTORS[name].title in rating.unknown
    assert len(rating.unknown) == sum(row.is_unknown for row in rating.contributions)


@pytest.mark.parametrize(
    ("factor", "value", "band"),
    [
        ("sanctions", "confirmed", "prohibited"),
        ("sanctions", "strong", "high"),
        ("pep", "confirmed", "high"),
        ("geography", "IR", "high"),
        ("structure", "opaque", "high"),
        ("documents", "forged", "high"),
        ("sanctions", "possible", "medium"),
        ("channel", "interface", "low"),
        ("geography", "DE", "low"),
    ],
)
def test_the_default_policy_holds_the_bands_that_the_law_expects(factor, value, band):
    rating = rate(Inputs({factor: Value([value])}), POLICY)
    assert rating.band == band


def test_a_contribution_names_the_list_the_country_and_the_place():
    value = Value(["IR", "DE"], {"IR": "nationality", "DE": "residence"})
    rating = rate(Inputs({"geography": value}), POLICY)
    assert rating.contributions[0].words == "FATF, call for action: IR (nationality)"
    assert rating.overrides == ["A country on the black list of FATF."]


def _changed(**changes: Any) -> dict[str, Any]:
    return {**copy.deepcopy(DEFAULT), **changes}


def test_a_policy_with_faults_is_refused_with_all_of_them():
    content = _changed(bands={"medium": 60, "high": 30})
    content["factors"]["age"]["weight"] = 101
    content["factors"]["pep"]["points"]["confirmed"] = True
    content["factors"]["magic"] = {}
    content["countries"]["fatf_grey"]["codes"].append("Iran")
    content["review_days"]["high"] = 366
    content["overrides"][0]["labels"] = ["nobody"]
    with pytest.raises(PolicyError) as refusal:
        Policy.from_json(content)
    words = str(refusal.value)
    for fault in ("magic", "Age of the company", "Political exposure", "Medium must",
                  "Iran", "365", "Override 1"):  # fmt: skip
        assert fault in words
    assert len(refusal.value.faults) == 7


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(JSON, st.sampled_from(sorted(DEFAULT)))
def test_anything_else_is_refused_and_raises_nothing_else(junk, member):
    with pytest.raises(PolicyError):
        Policy.from_json(junk)
    content = _changed(**{member: junk})
    if junk not in ({}, []):
        with pytest.raises(PolicyError):
            Policy.from_json(content)
    with pytest.raises(InputsError):
        Inputs.from_json(junk)


def test_no_policy_allows_a_later_review_than_the_law():
    assert LONGEST_REVIEW["high"] <= 365
    assert max(LONGEST_REVIEW.values()) <= 1826
    for band, days in POLICY.review_days.items():
        assert days <= LONGEST_REVIEW[band]


def test_the_default_policy_names_every_label():
    for name, rule in POLICY.factors.items():
        assert UNKNOWN in rule.points
        assert set(FACTORS[name].labels) <= set(rule.points)
