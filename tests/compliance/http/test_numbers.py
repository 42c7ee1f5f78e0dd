"""Numbers that others send as text."""

from __future__ import annotations

import pytest

from compliance.http import numbers


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("17", 17),
        ("007", 7),
        ("9" * 18, 999_999_999_999_999_999),
        ("9" * 19, None),
        ("", None),
        (None, None),
        (" 1", None),
        ("-1", None),
        ("+1", None),
        ("1_0", None),
        ("1.0", None),
        ("²", None),
        ("٣", None),
        ("१", None),
    ],
)
def test_only_digits_from_0_to_9_are_a_number(text, number) -> None:
    assert numbers.parse(text) == number


def test_more_digits_than_were_asked_for_are_no_number() -> None:
    assert numbers.parse("123", digits=3) == 123
    assert numbers.parse("1234", digits=3) is None
