from __future__ import annotations

import pytest

from papers import countries


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("DE", "DE"),
        (" de ", "DE"),
        ("Germany", "DE"),
        ("germany", "DE"),
        ("Côte d\u2019Ivoire", "CI"),
        ("U.A.E.", "AE"),
        ("Curacao", "CW"),
        ("DR Congo", "CD"),
        ("République démocratique du Congo", "CD"),
        ("Deutschland", "DE"),
        ("ESPAÑA", "ES"),
        ("Espana", "ES"),
        ("Schweiz", "CH"),
        ("Svizzera", "CH"),
        ("Allemagne", "DE"),
        ("Россия", "RU"),
        ("Ελλάδα", "GR"),
        ("ΕΛΛΑΔΑ", "GR"),
        ("日本", "JP"),
        ("مصر", "EG"),
        ("भारत", "IN"),
        ("Việt Nam", "VN"),
        ("EL", "GR"),
        ("UK", "GB"),
        ("IRN", "IR"),
        ("DEU", "DE"),
        ("UNO", ""),
        ("Per", ""),
        ("and", ""),
        ("Atlantis", ""),
        ("XX", ""),
        ("", ""),
    ],
)
def test_a_country_is_known_by_its_code_and_its_spellings(text, code):
    assert countries.code(text) == code


def test_every_name_of_a_country_leads_to_it():
    for language in ("ar", "de", "es", "fr"):
        for code in countries.NAMES:
            assert countries.code(countries.name_in(code, language)) == code


def test_three_capitals_are_no_name_of_a_country():
    assert countries.code_by_name("PER") == ""
    assert countries.code_by_name("UAE") == "AE"


def test_the_name_of_a_code():
    assert countries.name("ci") == "Côte d'Ivoire"
    assert countries.name("XX") == "XX"


def test_the_states_of_machine_readable_zones():
    assert countries.of_zone("D") == "DE"
    assert countries.of_zone("UNO") == ""
    assert countries.of_zone("QQQ") is None


def test_every_country_has_one_code_and_one_name():
    assert len(countries.NAMES) == 250
    assert len(set(countries.NAMES.values())) == 250
    assert all(countries.code(name) == code for code, name in countries.NAMES.items())


def test_every_country_has_a_name_in_each_language_of_the_desk():
    for language in ("ar", "de", "es", "fr"):
        for code in countries.NAMES:
            assert countries.name_in(code, language), code
    assert countries.name_in("de", "fr") == "Allemagne"
    assert countries.name_in("DE", "ar") == "ألمانيا"


def test_a_language_without_names_has_the_english_ones():
    assert countries.name_in("DE", "ja") == "Germany"
    assert countries.name_in("XX", "de") == "XX"


def test_names_are_sorted_as_readers_look_for_them():
    names = ["Österreich", "Zypern", "Ägypten", "Oman"]
    assert sorted(names, key=countries.sort_key) == [
        "Ägypten",
        "Oman",
        "Österreich",
        "Zypern",
    ]
