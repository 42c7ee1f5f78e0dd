"""Companies that are called by one word: what that word may carry alone, and what it needs."""

from __future__ import annotations

from typing import Any

import pytest

from checks.screening import engine
from checks.screening.lists import MemoryLists
from checks.screening.records import (
    Entity,
    Identifier,
    ListedName,
    ListVersion,
    Subject,
)

VERSION = ListVersion(
    "demo", "Demo", 1, "2026-11-01", "2026-11-02T00:00:00Z", "ab" * 32, 1
)


def band(
    asked: str,
    listed: str,
    *,
    kind: str = "primary",
    schema: str = "Organization",
    **values,
) -> str:
    name = ListedName(listed, kind)  # type: ignore[arg-type]
    entry = Entity(
        "e-1", schema, [name], countries=values.pop("listed_in", ()),  # type: ignore[arg-type]
        addresses=values.pop("addresses", ()),
        identifiers=[Identifier("imo", "9187629")],
    )  # fmt: skip
    subject = Subject([asked], values.pop("asked_as", "Organization"), **values)
    result = engine.screen(subject, MemoryLists.of([entry], VERSION)).matches
    return result[0].band if result else ""


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Alcon", "OOO ALKON"),  # another spelling, and no legal form that agrees
        ("Ricoh", "REYCO GMBH."),
        ("Inditex", "INDUITEX LTDA."),
        ("Element Solutions", "ELEMENTO SOLUTIONS LIMITED"),
        ("ABB", "AAB"),
        ("H&M", "HM"),
        ("H&M", "HAND OF MERCY"),
        ("NetScout Systems", "N-Systems LTD"),
    ],
)
def test_one_word_alone_is_no_hit_where_it_is_not_the_name(query, listed):
    assert band(query, listed) in {"weak", ""}


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Severbank", "OOO SEVERBANK"),
        ("VTB", "VTB Bank"),
        ("Sever Bank", "SEVERBANK JSC"),
        ("ALKN OOO", "OOO ALKON"),  # a slip, and the legal form agrees
        ("U.I. International", "U.I. INTERNATIONAL"),
        ("Severpromtk", "Severpromtek"),  # nobody else comes to so many letters
        ("Alkon Trade Hous", "Alkon Trade House"),
        ("Mahan Airways", "MAHAN AIR"),
    ],
)
def test_the_same_name_is_a_hit(query, listed):
    assert band(query, listed) in {"strong", "possible"}


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Mahan Air Iran", "MAHAN AIR"),
        ("Islamic Republic of Iran Mahan Air", "MAHAN AIR"),
        ("Irisl Group", "IRISL"),
        ("Irisl Group Iran", "IRISL"),
        ("Irisl Europe Trading Co", "IRISL"),
        ("Irisl Hamburg", "IRISL"),
        ("Alkon Trade House International Holding", "Alkon Trade House"),
        ("Severpromtek Middle East FZE", "OOO Severpromtek"),
        (
            "Alkon Trade House Murmansk",
            "Alkon Trade House",
        ),  # in an address of the entry
    ],
)
def test_a_listed_name_with_common_words_beside_it_is_possible(query, listed):
    assert band(query, listed, addresses=["Lenina 5, Murmansk"]) in {
        "strong",
        "possible",
    }


@pytest.mark.parametrize(
    ("query", "listed"),
    [
        ("Mahan Air Catering", "MAHAN AIR"),  # a word that tells another company
        ("Irisl Hospital Group", "IRISL"),
        ("Alkan Group Iran", "ALKON"),  # another spelling
        ("Iran Trading Group", "Trading Group"),  # no word that tells who it is
        ("Delta Murmansk", "Delta Trading"),  # a word of the listed name is lacking
        ("Alkon Trade House Oberursel", "Alkon Trade House"),  # no large city
    ],
)
def test_words_that_may_tell_another_company_are_no_hit(query, listed):
    assert band(query, listed, addresses=["Lenina 5, Murmansk"]) in {"weak", ""}


def test_common_words_beside_a_name_hold_where_nothing_speaks_against_it():
    assert band("Dover Group", "DOVER", schema="Vessel") == "discounted"
    assert band("Nsk Group", "NSK", kind="weak") in {"weak", ""}


def test_the_name_that_is_whole_counts_among_the_names_of_an_entry():
    entry = Entity(
        "e-1", "Organization", [ListedName("Irisl Groupe Lin"), ListedName("IRISL")]
    )
    subject = Subject(["Irisl Group Iran"], "Organization")
    [match] = engine.screen(subject, MemoryLists.of([entry], VERSION)).matches
    assert (match.name.text, match.band) == ("IRISL", "possible")


def test_an_alias_that_the_list_calls_weak_needs_something_beside_it():
    assert band("NSK Ltd.", "OOO NSK", kind="weak") == "weak"
    assert (
        band("NSK", "OOO NSK", kind="weak", countries=["RU"], listed_in=["RU"])
        == "strong"
    )
    assert band("Sever Oil Works", "Sever Oil Works LLC", kind="weak") == "strong"


def test_the_country_backs_one_word_or_speaks_against_it():
    data: dict[str, Any] = {"listed_in": ["RU"]}
    assert band("Alcon", "OOO ALKON", countries=["RU"], **data) == "strong"
    result = band("Nordex SE", "KORDEX JOINT STOCK COMPANY", countries=["DE"], **data)
    assert result == "discounted"
    assert (
        band("Nordex SE", "KORDEX JOINT STOCK COMPANY", countries=["DE"]) == "possible"
    )
    # The same word: what is listed has branches abroad, and lists are incomplete.
    assert band("Griffon GmbH", "GRIFFON FZC", countries=["DE"], **data) == "strong"
    assert band("VTB", "VTB Bank", countries=["GB"], **data) == "possible"


def test_a_vessel_of_the_name_is_shown_folded_and_its_number_is_a_hit():
    assert band("Blackstone Inc.", "BLACKSTONE", schema="Vessel") == "discounted"
    assert (
        band("Blackstone", "BLACKSTONE", schema="Vessel", asked_as="Vessel") == "strong"
    )
    number = [Identifier("imo", "IMO 9187629")]
    result = band("Blackstone Inc.", "BLACKSTONE", schema="Vessel", identifiers=number)
    assert result == "identifier_match"
