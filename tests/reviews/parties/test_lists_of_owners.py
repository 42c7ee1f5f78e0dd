"""Several members of the data of a case that name the same owner."""

from __future__ import annotations

import pytest

from ownership.shares import Interval
from reviews.access import roles
from reviews.parties import structure, visibility
from tests.factories import make_agent, make_connection
from tests.reviews.parties.test_merging import submit
from tests.reviews.rows import someone

pytestmark = pytest.mark.django_db
HOLDING = {"business_name": "Tallow Holding Ltd", "lei": "529900T8BM49AURSDO55"}


def share_of(**data: object) -> Interval | None:
    case = submit(make_agent(make_connection()), 1, **data)
    head = visibility.subject_of(case)
    assert head is not None
    [edge] = structure.around(someone(roles.ANALYST), head).edges
    return edge.share


def owner(percentage: object) -> dict[str, object]:
    return {**HOLDING, "percentage": percentage}


def test_what_two_lists_state_counts_once():
    share = share_of(owners=[owner(60)], shareholders=[owner(60)])
    assert share == Interval.exactly("3/5")


def test_where_two_lists_differ_it_may_be_either_or_both():
    share = share_of(owners=[owner(30)], shareholders=[owner(20)])
    assert share == Interval.of("1/5", "1/2")


def test_the_lines_of_one_list_are_added_up():
    assert share_of(owners=[owner(30), owner(20)]) == Interval.exactly("1/2")


def test_a_band_of_a_register_beside_an_exact_share():
    share = share_of(owners=[owner(60)], beneficial_owners=[owner("50-75 %")])
    assert share == Interval.of("1/2", 1)
