"""Names and jurisdictions of statutes that are not in English, in the words of model statutes."""

from __future__ import annotations

import pytest

from checks.fields.names.companies import clean, is_plausible
from tests.checks.documents import extraction_of, make_pdf

STATUTES = {
    "Kranichfreunde Uckermark e.V.": (
        "Germany",
        "Satzung\n§ 1 Name, Sitz, Geschäftsjahr\nDer Verein führt den Namen „Kranichfreunde Uckermark e.V.“ und hat seinen\n"
        "Sitz in Prenzlau. Er ist in das Vereinsregister eingetragen.",
    ),
    "Ruderclub Nordhafen": (
        "Switzerland",
        "Statuten\n1. Name und Sitz\nUnter dem Namen Ruderclub Nordhafen besteht ein Verein im Sinne von\n"
        "Art. 60 ff. ZGB mit Sitz in Luzern.",
    ),
    "Les Amis du Moulin": (
        "France",
        "STATUTS\nArticle 1\nIl est fondé une association régie par la loi du 1er juillet 1901\n"
        "ayant pour titre : Les Amis du Moulin.\nArticle 2\nCette association a pour objet la lecture.",
    ),
    "Atelier des Deux Rives SARL": (
        "France",
        "STATUTS\nLa société est régie par le Code de commerce.\nArticle 3 - La société prend pour dénomination sociale :\n"
        "« Atelier des Deux Rives SARL »",
    ),
    "Asociación Vecinal Los Olmos": (
        "Spain",
        "ESTATUTOS\nArtículo 1. Con la denominación de Asociación Vecinal Los Olmos, se constituye una\n"
        "asociación al amparo de la Ley Orgánica 1/2002.",
    ),
    "Circolo Velico Aurora": (
        "Italy",
        "STATUTO\nArt. 1 - È costituita, ai sensi del Codice civile, l'associazione denominata\n"
        "“Circolo Velico Aurora”, con sede in Ancona.",
    ),
    "Clube de Xadrez do Minho": (
        "Portugal",
        "ESTATUTOS\nArtigo 1.º A associação adota a denominação de Clube de Xadrez do Minho, com sede em Braga,\n"
        "nos termos do Código Civil português.",
    ),
    "Waterlelie": (
        "Netherlands",
        "STATUTEN\nArtikel 1\nDe vereniging draagt de naam: Waterlelie.\nZij is een vereniging volgens het Burgerlijk Wetboek.",
    ),
    "Havnens Venner": (
        "Denmark",
        "VEDTÆGTER\n§ 1. Foreningens navn er »Havnens Venner«.\n§ 2. Foreningen har CVR-nr. 12345678.",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", STATUTES)
def test_statutes_state_the_name_and_the_law(name):
    jurisdiction, words = STATUTES[name]
    data = extraction_of(make_pdf(words))
    assert data["business_name"] == name
    assert data["jurisdiction"] == jurisdiction


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Imkerverein Lindental e. V.\nSatzung", "Imkerverein Lindental e. V."),
        (
            "Association sportive à Vernier (ASV)\nStatuts",
            "Association sportive à Vernier",
        ),
        ("Vereinssatzung\nTheater am Deich e.V.", "Theater am Deich e.V."),
    ],
)
def test_the_name_stands_beside_the_title(title, name):
    words = f"{title}\n1. Zweck und Mittel\nAlles Weitere regelt die Versammlung der Mitglieder."
    assert extraction_of(make_pdf(words))["business_name"] == name


@pytest.mark.parametrize(
    "words",
    ["ee", "a certified copy of the said order", "in writing the sum which he holds"],
)
def test_a_part_of_a_sentence_is_no_name(words):
    assert not is_plausible(words)


@pytest.mark.parametrize("name", ["sigma", "日本橋商事", "ACME", "the Kite Company"])
def test_a_name_may_be_written_small_or_without_capitals(name):
    assert is_plausible(name)


def test_a_bracket_of_initials_is_not_part_of_the_name():
    assert clean("Kite Flyers Club (KFC)") == "Kite Flyers Club"
    assert clean("Acme Holdings (UK)") == "Acme Holdings (UK)"
