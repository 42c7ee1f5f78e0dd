"""What a business says that it does not do, and what only looks like it."""

from __future__ import annotations

import pytest

from checks.attested import denials, tunables
from checks.subject_data import risk


@pytest.mark.parametrize(
    "text",
    [
        "No limit casino",
        "No deposit bonus casino",
        "There is no better casino in town",
        "No other casino pays more",
        "Never miss our casino",
    ],
)
def test_a_business_without_a_condition_is_offered(text):
    assert [row[3] for row in risk._lines(text)] == [False]


@pytest.mark.parametrize("text", ["We do not run a casino", "Hotel without a casino"])
def test_a_business_that_is_denied(text):
    assert [row[3] for row in risk._lines(text)] == [True]


def test_of_very_many_denials_few_are_read(monkeypatch):
    read = []
    real = denials.is_denied

    def counted(text, start, end, *, beyond_commas):
        read.append(start)
        return real(text, start, end, beyond_commas=beyond_commas)

    monkeypatch.setattr(denials, "is_denied", counted)
    [row] = risk._lines("no casino " * 500)
    # A person looks at it.
    assert not row[3]
    assert len(read) == tunables.MOST_DENIALS
