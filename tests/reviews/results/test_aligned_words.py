"""Which words of two pages are the same, and which differ."""

from __future__ import annotations

import pytest

from reviews.results.details import aligned_words
from reviews.results.details.aligned_words import align

HERE = "Certificate of Halcyon Foods Inc. filed on 4 May 2021 in the State of Delaware"
THERE = "Certificate of Brook LLC filed on 9 June 2022 in the State of Delaware"


def runs(left: str, right: str) -> list[tuple[str, str]]:
    first, second = left.split(), right.split()
    return [
        (
            " ".join(first[index] for index in stretch.left),
            " ".join(second[index] for index in stretch.right),
        )
        for stretch in align(first, second).stretches
    ]


def test_what_differs_stands_beside_what_is_there_instead():
    assert runs(HERE, THERE) == [
        ("Halcyon Foods Inc.", "Brook LLC"),
        ("4 May 2021", "9 June 2022"),
    ]
    assert align(HERE.split(), THERE.split()).common == 9


def test_equal_pages_and_empty_ones():
    assert runs(HERE, HERE.upper()) == []
    assert runs(HERE, "") == [(HERE, "")]
    assert runs("", "") == []


def test_a_word_that_is_missing_or_repeated():
    assert runs("a b c d", "a c d") == [("b", "")]
    assert runs("pay pay now", "pay now") == [("pay", "")]


def test_another_order_is_no_difference():
    left = "one two three four five six Halcyon"
    right = "four five six one two three Brook"
    assert runs(left, right) == [("Halcyon", "Brook")]


# Pages of few different words, for which difflib alone would take minutes.
FEW = [f"w{index * index % 7}" for index in range(2_000)]
OTHER_FEW = [f"w{index * index % 11 % 7}" for index in range(2_000)]


@pytest.mark.parametrize(
    ("left", "right"),
    [(HERE.split() * 40, ([*THERE.split(), "more"]) * 35), (FEW, OTHER_FEW)],
)
def test_every_word_counts_once(left, right):
    """Common words and differing ones make up each page."""
    found = align(left, right)
    for place, words in enumerate((left, right)):
        indexes = [index for one in found.stretches for index in one[place]]
        assert len(set(indexes)) == len(indexes)
        assert found.common + len(indexes) == len(words)


def test_numbers_of_both_pages():
    left = ["No.", "6311204", "of", "2021,", "file", "19-8812", "and", "6311204"]
    right = ["No.", "6,311,204", "of", "2021,", "file", "19-8813"]
    assert aligned_words.common_numbers(left, right) == ["6311204"]


def test_round_amounts_are_no_numbers_of_a_subject():
    words = ["10,000,000", "shares,", "$0.0001,", "2015-00123456"]
    assert aligned_words.common_numbers(words, words) == ["2015-00123456"]
