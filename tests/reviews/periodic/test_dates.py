"""The date of a review from its facts alone."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reviews.periodic.dates import DAYS_AFTER_RELATION, Facts, review_date
from reviews.risk.engine.default import DEFAULT
from reviews.risk.engine.policy import BANDS, LONGEST_REVIEW, Policy

DAY = date(2026, 3, 1)
days = st.dates(date(2020, 1, 1), date(2035, 1, 1))
several = st.lists(days, max_size=5)
facts = st.builds(
    Facts,
    approved_on=days,
    interval=st.integers(1, 1826),
    expiries=several,
    relations=several,
    alarms=several,
)


@pytest.mark.parametrize("band", BANDS)
def test_the_first_policy_is_within_the_law(band):
    policy = Policy.from_json(DEFAULT)
    interval = policy.review_days[band]
    on, reason = review_date(Facts(DAY, interval))
    assert reason == "band"
    assert (on - DAY).days <= LONGEST_REVIEW[band]
    assert LONGEST_REVIEW[band] <= (365 if band in {"high", "prohibited"} else 1826)


def test_what_makes_it_earlier():
    assert review_date(Facts(DAY, 365, expiries=[date(2026, 5, 1)])) == (
        date(2026, 5, 1),
        "document",
    )
    # It had expired when people approved.
    assert review_date(Facts(DAY, 365, expiries=[date(2026, 1, 1)]))[1] == "band"
    relation = date(2026, 6, 1)
    after = relation + timedelta(days=DAYS_AFTER_RELATION)
    assert review_date(Facts(DAY, 365, relations=[relation])) == (after, "relation")
    assert review_date(Facts(DAY, 365, alarms=[date(2026, 4, 1)])) == (
        date(2026, 4, 1),
        "alarm",
    )


@settings(max_examples=2_000, deadline=None)
@given(facts)
def test_it_is_never_later_than_any_of_its_reasons(each):
    on, _ = review_date(each)
    assert on <= each.approved_on + timedelta(days=each.interval)
    for day in each.expiries:
        assert on <= day or day <= each.approved_on
    for day in each.relations:
        assert on <= day + timedelta(days=DAYS_AFTER_RELATION)
    for day in each.alarms:
        assert on <= day


@settings(max_examples=500, deadline=None)
@given(facts, days)
def test_news_never_make_it_later(each, day):
    on, _ = review_date(each)
    for name in ("expiries", "relations", "alarms"):
        more = {name: [*getattr(each, name), day]}
        changed = Facts(
            each.approved_on,
            each.interval,
            **{
                "expiries": each.expiries,
                "relations": each.relations,
                "alarms": each.alarms,
                **more,
            },
        )
        assert review_date(changed)[0] <= on


def test_at_the_end_of_the_calendar_it_is_the_last_day():
    assert review_date(Facts(date.max, 365))[0] == date.max
