"""Two usual words that differ by a letter make two companies; a slip and another ending make none."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.screening import engine
from checks.screening.matching import scoring
from checks.screening.matching.parts import frequent_words
from checks.screening.policy import DEFAULT


def score(first: str, second: str, schema: str = "Organization") -> float:
    return engine.compare(first, second, schema=schema)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Korbut Export SA", "Korbut Expert SA"),
        ("Eastern Tallow Services", "Western Tallow Services"),
        ("Korbut Motors LLC", "Korbut Meters LLC"),
        ("National Iran Company", "National Iraq Company"),
        ("Osprey Energy Austria", "Osprey Energy Australia"),
        ("Tallow Sugar Mills", "Tallow Super Mills"),
    ],
)
def test_two_usual_words_are_no_hit_by_themselves(first: str, second: str) -> None:
    for query, entry in ((first, second), (second, first)):
        assert score(query, entry) < DEFAULT.possible_company


def test_a_vessel_of_another_word_is_another_vessel() -> None:
    assert score("Wind Rose", "Wine Rose", "Vessel") < DEFAULT.possible_company


def test_the_alignment_tells_why() -> None:
    result = engine.explain(
        "Korbut Export SA", "Korbut Expert SA", schema="Organization"
    )
    hows = {pair.query: pair.how for pair in result.pairs}
    assert hows["export"] == scoring.OTHER_WORD


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # A slip makes no other word.
        ("Korbut Exporr SA", "Korbut Export SA"),
        # A letter left out or swapped, and another ending, are no other company.
        ("Korbut Motor LLC", "Korbut Motors LLC"),
        ("Tallow Industry Corp", "Tallow Industries Corp"),
        ("Osprey Centre Ltd", "Osprey Center Ltd"),
        ("Osprey Trust Fund", "Osprey Tust Fund"),
        # Two names of one place.
        ("Korbut Teheran Works", "Korbut Tehran Works"),
        ("Korbut Kiev Works", "Korbut Kyiv Works"),
        ("Bank of Peking Tallow", "Bank of Beijing Tallow"),
        ("Wien Tallow GmbH", "Vienna Tallow GmbH"),
    ],
)
def test_slips_endings_and_names_of_one_place_are_hits(first: str, second: str) -> None:
    for query, entry in ((first, second), (second, first)):
        assert score(query, entry) >= DEFAULT.possible_company


def test_the_order_of_two_words_does_not_matter() -> None:
    words = ["export", "expert", "eastern", "western", "trust", "crust", "iran", "iraq"]
    for a in words:
        for b in words:
            assert frequent_words.are_two(a, b) == frequent_words.are_two(b, a)


def test_the_table_has_each_word_once() -> None:
    words: list[str] = []
    for row in table("frequent_words"):
        for word in row["words"].split():
            assert word.startswith(row["begins"])
            words.append(word)
    assert len(set(words)) == len(words)
