"""Words that stand for several words of the other name, and words that are too many."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.policy import DEFAULT
from checks.screening.records import Entity, ListedName, ListVersion, Subject

HIT = DEFAULT.possible_person


@pytest.mark.parametrize(
    "name",
    [
        "Haji Abdlu Satar",
        "Abdlu Satar Barakzai",
        "Adbul Satar Barakzai",
        "Abduk Satar Barakzai",
        "Abdoul Satar Barakzai",
        "Abddul Satar Barakzai",
        "Abdus Sattar Barakzai",
    ],
)
def test_abdul_may_have_a_slip_in_it(name):
    assert engine.compare(name, "Abdul Satar Barakzai") >= HIT


def test_a_listed_name_is_found_by_abdul_with_a_slip():
    """Not only compared: the blocking keys lead to it, too."""
    others = [f"Karim Person{number}" for number in range(30)]
    listed = [
        ["Haji Abdul Satar Barakzai", "Abdul Satar"],
        *([name] for name in others),
    ]
    entities = []
    for number, texts in enumerate(listed):
        rows = [ListedName(text) for text in texts]
        entities.append(Entity(str(number), "Person", rows, topics=["sanction"]))
    lists = MemoryLists.of(
        entities, ListVersion("x", "X", 1, "", "", "", len(entities))
    )
    hits = engine.screen(Subject(["Haji Abdlu Satar"]), lists).alerts
    assert [match.entry.entity.id for match in hits] == ["0"]


@pytest.mark.parametrize("name", ["Abdu Satar", "Abdulla Satar", "Abel Satar"])
def test_names_like_abdul_are_names(name):
    assert engine.compare(name, "Abdul Satar") < engine.compare(
        "Abdlu Satar", "Abdul Satar"
    )


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Pieter van der Merwe", "Vandermerwe Pieter"),
        ("Pieter Vandermerwe", "Van der Merwe, Pieter"),
        ("Rosa Delossantos", "Rosa de los Santos"),
    ],
)
def test_particles_may_be_written_with_their_name(query, listed):
    assert engine.compare(query, listed) >= DEFAULT.strong


def test_initials_may_be_written_together():
    apart = engine.compare("T. J. Holloway", "Thomas James Holloway")
    assert engine.compare("TJ Holloway", "Thomas James Holloway") == apart >= HIT
    assert engine.compare("Thomas James Holloway", "TJ Holloway") == apart


@pytest.mark.parametrize("word", ["TK", "Ng", "Li", "J"])
def test_other_short_words_are_no_initials(word):
    assert engine.compare(f"{word} Holloway", "Thomas James Holloway") < HIT
    assert engine.compare(f"{word} Holloway", "Nils Gustav Holloway") < HIT


def test_an_acronym_is_like_its_words_and_no_hit_alone():
    score = engine.compare("NSF", "Northern Shipping Fleet", schema="Organization")
    assert DEFAULT.weak > score > 0.6
    other = engine.compare("NSG", "Northern Shipping Fleet", schema="Organization")
    assert other < 0.3


def test_each_further_name_too_many_says_less_than_the_first():
    listed = "Teodor Korbutsky"
    scores = [
        engine.compare(name, listed)
        for name in (
            "Teodor Ivan Korbutsky",
            "Teodor Ivan Maria Korbutsky",
            "Teodor Ivan Maria Anton Korbutsky",
        )
    ]
    first, second, third = (a - b for a, b in zip([1.0, *scores], scores, strict=False))
    assert first > second > third > 0
    # No hit of its own: the result is inconclusive where the name has all words of a listed one.
    assert scores[0] < HIT
