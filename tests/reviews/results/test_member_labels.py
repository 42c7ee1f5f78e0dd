"""Names of members as labels, whoever wrote them."""

from __future__ import annotations

import pytest

from reviews.results import label


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("incorporation_date", "Incorporation date"),
        ("incorporationDate", "Incorporation date"),
        ("EINNumber", "EIN number"),
        ("vendorURL", "Vendor URL"),
        ("TIN_NUMBER", "TIN number"),
        # A field that a rule owner named: its currency stays one word.
        ("Expected volume a month, EUR", "Expected volume a month, EUR"),
    ],
)
def test_capitals_in_a_row_are_one_word(name, expected):
    assert label(name) == expected
