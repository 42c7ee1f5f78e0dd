"""Zones with the slips of an engine: a filler read as a letter, a wrong character, a lost line."""

from __future__ import annotations

from datetime import date

import pytest

from checks.evidence import Evidence
from checks.identity_document import extraction
from checks.identity_document import mrz as zone
from checks.identity_document.zone_names import spellings
from checks.subject_data import mrz
from tests.checks.documents import make_pdf

TODAY = date(2026, 11, 21)
FIRST = "P<CZENOVAK<<MAREK<<<<<<<<<<<<<<<<<<<<<<<<<<<"
PLACE = (0.1, 0.8, 0.9, 0.85)


def data_line(
    number: str = "41882744", born: str = "880229", expires: str = "300305"
) -> str:
    parts = [number.ljust(9, "<"), born, expires]
    number_, born_, expires_ = (part + mrz.digit_of(part) for part in parts)
    optional = "<" * 15
    end = mrz.digit_of(number_ + born_ + expires_ + optional)
    return f"{number_}CZE{born_}M{expires_}{optional}{end}"


def facts_of(first: str, second: str, **attested: str):
    read = zone._read([first, second], 1, zone.WHOLE, TODAY, "Tesseract")
    assert read
    evidence = Evidence(make_pdf("nothing"), today=TODAY, attested=attested)
    read = extraction._held_against_print(evidence, read)
    read = extraction._with_century(evidence, read)
    return extraction._facts(read, TODAY)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("NOVAK<KMAREK", ("MAREK", "NOVAK")),
        ("NOVAKK<MAREK", ("MAREK", "NOVAK")),
        ("NOVAK<<MAREKK<<<<<K", ("MAREK", "NOVAK")),
        ("PESONEN<<ANTTI<JUHANICC<<<<<<C", ("ANTTI JUHANI", "PESONEN")),
        ("OLIVEIRA<<FABIO<8RUNO", ("FABIO BRUNO", "OLIVEIRA")),
        ("KRAJNC<<MOJCA<CK", ("MOJCA", "KRAJNC")),
    ],
)
def test_the_right_spelling_is_among_those_that_are_offered(line, expected):
    assert expected in spellings(line)


@pytest.mark.parametrize(
    "line", ["NOVAK<<MAREK", "ERIKSSON<<ANNA<MARIA", "SUKARDI", "LEE<<JESS", "NG<<EL"]
)
def test_a_sound_name_has_one_spelling(line):
    assert len(spellings(line)) == 1


def test_several_spellings_are_candidates_and_the_attested_one_is_given():
    misread = FIRST.replace("NOVAK<<MAREK", "NOVAK<KMAREK")

    unknown = facts_of(misread, data_line())["name"]
    known = facts_of(misread, data_line(), first_name="Marek", last_name="Novak")

    assert unknown.wire is None
    assert "MAREK NOVAK" in [candidate.value for candidate in unknown.candidates]
    assert known["name"].wire == "MAREK NOVAK"
    assert known["last_name"].wire == "NOVAK"


def test_a_number_with_two_wrong_characters_is_not_given():
    # The only number that fits has two changed characters, and is not the right one: that is ZR4188274.
    line = data_line("ZR4188274").replace("ZR4188274", "ZRA188274")

    number = facts_of(FIRST, line)["document_number"]

    assert number.wire is None


def test_lines_without_that_of_the_names_are_read_where_all_digits_are_right():
    [read] = zone._partial_zones([data_line()], [PLACE], 1, TODAY, "Tesseract")
    facts = extraction._facts(read, TODAY)

    assert facts["document_number"].wire == "41882744"
    assert facts["date_of_birth"].wire == "1988-02-29"
    assert facts["name"].wire is None
    assert facts["issuing_country"].wire is None
    assert extraction.LOST in extraction._notes(read, is_sure=False)


def test_a_line_with_one_wrong_digit_is_no_zone_alone():
    wrong = data_line().replace("880229", "880228")
    assert not list(zone._partial_zones([wrong], [PLACE], 1, TODAY, "Tesseract"))


def test_the_century_of_a_child_is_unsure_until_it_is_stated():
    child = data_line(born="240604", expires="290604")

    unknown = facts_of(FIRST, child)["date_of_birth"]
    old = facts_of(FIRST, child, date_of_birth="1924-06-04")["date_of_birth"]
    grown = facts_of(FIRST, data_line())["date_of_birth"]

    assert unknown.wire is None
    assert [one.value for one in unknown.candidates] == ["2024-06-04", "1924-06-04"]
    assert old.wire == "1924-06-04"
    assert grown.wire == "1988-02-29"
