"""A sentence says when a company was entered in a register, and under which number."""

from __future__ import annotations

from typing import Any

import pytest

from checks.incorporation_document.extraction import IncorporationDocumentExtraction
from tests.checks.documents import evidence_of, make_pdf

ENGLISH = (
    "CERTIFICATE OF INCORPORATION",
    "The Registrar of Companies certifies that",
    "HARROW WHARF LIMITED",
)
FRENCH = (
    "CERTIFICAT D'IMMATRICULATION",
    "Le greffier certifie que la société",
    "ATELIER DES QUAIS SARL",
)
SPANISH = (
    "CERTIFICADO DE CONSTITUCIÓN",
    "El Registro Público certifica que la sociedad",
    "TALLERES DEL PUERTO S.A.",
)


def read(*lines: str, **attested: Any) -> dict[str, Any]:
    evidence = evidence_of(make_pdf("\n".join(lines)), **attested)
    data: dict[str, Any] = (
        IncorporationDocumentExtraction().run(evidence).payload["extraction_data"]
    )
    return data


@pytest.mark.parametrize(
    "sentence",
    [
        "was incorporated on 3 June 2014 under number 58213904.",
        "was duly registered on 3 June 2014 under the number 58213904.",
        "was incorporated on 3 June 2014 with No. 58213904.",
        "was entered in the register on 3 June 2014 under number 58213904.",
    ],
)
def test_a_number_behind_the_day_of_the_sentence(sentence):
    data = read(*ENGLISH, sentence)
    assert data["business_registration_number"] == ["58213904"]
    assert data["incorporation_date"] in {"2014-06-03", None}


@pytest.mark.parametrize(
    "sentence",
    [
        "stated its business on 3 June 2014 under licence number 58213904.",
        "was registered for VAT on 3 June 2014 under number 58213904.",
        "The Companies Act was registered on 3 June 2014 under number 58213904.",
        "was registered for GST on 3 June 2014 with number 58213904.",
    ],
)
def test_a_number_of_something_else_is_not_given(sentence):
    data = read(*ENGLISH, sentence)
    assert data["business_registration_number"] == []


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        (FRENCH, "a été immatriculée au registre du commerce le 3 juin 2014."),
        (SPANISH, "fue inscrita en este Registro el 3 de junio de 2014."),
        (ENGLISH, "was entered in the register of companies on 3 June 2014."),
    ],
)
def test_the_day_of_an_entry(lines, sentence):
    assert read(*lines, sentence)["incorporation_date"] == "2014-06-03"


def test_two_days_of_entries_are_candidates():
    data = read(
        *FRENCH,
        "a été immatriculée au registre du commerce le 3 juin 2014.",
        "Une succursale a été immatriculée le 9 mai 2019.",
    )
    assert data["incorporation_date"] is None


@pytest.mark.parametrize(
    ("number", "state"),
    [
        ("CRN: 58213904", "equal"),
        (["1111111", "58213904"], "equal"),
        ("58213905", "differs"),
    ],
)
def test_an_attested_number_is_compared_without_the_words_around_it(number, state):
    data = read(
        *ENGLISH,
        "was incorporated on 3 June 2014 under number 58213904.",
        business_registration_number=number,
    )
    [compared] = [
        row
        for row in data["comparisons"]
        if row["field"] == "business_registration_number"
    ]
    assert compared["state"] == state


TWO_DAYS = [
    ("Datum der Satzung: 20.05.2014", "Tag der Eintragung: 17.07.2014"),
    ("Gegründet am: 20.05.2014", "Eintragungsdatum: 17.07.2014"),
    ("Bildat datum: 2014-05-20", "Registreringsdatum: 2014-07-17"),
    ("Data de constituição: 20/05/2014", "Data da matrícula: 17/07/2014"),
    ("Atto costitutivo del 20/05/2014", "Iscritta al registro il 17/07/2014"),
    ("Perustamissopimuksen päivämäärä: 20.05.2014", "Rekisteröity: 17.07.2014"),
    # The table has no such label, but it has a word of the formation.
    ("Fecha y lugar de constitución: 20/05/2014", "Matriculada el: 17/07/2014"),
]


@pytest.mark.parametrize("days", TWO_DAYS)
def test_the_days_of_the_deed_and_of_the_entry_are_candidates(days):
    data = read("COMMERCIAL REGISTER EXTRACT", "Company name: ALFA S.A.", *days)

    read_days = data["evidence"]["incorporation_date"]["candidates"]
    assert data["incorporation_date"] is None
    assert {day["value"] for day in read_days} == {"2014-05-20", "2014-07-17"}


@pytest.mark.parametrize(
    ("attested", "value"),
    [
        ("2014-05-20", "2014-05-20"),
        ("2014-07-17", "2014-07-17"),
        ("2014-05-21", None),
    ],
)
def test_the_attested_one_of_the_two_days_is_given(attested, value):
    data = read(
        "COMMERCIAL REGISTER EXTRACT",
        "Company name: ALFA S.A.",
        *TWO_DAYS[0],
        incorporation_date=attested,
    )
    assert data["incorporation_date"] == value


def test_the_day_of_a_change_is_no_second_day():
    data = read(
        "COMMERCIAL REGISTER EXTRACT",
        "Company name: ALFA S.A.",
        "Tag der Eintragung: 17.07.2014",
        "Satzung zuletzt geändert am 12.03.2020",
    )
    assert data["incorporation_date"] == "2014-07-17"
