"""Owners in the results of a document are shown as people write them, without places and methods."""

from __future__ import annotations

import pytest

from reviews.results import views

OWNERS = [
    {
        "name": "Ann Lee",
        "percentage": 60.0,
        "shares": 600,
        "how": "row of a table",
        "confidence": 0.9,
        "boxes": [{"page": 1, "x0": 0.1, "y0": 0.2, "x1": 0.3, "y1": 0.4}],
    },
    {"name": "Mid GmbH", "percentage": 12.5, "boxes": []},
]
WORDS = "Ann Lee, 60 %; Mid GmbH, 12.5 %"


def test_a_list_of_owners_is_names_and_shares():
    (row,) = views.extraction({"owners": OWNERS}, {}).rows
    assert row.extracted == WORDS


def test_a_candidate_has_no_boxes_in_its_words():
    """C-10069 of the demonstration had all corners of the boxes in this row."""
    evidence = {"owners": {"candidates": [{"value": OWNERS, "boxes": []}]}}
    data = {"owners": None, "unsure": ["owners"], "evidence": evidence}
    (row,) = views.extraction(data, {}).rows
    assert [candidate.value for candidate in row.candidates] == [WORDS]


def test_what_the_service_compared_is_shown_in_the_same_words():
    item = {
        "field": "owners", "attested": OWNERS, "extracted": OWNERS, "state": "match"
    }  # fmt: skip
    (row,) = views.extraction({"comparisons": [item]}, {}).rows
    assert (row.attested, row.extracted) == (WORDS, WORDS)


def test_owners_of_owners_stand_in_brackets():
    attested = [
        {
            "business_name": "Mid GmbH",
            "ownership_percentage": "75%",
            "owners": [{"full_name": "Ann Lee", "percentage": 80}],
        }
    ]
    (row,) = views.extraction({"owners": OWNERS}, {"owners": attested}).rows
    assert row.attested == "Mid GmbH, 75 % (Ann Lee, 80 %)"


@pytest.mark.parametrize(
    "value",
    [[{"name": ["x"], "percentage": {}}], [None, 1], {"a": [OWNERS]}, [[OWNERS]]],
)
def test_whatever_was_sent_is_survived(value):
    views.extraction({"owners": value}, {"owners": value})


def test_a_structure_without_an_end_is_cut():
    owner: dict[str, object] = {"name": "Deep Ltd", "percentage": 1}
    for _ in range(50):
        owner = {"name": "Deep Ltd", "percentage": 1, "owners": [owner]}
    (row,) = views.extraction({"owners": [owner]}, {}).rows
    assert row.extracted.count("Deep Ltd") == views.MOST_LEVELS + 1
