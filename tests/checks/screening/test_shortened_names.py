"""Names that were shortened, or given with more names than the list has, are found."""

from __future__ import annotations

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.matching.similarity import is_nickname
from checks.screening.records import BirthDate, Entity, ListedName, ListVersion, Subject

VERSION = ListVersion("list", "A list", 1, "2026-11-01", "2026-11-02", "", 1)


def band(asked: str, listed: str, *, birth_date: str = "") -> str | None:
    births = [BirthDate("1961-03-14")]
    entity = Entity("1", "Person", [ListedName(listed)], birth_dates=births)
    lists = MemoryLists.of([entity], VERSION)
    return engine.screen(Subject([asked], birth_date=birth_date), lists).best_band


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("T. Korbutsky", "Teodor KORBUTSKY"),
        ("Tdr KRBTSKY", "Teodor KORBUTSKY"),
        ("Teodor Maksimovich K", "Teodor Maksimovich KORBUTSKY"),
        ("Teodor Maksimovich KORB", "Teodor Maksimovich KORBUTSKY"),
        ("Teodor Yan Maksimovich Korbutsky", "Teodor Maksimovich KORBUTSKY"),
        ("Fedya Korbutsky", "Fedya KORBUTSKY"),
        ("Sasha Korbutsky", "Aleksandr KORBUTSKY"),
        ("Paco Benavidez", "Francisco BENAVIDEZ"),
        ("Giuseppe Tarantola", "Beppe TARANTOLA"),
        ("Hans Oberleitner", "Johannes OBERLEITNER"),
    ],
)
def test_a_shortened_name_is_a_hit(query, listed) -> None:
    assert band(query, listed) in {"possible", "strong"}


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        # An initial of the list says less than one of the customer.
        ("Teodor Korbutsky", "T. KORBUTSKY"),
        ("B. Korbutsky", "Teodor KORBUTSKY"),
        ("T. Korbutskaya", "Teodor KORBUTSKY"),
        ("T. Korbutsky", "Teodor Maksimovich KORBUTSKY"),
        ("Tdr KRBSKY", "Teodor KORBUTSKY"),
        ("Sky Lynn", "Sakey LYNANI"),
        ("Teodor Ma", "Teodor MAKSIMOV"),
        ("Teodor Yan Korbutsky", "Teodor KORBUTSKY"),
    ],
)
def test_less_than_that_is_none(query, listed) -> None:
    assert band(query, listed) in {None, "weak"}


@pytest.mark.parametrize(
    "query",
    [
        "Teodor Yan Korbutsky",
        "Teodor Korbutsky Benavidez",
        "Teodor Korbutsky-Benavidez",
        "Yan Teodor Korbutsky",
        "Teodor Yan Piotr Korbutsky",
    ],
)
def test_one_more_name_is_a_hit_where_the_date_of_birth_agrees(query) -> None:
    assert band(query, "Teodor KORBUTSKY", birth_date="1961-03-14") == "possible"


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("aleksandr", "sasha"), ("alexander", "sasha"), ("volodymyr", "volodya"), ("jose", "pepe"),
        ("francisco", "paco"), ("johannes", "hans"), ("giuseppe", "beppe"), ("krzysztof", "krzys"),
        ("georgios", "giorgos"), ("joao", "joaozinho"), ("hendrik", "henk"), ("istvan", "pista"),
        ("yitzhak", "itzik"), ("gheorghe", "gica"), ("karl", "kalle"), ("mehmet", "memo"),
        ("william", "bill"),
    ],
)  # fmt: skip
def test_short_forms_are_known_in_both_directions(name, short) -> None:
    assert is_nickname(name, short)
    assert is_nickname(short, name)
    assert not is_nickname(short, "korbutsky")
