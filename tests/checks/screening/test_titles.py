"""A word that may be a title and a name: its place and the rest of the name tell which it is."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.matching import names
from checks.screening.policy import DEFAULT


def score(first: str, second: str) -> float:
    return engine.compare(first, second, schema="Person")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tom Lord", "Tom Ford"),
        ("Tom Lord", "Tom Cord"),
        ("Judith Dame", "Judith Dale"),
        ("Nadia Lady", "Nadia Lacy"),
        ("Rose General", "Rose Gerard"),
        ("Ana Dona", "Ana Mona"),
        ("Pan Wei", "Tan Wei"),
        ("Wei Pan", "Wei Tan"),
        ("Pan Wei Ming", "Wang Wei Ming"),
        ("Naeem Sheikh", "Naeem Malik"),
        ("Imran Syed", "Imran Saleh"),
        ("Khalid Haji", "Khalid Hani"),
        ("Le Minh Duc", "Do Minh Duc"),
        ("Van Morrison", "Ian Morrison"),
        ("Du Yuesheng", "Di Yuesheng"),
        ("أحمد سيد", "Ahmed Salem"),
    ],
)
def test_a_title_that_is_the_name_tells_two_people_apart(
    first: str, second: str
) -> None:
    assert score(first, second) < DEFAULT.possible_person
    assert score(second, first) < DEFAULT.possible_person


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Tom Lord", "Thomas Lord"),
        ("Tom Lord", "Lord Tom"),
        ("Lord Thomas Hartwell", "Thomas Hartwell"),
        ("Don Pedro Villalonga", "Pedro Villalonga"),
        ("Don Carter", "Donald Carter"),
        ("Pan Jan Kowalewski", "Jan Kowalewski"),
        ("Maj. Gen. Peter Kinsella", "Peter Kinsella"),
        ("John Ridgeway Mr", "John Ridgeway"),
        ("Naeem Sheikh", "Naeem Shaikh"),
        ("Sheikh Naeem", "Naeem Sheikh"),
        ("Sheikh Omar Bakoush", "Omar Bakoush Sheikh"),
        ("Hassan Sheikh Mohamud", "Hassan Mohamud"),
        ("Ahmed Sayed", "Ahmad Sayyid"),
        ("Prince Faisal Al Thunayan", "Faisal Al Thunayan"),
        ("Mehmet Bey Karaoglu", "Mehmet Karaoglu"),
        ("Ben Carter", "Ben Karter"),
        ("Le Minh Duc", "Duc Minh Le"),
        ("Francesco De Luca", "De Luca Francesco"),
        ("أحمد سيد", "Ahmed Sayed"),
    ],
)
def test_a_title_is_one_before_enough_names(first: str, second: str) -> None:
    assert score(first, second) >= DEFAULT.possible_person
    assert score(second, first) >= DEFAULT.possible_person


def test_a_given_name_that_is_a_title_elsewhere_is_found() -> None:
    assert score("Prince Okafor", "Prince Okafor Charles") >= DEFAULT.possible_person


@pytest.mark.parametrize(
    ("text", "words", "titles"),
    [
        ("Tom Lord", ("tom", "lord"), ()),
        ("Lord Tom Hartwell", ("tom", "hartwell"), ("lord",)),
        ("Lord Tom", ("lord", "tom"), ()),
        ("Lord J. Hartwell", ("lord", "j", "hartwell"), ()),
        ("Mullah Omar", ("omar",), ("mullah",)),
        ("Dr. Omar Prof", ("omar",), ("dr", "prof")),
        ("Sheikh", ("sheikh",), ()),
    ],
)
def test_the_words_and_titles_of_a_name(
    text: str, words: tuple[str, ...], titles: tuple[str, ...]
) -> None:
    name = names.parse(text, person=True)
    assert name.tokens == words
    assert name.titles == titles
