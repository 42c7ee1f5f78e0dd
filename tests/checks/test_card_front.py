"""The front of an identity card: values at labels in many languages, and print that agrees with a zone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from checks.evidence import Evidence
from checks.identity_document.card_front import CardFront, card_front_of
from checks.identity_document.card_reading import print_agrees, read_card
from tests.checks.documents import make_pdf

TODAY = date(2026, 11, 21)
PORTUGUESE = """CARTAO DE CIDADAO CITIZEN CARD
APELIDO[S] / SURNAME
QUINTELA
NOME[S] / GIVEN NAME[S]
BENEDITA
SEXO / SEX
F
DATA DE NASCIMENTO / DATE OF BIRTH
18 05 1993
No DOCUMENTO / DOCUMENT No.
24418821
DATA DE VALIDADE / EXPIRY DATE
07 01 2030"""
GERMAN = """PERSONALAUSWEIS
Dokumentnummer/Document No.
L4VH8K2C0
[a] Name/Surname/Nom
ESCHENAU
Vornamen/Given names
GUNTHER
Geburtstag/Date of birth
31.10.1969
Gültig bis/Date of expiry
27.07.2031"""
DUTCH = """IDENTITEITSKAART
naam/surname
Oosterhof
voornamen/given names
Wilhelmina
geboortedatum/date of birth
15 JAN/JAN 1981
geldig tot/date of expiry
08 SEP/SEP 2032
documentnummer
IR4K18820"""
# Months of Dutch alone, and the name of the husband behind the holder's own.
MARRIED = """IDENTITEITSKAART
naam/surname
DE HAAN - e/v KUIPERS
voornamen/given names
Froukje Maria
geboortedatum/date of birth
07 MEI/MAY 1985
geldig tot/date of expiry
19 OKT/OCT 2031
documentnummer
IR4K18820"""
AMERICAN = """CALIFORNIA USA DRIVER LICENSE
DL Y4418823
EXP 03/26/2029
LN ABERNETHY
FN DELPHINE MARIE
DOB 03/26/1992
SEX F"""


def card_of(evidence: Evidence) -> CardFront:
    card = card_front_of(evidence)
    assert card is not None
    return card


def evidence_of(text: str, **attested: Any) -> Evidence:
    return Evidence(make_pdf(text), today=TODAY, attested=attested)


@pytest.mark.parametrize(
    ("text", "name", "born", "expires", "number"),
    [
        (PORTUGUESE, "BENEDITA QUINTELA", "1993-05-18", "2030-01-07", "24418821"),
        (GERMAN, "GUNTHER ESCHENAU", "1969-10-31", "2031-07-27", "L4VH8K2C0"),
        (DUTCH, "Wilhelmina Oosterhof", "1981-01-15", "2032-09-08", "IR4K18820"),
        (MARRIED, "Froukje Maria DE HAAN", "1985-05-07", "2031-10-19", "IR4K18820"),
        (AMERICAN, "DELPHINE MARIE ABERNETHY", "1992-03-26", "2029-03-26", "Y4418823"),
    ],
)
def test_labels_tell_the_fields(text, name, born, expires, number):
    card = card_front_of(evidence_of(text))

    assert card is not None
    assert (card.name, card.number) == (name, number)
    assert (str(card.born), str(card.expires)) == (born, expires)


@pytest.mark.parametrize(
    "text",
    [
        "Surname\nMARLOWE\nInvoice\n12.03.2024\nTotal\n120.00",
        "Name\nMarlowe Ltd\nDate of birth of the company\nDocument No.\n12345678",
    ],
)
def test_a_paper_with_few_such_labels_is_no_card(text):
    assert card_front_of(evidence_of(text)) is None


def test_two_values_of_one_label_are_unsure():
    evidence = evidence_of(f"{PORTUGUESE}\nSURNAME\nQUINTANA")

    reading = read_card(evidence, card_of(evidence))

    assert reading.facts["last_name"].wire is None
    assert reading.facts["last_name"].candidates
    assert reading.facts["date_of_birth"].wire == "1993-05-18"


def test_an_attested_name_has_to_agree():
    other = evidence_of(PORTUGUESE, first_name="Rosa", last_name="Quintela")
    same = evidence_of(PORTUGUESE, first_name="Benedita", last_name="Quintela")

    assert read_card(other, card_of(other)).complaints
    assert not read_card(same, card_of(same)).complaints


def test_an_expired_card_fails():
    evidence = evidence_of(PORTUGUESE.replace("07 01 2030", "07 01 2020"))

    reading = read_card(evidence, card_of(evidence))

    assert reading.failures == ["It expired on 2020-01-07, 2,510 days ago."]


@pytest.mark.parametrize(
    ("surname", "agrees"),
    [("QUINTELA", True), ("QUINTFLA", False), ("", False)],
)
def test_print_above_a_zone_agrees_with_its_names(surname, agrees):
    assert print_agrees(evidence_of(PORTUGUESE), "BENEDITA", surname) is agrees


def test_a_zone_writes_two_dots_as_a_letter():
    evidence = evidence_of(PORTUGUESE.replace("QUINTELA", "KÜHLEWEIN"))

    assert print_agrees(evidence, "BENEDITA", "KUEHLEWEIN")


@pytest.mark.parametrize(
    ("born", "expires", "read"),
    [
        # Years of the Buddhist and of the Hijri calendar are not read as years of ours.
        ("18 05 2536", "07 01 2573", (None, None)),
        ("18 05 1413", "07 01 1451", (None, None)),
        ("18 05 1993", "01 01 9999", (date(1993, 5, 18), date(9999, 1, 1))),
    ],
)
def test_a_year_of_another_calendar_is_not_read_as_one_of_ours(born, expires, read):
    text = PORTUGUESE.replace("18 05 1993", born).replace("07 01 2030", expires)
    card = card_of(evidence_of(text))
    assert (card.born, card.expires) == read
