"""Two names of many people that differ by a letter are two names, and spellings of one name are one."""

from __future__ import annotations

import pytest

from checks.data import table
from checks.screening import engine
from checks.screening.matching.parts import frequent_names
from checks.screening.policy import DEFAULT


def score(first: str, second: str) -> float:
    return engine.compare(first, second, schema="Person")


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Susan Barker", "Susan Parker"),
        ("Evan Hernandez", "Ivan Hernandez"),
        ("Lars Hansen", "Lars Jansen"),
        ("Marvin Gray", "Martin Gray"),
        ("Kevin Johnson", "Kevin Johnston"),
        ("Michael Hill", "Michael Hall"),
        ("Juan Herrera", "Juan Herrero"),
        ("Francis Doyle", "Frances Doyle"),
        ("Michel Roussel", "Michèle Roussel"),
        ("Renée Lambert", "René Lambert"),
        ("Peter Alan Barker Hayes", "Peter Alan Parker Hayes"),
    ],
)
def test_two_frequent_names_are_no_hit_by_themselves(first: str, second: str) -> None:
    """They are weak: with the same day of birth they are a hit."""
    for query, entry in ((first, second), (second, first)):
        assert DEFAULT.weak <= score(query, entry) < DEFAULT.possible_person


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Mohamed Hussein", "Muhammad Husayn"),
        ("Aleksandr Volkov", "Alexander Volkov"),
        ("Yousef Haddad", "Youssef Haddad"),
        ("Christian Moeller", "Kristian Moeller"),
        ("Tiago Ferreira", "Thiago Ferreira"),
        ("Luis Ferreira", "Luiz Ferreira"),
        ("David Thomson", "David Thompson"),
        ("Robert Stevens", "Robert Steven"),
        ("Herman Gref", "German Gref"),
        ("Xavier Giménez", "Xavier Jimenez"),
        ("Valery Bolotov", "Valeriy Bolotov"),
        ("Natalia Budarina", "Natalja Budarina"),
        ("Md Rafiqul Islam", "Mohammad Rafiqul Islam"),
        ("Nasrallah Haddad", "Nasrollah Haddad"),
        # A letter left out is a usual slip, although Anessa is a name, too.
        ("Anessa Vandermeer", "Vanessa Vandermeer"),
        # A slip in a name that few people have.
        ("Susan Barkenvold", "Susan Parkenvold"),
    ],
)
def test_spellings_of_a_name_and_slips_are_hits(first: str, second: str) -> None:
    assert score(first, second) >= DEFAULT.possible_person
    assert score(second, first) >= DEFAULT.possible_person


def test_one_syllable_in_two_romanisations_is_one_name() -> None:
    assert not frequent_names.are_two("chang", "zhang")
    assert not frequent_names.are_two("jung", "chung")
    assert frequent_names.are_two("chen", "cheng")


def test_companies_of_two_families_are_two() -> None:
    names = "Jansen Transport BV", "Hansen Transport BV"
    assert engine.compare(*names, schema="Organization") < DEFAULT.possible_company


def test_the_table_has_each_name_once() -> None:
    rows = table("frequent_names")
    assert len({row["name"] for row in rows}) == len(rows)
    assert {row["gender"] for row in rows} == {"", "m", "f"}
