"""The front of an identity card: values at labels in many languages, and print that agrees with a zone."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from checks.evidence import Evidence
from checks.identity_document.card_front import CardFront, card_front_of
from checks.identity_document.card_reading import print_agrees, read_card
from checks.identity_document.mrz import zone_of
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

# Two surnames on two lines, and a label that other cards have for given names alone.
SPANISH = """DOCUMENTO NACIONAL DE IDENTIDAD
DNI 48291374K
APELLIDOS
FERRANDO
BELTRAN
NOMBRE
LUCIA
FECHA DE NACIMIENTO
04 10 1990
VALIDEZ
19 05 2031"""
PERUVIAN = """DOCUMENTO NACIONAL DE IDENTIDAD
DNI 48291374
Primer Apellido
QUISPE
Segundo Apellido
MAMANI
Pre Nombres
ROSA ELENA
Nacimiento: Fecha y Ubigeo
21 09 1983 080101
Fecha Caducidad
17 02 2030"""
# One label for the whole name: on several lines, or the given names of another card.
MEXICAN = """CREDENCIAL PARA VOTAR
NOMBRE
GARCIA
LOPEZ
MARIA FERNANDA
SEXO M
FECHA DE NACIMIENTO
12/08/1987"""
PAKISTANI = """PAKISTAN National Identity Card
Name
Ayesha Siddiqui
Father Name
Imran Siddiqui
Identity Number
42101-4829137-4
Date of Birth
02.03.1989
Date of Expiry
15.07.2032"""
# Labels and values in one cell, and a month before the day.
FRENCH = """CARTE NATIONALE D'IDENTITE
Nom : LEROUX-DUMAS
Prenom(s) : ANTOINE PAUL
Nee le : 12.05.1980"""
PHILIPPINE = """PAMBANSANG PAGKAKAKILANLAN Philippine Identification Card
Apelyido/Last Name
SANTOS
Mga Pangalan/Given Names
MARIA LOURDES
Gitnang Apelyido/Middle Name
DELOS REYES
Petsa ng Kapanganakan/Date of Birth
MAY 30, 1985"""
EMIRATI = """Resident Identity Card
ID Number / 784-1992-4829137-4
Name: FATIMA KHALID ALMANSOORI
Date of Birth: 04/11/1992
Expiry Date: 19/01/2030"""
# “Name” beside a label that is in the table; and days from which and until which the card is valid.
ROMANIAN = """CARTE DE IDENTITATE IDENTITY CARD
Nume/Nom/Last name
IONITA
Prenume/Prenom/First name
ANDREEA MIHAELA
Valabilitate/Validity
10.08.19-09.07.2029"""


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
        (SPANISH, "LUCIA FERRANDO BELTRAN", "1990-10-04", "2031-05-19", "48291374K"),
        (PERUVIAN, "ROSA ELENA QUISPE MAMANI", "1983-09-21", "2030-02-17", "48291374"),
        (MEXICAN, "GARCIA LOPEZ MARIA FERNANDA", "1987-08-12", "None", ""),
        (PAKISTANI, "Ayesha Siddiqui", "1989-03-02", "2032-07-15", "42101-4829137-4"),
        (FRENCH, "ANTOINE PAUL LEROUX-DUMAS", "1980-05-12", "None", ""),
        (PHILIPPINE, "MARIA LOURDES DELOS REYES SANTOS", "1985-05-30", "None", ""),
        (EMIRATI, "FATIMA KHALID ALMANSOORI", "1992-11-04", "2030-01-19", "784-1992-4829137-4"),
        (ROMANIAN, "ANDREEA MIHAELA IONITA", "None", "2029-07-09", ""),
    ],
)  # fmt: skip
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


def test_values_above_their_labels_are_not_read_as_those_below():
    text = """CEDULA DE CIUDADANIA
NUMERO 52.482.913
RODRIGUEZ GOMEZ
APELLIDOS
MARIA CLARA
NOMBRES
FIRMA
FECHA DE NACIMIENTO 15-MAR-1978"""
    assert card_front_of(evidence_of(text)) is None


def test_a_line_that_may_be_an_unknown_label_makes_the_name_unsure():
    text = SPANISH.replace("BELTRAN", "BELTRAN\nPARROQUIA\nSANTIAGO")
    evidence = evidence_of(text)

    reading = read_card(evidence, card_of(evidence))

    assert reading.facts["name"].wire is None
    assert reading.facts["name"].candidates
    assert reading.facts["date_of_birth"].wire == "1990-10-04"


def test_a_title_and_a_label_in_capitals_are_no_zone():
    # The reader of zones reads some letter in each place of two such lines.
    text = "SZEMELYAZONOSITO IGAZOLVANY IDENTITY CARD\nCSALADI ES UTONEV FAMILY NAME\nSZILVASI REKA"
    assert zone_of(evidence_of(text)) is None


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
