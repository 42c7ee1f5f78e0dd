"""Clauses of names that run over lines, and countries that no law is named of."""

from __future__ import annotations

import pytest

from checks.fields.names.companies import is_plausible
from checks.fields.names.company_comparison import compare_names
from checks.text.flow import flowing
from tests.checks.documents import evidence_of, extraction_of, make_pdf

STATUTES = {
    "Corredores del Valle": (
        "Colombia",
        "ESTATUTOS DE CORREDORES DEL VALLE\nArtículo 1. Naturaleza. La Corredores del Valle es una entidad sin fines de lucro.\n"
        "Artículo 2. Su domicilio principal es la ciudad de Medellín.",
    ),
    "Instituto Areia Branca": (
        "Brazil",
        "ESTATUTO SOCIAL\nArt. 1º O Instituto Areia Branca, também designado pela sigla IAB, constituído em 2011,\n"
        "é uma associação civil sem fins lucrativos.\nArt. 2º Tem sede e foro em Fortaleza.",
    ),
    "Sternwarte Seetal": (
        "Switzerland",
        "Statuten\nArt. 1 Name und Sitz\nDie «Sternwarte Seetal» ist ein Verein mit Sitz in Luzern.",
    ),
    "Atelier Sans Fil": (
        "France",
        "STATUTS\nArticle 1 - Il est formé entre les membres une association sans but lucratif,\ndénommée : Atelier Sans Fil.\n"
        "Article 2 - Le siège social est fixé à Grenoble.",
    ),
    "Les Passeurs": (
        "Belgium",
        "STATUTS\nArticle 1. L'association dite « Les Passeurs » a pour objet la lecture.\nArticle 2. Son siège est établi à Namur.",
    ),
    "Osservatorio del Golfo": (
        "Italy",
        "STATUTO\nArt. 1 - È costituita l'associazione \"Osservatorio del Golfo\".\nArt. 2 - L'associazione ha sede in Trieste.",
    ),
    "Musikvänner i Norr": (
        "Sweden",
        "STADGAR\n§ 1 Föreningens namn är Musikvänner i Norr (nedan kallad föreningen).\n§ 2 Styrelsen har sitt säte i Umeå.",
    ),
    "Studentenkoor Vierkant": (
        "Netherlands",
        "STATUTEN\nArtikel 1\nDe vereniging draagt de naam: Studentenkoor Vierkant\nZij is gevestigd te Groningen.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATUTES)
def test_statutes_state_the_name_and_the_seat(name):
    place, words = STATUTES[name]
    data = extraction_of(make_pdf(words))
    assert data["business_name"] == name
    assert data["jurisdiction"] == place


LONG = (
    "ESTATUTOS\nArtículo 1. La persona jurídica que por este documento se constituye se denomina Fundación\n"
    "Semilla del Páramo, y es una institución sin ánimo de lucro, que se rige por los presentes estatutos\n"
    "y por las leyes de la República de Colombia."
)  # fmt: skip


def test_a_name_runs_over_the_end_of_a_full_line():
    assert extraction_of(make_pdf(LONG))["business_name"] == (
        "Fundación Semilla del Páramo"
    )


def test_a_line_that_ends_before_the_margin_does_not_run_on():
    text = evidence_of(make_pdf(LONG)).text
    joined = flowing(text)
    assert len(joined) == len(text.value)
    assert "ESTATUTOS\nArtículo" in joined
    assert "Fundación Semilla" in joined


def test_two_seats_of_two_countries_name_none():
    words = (
        "Satzung\nDer Verein hat seinen Sitz in Hamburg. Die Stiftung hat ihren Sitz in Wien.\n"
        "Der Verein führt den Namen Nordlicht."
    )
    assert extraction_of(make_pdf(words))["jurisdiction"] is None


@pytest.mark.parametrize("words", ["Fundación", "la Sociedad", "Der Verein", "Spółka"])
def test_what_a_body_is_is_no_name(words):
    assert not is_plausible(words)


def test_legal_forms_with_accents_are_compared():
    long = "Jasna Droga spółka z ograniczoną odpowiedzialnością"
    assert compare_names(long, "JASNA DROGA SP. Z O.O.").state == "equal"


def test_what_else_a_body_is_called_is_not_of_its_name():
    words = "STATUTO\nArt. 1 È costituita un'associazione avente la denominazione: Amici del Faro, in seguito denominata ente."
    assert extraction_of(make_pdf(words))["business_name"] == "Amici del Faro"
