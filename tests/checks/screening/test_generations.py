"""Father and son by the suffix of their names are a hit, and no strong one."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.policy import DEFAULT


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Teodor Korbutsky Jr", "Teodor Korbutsky Sr."),
        ("Teodor Korbutsky II", "Teodor Korbutsky IV"),
        ("Korbutsky Teodor III", "Teodor Korbutsky Jr."),
    ],
)
def test_another_suffix_is_no_strong_hit(first: str, second: str) -> None:
    for query, entry in ((first, second), (second, first)):
        result = engine.explain(query, entry)
        assert DEFAULT.possible_person <= result.score < DEFAULT.strong
        missing = {pair.query or pair.entry for pair in result.pairs if not pair.score}
        assert len(missing) == 2, "both suffixes are shown"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Teodor Korbutsky Jr", "Teodor Korbutsky Jr."),
        ("Teodor Korbutsky Jr", "Teodor Korbutsky"),
        ("Teodor Korbutsky", "Teodor Korbutsky III"),
        ("Dr Teodor Korbutsky", "Sheikh Teodor Korbutsky"),
    ],
)
def test_the_same_suffix_and_none_are_strong(first: str, second: str) -> None:
    assert engine.compare(first, second) >= DEFAULT.strong
