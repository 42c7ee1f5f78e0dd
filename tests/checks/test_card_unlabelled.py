"""Cards that print a name or a number without a label, and numbers that state a date of birth."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from checks.evidence import Evidence
from checks.identity_document.card_front import CardFront, card_front_of
from checks.identity_document.card_reading import BY_PLACE, read_card
from checks.identity_document.check import classify
from tests.checks.documents import make_pdf

TODAY = date(2026, 11, 21)
MALAYSIAN = """KAD PENGENALAN MyKad
880418-10-5528
NUR AISYAH BINTI ZULKIFLI
NO 18 JALAN BAGAN
45400 SEKINCHAN
WARGANEGARA
ISLAM PEREMPUAN"""
NEW_YORK = """NEW YORK STATE
USA DRIVER LICENSE
ID 418 827 744
KESTREL
DOMINIQUE, A
1882 ROCKAWAY PKWY 4B
BROOKLYN, NY 11236
DOB 07/14/1990
EXPIRES 07/14/2030"""
INDIAN = """GOVERNMENT OF INDIA
Savita Ramesh Patil
DOB: 18/08/1985
FEMALE
4188 2744 091{digit}"""
FRENCH = """CARTE NATIONALE D'IDENTITE
NOM / Surname
KERDONCUFF
Prenoms / Given names
Maelys
DATE DE NAISS. / Date of birth
27 06 1998
No DU DOCUMENT / Document No
X4RTBPFW4"""


def evidence_of(text: str, **attested: Any) -> Evidence:
    return Evidence(make_pdf(text), today=TODAY, attested=attested)


def card_of(text: str) -> CardFront | None:
    return card_front_of(evidence_of(text))


@pytest.mark.parametrize(
    ("text", "name", "born", "number"),
    [
        (MALAYSIAN, "NUR AISYAH BINTI ZULKIFLI", "1988-04-18", "880418-10-5528"),
        (NEW_YORK, "KESTREL DOMINIQUE A", "1990-07-14", "418 827 744"),
    ],
)
def test_a_name_without_a_label_stands_above_the_address(text, name, born, number):
    card = card_of(text)

    assert card
    assert (card.name, str(card.born), card.number) == (name, born, number)


def test_a_name_without_a_label_is_given_only_where_it_is_attested():
    unknown, known = evidence_of(NEW_YORK), evidence_of(NEW_YORK, first_name="Dominique A", last_name="Kestrel")  # fmt: skip

    for evidence, value in ((unknown, None), (known, "KESTREL DOMINIQUE A")):
        card = card_front_of(evidence)
        assert card
        name = read_card(evidence, card).facts["name"]
        assert name.wire == value
    card = card_front_of(unknown)
    assert card
    name = read_card(unknown, card).facts["name"]
    assert [one.value for one in name.candidates] == ["KESTREL DOMINIQUE A"]
    assert name.how == BY_PLACE


def test_a_number_of_a_form_needs_its_check_digit():
    right = [digit for digit in range(10) if card_of(INDIAN.format(digit=digit))]

    assert len(right) == 1


@pytest.mark.parametrize(
    ("number", "born"),
    [
        # In the year of 2026 nobody of 11 years has such a card.
        ("150418-10-5527", "1915-04-18"),
        ("140418-10-5527", "2014-04-18"),
        ("881318-10-5527", "None"),
    ],
)
def test_the_age_for_a_card_tells_the_century(number, born):
    card = card_of(MALAYSIAN.replace("880418-10-5528", number))
    assert card
    assert str(card.born) == born


def test_a_number_of_letters_with_few_digits_is_one():
    card = card_of(FRENCH)
    assert card
    assert card.number == "X4RTBPFW4"


def test_a_card_with_one_label_for_the_whole_name_is_recognised():
    text = """PAKISTAN National Identity Card
Name
Ayesha Siddiqui
Identity Number
42101-4829137-4
Date of Birth
02.03.1989"""

    section = classify(evidence_of(text))

    assert section.passed
    assert section.boxes


def test_a_bill_with_a_name_above_an_address_is_no_card():
    assert card_of("Electricity bill\nJOHN MARLOWE\n18 High Street\n12.03.2024") is None


def test_a_day_that_has_no_month_so_tells_the_order_of_the_others():
    text = """THE UNION OF INDIA
MOTOR DRIVING LICENCE
DL No MH08 20130041882
Valid Till: 20-05-2033
DOB: 11-02-1990
Name: DEEPAK RAO"""

    card = card_of(text)

    assert card
    assert (str(card.born), str(card.expires)) == ("1990-02-11", "2033-05-20")


@pytest.mark.parametrize(
    ("birth", "expiry"),
    [("22 Aug 1991", "11/09/2027"), ("22.08.1991", "11.09.27"), ("02.08.1991", "11.09.27")],
)  # fmt: skip
def test_dots_and_a_month_in_words_tell_that_the_day_is_first(birth, expiry):
    text = f"""DRIVER LICENCE
Queensland Australia
DELACROIX
Margot Anne
CRN: 104 188 274
DOB: {birth}
Expiry: {expiry}"""

    card = card_of(text)

    assert card
    assert str(card.expires) == "2027-09-11"


def test_an_american_card_has_the_month_first():
    text = """NEW YORK STATE USA IDENTIFICATION CARD
ID 188 274 409
Name: WAYNE BRZEZINSKI
DOB: 01/03/1961
EXPIRES: 02/03/2028"""

    card = card_of(text)

    assert card
    assert (str(card.born), str(card.expires)) == ("1961-01-03", "2028-02-03")


def test_a_whole_name_whose_other_half_stands_below_is_unsure():
    text = """AUFENTHALTSTITEL
NAME, VORNAME
TEIXEIRA LOBO
Manuel
GEBURTSDATUM
08.07.1980"""
    evidence = evidence_of(text)
    card = card_front_of(evidence)

    assert card
    assert read_card(evidence, card).facts["name"].wire is None
